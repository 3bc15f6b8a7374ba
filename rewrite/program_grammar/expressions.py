"""Productions for operators, calls, attributes and suspension; `containers` and `strings` hold the rest.

Where two operands could both hold the same variable and so double its size, all but one are closed.
"""

from __future__ import annotations

from hypothesis import strategies as st

from rewrite.program_grammar.text import Expression, Scope, expression, form, logged

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
    def literal(draw: st.DrawFn, scope: Scope) -> Expression:
        value = draw(LEAVES[kind])
        text = repr(value)
        return Expression(text, 12 if text.startswith("-") else 15)

    @form("leaf", kind)
    def logged_value(draw: st.DrawFn, scope: Scope) -> Expression:
        return Expression(logged(draw(LEAVES[kind])))

    @form("variable", kind)
    def variable(draw: st.DrawFn, scope: Scope) -> Expression:
        names = scope.readable(kind)
        return Expression(draw(st.sampled_from(names)) if names else logged(draw(LEAVES[kind])))


for _kind in LEAVES:
    leaf(_kind)


@form("call", "int")
def global_and_the_call_that_changes_it(draw: st.DrawFn, scope: Scope) -> Expression:
    return Expression(draw(st.sampled_from(["n", "bump(§)"])))


@form("binary", "int")
def binary(draw: st.DrawFn, scope: Scope) -> Expression:
    operator, level = draw(st.sampled_from(sorted(ARITHMETIC.items(), key=lambda item: item[0] != "+")))
    left = draw(expression("int", scope))
    right = draw(expression("int", scope.closed("int") if operator == "*" else scope))
    return Expression(f"{left.at(level)} {operator} {right.at(level + 1)}", level)


@form("binary", "int")
def power_or_shift(draw: st.DrawFn, scope: Scope) -> Expression:
    if draw(st.booleans()):
        return Expression(f"{draw(expression('int', scope)).at(9)} << {logged(draw(INDEX))}", 9)
    return Expression(f"{logged(draw(SMALL))} ** {logged(draw(st.integers(0, 3)))}", 13)


@form("unary", "int")
def unary(draw: st.DrawFn, scope: Scope) -> Expression:
    return Expression(draw(st.sampled_from("-+~")) + draw(expression("int", scope)).at(12), 12)


@form("comparison", "bool")
def comparison(draw: st.DrawFn, scope: Scope) -> Expression:
    """Chains of up to three, each operand evaluated once and only while the chain holds."""
    text = draw(expression("int", scope)).at(6)
    for _ in range(draw(st.integers(1, 3))):
        text += f" {draw(st.sampled_from(COMPARISONS))} {draw(expression('int', scope)).at(6)}"
    return Expression(text, 5)


@form("comparison", "bool")
def membership(draw: st.DrawFn, scope: Scope) -> Expression:
    item, container = draw(expression("int", scope)), draw(expression("list", scope))
    return Expression(f"{item.at(6)} {draw(st.sampled_from(['in', 'not in']))} {container.at(6)}", 5)


@form("comparison", "bool")
def identity(draw: st.DrawFn, scope: Scope) -> Expression:
    # Only of names and calls: `is` beside a literal is a SyntaxWarning.
    operands = [draw(st.sampled_from(["o", "t(§, o)", "t(§, None)"])) for _ in range(draw(st.integers(2, 3)))]
    return Expression(draw(st.sampled_from([" is ", " is not "])).join(operands), 5)


@form("boolean", "bool", "int", "any")
def and_or(draw: st.DrawFn, scope: Scope) -> Expression:
    operator, level = draw(st.sampled_from([("and", 3), ("or", 2)]))
    kind = draw(st.sampled_from(["int", "bool"]))
    operands = draw(st.lists(expression(kind, scope), min_size=2, max_size=3))
    return Expression(f" {operator} ".join(operand.at(level + 1) for operand in operands), level)


@form("boolean", "bool")
def negation(draw: st.DrawFn, scope: Scope) -> Expression:
    return Expression(f"not {draw(expression('any', scope)).at(4)}", 4)


def conditional(kind: str) -> None:
    @form("conditional", kind)
    def ternary(draw: st.DrawFn, scope: Scope) -> Expression:
        first, test = draw(expression(kind, scope)), draw(expression("bool", scope))
        second = draw(expression(kind, scope))
        return Expression(f"{first.at(2)} if {test.at(2)} else {second.at(1)}", 1)


for _kind in ("int", "str", "list", "any"):
    conditional(_kind)


@form("walrus", "int")
def walrus(draw: st.DrawFn, scope: Scope) -> Expression:
    value = draw(expression("int", scope))
    if not scope.walrus:
        return value
    return Expression(f"({draw(st.sampled_from(['a', 'b']))} := {value.at(1)})")


@form("raise", "int")
def failing_operand(draw: st.DrawFn, scope: Scope) -> Expression:
    return Expression("fail(§)")


@form("call", "int")
def builtin_call(draw: st.DrawFn, scope: Scope) -> Expression:
    kind = draw(st.sampled_from(["str", "list", "dict"]))
    return Expression(f"len({draw(expression(kind, scope)).at(1)})")


@st.composite
def arguments(draw: st.DrawFn, scope: Scope) -> str:
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
def call(draw: st.DrawFn, scope: Scope) -> Expression:
    return Expression(f"h({draw(arguments(scope))})")


@form("attribute", "int")
def attribute_or_method(draw: st.DrawFn, scope: Scope) -> Expression:
    owner = draw(st.sampled_from(["o", "t(§, o)"]))
    return Expression(f"{owner}.x" if draw(st.booleans()) else f"{owner}.m({draw(arguments(scope))})")


@form("attribute", "bool")
def operation_on_an_object(draw: st.DrawFn, scope: Scope) -> Expression:
    template = draw(
        st.sampled_from(["o + {}", "o < {} < 9", "{} in o", "o[{}]", "o @ {}", "-o", "o({})", "o[{}:, t(§, 1)]"])
    )
    operand = draw(expression("int", scope))
    return Expression(f"({template.format(operand.at(12))})")


@form("lambda", "int")
def immediate_lambda(draw: st.DrawFn, scope: Scope) -> Expression:
    default = draw(expression("int", scope)).at(1)
    body = draw(expression("int", scope.comprehension())).at(1)
    return Expression(f"(lambda a, b={default}: {body})({draw(expression('int', scope)).at(1)})")


@form("lambda", "int")
def lambda_with_every_kind_of_parameter(draw: st.DrawFn, scope: Scope) -> Expression:
    default, body = draw(expression("int", scope)).at(1), draw(expression("int", scope.comprehension())).at(1)
    # Only calls that fit: a lambda that is not content with its arguments says its name, which a function's is not.
    first, rest, third = (draw(expression(kind, scope)).at(6) for kind in ("int", "iterable", "int"))
    call = draw(
        st.sampled_from([f"{first}, *{rest}, c={third}", f"b={first}, c={third}", f"*{rest}, **{{'d': {third}}}"])
    )
    return Expression(f"(lambda *a, b={default}, **k: len(a) + len(k) + {body})({call})")


@form("yield", "int", "any")
def yielded(draw: st.DrawFn, scope: Scope) -> Expression:
    keyword, kind = draw(st.sampled_from([("yield", "int"), ("yield", "any"), ("yield from", "iterable")]))
    return Expression(f"({keyword} {draw(expression(kind, scope)).at(1)})")


@form("await", "int", "any")
def awaited(draw: st.DrawFn, scope: Scope) -> Expression:
    return Expression(f"await aw(§, {draw(expression('int', scope)).at(1)})", 14)
