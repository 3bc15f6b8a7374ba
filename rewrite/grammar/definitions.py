"""Productions for nested functions, generators, coroutines and classes, each defined and used in the same place."""

from __future__ import annotations

import ast
import textwrap
from dataclasses import replace

from hypothesis import strategies as st

from rewrite.grammar.expressions import arguments
from rewrite.grammar.statements import block, statement_form, suite, target, value
from rewrite.grammar.text import LABEL, POOL, Scope, expression, indent

VARIABLES = [name for names in POOL.values() for name in names]


def names_in(lines: list[str]) -> set[str]:
    """Every name that the lines read or bind, nested functions included."""
    text = "async def _():\n    pass\n" + textwrap.indent("\n".join(lines).replace(LABEL, "0"), "    ")
    found = {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Nonlocal | ast.Global):
            found.update(node.names)
        if isinstance(node, ast.MatchAs | ast.MatchStar) and node.name:
            found.add(node.name)
        if isinstance(node, ast.MatchMapping) and node.rest:
            found.add(node.rest)
    return found


def function_scope(scope: Scope, *suspend: str) -> Scope:
    return replace(scope.deeper(), loop=False, extra=(), walrus=True, suspend=frozenset(suspend))


@st.composite
def parameters(draw: st.DrawFn, scope: Scope, body: list[str]) -> tuple[str, list[str]]:
    """A signature for a body and the `nonlocal` line it needs: each variable is a parameter with a default or outer."""
    used = [name for name in VARIABLES if name in names_in(body)]
    own = [name for name in used if draw(st.booleans())]
    outer = [name for name in used if name not in own]
    signature = []
    for name in own:
        kind = next(kind for kind, names in POOL.items() if name in names)
        signature.append(f"{name}={value(draw, kind, scope)}")
    return ", ".join(signature), [f"nonlocal {', '.join(outer)}"] if outer else []


@statement_form("def")
def nested_function(draw: st.DrawFn, scope: Scope) -> list[str]:
    """Decorators, then defaults, then the call; the body returns from somewhere inside."""
    inner = function_scope(scope)
    body = draw(block(inner, 2)) + ([f"return {value(draw, 'int', inner)}"] if draw(st.booleans()) else [])
    signature, outer = draw(parameters(scope, body))
    decorators = ["@deco(§)"] * draw(st.integers(0, 2))
    star = ", " if signature else ""
    header = f"def inner({signature}{star}*rest, **options):"
    return [*decorators, header, *indent(outer + body), f"inner({draw(arguments(scope.closed()))})"]


@statement_form("global")
def function_that_rebinds_a_global(draw: st.DrawFn, scope: Scope) -> list[str]:
    operation = draw(st.sampled_from(["n = {}", "n += {}", "n, *_ = {}, bump(§)", "t(§, n := {})"]))
    body = [
        "global n",
        operation.format(value(draw, "int", replace(function_scope(scope), names=(), walrus=False))),
        "return n",
    ]
    use = value(draw, "int", scope)
    return ["def rebind():", *indent(body), f"{draw(target(scope))} = n + rebind() * ({use})"]


@statement_form("yield")
def generator(draw: st.DrawFn, scope: Scope) -> list[str]:
    inner = function_scope(scope, "yield")
    body = [*draw(block(inner, 2)), f"yield {value(draw, 'any', inner)}"]
    signature, outer = draw(parameters(scope, body))
    use = draw(st.sampled_from(["drain(g())", "a, *p = g()", "next(g(), None)", "p = [*map(str, g())]", "g()"]))
    return [f"def g({signature}):", *indent(outer + body), use]


@statement_form("class")
def class_definition(draw: st.DrawFn, scope: Scope) -> list[str]:
    """The body runs once, in order; what it binds becomes attributes, so a temporary in it would be seen."""
    inner = replace(function_scope(scope), names=(), walrus=False)
    fields = [f"{name} = {value(draw, 'int', inner)}" for name in ("x", "__y")[: draw(st.integers(1, 2))]]
    lines = [*["@deco(§)"] * draw(st.integers(0, 1)), f"class C{draw(st.sampled_from(['', '(t(§, object))']))}:"]
    method = draw(suite(replace(function_scope(scope), names=())))
    unbound = [name for name in VARIABLES if name in names_in([line[4:] for line in method])]
    nonlocals = [f"nonlocal {', '.join(unbound)}"] if unbound else []
    lines += indent([*fields, "def m(self):", *indent(nonlocals), *method, "    return self.__dict__, super().__str__"])
    return [*lines, "t(§, sorted(vars(C)))", "C().m()[0]", f"{draw(target(scope))} = C.x"]


@statement_form("async")
def coroutine(draw: st.DrawFn, scope: Scope) -> list[str]:
    inner = function_scope(scope, "await")
    body = draw(block(inner, 2))
    extra = draw(st.sampled_from(["with", "for", "comprehension", "none"]))
    if extra == "with":
        body += ["async with acm(§) as a, acm(§):", *draw(suite(inner))]
    elif extra == "for":
        body += ["async for a in ait(§, 2):", *draw(suite(replace(inner, loop=True)))]
    elif extra == "comprehension":
        element = draw(expression("int", inner.comprehension("i"))).at(1)
        body += [f"p = [{element} async for i in ait(§, 2)]"]
    body += [f"return await aw(§, {value(draw, 'int', inner)})"]
    signature, outer = draw(parameters(scope, body))
    return [f"async def co({signature}):", *indent(outer + body), f"{draw(target(scope))} = drive(co())"]


@statement_form("def")
def recursive_function(draw: st.DrawFn, scope: Scope) -> list[str]:
    """Recursion with temporaries alive on every level; `go` ends it."""
    inner = replace(function_scope(scope), names=(("int", ("k",)),), walrus=False)
    left, right = value(draw, "int", inner), value(draw, "int", inner)
    combined = draw(st.sampled_from(["t(§, k) + rec(k - 1) * {}", "rec({}) - t(§, k)", "h(rec(k), k, *it(§, {}))"]))
    body = ["if go(§) and k < 99:", f"    return {combined.format(f'({left})')}", f"return {right}"]
    return ["def rec(k):", *indent(body), f"{draw(target(scope))} = rec({value(draw, 'int', scope)})"]
