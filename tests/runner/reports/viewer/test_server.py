"""The server: one page at one address of this machine, nothing else."""

import http.client
from collections.abc import Iterator

import pytest

from runner.reports.viewer.server import HOST, page_server
from tests.local_server import serving


@pytest.fixture
def port() -> Iterator[int]:
    with page_server("<p>☃</p>", 0) as server, serving(server) as number:
        yield number


def answer(port: int, method: str, path: str, host: str = "") -> tuple[int, bytes]:
    connection = http.client.HTTPConnection(HOST, port, timeout=30)
    connection.request(method, path, headers={"Host": host or f"{HOST}:{port}"})
    found = connection.getresponse()
    content = found.status, found.read()
    connection.close()
    return content


def test_other_paths_methods_and_host_names_are_errors(port: int) -> None:
    assert answer(port, "GET", "/../secret")[0] == 404
    assert answer(port, "POST", "/")[0] == 501
    assert answer(port, "GET", "/", "evil.example")[0] == 421


def test_a_port_in_use_is_an_error(port: int) -> None:
    with pytest.raises(OSError, match="in use"):
        page_server("", port)


def test_the_page(port: int) -> None:
    assert answer(port, "GET", "/") == (200, "<p>☃</p>".encode())
