"""The catalogue page of the interventions is the one that their examples make."""

from pathlib import Path

from rewrite.catalogue import page
from rewrite.recipe import known

PAGE = Path(__file__).parent.parent / "docs" / "interventions.md"


def test_the_catalogue_page_is_not_stale() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "python -m rewrite.catalogue > docs/interventions.md"


def test_every_intervention_has_an_example_and_says_when_it_stays_away() -> None:
    assert [i.name for i in known() if not i.EXAMPLES or not i.UNTOUCHED] == []
