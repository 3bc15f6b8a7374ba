"""Arguments of calls: values drawn by type, and variations of given literals."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from random import Random
from string import ascii_letters, ascii_lowercase, digits
from typing import Any

from lab.pocket.words import library_words

SEPARATORS = (" ", " ", ",", "-", "_", ".", "--", ", ", "|", "/", ":", ";", "::", "\n", "\t")
_PUNCTUATION = " .,-_!?#@/:;*+()[]=&%$"
_EVERYDAY = ("hello", "world", "python", "apple", "banana", "cat", "dog", "test", "abc", "xyz")


def word(rng: Random) -> str:
    """A word or up to eight random characters, sometimes capitalized or in upper case."""
    chance = rng.random()
    if chance < 0.08:
        text = rng.choice(_EVERYDAY)
    elif chance < 0.55:
        text = rng.choice(library_words())
    else:
        alphabet = ascii_lowercase if rng.random() < 0.7 else ascii_letters + digits
        text = "".join(rng.choices(rng.sample(alphabet, 3) if rng.random() < 0.3 else alphabet, k=rng.randint(1, 8)))
    style = rng.random()
    return text.upper() if style < 0.08 else text.capitalize() if style < 0.2 else text


def string(rng: Random) -> str:
    """A string: a word, words with a separator, or random characters."""
    chance = rng.random()
    if chance < 0.35:
        return word(rng)
    if chance < 0.62:
        return rng.choice(SEPARATORS).join(word(rng) for _ in range(rng.randint(2, 4)))
    if chance < 0.8:
        alphabet = ascii_letters + digits + _PUNCTUATION
        return "".join(rng.choices(alphabet, k=rng.randint(0, 14)))
    if chance < 0.87:
        return "".join(rng.choices(digits, k=rng.randint(1, 8)))
    if chance < 0.92:
        return " " * rng.randint(0, 3) + word(rng) + " " * rng.randint(0, 3)
    few = rng.sample(ascii_letters + digits + _PUNCTUATION, rng.randint(2, 5))
    return "".join(rng.choices(few, k=rng.randint(1, 12)))


def integer(rng: Random) -> int:
    """An integer, small more often."""
    chance = rng.random()
    if chance < 0.5:
        return rng.randint(0, 5)
    return (
        rng.randint(-10, 20) if chance < 0.85 else rng.randint(-99, 150) if chance < 0.95 else rng.randint(-5000, 10**5)
    )


def _list(item: Callable[[Random], Any], longest: int) -> Callable[[Random], Any]:
    return lambda rng: [item(rng) for _ in range(rng.randint(0 if rng.random() < 0.2 else 1, longest))]


def _dict(value: Callable[[Random], Any]) -> Callable[[Random], Any]:
    return lambda rng: {word(rng): value(rng) for _ in range(rng.randint(0 if rng.random() < 0.2 else 1, 4))}


VALUES: Mapping[str, Callable[[Random], Any]] = {
    "s": string,
    "i": integer,
    "b": lambda rng: rng.random() < 0.5,
    "f": lambda rng: rng.choice((rng.randint(-20, 60) / 4, round(rng.uniform(-10, 30), 2), float(rng.randint(0, 9)))),
    "L": _list(integer, 6),
    "S": _list(word, 5),
    "D": _dict(integer),
    "E": _dict(lambda rng: rng.choice((word, string))(rng)),
    "M": _list(_list(integer, 3), 3),
    "P": _list(lambda rng: (word(rng), integer(rng)), 3),
    "G": _dict(_list(integer, 3)),
    "Z": lambda rng: {integer(rng) for _ in range(rng.randint(0, 4))},
    "T": lambda rng: tuple(integer(rng) for _ in range(rng.randint(1, 4))),
}
"""A value by type: s string, i integer, b bool, f float, L integers, S strings, D strings to integers, E strings to
strings, M lists of integers, P pairs of string and integer, G strings to lists of integers, Z set of integers, T tuple
of integers."""


def varied_call(call: str, rng: Random) -> str:
    """The call with one or more of its literal arguments varied; the call itself if it has none."""
    tree = ast.parse(call, mode="eval")
    inner = next((node for node in ast.walk(tree) if isinstance(node, ast.Call) and (node.args or node.keywords)), None)
    if inner is None:
        return call
    places: list[tuple[Any, Any, ast.expr]] = [(inner.args, place, node) for place, node in enumerate(inner.args)]
    places += [(vars(keyword), "value", keyword.value) for keyword in inner.keywords]
    for holder, key, node in rng.sample(places, rng.randint(1, len(places))):
        try:
            holder[key] = ast.parse(repr(varied(ast.literal_eval(node), rng)), mode="eval").body
        except (ValueError, TypeError, MemoryError, SyntaxError):  # not a literal
            continue
    return ast.unparse(tree)


def varied(value: Any, rng: Random) -> Any:
    """A value of the same type and similar size."""
    if isinstance(value, bool) or value is None:
        return value if rng.random() < 0.5 else not value
    if isinstance(value, int):
        return rng.choice((value, value + rng.randint(-3, 3), rng.randint(0, 2 * abs(value) + 3), integer(rng)))
    if isinstance(value, float):
        return round(rng.choice((value, value * rng.uniform(0, 2), value + rng.randint(-2, 2))), 3)
    if isinstance(value, str):
        return _varied_string(value, rng)
    if isinstance(value, list | tuple | set | frozenset):
        return type(value)(_varied_items(list(value), rng))
    if isinstance(value, dict):
        return {varied(key, rng): varied(item, rng) for key, item in value.items()}
    return value


def _varied_items(items: list[Any], rng: Random) -> list[Any]:
    items = [varied(item, rng) if rng.random() < 0.6 else item for item in items]
    chance = rng.random()
    if items and chance < 0.2:
        items.pop(rng.randrange(len(items)))
    elif items and chance < 0.4:
        items.insert(rng.randrange(len(items) + 1), varied(rng.choice(items), rng))
    elif chance < 0.55:
        rng.shuffle(items)
    return items


def _varied_string(text: str, rng: Random) -> str:
    """Characters of the same classes, the same characters in another order, or another word."""
    chance = rng.random()
    if chance < 0.25 and text.isalpha() and len(text) > 2:
        return word(rng)
    if chance < 0.5:
        return "".join(rng.sample(text, len(text)))
    return "".join(rng.choice(text) if rng.random() < 0.4 else _similar(char, rng) for char in text)


def _similar(char: str, rng: Random) -> str:
    if char.isdigit() and char.isascii():
        return rng.choice(digits)
    if char.isalpha() and char.isascii():
        letter = rng.choice(ascii_lowercase)
        return letter.upper() if char.isupper() else letter
    return char
