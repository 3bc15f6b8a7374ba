"""Directed inputs: sample calls with input hints as arguments, and the same calls in other forms.

Random values rarely satisfy a condition such as `n == 4711`. Every input hint (`rewrite.equivalence.input_hints`) is
therefore used as every argument that it fits. The result is deterministic. No program is run.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from rewrite.equivalence.call_templates import CallTemplate, Function, call_template, items_of, parsed_expression
from rewrite.equivalence.input_hints import InputHints
from rewrite.equivalence.special_values import is_extreme

AnnotatedPlaces = Callable[[CallTemplate], Sequence[bool]]
SAMPLES: dict[str, list[Any]] = {
    "int": [5, -1],
    "bool": [True, False],
    "float": [1.5, -0.0],
    "complex": [1 + 2j],
    "str": ["ab", ""],
    "bytes": [b"ab"],
    "list": [[1, "a"], []],
    "tuple": [(1, "a"), ()],
    "dict": [{"a": 1}, {}],
    "set": [{1}, set()],
    "frozenset": [frozenset({1})],
    "NoneType": [None],
    "Number": [1.5],
    "Sequence": [(1, 2), [1]],
    "Mapping": [{"a": 1}],
    "Iterable": [{1}, (2,)],
}


def directed_calls(
    bases: Sequence[str], *hints: InputHints, annotated: AnnotatedPlaces = lambda known: [False] * len(known.values)
) -> list[str]:
    """Return sample calls with input hints as arguments.

    Args:
        bases: The sample calls.
        hints: Groups of input hints; calls with hints of an earlier group come first.
        annotated: For each argument of a call, whether it has to keep its type.
    """
    found: dict[str, None] = {}
    shapes = [known for known in map(call_template, bases) if known.values]
    for group in hints:
        streams = [_calls_with_hints(known, group, annotated(known)) for known in shapes]
        found.update(dict.fromkeys(itertools.chain.from_iterable(_round_robin(streams))))
    return [call for call in found if call not in bases]


def _round_robin(streams: Iterable[Iterator[str]]) -> Iterator[list[str]]:
    for row in itertools.zip_longest(*streams):
        yield [call for call in row if call is not None]


def _calls_with_hints(known: CallTemplate, hints: InputHints, annotated: Sequence[bool]) -> Iterator[str]:
    """The call with every hint as every argument; the most likely placements of each hint come first."""

    def placements(place: int, made: Iterator[Any]) -> Iterator[str]:
        old = known.values[place]
        return _calls_with(known, place, (new for new in made if not annotated[place] or has_same_types(new, old)))

    values, places = known.values, range(len(known.values))
    streams = [placements(at, hint_placements(hint, values[at])) for hint in hints.values for at in places]
    streams += [_calls_with(known, at, resized(values[at], length)) for length in hints.lengths for at in places]
    samples = [(at, SAMPLES.get(name, [])) for name in hints.types for at in places if not annotated[at]]
    streams += [_calls_with(known, at, iter(found)) for at, found in samples]
    streams += [placements(at, string_placements(hint, values[at])) for hint in hints.strings for at in places]
    streams += [placements(at, number_placements(hint, values[at])) for hint in hints.numbers for at in places]
    for row in _round_robin(streams):
        yield from row


def retyped_calls(bases: Sequence[str], annotated: AnnotatedPlaces, *, extremes: bool = True) -> list[str]:
    """Return sample calls with one argument, then all arguments, replaced by values of a related type.

    Args:
        bases: The sample calls.
        annotated: For each argument of a call, whether it has to keep its type.
        extremes: Whether infinite and huge floats may be among the values.
    """
    found: dict[str, None] = {}
    for known in map(call_template, bases):
        places = [place for place, fixed in enumerate(annotated(known)) if not fixed]
        others = [[new for new in look_alikes(old) if extremes or not is_extreme(new)] for old in known.values]
        rows = _round_robin(_calls_with(known, place, iter(others[place])) for place in places)
        found.update(dict.fromkeys(itertools.chain.from_iterable(rows)))
        sized = [place for place in places if isinstance(known.values[place], dict | list | tuple | str)]
        for place in sized if len(places) == len(known.values) > 1 else ():
            for whole in ([5, 6], "ab"):  # and as the other arguments an index that is out of range for both
                found[known.fill([whole if at == place else 9 for at in range(len(known.values))])] = None
    return [call for call in found if call not in bases]


def look_alikes(value: Any) -> Iterator[Any]:
    """Yield values of a related type or with equal items, which many programs treat like this one.

    >>> [*look_alikes([3])], [*look_alikes({"a": 1})][:2]
    ([[3, 1, True, 1.0], (3,), [3, 3]], [{'a': None}, {'a': 0}])
    """
    match value:
        case bool():
            yield from (int(value), None)
        case int():
            yield from (True, float(value), None, (value,)) if value.bit_length() < 64 else (None,)
        case float():
            yield from (-0.0, float("nan"), round(value) if abs(value) < 1e15 else 0)
        case list():
            yield from ([*value, 1, True, 1.0], tuple(value), value * 2)
        case tuple():
            yield list(value)
        case dict():
            yield from (dict.fromkeys(value, held) for held in (None, 0, ""))
            yield {**value, None: 1}


def string_placements(hint: str, value: Any) -> Iterator[Any]:
    """Yield a value whose first string ends with, is, begins with or contains `hint`.

    >>> list(string_placements("!", ["ab"]))
    [['ab!'], ['!'], ['!ab'], ['a!b']]
    """
    if isinstance(value, str):
        middle = len(value) // 2
        yield from (value + hint, hint, hint + value, value[:middle] + hint + value[middle:])
    elif isinstance(value, list | tuple) and value:
        yield from (type(value)([inner, *value[1:]]) for inner in string_placements(hint, value[0]))
    elif isinstance(value, dict) and value:
        key, held = next(iter(value.items()))
        rest = dict(list(value.items())[1:])
        yield from ({inner: held, **rest} for inner in string_placements(hint, key))
        yield from ({**value, key: inner} for inner in string_placements(hint, held))


def number_placements(hint: int | float, value: Any) -> Iterator[Any]:
    """Yield a value in which `hint` replaces a number.

    >>> list(number_placements(2.5, [1, 2]))
    [[2.5, 2], [1, 2.5]]
    """
    if isinstance(value, int | float) and not isinstance(value, bool):
        yield float(hint) if isinstance(value, float) else hint
    elif isinstance(value, list | tuple):
        for place in range(min(len(value), 2)):
            made = number_placements(hint, value[place])
            yield from (type(value)([*value[:place], new, *value[place + 1 :]]) for new in made)


def has_same_types(new: Any, old: Any) -> bool:
    """Whether a value has the type of another one, and each of its members that of a member there.

    >>> has_same_types([1], [2, "a"]), has_same_types(["a"], [2]), has_same_types({"a": 1}, {"b": "c"})
    (True, False, False)
    """
    if type(new) is not type(old):
        return False
    if isinstance(new, dict):
        pairs = ((new, old), (new.values(), old.values()))
        return all(any(has_same_types(part, known) for known in there) for parts, there in pairs for part in parts)
    if isinstance(new, list | tuple | set | frozenset):
        sized = not isinstance(new, tuple) or len(new) == len(old)
        return sized and all(any(has_same_types(part, known) for known in old) for part in new)
    return True


def _calls_with(known: CallTemplate, place: int, values: Iterator[Any]) -> Iterator[str]:
    """The call with each of these values as one of its arguments."""
    for value in values:
        yield known.fill([*known.values[:place], value, *known.values[place + 1 :]])


def hint_placements(hint: Any, value: Any) -> Iterator[Any]:
    """Yield variants of an argument that contain or equal a hint, the simplest first.

    >>> list(hint_placements("x", {"a": 1}))[:2]
    [{'a': 1, 'x': 1}, {'x': 1}]
    """
    if isinstance(value, dict):
        yield from _in_a_dict(hint, value)
    elif isinstance(value, list | tuple | set | frozenset):
        yield from _in_a_collection(hint, value)
    elif type(value) is type(hint):
        yield hint
        if isinstance(hint, int | float) and not isinstance(hint, bool):
            yield from (hint + 1, hint - 1)
        if isinstance(hint, str):
            yield from (value + hint, hint + value, hint * 2, hint.swapcase(), hint[:-1])
            yield from (value[:at] + hint + value[at + len(hint) :] for at in range(min(len(value), 8)))
    elif isinstance(value, str) and type(hint) is int:
        yield str(hint)
        yield from resized(value, hint)
    elif isinstance(value, float) and type(hint) is int:
        yield from (float(hint), hint + 0.5)
    else:
        yield hint


def _in_a_dict(hint: Any, value: dict[Any, Any]) -> Iterator[Any]:
    if isinstance(hint, dict):
        yield from ({**value, **hint}, hint)
        return
    held = next(iter(value.values()), 1)
    if _hashable(hint):
        yield from ({**value, hint: held}, {hint: held})
    if value:
        yield {**value, next(iter(value)): hint}
        for inner in itertools.islice(hint_placements(hint, held), 2) if isinstance(held, list | dict | tuple) else ():
            yield {**value, next(iter(value)): inner}


def _in_a_collection(hint: Any, value: Any) -> Iterator[Any]:
    kind, items = type(value), items_of(value)
    fits = kind in (list, tuple) or _hashable(hint)
    if isinstance(hint, list | tuple | set | frozenset):
        yield kind(items_of(hint))
    if fits:
        yield from (kind([*items, hint]), kind([hint]), kind([hint, *items[1:]]))
    if type(hint) is int:
        yield from resized(value, hint)
    if kind in (list, tuple):
        yield from (kind([*items[:at], hint, *items[at + 1 :]]) for at in range(1, min(len(items), 6)))
    if items and isinstance(items[0], list | dict | tuple):
        for inner in itertools.islice(hint_placements(hint, items[0]), 3):
            yield kind([inner, *items[1:]])


def _hashable(hint: Any) -> bool:
    try:
        hash(hint)
    except TypeError:
        return False
    return True


def resized(value: Any, size: int) -> Iterator[Any]:
    """Yield a value cut or repeated to another length; nothing for a value without a length.

    >>> list(resized([1, 2], 5))
    [[1, 2, 1, 2, 1]]
    """
    if not 0 <= size <= 2_000:
        return
    if isinstance(value, str | list | tuple | bytes):
        unit: Any = value or ("a" if isinstance(value, str) else b"a" if isinstance(value, bytes) else type(value)([0]))
        yield (unit * (size // len(unit) + 1))[:size]
    elif isinstance(value, set | frozenset):
        yield type(value)([*items_of(value), *range(size)][:size])
    elif isinstance(value, dict):
        yield dict([*value.items(), *((number, number) for number in range(size))][:size])


def call_forms(call: str, function: Function) -> list[str]:
    """Return a call in other forms: with keywords, without optional arguments, with more and with fewer arguments.

    >>> call_forms("f(1, 2)", ast.parse("def f(a, b=0): ...").body[0])[:4]
    ['f(a=1, b=2)', 'f(b=2, a=1)', 'f(1)', 'f(a=1)']
    """
    tree = parsed_expression(call)
    if not isinstance(tree, ast.Call) or any(isinstance(part, ast.Starred) for part in tree.args):
        return []
    if any(keyword.arg is None for keyword in tree.keywords):
        return []
    found = [ast.unparse(ast.Call(tree.func, *made)) for made in _forms(tree, function.args)]
    return list(dict.fromkeys(text for text in found if text != call.strip()))


def with_reversed_keywords(call: str) -> str:
    """Return a call with the keyword arguments of all calls in it in reverse; "" if that is the same call.

    >>> with_reversed_keywords("A(1, b=2, a=1).m(c=3)"), with_reversed_keywords("f(a=1)")
    ('A(1, a=1, b=2).m(c=3)', '')
    """
    tree = parsed_expression(call)
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)] if tree else []
    several = [node for node in calls if len(node.keywords) > 1]
    for node in several:
        node.keywords.reverse()
    return ast.unparse(tree) if tree and several else ""


_Arguments = tuple[list[ast.expr], list[ast.keyword]]


def _forms(call: ast.Call, known: ast.arguments) -> Iterator[_Arguments]:
    places = [*known.posonlyargs, *known.args]
    given, named = call.args, call.keywords
    count = min(len(given), len(places))
    first = min(len(known.posonlyargs), count)
    by_name = [ast.keyword(places[place].arg, given[place]) for place in range(first, count)]
    if by_name and not known.vararg:
        yield given[:first], [*by_name, *named]
        yield given[:first], [*named, *by_name][::-1]
    optional = {part.arg for part in places[len(places) - len(known.defaults) :]}
    optional |= {part.arg for part, default in zip(known.kwonlyargs, known.kw_defaults, strict=True) if default}
    least = len(places) - len(known.defaults)
    for kept in range(count - 1, least - 1, -1):
        yield given[:kept], [keyword for keyword in named if keyword.arg not in optional]
    if any(keyword.arg in optional for keyword in [*by_name, *named]):
        yield given[:first], [keyword for keyword in [*by_name, *named] if keyword.arg not in optional]
        for left in optional:
            yield given[:first], [keyword for keyword in [*by_name, *named] if keyword.arg != left]
    yield from _extended_forms(call, known, [*by_name, *named])


def _extended_forms(call: ast.Call, known: ast.arguments, keywords: list[ast.keyword]) -> Iterator[_Arguments]:
    """Forms with optional arguments, with arguments for `*args` and `**kwargs`, and with too many or too few."""
    given, named = call.args, call.keywords
    has = {keyword.arg for keyword in keywords}
    places = [*known.posonlyargs, *known.args]
    defaults = [*zip(places[len(places) - len(known.defaults) :], known.defaults, strict=True)]
    others = [(part, held) for part, held in zip(known.kwonlyargs, known.kw_defaults, strict=True) if held]
    for part, held in [*defaults, *others]:
        if part.arg not in has:
            yield from ((given, [*named, ast.keyword(part.arg, value)]) for value in (held, *_other_values(part, held)))
    filled = [*given, *(held for part, held in defaults if part in places[len(given) :])]
    whole = len(filled) >= len(places) and not any(part.arg in {keyword.arg for keyword in named} for part in places)
    sample = given[-1] if given else ast.Constant(1)
    if known.vararg and whole:
        extra = [sample, ast.Constant(2), ast.Constant("c")]
        extra = [ast.Constant(1), ast.Constant(2)] if _has_annotation(known.vararg, "int") else extra
        extra = [ast.Constant("c"), ast.Constant("d")] if _has_annotation(known.vararg, "str") else extra
        yield from (([*filled, *extra[:count]], named) for count in range(1, len(extra) + 1))
        yield given[: len(places)], named
    if known.kwarg and not has & {"q", "p"} and (known.kwarg.annotation is None or _has_annotation(known.kwarg, "int")):
        pair = [ast.keyword("q", ast.Constant(1)), ast.keyword("p", ast.Constant(2))]
        yield given, [*named, *pair]
        yield given, [*named, *pair[::-1]]
    if whole and not known.vararg:
        yield [*filled, sample], named
    yield given[:-1], named
    if not known.kwarg:
        yield given, [*named, ast.keyword("unknown", ast.Constant(0))]


def _other_values(part: ast.arg, held: ast.expr) -> list[ast.expr]:
    """Other values of the type of a scalar default; for a None without an annotation, values that are false as well."""
    match held:
        case ast.Constant(value=bool(value)):
            return [ast.Constant(not value)]
        case ast.Constant(value=int(value) | float(value)):
            return [ast.Constant(value + 1)]
        case ast.Constant(value=str(value)):
            return [ast.Constant(f"{value}a")]
        case ast.Constant(value=None) if part.annotation is None:
            return [ast.List([]), ast.Dict([], []), ast.Constant(0), ast.Constant("")]
        case _:
            return []


def _has_annotation(part: ast.arg, name: str) -> bool:
    return isinstance(part.annotation, ast.Name) and part.annotation.id == name
