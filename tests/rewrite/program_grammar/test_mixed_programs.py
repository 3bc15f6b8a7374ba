"""Programs of the mixed profile: what it draws compiles, ends and covers each feature, and how often."""

import ast
import random
import re
from collections.abc import Callable

import pytest

from corpora.execute import run_calls
from rewrite.program_grammar.mixed_programs import FEATURES, draw_mixed_program
from rewrite.testing.program_sources import feature_nodes

pytestmark = pytest.mark.filterwarnings("ignore::SyntaxWarning")  # such as `x is 0`, which programs may contain

SHARES: dict[
    str, tuple[float, Callable[[str], object]]
] = {  # of 1,000 programs: at least this share, two standard errors below what any Python version draws
    "aliases": (0.02, lambda text: " += [3]" in text or ".append(0)" in text or "|= {2}" in text),
    "augmented assignment": (0.1, lambda text: any(f" {sign}= " in text for sign in "+-*|%&")),
    "exceptions": (0.1, lambda text: "fail(" in text or "raise " in text or "1 // b" in text),
    "generators": (0.02, lambda text: "yield" in text),
    "closures": (0.01, lambda text: "nonlocal" in text or "lambda" in text),
    "objects": (0.03, lambda text: "class Item" in text),
    "early returns": (0.03, lambda text: text.count("return") - text.count("return value") > 1),
    "search loops": (0.01, re.compile(r"for x in .*:\n +if .*:\n +(return|break)").search),
    "nested functions": (0.03, lambda text: "    def " in text),
    "default arguments": (0.005, lambda text: "made=" in text),
}
BUILTINS = ("max", "min", "sum", "sorted", "zip", "enumerate", "any", "all")
SHARES |= {name: (0.02, re.compile(rf"\b{name}\(").search) for name in BUILTINS}


def drawn(count: int) -> list[str]:
    draw = random.Random(0)
    return [draw_mixed_program(draw, FEATURES[number % len(FEATURES)]).source for number in range(count)]


@pytest.mark.medium
def test_every_part_is_drawn_often_enough(record_property: Callable[[str, object], None]) -> None:
    programs = drawn(1000)
    shares = {name: sum(bool(has(text)) for text in programs) / len(programs) for name, (_, has) in SHARES.items()}
    for name, share in shares.items():  # in the report of `pytest --junit-xml`
        record_property(name, f"{share:.1%}")
    assert {name: share for name, share in shares.items() if share < SHARES[name][0]} == {}


@pytest.mark.parametrize("feature", FEATURES)
def test_a_program_about_a_feature_is_about_it(feature: str) -> None:
    draw = random.Random(1)
    programs = {draw_mixed_program(draw, feature).source for _ in range(20)}
    assert len(programs) > 10
    for program in programs:
        compile(program, "drawn", "exec")


def test_statement_features_know_their_nodes() -> None:
    nodes = feature_nodes()
    assert "If" in nodes["mixed: if"] and "AugAssign" not in nodes["mixed: if"]


@pytest.mark.medium
def test_programs_end_and_do_the_same_twice() -> None:
    draw = random.Random(2)
    for _ in range(12):
        program = draw_mixed_program(draw)
        first, second = (run_calls(program.source, program.calls, seconds=5) for _ in range(2))
        assert {outcome.status for outcome in first} <= {"ok", "raised"}, program.source
        assert [(one.value, one.exception) for one in first] == [(one.value, one.exception) for one in second]
        assert ast.parse(program.source)
