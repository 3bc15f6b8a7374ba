"""The paper's own decomposition (Appendix F and F.1), on `ast`, printed with `astor`: recipe `paper`.

It follows the description and the published rewrites, to reproduce the paper's Table 1. Expressions of at least two
operations become temporaries `_t0, _t1, …` right before their statement, deeper ones first. Searches, counts and
replacements of a literal character become loops over a list of the characters. The transformation ignores conditional
evaluation, evaluation order, scopes and receiver types, and loses comments and layout. So its rewrites are sometimes
wrong; it is no default and never writes over a file.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator
from typing import Any, NamedTuple

from corpora.literals import parse_quietly
from rewrite.anf.rewrite_result import ExpressionChange, Rewritten, SkippedExpression
from rewrite.baselines import PAPER
from rewrite.syntax.source_map import SourcePosition

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # astor names node classes that Python 3.12 deprecates
    import astor  # type: ignore[import-untyped]

SUMMARY = "the paper's own tool, mistakes included: its rewrites are not known to be the same programs"
THRESHOLD = 2
_EXTRACTED = (ast.BinOp, ast.Call, ast.Subscript, ast.Compare, ast.List, ast.Tuple, ast.Set, ast.Dict, ast.GeneratorExp)
_COUNTED = (ast.BinOp, ast.UnaryOp, ast.Call, ast.Subscript, ast.Compare, ast.Attribute, ast.BoolOp)
_CLOSED = (ast.Lambda, ast.GeneratorExp, ast.ListComp, ast.SetComp, ast.DictComp, ast.UnaryOp)
_STATEMENTS = (ast.Assign, ast.AugAssign, ast.Expr)
_SEARCH = """
{copy} = list({text})
{result} = {start}
for {place} in range(len({copy})):
    if {copy}[{place}] == {target}:
        {found}
    {otherwise}
"""
_RAISED = """
if {result} == -1:
    raise ValueError('substring not found')
"""
_BACKWARDS = "range(len({copy}) - 1, -1, -1)"


class ExtractionSite(NamedTuple):
    """An expression to extract: its depth, and the field (and index, in a list) of its parent."""

    depth: int
    node: ast.expr
    holder: ast.AST
    field: str
    number: int | None


def rewrite_like_paper(source: str, threshold: int = THRESHOLD) -> Rewritten:
    """Rewrite a program like the paper's tool. Raises SyntaxError if the source does not parse.

    >>> print(rewrite_like_paper("def f(a, n):\\n    a.append((a.count(n), n))\\n").source, end="")
    def f(a, n):
        _t0 = a.count(n)
        _t1 = _t0, n
        a.append(_t1)
    """
    tree = parse_quietly(source)
    changes: list[ExpressionChange] = []
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            _Function(threshold, source, changes).run(node)
    unchanged = tuple(SourcePosition(line, 1) for line in range(1, source.count("\n") + 2))
    if not changes:
        return Rewritten(source, False, positions=unchanged)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            text = str(astor.to_source(ast.fix_missing_locations(tree)))
        positions = _positions(text, tree)  # astor's text need not parse: it prints some f-strings wrongly
    except Exception as error:  # noqa: BLE001 - it knows no Python after 3.8
        left = tuple(
            SkippedExpression(change.line, f"astor cannot print this program ({type(error).__name__})")
            for change in changes
        )
        return Rewritten(source, False, left=left, positions=unchanged)
    changes.sort(key=lambda change: (change.line, change.column))
    return Rewritten(text, True, tuple(changes), positions=positions)


def complexity(node: ast.AST) -> int:
    """The number of operations in an expression, without displays."""
    return sum(isinstance(inner, _COUNTED) for inner in ast.walk(node))


class _Function:
    """Rewrites one function and numbers its temporaries."""

    def __init__(self, threshold: int, source: str, changes: list[ExpressionChange]) -> None:
        self.threshold = threshold
        self.source = source
        self.changes = changes
        self.count = 0

    def run(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        node.body = self.block(node.body)

    def block(self, body: list[ast.stmt]) -> list[ast.stmt]:
        return [new for statement in body for new in self.statement(statement)]

    def statement(self, node: ast.stmt) -> list[ast.stmt]:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            return [node]
        before: list[ast.stmt] = []
        for place in sorted(self.places(node), key=lambda place: -place.depth):
            made = self.extracted(place.node, before)
            if place.number is None:
                setattr(place.holder, place.field, made)
            else:
                getattr(place.holder, place.field)[place.number] = made
        for new in before:
            for inner in ast.walk(new):
                ast.copy_location(inner, node)
        for field in ("body", "orelse", "finalbody"):
            if getattr(node, field, None):
                setattr(node, field, self.block(getattr(node, field)))
        for handler in getattr(node, "handlers", ()):
            handler.body = self.block(handler.body)
        return [*before, node]

    def places(self, node: ast.stmt) -> Iterator[ExtractionSite]:
        """The expressions to extract before a statement. An assigned value stays, unless it is a string search."""
        if isinstance(node, (ast.Return, ast.If)):
            field = "value" if isinstance(node, ast.Return) else "test"
            value = getattr(node, field)
            if value is not None and (complexity(value) >= self.threshold or _search(value)):
                yield ExtractionSite(0, value, node, field, None)
                yield from self.inside(value, 1)
        elif isinstance(node, _STATEMENTS):
            if _search(node.value):
                yield ExtractionSite(0, node.value, node, "value", None)
            yield from self.inside(node.value, 1)

    def inside(self, node: ast.AST, depth: int) -> Iterator[ExtractionSite]:
        """The operands to extract; within the receiver of a method only the arguments."""
        if isinstance(node, _CLOSED):
            return
        receiver = node.func.value if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else None
        for holder, field, index, operand in _operands(node):
            wanted = isinstance(operand, (*_EXTRACTED, ast.IfExp)) and complexity(operand) >= self.threshold
            direct = isinstance(node, ast.BoolOp) or operand is receiver
            if (wanted and not direct) or _search(operand):
                yield ExtractionSite(depth, operand, holder, field, index)
            if not isinstance(operand, ast.IfExp):
                yield from self.inside(operand, depth + 1)

    def extracted(self, value: ast.expr, before: list[ast.stmt]) -> ast.Name:
        """A new temporary for a value. before: receives the statements that bind it."""
        text = ast.get_source_segment(self.source, value) or ast.unparse(value)
        self.changes.append(ExpressionChange(PAPER, value.lineno, value.col_offset + 1, " ".join(text.split())))
        found = _search(value)
        if found:
            name, statements = self.loop(*found)
            before += statements
        else:
            name = self.fresh()
            before.append(ast.Assign([ast.Name(name, ast.Store())], value))
        return ast.copy_location(ast.Name(name, ast.Load()), value)

    def loop(
        self, operation: str, text: ast.expr, target: ast.expr, new: ast.expr | None
    ) -> tuple[str, list[ast.stmt]]:
        """Appendix F.1: a loop over the list of characters."""
        names = {"copy": self.fresh(), "result": self.fresh(), "place": self.fresh()}
        texts = {"text": ast.unparse(text), "target": ast.unparse(target)}
        start, found, otherwise = _LOOPS[operation]
        pattern = _SEARCH.replace("range(len({copy}))", _BACKWARDS) if operation[0] == "r" and new is None else _SEARCH
        pattern = pattern.replace("{found}", found).replace("{otherwise}", otherwise).replace("{start}", start)
        pattern += _RAISED if "index" in operation else ""
        replaced = {"new": ast.unparse(new) if new is not None else ""}
        return names["result"], ast.parse(pattern.format_map(names | texts | replaced)).body

    def fresh(self) -> str:
        self.count += 1
        return f"_t{self.count - 1}"


_HIT = "{result} = {place}\n        break"
_LOOPS = {
    **dict.fromkeys(("find", "rfind", "index", "rindex"), ("-1", _HIT, "")),
    "count": ("0", "{result} += 1", ""),
    "replace": ("''", "{result} += {new}", "else:\n        {result} += {copy}[{place}]"),
    "in": ("False", "{result} = True\n        break", ""),
}


def _search(node: ast.AST) -> tuple[str, ast.expr, ast.expr, ast.expr | None] | None:
    """The name, string, literal character and replacement of an operation of Appendix F.1; None for others."""
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], ast.In):
        return ("in", node.comparators[0], node.left, None) if _is_character(node.left) else None
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or node.keywords:
        return None
    name, arguments = node.func.attr, node.args
    if name not in _LOOPS or len(arguments) != (2 if name == "replace" else 1) or not _is_character(arguments[0]):
        return None
    return name, node.func.value, arguments[0], arguments[1] if len(arguments) > 1 else None


def _is_character(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) == 1


def _operands(node: ast.AST) -> Iterator[tuple[ast.AST, str, int | None, ast.expr]]:
    """Each operand with its parent's field, through keywords, slices and the attribute of a callee."""
    for field, value in ast.iter_fields(node):
        for index, part in enumerate(value) if isinstance(value, list) else [(None, value)]:
            if isinstance(part, (ast.keyword, ast.Slice)) or (field == "func" and isinstance(part, ast.Attribute)):
                yield from _operands(part)
            elif isinstance(part, ast.expr) and not isinstance(part, ast.Starred):
                yield node, field, index, part


def _positions(text: str, tree: ast.Module) -> tuple[SourcePosition, ...]:
    """For each line of the new source, the original position of its statement."""
    last, found = SourcePosition(1, 1), [SourcePosition(1, 1)] * text.count("\n")
    places = dict(_pairs(parse_quietly(text).body, tree.body))
    for line in range(1, len(found) + 1):
        last = places.get(line, last)
        found[line - 1] = last
    return tuple(found)


def _pairs(new: list[Any], old: list[Any]) -> Iterator[tuple[int, SourcePosition]]:
    """Lines of the printed statements, with the positions of the same statements in the original tree."""
    for printed, made in zip(new, old, strict=False):
        yield printed.lineno, SourcePosition(getattr(made, "lineno", 1), getattr(made, "col_offset", 0) + 1)
        for field in ("body", "orelse", "finalbody", "handlers"):
            yield from _pairs(getattr(printed, field, None) or [], getattr(made, field, None) or [])
