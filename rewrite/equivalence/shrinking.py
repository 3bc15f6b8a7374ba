"""Shrinking of counterexamples: from a call on which two programs differ to a simpler one with the same difference.

It simplifies the literals of the call and tries many candidates per process. Hypothesis shrinks only values that it
generated itself; this module also shrinks calls that the user gave. `python bench/compare_shrinkers.py` compares the
two.
"""

from __future__ import annotations

import itertools
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from rewrite.equivalence.call_templates import items_of, sequence_template

Complexity = tuple[int, int]


def leaf_values(value: object) -> Iterator[object]:
    """Yield the scalar values inside nested containers."""
    if isinstance(value, dict):
        value = list(itertools.chain.from_iterable(value.items()))
    if isinstance(value, list | tuple | set | frozenset):
        for item in items_of(value):
            yield from leaf_values(item)
    else:
        yield value


def shrink(call: str, shows: Callable[[list[str]], str | None], seconds: float) -> str:
    """Return the simplest call found within a time limit.

    Args:
        call: The call to simplify.
        shows: A function that returns the first of some calls, simplest first, that shows the difference, or None.
        seconds: The time limit.

    Returns:
        The simplest call; `call` itself if no simpler one shows the difference.
    """
    end = time.monotonic() + seconds
    call = _fewer_steps(call, shows)
    _, known = sequence_template(call)
    values = known.values
    while time.monotonic() < end:
        every = itertools.chain(variants(values), joint_variants(values))
        simpler = [candidate for candidate in every if complexity(candidate) < complexity(values)]
        texts = {known.fill(candidate): candidate for candidate in sorted(simpler, key=complexity)}
        found = shows(list(texts))
        if found is None:
            break
        values = texts[found]
    return known.fill(values) if values != known.values else call


def _fewer_steps(call: str, shows: Callable[[list[str]], str | None]) -> str:
    """Remove the steps of a sequence that the difference does not need."""
    while True:
        steps, _ = sequence_template(call)
        if len(steps) == 1:
            return call
        fewer = [steps[:place] + steps[place + 1 :] for place in range(len(steps))]
        found = shows([text for part in fewer for text in _joined(part)])
        if found is None:
            return call
        call = found


def _joined(steps: Sequence[str]) -> list[str]:
    """The steps joined to a sequence; a single assignment is no call and gives none."""
    return ["; ".join(steps)] if len(steps) > 1 or "=" not in steps[0].partition("(")[0] else []


def variants(values: Sequence[Any]) -> Iterator[tuple[Any, ...]]:
    """Yield the values with one of them simplified."""
    for place, value in enumerate(values):
        for candidate in simplified(value):
            yield (*values[:place], candidate, *values[place + 1 :])


def joint_variants(values: Sequence[Any]) -> Iterator[tuple[Any, ...]]:
    """Yield the values with a repeated part simplified everywhere: `f([5], 5)` becomes `f([0], 0)`.

    >>> next(joint_variants(([5, 6], 5)))
    ([0, 6], 0)
    """
    found = Counter((type(leaf), leaf) for leaf in leaf_values(values) if isinstance(leaf, int | str))
    for (kind, old), count in found.items():
        if count > 1:
            yield from (_replaced(tuple(values), kind, old, new) for new in simplified(old))


def _replaced(value: Any, kind: type, old: object, new: object) -> Any:
    if type(value) is kind and value == old:
        return new
    if isinstance(value, list | tuple | set | frozenset):
        return type(value)(_replaced(item, kind, old, new) for item in value)
    if isinstance(value, dict):
        return {_replaced(key, kind, old, new): _replaced(held, kind, old, new) for key, held in value.items()}
    return value


def simplified(value: Any) -> Iterator[Any]:
    """Yield values one step simpler: fewer parts, numbers closer to zero, characters replaced by "a".

    >>> list(simplified("b!"))
    ['', '!', 'b', 'a!', 'ba']
    """
    if isinstance(value, bool):
        yield False
    elif isinstance(value, int):
        yield from (0, value // 2 if value > 0 else -(-value // 2), value - 1 if value > 0 else value + 1, abs(value))
    elif isinstance(value, float):
        yield from (0.0, 1.0, *([float(round(value))] if abs(value) < 1e9 else []))
    elif isinstance(value, complex):
        yield from (0j, complex(value.real, 0.0), complex(0.0, value.imag), complex(1.0, 1.0))
    elif isinstance(value, str):
        yield from ("".join(part) for part in sublists(list(value)))
        yield from (value[:i] + "a" + value[i + 1 :] for i in range(min(len(value), 40)))
    elif isinstance(value, bytes):
        yield from (bytes(part) for part in sublists(list(value)))
    elif isinstance(value, list | tuple | set | frozenset):
        items = items_of(value)
        yield from map(type(value), (*sublists(items), *variants(items), *merged_neighbours(items)))
    elif isinstance(value, dict):
        keys, held = list(value), list(value.values())
        yield from (dict(part) for part in sublists(list(value.items())))
        yield from (dict(zip(keys, part, strict=True)) for part in variants(held))
        yield from (dict(zip(part, held, strict=True)) for part in variants(keys))


def sublists(items: list[Any]) -> Iterator[list[Any]]:
    """Yield the list without slices of decreasing size: first empty, then without single items (of the first 40)."""
    size = len(items)
    while size:
        for start in range(0, min(len(items), 40 * size), size):
            yield items[:start] + items[start + size :]
        size //= 2


def merged_neighbours(items: list[Any]) -> Iterator[list[Any]]:
    """Yield the list with two neighbouring integers replaced by their sum."""
    for place in range(len(items) - 1):
        if type(items[place]) is type(items[place + 1]) is int:
            yield [*items[:place], items[place] + items[place + 1], *items[place + 2 :]]


def complexity(value: Any) -> Complexity:
    """The complexity of a value: its number of parts and characters, then their distance from 0 and "a"."""
    if isinstance(value, str):
        return len(value) + 1, sum(map(_rank, value))
    if isinstance(value, dict):
        value = list(value.items())
    if isinstance(value, list | tuple | set | frozenset):
        parts = [complexity(item) for item in value]
        return 1 + sum(size for size, _ in parts), sum(rank for _, rank in parts)
    if isinstance(value, bytes):
        return len(value) + 1, sum(value)
    if isinstance(value, int):
        return 1, 2 * abs(value) + (value < 0)
    if isinstance(value, float):
        return 1, 0 if value == 0 else 4 if value == nearest_integer(value) else 8
    if isinstance(value, complex):
        return 1, 1 + sum(rank for _, rank in map(complexity, (value.real, value.imag)))
    return 1, 0


def nearest_integer(value: float) -> float:
    """The nearest integer; 0 for infinity and nan."""
    return float(round(value)) if abs(value) < 1e15 else 0.0


def _rank(character: str) -> int:
    return 0 if character == "a" else 1 if "b" <= character <= "z" else 2 if character.isascii() else 3
