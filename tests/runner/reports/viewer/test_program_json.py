"""A program as JSON: frames with risk and token boundaries, hazards, limits."""

import pytest

from analyze import assess
from runner.reports.viewer import program_json as module
from runner.reports.viewer.program_json import program_json


@pytest.mark.medium
@pytest.mark.usefixtures("short_endless_loops")
def test_a_program_without_a_trace_has_an_unknown_risk_and_a_reason() -> None:
    found = program_json(assess("def f(x):\n    while True: x += 1\n", "f(1)", seconds=0.5))
    assert (found["risk"], found["lines"]) == (None, {})
    assert "risk unknown" in found["notes"][0]


def test_a_long_trace_is_cut_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_FRAMES", 3)
    found = program_json(assess("def f(x):\n    for i in range(9):\n        x += i\n    return x\n", "f(1)"))
    assert len(found["frames"]) == 3
    assert any("the first 3 of " in note for note in found["notes"])


def test_a_long_value_has_no_token_boundaries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_TOKENIZED", 30)
    frames = program_json(assess("def f(n):\n    s = 'ab' * n\n    return n\n", "f(40)"))["frames"]
    assert [bool(sizes) for _, _, state, value, sizes, _ in frames if state is not None or value] == [
        *[True, True, True, True],
        *[False, True, True],
    ]


def test_the_program_of_a_sample() -> None:
    found = program_json(assess("def f(s):\n    return s.rindex('a', 0, -2)", "f('banana')"))
    assert found["context"].startswith("def f(s):")
    assert 0 < found["risk"] < 1
    assert max(found["lines"], key=found["lines"].get) == "2"
    event, line, state, value, sizes, _ = found["frames"][2]
    assert (event, line, state, value, sum(sizes)) == (0, 1, (("s", "'banana'"),), None, len('{"s": "\'banana\'"}'))
    assert any("rindex" in why for why in found["why"]["4"])
    assert all(0 <= one["span"][0] <= one["span"][1] <= len(one["written"].encode()) for one in found["hazards"])


@pytest.mark.parametrize(("written", "boundaries", "characters"), [("abc", [1, 3], [1, 3]), ("é☃", [1, 2, 5], [1, 2])])
def test_boundaries_in_bytes_become_boundaries_in_characters(
    written: str, boundaries: list[int], characters: list[int]
) -> None:
    assert module._in_characters(written, boundaries) == characters
