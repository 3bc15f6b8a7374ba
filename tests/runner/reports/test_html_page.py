"""The report as a page: foreign text stays text, tables are tables, and nothing is loaded from elsewhere."""

import json
from html.parser import HTMLParser
from pathlib import Path

import pytest

from analyze import trace_call
from runner.cli import main
from runner.reports.html_page import as_html

HOSTILE = "<script>alert(1)</script> <img src=x onerror=y> [a](javascript:b) ![i](http://h/p.png)"
ADD = "def f(x):\n    return x + 1\n"


class Tags(HTMLParser):
    """What tags a page has, and their attributes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: set[str] = set()
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes |= {name for name, _ in attrs}


def test_foreign_text_is_shown_and_not_read() -> None:
    found = Tags(as_html(f"# {HOSTILE}\n\n{HOSTILE}\n", HOSTILE))
    assert not {"script", "img"} & set(found.tags) and not {"onerror", "src"} & found.attributes
    assert "javascript:" not in as_html("[a](javascript:b)", "").replace("[a](javascript:b)", "")


def recorded(folder: Path, name: str, output: str) -> Path:
    cases, outputs, out = folder / "cases.jsonl", folder / f"{name}.jsonl", folder / name
    cases.write_text(json.dumps({"id": HOSTILE, "code": ADD, "input": "1"}) + "\n")
    outputs.write_text(json.dumps({"id": HOSTILE, "output": output}) + "\n")
    assert main(["run", str(cases), "--model", f"replay:{outputs}", "--recipe", "none", "--output", str(out)]) == 0
    return out


@pytest.mark.medium
def test_a_run_and_a_comparison_are_pages(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    right = recorded(tmp_path, "right", trace_call(ADD, "f(1)").text + "<|end_of_text|>")
    wrong = recorded(tmp_path, "wrong", "nonsense")
    capsys.readouterr()
    assert main(["report", str(right), "--html"]) == 0
    page = capsys.readouterr().out
    assert page.startswith("<!DOCTYPE html>") and "100.0% (21–100)" in page
    assert main(["report", str(right), "--against", str(wrong), "--html"]) == 0
    compared = capsys.readouterr().out
    found = Tags(compared)
    assert (
        found.tags.count("table") > Tags(page).tags.count("table") and "on the samples that both answered" in compared
    )
    assert not {"script", "img"} & set(found.tags)


def test_a_folder_without_a_run_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", str(tmp_path), "--html"]) == 2
    assert "not the folder of a run" in capsys.readouterr().err
