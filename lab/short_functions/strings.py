"""Short functions over strings: methods, slices and `in`, and lists of characters.

The strings are everyday words and random letters of at most 12 characters, so that a model has to read the characters
and cannot know the words by heart.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from string import ascii_lowercase

from lab.short_functions.function_body import FunctionBody

MAX_LENGTH = 12
# The longest strings that a loop goes over, because each character costs two frames.
MAX_LOOPED_LENGTH = 8
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
# Draws an expression over the variable of this name, whose value is similar to the given string.
StringStep = Callable[[Random, str, str], str]


def random_letters(rng: Random, longest: int = MAX_LENGTH) -> str:
    """One to `longest` random letters, short strings more often; half of them repeat a few letters."""
    alphabet = rng.sample(ascii_lowercase, 4) if rng.random() < 0.5 else ascii_lowercase
    return "".join(rng.choices(alphabet, k=min(rng.randint(1, longest), rng.randint(1, longest))))


def random_word(rng: Random) -> str:
    """A word of `WORDS`, or random letters."""
    return rng.choice(WORDS) if rng.random() < 0.5 else random_letters(rng)


def string_methods(rng: Random) -> FunctionBody:
    """One to three steps, each a method, a slice or `in`; or a string that suits `split` or `strip`."""
    chance = rng.random()
    if chance < 0.25:
        return _split_and_join(rng)
    if chance < 0.32:
        return _padded(rng)
    name, value = rng.choice(NAMES), random_word(rng)
    lines, current = [], name
    for target in rng.sample(RESULTS, rng.choice((0, 0, 1, 2))):
        if rng.random() < 0.2:
            lines += _branch(rng, target, current, value)
        else:
            lines.append(f"{target} = {rng.choice(STEPS)(rng, current, value)}")
        current = target
    last = current if lines and rng.random() < 0.3 else rng.choice((*STEPS, *ENDS))(rng, current, value)
    return FunctionBody((*lines, f"return {last}"), {name: repr(value)}, size=_size(value))


def _split_and_join(rng: Random) -> FunctionBody:
    """Words with a separator between them, which are split and joined."""
    name, parts, separator = rng.choice(NAMES), rng.choice(("parts", "words", "xs")), rng.choice(SEPARATORS)
    words = [random_word(rng)[: rng.choice((3, 4, 5))] for _ in range(rng.choice((1, 2, 2, 3)))]
    value = separator.join(words)[:MAX_LENGTH]
    split = f"{name}.split({'' if separator == ' ' and rng.random() < 0.5 else repr(separator)})"
    other = rng.choice([one for one in ("+", "/", "", "-") if one != separator])
    end = rng.choice((f"{other!r}.join({{}})", f"{other!r}.join({{}})", "{}[0]", "{}[-1]", "{}", "len({})", "{}[::-1]"))
    if rng.random() < 0.4:
        return FunctionBody((f"return {end.format(split)}",), {name: repr(value)}, size=_size(value))
    return FunctionBody((f"{parts} = {split}", f"return {end.format(parts)}"), {name: repr(value)}, size=_size(value))


def _padded(rng: Random) -> FunctionBody:
    """A string with spaces around it, which are stripped."""
    name = rng.choice(NAMES)
    value = " " * rng.randint(0, 2) + random_word(rng)[: MAX_LENGTH - 4] + " " * rng.randint(0, 2)
    end = rng.choice(("", "", ".upper()", "[0]", "[::-1]"))
    strip = f"{name}.{rng.choice(('strip', 'strip', 'lstrip', 'rstrip'))}(){end}"
    return FunctionBody((f"return {strip}",), {name: repr(value)}, size=_size(value))


def character_list(rng: Random) -> FunctionBody:
    """The list of the characters of a string, which is changed, searched or joined."""
    name, value = rng.choice(NAMES), random_word(rng)
    chars = rng.choice(("chars", "xs", "lst"))
    lines = [f"{chars} = list({name})"]
    lines += [list_step(rng, chars, value) for _ in range(rng.choice((0, 1, 1, 2)))]
    if rng.random() < 0.3 and len(value) <= MAX_LOOPED_LENGTH:
        lines += _character_loop(rng, chars, value)
        return FunctionBody(tuple(lines), {name: repr(value)}, size=_size(value))
    ends = (chars, f"''.join({chars})", f"'-'.join({chars})", f"len({chars})", f"{chars}[::-1]", f"sorted({chars})")
    return FunctionBody((*lines, f"return {rng.choice(ends)}"), {name: repr(value)}, size=_size(value))


def _size(value: str) -> str:
    return "1 letter" if len(value) == 1 else f"{len(value)} letters"


def _of(rng: Random, value: str) -> str:
    """A letter, most often one of the string."""
    return rng.choice(value) if value and rng.random() < 0.75 else rng.choice(ascii_lowercase)


def _part(rng: Random, value: str) -> str:
    """One letter, or two adjacent letters of the string."""
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


# Steps that give a string; and steps that give something else and therefore end a function.
STEPS: tuple[StringStep, ...] = (_replace, _replace, _slice, _slice, _strip, _upper, _upper, _joined, _added)
ENDS: tuple[StringStep, ...] = (_find, _find, _contains, _contains, _count, _starts, _length)


def _branch(rng: Random, target: str, name: str, value: str) -> list[str]:
    condition = rng.choice((_contains, _starts))(rng, name, value)
    lines = [f"if {condition}:", f"    {target} = {rng.choice(STEPS)(rng, name, value)}", "else:"]
    return [*lines, f"    {target} = {rng.choice((name, rng.choice(STEPS)(rng, name, value)))}"]


def list_step(rng: Random, chars: str, value: str) -> str:
    """A change of the list of characters. It does not raise if the list is about as long as `value`."""
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
    # The characters of a string of two letters may be gone after two steps, and an empty list has no item to set.
    return rng.choice(shapes if len(value) > 2 else shapes[:3])


def _character_loop(rng: Random, chars: str, value: str) -> list[str]:
    """A loop over the characters, with or without their indices."""
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
