"""What the place of a hole in a template allows: precedence, names that can be read, `yield`, `break` and so on.

All of it is read off the syntax tree of the template, in which each hole is a name: `_hole0_`, `_hole1_`, ...
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass, replace

# Expressions by precedence, one for each operator. Level 0 is a walrus, the last one an atom.
LEVELS = (
    ("x := y",), ("x if y else z", "lambda: x"), ("x or y",), ("x and y",), ("not x",), ("x < y",), ("x | y",),
    ("x ^ y",), ("x & y",), ("x << y", "x >> y"), ("x + y", "x - y"), ("x * y", "x / y", "x // y", "x % y", "x @ y"),
    ("-x", "+x", "~x"), ("x ** y",), ("await x",), ("x",),
)  # fmt: skip
ATOM = len(LEVELS) - 1


@dataclass(frozen=True)
class HoleContext:
    """What the place of a hole allows.

    Attributes:
        level: The lowest precedence that needs no parentheses.
        inner: Whether the hole is in a function, class or comprehension of the template.
        bound: Integer variables that these bind.
        readable: The variables from around the template that can be read (None: all).
        legal: What is legal here, whether it is around the template or not (see `GrammarScope`).
        illegal: What is not.
    """

    level: int = 1
    inner: bool = False
    bound: tuple[str, ...] = ()
    readable: frozenset[str] | None = None
    legal: frozenset[str] = frozenset()
    illegal: frozenset[str] = frozenset()

    def without(self, *illegal: str, legal: Iterable[str] = ()) -> HoleContext:
        """The context where some syntax is not legal, and other is."""
        allowed = frozenset(legal)
        forbidden = (self.illegal | frozenset(illegal)) - allowed
        return replace(self, legal=(self.legal | allowed) - forbidden, illegal=forbidden)

    def inside(self, *names: str) -> HoleContext:
        """The context in a lambda, comprehension or function that binds these names."""
        return replace(self.without("yield", "await"), inner=True, bound=(*self.bound, *names))


AROUND = HoleContext()
"""The context of a hole at the top of a template."""


def precedence(text: str) -> int:
    """Return the precedence of an expression: the index in `LEVELS`.

    >>> precedence("a + b * c"), precedence("(a + b)"), precedence("f(x)")
    (10, 15, 15)
    """
    node = _expression(text)
    return ATOM if node.col_offset else _LEVEL_OF.get(_operator(node), ATOM)


def contexts_of_holes(text: str) -> dict[str, HoleContext]:
    """Return the context of each hole of a template."""
    visitor = _Contexts()
    visitor.visit(ast.parse(text))
    return {hole: replace(context, level=_needed_level(text, hole)) for hole, context in visitor.found.items()}


def _needed_level(text: str, hole: str) -> int:
    """The lowest level at which an operand means the same with and without parentheses."""
    for level, (operand, *_) in enumerate(LEVELS):
        if _parsed(text.replace(hole, operand)) == _parsed(text.replace(hole, f"({operand})")):
            return level
    return ATOM


def _parsed(text: str) -> str:
    try:
        return ast.dump(ast.parse(text))
    except SyntaxError:
        return text


def _expression(text: str) -> ast.expr:
    return ast.parse(text.strip(), mode="eval").body


def _operator(node: ast.expr) -> tuple[type, ...]:
    return type(node), type(getattr(node, "op", None))


_LEVEL_OF = {_operator(_expression(f"({text})")): level for level, texts in enumerate(LEVELS[:ATOM]) for text in texts}


class _Contexts(ast.NodeVisitor):
    """Collects the contexts of the holes."""

    def __init__(self) -> None:
        self.found: dict[str, HoleContext] = {}
        self._context = AROUND

    def visit_Name(self, node: ast.Name) -> None:
        if node.id.startswith("_hole"):
            self.found[node.id] = self._context

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        """Of a function with `{parameters}`, every variable is a parameter or nonlocal."""
        self._all([*node.decorator_list, node.args, *([node.returns] if node.returns else [])])
        names = {one.arg for one in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)} - {"self", "cls"}
        is_open = "_parameters" in names
        suspends = any(isinstance(one, ast.Yield | ast.YieldFrom) for line in node.body for one in ast.walk(line))
        legal = "await" if isinstance(node, ast.AsyncFunctionDef) else "yield" if suspends else "def"
        inside = self._context.inside(*sorted(names - {"_parameters"}))
        inside = inside.without("walrus", "loop", legal={legal, "walrus" if is_open else legal})
        self._all(node.body, replace(inside, readable=None if is_open else frozenset(names)))

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._all([*node.decorator_list, *node.bases, *node.keywords])
        self._all(node.body, replace(self._context.inside().without("walrus", "loop"), readable=frozenset()))

    def visit_Lambda(self, node: ast.Lambda) -> None:
        self.visit(node.args)
        self._all([node.body], self._context.inside(*(one.arg for one in node.args.args)))

    def visit_comprehension_of(self, node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp) -> None:
        context = self._context
        for clause in node.generators:
            self._all([clause.iter], context.without("walrus"))
            context = context.inside(*(one.id for one in ast.walk(clause.target) if isinstance(one, ast.Name)))
            self._all(clause.ifs, context)
        self._all([node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt], context)

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = visit_comprehension_of  # noqa: N815

    def visit_loop(self, node: ast.For | ast.AsyncFor | ast.While) -> None:
        self._all([node.test] if isinstance(node, ast.While) else [node.target, node.iter])
        self._all(node.body, self._context.without(legal={"loop"}))
        self._all(node.orelse)

    visit_For = visit_AsyncFor = visit_While = visit_loop  # noqa: N815

    def visit_Try(self, node: ast.Try) -> None:
        """A jump out of `finally` is legal, but a SyntaxWarning since Python 3.14."""
        self._all([*node.body, *node.handlers, *node.orelse])
        self._all(node.finalbody, self._context.without("loop"))

    def visit_TryStar(self, node: ast.TryStar) -> None:
        """No jump may leave a handler of a group."""
        self._all([*node.body, *node.orelse])
        self._all([*node.handlers, *node.finalbody], self._context.without("loop"))

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        self._all(node.values, self._context.without("fstring"))

    def _all(self, nodes: Iterable[ast.AST], context: HoleContext | None = None) -> None:
        before, self._context = self._context, context or self._context
        for node in nodes:
            self.visit(node)
        self._context = before
