"""Productions for loops.

A `while` test is false when `go` has no fuel left. A `for` loop runs over a short new sequence.
"""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st

from rewrite.program_grammar.productions import GrammarScope, expression
from rewrite.program_grammar.statements import statement_form, suite, target, value

TESTS = ["go(§)", "go(§) and {}", "{} and go(§)", "0 < (a := go(§))", "{} < go(§)", "not (not go(§) or {})"]


def endings(draw: st.DrawFn, scope: GrammarScope) -> list[str]:
    return ["else:", *draw(suite(scope))] if draw(st.booleans()) else []


@statement_form("while")
def while_loop(draw: st.DrawFn, scope: GrammarScope) -> list[str]:
    test = draw(st.sampled_from(TESTS)).format(draw(expression("bool", scope)).at(6))
    body = draw(suite(replace(scope, loop=True)))
    return [f"while {test}:", *body, *endings(draw, scope)]


@statement_form("while")
def endless_loop_with_a_way_out(draw: st.DrawFn, scope: GrammarScope) -> list[str]:
    first = draw(suite(replace(scope, depth=1, loop=False)))
    return ["while True:", *first, "    if not go(§): break", *draw(suite(replace(scope, loop=True)))]


@statement_form("for")
def for_loop(draw: st.DrawFn, scope: GrammarScope) -> list[str]:
    variable = draw(st.sampled_from(["a", "b", "i"]) | target(scope))
    header = f"for {variable} in {draw(expression('iterable', scope)).at(1)}:"
    return [header, *draw(suite(replace(scope, loop=True))), *endings(draw, scope)]


@statement_form("for")
def for_loop_over_pairs(draw: st.DrawFn, scope: GrammarScope) -> list[str]:
    header = draw(st.sampled_from(["for i, b in enumerate({}):", "for (a, b) in zip({0}, it(§, 2)):"]))
    header = header.format(value(draw, "iterable", scope))
    return [header, *draw(suite(replace(scope, loop=True))), *endings(draw, scope)]


@statement_form("star")
def for_loop_over_a_starred_tuple(draw: st.DrawFn, scope: GrammarScope) -> list[str]:
    header = draw(st.sampled_from(["for a in *it(§, 2), {0}:", "for i, *p in [it(§, 2), t(§, ({0}, 2))]:"]))
    header = header.format(value(draw, "int", scope))
    return [header, *draw(suite(replace(scope, loop=True))), *endings(draw, scope)]


@statement_form("for")
def for_loop_over_characters(draw: st.DrawFn, scope: GrammarScope) -> list[str]:
    header = f"for u in {draw(expression('str', scope)).at(1)}:"
    return [header, *draw(suite(replace(scope, loop=True))), *endings(draw, scope)]
