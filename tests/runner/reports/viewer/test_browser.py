"""The page in a real browser: a hostile run is text, keys and deep links work, and nothing is requested."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from runner.reports.viewer.collection import collect
from runner.reports.viewer.page import page_html
from tests.runner.reports.viewer.runs import MARKUP, hostile, record, rewritten

pytestmark = pytest.mark.slow
BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    driver = pytest.importorskip("playwright.sync_api", reason="playwright is missing (extra browser)")
    if BROWSER is None:
        pytest.skip("no Chromium is installed")
    with driver.sync_playwright() as started:
        yield started.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])


@pytest.fixture(scope="module")
def page_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    samples = [record(wrong="'worfw'"), rewritten(), hostile()]
    path = tmp_path_factory.mktemp("page") / "page.html"
    path.write_text(page_html(collect({MARKUP: samples}, "llama-3", 60.0), MARKUP, "llama-3"), encoding="utf-8")
    return path


@pytest.fixture
def opened(browser: Any, page_file: Path) -> Iterator[Any]:
    page = browser.new_page()
    problems: list[str] = []
    page.on("console", lambda message: problems.append(message.text))
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("request", lambda request: problems.append(request.url) if not request.url.startswith("file:") else None)
    page.goto(page_file.as_uri())
    page.wait_for_selector("html[data-ready]", timeout=60_000)
    yield page
    assert [problem for problem in problems if not problem.startswith("data:")] == []
    page.close()


def test_a_hostile_run_is_text(opened: Any) -> None:
    opened.locator("#scroller a").nth(2).click()
    opened.wait_for_selector("#sample-view h1", timeout=60_000)
    assert opened.evaluate("window.hacked") is None
    assert opened.locator("#sample-view img, #sample-view script").count() == 0
    text = opened.inner_text("#sample-view h1")
    assert MARKUP in text
    assert "\\u202e" in text
    assert "\\x1b[31m" in text


def test_keys_lead_to_the_next_divergence_and_to_its_deep_link(opened: Any) -> None:
    opened.keyboard.press("Enter")
    opened.wait_for_selector(".frame[aria-current]", timeout=60_000)
    assert opened.url.endswith(f"#{record().key}/4")
    opened.keyboard.press("n")
    assert opened.url.endswith("/5")
    opened.keyboard.press("k")
    assert opened.url.endswith("/4")
