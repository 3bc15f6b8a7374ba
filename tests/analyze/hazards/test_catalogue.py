"""docs/hazards.md is what the hazards make it."""

from __future__ import annotations

from analyze.hazards.base import all_hazards
from analyze.hazards.catalogue import page
from tests.places import ROOT

PAGE = ROOT / "docs" / "hazards.md"


def test_the_page_is_not_stale() -> None:
    assert PAGE.read_text(encoding="utf-8") == "".join(page())


def test_every_file_is_one_hazard_of_its_name() -> None:
    files = sorted(
        path.stem for path in (ROOT / "analyze" / "hazards" / "rules").glob("*.py") if path.stem != "__init__"
    )
    assert files == sorted(kind.name.lower() for kind in all_hazards())
