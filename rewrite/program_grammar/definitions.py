"""Productions for nested functions, generators and coroutines. Each is used where it is defined."""

from __future__ import annotations

import ast
import textwrap
from dataclasses import replace

from hypothesis import strategies as st

from rewrite.program_grammar.expressions import arguments
from rewrite.program_grammar.productions import LABEL, VARIABLES_BY_KIND, GrammarScope, expression, indent
from rewrite.program_grammar.statements import block, statement_form, suite, target, value

VARIABLES = [name for names in VARIABLES_BY_KIND.values() for name in names]


def names_in(lines: list[str]) -> set[str]:
    """The names that the lines read or bind, also in nested functions."""
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


def function_scope(scope: GrammarScope, *suspend: str) -> GrammarScope:
    return replace(scope.deeper(), loop=False, extra=(), walrus=True, suspend=frozenset(suspend))


@st.composite
def parameters(draw: st.DrawFn, scope: GrammarScope, body: list[str]) -> tuple[str, list[str]]:
    """A signature for a body and its `nonlocal` statement: each variable is a parameter with a default or nonlocal."""
    used = [name for name in VARIABLES if name in names_in(body)]
    own = [name for name in used if draw(st.booleans())]
    outer = [name for name in used if name not in own]
    signature = []
    for name in own:
        kind = next(kind for kind, names in VARIABLES_BY_KIND.items() if name in names)
        signature.append(f"{name}={value(draw, kind, scope)}")
    return ", ".join(signature), [f"nonlocal {', '.join(outer)}"] if outer else []


@statement_form("def")
def nested_function(draw: st.DrawFn, scope: GrammarScope) -> list[str]:
    """Decorators and defaults are evaluated before the call; the body may return early."""
    inner = function_scope(scope)
    body = draw(block(inner, 2)) + ([f"return {value(draw, 'int', inner)}"] if draw(st.booleans()) else [])
    signature, outer = draw(parameters(scope, body))
    decorators = ["@deco(§)"] * draw(st.integers(0, 2))
    star = ", " if signature else ""
    header = f"def inner({signature}{star}*rest, **options):"
    return [*decorators, header, *indent(outer + body), f"inner({draw(arguments(scope.closed()))})"]


@statement_form("parameters")
def function_with_every_kind_of_parameter(draw: st.DrawFn, scope: GrammarScope) -> list[str]:
    """Defaults are evaluated from left to right at definition, then annotations; arguments at the call."""
    defaults = [value(draw, "int", scope) for _ in range(3)]
    inner = replace(function_scope(scope), names=(("int", ("a", "b")),))
    header = f"def every(a: t(§, int), /, b={defaults[0]}, *, c: t(§, 'c') = {defaults[1]}, **k) -> t(§, None):"
    call = f"every({value(draw, 'int', scope)}, c={defaults[2]}, **{draw(expression('dict', scope)).at(6)})"
    return [header, f"    return {value(draw, 'int', inner)}, c, k", draw(st.sampled_from([call, f"h(*{call}[:2])"]))]


@statement_form("closure")
def counter_two_functions_deep(draw: st.DrawFn, scope: GrammarScope) -> list[str]:
    """A variable of one function that a nested function rebinds and a third one reads."""
    inner = replace(function_scope(scope), names=(), walrus=False)
    lines = ["def counter():", f"    count = {value(draw, 'int', inner)}", "    def step(by=t(§, 1)):"]
    lines += ["        nonlocal count", f"        count += by * ({value(draw, 'int', inner)})", "        return count"]
    lines += ["    return step, lambda: t(§, count)", "step, read = counter()"]
    return [*lines, f"{draw(target(scope))} = step() + step({value(draw, 'int', scope)}) * read()"]


@statement_form("global")
def function_that_rebinds_a_global(draw: st.DrawFn, scope: GrammarScope) -> list[str]:
    operation = draw(st.sampled_from(["n = {}", "n += {}", "n, *_ = {}, bump(§)", "t(§, n := {})"]))
    new = value(draw, "int", replace(function_scope(scope), names=(), walrus=False))
    body = ["global n", operation.format(new), "return n"]
    use = value(draw, "int", scope)
    return ["def rebind():", *indent(body), f"{draw(target(scope))} = n + rebind() * ({use})"]


@statement_form("yield")
def generator(draw: st.DrawFn, scope: GrammarScope) -> list[str]:
    inner = function_scope(scope, "yield")
    body = [*draw(block(inner, 2)), f"yield {value(draw, 'any', inner)}"]
    signature, outer = draw(parameters(scope, body))
    use = draw(st.sampled_from(["drain(g())", "a, *p = g()", "next(g(), None)", "p = [*map(str, g())]", "g()"]))
    return [f"def g({signature}):", *indent(outer + body), use]


@statement_form("generator protocol")
def generator_that_is_sent_to_and_thrown_into(draw: st.DrawFn, scope: GrammarScope) -> list[str]:
    """`poke` calls next, send, throw and close; `yield from` delegates all of them and has a value."""
    inner = replace(function_scope(scope, "yield"), names=(), walrus=False)
    body = ["got = None", "try:", f"    got = yield {value(draw, 'int', inner)}"]
    body += [f"    yield t(§, got), {value(draw, 'int', inner)}"]
    body += ["except ValueError as error:", "    yield t(§, str(error))", "finally:", "    t(§, got)", "return t(§, 7)"]
    outer = ["def outer():", "    result = yield from g()", f"    yield t(§, result) + ({value(draw, 'int', inner)})"]
    use = draw(st.sampled_from(["poke(g())", "poke(outer())", "drain(outer())", "[*outer()]"]))
    return ["def g():", *indent(body), *outer, use]


@statement_form("async generator")
def asynchronous_generator(draw: st.DrawFn, scope: GrammarScope) -> list[str]:
    inner = replace(function_scope(scope), names=(), walrus=False)
    lines = ["async def steps():", "    for i in it(§, 2):"]
    lines += [f"        yield await aw(§, i + ({value(draw, 'int', inner)}))"]
    lines += ["async def total():", "    found = {i: t(§, i) async for i in steps() if await aw(§, i)}"]
    lines += [f"    async for k in steps(): found[k] = {value(draw, 'int', inner)}", "    return sum(found.values())"]
    return [*lines, f"{draw(target(scope))} = drive(total())"]


@statement_form("async")
def coroutine(draw: st.DrawFn, scope: GrammarScope) -> list[str]:
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
def recursive_function(draw: st.DrawFn, scope: GrammarScope) -> list[str]:
    """Recursion with live temporaries on every level; `go` terminates it."""
    inner = replace(function_scope(scope), names=(("int", ("k",)),), walrus=False)
    left, right = value(draw, "int", inner), value(draw, "int", inner)
    combined = draw(st.sampled_from(["t(§, k) + rec(k - 1) * {}", "rec({}) - t(§, k)", "h(rec(k), k, *it(§, {}))"]))
    body = ["if go(§) and k < 99:", f"    return {combined.format(f'({left})')}", f"return {right}"]
    return ["def rec(k):", *indent(body), f"{draw(target(scope))} = rec({value(draw, 'int', scope)})"]
