"""Values for the arguments of a call: shaped like samples, like an annotation, or like neither.

Strings are built of what the program itself mentions, of separators, case, Unicode and whitespace. Annotations are
read as syntax; no program is run and nothing foreign is evaluated.
"""

from __future__ import annotations

import ast
import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from hypothesis import strategies as st

from rewrite.equivalence.constants import Ideas
from rewrite.equivalence.literal_templates import Expression, Template, makers, with_bases
from rewrite.equivalence.special_values import has_while, is_extreme

Strategy = st.SearchStrategy[Any]
SEPARATORS = [" ", ",", ".", "-", "_", "|", "/", ":", ";", "\n", "\t", "  ", ", ", "=", "'", '"', "\\"]
UNUSUAL = ["é", "É", "e\u0301", "ß", "İ", "ǆ", "٣", "²", "\u00a0", "\x1c", "日", "😀", "\x00"]
OFF_TYPE: list[object] = [None, True, 0, -1, 1.0, "", "a", b"a", [], ["a"], ("a", "b"), {}, {"a": 1}, {1}, [1, 2]]
WIDE = [7, 8, 10, 16, 31, 64, 97, 99, 100, 121, 128, 255, 256, 1000, 1024, -10, -50, -99, *range(-999, 1000, 37)]
FUNCTIONS = [Expression(text) for text in ("abs", "str", "bool", "len", "lambda *given: given")]
SLICES = [Expression(text) for text in ("slice(1, None)", "slice(None, 2)", "slice(None, None, -1)", "slice(0, 9, 2)")]
TYPING = {"List": "list", "Dict": "dict", "Tuple": "tuple", "Set": "set", "FrozenSet": "frozenset", "Text": "str"}


@dataclass(frozen=True)
class Words:
    """What a program mentions: the raw material of its inputs."""

    texts: tuple[str, ...]
    numbers: tuple[int, ...]
    floats: tuple[float, ...] = ()
    patterns: tuple[str, ...] = ()
    # For each class of the program, expressions that make an instance of it or of a subclass.
    makers: Mapping[str, Sequence[Template]] = field(default_factory=lambda: MappingProxyType({}))
    depth: int = 2  # how many instances may be made inside one another
    extremes: bool = True  # whether nan, infinite and huge floats may be drawn

    @staticmethod
    def of(tree: ast.AST, seeds: Iterable[object] = ()) -> Words:
        """All constants of a program, also computed ones, its regular expressions, and what sample values hold."""
        ideas = Ideas.of(tree)
        found: list[object] = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)]
        found += [leaf for seed in (*seeds, *ideas.values) for leaf in leaves(seed)]
        texts = dict.fromkeys(value for value in found if isinstance(value, str) and len(value) <= 40)
        numbers = dict.fromkeys(value for value in found if type(value) is int)
        fractions = dict.fromkeys(value for value in found if type(value) is float and math.isfinite(value))
        return Words(
            tuple(texts), tuple(numbers), tuple(fractions), ideas.patterns, _makers(tree), extremes=not has_while(tree)
        )


def _makers(tree: ast.AST) -> dict[str, list[Template]]:
    classes = {node.name: node for node in getattr(tree, "body", ()) if isinstance(node, ast.ClassDef)}
    found: dict[str, list[Template]] = {}
    for owner in classes.values():
        made = makers(owner, classes)
        for base in with_bases(owner, classes):
            found.setdefault(base.name, []).extend(made)
    return found


def leaves(value: object) -> Iterator[object]:
    """The plain values inside a literal."""
    if isinstance(value, dict):
        value = list(itertools.chain.from_iterable(value.items()))
    if isinstance(value, list | tuple | set | frozenset):
        for item in value:
            yield from leaves(item)
    else:
        yield value


def texts(words: Words) -> Strategy:
    """Strings: one character repeated or varied, or a few pieces in a row, each from the program or from outside."""
    variants = ((word, word.upper(), word.lower(), word[:1], word[1:]) for word in words.texts)
    own = [word for word in dict.fromkeys(itertools.chain.from_iterable(variants)) if word]
    plain = ["a", "b", "A", "ab", "1", "x y"]
    piece = st.sampled_from(_mixed(plain + own, own or plain, SEPARATORS, UNUSUAL))
    pieces = st.lists(piece, max_size=6).map("".join)
    few_letters = st.text("aAb1 ", max_size=9)
    # What the program looks for character by character (brackets, vowels, digits), long enough to nest and repeat.
    looked_for = {letter for word in words.texts for letter in word if letter.isprintable()}
    letters = st.text(sorted(looked_for) or "abA", max_size=20)
    shaped = st.tuples(pieces | letters, st.sampled_from([_mirrored, _doubled, _digits])).map(lambda it: it[1](it[0]))
    if words.patterns:  # as often as all the rest: few texts match by chance
        matching = st.one_of([st.from_regex(pattern, fullmatch=True) for pattern in words.patterns])
        pieces = pieces | matching | matching
    return pieces | st.sampled_from(["", *words.texts]) | few_letters | st.sampled_from(own or plain) | letters | shaped


def _mirrored(text: str) -> str:
    return text + text[-2::-1]


def _doubled(text: str) -> str:
    return text * 2


def _digits(text: str) -> str:
    return "".join(str(ord(letter) % 10) for letter in text)


def _mixed(*groups: Sequence[Any]) -> list[Any]:
    """All members, each group as often as the others: one draw instead of one for the group and one for the member."""
    most = max(map(len, groups))
    return [group[place % len(group)] for place in range(most) for group in groups]


def integers(words: Words, seen: Sequence[int] = ()) -> Strategy:
    """Small numbers, those next to what the program and its inputs mention, and some a thousand times as large."""
    near = sorted({n + d for n in (*words.numbers, *seen) for d in (-1, 0, 1)}, key=lambda n: (abs(n), n < 0))
    reach = 2 * max([10, *map(abs, seen)])
    around = range(-min(reach, 100), min(reach, 100) + 1)
    return st.sampled_from(_mixed([0, 1, 2, 3, 4, 5, -1, -2], around, near or [0, 1], around, WIDE))


def floats(words: Words) -> Strategy:
    """Common and odd ones, and those next to what the program mentions."""
    near = [value + step for value in words.floats for step in (0.0, 0.125, -0.125)]
    edges = [0.0, -0.0, 0.5, 1.0, -1.5, 1e16, 0.1, float("inf"), float("nan"), *near]
    edge = st.sampled_from([value for value in edges if words.extremes or not is_extreme(value)])
    return edge | st.integers(-1000, 1000).map(lambda n: n / 8)


def like(values: Sequence[object], words: Words) -> Strategy:
    """Values of the shapes that these have, and changed copies of them. `values` is not empty."""
    by_type: dict[type, list[Any]] = {}
    for value in values:
        by_type.setdefault(type(value), []).append(value)
    return st.one_of([_like_type(kind, group, words) for kind, group in by_type.items()])


def _like_type(kind: type, group: list[Any], words: Words) -> Strategy:
    if kind is bool:
        return st.booleans()
    if kind is int:
        return integers(words, group)
    if kind is float:
        return floats(words) | st.sampled_from(group)
    if kind is str:
        edited = st.sampled_from(group).flatmap(lambda text: _edited(list(text), list("aA ,")))
        return texts(words) | edited.map("".join)
    if kind in (list, tuple, set, frozenset):
        return _like_sequence(kind, group, words)
    if kind is dict:
        return _like_dict(group, words)
    return st.sampled_from(group)  # None, bytes, complex, Ellipsis: as they are


def _like_sequence(kind: type, group: list[Any], words: Words) -> Strategy:
    members = list(itertools.chain.from_iterable(group))
    if kind is tuple and len({len(value) for value in group}) == 1:
        return st.tuples(*[like(column, words) for column in zip(*group, strict=True)])
    element = like(members, words) if members else integers(words) | texts(words)
    fresh = st.lists(element, max_size=5) | st.lists(element, min_size=2, max_size=12)
    if kind in (set, frozenset):
        return fresh.map(kind)
    return (fresh | st.sampled_from(group).flatmap(lambda value: _edited(list(value), members))).map(kind)


def _like_dict(group: list[Any], words: Words) -> Strategy:
    keys = [key for value in group for key in value]
    held = [item for value in group for item in value.values()]
    value = like(held, words) if held else integers(words) | texts(words)
    fresh = st.dictionaries(like(keys, words) if keys else texts(words), value, max_size=4)
    edited = (
        st.sampled_from(group).flatmap(lambda known: _edited(list(known.items()), list(group[0].items()))).map(dict)
    )
    changed = st.tuples(edited, st.dictionaries(st.sampled_from(keys), value, max_size=2)) if keys else None
    return fresh | edited | (changed.map(lambda pair: pair[0] | pair[1]) if changed is not None else edited)


@st.composite
def _edited(draw: st.DrawFn, items: list[Any], spare: list[Any]) -> list[Any]:
    """A copy with a few items dropped, doubled, moved or replaced."""
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


def parts(value: object, kind: type) -> list[object]:
    """What a program might look for in a value: texts in it, numbers in it, its length and places.

    >>> parts("ab", str), parts([5, 6], int)
    (['ab', 'a', 'b', 'a', 'b'], [5, 6, 2, 1])
    """
    found = [leaf for leaf in leaves(value) if type(leaf) is kind]
    if kind is str and isinstance(value, str):
        return [value, value[:1], value[-1:], value[: len(value) // 2], value[len(value) // 2 :]]
    if kind is int and isinstance(value, str | list | tuple | dict | set):
        return [*found, len(value), len(value) - 1]
    return [*found]


def annotated(node: ast.expr | None, words: Words) -> Strategy | None:
    """Values of an annotation, or None where it says nothing that is known here."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return annotated(_parsed(node.value), words)
    if isinstance(node, ast.Constant) and node.value is None:
        return st.none()
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return _union([node.left, node.right], words)
    if isinstance(node, ast.Subscript):
        inside = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        return _generic(_name(node.value), inside, words)
    return _generic(_name(node), [], words)


def _parsed(text: str) -> ast.expr | None:
    try:
        return ast.parse(text, mode="eval").body
    except SyntaxError:
        return None


def _name(node: ast.expr | None) -> str:
    name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
    return TYPING.get(name, name)


def _union(nodes: Sequence[ast.expr], words: Words) -> Strategy | None:
    known = [strategy for node in nodes if (strategy := annotated(node, words)) is not None]
    return st.one_of(known) if known else None


def _generic(name: str, inside: list[ast.expr], words: Words) -> Strategy | None:
    plain: dict[str, Callable[[], Strategy]] = {
        "int": lambda: integers(words),
        "str": lambda: texts(words),
        "bool": st.booleans,
        "float": lambda: floats(words),
        "bytes": lambda: st.sampled_from([b"", b"a", b"ab\x00"]),
        "None": st.none,
        "object": lambda: anything(words),
        "Any": lambda: anything(words),
        "Callable": lambda: st.sampled_from(FUNCTIONS),
        "slice": lambda: st.sampled_from(SLICES),
    }
    if name in plain:
        return plain[name]()
    if name in words.makers:
        return instances(name, words)
    if name == "Literal":
        return st.sampled_from([node.value for node in inside if isinstance(node, ast.Constant)] or [None])
    if name in ("Optional", "Union"):
        known = _union(inside, words)
        return known if known is None or name == "Union" else st.none() | known
    element = _known(inside[:1], words, integers(words) | texts(words) | st.sampled_from([None, True, 1.0, 0]))
    if name in ("list", "Sequence", "Iterable", "Collection", "MutableSequence"):
        return st.lists(element, max_size=6)
    if name in ("set", "frozenset"):
        return st.lists(element, max_size=5).map(set if name == "set" else frozenset)
    if name == "tuple":
        return _tuples(inside, element, words)
    if name in ("dict", "Mapping", "MutableMapping"):
        key = element if inside else texts(words)
        return st.dictionaries(key, _known(inside[1:], words, integers(words) | st.none()), max_size=4)
    return None


def instances(name: str, words: Words) -> Strategy | None:
    """Instances of a class of the program, or of its subclasses; None where they are nested too deeply."""
    if not words.depth:
        return None
    inner = replace(words, depth=words.depth - 1)
    return st.one_of([_instance(known, inner) for known in words.makers[name]]) if words.makers[name] else None


def _instance(known: Template, words: Words) -> Strategy:
    described = [annotated(annotation, words) for annotation in known.annotations]
    # Most classes are made of numbers; a row of values of unlike types only makes most methods raise.
    numbers = [integers(words) if strategy is None else strategy for strategy in described]
    mixed = [anything(words) if strategy is None else strategy for strategy in described]
    filled = st.tuples(*numbers) if numbers == mixed else st.tuples(*numbers) | st.tuples(*numbers) | st.tuples(*mixed)
    return filled.map(lambda values: Expression(known.filled(values)))


def _known(inside: Sequence[ast.expr], words: Words, otherwise: Strategy) -> Strategy:
    """Values of the first of these annotations, or others where there is none or it says nothing known."""
    described = annotated(inside[0], words) if inside else None
    return otherwise if described is None else described


def _tuples(inside: list[ast.expr], element: Strategy, words: Words) -> Strategy:
    endless = len(inside) == 2 and isinstance(inside[1], ast.Constant) and inside[1].value is Ellipsis
    if not inside or endless:
        return st.lists(element, max_size=5).map(tuple)
    return st.tuples(*[_known([node], words, integers(words)) for node in inside])


def anything(words: Words) -> Strategy:
    """Values for a parameter of which nothing is known."""
    number, text = integers(words), texts(words)
    kinds = [number, text, st.lists(number, max_size=5), st.lists(text, max_size=4), st.sampled_from(OFF_TYPE)]
    return st.sampled_from(kinds).flatmap(lambda kind: kind)  # and not one_of, to which a kind of six kinds is six
