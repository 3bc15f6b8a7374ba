"""Hostile programs: each ends in its named status, the host is untouched, and the next program is right."""

import os
import re
import socket
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from corpora import Outcome, run_call
from tests.samples import sampled

LINE = re.compile(r"=== (?P<name>.+) -> (?P<outcome>.+)")
IMPORTS = "import ctypes, fcntl, mmap, multiprocessing, os, resource, signal, socket, subprocess, sys, tempfile\n"
DENIED = "try:\n    {act}\nexcept (OSError, ValueError, ImportError):\n    return 'denied'\nreturn 'DONE'"
NEXT = ("def f(x):\n    return sorted(x), len(x)", "f([3, 1, 2])", "([1, 2, 3], 3)")


@dataclass(frozen=True)
class Hostile:
    """A program with `f()`, and the outcomes it may have."""

    name: str
    source: str
    outcomes: tuple[str, ...]

    @property
    def seconds(self) -> float:
        return 0.25 if self.outcomes[0] == "timeout" else 60.0


def hostile_programs() -> list[Hostile]:
    text = (Path(__file__).parent / "hostile.txt").read_text(encoding="utf-8")
    sections = re.split(r"^(?====)", re.sub(r"^### .*\n", "", text, flags=re.MULTILINE), flags=re.MULTILINE)[1:]
    return [parsed(*section.strip("\n").split("\n", 1)) for section in sections]


def parsed(head: str, code: str) -> Hostile:
    match = LINE.fullmatch(head)
    assert match, head
    before, _, body = code.rpartition("\n---\n")
    outcomes = tuple(match["outcome"].split(" | "))
    if outcomes == ("denied",):
        before, body, outcomes = IMPORTS + "from pathlib import Path", DENIED.format(act=body), ("ok: 'denied'",)
    return Hostile(match["name"], f"{before}\n\ndef f():\n{textwrap.indent(body, '    ')}\n", outcomes)


HOSTILE = hostile_programs()


@dataclass(frozen=True)
class Host:
    """What a program could harm or read."""

    file: Path
    port: int

    def fill(self, source: str) -> str:
        for field, value in (
            ("{pid}", str(os.getpid())),
            ("{port}", str(self.port)),
            ("{file}", repr(str(self.file))),
            ("{folder}", repr(str(self.file.parent))),
        ):
            source = source.replace(field, value)
        return source

    def untouched(self) -> bool:
        return [path.name for path in self.file.parent.iterdir()] == ["secret"] and self.file.read_text() == "secret"


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    file = tmp_path_factory.mktemp("host") / "secret"
    file.write_text("secret")
    file.chmod(0o640)
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield Host(file, server.getsockname()[1])
        server.settimeout(0)
        with pytest.raises(BlockingIOError):
            server.accept()
    assert file.stat().st_mode & 0o777 == 0o640


def matches(outcome: Outcome, expected: tuple[str, ...]) -> bool:
    """Whether the outcome is one of those named: "status" or "status: beginning"."""
    raised = outcome.exception[0] if outcome.exception else ""
    seen = f"{outcome.status}: {outcome.value if outcome.value is not None else raised}"
    return any(seen == one or seen.startswith(one) for one in expected)


def test_there_are_enough_of_them_and_none_twice() -> None:
    assert len({hostile.name for hostile in HOSTILE}) == len(HOSTILE) >= 70


@pytest.mark.parametrize("level", ["A"], indirect=True)
@pytest.mark.parametrize("hostile", HOSTILE, ids=lambda hostile: hostile.name)
def test_a_hostile_program_ends_in_its_status(hostile: Hostile, host: Host, level: str) -> None:
    check_hostile(hostile, host, level)


@pytest.mark.parametrize("level", ["B"], indirect=True)
@pytest.mark.parametrize("hostile", sampled(HOSTILE, [hostile.name for hostile in HOSTILE], every=3))
def test_it_ends_in_its_status_without_namespaces(hostile: Hostile, host: Host, level: str) -> None:
    check_hostile(hostile, host, level)


def check_hostile(hostile: Hostile, host: Host, level: str) -> None:
    outcome = run_call(host.fill(hostile.source), "f()", seconds=hostile.seconds, megabytes=256)
    assert matches(outcome, hostile.outcomes), (outcome.status, outcome.value, outcome.exception, outcome.detail)
    assert outcome.isolation == level
    assert host.untouched()
    source, call, value = NEXT
    assert run_call(source, call, seconds=60).value == value
