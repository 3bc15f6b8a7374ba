"""The file: nothing of a run in its HTML, a policy that permits its own style and script only, data that come back."""

import base64
import hashlib
import json
import re
import zlib
from html.parser import HTMLParser
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.reports.viewer.collection import collect
from runner.reports.viewer.page import SCRIPTS, _asset, pack, page_html
from tests.runner.reports.viewer.runs import MARKUP, hostile, record


def unpack(text: str) -> Any:
    return json.loads(zlib.decompress(base64.b64decode(text)))


@pytest.fixture(scope="module")
def page() -> str:
    found = collect({MARKUP: [hostile(), record()]}, "llama-3", 30.0)
    return page_html(found, f"</title>{MARKUP}", "llama-3")


class Elements(HTMLParser):
    """The elements of a page, with the content of scripts and styles."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None], str]] = []
        self.reads = False
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs), ""))
        self.reads = tag in ("script", "style")

    def handle_endtag(self, tag: str) -> None:
        self.reads = False

    def handle_data(self, data: str) -> None:
        if self.reads:
            tag, attributes, before = self.found[-1]
            self.found[-1] = (tag, attributes, before + data)


@pytest.mark.medium
def test_nothing_of_a_run_is_html(page: str) -> None:
    assert "hacked" not in re.sub(r"<title>.*?</title>", "", page)
    elements = Elements(page).found
    assert sum(tag == "script" and "type" not in attributes for tag, attributes, _ in elements) == 1
    assert not [tag for tag, _, _ in elements if tag in ("img", "iframe", "object", "embed", "base")]


@pytest.mark.medium
def test_no_element_loads_anything(page: str) -> None:
    links = [
        value
        for _, attributes, _ in Elements(page).found
        for name, value in attributes.items()
        if name in ("src", "href")
    ]
    assert links == ["data:,"]
    assert "http" not in _asset("page.html").replace("http-equiv", "")


def test_the_policy_permits_exactly_the_elements_of_the_page(page: str) -> None:
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', page)
    assert "unsafe" not in policy
    assert policy.startswith("default-src 'none'; ")
    for tag in ("script", "style"):
        (content,) = (
            text for name, attributes, text in Elements(page).found if name == tag and "type" not in attributes
        )
        digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy


@pytest.mark.parametrize("name", SCRIPTS)
def test_scripts_write_no_markup_and_evaluate_no_strings(name: str) -> None:
    forbidden = r"innerHTML|outerHTML|insertAdjacent|document\.write|\beval\b|new Function|</|fetch\(|XMLHttp|import\("
    assert not re.search(forbidden, _asset(f"{name}.js"))


@given(st.recursive(st.none() | st.integers() | st.text(st.characters()), lambda inner: st.lists(inner, max_size=3)))
def test_data_come_back_unchanged(content: object) -> None:
    packed = pack(content)
    assert re.fullmatch(r"[A-Za-z0-9+/=]*", packed)
    assert unpack(packed) == content


def test_the_data_of_a_page(page: str) -> None:
    data = {
        attributes["id"]: unpack(text)
        for tag, attributes, text in Elements(page).found
        if tag == "script" and "type" in attributes
    }
    assert data["table"]["columns"]["id"] == [hostile().id, "reverse"]
    assert data["block-0"]["samples"][0]["output"] == hostile().output
