"""What the tests on drawn programs share: the options they try, and the comparison of a program with its rewrite."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from rewrite.equivalence.assumption_filter import AssumptionFilter
from rewrite.rewriting import rewrite_source

OPTIONS: Mapping[str, Mapping[str, object]] = {
    "decompose": {},
    "conditions": {"recipe": "expressions", "conditions": True},
    "threshold": {"threshold": 2},
    "depth": {"depth": 2},
    "release": {"release": True},
    "calls only": {"kinds": ("call",)},
    "methods": {"recipe": "methods"},
}
# `make test` draws for the default; `make test-all` for the others too.
EVERY_OPTION = [
    pytest.param(options, id=name, marks=[] if name == "decompose" else pytest.mark.slow)
    for name, options in OPTIONS.items()
]


def assert_same(source: str, options: Mapping[str, object], outcome: Callable[[str], object]) -> None:
    """The rewrite does what the program does, and a second rewrite changes nothing; what is no program passes."""
    try:
        compile(source, "<drawn>", "exec")
    except SyntaxError:
        return  # a walrus where none may stand, a name bound in a comprehension
    result = rewrite_source(source, **options)  # type: ignore[arg-type]
    assert outcome(result.source) == outcome(source)
    assert not rewrite_source(result.source, **options).changed, "a second rewrite changes it again"  # type: ignore[arg-type]


def call_outcome(source: str, call: str) -> tuple[str, str]:
    """Type and repr of the result of a call, or of the error; the program runs in this process."""
    space: dict[str, object] = {}
    exec(source, space)
    try:
        value = eval(call, space)
    except Exception as error:  # noqa: BLE001 - the error is the outcome
        return type(error).__name__, str(error)
    return type(value).__name__, repr(value)


def assert_same_or_broken(source: str, recipe: str, seen: str, unseen: str) -> None:
    """The rewrite does the same on a call that it has seen; if not on another one, that breaks what it assumes.

    A second rewrite changes nothing.
    """
    made = rewrite_source(source, recipe, calls=[seen], cost=None)
    assert call_outcome(made.source, seen) == call_outcome(source, seen)
    if call_outcome(made.source, unseen) != call_outcome(source, unseen):
        assert AssumptionFilter(source, made.assumes).broken_assumptions([unseen], 5)
    assert rewrite_source(made.source, recipe, calls=[seen], cost=None).source == made.source
