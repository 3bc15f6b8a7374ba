"""Productions for lists, dictionaries and sets: items, slices, displays, iterables and comprehensions.

An iterable is never a variable: a loop over a list that the loop body extends would not end.
"""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st

from rewrite.program_grammar.expressions import INDEX
from rewrite.program_grammar.productions import GeneratedExpression, GrammarScope, expression, form, logged


@form("subscript", "int", "any")
def item(draw: st.DrawFn, scope: GrammarScope) -> GeneratedExpression:
    index = logged(draw(INDEX)) if draw(st.booleans()) else draw(expression("int", scope)).at(1)
    return GeneratedExpression(f"{draw(expression('list', scope)).at(15)}[{index}]")


@form("subscript", "int")
def value_of_a_key(draw: st.DrawFn, scope: GrammarScope) -> GeneratedExpression:
    key = draw(expression("str", scope.closed()))
    return GeneratedExpression(f"{draw(expression('dict', scope)).at(15)}[{key.at(1)}]")


@form("call", "int")
def pop(draw: st.DrawFn, scope: GrammarScope) -> GeneratedExpression:
    return GeneratedExpression(f"{draw(expression('list', scope)).at(15)}.pop({logged(draw(INDEX))})")


@form("slice", "list", "any")
def slice_of(draw: st.DrawFn, scope: GrammarScope) -> GeneratedExpression:
    owner = draw(expression("list", scope))
    bounds = [draw(expression("int", scope)).at(1) if draw(st.booleans()) else "" for _ in range(2)]
    step = draw(st.sampled_from(["", ":", ":t(§, -1)"]))
    return GeneratedExpression(f"{owner.at(15)}[{bounds[0]}:{bounds[1]}{step}]")


@st.composite
def items(draw: st.DrawFn, scope: GrammarScope, minimum: int = 0) -> str:
    """The items of a display; only the first item may contain a variable sequence."""
    parts = []
    for number in range(draw(st.integers(minimum, 3))):
        place = scope.closed() if number else scope
        if scope.allows("unpacking") and draw(st.booleans()):
            parts.append(f"*{draw(expression('iterable', place)).at(6)}")
        else:
            parts.append(draw(expression("int", place)).at(1))
    return ", ".join(parts)


@form("display", "list")
def list_display(draw: st.DrawFn, scope: GrammarScope) -> GeneratedExpression:
    return GeneratedExpression(f"[{draw(items(scope))}]")


@form("display", "any")
def tuple_or_set_display(draw: st.DrawFn, scope: GrammarScope) -> GeneratedExpression:
    inside = draw(items(scope, minimum=1))
    return GeneratedExpression(f"({inside},)" if draw(st.booleans()) else f"{{{inside}}}")


@form("display", "dict")
def dict_display(draw: st.DrawFn, scope: GrammarScope) -> GeneratedExpression:
    parts = []
    for number in range(draw(st.integers(0, 3))):
        if number and scope.allows("unpacking") and draw(st.booleans()):
            parts.append(f"**{draw(expression('dict', scope.closed())).at(6)}")
        else:
            key, value = draw(expression("str", scope.closed())), draw(expression("int", scope))
            parts.append(f"{key.at(1)}: {value.at(1)}")
    return GeneratedExpression("{" + ", ".join(parts) + "}")


@form("binary", "list")
def concatenation(draw: st.DrawFn, scope: GrammarScope) -> GeneratedExpression:
    left, right = draw(expression("list", scope)), draw(expression("list", scope.closed()))
    return GeneratedExpression(f"{left.at(10)} + {right.at(11)}", 10)


@form("call", "list")
def built_list(draw: st.DrawFn, scope: GrammarScope) -> GeneratedExpression:
    template = draw(st.sampled_from(["list({})", "sorted({})", "[*map(str, {})]"]))
    return GeneratedExpression(template.format(draw(expression("iterable", scope)).at(1)))


@form("leaf", "iterable")
def logging_iterator(draw: st.DrawFn, scope: GrammarScope) -> GeneratedExpression:
    return GeneratedExpression(f"it(§, {draw(st.integers(0, 3))})")


@form("leaf", "iterable")
def short_range(draw: st.DrawFn, scope: GrammarScope) -> GeneratedExpression:
    return GeneratedExpression(f"range({logged(draw(st.integers(0, 3)))})")


@form("display", "iterable")
def fresh_list(draw: st.DrawFn, scope: GrammarScope) -> GeneratedExpression:
    """A list display, never a variable: a loop over a list that the loop body extends would not end."""
    return draw(expression("list", scope.closed("list")))


@form("slice", "iterable")
def copied_list(draw: st.DrawFn, scope: GrammarScope) -> GeneratedExpression:
    names = scope.readable("list")
    return GeneratedExpression(f"{draw(st.sampled_from(names))}[:]" if names else "()")


@st.composite
def comprehension_clauses(draw: st.DrawFn, scope: GrammarScope) -> tuple[str, GrammarScope]:
    text, inner = "", scope
    for variable in ("i", "j")[: draw(st.integers(1, 2))]:
        iterable = draw(expression("iterable", replace(inner, walrus=False)))
        inner = inner.comprehension(variable)
        text += f" for {variable} in {iterable.at(2)}"
        if draw(st.booleans()):
            text += f" if {draw(expression('bool', inner)).at(2)}"
    return text, inner


SHAPES = {
    "list": ["[{}]"],
    "iterable": ["[{}]", "({})"],
    "any": ["{{{}}}", "({})", "tuple({})", "{{str({}): 1", "{{1: {}"],
}


def comprehension(kind: str) -> None:
    @form("comprehension", kind)
    def comprehension_of_kind(draw: st.DrawFn, scope: GrammarScope) -> GeneratedExpression:
        clauses, inner = draw(comprehension_clauses(scope.closed("list")))
        element = draw(expression("int", inner)).at(1)
        shape = draw(st.sampled_from(SHAPES[kind]))
        if shape.endswith(": 1") or shape.startswith("{{1"):
            return GeneratedExpression(shape.format(element) + clauses + "}")
        return GeneratedExpression(shape.format(element + clauses))


for _kind in SHAPES:
    comprehension(_kind)
