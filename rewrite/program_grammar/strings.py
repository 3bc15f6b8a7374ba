"""Productions for strings: methods with one-character and longer targets, slices, joins, formatting, f-strings."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st

from rewrite.program_grammar.expressions import INDEX, WORDS
from rewrite.program_grammar.productions import GeneratedExpression, GrammarScope, expression, form, logged

SEARCHES = ["find", "count", "index", "rfind", "rindex", "startswith"]
SHAPERS = ["upper()", "strip()", "title()", "swapcase()", "zfill(4)", "lstrip('a')"]


@st.composite
def target(draw: st.DrawFn, scope: GrammarScope, level: int = 1) -> str:
    """A search target: mostly a literal of one character, which interventions on strings replace.

    `level` is the precedence that its place needs; by default that of an argument.
    """
    return draw(st.sampled_from(["'a'", "'b'", "','"]) | expression("str", scope.closed()).map(lambda e: e.at(level)))


@form("string method", "int")
def search(draw: st.DrawFn, scope: GrammarScope) -> GeneratedExpression:
    bounds = "".join(f", {draw(expression('int', scope)).at(1)}" for _ in range(draw(st.integers(0, 2))))
    owner = draw(expression("str", scope)).at(15)
    return GeneratedExpression(f"{owner}.{draw(st.sampled_from(SEARCHES))}({draw(target(scope))}{bounds})")


@form("string method", "bool")
def contains(draw: st.DrawFn, scope: GrammarScope) -> GeneratedExpression:
    owner = draw(expression("str", scope)).at(6)
    return GeneratedExpression(f"{draw(target(scope, 6))} {draw(st.sampled_from(['in', 'not in']))} {owner}", 5)


@form("string method", "str")
def replaced(draw: st.DrawFn, scope: GrammarScope) -> GeneratedExpression:
    count = f", {draw(expression('int', scope)).at(1)}" if draw(st.booleans()) else ""
    owner = draw(expression("str", scope)).at(15)
    # The target is closed and the new string is short: replacing must not multiply a variable by itself.
    return GeneratedExpression(f"{owner}.replace({draw(target(scope))}, {logged(draw(WORDS))}{count})")


@form("string method", "str")
def shaped(draw: st.DrawFn, scope: GrammarScope) -> GeneratedExpression:
    return GeneratedExpression(f"{draw(expression('str', scope)).at(15)}.{draw(st.sampled_from(SHAPERS))}")


@form("string method", "str")
def joined(draw: st.DrawFn, scope: GrammarScope) -> GeneratedExpression:
    return GeneratedExpression(f"{logged(draw(WORDS))}.join(map(str, {draw(expression('iterable', scope)).at(1)}))")


@form("string method", "any")
def split(draw: st.DrawFn, scope: GrammarScope) -> GeneratedExpression:
    method = draw(st.sampled_from(["split", "partition", "rsplit"]))
    return GeneratedExpression(f"{draw(expression('str', scope)).at(15)}.{method}({draw(target(scope))})")


@form("binary", "str")
def concatenation(draw: st.DrawFn, scope: GrammarScope) -> GeneratedExpression:
    left, right = draw(expression("str", scope)), draw(expression("str", scope.closed()))
    return GeneratedExpression(f"{left.at(10)} + {right.at(11)}", 10)


@form("binary", "str")
def repetition(draw: st.DrawFn, scope: GrammarScope) -> GeneratedExpression:
    return GeneratedExpression(f"{draw(expression('str', scope.closed())).at(11)} * {logged(draw(INDEX))}", 11)


@form("subscript", "str")
def character(draw: st.DrawFn, scope: GrammarScope) -> GeneratedExpression:
    return GeneratedExpression(f"{draw(expression('str', scope)).at(15)}[{logged(draw(INDEX))}]")


@form("slice", "str")
def part(draw: st.DrawFn, scope: GrammarScope) -> GeneratedExpression:
    bounds = [draw(expression("int", scope)).at(1) if draw(st.booleans()) else "" for _ in range(2)]
    return GeneratedExpression(f"{draw(expression('str', scope)).at(15)}[{bounds[0]}:{bounds[1]}]")


@form("call", "str")
def text_of(draw: st.DrawFn, scope: GrammarScope) -> GeneratedExpression:
    return GeneratedExpression(f"str({draw(expression('int', scope)).at(1)})")


@form("f-string", "str")
def f_string(draw: st.DrawFn, scope: GrammarScope) -> GeneratedExpression:
    """Value, conversion and format of each field are evaluated in order; `{x=}` prints its own source."""
    if not scope.fstring:
        return GeneratedExpression(logged(draw(WORDS)))
    text = ""
    for number in range(draw(st.integers(1, 3))):
        place = replace(scope.closed() if number else scope.closed("list", "dict"), fstring=False)
        inside = draw(expression(draw(st.sampled_from(["int", "any"])), place)).at(2)
        inside = f" {inside}" if inside.startswith("{") else inside
        suffix = draw(st.sampled_from(["", "!r", ":>4", "=", ":{t(§, 3)}"]))
        if suffix in ("", ":>4", ":{t(§, 3)}") and draw(st.booleans()):
            inside = draw(st.sampled_from(["o", inside]))  # which has a format of its own
        text += draw(st.sampled_from(["", "-"])) + f"{{{inside}{suffix}}}"
    return GeneratedExpression(f'f"{text}"')
