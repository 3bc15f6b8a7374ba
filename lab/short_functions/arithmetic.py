"""Short functions of arithmetic: straight lines, branches, and loops over numbers, lists and strings.

All values stay small, because a model of a few million parameters learns arithmetic by heart.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from lab.short_functions.function_body import FunctionBody

OPERATORS = ("+", "+", "+", "-", "-", "*", "%", "//")
COMPARISONS = ("<", ">", "==", "!=", "<=", ">=")
PARAMETERS = ("a", "b", "c", "n", "x", "y")
RESULTS = ("r", "t", "u", "w", "z", "total", "result")


def straight_line(rng: Random) -> FunctionBody:
    """One to four assignments of arithmetic expressions."""
    arguments = digit_arguments(rng, rng.randint(1, 3))
    known = list(arguments)
    lines: list[str] = []
    for target in rng.sample(RESULTS, rng.randint(1, 4)):
        lines.append(f"{target} = {expression_text(rng, known, rng.choice((1, 1, 2)))}")
        known.append(target)
    return FunctionBody((*lines, f"return {known[-1]}"), arguments)


def branch(rng: Random) -> FunctionBody:
    """An `if`, with or without `elif` and `else`, that changes one variable."""
    arguments = digit_arguments(rng, rng.randint(1, 2))
    names = list(arguments)
    target = rng.choice(RESULTS)
    lines = [f"{target} = {expression_text(rng, names, 1)}"]
    lines += [f"if {condition(rng, [*names, target])}:", f"    {target} = {expression_text(rng, [*names, target], 1)}"]
    if rng.random() < 0.5:
        lines += [f"elif {condition(rng, names)}:", f"    {target} += {rng.randint(1, 5)}"]
    if rng.random() < 0.6:
        lines += ["else:", f"    {target} -= {rng.randint(1, 5)}"]
    return FunctionBody((*lines, f"return {target}"), arguments)


def counting_loop(rng: Random) -> FunctionBody:
    """A `for` over a range, or the same loop as a `while`."""
    number, target, counter = rng.choice(PARAMETERS), rng.choice(RESULTS), rng.choice(("i", "j", "k"))
    added = rng.choice((counter, str(rng.randint(1, 4))))
    step = rng.choice((f"{target} += {added}", f"{target} = {target} + {added}"))
    lines = [f"{target} = {rng.randint(0, 5)}"]
    if rng.random() < 0.5:
        lines += [f"for {counter} in range({number}):", *_guarded(rng, counter, step)]
    else:
        lines += [
            f"{counter} = 0",
            f"while {counter} < {number}:",
            *_guarded(rng, counter, step),
            f"    {counter} += 1",
        ]
    return FunctionBody((*lines, f"return {target}"), {number: str(rng.randint(0, 4))})


def list_loop(rng: Random) -> FunctionBody:
    """A loop over a list of digits that sums, counts, takes the maximum or collects."""
    values, item, target = rng.choice(("xs", "nums", "lst")), rng.choice(("x", "v", "n")), rng.choice(RESULTS)
    arguments = {values: str([rng.randint(0, 9) for _ in range(rng.randint(0, 4))])}
    if rng.random() < 0.5:
        step = rng.choice((f"{target} += {item}", f"{target} += 1", f"{target} = max({target}, {item})"))
        start = "0"
    else:
        mapped = rng.choice((item, f"{item} + {rng.randint(1, 3)}", f"{item} * 2"))
        step, start = f"{target}.append({mapped})", "[]"
    lines = [f"{target} = {start}", f"for {item} in {values}:", *_guarded(rng, item, step)]
    return FunctionBody((*lines, f"return {target}"), arguments)


def text_loop(rng: Random) -> FunctionBody:
    """A loop over a string of at most four letters from a to e."""
    text, char, target = rng.choice(("s", "text", "word")), rng.choice(("c", "ch")), rng.choice(("r", "out", "result"))
    letter = rng.choice("abcde")
    arguments = {text: repr("".join(rng.choice("abcde") for _ in range(rng.randint(0, 4))))}
    if rng.random() < 0.5:
        step, start = rng.choice((f"{target} += 1", f"{target} = {target} + 1")), "0"
    else:
        step, start = rng.choice((f"{target} += {char}", f"{target} = {char} + {target}")), "''"
    body = [f"    if {char} {rng.choice(('==', '!='))} '{letter}':", f"        {step}"]
    if rng.random() < 0.3:
        body = [f"    {step}"]
    return FunctionBody((f"{target} = {start}", f"for {char} in {text}:", *body, f"return {target}"), arguments)


def digit_arguments(rng: Random, count: int) -> dict[str, str]:
    """Random parameter names in order, each with the repr of a digit."""
    return {name: str(rng.randint(0, 9)) for name in sorted(rng.sample(PARAMETERS, count))}


def _guarded(rng: Random, name: str, step: str) -> list[str]:
    """The body of a loop: the step, half of the time under a condition on the loop variable."""
    if rng.random() < 0.5:
        return [f"    {step}"]
    test = rng.choice((f"{name} % 2 == {rng.randint(0, 1)}", f"{name} {rng.choice(COMPARISONS)} {rng.randint(0, 5)}"))
    return [f"    if {test}:", f"        {step}"]


def expression_text(rng: Random, names: Sequence[str], depth: int) -> str:
    """An expression of `depth` operators over the names and digits. It never divides by zero."""
    if depth == 0:
        return rng.choice(names) if rng.random() < 0.7 else str(rng.randint(1, 5))
    operator = rng.choice(OPERATORS)
    left = expression_text(rng, names, depth - 1)
    # The divisor is a constant other than zero: divisions that fail are a kind of their own (`calls.caught_exception`).
    right = str(rng.randint(2, 5)) if operator in {"%", "//"} else expression_text(rng, names, 0)
    return f"({left}) {operator} {right}" if depth > 1 else f"{left} {operator} {right}"


def condition(rng: Random, names: Sequence[str]) -> str:
    """A comparison of a name with a name or a digit."""
    return f"{rng.choice(names)} {rng.choice(COMPARISONS)} {rng.choice([*names, str(rng.randint(0, 9))])}"
