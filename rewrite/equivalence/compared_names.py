"""Selection of the globals that are compared: a snapshot without the names that a rewrite may add or remove.

A rewrite may add names that the original does not use (temporaries, helpers, a cache) and remove unused imports. All
other globals of a module are compared. It works on serialized snapshots only.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from corpora.literals import nested_tables, symbols
from corpora.program import Outcome
from corpora.sandbox.reporting.protocol import MODULE_NAME
from corpora.sandbox.values.value_kinds import is_special
from rewrite.equivalence.aliasing import is_numbered

CACHE_TYPE = "functools._lru_cache_wrapper"
_REFLECTION = re.compile(r"\b(globals|vars|getattr|exec|eval|__dict__|modules)\b")
_CACHE_DECORATORS = re.compile(r"\b(lru_cache|functools\.cache|import cache)\b")
_CODE_KINDS = ("function", "class")
_FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef


class NameFilter:
    """Removes from the outcomes of two programs the names that are not compared. Both programs must parse."""

    def __init__(self, before: str, after: str) -> None:
        self._mentioned = module_names(before)
        trees = ast.parse(before), ast.parse(after)
        self._caches = bool(_CACHE_DECORATORS.search(after)) and not _CACHE_DECORATORS.search(before)
        words = set(re.findall(r"\w+", before))
        functions = [node for node in trees[0].body if isinstance(node, _FUNCTIONS)]
        self._plain = {node.name for node in functions if not node.decorator_list}
        self._added = {
            node.name
            for owner in ast.walk(trees[1])
            if isinstance(owner, ast.ClassDef)
            for node in owner.body
            # A special method changes what instances do, though nothing calls it by its name.
            if isinstance(node, _FUNCTIONS) and node.name not in words and not is_special(node.name)
        }

    def filtered(self, before: Outcome, after: Outcome, *, loaded: bool) -> tuple[Outcome, Outcome]:
        """Return both outcomes without the names that are not compared.

        Args:
            before: The outcome of the original.
            after: The outcome of the rewritten program.
            loaded: Whether the outcomes describe loading the modules, with all globals.
        """
        left = {name for name in after.globals if name not in before.globals and name not in self._mentioned}
        left |= {name for name in after.globals if name not in before.globals and self._has_added_cache(name, after)}
        if loaded and before.snapshot and after.snapshot:
            return self._filtered_modules(before, after, left)
        if left or self._added:
            after = _without(after, left, self._added)
        return before, after

    def is_rejected_by_added_cache(self, before: Outcome, after: Outcome) -> bool:
        """Whether a cache that only the rewritten program has raised TypeError for an unhashable argument."""
        kind, text = after.exception or ("", "")
        is_rejection = kind == "TypeError" and text.startswith(("unhashable type", "cannot use"))
        return is_rejection and self._caches and before.exception != after.exception

    def _has_added_cache(self, name: str, after: Outcome) -> bool:
        return name in self._plain and CACHE_TYPE in after.snapshot and _is_cache(_globals(after).get(name))

    def _filtered_modules(self, before: Outcome, after: Outcome, left: set[str]) -> tuple[Outcome, Outcome]:
        olds, news = _globals(before), _globals(after)
        swapped = {}
        for name in set(olds) | set(news):
            old, new = olds.get(name), news.get(name)
            is_import = _is_imported(old) if new is None else old is None and _is_imported(new)
            if is_import or _is_private(name, old, new):
                left.add(name)
            elif old is not None and new is not None and old[0] == "function" and _wrapped_function(old) is None:
                inner = _wrapped_function(new)
                if inner is not None:
                    swapped[name] = inner
        return _without(before, left, set()), _without(after, left, self._added, swapped)


def module_names(source: str) -> set[str]:
    """Return the names that a program binds or reads in the module's scope, in any function.

    A program that parses and does not compile has none.

    >>> sorted(module_names("X = 1\\ndef f(a):\\n    b = a\\n    return Y"))
    ['X', 'Y', 'f']
    """
    found: set[str] = set()
    module = symbols(source)
    if module is None:
        return found
    for table in nested_tables(module):
        top = table.get_type() == "module"
        found |= {symbol.get_name() for symbol in table.get_symbols() if top or symbol.is_global()}
    if _REFLECTION.search(source):
        constants = [node.value for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Constant)]
        found |= {value for value in constants if isinstance(value, str)}
    return found


def differing_globals(before: Outcome, after: Outcome) -> list[str]:
    """Return the globals that differ, in the order of the original."""
    olds, news = _globals(before), _globals(after)
    return [name for name in {**olds, **news} if _shape(olds.get(name)) != _shape(news.get(name))]


def _shape(node: Any) -> str:
    return json.dumps(renumbered(node, {}))


def _globals(outcome: Outcome) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(outcome.snapshot)["globals"] if outcome.snapshot else {}
    return found


def _is_cache(node: Any) -> bool:
    return isinstance(node, list) and node[:1] == [CACHE_TYPE]


def _is_imported(node: Any) -> bool:
    """Whether a snapshot node is a module, or code that the program does not define."""
    if not isinstance(node, list):
        return False
    if node[0] == "class":
        return not str(node[2]).startswith(f"{MODULE_NAME}.")
    return node[0] in ("module", "built-in") or (node[0] == "function" and not _signature(node))


def _signature(node: list[Any]) -> list[Any]:
    return [part for part in node[3:] if isinstance(part, list) and part[:1] == ["signature"]]


def _is_private(name: str, *nodes: Any) -> bool:
    """Whether the nodes are functions, classes or caches under a private name."""
    known = [node for node in nodes if node is not None]
    return name.startswith("_") and all(node[0] in _CODE_KINDS or _is_cache(node) for node in known)


def _wrapped_function(node: list[Any]) -> list[Any] | None:
    """The function inside a cache, or the `__wrapped__` function of a function."""
    if _is_cache(node):
        inner = node[3]
        return inner if isinstance(inner, list) and inner[0] == "function" else None
    for part in node[3:] if node[0] == "function" else ():
        if part[0] == "attributes":
            wrapped = (held for key, held in part[1][2] if key == ["str", "__wrapped__"] and held[0] == "function")
            return next(wrapped, None)
    return None


def _without(outcome: Outcome, names: set[str], methods: set[str], swapped: dict[str, Any] | None = None) -> Outcome:
    """An Outcome without some globals and without the signatures of some methods, with values renumbered."""
    held = {name: text for name, text in outcome.globals.items() if name not in names}
    unchanged = len(held) == len(outcome.globals) and not swapped and not methods
    if not outcome.snapshot or unchanged:
        return replace(outcome, globals=held)
    whole = json.loads(outcome.snapshot)
    removed = dict(_described([node for name, node in whole["globals"].items() if name in names]))
    kept = {name: node for name, node in whole["globals"].items() if name not in names}
    whole["globals"] = {name: (swapped or {}).get(name, node) for name, node in kept.items()}
    whole = _restored(whole, removed) if removed else whole
    whole = renumbered(_without_methods(whole, methods) if methods else whole, {})
    return replace(outcome, globals=held, snapshot=json.dumps(whole, separators=(",", ":")))


def _without_methods(node: Any, methods: set[str]) -> Any:
    if isinstance(node, dict):
        return {name: _without_methods(part, methods) for name, part in node.items()}
    if not isinstance(node, list):
        return node
    if node[:1] == ["class"] and len(node) > 5:
        known = [pair for pair in node[5] if pair[0] not in methods]
        node = [*node[:5], *([known] if known else [])]
    return [_without_methods(part, methods) for part in node]


def _described(node: Any) -> Iterator[tuple[int, Any]]:
    """The values that a part of a snapshot describes, by number."""
    if isinstance(node, list):
        if is_numbered(node) and node[0] != "ref":
            yield node[1], node
        for part in node:
            yield from _described(part)


def _restored(node: Any, removed: dict[int, Any]) -> Any:
    """A snapshot that describes a value where it first occurs, although a removed global described it before."""
    if isinstance(node, dict):
        return {name: _restored(part, removed) for name, part in node.items()}
    if not isinstance(node, list):
        return node
    if is_numbered(node):
        known = removed.pop(node[1], None)
        if known is not None and node[0] == "ref":
            return _restored(known, removed)
    return [_restored(part, removed) for part in node]


def renumbered(node: Any, numbers: dict[int, int]) -> Any:
    """Return a snapshot whose values are numbered consecutively, after parts of it were removed."""
    if isinstance(node, dict):
        return {name: renumbered(part, numbers) for name, part in node.items()}
    if not isinstance(node, list):
        return node
    if is_numbered(node):
        return [node[0], numbers.setdefault(node[1], len(numbers)), *(renumbered(part, numbers) for part in node[2:])]
    return [renumbered(part, numbers) for part in node]
