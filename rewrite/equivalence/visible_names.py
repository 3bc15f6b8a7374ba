"""Which of two modules' names are compared, and what of a run's description remains when the others are left out.

A rewrite may add names of its own (temporaries, helpers, a cache) that the original never mentions; it may drop an
import that nothing needs any more. All else that loading a module leaves behind is part of it. Works on text only.
"""

from __future__ import annotations

import ast
import json
import re
import symtable
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from corpora.program import Outcome

CACHE = "functools._lru_cache_wrapper"
_REACHES = re.compile(r"\b(globals|vars|getattr|exec|eval|__dict__|modules)\b")
_CACHES = re.compile(r"\b(lru_cache|functools\.cache|import cache)\b")
_CODE = ("function", "class")


class Visible:
    """What may be left out of the descriptions of two programs. Both parse."""

    def __init__(self, before: str, after: str) -> None:
        self._mentioned = mentioned(before)
        trees = ast.parse(before), ast.parse(after)
        self._caches = bool(_CACHES.search(after)) and not _CACHES.search(before)
        words = set(re.findall(r"\w+", before))
        self._plain = {getattr(node, "name", "") for node in trees[0].body if _is_plain(node)}
        self._added = {
            node.name
            for owner in ast.walk(trees[1])
            if isinstance(owner, ast.ClassDef)
            for node in owner.body
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name not in words
        }

    def compared(self, before: Outcome, after: Outcome, *, loaded: bool) -> tuple[Outcome, Outcome]:
        """The two Outcomes without what is not compared. loaded: they tell of whole modules."""
        left = {name for name in after.globals if name not in before.globals and name not in self._mentioned}
        left |= {name for name in after.globals if name not in before.globals and self._gained_a_cache(name, after)}
        if loaded and before.snapshot and after.snapshot:
            return self._modules(before, after, left)
        if left or self._added:
            after = _without(after, left, self._added)
        return before, after

    def refused_by_a_cache(self, before: Outcome, after: Outcome) -> bool:
        """Whether a cache that only the rewrite has could not take an argument: that tells nothing of the rest."""
        kind, text = after.exception or ("", "")
        return (
            kind == "TypeError"
            and text.startswith(("unhashable type", "cannot use"))
            and self._caches
            and (before.exception != after.exception)
        )

    def _gained_a_cache(self, name: str, after: Outcome) -> bool:
        return name in self._plain and CACHE in after.snapshot and _is_cache(_globals(after).get(name))

    def _modules(self, before: Outcome, after: Outcome, left: set[str]) -> tuple[Outcome, Outcome]:
        olds, news = _globals(before), _globals(after)
        swapped = {}
        for name in set(olds) | set(news):
            old, new = olds.get(name), news.get(name)
            if (
                (new is None and _is_imported(old))
                or (old is None and _is_imported(new))
                or _is_private(name, old, new)
            ):
                left.add(name)
            elif old is not None and new is not None and old[0] == "function" and _wrapped(old) is None:
                inner = _wrapped(new)
                if inner is not None:
                    swapped[name] = inner
        return _without(before, left, set()), _without(after, left, self._added, swapped)


def mentioned(source: str) -> set[str]:
    """Names of the module that a program binds or looks up, in whatever function.

    >>> sorted(mentioned("X = 1\\ndef f(a):\\n    b = a\\n    return Y"))
    ['X', 'Y', 'f']
    """
    found: set[str] = set()
    for table in _tables(symtable.symtable(source, "program", "exec")):
        top = table.get_type() == "module"
        found |= {symbol.get_name() for symbol in table.get_symbols() if top or symbol.is_global()}
    if _REACHES.search(source):
        found |= {node.value for node in ast.walk(ast.parse(source)) if _is_text(node)}  # type: ignore[attr-defined]
    return found


def _tables(table: symtable.SymbolTable) -> Iterator[symtable.SymbolTable]:
    yield table
    for inner in table.get_children():
        yield from _tables(inner)


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _is_plain(node: ast.stmt) -> bool:
    return isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not node.decorator_list


def differing(before: Outcome, after: Outcome) -> list[str]:
    """Names of modules whose descriptions differ, in the first one's order."""
    olds, news = _globals(before), _globals(after)
    return [name for name in {**olds, **news} if _shape(olds.get(name)) != _shape(news.get(name))]


def _shape(node: Any) -> str:
    return json.dumps(renumbered(node, {}))


def _globals(outcome: Outcome) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(outcome.snapshot)["globals"] if outcome.snapshot else {}
    return found


def _is_cache(node: Any) -> bool:
    return isinstance(node, list) and node[:1] == [CACHE]


def _is_imported(node: Any) -> bool:
    """A module, or code that the program did not define."""
    if not isinstance(node, list):
        return False
    if node[0] == "class":
        return not str(node[2]).startswith("__main__.")
    return node[0] in ("module", "built-in") or (node[0] == "function" and not _signature(node))


def _signature(node: list[Any]) -> list[Any]:
    return [part for part in node[3:] if isinstance(part, list) and part[:1] == ["signature"]]


def _is_private(name: str, *nodes: Any) -> bool:
    """Code under a private name: how a helper is called is nobody else's business."""
    known = [node for node in nodes if node is not None]
    return name.startswith("_") and all(node[0] in _CODE or _is_cache(node) for node in known)


def _wrapped(node: list[Any]) -> list[Any] | None:
    """The function inside a cache, or inside a function that says which one it stands for."""
    if _is_cache(node):
        inner = node[3]
        return inner if isinstance(inner, list) and inner[0] == "function" else None
    for part in node[3:] if node[0] == "function" else ():
        if part[0] == "attributes":
            return next(
                (held for key, held in part[1][2] if key == ["str", "__wrapped__"] and held[0] == "function"), None
            )
    return None


def _without(outcome: Outcome, names: set[str], methods: set[str], swapped: dict[str, Any] | None = None) -> Outcome:
    """An Outcome without some globals and without the signatures of some methods, its values numbered anew."""
    held = {name: text for name, text in outcome.globals.items() if name not in names}
    if not outcome.snapshot or (
        len(held) == len(outcome.globals) and not swapped and '["signature"' not in outcome.snapshot
    ):
        return replace(outcome, globals=held)
    whole = json.loads(outcome.snapshot)
    whole["globals"] = {
        name: (swapped or {}).get(name, node) for name, node in whole["globals"].items() if name not in names
    }
    whole = renumbered(_bare(whole, methods) if methods else whole, {})
    return replace(outcome, globals=held, snapshot=json.dumps(whole, separators=(",", ":")))


def _bare(node: Any, methods: set[str]) -> Any:
    if isinstance(node, dict):
        return {name: _bare(part, methods) for name, part in node.items()}
    if not isinstance(node, list):
        return node
    if node[:1] == ["class"] and len(node) > 5:
        known = [pair for pair in node[5] if pair[0] not in methods]
        node = [*node[:5], *([known] if known else [])]
    return [_bare(part, methods) for part in node]


def renumbered(node: Any, numbers: dict[int, int]) -> Any:
    """A description whose values are numbered in order, as if what was left out had never been there."""
    if isinstance(node, dict):
        return {name: renumbered(part, numbers) for name, part in node.items()}
    if not isinstance(node, list):
        return node
    if (
        len(node) > 1
        and isinstance(node[0], str)
        and type(node[1]) is int
        and not node[0].startswith(("long ", "seen"))
    ):
        return [node[0], numbers.setdefault(node[1], len(numbers)), *(renumbered(part, numbers) for part in node[2:])]
    return [renumbered(part, numbers) for part in node]
