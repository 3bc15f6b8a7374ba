"""Inputs that the texts of two programs suggest: their constants put into known calls, and other forms of the calls.

Hypothesis varies what it is shown; to meet `n == 4711` it has to be told. Every idea (`rewrite.equivalence.constants`)
is put in every place of a call that it fits, those first that only one of the programs has. Nothing is run and nothing
random.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from rewrite.equivalence.constants import Ideas
from rewrite.equivalence.literal_templates import Template, template
from rewrite.equivalence.special_values import is_extreme

Strict = Callable[[Template], Sequence[bool]]
Function = ast.FunctionDef | ast.AsyncFunctionDef
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


def directed(
    bases: Sequence[str], *ideas: Ideas, strict: Strict = lambda known: [False] * len(known.values)
) -> list[str]:
    """Calls like `bases` with ideas in their places: the first group of ideas before the second.

    strict: for each place of a call, whether only values of the type that is there may be put into it.
    """
    found: dict[str, None] = {}
    shapes = [known for known in map(template, bases) if known.values]
    for group in ideas:
        streams = [
            _placed(known, group, strict(known) if strict is not None else [False] * len(known.values))
            for known in shapes
        ]
        found.update(dict.fromkeys(itertools.chain.from_iterable(_in_turn(streams))))
    return [call for call in found if call not in bases]


def _in_turn(streams: Iterable[Iterator[str]]) -> Iterator[list[str]]:
    for row in itertools.zip_longest(*streams):
        yield [call for call in row if call is not None]


def _placed(known: Template, ideas: Ideas, strict: Sequence[bool]) -> Iterator[str]:
    """The call with every idea in every place, the likeliest forms of each idea first."""
    places = range(len(known.values))
    streams = [
        _filled(known, place, _allowed(fitting(idea, known.values[place]), known.values[place], strict[place]))
        for idea in ideas.values
        for place in places
    ]
    streams += [
        _filled(known, place, resized(known.values[place], length)) for length in ideas.lengths for place in places
    ]
    streams += [
        _filled(known, place, iter(SAMPLES.get(name, [])))
        for name in ideas.types
        for place in places
        if not strict[place]
    ]
    streams += [
        _filled(known, place, _allowed(embedded(idea, known.values[place]), known.values[place], strict[place]))
        for idea in ideas.strings
        for place in places
    ]
    streams += [
        _filled(known, place, _allowed(in_place_of(idea, known.values[place]), known.values[place], strict[place]))
        for idea in ideas.numbers
        for place in places
    ]
    for row in _in_turn(streams):
        yield from row


def reshaped(bases: Sequence[str], strict: Strict, *, extremes: bool = True) -> list[str]:
    """Calls like `bases` with values of another type that often pass for the one there, one at a time; then of all.

    extremes: whether nan, infinite and huge floats may be among them.
    """
    found: dict[str, None] = {}
    for known in map(template, bases):
        places = [place for place, fixed in enumerate(strict(known)) if not fixed]
        rows = _in_turn(
            _filled(
                known, place, (value for value in passing_for(known.values[place]) if extremes or not is_extreme(value))
            )
            for place in places
        )
        found.update(dict.fromkeys(itertools.chain.from_iterable(rows)))
        sized = [place for place in places if isinstance(known.values[place], dict | list | tuple | str)]
        for place in sized if len(places) == len(known.values) > 1 else ():
            for whole in ([5, 6], "ab"):  # with an index that is in neither
                found[known.filled([whole if at == place else 9 for at in range(len(known.values))])] = None
    return [call for call in found if call not in bases]


def passing_for(value: Any) -> Iterator[Any]:
    """Values that often pass for this one, and differ in what few programs look at.

    >>> [*passing_for([3])], [*passing_for({"a": 1})][:2]
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
        case _:
            return


def embedded(idea: str, value: Any) -> Iterator[Any]:
    """A value with a string at the end, instead, at the start or inside of the first string in it.

    >>> list(embedded("!", ["ab"]))
    [['ab!'], ['!'], ['!ab'], ['a!b']]
    """
    if isinstance(value, str):
        middle = len(value) // 2
        yield from (value + idea, idea, idea + value, value[:middle] + idea + value[middle:])
    elif isinstance(value, list | tuple) and value:
        yield from (type(value)([inner, *value[1:]]) for inner in embedded(idea, value[0]))
    elif isinstance(value, dict) and value:
        key, held = next(iter(value.items()))
        rest = dict(list(value.items())[1:])
        yield from ({inner: held, **rest} for inner in embedded(idea, key))
        yield from ({**value, key: inner} for inner in embedded(idea, held))


def in_place_of(idea: int | float, value: Any) -> Iterator[Any]:
    """A value with a number in the place of the first number in it; a float only where that is none, or a whole one.

    >>> list(in_place_of(2.5, [1, 2]))
    [[2.5, 2], [1, 2.5]]
    """
    if isinstance(value, int | float) and not isinstance(value, bool):
        yield float(idea) if isinstance(value, float) else idea
    elif isinstance(value, list | tuple):
        for place in range(min(len(value), 2)):
            yield from (
                type(value)([*value[:place], new, *value[place + 1 :]]) for new in in_place_of(idea, value[place])
            )


def _allowed(values: Iterator[Any], old: Any, strict: bool) -> Iterator[Any]:
    return (value for value in values if not strict or alike(value, old))


def alike(new: Any, old: Any) -> bool:
    """Whether a value has the type of another, and everything in it that of something there.

    >>> alike([1], [2, "a"]), alike(["a"], [2]), alike({"a": 1}, {"b": "c"})
    (True, False, False)
    """
    if type(new) is not type(old):
        return False
    if isinstance(new, dict):
        pairs = ((new, old), (new.values(), old.values()))
        return all(any(alike(part, known) for known in there) for parts, there in pairs for part in parts)
    if isinstance(new, list | tuple | set | frozenset):
        sized = not isinstance(new, tuple) or len(new) == len(old)
        return sized and all(any(alike(part, known) for known in old) for part in new)
    return True


def _filled(known: Template, place: int, values: Iterator[Any]) -> Iterator[str]:
    """The call with each of these values in one place."""
    for value in values:
        yield known.filled([*known.values[:place], value, *known.values[place + 1 :]])


def fitting(idea: Any, value: Any) -> Iterator[Any]:
    """What a place that holds a value might hold for an idea, the plainest first.

    >>> list(fitting("x", {"a": 1}))[:2]
    [{'a': 1, 'x': 1}, {'x': 1}]
    """
    if isinstance(value, dict):
        yield from _in_a_dict(idea, value)
    elif isinstance(value, list | tuple | set | frozenset):
        yield from _in_a_collection(idea, value)
    elif type(value) is type(idea):
        yield idea
        if isinstance(idea, int | float) and not isinstance(idea, bool):
            yield from (idea + 1, idea - 1)
        if isinstance(idea, str):
            yield from (value + idea, idea + value, idea * 2, idea.swapcase(), idea[:-1])
            yield from (value[:at] + idea + value[at + len(idea) :] for at in range(min(len(value), 8)))
    elif isinstance(value, str) and type(idea) is int:
        yield str(idea)
        yield from resized(value, idea)
    elif isinstance(value, float) and type(idea) is int:
        yield from (float(idea), idea + 0.5)
    else:
        yield idea


def _in_a_dict(idea: Any, value: dict[Any, Any]) -> Iterator[Any]:
    if isinstance(idea, dict):
        yield from ({**value, **idea}, idea)
        return
    held = next(iter(value.values()), 1)
    if _hashable(idea):
        yield from ({**value, idea: held}, {idea: held})
    if value:
        yield {**value, next(iter(value)): idea}
        for inner in itertools.islice(fitting(idea, held), 2) if isinstance(held, list | dict | tuple) else ():
            yield {**value, next(iter(value)): inner}


def _in_a_collection(idea: Any, value: Any) -> Iterator[Any]:
    kind, items = type(value), list(value)
    fits = kind in (list, tuple) or _hashable(idea)
    if isinstance(idea, list | tuple | set | frozenset):
        yield kind(idea)
    if fits:
        yield from (kind([*items, idea]), kind([idea]), kind([idea, *items[1:]]))
    if type(idea) is int:
        yield from resized(value, idea)
    if kind in (list, tuple):
        yield from (kind([*items[:at], idea, *items[at + 1 :]]) for at in range(1, min(len(items), 6)))
    if items and isinstance(items[0], list | dict | tuple):
        for inner in itertools.islice(fitting(idea, items[0]), 3):
            yield kind([inner, *items[1:]])


def _hashable(idea: Any) -> bool:
    try:
        hash(idea)
    except TypeError:
        return False
    return True


def resized(value: Any, size: int) -> Iterator[Any]:
    """The value, cut or repeated, with another length; nothing for what has none.

    >>> list(resized([1, 2], 5))
    [[1, 2, 1, 2, 1]]
    """
    if not 0 <= size <= 2_000:
        return
    if isinstance(value, str | list | tuple | bytes):
        unit: Any = value or ("a" if isinstance(value, str) else b"a" if isinstance(value, bytes) else type(value)([0]))
        yield (unit * (size // len(unit) + 1))[:size]
    elif isinstance(value, set | frozenset):
        yield type(value)([*value, *range(size)][:size])
    elif isinstance(value, dict):
        yield dict([*value.items(), *((number, number) for number in range(size))][:size])


def forms(call: str, function: Function) -> list[str]:
    """The same call made otherwise: by keyword, without what has a default, with more and with fewer arguments.

    >>> forms("f(1, 2)", ast.parse("def f(a, b=0): ...").body[0])[:4]
    ['f(a=1, b=2)', 'f(b=2, a=1)', 'f(1)', 'f(a=1)']
    """
    try:
        tree = ast.parse(call.strip(), mode="eval").body
    except SyntaxError:
        return []
    if not isinstance(tree, ast.Call) or any(isinstance(part, ast.Starred) for part in tree.args):
        return []
    if any(keyword.arg is None for keyword in tree.keywords):
        return []
    found = [ast.unparse(ast.Call(tree.func, *made)) for made in _forms(tree, function.args)]
    return list(dict.fromkeys(text for text in found if text != call.strip()))


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
    yield from _more(call, known, [*by_name, *named])


def _more(call: ast.Call, known: ast.arguments, keywords: list[ast.keyword]) -> Iterator[_Arguments]:
    """With more than the call has: what has a default, what stars take; and what should not be accepted."""
    given, named = call.args, call.keywords
    has = {keyword.arg for keyword in keywords}
    places = [*known.posonlyargs, *known.args]
    defaults = [*zip(places[len(places) - len(known.defaults) :], known.defaults, strict=True)]
    others = [(part, held) for part, held in zip(known.kwonlyargs, known.kw_defaults, strict=True) if held]
    for part, held in [*defaults, *others]:
        if part.arg not in has:
            yield from ((given, [*named, ast.keyword(part.arg, value)]) for value in (held, *_beside(held)))
    filled = [*given, *(held for part, held in defaults if part in places[len(given) :])]
    whole = len(filled) >= len(places) and not any(part.arg in {keyword.arg for keyword in named} for part in places)
    sample = given[-1] if given else ast.Constant(1)
    if known.vararg and whole:
        extra = [sample, ast.Constant(2), ast.Constant("c")]
        extra = [ast.Constant(1), ast.Constant(2)] if _means(known.vararg, "int") else extra
        extra = [ast.Constant("c"), ast.Constant("d")] if _means(known.vararg, "str") else extra
        yield from (([*filled, *extra[:count]], named) for count in range(1, len(extra) + 1))
        yield given[: len(places)], named
    if known.kwarg and (known.kwarg.annotation is None or _means(known.kwarg, "int")):
        pair = [ast.keyword("q", ast.Constant(1)), ast.keyword("p", ast.Constant(2))]
        yield given, [*named, *pair]
        yield given, [*named, *pair[::-1]]
    if whole and not known.vararg:
        yield [*filled, sample], named
    yield given[:-1], named
    if not known.kwarg:
        yield given, [*named, ast.keyword("unknown", ast.Constant(0))]


def _beside(held: ast.expr) -> list[ast.expr]:
    """Another value of a default's type, where that is plain."""
    match held:
        case ast.Constant(value=bool(value)):
            return [ast.Constant(not value)]
        case ast.Constant(value=int(value) | float(value)):
            return [ast.Constant(value + 1)]
        case ast.Constant(value=str(value)):
            return [ast.Constant(f"{value}a")]
        case _:
            return []


def _means(part: ast.arg, name: str) -> bool:
    return isinstance(part.annotation, ast.Name) and part.annotation.id == name
