"""What the tests on drawn programs share: the options they try, and the comparison of a program with its rewrite."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

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
