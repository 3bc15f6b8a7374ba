"""What each string method sees, held against the method itself."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from analyze.hazards.match_positions import SEARCH_METHODS, STRIP_METHODS, occurrences, whitespace_runs

TEXTS = st.text(alphabet="ab-. \t\n", max_size=14)
PATTERNS = st.text(alphabet="ab-. ", min_size=1, max_size=3)


def outside(text: str, spans: list[tuple[int, int]]) -> list[str]:
    """The parts of the text between the spans."""
    ends = [0, *(end for _, end in spans)]
    starts = [*(start for start, _ in spans), len(text)]
    return [text[end:start] for end, start in zip(ends, starts, strict=True)]


@given(TEXTS, st.sampled_from(sorted(SEARCH_METHODS)))
def test_an_empty_pattern_has_no_spans(text: str, method: str) -> None:
    assert occurrences("", text, method) == []


@given(TEXTS, PATTERNS, st.integers(-1, 3))
def test_split_rsplit_replace_and_count(text: str, pattern: str, limit: int) -> None:
    assert outside(text, occurrences(pattern, text, "split", limit)) == text.split(pattern, limit)
    assert outside(text, occurrences(pattern, text, "rsplit", limit)) == text.rsplit(pattern, limit)
    assert "|".join(outside(text, occurrences(pattern, text, "replace", limit))) == text.replace(pattern, "|", limit)
    assert len(occurrences(pattern, text, "count")) == text.count(pattern)


@given(TEXTS, PATTERNS)
def test_one_occurrence_at_most(text: str, pattern: str) -> None:
    for method, found in (("find", text.find(pattern)), ("rfind", text.rfind(pattern))):
        assert occurrences(pattern, text, method) == ([(found, found + len(pattern))] if found >= 0 else [])
    assert bool(occurrences(pattern, text, "in")) == (pattern in text)
    for method in ("partition", "rpartition"):
        before, _, after = getattr(text, method)(pattern)
        spans = occurrences(pattern, text, method)
        assert spans == ([(len(before), len(text) - len(after))] if pattern in text else [])
    assert "".join(outside(text, occurrences(pattern, text, "removeprefix"))) == text.removeprefix(pattern)
    assert "".join(outside(text, occurrences(pattern, text, "removesuffix"))) == text.removesuffix(pattern)
    assert bool(occurrences(pattern, text, "startswith")) == text.startswith(pattern)
    assert bool(occurrences(pattern, text, "endswith")) == text.endswith(pattern)


@given(TEXTS, PATTERNS, st.sampled_from(sorted(STRIP_METHODS)))
def test_what_strip_takes_off(text: str, characters: str, method: str) -> None:
    spans = occurrences(characters, text, method)
    assert "".join(outside(text, spans)) == getattr(text, method)(characters)
    assert all(start < end for start, end in spans)
    assert "".join(outside(text, whitespace_runs(text, method))) == getattr(text, method)()


@given(TEXTS)
def test_split_without_a_separator_sees_runs_of_whitespace(text: str) -> None:
    assert [part for part in outside(text, whitespace_runs(text)) if part] == text.split()
