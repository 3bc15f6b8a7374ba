"""A step as numbers: nothing where nothing is done, what is done where something is, and each change paid for once."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyze.gold_trace.frames import EVENTS, Frame
from analyze.gold_trace.trace import trace_call
from analyze.operations.catalogue import methods
from analyze.risk import trigrams
from analyze.risk.features import FEATURE_DESCRIPTIONS, classify_operation, step_features
from analyze.risk.steps import Operand, RecordedOperation, record_operations
from analyze.risk.trigrams import GRAM, KnownValues
from analyze.tokens.tokenizer import default_tokenizer

NOTHING = Operand("NoneType", -1, None)


MANY_OPERATIONS = """\
def f(text, items):
    kept = text
    at = text.find('an') + text.count('a')
    parts = text.replace('b', 'xx').split('a', 1)
    line = '-'.join(parts).upper().ljust(12)
    if 'N' in line and line.isupper():
        items.insert(0, items.index(2))
        items = sorted(items)[::-1] + [max(items)]
    table = str.maketrans('n', 'm')
    return f'{line[at:-1].translate(table):>20}', '%s' % text.strip('b'), items[-1], list(range(at))
"""
FITTED = {
    "new": 14.873301,
    "run": 7.795647,
    "text": 3.0,
    "operations": 10.568235,
    "fine": 1.972222,
    "search": 2.197225,
    "edit": 4.094345,
    "cut": 2.302585,
    "pad": 2.564949,
    "case": 2.302585,
    "join": 2.302585,
    "branch": 1.0,
    "membership": 2.564949,
    "predicate": 2.564949,
    "list change": 1.386294,
    "list search": 1.386294,
    "backwards": 2.0,
    "slice": 4.174387,
    "sort": 1.609438,
    "extreme": 1.609438,
    "table": 0.693147,
    "return": 1.0,
    "strip": 2.197225,
    "format": 3.044522,
}
"""The sum of each feature over the steps of `MANY_OPERATIONS`, as the published weights were fitted with them."""


def text(value: str) -> Operand:
    return Operand("str", len(value), value)


def method(name: str, receiver: Operand, *arguments: Operand, result: Operand = NOTHING) -> RecordedOperation:
    return RecordedOperation("method", name, (receiver, *arguments), result)


def of(frames: Sequence[Frame], made: Sequence[Sequence[RecordedOperation]] | None = None) -> list[dict[str, float]]:
    """The features that are not 0 of each frame."""
    steps = step_features(frames, made or [()] * len(frames), default_tokenizer())
    return [dict(step.values) for step in steps]


def test_a_step_that_does_nothing_has_nothing() -> None:
    assert of([Frame("line", "    pass\n", ()), Frame("line", "    pass\n", ())]) == [{}, {}]


def test_a_value_that_is_shown_as_before_is_no_new_one() -> None:
    frames = [Frame("line", "a\n", (("s", "'banana'"),)), Frame("line", "b\n", (("s", "'banana'"),))]
    assert "new" not in of(frames)[1]
    assert of(frames)[1]["repeated"] == math.log1p(8)


def test_a_value_that_the_trace_leaves_out_is_neither_new_nor_repeated() -> None:
    frames = [Frame("line", "a\n", (("s", "'banana'"),)), Frame("line", "b\n", (("s", ".."),))]
    assert of(frames)[1] == {}


def test_a_copy_under_another_name_is_nothing_new() -> None:
    frames = [Frame("line", "a\n", (("s", "'banana'"),)), Frame("line", "b\n", (("s", ".."), ("t", "'banana'")))]
    assert "new" not in of(frames)[1]


def test_a_value_that_is_gone_is_no_longer_known() -> None:
    frames = [Frame("line", "", (("s", value),)) for value in ("'banana'", "'xyzzy'", "'banana'")]
    assert of(frames)[2]["new"] == of(frames)[0]["new"]


def test_what_an_operation_goes_over_is_known() -> None:
    frame = Frame("return", "    return 'banana'.upper()\n", None, "'banana'")
    (alone,), (with_it,) = of([frame]), of([frame], [[method("strip", text("banana"))]])
    assert alone["new"] > 0 and "new" not in with_it


def test_an_exception_that_is_passed_on_returns_nothing_new() -> None:
    frames = [Frame("exception", "    x\n", None, "KeyError"), Frame("return", "    x\n", None, "KeyError")]
    assert "return" not in of(frames)[1] and "new" not in of(frames)[1]


def test_only_a_line_decides_a_condition() -> None:
    condition = Frame("line", "    if s:\n", ())
    assert "branch" in of([condition, Frame("line", "        pass\n", ())])[1]
    assert "branch" not in of([condition, Frame("return", "    if s:\n", None, "None")])[1]
    assert "branch" not in of([Frame("line", "    iffy = 1\n", ()), Frame("line", "    pass\n", ())])[1]


def test_a_run_of_one_character_is_measured_where_it_is_longest() -> None:
    assert of([Frame("line", "", (("s", "'abaaaab'"),))])[0]["run"] == math.log1p(3)
    assert "run" not in of([Frame("line", "", (("s", "'abab'"),))])[0]


@pytest.mark.parametrize("operation", [
    pytest.param(method("find", Operand("list", 3, None)), id="a list has no find"),
    pytest.param(method("upper", NOTHING), id="a method of something else"),
    pytest.param(RecordedOperation("call", "", (), NOTHING), id="a function of the program"),
    pytest.param(RecordedOperation("call", "len", (text("abc"),), NOTHING), id="len"),
    pytest.param(
        RecordedOperation("call", "max", (Operand("int", -1, 3), Operand("int", -1, 4)), NOTHING), id="max of two"
    ),
    pytest.param(
        RecordedOperation("operator", "Mod", (Operand("int", -1, 7), Operand("int", -1, 2)), NOTHING), id="modulo"
    ),
    pytest.param(RecordedOperation("item", "", (text("abc"), Operand("int", -1, 1)), text("b")), id="an item"),
])  # fmt: skip
def test_what_has_no_feature(operation: RecordedOperation) -> None:
    assert classify_operation(operation)[0] == ""


@pytest.mark.parametrize(
    "row",
    ["find search", "isalpha predicate", "removeprefix edit", "rpartition cut", "lstrip strip", "zfill pad",
     "title case", "join join", "format_map format"],
)  # fmt: skip
def test_methods_of_strings_have_the_feature_of_their_kind(row: str) -> None:
    name, feature = row.split()
    assert classify_operation(method(name, text("banana")))[0] == feature


def test_every_method_of_strings_has_a_feature_except_conversions() -> None:
    without = {name for name in methods("str") if not classify_operation(method(name, text("banana")))[0]}
    assert without == {"encode", "maketrans"}
    found = {classify_operation(method(name, text("banana")))[0] for name in methods("str") - without}
    assert found <= {*FEATURE_DESCRIPTIONS}


def test_only_places_from_the_end_count_backwards() -> None:
    frame = Frame("line", "", ())
    item = RecordedOperation("item", "", (text("abc"), Operand("int", -1, -1)), text("c"))
    minus = RecordedOperation(
        "operator", "Add", (Operand("int", -1, -1), Operand("int", -1, -2)), Operand("int", -1, -3)
    )
    assert "backwards" in of([frame], [[item]])[0]
    assert "backwards" not in of([frame], [[minus]])[0]


# All that comes out of a trace and its operations.
VALUES = st.one_of(st.text(max_size=30), st.text("ab", max_size=12)).map(repr)
STATES = st.dictionaries(st.sampled_from("abc"), st.one_of(VALUES, st.just(".."))).map(
    lambda state: tuple(state.items())
)
FRAMES = st.one_of(
    st.builds(Frame, st.sampled_from(EVENTS[:2]), st.sampled_from(["    if x:\n", "    x = 1\n", ""]), STATES),
    st.builds(Frame, st.sampled_from(EVENTS[2:]), st.just("    return x\n"), st.none(), VALUES),
)
OPERANDS = st.one_of(
    st.text(max_size=20).map(text), st.integers().map(lambda number: Operand("int", -1, number)),
    st.builds(Operand, st.sampled_from(["list", "dict", ""]), st.integers(-1, 10**19), st.none()),
)  # fmt: skip
OPERATIONS = st.builds(
    RecordedOperation,
    st.sampled_from(["method", "call", "operator", "item", "slice", "format"]),
    st.sampled_from(["find", "join", "replace", "sort", "pop", "sorted", "max", "In", "Mod", "maketrans", ""]),
    st.lists(OPERANDS, min_size=2, max_size=4).map(tuple),
    st.one_of(OPERANDS, st.just(Operand("raises", -1, None))),
)


@pytest.mark.medium
@given(st.lists(st.tuples(FRAMES, st.lists(OPERATIONS, max_size=3)), max_size=8))
def test_features_are_finite_and_positive(steps: list[tuple[Frame, list[RecordedOperation]]]) -> None:
    for step in step_features([frame for frame, _ in steps], [made for _, made in steps], default_tokenizer()):
        assert set(step.values) <= {*FEATURE_DESCRIPTIONS}
        assert all(math.isfinite(value) and value > 0 for value in step.values.values())


class Plainly:
    """What `KnownValues` does, with everything known looked at anew each time."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}

    def unseen(self, shown: dict[str, str], besides: list[str]) -> int:
        known = {gram for value in [*self.texts.values(), *besides] for gram in trigrams.grams(value)}
        return sum(gram not in known for value in shown.values() for gram in trigrams.grams(value))


CHANGES = st.dictionaries(st.sampled_from("abc"), st.text("xyz", max_size=14), max_size=3)


@given(st.lists(st.tuples(CHANGES, st.lists(st.text("xyz", max_size=5), max_size=2)), max_size=12))
def test_what_is_new_is_as_if_everything_were_looked_at_anew(changes: list[tuple[dict[str, str], list[str]]]) -> None:
    known, plainly = KnownValues(), Plainly()
    for shown, besides in changes:
        assert known.count_new(shown, besides) == plainly.unseen(shown, besides)
        known.learn(shown)
        plainly.texts.update(shown)


@pytest.mark.medium
def test_a_long_value_costs_what_changes_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Counted, not timed: of 3,000 items, and 300 frames that change one each, little more than the changes."""
    looked_at = 0
    really = trigrams._between

    def counted(value: str, start: int, end: int) -> Sequence[str]:
        nonlocal looked_at
        found = list(really(value, start, end))
        looked_at += len(found)
        return found

    monkeypatch.setattr(trigrams, "_between", counted)
    items = list(range(3000))
    frames = []
    for at in range(300):
        items[at] = -at
        frames.append(Frame("line", "    x\n", (("items", repr(items)),)))
    whole = len(repr(items))
    assert len(of(frames)) == 300
    assert looked_at < 2 * whole + 300 * 3 * (GRAM + 8)


def test_features_are_computed_as_the_published_weights_were_fitted() -> None:
    trace = trace_call(MANY_OPERATIONS, "f('bananaaa', [3, 2, 1])")
    made = record_operations(trace)
    assert made is not None
    total = Counter[str]()
    for values in of(trace.frames, made.operations):
        total.update(values)
    assert total == pytest.approx(FITTED, abs=1e-5), "refit the weights: CONTRIBUTING.md, Change a risk feature"
