"""Drills for training `pocket`: many small steps of one sort in one function, so that a trace has more to learn from.

In a function of two lines most tokens of the trace are its frame (`main`, the call, the return), which is learnt early;
here eight steps share it. Each step is what the kinds of `programs`, `texts` and `calls` are made of. Training alone
draws drills: the goals, the demo and the learning curve ask about the kinds themselves.
What it does not do: raise, run anything, or come near a benchmark's programs.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from string import ascii_lowercase

from corpora.program import Case
from runner.pocket import programs, texts
from runner.pocket.body import Body, program

BITS = ("& 15", "| 8", "^ 7", "<< 1", ">> 1")


def drill(rng: Random, kind: str) -> Case:
    """A program `f` with one call. `kind` is a key of DRILLS. The Case's id is filled in by the caller."""
    return program(DRILLS[kind](rng), f"{kind} drill")


def _arithmetic(rng: Random) -> Body:
    """One expression after the other, of the arguments and of the result before."""
    arguments, target = programs.numbers(rng, rng.randint(1, 3)), rng.choice(programs.RESULTS)
    lines = [f"{target} = {programs.expression_text(rng, list(arguments), 1)}"]
    for _ in range(rng.randint(3, 9)):
        names = [*arguments, target] if rng.random() < 0.3 else list(arguments)
        lines.append(f"{target} = {programs.expression_text(rng, names, rng.choice((1, 2, 2)))}")
    return Body((*lines, f"return {target}"), arguments)


def _conditions(rng: Random) -> Body:
    """One condition after the other, most of them of an `if`."""
    arguments, target = programs.numbers(rng, rng.randint(1, 3)), rng.choice(programs.RESULTS)
    names = [*arguments, target]
    lines = [f"{target} = {programs.expression_text(rng, list(arguments), 1)}"]
    for _ in range(rng.randint(3, 7)):
        lines += [f"ok = {programs.condition(rng, names)}"] if rng.random() < 0.3 else _if(rng, target, list(arguments))
    return Body((*lines, f"return {target}"), arguments)


def _if(rng: Random, target: str, arguments: list[str]) -> list[str]:
    names = [*arguments, target]
    lines = [f"if {programs.condition(rng, names)}:"]
    lines.append(f"    {target} = {programs.expression_text(rng, names if rng.random() < 0.3 else arguments, 1)}")
    if rng.random() < 0.4:
        lines += ["else:", f"    {target} {rng.choice(('+=', '-='))} {rng.randint(1, 5)}"]
    return lines


def _text(rng: Random) -> Body:
    """One method, slice or `in` after the other."""
    return _of_texts(rng, 8, lambda rng, name, value: rng.choice((*texts.STEPS, *texts.ENDS))(rng, name, value))


def _spelling(rng: Random) -> Body:
    """What needs every letter of a text."""
    return _of_texts(rng, 7, _spelled)


def _of_texts(rng: Random, most: int, step: texts.Step) -> Body:
    """Up to `most` steps of several texts: were there one text, its letters would soon stand in the trace."""
    values = {name: texts.word(rng) for name in rng.sample(texts.NAMES, rng.randint(1, 4))}
    target = rng.choice(texts.RESULTS)
    chosen = rng.choices(list(values), k=rng.randint(3, most))
    lines = [f"{target} = {step(rng, name, values[name])}" for name in chosen]
    return Body((*lines, f"return {target}"), {name: repr(value) for name, value in values.items()})


def _spelled(rng: Random, name: str, _: str) -> str:
    shapes = (f"{name}[::-1]", f"{rng.choice('-_./')!r}.join({name})", f"{name}[:-1]", f"list({name})")
    others = (f"{name}[::2]", f"{name} + {rng.choice(ascii_lowercase)!r}", f"{name}.upper()", f"sorted({name})")
    return rng.choice((*shapes, *others))


def _chain(rng: Random) -> Body:
    """A text changed step by step."""
    name, value = rng.choice(texts.NAMES), texts.word(rng)
    lines = [f"{name} = {rng.choice(texts.STEPS)(rng, name, value)}" for _ in range(rng.randint(2, 5))]
    return Body((*lines, f"return {name}"), {name: repr(value)})


def _characters(rng: Random) -> Body:
    """A list of characters, shown in other orders, joined, and changed."""
    name, value, chars = rng.choice(texts.NAMES), texts.word(rng), rng.choice(("chars", "xs", "lst"))
    target = rng.choice(texts.RESULTS)
    shown = (f"{chars}[::-1]", f"sorted({chars})", f"''.join({chars})", f"'-'.join({chars})", f"{chars}[1:]")
    lines = [f"{chars} = list({name})"]
    for _ in range(rng.randint(2, 5)):
        lines.append(
            f"{target} = {rng.choice(shown)}" if rng.random() < 0.5 else texts.list_step(rng, chars, "any text")
        )
        if lines[-1].endswith("[1:]"):
            lines.append(f"{chars} = list({name})")
    return Body((*lines, f"return {chars}"), {name: repr(value)})


def _lookups(rng: Random) -> Body:
    """Items of a list, a dictionary and a text by their places and keys, and their places."""
    target, lines = rng.choice(programs.RESULTS), []
    numbers = [rng.randint(0, 9) for _ in range(rng.randint(1, 5))]
    table = {key: rng.randint(0, 9) for key in rng.sample("abcdef", rng.randint(1, 4))}
    word = texts.word(rng)
    for _ in range(rng.randint(3, 8)):
        sought = rng.choice(numbers)
        shapes = (
            f"xs[{rng.randrange(-1, len(numbers))}]",
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
    return Body((*lines, f"return {target}"), {"xs": str(numbers), "d": repr(table), "s": repr(word)})


def _letters(rng: Random) -> Body:
    """A loop over a longer text of few letters that tells them apart."""
    name, char, target = rng.choice(("s", "text", "word")), rng.choice(("c", "ch")), rng.choice(("r", "out", "result"))
    alphabet = rng.choice(("abcde", "abcde", rng.sample(ascii_lowercase, 4)))
    value = "".join(rng.choices(alphabet, k=rng.randint(3, 9)))
    step, start = rng.choice(
        ((f"{target} += 1", "0"), (f"{target} += {char}", "''"), (f"{target} = {char} + {target}", "''"))
    )
    test = f"    if {char} {rng.choice(('==', '!=', '!='))} {rng.choice(alphabet)!r}:"
    return Body(
        (f"{target} = {start}", f"for {char} in {name}:", test, f"        {step}", f"return {target}"),
        {name: repr(value)},
    )


def _bits(rng: Random) -> Body:
    """The zoo's operations on bits, one after the other, each on a number of up to nine bits."""
    name, target = rng.choice(programs.PARAMETERS), rng.choice(programs.RESULTS)
    operands = [rng.choice((name, str(rng.randint(0, 511)))) for _ in range(rng.randint(3, 8))]
    lines = [f"{target} = {operand} {rng.choice(BITS)}" for operand in operands]
    return Body((*lines, f"return {target}"), {name: str(rng.randint(0, 511))})


DRILLS: dict[str, Callable[[Random], Body]] = {
    "arithmetic": _arithmetic,
    "conditions": _conditions,
    "text": _text,
    "spelling": _spelling,
    "chain": _chain,
    "characters": _characters,
    "lookups": _lookups,
    "letters": _letters,
    "bits": _bits,
}
