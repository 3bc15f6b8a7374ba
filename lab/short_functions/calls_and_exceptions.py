"""Short functions that call one another, and short functions that catch an exception.

Numbers and strings stay small. No exception leaves the program.
"""

from __future__ import annotations

from random import Random

from lab.short_functions.function_body import FunctionBody, function_source
from lab.short_functions.strings import random_letters

PARAMETERS = ("a", "b", "n", "x", "y")
RESULTS = ("r", "t", "u", "w", "z")
HELPERS = ("g", "h", "helper", "step")


def two_functions(rng: Random) -> FunctionBody:
    """Two functions: both call each other, or one calls the other once or twice."""
    return rng.choice((_mutual_recursion, _mutual_recursion, _number_helper, _number_helper, _string_helper))(rng)


def _mutual_recursion(rng: Random) -> FunctionBody:
    """`f` calls `g` with a smaller number and `g` calls `f`, down to zero."""
    name, other = rng.choice(PARAMETERS), rng.choice(HELPERS)
    less = rng.choice((1, 1, 2))
    first, second = (rng.choice(("{}", "{} + 1", "{} + 2", "{} * 2", "1 + {}", "not {}")) for _ in range(2))
    ends = [str(rng.randint(0, 3)) for _ in range(2)]
    if "not {}" in (first, second):
        first, second, ends = "{}", rng.choice(("{}", "not {}")), ["True", "False"]
    helper = function_source(other, (name,), _recursive(name, ends[1], second.format(f"f({name} - {less})"), rng))
    lines = _recursive(name, ends[0], first.format(f"{other}({name} - 1)"), rng)
    return FunctionBody(lines, {name: str(rng.randint(0, 5))}, (helper,))


def _recursive(name: str, end: str, step: str, rng: Random) -> tuple[str, ...]:
    test = rng.choice((f"{name} <= 0", f"{name} < 1"))
    if rng.random() < 0.5:
        return (f"if {test}:", f"    return {end}", f"return {step}")
    return (f"if {test}:", f"    return {end}", f"r = {step}", "return r")


def _number_helper(rng: Random) -> FunctionBody:
    """`f` calls a helper function with a number."""
    name, other, inner = rng.choice(PARAMETERS), rng.choice(HELPERS), rng.choice(PARAMETERS)
    constant = rng.randint(1, 5)
    work = rng.choice((f"{inner} + {constant}", f"{inner} - {constant}", f"{inner} * 2", f"{inner} % {constant + 1}"))
    helper = function_source(other, (inner,), (f"return {work}",))
    shapes = (
        (f"return {other}({name}) + {constant}",),
        (f"return {other}({other}({name}))",),
        (f"r = {other}({name})", f"return r + {name}"),
        (f"r = {other}({name})", f"r = {other}(r)", "return r"),
        ("r = 0", f"for i in range({rng.randint(1, 3)}):", f"    r += {other}(i + {name})", "return r"),
        (f"if {other}({name}) > {constant}:", f"    return {name}", f"return {other}({constant})"),
    )
    return FunctionBody(rng.choice(shapes), {name: str(rng.randint(0, 9))}, (helper,))


def _string_helper(rng: Random) -> FunctionBody:
    """`f` calls a helper function with a string."""
    name, other, inner = rng.choice(("s", "text")), rng.choice(HELPERS), rng.choice(("s", "c", "x"))
    letter = rng.choice("abcdefgh")
    work = rng.choice((f"{inner} + {letter!r}", f"{letter!r} + {inner}", f"{inner}.upper()", f"{inner}[::-1]"))
    helper = function_source(other, (inner,), (f"return {work}",))
    shapes = (
        (f"return {other}({other}({name}))",),
        (f"r = {other}({name})", f"return r + {name}"),
        ("r = ''", f"for c in {name}:", f"    r += {other}(c)", "return r"),
    )
    return FunctionBody(rng.choice(shapes), {name: repr(random_letters(rng, 5))}, (helper,))


def caught_exception(rng: Random) -> FunctionBody:
    """An expression in a `try` that may raise, and a handler that catches the exception."""
    arguments, risky, exception = rng.choice((_division, _conversion, _index, _key, _failed_search))(rng)
    result = rng.choice(RESULTS)
    instead = rng.choice(("-1", "0", "None", "'no'"))
    lines = ["try:", f"    {result} = {risky}"]
    if rng.random() < 0.25:
        return FunctionBody(("try:", f"    return {risky}", f"except {exception}:", f"    return {instead}"), arguments)
    handler = f"except {exception} as e:" if rng.random() < 0.2 else f"except {exception}:"
    lines += [handler, f"    {result} = {instead}"]
    if rng.random() < 0.25:
        lines += ["else:", f"    {result} = [{result}]"]
    if rng.random() < 0.2:
        lines += ["finally:", "    done = True"]
    return FunctionBody((*lines, f"return {result}"), arguments)


# The arguments of `f`, an expression that may raise, and the exception that it raises.
Risk = tuple[dict[str, str], str, str]


def _division(rng: Random) -> Risk:
    left, right = rng.sample(PARAMETERS, 2)
    arguments = {left: str(rng.randint(0, 9)), right: str(rng.choice((0, 0, 1, 2, 3)))}
    return arguments, f"{left} {rng.choice(('//', '%'))} {right}", "ZeroDivisionError"


def _conversion(rng: Random) -> Risk:
    value = str(rng.randint(0, 99)) if rng.random() < 0.5 else random_letters(rng, 4)
    return {"s": repr(value)}, rng.choice(("int(s)", "int(s) + 1")), "ValueError"


def _index(rng: Random) -> Risk:
    values = [rng.randint(0, 9) for _ in range(rng.randint(1, 4))]
    return {"xs": str(values), "i": str(rng.randint(0, 5))}, "xs[i]", "IndexError"


def _key(rng: Random) -> Risk:
    keys = rng.sample("abcde", rng.randint(1, 3))
    table = {key: rng.randint(0, 9) for key in keys}
    return {"d": repr(table), "k": repr(rng.choice("abcde"))}, "d[k]", "KeyError"


def _failed_search(rng: Random) -> Risk:
    """`index` of a list or a string, which raises if nothing is found."""
    if rng.random() < 0.5:
        values = [rng.randint(0, 9) for _ in range(rng.randint(1, 4))]
        sought = rng.choice((rng.choice(values), rng.randint(0, 9)))
        return {"xs": str(values), "x": str(sought)}, "xs.index(x)", "ValueError"
    return {"s": repr(random_letters(rng, 6)), "c": repr(rng.choice("abcdefgh"))}, "s.index(c)", "ValueError"
