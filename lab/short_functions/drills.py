"""Drills: functions of many small steps of one sort, so that more of each trace trains the operation itself.

In a function of two lines, most tokens of the trace belong to the frames around it (`main`, the call, the return),
which a model learns early. In a drill, eight steps share these frames. Only training draws drills: the goals, the demo
and the learning curve ask about the kinds of `kinds`. A drill never raises.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from string import ascii_lowercase

from corpora.program import Case
from lab.short_functions import arithmetic, strings
from lab.short_functions.function_body import FunctionBody, build_case

BITS = ("& 15", "| 8", "^ 7", "<< 1", ">> 1")


def drill(rng: Random, kind: str) -> Case:
    """A random program `f` with one call, for a key of `DRILLS`. The caller fills in the id of the case."""
    return build_case(DRILLS[kind](rng), f"{kind} drill")


def _arithmetic(rng: Random) -> FunctionBody:
    """Arithmetic expressions of the arguments and of the previous result."""
    arguments, target = arithmetic.digit_arguments(rng, rng.randint(1, 3)), rng.choice(arithmetic.RESULTS)
    lines = [f"{target} = {arithmetic.expression_text(rng, list(arguments), 1)}"]
    for _ in range(rng.randint(3, 9)):
        names = [*arguments, target] if rng.random() < 0.3 else list(arguments)
        lines.append(f"{target} = {arithmetic.expression_text(rng, names, rng.choice((1, 2, 2)))}")
    return FunctionBody((*lines, f"return {target}"), arguments)


def _conditions(rng: Random) -> FunctionBody:
    """Conditions, most of them of an `if`."""
    arguments, target = arithmetic.digit_arguments(rng, rng.randint(1, 3)), rng.choice(arithmetic.RESULTS)
    names = [*arguments, target]
    lines = [f"{target} = {arithmetic.expression_text(rng, list(arguments), 1)}"]
    for _ in range(rng.randint(3, 7)):
        lines += (
            [f"ok = {arithmetic.condition(rng, names)}"] if rng.random() < 0.3 else _if(rng, target, list(arguments))
        )
    return FunctionBody((*lines, f"return {target}"), arguments)


def _if(rng: Random, target: str, arguments: list[str]) -> list[str]:
    names = [*arguments, target]
    lines = [f"if {arithmetic.condition(rng, names)}:"]
    lines.append(f"    {target} = {arithmetic.expression_text(rng, names if rng.random() < 0.3 else arguments, 1)}")
    if rng.random() < 0.4:
        lines += ["else:", f"    {target} {rng.choice(('+=', '-='))} {rng.randint(1, 5)}"]
    return lines


def _string_methods(rng: Random) -> FunctionBody:
    """String methods, slices and `in`."""
    return _string_steps(rng, 8, lambda rng, name, value: rng.choice((*strings.STEPS, *strings.ENDS))(rng, name, value))


def _spelling(rng: Random) -> FunctionBody:
    """Operations that need every character of a string, such as reversing it."""
    return _string_steps(rng, 7, _spelling_step)


def _string_steps(rng: Random, most: int, step: strings.StringStep) -> FunctionBody:
    """Up to `most` steps over several strings. With one string, the trace would soon contain its characters."""
    values = {name: strings.random_word(rng) for name in rng.sample(strings.NAMES, rng.randint(1, 4))}
    target = rng.choice(strings.RESULTS)
    chosen = rng.choices(list(values), k=rng.randint(3, most))
    lines = [f"{target} = {step(rng, name, values[name])}" for name in chosen]
    return FunctionBody((*lines, f"return {target}"), {name: repr(value) for name, value in values.items()})


def _spelling_step(rng: Random, name: str, _: str) -> str:
    shapes = (f"{name}[::-1]", f"{rng.choice('-_./')!r}.join({name})", f"{name}[:-1]", f"list({name})")
    others = (f"{name}[::2]", f"{name} + {rng.choice(ascii_lowercase)!r}", f"{name}.upper()", f"sorted({name})")
    return rng.choice((*shapes, *others))


def _chain(rng: Random) -> FunctionBody:
    """A string that is changed step by step."""
    name, value = rng.choice(strings.NAMES), strings.random_word(rng)
    lines = [f"{name} = {rng.choice(strings.STEPS)(rng, name, value)}" for _ in range(rng.randint(2, 5))]
    return FunctionBody((*lines, f"return {name}"), {name: repr(value)})


def _characters(rng: Random) -> FunctionBody:
    """A list of characters that is reordered, joined and changed."""
    name, value, chars = rng.choice(strings.NAMES), strings.random_word(rng), rng.choice(("chars", "xs", "lst"))
    target = rng.choice(strings.RESULTS)
    expressions = (f"{chars}[::-1]", f"sorted({chars})", f"''.join({chars})", f"'-'.join({chars})", f"{chars}[1:]")
    lines = [f"{chars} = list({name})"]
    for _ in range(rng.randint(2, 5)):
        lines.append(
            f"{target} = {rng.choice(expressions)}" if rng.random() < 0.5 else strings.list_step(rng, chars, "any text")
        )
        if lines[-1].endswith("[1:]"):
            lines.append(f"{chars} = list({name})")
    return FunctionBody((*lines, f"return {chars}"), {name: repr(value)})


def _lookups(rng: Random) -> FunctionBody:
    """Items of a list, a dictionary and a string by index or key, and searches for them."""
    target, lines = rng.choice(arithmetic.RESULTS), []
    items = [rng.randint(0, 9) for _ in range(rng.randint(1, 5))]
    table = {key: rng.randint(0, 9) for key in rng.sample("abcdef", rng.randint(1, 4))}
    word = strings.random_word(rng)
    for _ in range(rng.randint(3, 8)):
        sought = rng.choice(items)
        shapes = (
            f"xs[{rng.randrange(-1, len(items))}]",
            f"xs.index({sought})",
            f"{rng.choice((sought, rng.randint(0, 9)))} in xs",
            f"d[{rng.choice(list(table))!r}]",
            f"d.get({rng.choice('abcdef')!r}, -1)",
            f"{rng.choice('abcdef')!r} in d",
            f"s[{rng.randrange(-1, len(word))}]",
            f"s.index({rng.choice(word)!r})",
            f"s.find({rng.choice((rng.choice(word), rng.choice(ascii_lowercase)))!r})",
        )
        lines.append(f"{target} = {rng.choice(shapes)}")
    return FunctionBody((*lines, f"return {target}"), {"xs": str(items), "d": repr(table), "s": repr(word)})


def _character_tests(rng: Random) -> FunctionBody:
    """A loop that compares each character of a string of few different letters."""
    name, char, target = rng.choice(("s", "text", "word")), rng.choice(("c", "ch")), rng.choice(("r", "out", "result"))
    alphabet = rng.choice(("abcde", "abcde", rng.sample(ascii_lowercase, 4)))
    value = "".join(rng.choices(alphabet, k=rng.randint(3, 9)))
    step, start = rng.choice(
        ((f"{target} += 1", "0"), (f"{target} += {char}", "''"), (f"{target} = {char} + {target}", "''"))
    )
    test = f"    if {char} {rng.choice(('==', '!=', '!='))} {rng.choice(alphabet)!r}:"
    return FunctionBody(
        (f"{target} = {start}", f"for {char} in {name}:", test, f"        {step}", f"return {target}"),
        {name: repr(value)},
    )


def _bits(rng: Random) -> FunctionBody:
    """The bitwise operations of the Composition Zoo, each on a number of up to nine bits."""
    name, target = rng.choice(arithmetic.PARAMETERS), rng.choice(arithmetic.RESULTS)
    operands = [rng.choice((name, str(rng.randint(0, 511)))) for _ in range(rng.randint(3, 8))]
    lines = [f"{target} = {operand} {rng.choice(BITS)}" for operand in operands]
    return FunctionBody((*lines, f"return {target}"), {name: str(rng.randint(0, 511))})


DRILLS: dict[str, Callable[[Random], FunctionBody]] = {
    "arithmetic": _arithmetic,
    "conditions": _conditions,
    "text": _string_methods,
    "spelling": _spelling,
    "chain": _chain,
    "characters": _characters,
    "lookups": _lookups,
    "letters": _character_tests,
    "bits": _bits,
}
