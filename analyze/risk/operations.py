"""The observer that records what each step of a run computes: operations with the sizes and texts of their operands.

It is loaded inside the sandbox's worker, so it needs the standard library only. Each call of a method or of a plain
builtin, each operator, comparison, subscript and f-string is routed through a probe that does the same and notes
[frame, kind, name, operands, result], an operand being [type, length or -1, text or number or null]. `frame` is the
index of the frame that the operation leads to: how many frames the trace had by then. Emitted are lots of those, then
the events of the run, so that `analyze.risk.steps` can hold them against the true trace.
What it does not do: judge, or record operations whose parts are not evaluated one by one (chained comparisons).
"""

from __future__ import annotations

import ast
import builtins
import operator
from collections.abc import Callable, Mapping
from types import CodeType
from typing import Any

from analyze.gold_trace.python310 import compile_as_310
from analyze.gold_trace.tracer import MAX_BYTES, MAX_FRAMES, Record, Recorder
from corpora.sandbox.report_writer import encode

MAX_OPERATIONS = 50_000
MAX_TEXT = 400
LOT = 256
_PROBE = "__spellout_{}__"
_BUILTINS = frozenset(
    {"abs", "all", "any", "bool", "chr", "dict", "divmod", "enumerate", "filter", "float", "int", "isinstance", "len",
    "list", "map", "max", "min", "ord", "pow", "print", "range", "repr", "reversed", "round", "set", "sorted", "str",
    "sum", "tuple", "type", "zip"}
)  # fmt: skip
OPERATORS: dict[str, Callable[[Any, Any], object]] = {
    "Add": operator.add,
    "Sub": operator.sub,
    "Mult": operator.mul,
    "Div": operator.truediv,
    "FloorDiv": operator.floordiv,
    "Mod": operator.mod,
    "Pow": operator.pow,
    "BitAnd": operator.and_,
    "BitOr": operator.or_,
    "BitXor": operator.xor,
    "LShift": operator.lshift,
    "RShift": operator.rshift,
    "MatMult": operator.matmul,
    "Eq": operator.eq,
    "NotEq": operator.ne,
    "Lt": operator.lt,
    "LtE": operator.le,
    "Gt": operator.gt,
    "GtE": operator.ge,
    "Is": operator.is_,
    "IsNot": operator.is_not,
    "In": lambda item, container: item in container,
    "NotIn": lambda item, container: item not in container,
}
_SIZED = (str, bytes, list, tuple, dict, set, frozenset, range)
Operand = list[Any]


class Operations:
    """Options: `max_operations`, after which nothing more is recorded; the last line says so."""

    def __init__(self, options: Mapping[str, Any], emit: Callable[[str], None]) -> None:
        self._emit = emit
        self._left = int(options.get("max_operations", MAX_OPERATIONS))
        self._frames = 0
        self._events: list[tuple[str, int]] = []
        self._lot: list[list[Any]] = []
        self._recorder = Recorder(self._taken, max_frames=MAX_FRAMES, max_bytes=MAX_BYTES)

    def compile(self, source: str, filename: str) -> CodeType:
        """The module's code with its operations routed through the probes, and the lines of CPython 3.10."""
        for name in ("method", "call", "binary", "augmented", "item", "text", "user"):
            # In the builtins, because the module's own namespace is compared with what the program leaves in it.
            setattr(builtins, _PROBE.format(name), getattr(self, f"_{name}"))
        setattr(builtins, _PROBE.format("slice"), slice)
        self._recorder.filename = filename
        self._recorder.code = compile_as_310(source, filename, _routed)
        return self._recorder.code

    def run(self, entry: Callable[[], object]) -> object:
        """Calls `entry`; what the module computed before does not count."""
        self._lot.clear()
        try:
            return self._recorder.run(entry)
        finally:
            self._flush()
            self._emit(encode({"events": self._events, "cut": self._left <= 0 or self._recorder.cut is not None}))

    def _taken(self, records: list[Record]) -> int:
        self._events += [(record[0], record[1]) for record in records]
        self._frames += len(records)
        return 0

    def _note(self, kind: str, name: str, operands: list[Operand], result: Operand) -> None:
        if self._left > 0:
            self._left -= 1
            self._lot.append([self._frames + self._recorder.waiting, kind, name, operands, result])
            if len(self._lot) >= LOT:
                self._flush()

    def _flush(self) -> None:
        if self._lot:
            self._emit(encode(self._lot))
            self._lot.clear()

    # The probes.

    def _method(self, receiver: object, name: str) -> object:
        bound = getattr(receiver, name)
        before = operand(receiver)

        def observed(*args: object, **named: object) -> object:
            operands = [before, *map(operand, args), *map(operand, named.values())]
            try:
                result = bound(*args, **named)
            except BaseException:
                self._note("method", name, operands, ["raises", -1, None])
                raise
            self._note("method", name, operands, operand(result))
            return result

        return observed

    def _call(self, function: object, name: str) -> object:
        own: Callable[..., object] | None = getattr(builtins, name, None)
        if own is None or function is not own:
            return function

        def observed(*args: object, **named: object) -> object:
            operands = [*map(operand, args), *map(operand, named.values())]
            result = own(*args, **named)
            self._note("call", name, operands, operand(result))
            return result

        return observed

    def _user(self, function: object) -> object:
        self._note("call", "", [], ["", -1, None])
        return function

    def _binary(self, name: str, left: object, right: object) -> object:
        result = OPERATORS[name](left, right)
        self._note("operator", name, [operand(left), operand(right)], operand(result))
        return result

    def _augmented(self, name: str, left: object, right: object) -> object:
        self._note("operator", name, [operand(left), operand(right)], ["", -1, None])
        return right

    def _item(self, container: Any, index: Any) -> object:
        found = container[index]
        kind = "slice" if type(index) is slice else "item"
        parts = [index.start, index.stop, index.step] if type(index) is slice else [index]
        self._note(kind, "", [operand(container), *map(operand, parts)], operand(found))
        return found

    def _text(self, made: str) -> str:
        self._note("format", "", [], operand(made))
        return made


def operand(value: object) -> Operand:
    """[type, length or -1, text or number or null] of a builtin value; of any other its type alone."""
    kind = type(value)
    if kind is str:
        return ["str", len(value), value[:MAX_TEXT]]  # type: ignore[arg-type, index]
    if kind is int or kind is bool:
        return [kind.__name__, -1, value if -(2**62) < value < 2**62 else None]  # type: ignore[operator]
    if kind in _SIZED:
        return [kind.__name__, len(value), None]  # type: ignore[arg-type]
    return [kind.__name__ if kind.__module__ == "builtins" else "", -1, None]


def _routed(tree: ast.Module) -> ast.Module:
    """The tree with its operations routed. The traced `main` comes last: its call is the input, and stays."""
    router = _Router()
    tree.body[:-1] = [router.visit(statement) for statement in tree.body[:-1]]
    return ast.fix_missing_locations(tree)


class _Router(ast.NodeTransformer):
    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.func, ast.Attribute):
            if not (isinstance(node.func.value, ast.Call) and _names(node.func.value.func, {"super"})):
                name = ast.Constant(node.func.attr)
                node.func = _probe("method", node.func, [node.func.value, name])
        elif isinstance(node.func, ast.Name) and node.func.id in _BUILTINS:
            node.func = _probe("call", node.func, [node.func, ast.Constant(node.func.id)])
        elif isinstance(node.func, ast.Name) and not hasattr(builtins, node.func.id):
            node.func = _probe("user", node.func, [node.func])
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        return _probe("binary", node, [ast.Constant(type(node.op).__name__), node.left, node.right])

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        if len(node.ops) > 1:
            return node
        return _probe("binary", node, [ast.Constant(type(node.ops[0]).__name__), node.left, *node.comparators])

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        node.value = self.visit(node.value)
        if isinstance(node.target, ast.Name):
            target = ast.copy_location(ast.Name(node.target.id, ast.Load()), node.target)
            operands = [ast.Constant(type(node.op).__name__), target, node.value]
            node.value = _probe("augmented", node.value, operands)
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.ctx, ast.Load):
            return node
        index = node.slice
        if isinstance(index, ast.Slice):
            parts = [part or ast.Constant(None) for part in (index.lower, index.upper, index.step)]
            index = _probe("slice", index, parts)
        elif isinstance(index, ast.Tuple) and any(isinstance(part, ast.Slice | ast.Starred) for part in index.elts):
            return node
        return _probe("item", node, [node.value, index])

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                part.value = self.visit(part.value)
        return _probe("text", node, [node])

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        node.value = self.visit(node.value) if node.value else None
        return node

    def visit_arg(self, node: ast.arg) -> ast.AST:
        return node

    def visit_Match(self, node: ast.Match) -> ast.AST:
        """Patterns are no expressions that are evaluated as they stand."""
        node.subject = self.visit(node.subject)
        for case in node.cases:
            case.guard = self.visit(case.guard) if case.guard else None
            case.body = [self.visit(statement) for statement in case.body]
        return node


def _names(node: ast.expr, names: set[str]) -> bool:
    return isinstance(node, ast.Name) and node.id in names


def _probe(name: str, node: ast.expr, operands: list[ast.expr]) -> ast.Call:
    """A call of a probe that stands where `node` stood."""
    made = ast.Call(ast.Name(_PROBE.format(name), ast.Load()), operands, [])
    for part in (made, made.func, *operands):
        if not hasattr(part, "lineno"):
            ast.copy_location(part, node)
    return made
