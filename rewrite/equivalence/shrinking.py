"""From a call on which two programs differ to the simplest one that shows the same difference.

Works on the literals of the call; candidates are tried many at a time, as one process runs them. A library's shrinker
works on what it generated itself, and the calls that a benchmark gives are not; here both are alike. Which of the two
gives smaller calls sooner is measured by `python bench/compare_shrinkers.py`.
"""

from __future__ import annotations

import itertools
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from rewrite.equivalence.argument_strategies import leaves
from rewrite.equivalence.literal_templates import sequence

Sizes = tuple[int, int]


def shrink(call: str, shows: Callable[[list[str]], str | None], seconds: float) -> str:
    """The simplest call found within a time; `call` itself if it has no literals or nothing simpler shows it.

    shows: given calls, simplest first, the first of them that shows the difference.
    """
    end = time.monotonic() + seconds
    call = _fewer_steps(call, shows)
    _, known = sequence(call)
    values = known.values
    while time.monotonic() < end:
        every = itertools.chain(variants(values), together(values))
        simpler = [candidate for candidate in every if weight(candidate) < weight(values)]
        texts = {known.filled(candidate): candidate for candidate in sorted(simpler, key=weight)}
        found = shows(list(texts))
        if found is None:
            return known.filled(values) if values != known.values else call
        values = texts[found]
    return known.filled(values) if values != known.values else call


def _fewer_steps(call: str, shows: Callable[[list[str]], str | None]) -> str:
    """The sequence without the steps that it does not need."""
    while True:
        steps, _ = sequence(call)
        if len(steps) == 1:
            return call
        fewer = [steps[:place] + steps[place + 1 :] for place in range(len(steps))]
        found = shows([text for part in fewer for text in _written(part)])
        if found is None:
            return call
        call = found


def _written(steps: Sequence[str]) -> list[str]:
    """Steps as a sequence; a single one that makes something for nobody is no call."""
    return ["; ".join(steps)] if len(steps) > 1 or "=" not in steps[0].partition("(")[0] else []


def variants(values: Sequence[Any]) -> Iterator[tuple[Any, ...]]:
    """The values with one of them simplified."""
    for place, value in enumerate(values):
        for candidate in simplified(value):
            yield (*values[:place], candidate, *values[place + 1 :])


def together(values: Sequence[Any]) -> Iterator[tuple[Any, ...]]:
    """The values with what stands in several places simplified in all of them: `f([5], 5)` to `f([0], 0)`.

    >>> next(together(([5, 6], 5)))
    ([0, 6], 0)
    """
    found = Counter((type(leaf), leaf) for leaf in leaves(values) if isinstance(leaf, int | str))
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
    """Values one step simpler: parts left out, numbers nearer to zero, letters nearer to "a".

    >>> list(simplified("b!"))
    ['', '!', 'b', 'a!', 'ba']
    """
    if isinstance(value, bool):
        yield False
    elif isinstance(value, int):
        yield from (0, value // 2 if value > 0 else -(-value // 2), value - 1 if value > 0 else value + 1, abs(value))
    elif isinstance(value, float):
        yield from (0.0, 1.0, *([float(round(value))] if abs(value) < 1e9 else []))
    elif isinstance(value, str):
        yield from ("".join(part) for part in shorter(list(value)))
        yield from (value[:i] + "a" + value[i + 1 :] for i in range(min(len(value), 40)))
    elif isinstance(value, bytes):
        yield from (bytes(part) for part in shorter(list(value)))
    elif isinstance(value, list | tuple | set | frozenset):
        yield from (type(value)(part) for part in (*shorter(list(value)), *variants(list(value)), *added(list(value))))
    elif isinstance(value, dict):
        keys, held = list(value), list(value.values())
        yield from (dict(part) for part in shorter(list(value.items())))
        yield from (dict(zip(keys, part, strict=True)) for part in variants(held))
        yield from (dict(zip(part, held, strict=True)) for part in variants(keys))


def shorter(items: list[Any]) -> Iterator[list[Any]]:
    """Nothing, then ever smaller parts left out, down to single ones (of the first forty)."""
    size = len(items)
    while size:
        for start in range(0, min(len(items), 40 * size), size):
            yield items[:start] + items[start + size :]
        size //= 2


def added(items: list[Any]) -> Iterator[list[Any]]:
    """Two neighbouring numbers made one, which keeps their sum."""
    for place in range(len(items) - 1):
        if type(items[place]) is type(items[place + 1]) is int:
            yield [*items[:place], items[place] + items[place + 1], *items[place + 2 :]]


def weight(value: Any) -> Sizes:
    """How complex a value is: its parts and characters, then how far those are from 0 and "a"."""
    if isinstance(value, str):
        return len(value) + 1, sum(map(_rank, value))
    if isinstance(value, dict):
        value = list(value.items())
    if isinstance(value, list | tuple | set | frozenset):
        parts = [weight(item) for item in value]
        return 1 + sum(size for size, _ in parts), sum(rank for _, rank in parts)
    if isinstance(value, bytes):
        return len(value) + 1, sum(value)
    if isinstance(value, int):
        return 1, 2 * abs(value) + (value < 0)
    if isinstance(value, float):
        return 1, 0 if value == 0 else 4 if value == int_or(value) else 8
    return 1, 0


def int_or(value: float) -> float:
    """The nearest whole number; infinity and not-a-number have none."""
    return float(round(value)) if abs(value) < 1e15 else 0.0


def _rank(character: str) -> int:
    return 0 if character == "a" else 1 if "b" <= character <= "z" else 2 if character.isascii() else 3
