"""The observer that records the values that meet in a program's string operations, in the order of the execution.

It is loaded inside the sandbox's worker, so it needs the standard library only. Each `x.method(…)`, `x in y` and `x[i]`
is routed through a probe that does the same and, where the receiver is exactly a `str`, emits a line of JSON: {"step",
"line", "column", "method", "text", "pattern", "limit", "window", "index", "result"}. The last line says how many
operations there were: {"steps", "kept", "cut"}. What it does not do: judge, or record concatenation and formatting.
"""

from __future__ import annotations

import ast
import builtins
import json
from collections.abc import Callable, Iterable, Mapping
from types import CodeType
from typing import Any

from analyze.hazards.match_positions import BOUNDED, EDITS, LIMIT_AT
from analyze.hazards.match_positions import METHODS as PATTERNED

METHODS = frozenset(PATTERNED) - {"in"} | EDITS | {"splitlines", "format"}
MAX_KEPT = 2_000
MAX_CHARACTERS = 20_000
_PROBE = "__spellout_{}__"


class StringOperations:
    """Options: `max_kept` and `max_characters` (of one operand); what goes beyond them is counted in "cut"."""

    def __init__(self, options: Mapping[str, Any], emit: Callable[[str], None]) -> None:
        self._emit = emit
        self._max_kept = int(options.get("max_kept", MAX_KEPT))
        self._max_characters = int(options.get("max_characters", MAX_CHARACTERS))
        self._seen: set[tuple[object, ...]] = set()
        self._steps = self._cut = 0

    def compile(self, source: str, filename: str) -> CodeType:
        """The module's code with its string operations routed through the probes."""
        tree = _Routed().visit(ast.parse(source, filename))
        for name in ("method", "contains", "item", "slice"):
            # In the builtins, because the module's own namespace is compared with what the program leaves in it.
            setattr(builtins, _PROBE.format(name), getattr(self, f"_{name}"))
        # Not inherited: the `from __future__ import annotations` of this module is not the program's.
        code: CodeType = compile(ast.fix_missing_locations(tree), filename, "exec", dont_inherit=True)
        return code

    def run(self, entry: Callable[[], object]) -> object:
        """Calls `entry`, then says how many operations there were."""
        try:
            return entry()
        finally:
            self._emit(json.dumps({"steps": self._steps, "kept": len(self._seen), "cut": self._cut}))

    def _method(self, receiver: object, name: str, line: int, column: int) -> object:
        bound = getattr(receiver, name)
        if type(receiver) is not str:
            return bound

        def observed(*args: object, **kwargs: object) -> object:
            result = bound(*args, **kwargs)
            self._record(line, column, name, receiver, args, kwargs, result)
            return result

        return observed

    def _contains(self, item: object, container: object, line: int, column: int) -> bool:
        found = item in container  # type: ignore[operator]
        if type(container) is str:
            self._record(line, column, "in", container, (item,), {}, None)
        return found

    def _item(self, receiver: object, index: object, line: int, column: int) -> object:
        found = receiver[index]  # type: ignore[index]
        if type(receiver) is str and type(index) is int:
            self._keep(line, column, "[]", receiver, index=[index])
        return found

    def _slice(self, receiver: object, parts: tuple[object, object, object], line: int, column: int) -> object:
        found = receiver[slice(*parts)]  # type: ignore[index]
        if type(receiver) is str and all(part is None or type(part) is int for part in parts):
            self._keep(line, column, "[]", receiver, index=list(parts))
        return found

    def _record(
        self,
        line: int,
        column: int,
        name: str,
        text: str,
        args: tuple[object, ...],
        named: Mapping[str, Any],
        result: object,
    ) -> None:
        shown = result if type(result) is str else None
        if name == "join":
            self._keep(line, column, name, shown or "", pattern=text)
            return
        first = args[0] if args else named.get("sep", named.get("old"))
        limit = args[LIMIT_AT[name]] if len(args) > LIMIT_AT.get(name, 9) else named.get("maxsplit", named.get("count"))
        window = [*args[1:3], None][:2] if name in BOUNDED and len(args) > 1 else None
        for pattern in first if isinstance(first, tuple) else (first,):
            self._keep(
                line,
                column,
                name,
                text,
                pattern=pattern if type(pattern) is str else None,
                limit=limit if type(limit) is int else None,
                window=window if window and all(part is None or type(part) is int for part in window) else None,
                result=shown,
            )

    def _keep(self, line: int, column: int, method: str, text: str, **details: object) -> None:
        self._steps += 1
        key = (line, column, method, text, json.dumps(details))
        if key in self._seen:
            return
        strings: Iterable[str] = (text, *(value for value in details.values() if isinstance(value, str)))
        if len(self._seen) >= self._max_kept or any(len(value) > self._max_characters for value in strings):
            self._cut += 1
            return
        self._seen.add(key)
        where = {"step": self._steps, "line": line, "column": column, "method": method, "text": text}
        self._emit(json.dumps(where | {name: value for name, value in details.items() if value is not None}))


class _Routed(ast.NodeTransformer):
    """Routes string operations through the probes; operands keep their number and order of evaluation."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.func, ast.Attribute) and node.func.attr in METHODS:
            node.func = _probe("method", node, node.func.value, ast.Constant(node.func.attr))
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        if len(node.ops) != 1 or not isinstance(node.ops[0], ast.In | ast.NotIn):
            return node
        asked = _probe("contains", node, node.left, node.comparators[0])
        return asked if isinstance(node.ops[0], ast.In) else ast.copy_location(ast.UnaryOp(ast.Not(), asked), node)

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.ctx, ast.Load):
            return node
        if isinstance(node.slice, ast.Slice):
            parts = [part or ast.Constant(None) for part in (node.slice.lower, node.slice.upper, node.slice.step)]
            return _probe("slice", node, node.value, ast.Tuple(parts, ast.Load()))
        if any(isinstance(part, ast.Slice) for part in ast.walk(node.slice)):
            return node
        return _probe("item", node, node.value, node.slice)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        """Annotations keep their text."""
        if node.value:
            node.value = self.visit(node.value)
        return node

    def visit_arg(self, node: ast.arg) -> ast.AST:
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        returns, node.returns = node.returns, None
        self.generic_visit(node)
        node.returns = returns
        return node


def _probe(name: str, at: ast.expr, *operands: ast.expr) -> ast.Call:
    place = [ast.Constant(at.lineno), ast.Constant(at.col_offset)]
    call = ast.Call(ast.Name(_PROBE.format(name), ast.Load()), [*operands, *place], [])
    return ast.copy_location(call, at)
