"""Readable names for the temporaries of a finished rewrite: `characters`, `pieces`, `index`, `text_count`.

A name says what the calls showed in the variable, else what computes it. Two temporaries with the same words share a
variable if they are not live at the same time; otherwise the second one gets a number. A temporary that a nested
function, a generator expression or a `del` mentions keeps its name. The caller counts what the names cost.
"""

from __future__ import annotations

import ast
import tokenize
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from io import StringIO
from itertools import chain, count

import libcst as cst

from analyze.gold_trace.trace import Trace
from corpora.literals import literal_value
from rewrite.analysis.legality import read_locals
from rewrite.anf.name_hints import words
from rewrite.anf.names import TEMPORARY, ModuleNames
from rewrite.passes.cleanup.temporaries import (
    AnyFunction,
    Renames,
    apply_renames,
    functions_with_locals,
    own_nodes,
)
from rewrite.passes.cleanup.temporary_reuse import LiveIntervals

Observed = Mapping[str, Sequence[object]]
"""By name of a temporary, its values in traces, without those whose repr is not a literal."""
_NUMBERS = (int, float, complex)
_NOUNS = {bool: "flag", int: "number", str: "part", list: "items", set: "items", tuple: "group", dict: "table"}
"""Brief names: one word by type, which costs no more tokens than `_t0`."""


def observed_temporaries(traces: Iterable[Trace]) -> Observed:
    """The values of temporaries that the states of traces show."""
    shown: dict[str, dict[str, None]] = {}
    for name, text in (pair for trace in traces for frame in trace.frames for pair in frame.state or ()):
        if text != ".." and TEMPORARY.fullmatch(name):
            shown.setdefault(name, {})[text] = None
    return {name: list(_literals(texts)) for name, texts in shown.items()}


def _literals(texts: Iterable[str]) -> Iterator[object]:
    for text in texts:
        try:
            yield literal_value(text)
        except ValueError:
            continue


def changes_type(observed: Observed) -> bool:
    """Whether a temporary has values of different types; None is of every type, and all numbers are of one.

    >>> changes_type({"_t0": ["a", None]}), changes_type({"_t0": ["a b", ["a", "b"]]})
    (False, True)
    """
    return any(len({_kind(value) for value in values if value is not None}) > 1 for values in observed.values())


def _kind(value: object) -> type:
    return int if isinstance(value, _NUMBERS) and not isinstance(value, bool) else type(value)


def name_temporaries(text: str, observed: Observed, *, brief: bool = False) -> str:
    """The source with readable names for temporaries; its lines stay the same.

    >>> before = "def f(a):\\n    _t0 = list(a)\\n    _t1 = _t0.index('b')\\n    return _t1 - 3\\n"
    >>> print(name_temporaries(before, {"_t0": [["a", "b"]]}), end="")
    def f(a):
        characters = list(a)
        characters_index = characters.index('b')
        return characters_index - 3

    Args:
        text: The source, in which temporaries do not share names.
        observed: The values of its temporaries.
        brief: Whether a value is named by its type, in one word, and not by the expression that computes it.
    """
    renames: Renames = {}
    tree = ast.parse(text)
    taken = ModuleNames(" ".join(_identifiers(text, tree)), readable=True).taken
    for node, variables in functions_with_locals(tree, read_locals(text)):
        renames |= _Naming(node, observed, brief).renames(taken, variables.renamable)
    return apply_renames(text, renames)


def _identifiers(text: str, tree: ast.Module) -> Iterator[str]:
    """The names in the source, without words of strings and comments."""
    for token in tokenize.generate_tokens(StringIO(text).readline):
        if token.type == tokenize.NAME:
            yield token.string
    for node in ast.walk(tree):  # in f-strings, which are strings to `tokenize` before Python 3.12
        if isinstance(node, ast.Name):
            yield node.id


class _Naming:
    """Names the temporaries of one function."""

    def __init__(self, function: AnyFunction, observed: Observed, brief: bool) -> None:
        self._lives, self._definitions = LiveIntervals.of(function), _definitions(function)
        self._observed, self._brief = observed, brief
        self._named: dict[str, str] = {}

    def renames(self, taken: frozenset[str], renamable: Iterable[str]) -> Renames:
        busy: dict[str, int] = defaultdict(lambda: -1)  # until when
        found: Renames = {}
        lives = {name: life for name, life in self._lives.found.items() if name not in self._lives.pinned}
        for old, life in sorted(lives.items(), key=lambda item: item[1].first):
            if old not in renamable:
                continue
            base = _identifier(self._words(old))
            numbered = chain([base], (f"{base}_{number}" for number in count(2)))
            new = self._named[old] = next(name for name in numbered if name not in taken and busy[name] < life.first)
            busy[new] = life.last
            found |= {(name.lineno, name.col_offset): (old, new) for name in life.mentions}
        return found

    def _words(self, old: str) -> str:
        values, definitions = self._observed.get(old, ()), self._definitions[old]
        loops = [one.iter for one in definitions if isinstance(one, ast.For)]
        if loops:
            return _of_loop(loops, values)
        if found := _of_list(values) or _of_constant(definitions):
            return found
        kinds = {_kind(value) for value in values if value is not None}
        return _NOUNS.get(kinds.pop(), "value") if self._brief and len(kinds) == 1 else self._of_expression(definitions)

    def _of_expression(self, definitions: Sequence[Definition]) -> str:
        assigned = [one for one in definitions if isinstance(one, ast.expr)]
        best = next(filter(_is_computed, assigned), assigned[0] if assigned else None)
        if best is None or self._brief:
            return "value"
        text = TEMPORARY.sub(lambda found: self._named.get(found[0], found[0]), ast.unparse(best))
        match best:
            case ast.Call(func=ast.Attribute(value=ast.Constant(value=str()), attr="join")):
                return "joined"
            case ast.Subscript(value=ast.Name(), slice=ast.Slice(None, None, ast.UnaryOp(ast.USub(), ast.Constant(1)))):
                return f"reversed_{text.partition('[')[0]}"
        return words(cst.parse_expression(text))


def _identifier(base: str) -> str:
    return next(name for name in (base, f"value_{base}", "value") if name.isidentifier())


Definition = ast.expr | ast.AugAssign | ast.For | None
"""What gives a variable a value: an assigned expression, an augmented assignment, a loop; None for anything else."""


def _definitions(function: AnyFunction) -> dict[str, list[Definition]]:
    found: dict[str, list[Definition]] = defaultdict(list)
    for node in own_nodes(function):
        match node:
            case ast.Assign(value=value):
                for target in node.targets:
                    _add(found, target, value if isinstance(target, ast.Name) else None)
            case ast.AugAssign(target=ast.Name(id=name)):
                found[name].append(node)
            case ast.For(target=target):
                _add(found, target, node)
    return found


def _add(found: dict[str, list[Definition]], target: ast.expr, how: Definition) -> None:
    for node in ast.walk(target):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found[node.id].append(how)


def _of_loop(loops: Sequence[ast.expr], values: Sequence[object]) -> str:
    if values and all(isinstance(value, str) for value in values):
        return "character" if all(len(str(value)) == 1 for value in values) else "piece"
    whole = bool(values) and all(type(value) is int for value in values)
    counted = any(isinstance(one, ast.Call) and _name(one.func) in ("range", "enumerate") for one in loops)
    return "index" if whole and counted else "item"


def _of_constant(definitions: Sequence[Definition]) -> str:
    """The word for a variable that begins with a constant or an empty list: what the next statements make of it."""
    first, *others = definitions or [None]
    steps = [one.value for one in others if isinstance(one, ast.AugAssign)]
    match first:
        case ast.List(elts=[]):
            return "items"
        case ast.Constant(value=bool(start)) if not any(map(_is_computed, others)):
            return "holds" if start else "found"
        case ast.Constant(value=bool()):
            return ""
        case ast.Constant(value=int()) if steps:
            return "count" if all(isinstance(one, ast.Constant) for one in steps) else "total"
        case ast.Constant(value=str()) if others:
            return "joined"
    return ""


def _of_list(values: Sequence[object]) -> str:
    items = [item for value in values if isinstance(value, list) for item in value]
    if not items or not all(isinstance(value, list) for value in values):
        return ""
    if not all(isinstance(item, str) for item in items):
        return ""
    return "characters" if all(len(str(item)) == 1 for item in items) else "pieces"


def _is_computed(one: Definition) -> bool:
    return isinstance(one, ast.expr) and not isinstance(one, ast.Constant)


def _name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else ""
