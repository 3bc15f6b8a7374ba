"""Productions for simple statements and branches: assignment of every kind, del, assert, raise, if, with.

A statement is a list of lines without indentation. Loops, exits, patterns, functions and classes have their own
modules.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from hypothesis import strategies as st

from rewrite.program_grammar.containers import items
from rewrite.program_grammar.expressions import INDEX
from rewrite.program_grammar.productions import VARIABLES_BY_KIND, GrammarScope, expression, indent, logged

StatementForm = Callable[[st.DrawFn, GrammarScope], list[str]]
STATEMENTS: list[tuple[str, StatementForm]] = []
S = TypeVar("S", bound=StatementForm)


def statement_form(feature: str) -> Callable[[S], S]:
    """Register a production that requires `feature`. Compound statements (`block`) are not drawn at depth 0."""

    def register(function: S) -> S:
        STATEMENTS.append((feature, function))
        return function

    return register


SIMPLE = frozenset({"expression", "assign", "augmented", "delete", "assert", "jump", "raise"})


@st.composite
def statement(draw: st.DrawFn, scope: GrammarScope) -> list[str]:
    """One statement; a simple one at depth 0."""
    allowed = [
        production
        for feature, production in STATEMENTS
        if scope.allows(feature) and (scope.depth > 0 or feature in SIMPLE) and (scope.loop or feature != "jump")
    ]
    lines = draw(st.sampled_from(allowed))(draw, scope)
    if scope.allows("comment") and draw(st.integers(0, 9)) == 9:
        lines = [*lines[:-1], lines[-1] + "  # kept"]
    return lines


@st.composite
def block(draw: st.DrawFn, scope: GrammarScope, size: int = 3) -> list[str]:
    """One to `size` statements, not indented."""
    nested = draw(st.lists(statement(scope), min_size=1, max_size=size))
    return [line for lines in nested for line in lines]


@st.composite
def suite(draw: st.DrawFn, scope: GrammarScope) -> list[str]:
    """The indented body of a compound statement."""
    return indent(draw(block(scope.deeper(), 2)))


def value(draw: st.DrawFn, kind: str, scope: GrammarScope) -> str:
    return draw(expression(kind, scope)).at(1)


@statement_form("expression")
def evaluated(draw: st.DrawFn, scope: GrammarScope) -> list[str]:
    return [value(draw, draw(st.sampled_from(["int", "any"])), scope)]


@statement_form("assign")
def assignment(draw: st.DrawFn, scope: GrammarScope) -> list[str]:
    kind = draw(st.sampled_from(["int", "str", "list"]))
    name = draw(st.sampled_from(VARIABLES_BY_KIND[kind]))
    return [f"{name} = {value(draw, kind, scope)}"]


@statement_form("assign")
def annotated_assignment(draw: st.DrawFn, scope: GrammarScope) -> list[str]:
    """The annotation of an attribute is evaluated, that of a local variable is not. Nothing reads `z`."""
    return [f"{draw(st.sampled_from(['z', 'o.x']))}: t(§, int) = {value(draw, 'int', scope)}"]


@st.composite
def target(draw: st.DrawFn, scope: GrammarScope) -> str:
    """An assignment target for an int, with operands that are evaluated."""
    simple = ["a", "b", "o.x", "t(§, o).x"]
    index = value(draw, "int", scope) if draw(st.booleans()) else logged(draw(INDEX))
    key = value(draw, "str", scope.closed())
    return draw(st.sampled_from([*simple, f"p[{index}]", f"d[{key}]", f"o[{index}]", f"t(§, q)[{index}]"]))


@statement_form("assign")
def assignment_to_targets(draw: st.DrawFn, scope: GrammarScope) -> list[str]:
    """The value is evaluated first, then every target from left to right."""
    targets = draw(st.lists(target(scope), min_size=1, max_size=3))
    shape = draw(st.sampled_from(["chain", "unpack", "star"]))
    if shape == "chain" or len(targets) == 1:
        return [" = ".join([*targets, value(draw, "int", scope)])]
    if shape == "star":
        return [f"{targets[0]}, *{draw(st.sampled_from(['p', 'q']))} = {value(draw, 'list', scope.closed())}"]
    return [f"{', '.join(targets)} = {', '.join(value(draw, 'int', scope) for _ in targets)}"]


@statement_form("star")
def starred_without_a_display(draw: st.DrawFn, scope: GrammarScope) -> list[str]:
    """A starred tuple without parentheses, wherever that is legal."""
    first, rest = value(draw, "int", scope), draw(expression("iterable", scope)).at(6)
    shape = draw(st.sampled_from(["a, *p = {0}, *{1}", "p[0:0] = *{1}, {0}", "o[{0}, *{1}]", "*p, a = {0}, *{1}"]))
    return [shape.format(first, rest)]


@statement_form("assign")
def slice_assignment(draw: st.DrawFn, scope: GrammarScope) -> list[str]:
    bounds = [value(draw, "int", scope) if draw(st.booleans()) else "" for _ in range(2)]
    return [f"p[{bounds[0]}:{bounds[1]}] = {value(draw, 'list', scope.closed())}"]


@statement_form("augmented")
def augmented(draw: st.DrawFn, scope: GrammarScope) -> list[str]:
    """Augmented assignment evaluates container and index, reads, evaluates the value, then writes."""
    if draw(st.booleans()):
        kind = draw(st.sampled_from(["list", "str"]))
        return [f"{draw(st.sampled_from(VARIABLES_BY_KIND[kind]))} += {value(draw, kind, scope.closed())}"]
    operator = draw(st.sampled_from(["+=", "-=", "|=", "%="]))
    return [f"{draw(target(scope))} {operator} {value(draw, 'int', scope)}"]


@statement_form("delete")
def deletion(draw: st.DrawFn, scope: GrammarScope) -> list[str]:
    targets = draw(st.lists(target(scope), min_size=1, max_size=2))
    return [f"del {', '.join(targets)}"]


@statement_form("delete")
def deletion_of_a_name(draw: st.DrawFn, scope: GrammarScope) -> list[str]:
    """Nothing reads `z`; its value is destroyed here."""
    return [f"z = {value(draw, 'any', scope)}", "del (z,)"]


@statement_form("assert")
def assertion(draw: st.DrawFn, scope: GrammarScope) -> list[str]:
    message = f", {value(draw, 'str', scope)}" if draw(st.booleans()) else ""
    return [f"assert {value(draw, 'bool', scope)}{message}"]


@statement_form("raise")
def raising(draw: st.DrawFn, scope: GrammarScope) -> list[str]:
    cause = f" from {draw(st.sampled_from(['None', 't(§, KeyError(1))']))}" if draw(st.booleans()) else ""
    return [f"raise ValueError({draw(items(scope.closed()))}){cause}"]


@statement_form("jump")
def jump(draw: st.DrawFn, scope: GrammarScope) -> list[str]:
    word = draw(st.sampled_from(["break", "continue"]))
    return [word] if draw(st.booleans()) else [f"if {value(draw, 'bool', scope)}: {word}"]


@statement_form("if")
def branch(draw: st.DrawFn, scope: GrammarScope) -> list[str]:
    lines = [f"if {value(draw, 'bool', scope)}:", *draw(suite(scope))]
    for _ in range(draw(st.integers(0, 2))):
        lines += [f"elif {value(draw, 'bool', scope)}:", *draw(suite(scope))]
    return [*lines, "else:", *draw(suite(scope))] if draw(st.booleans()) else lines


@statement_form("one-line suite")
def one_line_suite(draw: st.DrawFn, scope: GrammarScope) -> list[str]:
    simple = replace(scope, depth=0, features=scope.features - {"jump", "comment"})
    statements = "; ".join(draw(block(simple, 2)))
    return [f"if {value(draw, 'bool', scope)}: {statements}"] if draw(st.booleans()) else [statements]


@statement_form("with")
def with_statement(draw: st.DrawFn, scope: GrammarScope) -> list[str]:
    """The first manager is entered before the second one is created; one of them may suppress exceptions."""
    managers = []
    for _ in range(draw(st.integers(1, 2))):
        swallow = f", {value(draw, 'bool', scope)}" if draw(st.booleans()) else ""
        name = f" as {draw(target(scope))}" if draw(st.booleans()) else ""
        managers.append(f"cm(§{swallow}){name}")
    inside = ", ".join(managers)
    header = f"with ({inside}):" if draw(st.booleans()) else f"with {inside}:"
    return [header, *draw(suite(scope))]
