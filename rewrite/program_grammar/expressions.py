"""Productions for operators, calls, attributes, `yield` and `await`; others are in `containers` and `strings`.

If two operands could both contain the same variable, which would double its size, all but one are closed scopes.
"""

from __future__ import annotations

from hypothesis import strategies as st

from rewrite.program_grammar.productions import GeneratedExpression, GrammarScope, expression, form, logged

SMALL = st.integers(0, 5)
INDEX = st.sampled_from([0, -1, 1])
WORDS = st.sampled_from(["a", "b", "ab", ""])
LEAVES: dict[str, st.SearchStrategy[object]] = {
    "int": SMALL | st.integers(-9, 9),
    "bool": st.booleans(),
    "str": WORDS | st.text("aBx, é", max_size=5),
    "list": st.lists(SMALL, max_size=3),
    "dict": st.dictionaries(WORDS, SMALL, max_size=2),
    "any": st.sampled_from([None, (1, "a"), 1.5, True, b"ab", 2j, frozenset(), ...]),
}
ARITHMETIC = {"+": 10, "-": 10, "*": 11, "//": 11, "%": 11, "&": 8, "|": 6, "^": 7}
COMPARISONS = ["<", "<=", ">", ">=", "==", "!="]


def leaf(kind: str) -> None:
    @form("leaf", kind)
    def literal(draw: st.DrawFn, scope: GrammarScope) -> GeneratedExpression:
        text = repr(draw(LEAVES[kind]))
        return GeneratedExpression(text, 12 if text.startswith("-") else 15)

    @form("leaf", kind)
    def logged_value(draw: st.DrawFn, scope: GrammarScope) -> GeneratedExpression:
        return GeneratedExpression(logged(draw(LEAVES[kind])))

    @form("variable", kind)
    def variable(draw: st.DrawFn, scope: GrammarScope) -> GeneratedExpression:
        names = scope.readable(kind)
        return GeneratedExpression(draw(st.sampled_from(names)) if names else logged(draw(LEAVES[kind])))


for _kind in LEAVES:
    leaf(_kind)


@form("call", "int")
def global_and_the_call_that_changes_it(draw: st.DrawFn, scope: GrammarScope) -> GeneratedExpression:
    return GeneratedExpression(draw(st.sampled_from(["n", "bump(§)"])))


@form("binary", "int")
def binary(draw: st.DrawFn, scope: GrammarScope) -> GeneratedExpression:
    operator, level = draw(st.sampled_from(sorted(ARITHMETIC.items(), key=lambda item: item[0] != "+")))
    left = draw(expression("int", scope))
    right = draw(expression("int", scope.closed("int") if operator == "*" else scope))
    return GeneratedExpression(f"{left.at(level)} {operator} {right.at(level + 1)}", level)


@form("binary", "int")
def power_or_shift(draw: st.DrawFn, scope: GrammarScope) -> GeneratedExpression:
    if draw(st.booleans()):
        return GeneratedExpression(f"{draw(expression('int', scope)).at(9)} << {logged(draw(INDEX))}", 9)
    return GeneratedExpression(f"{logged(draw(SMALL))} ** {logged(draw(st.integers(0, 3)))}", 13)


@form("unary", "int")
def unary(draw: st.DrawFn, scope: GrammarScope) -> GeneratedExpression:
    return GeneratedExpression(draw(st.sampled_from("-+~")) + draw(expression("int", scope)).at(12), 12)


@form("comparison", "bool")
def comparison(draw: st.DrawFn, scope: GrammarScope) -> GeneratedExpression:
    """Chains of up to three comparisons; each operand is evaluated at most once, and only while the chain is true."""
    text = draw(expression("int", scope)).at(6)
    for _ in range(draw(st.integers(1, 3))):
        text += f" {draw(st.sampled_from(COMPARISONS))} {draw(expression('int', scope)).at(6)}"
    return GeneratedExpression(text, 5)


@form("comparison", "bool")
def membership(draw: st.DrawFn, scope: GrammarScope) -> GeneratedExpression:
    item, container = draw(expression("int", scope)), draw(expression("list", scope))
    return GeneratedExpression(f"{item.at(6)} {draw(st.sampled_from(['in', 'not in']))} {container.at(6)}", 5)


@form("comparison", "bool")
def identity(draw: st.DrawFn, scope: GrammarScope) -> GeneratedExpression:
    # Only for names and calls: `is` with a literal is a SyntaxWarning.
    operands = [draw(st.sampled_from(["o", "t(§, o)", "t(§, None)"])) for _ in range(draw(st.integers(2, 3)))]
    return GeneratedExpression(draw(st.sampled_from([" is ", " is not "])).join(operands), 5)


@form("boolean", "bool", "int", "any")
def and_or(draw: st.DrawFn, scope: GrammarScope) -> GeneratedExpression:
    operator, level = draw(st.sampled_from([("and", 3), ("or", 2)]))
    kind = draw(st.sampled_from(["int", "bool"]))
    operands = draw(st.lists(expression(kind, scope), min_size=2, max_size=3))
    return GeneratedExpression(f" {operator} ".join(operand.at(level + 1) for operand in operands), level)


@form("boolean", "bool")
def negation(draw: st.DrawFn, scope: GrammarScope) -> GeneratedExpression:
    return GeneratedExpression(f"not {draw(expression('any', scope)).at(4)}", 4)


def conditional(kind: str) -> None:
    @form("conditional", kind)
    def ternary(draw: st.DrawFn, scope: GrammarScope) -> GeneratedExpression:
        first, test = draw(expression(kind, scope)), draw(expression("bool", scope))
        second = draw(expression(kind, scope))
        return GeneratedExpression(f"{first.at(2)} if {test.at(2)} else {second.at(1)}", 1)


for _kind in ("int", "str", "list", "any"):
    conditional(_kind)


@form("walrus", "int")
def walrus(draw: st.DrawFn, scope: GrammarScope) -> GeneratedExpression:
    value = draw(expression("int", scope))
    if not scope.walrus:
        return value
    return GeneratedExpression(f"({draw(st.sampled_from(['a', 'b']))} := {value.at(1)})")


@form("raise", "int")
def failing_operand(draw: st.DrawFn, scope: GrammarScope) -> GeneratedExpression:
    """A StopIteration that leaves a generator or coroutine becomes a RuntimeError; a comprehension passes it on."""
    return GeneratedExpression(draw(st.sampled_from(["fail(§)", "fail(§)", "stop(§)"])))


@form("call", "int")
def builtin_call(draw: st.DrawFn, scope: GrammarScope) -> GeneratedExpression:
    kind = draw(st.sampled_from(["str", "list", "dict"]))
    return GeneratedExpression(f"len({draw(expression(kind, scope)).at(1)})")


@st.composite
def arguments(draw: st.DrawFn, scope: GrammarScope) -> str:
    """Positional, starred, keyword and double-starred arguments in every legal order."""
    parts: list[str] = []
    latest = "positional"
    order = ["positional", "star", "keyword", "double"]
    for number, wanted in enumerate(draw(st.lists(st.sampled_from(order), max_size=4))):
        kind = {"positional": "keyword", "star": "double"}.get(wanted, wanted) if latest == "double" else wanted
        if kind == "positional" and latest != "positional":
            kind = "keyword"
        if kind == "positional":
            parts.append(draw(expression("int", scope)).at(1))
        elif kind == "star":
            parts.append(f"*{draw(expression('iterable', scope)).at(6)}")
        elif kind == "keyword":
            parts.append(f"k{number}={draw(expression('int', scope)).at(1)}")
        else:
            parts.append(f"**{draw(expression('dict', scope)).at(6)}")
        # After `*x` a positional argument is still legal; after `k=x` only keywords and stars; after `**x` no star.
        latest = kind if kind in ("keyword", "double") and latest != "double" else latest
    return ", ".join(parts)


@form("call", "int")
def call(draw: st.DrawFn, scope: GrammarScope) -> GeneratedExpression:
    return GeneratedExpression(f"h({draw(arguments(scope))})")


@form("attribute", "int")
def attribute_or_method(draw: st.DrawFn, scope: GrammarScope) -> GeneratedExpression:
    owner = draw(st.sampled_from(["o", "t(§, o)"]))
    return GeneratedExpression(f"{owner}.x" if draw(st.booleans()) else f"{owner}.m({draw(arguments(scope))})")


@form("attribute", "bool")
def operation_on_an_object(draw: st.DrawFn, scope: GrammarScope) -> GeneratedExpression:
    templates = ["o + {}", "o < {} < 9", "{} in o", "o[{}]", "o @ {}", "-o", "o({})", "o[{}:, t(§, 1)]"]
    template, operand = draw(st.sampled_from(templates)), draw(expression("int", scope))
    return GeneratedExpression(f"({template.format(operand.at(12))})")


@form("lambda", "int")
def immediate_lambda(draw: st.DrawFn, scope: GrammarScope) -> GeneratedExpression:
    default = draw(expression("int", scope)).at(1)
    body = draw(expression("int", scope.comprehension())).at(1)
    return GeneratedExpression(f"(lambda a, b={default}: {body})({draw(expression('int', scope)).at(1)})")


@form("lambda", "int")
def lambda_with_every_kind_of_parameter(draw: st.DrawFn, scope: GrammarScope) -> GeneratedExpression:
    default, body = draw(expression("int", scope)).at(1), draw(expression("int", scope.comprehension())).at(1)
    # Only calls that match: the error for a wrong call contains `<lambda>`, which a rewrite to a function changes.
    first, rest, third = (draw(expression(kind, scope)).at(6) for kind in ("int", "iterable", "int"))
    calls = [f"{first}, *{rest}, c={third}", f"b={first}, c={third}", f"*{rest}, **{{'d': {third}}}"]
    call = draw(st.sampled_from(calls))
    return GeneratedExpression(f"(lambda *a, b={default}, **k: len(a) + len(k) + {body})({call})")


@form("yield", "int", "any")
def yielded(draw: st.DrawFn, scope: GrammarScope) -> GeneratedExpression:
    keyword, kind = draw(st.sampled_from([("yield", "int"), ("yield", "any"), ("yield from", "iterable")]))
    return GeneratedExpression(f"({keyword} {draw(expression(kind, scope)).at(1)})")


@form("await", "int", "any")
def awaited(draw: st.DrawFn, scope: GrammarScope) -> GeneratedExpression:
    return GeneratedExpression(f"await aw(§, {draw(expression('int', scope)).at(1)})", 14)
