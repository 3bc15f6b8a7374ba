"""Property-testing of interventions: strategies for whole programs, and the assertion that two programs do the same.

    from hypothesis import given
    from rewrite import rewrite_source
    from rewrite.testing import assert_equivalent, programs

    @given(programs())
    def test_the_rewrite_is_the_same_program(program):
        after = rewrite_source(program.source, "expressions").source
        assert_equivalent(program.source, after, calls=program.calls)

Programs drawn here end, are deterministic, and write down in a module global `LOG` which operands were evaluated and
in which order. They often raise, on purpose: a rewrite must fail at the same place with the same text. The grammar
stands in `rewrite.program_grammar`; what "the same" means, in `rewrite.equivalence.check`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from hypothesis import strategies as st

from rewrite.equivalence.check import check_equivalence
from rewrite.program_grammar import (  # noqa: F401 - importing fills the tables of forms
    classes,
    definitions,
    exits,
    literals,
    loops,
    modules,
    patterns,
    statements,
    strings,
)
from rewrite.program_grammar.definitions import VARIABLES, names_in
from rewrite.program_grammar.expressions import LEAVES
from rewrite.program_grammar.prelude import prelude
from rewrite.program_grammar.text import FORMS, KINDS, LABEL, POOL, Scope, expression, indent

ALWAYS = frozenset({"leaf", "variable"})
EXPRESSION_FEATURES = frozenset({feature for kind in KINDS for feature, _ in FORMS[kind]} | {"unpacking"}) - ALWAYS
STATEMENT_FEATURES = frozenset({feature for feature, _ in statements.STATEMENTS} | {"comment", "module level"})
FEATURES = EXPRESSION_FEATURES | STATEMENT_FEATURES
"""Every part of the language that can be drawn, by name: pass a subset as `features`."""


@dataclass(frozen=True)
class Program:
    """A module's source and calls to its entry function `f`, each with literal arguments."""

    source: str
    calls: tuple[str, ...]

    def __repr__(self) -> str:
        return f'Program("""\\\n{self.source}""", calls={self.calls!r})'


def expressions(
    kind: str = "any", *, depth: int = 3, features: Iterable[str] = EXPRESSION_FEATURES
) -> st.SearchStrategy[str]:
    """Source text of expressions, to be completed by `program_of`.

    kind: "int", "bool", "str", "list", "dict", "iterable" or "any". depth: how deep they nest at most.
    features: names from `FEATURES`. Raises ValueError for a kind or feature that there is not.
    """
    if kind not in KINDS:
        raise ValueError(f"no such kind: {kind!r} (there are {', '.join(KINDS)})")
    return expression(kind, Scope(checked(features), depth)).map(lambda drawn: drawn.text)


def programs(*, depth: int = 2, size: int = 3, features: Iterable[str] = FEATURES) -> st.SearchStrategy[Program]:
    """Well-formed, terminating programs with an entry function `f` and up to three calls to it.

    depth: how deep statements and expressions nest at most; size: how many statements `f` has at most.
    features: names from `FEATURES`; the rest of the language is left out. Raises ValueError for an unknown one.
    """
    return _programs(Scope(checked(features), depth), size)


@st.composite
def _programs(draw: st.DrawFn, scope: Scope, size: int) -> Program:
    is_generator = scope.allows("yield") and draw(st.integers(0, 5)) == 5
    inner = replace(scope, suspend=frozenset({"yield"})) if is_generator else scope
    body = draw(statements.block(inner, size))
    if is_generator:
        body.append(f"yield {draw(expression('any', inner)).at(1)}")
    if draw(st.booleans()):
        starred = scope.allows("star") and draw(st.integers(0, 3)) == 3
        body.append(f"return {'*it(§, 2), ' if starred else ''}{draw(expression('any', inner)).at(1)}")
    used = [name for name in VARIABLES if name in names_in(body)]
    module = []
    if scope.allows("module level") and draw(st.integers(0, 5)) == 5:
        module = [f"k = {draw(expression('int', replace(scope, names=(), walrus=False))).at(1)}", ""]
    calls = draw(st.lists(_call(used, is_generator), min_size=1, max_size=3, unique=True))
    return assembled(body, calls, module, used)


@st.composite
def _call(draw: st.DrawFn, parameters: list[str], is_generator: bool) -> str:
    kinds = [next(kind for kind, names in POOL.items() if name in names) for name in parameters]
    call = f"f({', '.join(repr(draw(LEAVES[kind])) for kind in kinds)})"
    return f"drain({call})" if is_generator and draw(st.booleans()) else call


def program_of(expression: str, calls: Iterable[str] = ()) -> Program:
    """The program whose `f` returns an expression from `expressions()`; its variables become parameters.

    calls: calls to `f`; one with simple arguments if none are given.
    """
    body = [f"return {expression}"]
    used = [name for name in VARIABLES if name in names_in(body)]
    samples = {"int": "1", "str": "'ab'", "list": "[1, 2]", "dict": "{'a': 1}"}
    arguments = [next(samples[kind] for kind, names in POOL.items() if name in names) for name in used]
    return assembled(body, list(calls) or [f"f({', '.join(arguments)})"], [], used)


def assembled(body: list[str], calls: list[str], module: list[str], parameters: list[str]) -> Program:
    """A whole program: the helpers in use, module-level lines, `f`; operands numbered in the order of the text."""
    whole = names_in(body) | names_in(module)
    first = (["o = Obj()"] if "o" in whole else []) + module
    text = "\n".join([*first, f"def f({', '.join(parameters)}):", *indent(body), ""])
    numbers = iter(range(1, text.count(LABEL) + 1))
    text = re.sub(LABEL, lambda match: str(next(numbers)), text)
    used_by_calls = " ".join(calls)
    helpers = prelude(text + used_by_calls + (" Obj()" if "o" in whole else ""))
    return Program(helpers + text, tuple(calls))


def checked(features: Iterable[str]) -> frozenset[str]:
    """The features as a set; ValueError names those that do not exist."""
    unknown = sorted(frozenset(features) - FEATURES)
    if unknown:
        raise ValueError(f"no such feature: {', '.join(unknown)} (there are {', '.join(sorted(FEATURES))})")
    return frozenset(features)


def assert_equivalent(before: str, after: str, calls: Sequence[str], *, seconds: float = 5.0) -> None:
    """Run both programs on these calls in the sandbox; AssertionError with the first call on which they differ.

    The error's text holds the call, both outcomes and both programs, to be pasted. A call that cannot be compared (a
    timeout, say) is an AssertionError as well: it says why. Raises InputError where a call does not parse.
    """
    verdict = check_equivalence(before, after, calls, examples=0, seconds=seconds)
    if verdict.equivalent is not True:
        told = verdict.counterexample or f"# undecided: {verdict.why}"
        raise AssertionError(f"{told}\n# ---- before ----\n{before}\n# ---- after ----\n{after}")
