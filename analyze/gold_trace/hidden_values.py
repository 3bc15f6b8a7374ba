"""Counts hidden intermediate values: values that a run computes and no state of its trace shows.

A step of a trace runs a whole line. In `z = g(x + 1)[0]`, no state shows `x + 1` or the result of `g`, only `z`. Each
evaluation of the following counts:

    an operator, a comparison, and/or/not, a call, a subscript, an attribute that is not called, an f-string, a
    conditional expression, a list, set or dict comprehension, a display that is not all constants, the result of an
    `await` or a `yield`

It does not count if the step shows its value: if the value is bound to a name or stored in a container, attribute or
default, returned, yielded (also by a generator expression), raised, or discarded by an expression statement. Also
excluded are operations on constants only; the arguments of the traced call; and expressions that are equivalent to a
name: tuples of builtin classes, the tuple of indices in `a[i, j]`, `super()`, the coroutine in `await f()`, and the
`os.path` of `os.path.join(…)` where `os` is an imported module.

The counter imports the standard library only, because it runs inside the sandbox.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Callable, Mapping
from types import CodeType
from typing import Any

SEEN = ".seen"
# Even with constant operands, their value is not in the source.
_ALWAYS = (ast.Subscript, ast.Attribute, ast.ListComp, ast.SetComp, ast.DictComp, ast.Await, ast.Yield, ast.YieldFrom)
_OPERATIONS = (ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.Call, ast.JoinedStr, ast.IfExp)
_COUNTED = (*_ALWAYS, *_OPERATIONS, ast.List, ast.Tuple, ast.Set, ast.Dict)
_SHOWN_FIELDS: dict[type[ast.AST], tuple[str, ...]] = {
    ast.Assign: ("value",),
    ast.AnnAssign: ("value",),
    ast.NamedExpr: ("value",),
    ast.Return: ("value",),
    ast.Yield: ("value",),
    ast.YieldFrom: ("value",),
    ast.GeneratorExp: ("elt",),
    ast.arguments: ("defaults", "kw_defaults"),
    ast.Raise: ("exc", "cause"),
    ast.Expr: ("value",),
    ast.Lambda: ("body",),
    ast.Call: ("func",),
    ast.FormattedValue: ("format_spec",),
}
# Fields that hold no computed value.
_SKIPPED_FIELDS = {"annotation", "returns", "pattern", "targets", "target", "type_params", "type_comment"}


def hidden_values(source: str, call: str, *, seconds: float = 5.0) -> int:
    """Counts the values that the trace of `call`, such as `f(1)`, computes and shows in no state.

    Args:
        source: The program.
        call: An expression that calls one of its functions.
        seconds: Time limit (default: 5).

    Raises:
        InputError: If the program does not parse, or does not end within its limits.

    Example:
        >>> hidden_values("def f(x):\\n    return (x + 1) * 2", "f(1)")
        1
    """
    from corpora.errors import InputError
    from corpora.execute import run_observed
    from corpora.program import trace_context

    observer = "analyze.gold_trace.hidden_values:HiddenValueCounter"
    outcome, lines = run_observed(trace_context(source, call), observer, {}, seconds=seconds)
    if not (lines and re.fullmatch("[0-9]{1,12}", lines[-1])) or not outcome.has_ended:
        why = outcome.detail or ": ".join(outcome.exception or (outcome.status,))
        raise InputError(f"the hidden values cannot be counted: {why}")
    return int(lines[-1])


class HiddenValueCounter:
    """The observer that counts; it emits one line, the number."""

    def __init__(self, options: Mapping[str, Any], emit: Callable[[str], None]) -> None:
        self._emit = emit
        self._count = 0

    def compile(self, source: str, filename: str) -> CodeType:
        """Compiles the module with each counted expression wrapped in a call that counts and returns its value."""
        compile(source, filename, "exec", dont_inherit=True)  # raises this interpreter's own errors
        tree = CountingTransformer().visit(ast.parse(source, filename))
        setattr(builtins, SEEN, self._seen)
        return compile(ast.fix_missing_locations(tree), filename, "exec", dont_inherit=True)

    def run(self, entry: Callable[[], object]) -> object:
        """Calls `entry`; values that the module's top level computed do not count."""
        self._count = 0
        try:
            return entry()
        finally:
            self._emit(str(self._count))

    def _seen(self, value: object) -> object:
        self._count += 1
        return value


class CountingTransformer(ast.NodeTransformer):
    """Wraps every counted expression whose value its step does not show."""

    modules: frozenset[str] = frozenset()

    def visit_Module(self, node: ast.Module) -> ast.AST:
        """Treats names bound by `import` as modules. The last statement, the traced `main`, holds the input."""
        imports = [inner for inner in ast.walk(node) if isinstance(inner, ast.Import)]
        self.modules = frozenset(alias.asname or alias.name.split(".")[0] for inner in imports for alias in inner.names)
        node.body[:-1] = [self.visit(statement) for statement in node.body[:-1]]
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        """Leaves the `os.path` of `os.path.sep` as it is."""
        return node if self._is_path(node.value) else self.generic_visit(node)

    def visit_Await(self, node: ast.Await) -> ast.AST:
        """Does not count the coroutine of `await f()`."""
        if isinstance(node.value, ast.Call):
            node.value = self.generic_visit(node.value)  # type: ignore[assignment]
            return node
        return self.generic_visit(node)

    def _is_path(self, node: ast.expr) -> bool:
        while isinstance(node, ast.Attribute):
            node = node.value
        return isinstance(node, ast.Name) and node.id in self.modules

    def generic_visit(self, node: ast.AST) -> ast.AST:
        """Wraps what the fields of a node hold, except for those that show their values."""
        shown = _SHOWN_FIELDS.get(type(node), ())
        for name, held in ast.iter_fields(node):
            if name in _SKIPPED_FIELDS:
                continue
            if isinstance(held, list):
                held[:] = [self._replaced(item, shown=name in shown or self._is_part(node, name)) for item in held]
            elif isinstance(held, ast.AST):
                parts = isinstance(node, ast.Subscript) and isinstance(held, ast.Tuple)  # `a[i, j]`
                setattr(node, name, self._replaced(held, shown=name in shown or parts))
        return node

    def _replaced(self, node: object, *, shown: bool) -> object:
        if not isinstance(node, ast.AST):
            return node
        counted = not shown and isinstance(node, _COUNTED) and _is_computed(node)
        visited = self.visit(node)
        if not counted or not isinstance(visited, ast.expr):
            return visited
        return ast.copy_location(ast.Call(ast.copy_location(ast.Name(SEEN, ast.Load()), node), [visited], []), node)

    def _is_part(self, node: ast.AST, name: str) -> bool:
        """Whether the field holds parts of an f-string, or elements of a tuple that are bound one by one."""
        return isinstance(node, ast.JoinedStr) or (name == "elts" and getattr(node, "unpacked", False))

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        """Marks the tuple in `a, b = b, a + 1`, whose elements are bound one by one."""
        if isinstance(node.value, ast.Tuple) and any(isinstance(target, ast.Tuple) for target in node.targets):
            node.value.unpacked = True  # type: ignore[attr-defined]
        return self.generic_visit(node)


def _is_class(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and isinstance(getattr(builtins, node.id, None), type)


def _is_computed(node: ast.expr) -> bool:
    """Whether the expression yields a value (is not a store target) that constants alone do not determine."""
    if not isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
        return False
    if isinstance(node, ast.Call):
        return not (isinstance(node.func, ast.Name) and node.func.id == "super" and not node.args)
    if isinstance(node, ast.Tuple) and all(_is_class(part) for part in node.elts):
        return False
    if isinstance(node, _ALWAYS):
        return True
    variable = ast.Name | ast.Call | ast.Attribute | ast.Subscript | ast.FormattedValue
    return any(isinstance(below, variable) for below in ast.walk(node))
