"""Short functions over texts for training `pocket`: string methods, slices and `in`, and lists of characters.

The texts are everyday words and random letters, 12 characters at most, so that a model must look at the letters and
cannot know the words by heart. What it does not do: run anything, or come near a benchmark's programs.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from string import ascii_lowercase

from runner.pocket.body import Body

LONGEST = 12
# The longest texts that are looped over, which costs two frames a letter.
LOOPED = 8
WORDS = """
air animal apple arm autumn baby bag ball banana basket bear bed bell bird boat book bottle bread bridge brother
butter cake camera candle car carpet castle cat chair cheese cherry circle city clock cloud coat coffee cold
cookie corn cotton cow cup dance daughter desert dinner doctor dog door dream dress drum duck ear earth egg
elephant engine evening eye face family farm feather field finger fire fish flag flower foot forest fork fox
friend frog fruit garden ghost giraffe glass goat gold grape grass green guitar hair hammer hand happy hat heart
hello hill honey horse house ice island jacket jelly juice jungle kettle key king kitchen kite kitten knife ladder
lake lamp leaf lemon letter light lion lizard lunch machine magic map market meadow milk mirror money monkey moon
morning mother mountain mouse mouth music nail needle nest night nose ocean onion orange owl page paint paper
parrot party pasta peach pear pencil pepper piano picture pig pillow pirate pizza planet plate pocket potato
prince puppy queen rabbit radio rain rainbow river road robot rocket roof room rope rose sailor salad salt sand
school sea shadow sheep ship shirt shoe silver sister sky sleep snake snow soap sock soup spider spoon spring
square star station stone storm story street sugar summer sun table tail tea teacher tiger tomato tooth tower
town train tree truck turtle umbrella valley vase village violin wagon wall water watermelon wheel whistle
wind window winter wolf wood world yellow zebra
""".split()  # noqa: SIM905 - a list would be five times as long
NAMES = ("s", "text", "word", "name", "t")
RESULTS = ("r", "out", "result", "w", "z")
SEPARATORS = (" ", ",", "-", "_")
# Draws an expression over the variable of a name, whose value is about the given text.
Step = Callable[[Random, str, str], str]


def letters(rng: Random, longest: int = LONGEST) -> str:
    """1 to `longest` random letters, short texts more often; from few letters half of the time, so that they repeat."""
    alphabet = rng.sample(ascii_lowercase, 4) if rng.random() < 0.5 else ascii_lowercase
    return "".join(rng.choices(alphabet, k=min(rng.randint(1, longest), rng.randint(1, longest))))


def word(rng: Random) -> str:
    """A word, or random letters."""
    return rng.choice(WORDS) if rng.random() < 0.5 else letters(rng)


def methods(rng: Random) -> Body:
    """One to three steps, each a method, a slice or an `in` of the text; or a text made for `split` or `strip`."""
    chance = rng.random()
    if chance < 0.25:
        return _several(rng)
    if chance < 0.32:
        return _padded(rng)
    name, value = rng.choice(NAMES), word(rng)
    lines, current = [], name
    for target in rng.sample(RESULTS, rng.choice((0, 0, 1, 2))):
        if rng.random() < 0.2:
            lines += _branch(rng, target, current, value)
        else:
            lines.append(f"{target} = {rng.choice(STEPS)(rng, current, value)}")
        current = target
    last = current if lines and rng.random() < 0.3 else rng.choice((*STEPS, *ENDS))(rng, current, value)
    return Body((*lines, f"return {last}"), {name: repr(value)}, size=_size(value))


def _several(rng: Random) -> Body:
    """Words with a separator between them, split and joined."""
    name, parts, separator = rng.choice(NAMES), rng.choice(("parts", "words", "xs")), rng.choice(SEPARATORS)
    words = [word(rng)[: rng.choice((3, 4, 5))] for _ in range(rng.choice((1, 2, 2, 3)))]
    value = separator.join(words)[:LONGEST]
    split = f"{name}.split({'' if separator == ' ' and rng.random() < 0.5 else repr(separator)})"
    other = rng.choice([one for one in ("+", "/", "", "-") if one != separator])
    end = rng.choice((f"{other!r}.join({{}})", f"{other!r}.join({{}})", "{}[0]", "{}[-1]", "{}", "len({})", "{}[::-1]"))
    if rng.random() < 0.4:
        return Body((f"return {end.format(split)}",), {name: repr(value)}, size=_size(value))
    return Body((f"{parts} = {split}", f"return {end.format(parts)}"), {name: repr(value)}, size=_size(value))


def _padded(rng: Random) -> Body:
    """A text with blanks around it."""
    name = rng.choice(NAMES)
    value = " " * rng.randint(0, 2) + word(rng)[: LONGEST - 4] + " " * rng.randint(0, 2)
    end = rng.choice(("", "", ".upper()", "[0]", "[::-1]"))
    strip = f"{name}.{rng.choice(('strip', 'strip', 'lstrip', 'rstrip'))}(){end}"
    return Body((f"return {strip}",), {name: repr(value)}, size=_size(value))


def character_list(rng: Random) -> Body:
    """A text as a list of its characters, changed, searched or joined again."""
    name, value = rng.choice(NAMES), word(rng)
    chars = rng.choice(("chars", "xs", "lst"))
    lines = [f"{chars} = list({name})"]
    lines += [list_step(rng, chars, value) for _ in range(rng.choice((0, 1, 1, 2)))]
    if rng.random() < 0.3 and len(value) <= LOOPED:
        lines += _character_loop(rng, chars, value)
        return Body(tuple(lines), {name: repr(value)}, size=_size(value))
    ends = (chars, f"''.join({chars})", f"'-'.join({chars})", f"len({chars})", f"{chars}[::-1]", f"sorted({chars})")
    return Body((*lines, f"return {rng.choice(ends)}"), {name: repr(value)}, size=_size(value))


def _size(value: str) -> str:
    return "1 letter" if len(value) == 1 else f"{len(value)} letters"


def _of(rng: Random, value: str) -> str:
    """A letter, most often one of the text's."""
    return rng.choice(value) if value and rng.random() < 0.75 else rng.choice(ascii_lowercase)


def _part(rng: Random, value: str) -> str:
    """One letter, or two that stand together in the text."""
    if len(value) > 2 and rng.random() < 0.3:
        start = rng.randrange(len(value) - 1)
        return value[start : start + 2]
    return _of(rng, value)


def _replace(rng: Random, name: str, value: str) -> str:
    new = "".join(rng.choices(ascii_lowercase, k=rng.choice((0, 1, 1, 2))))
    return f"{name}.replace({_part(rng, value)!r}, {new!r})"


def _slice(rng: Random, name: str, value: str) -> str:
    low, high = sorted((rng.randint(0, max(1, len(value))), rng.randint(1, max(1, len(value)))))
    shapes = (
        f"{low}:{high}",
        f"{rng.randint(1, 3)}:",
        f":{rng.randint(1, 4)}",
        "::-1",
        f":-{rng.randint(1, 2)}",
        "::2",
    )
    return f"{name}[{rng.choice(shapes)}]"


def _strip(rng: Random, name: str, value: str) -> str:
    ends = [value[0], value[-1]] if value else ["a"]
    return f"{name}.{rng.choice(('strip', 'strip', 'lstrip', 'rstrip'))}({rng.choice(ends)!r})"


def _joined(rng: Random, name: str, _: str) -> str:
    return f"{rng.choice(('-', '_', '.'))!r}.join({name})"


def _added(rng: Random, name: str, _: str) -> str:
    return rng.choice((f"{name} + {rng.choice(ascii_lowercase)!r}", f"{rng.choice(ascii_lowercase)!r} + {name}"))


def _upper(rng: Random, name: str, _: str) -> str:
    return f"{name}.{rng.choice(('upper', 'upper', 'lower', 'capitalize'))}()"


def _find(rng: Random, name: str, value: str) -> str:
    return f"{name}.{rng.choice(('find', 'find', 'find', 'rfind'))}({_part(rng, value)!r})"


def _count(rng: Random, name: str, value: str) -> str:
    return f"{name}.count({_of(rng, value)!r})"


def _contains(rng: Random, name: str, value: str) -> str:
    return f"{_part(rng, value)!r} {rng.choice(('in', 'in', 'not in'))} {name}"


def _starts(rng: Random, name: str, value: str) -> str:
    return f"{name}.{rng.choice(('startswith', 'endswith'))}({_of(rng, value[:1] + value[-1:])!r})"


def _length(_: Random, name: str, __: str) -> str:
    return f"len({name})"


# What gives a text, and what gives something else and therefore ends a function.
STEPS: tuple[Step, ...] = (_replace, _replace, _slice, _slice, _strip, _upper, _upper, _joined, _added)
ENDS: tuple[Step, ...] = (_find, _find, _contains, _contains, _count, _starts, _length)


def _branch(rng: Random, target: str, name: str, value: str) -> list[str]:
    condition = rng.choice((_contains, _starts))(rng, name, value)
    lines = [f"if {condition}:", f"    {target} = {rng.choice(STEPS)(rng, name, value)}", "else:"]
    return [*lines, f"    {target} = {rng.choice((name, rng.choice(STEPS)(rng, name, value)))}"]


def list_step(rng: Random, chars: str, value: str) -> str:
    """A change of the list of the text's characters that does not raise, where the list still has about as many."""
    letter = rng.choice(ascii_lowercase)
    shapes = (
        f"{chars}.append({letter!r})",
        f"{chars}.reverse()",
        f"{chars}.insert(0, {letter!r})",
        f"{chars}[{rng.choice((0, -1))}] = {letter!r}",
        f"{chars}.sort()",
        f"{chars} = {chars}[::-1]",
        f"{chars} = {chars}[1:]",
    )
    # A text of two letters may be empty after two steps, and an empty list has no place to change.
    return rng.choice(shapes if len(value) > 2 else shapes[:3])


def _character_loop(rng: Random, chars: str, value: str) -> list[str]:
    """A loop over the characters, or over their places."""
    target, char = rng.choice(RESULTS), rng.choice(("c", "ch"))
    test, start, step = rng.choice(
        (
            (f"{char} == {_of(rng, value)!r}", "0", f"{target} += 1"),
            (f"{char} != {_of(rng, value)!r}", "''", f"{target} += {char}"),
            (f"{char} in 'aeiou'", "[]", f"{target}.append({char})"),
            (f"{char} in 'aeiou'", "''", f"{target} += {char}.upper()"),
            (f"{char} not in {target}", "''", f"{target} += {char}"),
        )
    )
    head = rng.choice((f"for {char} in {chars}:", f"for i, {char} in enumerate({chars}):"))
    return [f"{target} = {start}", head, f"    if {test}:", f"        {step}", f"return {target}"]
