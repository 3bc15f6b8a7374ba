"""Hypothesis strategies for the arguments of a call.

A strategy is derived from sample values, from the parameter's annotation, or from the constants of the program.
Strings combine the program's own strings with separators, case changes, Unicode and whitespace. Annotations are read
as syntax trees. No program is run.
"""

from __future__ import annotations

import ast
import itertools
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from hypothesis import strategies as st

from rewrite.equivalence.call_templates import (
    CallTemplate,
    SourceExpression,
    class_and_bases,
    instance_templates,
    items_of,
    last_name,
    parsed_expression,
)
from rewrite.equivalence.input_hints import InputHints
from rewrite.equivalence.shrinking import leaf_values
from rewrite.equivalence.special_values import has_while, is_extreme

Strategy = st.SearchStrategy[Any]
SEPARATORS = [" ", ",", ".", "-", "_", "|", "/", ":", ";", "\n", "\t", "  ", ", ", "=", "'", '"', "\\"]
UNUSUAL = ["é", "É", "e\u0301", "ß", "İ", "ǆ", "٣", "²", "\u00a0", "\x1c", "日", "😀", "\x00"]
OTHER_TYPES: list[object] = [None, True, 0, -1, 1.0, "", "a", b"a", [], ["a"], ("a", "b"), {}, {"a": 1}, {1}, [1, 2]]
_BYTES = st.binary(max_size=6)
WIDE = [7, 8, 10, 16, 31, 64, 97, 99, 100, 121, 128, 255, 256, 1000, 1024, -10, -50, -99, *range(-999, 1000, 37)]
FUNCTIONS = [SourceExpression(text) for text in ("abs", "str", "bool", "len", "lambda *given: given")]
_SLICES = ("slice(1, None)", "slice(None, 2)", "slice(None, None, -1)", "slice(0, 9, 2)")
SLICES = [SourceExpression(text) for text in _SLICES]
TYPING = {"List": "list", "Dict": "dict", "Tuple": "tuple", "Set": "set", "FrozenSet": "frozenset", "Text": "str"}


@dataclass(frozen=True)
class ConstantPool:
    """Constants of a program, from which its inputs are built.

    Attributes:
        strings: Strings of at most 40 characters.
        integers: Integers.
        floats: Finite floats.
        patterns: Regular expressions.
        constructors: For each class of the program, expressions that create an instance of it or of a subclass.
        max_depth: How deeply such instances may be nested in one another.
        extremes: Whether infinite and huge floats may be drawn.
    """

    strings: tuple[str, ...]
    integers: tuple[int, ...]
    floats: tuple[float, ...] = ()
    patterns: tuple[str, ...] = ()
    constructors: Mapping[str, Sequence[CallTemplate]] = field(default_factory=lambda: MappingProxyType({}))
    max_depth: int = 2
    extremes: bool = True

    @staticmethod
    def of(tree: ast.AST, seeds: Iterable[object] = ()) -> ConstantPool:
        """Collect the literals, folded constants and regular expressions of a program, and the parts of `seeds`."""
        hints = InputHints.of(tree)
        found: list[object] = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)]
        found += [leaf for seed in (*seeds, *hints.values) for leaf in leaf_values(seed)]
        strings = dict.fromkeys(value for value in found if isinstance(value, str) and len(value) <= 40)
        integers = dict.fromkeys(value for value in found if type(value) is int)
        floats = dict.fromkeys(value for value in found if type(value) is float and math.isfinite(value))
        constants = tuple(strings), tuple(integers), tuple(floats)
        return ConstantPool(*constants, hints.patterns, _constructors(tree), extremes=not has_while(tree))


def _constructors(tree: ast.AST) -> dict[str, list[CallTemplate]]:
    """Expressions that create instances, by the name of the class and of each base class."""
    classes = {node.name: node for node in getattr(tree, "body", ()) if isinstance(node, ast.ClassDef)}
    found: dict[str, list[CallTemplate]] = {}
    for owner in classes.values():
        templates = instance_templates(owner, classes)
        for base in class_and_bases(owner, classes):
            found.setdefault(base.name, []).extend(templates)
    return found


def strings(pool: ConstantPool) -> Strategy:
    """Strings: one character repeated or varied, or a few pieces in a row, from the program or from outside."""
    variants = ((word, word.upper(), word.lower(), word[:1], word[1:]) for word in pool.strings)
    own = [word for word in dict.fromkeys(itertools.chain.from_iterable(variants)) if word]
    plain = ["a", "b", "A", "ab", "1", "x y"]
    piece = st.sampled_from(_interleaved(plain + own, own or plain, SEPARATORS, UNUSUAL))
    pieces = st.lists(piece, max_size=6).map("".join)
    few_characters = st.text("aAb1 ", max_size=9)
    # Characters that the program may compare with (brackets, vowels, digits), in strings long enough to nest them.
    compared = {character for word in pool.strings for character in word if character.isprintable()}
    mixed = st.text(sorted(compared) or "abA", max_size=20)
    shaped = st.tuples(pieces | mixed, st.sampled_from([_mirrored, _doubled, _digits])).map(lambda it: it[1](it[0]))
    if pool.patterns:  # as often as all other strings together: few strings match by chance
        matching = st.one_of([st.from_regex(pattern, fullmatch=True) for pattern in pool.patterns])
        pieces = pieces | matching | matching
    whole = st.sampled_from(["", *pool.strings])
    return pieces | whole | few_characters | st.sampled_from(own or plain) | mixed | shaped


def _mirrored(string: str) -> str:
    return string + string[-2::-1]


def _doubled(string: str) -> str:
    return string * 2


def _digits(string: str) -> str:
    return "".join(str(ord(character) % 10) for character in string)


def _interleaved(*groups: Sequence[Any]) -> list[Any]:
    """All members, each group equally often: a single draw replaces one for the group and one for the member."""
    longest = max(map(len, groups))
    return [group[place % len(group)] for place in range(longest) for group in groups]


def integers(pool: ConstantPool, seen: Sequence[int] = ()) -> Strategy:
    """Small integers, neighbours of integers of the program and of its inputs, and some up to 1,000."""
    near = sorted({n + d for n in (*pool.integers, *seen) for d in (-1, 0, 1)}, key=lambda n: (abs(n), n < 0))
    reach = 2 * max([10, *map(abs, seen)])
    around = range(-min(reach, 100), min(reach, 100) + 1)
    return st.sampled_from(_interleaved([0, 1, 2, 3, 4, 5, -1, -2], around, near or [0, 1], around, WIDE))


def floats(pool: ConstantPool) -> Strategy:
    """Common floats, special floats, and neighbours of floats of the program."""
    near = [value + step for value in pool.floats for step in (0.0, 0.125, -0.125)]
    edges = [0.0, -0.0, 0.5, 1.0, -1.5, 1e16, 0.1, float("inf"), float("nan"), *near]
    edge = st.sampled_from([value for value in edges if pool.extremes or not is_extreme(value)])
    return edge | st.integers(-1000, 1000).map(lambda n: n / 8)


def complexes(pool: ConstantPool) -> Strategy:
    """Complex numbers with such floats as parts, often without one of the parts."""
    part = st.just(0.0) | floats(pool)
    return st.builds(complex, part, part)


def similar_values(values: Sequence[object], pool: ConstantPool) -> Strategy:
    """Values of the same types and shapes as samples, and edited copies of samples.

    Args:
        values: The samples, at least one.
        pool: Constants of the program.
    """
    by_type: dict[type, list[Any]] = {}
    for value in values:
        by_type.setdefault(type(value), []).append(value)
    return st.one_of([_similar_of_type(kind, group, pool) for kind, group in by_type.items()])


def _similar_of_type(kind: type, group: list[Any], pool: ConstantPool) -> Strategy:
    if kind is bool:
        return st.booleans()
    if kind is int:
        return integers(pool, group)
    if kind is float:
        return floats(pool) | st.sampled_from(group)
    if kind is complex:
        return complexes(pool) | st.sampled_from(group)
    if kind is str:
        return strings(pool) | _edits(group, list("aA ,")).map("".join)
    if kind in (list, tuple, set, frozenset):
        return _similar_sequences(kind, group, pool)
    if kind is dict:
        return _similar_dicts(group, pool)
    if kind is bytes:
        return _BYTES | _edits(group, list(b"aA ,\x00\x80\xff")).map(bytes)
    return st.sampled_from(group)  # None, Ellipsis: unchanged


def _similar_sequences(kind: type, group: list[Any], pool: ConstantPool) -> Strategy:
    members = list(itertools.chain.from_iterable(map(items_of, group)))
    if kind is tuple and len({len(value) for value in group}) == 1:
        return st.tuples(*[similar_values(column, pool) for column in zip(*group, strict=True)])
    element = similar_values(members, pool) if members else integers(pool) | strings(pool)
    fresh = st.lists(element, max_size=5) | st.lists(element, min_size=2, max_size=12)
    if kind in (set, frozenset):
        return fresh.map(kind)
    return (fresh | _edits(group, members)).map(kind)


def _similar_dicts(group: list[Any], pool: ConstantPool) -> Strategy:
    keys = [key for value in group for key in value]
    items = [item for value in group for item in value.values()]
    value = similar_values(items, pool) if items else integers(pool) | strings(pool)
    fresh = st.dictionaries(similar_values(keys, pool) if keys else strings(pool), value, max_size=4)
    spare = list(group[0].items())
    edited = _edits([known.items() for known in group], spare).map(dict)
    if not keys:
        return fresh | edited | edited
    changed = st.tuples(edited, st.dictionaries(st.sampled_from(keys), value, max_size=2))
    return fresh | edited | changed.map(lambda pair: pair[0] | pair[1])


def _edits(group: Sequence[Iterable[Any]], spare: list[Any]) -> Strategy:
    """Lists of the items of one of some values, edited; `spare` holds replacements."""
    return st.sampled_from(group).flatmap(lambda value: _edited(list(value), spare))


@st.composite
def _edited(draw: st.DrawFn, items: list[Any], spare: list[Any]) -> list[Any]:
    """A copy of `items` after up to three random edits; `spare` holds replacements."""
    items = list(items)
    for _ in range(draw(st.integers(0, 3))):
        if not items:
            break
        place = draw(st.integers(0, len(items) - 1))
        match draw(st.sampled_from(["drop", "cut", "double", "reverse", "replace", "sort"])):
            case "drop":
                del items[place]
            case "cut":
                del items[place:]
            case "double":
                items.insert(place, items[place])
            case "reverse":
                items.reverse()
            case "sort":
                items.sort(key=repr)
            case "replace" if spare:
                items[place] = draw(st.sampled_from(spare))
    return items


def searchable_parts(value: object, kind: type) -> list[object]:
    """Values of a type that a program might search for in a value: members, substrings, its length, its last index.

    >>> searchable_parts("ab", str), searchable_parts([5, 6], int)
    (['ab', 'a', 'b', 'a', 'b'], [5, 6, 2, 1])
    """
    found = [leaf for leaf in leaf_values(value) if type(leaf) is kind]
    if kind is str and isinstance(value, str):
        return [value, value[:1], value[-1:], value[: len(value) // 2], value[len(value) // 2 :]]
    if kind is int and isinstance(value, str | list | tuple | dict | set):
        return [*found, len(value), len(value) - 1]
    return [*found]


def values_of_annotation(node: ast.expr | None, pool: ConstantPool) -> Strategy | None:
    """Values that match an annotation.

    Returns:
        A strategy, or None if the annotation is missing or not supported.
    """
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return values_of_annotation(parsed_expression(node.value), pool)
    if isinstance(node, ast.Constant) and node.value is None:
        return st.none()
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return _union([node.left, node.right], pool)
    if isinstance(node, ast.Subscript):
        inside = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        return _generic(_name(node.value), inside, pool)
    return _generic(_name(node), [], pool)


def _name(node: ast.expr | None) -> str:
    return TYPING.get(last_name(node), last_name(node))


def _union(nodes: Sequence[ast.expr], pool: ConstantPool) -> Strategy | None:
    known = [strategy for node in nodes if (strategy := values_of_annotation(node, pool)) is not None]
    return st.one_of(known) if known else None


def _generic(name: str, inside: list[ast.expr], pool: ConstantPool) -> Strategy | None:
    plain: dict[str, Callable[[], Strategy]] = {
        "int": lambda: integers(pool),
        "str": lambda: strings(pool),
        "bool": st.booleans,
        "float": lambda: floats(pool),
        "complex": lambda: complexes(pool),
        "bytes": lambda: _BYTES,
        "None": st.none,
        "object": lambda: unannotated_values(pool),
        "Any": lambda: unannotated_values(pool),
        "Callable": lambda: st.sampled_from(FUNCTIONS),
        "slice": lambda: st.sampled_from(SLICES),
    }
    if name in plain:
        return plain[name]()
    if name in pool.constructors:
        return class_instances(name, pool)
    if name == "Literal":
        return st.sampled_from([node.value for node in inside if isinstance(node, ast.Constant)] or [None])
    if name in ("Optional", "Union"):
        known = _union(inside, pool)
        return known if known is None or name == "Union" else st.none() | known
    unknown = integers(pool) | strings(pool) | st.sampled_from([None, True, 1.0, 0])
    element = _of_first_annotation(inside[:1], pool, unknown)
    if name in ("list", "Sequence", "Iterable", "Collection", "MutableSequence"):
        return st.lists(element, max_size=6)
    if name in ("set", "frozenset"):
        return st.lists(element, max_size=5).map(set if name == "set" else frozenset)
    if name == "tuple":
        return _tuples(inside, element, pool)
    if name in ("dict", "Mapping", "MutableMapping"):
        key = element if inside else strings(pool)
        value = _of_first_annotation(inside[1:], pool, integers(pool) | st.none())
        return st.dictionaries(key, value, max_size=4)
    return None


def class_instances(name: str, pool: ConstantPool) -> Strategy | None:
    """Instances of a class of the program or of its subclasses.

    Returns:
        A strategy, or None if no constructor is known or the maximum depth is reached.
    """
    if not pool.max_depth or not pool.constructors[name]:
        return None
    inner = replace(pool, max_depth=pool.max_depth - 1)
    return st.one_of([_instance(template, inner) for template in pool.constructors[name]])


def _instance(template: CallTemplate, pool: ConstantPool) -> Strategy:
    described = [values_of_annotation(annotation, pool) for annotation in template.annotations]
    # Most constructors take numbers. Arguments of mixed types make most methods raise.
    numbers = [integers(pool) if strategy is None else strategy for strategy in described]
    mixed = [unannotated_values(pool) if strategy is None else strategy for strategy in described]
    filled = st.tuples(*numbers) if numbers == mixed else st.tuples(*numbers) | st.tuples(*numbers) | st.tuples(*mixed)
    return filled.map(lambda values: SourceExpression(template.fill(values)))


def _of_first_annotation(inside: Sequence[ast.expr], pool: ConstantPool, otherwise: Strategy) -> Strategy:
    """Values of the first annotation; `otherwise` if there is none or it is not supported."""
    described = values_of_annotation(inside[0], pool) if inside else None
    return otherwise if described is None else described


def _tuples(inside: list[ast.expr], element: Strategy, pool: ConstantPool) -> Strategy:
    endless = len(inside) == 2 and isinstance(inside[1], ast.Constant) and inside[1].value is Ellipsis
    if not inside or endless:
        return st.lists(element, max_size=5).map(tuple)
    return st.tuples(*[_of_first_annotation([node], pool, integers(pool)) for node in inside])


def unannotated_values(pool: ConstantPool) -> Strategy:
    """Values for a parameter without an annotation or a sample."""
    number, string = integers(pool), strings(pool)
    kinds = [number, string, st.lists(number, max_size=5), st.lists(string, max_size=4), st.sampled_from(OTHER_TYPES)]
    return st.sampled_from(kinds).flatmap(lambda kind: kind)  # one_of would flatten nested unions and skew the odds
