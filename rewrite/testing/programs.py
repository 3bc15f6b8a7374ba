"""Property-based testing of interventions: Hypothesis strategies for whole programs, and an equivalence assertion.

    from hypothesis import given
    from rewrite import rewrite_source
    from rewrite.testing import assert_equivalent, programs

    @given(programs())
    def test_the_rewrite_is_the_same_program(program):
        after = rewrite_source(program.source, "expressions").source
        assert_equivalent(program.source, after, calls=program.calls)

The generated programs terminate, are deterministic, and log in a module global `LOG` which operands were evaluated and
in which order. They often raise on purpose: a rewrite must fail at the same place with the same message. The grammar is
`rewrite.program_grammar`; equivalence is defined in `rewrite.equivalence.check`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

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
from rewrite.program_grammar.generated_program import Program
from rewrite.program_grammar.prelude import prelude
from rewrite.program_grammar.productions import FORMS, KINDS, LABEL, VARIABLES_BY_KIND, GrammarScope, expression, indent

ALWAYS = frozenset({"leaf", "variable"})
MODULE_FEATURES = ("module level", "star import", "main block")
EXPRESSION_FEATURES = frozenset({feature for kind in KINDS for feature, _ in FORMS[kind]} | {"unpacking"}) - ALWAYS
STATEMENT_FEATURES = frozenset({feature for feature, _ in statements.STATEMENTS} | {"comment", *MODULE_FEATURES})
FEATURES = EXPRESSION_FEATURES | STATEMENT_FEATURES
"""Every part of the language that can be drawn, by name: pass a subset as `features`."""


def expressions(
    kind: str = "any", *, depth: int = 3, features: Iterable[str] = EXPRESSION_FEATURES
) -> st.SearchStrategy[str]:
    """Return a strategy for the source of expressions, to be completed by `program_of`.

    Args:
        kind: "int", "bool", "str", "list", "dict", "iterable" or "any".
        depth: maximum nesting.
        features: parts of the language to use, names from `FEATURES`.

    Raises:
        ValueError: for an unknown kind or feature.
    """
    if kind not in KINDS:
        raise ValueError(f"no such kind: {kind!r} (there are {', '.join(KINDS)})")
    return expression(kind, GrammarScope(validated_features(features), depth)).map(lambda drawn: drawn.text)


def programs(*, depth: int = 2, size: int = 3, features: Iterable[str] = FEATURES) -> st.SearchStrategy[Program]:
    """Return a strategy for well-formed, terminating programs with an entry function `f` and up to three calls to it.

    Args:
        depth: maximum nesting of statements and expressions.
        size: maximum number of statements in `f`.
        features: parts of the language to use, names from `FEATURES`.

    Raises:
        ValueError: for an unknown feature.
    """
    return _programs(GrammarScope(validated_features(features), depth), size)


@st.composite
def _programs(draw: st.DrawFn, scope: GrammarScope, size: int) -> Program:
    is_generator = scope.allows("yield") and draw(st.integers(0, 5)) == 5
    inner = replace(scope, suspend=frozenset({"yield"})) if is_generator else scope
    body = draw(statements.block(inner, size))
    if is_generator:
        body.append(f"yield {draw(expression('any', inner)).at(1)}")
    if draw(st.booleans()):
        starred = scope.allows("star") and draw(st.integers(0, 3)) == 3
        body.append(f"return {'*it(§, 2), ' if starred else ''}{draw(expression('any', inner)).at(1)}")
    used = [name for name in VARIABLES if name in names_in(body)]
    outside = replace(scope, names=(), walrus=False)
    module = []
    if scope.allows("star import") and draw(st.integers(0, 5)) == 5:
        module += [draw(st.sampled_from(["from os.path import *", "from string import *", "from builtins import *"]))]
    if scope.allows("module level") and draw(st.integers(0, 5)) == 5:
        module += [f"k = {draw(expression('int', outside)).at(1)}", ""]
    ending = []
    if scope.allows("main block") and draw(st.integers(0, 5)) == 5:
        ending = ["if __name__ == '__main__':", f"    k = {draw(expression('int', outside)).at(1)}"]
        ending += ["else:", "    k = t(§, __name__ == '__main__')"]
    calls = draw(st.lists(_call(used, is_generator), min_size=1, max_size=3, unique=True))
    return assemble_program(body, calls, module, used, ending)


@st.composite
def _call(draw: st.DrawFn, parameters: list[str], is_generator: bool) -> str:
    kinds = [next(kind for kind, names in VARIABLES_BY_KIND.items() if name in names) for name in parameters]
    call = f"f({', '.join(repr(draw(LEAVES[kind])) for kind in kinds)})"
    return f"drain({call})" if is_generator and draw(st.booleans()) else call


def program_of(expression: str, calls: Iterable[str] = ()) -> Program:
    """Return the program whose `f` returns an expression from `expressions()`; its variables become parameters.

    Args:
        expression: the source of the expression.
        calls: calls to `f` (default: one call with simple arguments).
    """
    body = [f"return {expression}"]
    used = [name for name in VARIABLES if name in names_in(body)]
    samples = {"int": "1", "str": "'ab'", "list": "[1, 2]", "dict": "{'a': 1}"}
    arguments = [next(samples[kind] for kind, names in VARIABLES_BY_KIND.items() if name in names) for name in used]
    return assemble_program(body, list(calls) or [f"f({', '.join(arguments)})"], [], used)


def assemble_program(
    body: list[str], calls: list[str], module: list[str], parameters: list[str], ending: Sequence[str] = ()
) -> Program:
    """Assemble a program: used helpers, module-level lines, `f` and lines after it; operands are numbered in order."""
    whole = names_in(body) | names_in([line for line in module if not line.startswith("from ")]) | names_in([*ending])
    first = (["o = Obj()"] if "o" in whole else []) + module
    text = "\n".join([*first, f"def f({', '.join(parameters)}):", *indent(body), *ending, ""])
    numbers = iter(range(1, text.count(LABEL) + 1))
    text = re.sub(LABEL, lambda match: str(next(numbers)), text)
    used_by_calls = " ".join(calls)
    helpers = prelude(text + used_by_calls + (" Obj()" if "o" in whole else ""))
    return Program(helpers + text, tuple(calls))


def validated_features(features: Iterable[str]) -> frozenset[str]:
    """Return the features as a set.

    Raises:
        ValueError: names the unknown features.
    """
    unknown = sorted(frozenset(features) - FEATURES)
    if unknown:
        raise ValueError(f"no such feature: {', '.join(unknown)} (there are {', '.join(sorted(FEATURES))})")
    return frozenset(features)


def assert_equivalent(before: str, after: str, calls: Sequence[str], *, seconds: float = 5.0) -> None:
    """Run both programs on the calls in the sandbox and assert that they do the same.

    Args:
        before: the original program.
        after: the rewritten program.
        calls: Python expressions that call it.
        seconds: time limit for each call.

    Raises:
        AssertionError: with the first call on which the programs differ, both outcomes and both programs; also if a
            call cannot be compared, such as after a timeout.
        InputError: if a call does not parse.
    """
    verdict = check_equivalence(before, after, calls, examples=0, run_seconds=seconds)
    if not (verdict.agrees or before == after):
        difference = verdict.counterexample or f"# undecided: {verdict.why}"
        raise AssertionError(f"{difference}\n# ---- before ----\n{before}\n# ---- after ----\n{after}")
