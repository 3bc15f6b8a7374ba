"""A module read once for all savings: its functions, the statements in them, and who mentions which variable.

Questions are answered for the safe side: a variable counts as seen by an inner function when its name stands in one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, count
from string import ascii_lowercase

import libcst as cst

from rewrite.analysis.definite_assignment import Certainty
from rewrite.analysis.reflection import look
from rewrite.analysis.scopes import Scope
from rewrite.analysis.symbol_table import collect
from rewrite.assumption import Assumption
from rewrite.evidence.asking import Shown
from rewrite.evidence.gather import Evidence, gather
from rewrite.gate.keep_lines import left_by_comment
from rewrite.savings.grounds import Grounds
from rewrite.savings.saving import Edit, Saving
from rewrite.syntax.nesting_depth import too_deep
from rewrite.syntax.source_map import Printed
from rewrite.syntax.spelling import as_read
from rewrite.syntax.tree import children, walk

# Who asks how long an object lives can tell how long a variable holds it.
_LIVES = re.compile(r"\b(__del__|weakref|gc|getrefcount)\b")
_OWN = (cst.FunctionDef, cst.ClassDef, cst.Lambda)
_WEAK = (cst.IfExp, cst.Lambda, cst.NamedExpr, cst.Yield, cst.Tuple, cst.GeneratorExp)


@dataclass(frozen=True)
class Spot:
    """A statement of a function: the block it stands in, where in it, and what is around, outermost first."""

    node: cst.BaseStatement
    block: Sequence[cst.BaseStatement]
    index: int
    around: tuple[cst.CSTNode, ...]
    function: Function


class Function:
    """A function of the module, and what of its variables others see."""

    def __init__(self, node: cst.FunctionDef, scope: Scope, around: tuple[cst.CSTNode, ...]) -> None:
        self.node, self.scope, self.around = node, scope, around

    @cached_property
    def mentions(self) -> dict[str, list[cst.Name]]:
        """Its own mentions of variables, by name; those of a comprehension's own are left out."""
        found: dict[str, list[cst.Name]] = {}
        for name in variables(self.node.body):
            found.setdefault(name.value, []).append(name)
        return found

    @cached_property
    def captured(self) -> frozenset[str]:
        """Every name that stands in a function or class inside it."""
        inner = [node for node in walk(self.node.body) if isinstance(node, _OWN)]
        return frozenset(part.value for node in inner for part in walk(node) if isinstance(part, cst.Name))

    @cached_property
    def nodes(self) -> dict[type[cst.CSTNode], list[cst.CSTNode]]:
        """Everything in its body, by class."""
        found: dict[type[cst.CSTNode], list[cst.CSTNode]] = {}
        for node in walk(self.node.body):
            found.setdefault(type(node), []).append(node)
        return found

    def owns(self, name: str) -> bool:
        """Whether the name is a local variable that nothing but the function's own statements sees."""
        scope = self.scope
        elsewhere = scope.declared_global | scope.declared_nonlocal | scope.rebound_elsewhere
        return name in scope.bindings and name not in elsewhere and name not in self.captured

    def certainly_bound(self, name: str) -> bool:
        """Whether the name has a value wherever it is read."""
        if any(binding.how == "parameter" for binding in self.scope.bindings.get(name, ())):
            return name not in self.scope.deleted
        certainty = Certainty(frozenset({name}))
        return name not in self.scope.deleted and name not in certainty.exposed(self.node.body.body)


class Program:
    """A module, its text, and its functions from top to bottom."""

    def __init__(self, source: str, module: cst.Module, calls: Sequence[str] = ()) -> None:
        self.source, self.module, self._calls = source, module, calls
        self.printed = Printed(module)
        self.scopes = collect(module)
        self.reflection = look(module, source, self.scopes)
        self.scopes.module.replaced = self.reflection.replaced
        self.scopes.module.changes = self.reflection.changes
        self.newline = module.default_newline
        self._kept = left_by_comment(self.printed)
        self.functions: list[Function] = []
        self.spots: list[Spot] = []
        if not self.reflection.everywhere:
            self._read(module.body, (), None)

    def _read(self, body: Sequence[cst.CSTNode], around: tuple[cst.CSTNode, ...], function: Function | None) -> None:
        for index, node in enumerate(body):
            if id(node) in self._kept:
                continue
            if function is not None and isinstance(node, cst.BaseStatement) and not function.scope.reflection:
                self.spots.append(Spot(node, body, index, around, function))  # type: ignore[arg-type]
            if isinstance(node, cst.FunctionDef):
                inner = Function(node, self.scopes.of(node), around)
                self.functions.append(inner)
                self._read(node.body.body, (), inner)
            elif isinstance(node, cst.ClassDef):
                self._read(node.body.body, (*around, node), None)
            else:
                self._blocks(node, (*around, node), function)

    def _blocks(self, node: cst.CSTNode, around: tuple[cst.CSTNode, ...], function: Function | None) -> None:
        for child in children(node):
            if isinstance(child, cst.IndentedBlock):
                self._read(child.body, around, function)
            elif not isinstance(child, (cst.BaseExpression, cst.BaseSuite)):
                self._blocks(child, around, function)

    def grounds(self, scope: Scope) -> Grounds:
        """Something to ask for types of a candidate's own, which keeps what it takes for granted."""
        return Grounds(scope, Shown(self.printed, self._evidence) if self._calls else None)

    @cached_property
    def _evidence(self) -> Evidence:
        return gather(self.source, self._calls)

    @cached_property
    def defined(self) -> frozenset[str]:
        """The names of all functions and classes of the module."""
        nodes = (node for node in walk(self.module) if isinstance(node, (cst.FunctionDef, cst.ClassDef)))
        return frozenset(node.name.value for node in nodes)

    def kept(self, node: cst.CSTNode) -> bool:
        """Whether a comment keeps something in the node as it is."""
        return bool(self._kept) and any(id(inner) in self._kept for inner in walk(node))

    def offsets(self, node: cst.CSTNode) -> tuple[int, int]:
        """Where a node begins and ends in the text; of a statement, without what stands before and behind it."""
        printed = self.printed
        start, end = self._span(node)
        if isinstance(node, cst.BaseStatement):
            start = self.line_start(printed.line(node))
            last = _last(node)
            end = self._span(last)[1]
            text = self.source[start:end]
            return start + len(text) - len(text.lstrip()), end - (len(text) - len(text.rstrip()))
        return start, end

    def _span(self, node: cst.CSTNode) -> tuple[int, int]:
        # A last line without its end is printed with one, which is taken off again.
        lengths = self.printed._lengths
        return tuple(lengths[min(tokens, len(lengths) - 1)] for tokens in self._tokens(node))  # type: ignore[return-value]

    def _tokens(self, node: cst.CSTNode) -> tuple[int, int]:
        return self.printed.index[id(node)], self.printed._ends[id(node)]

    def above(self, node: cst.CSTNode) -> int:
        """Where the top-level statement that a node stands in begins, with decorators and comments right above it."""
        top = next(one for one in self.module.body if one is node or any(inner is node for inner in walk(one)))
        line = self.printed.line(top) - len(getattr(top, "decorators", ()))
        while line > 1 and self.printed.lines[line - 2].startswith("#"):
            line -= 1
        return self.line_start(line)

    def lines_of(self, node: cst.BaseStatement, indent: str) -> tuple[str, range] | None:
        """The lines of a statement with another indentation, and where they stand; None, if a text spans some."""
        start, end = self.offsets(node)
        own, text = self.indent(node), self.source[start:end]
        if re.search(r"\'\'\'|\"\"\"|\\\r?\n", text):
            return None
        lines = [line.removeprefix(own) for line in text.split("\n")]
        first = self.line_at(start)
        return "\n".join(indent + line if line.strip() else line for line in lines), range(first, first + len(lines))

    def line_start(self, line: int) -> int:
        """Where a line (from 1) begins in the text."""
        return sum(len(text) + 1 for text in self.printed.lines[: line - 1])

    def fresh(self, name: str) -> str:
        """A name like this one that stands nowhere in the text."""
        words = set(re.findall(r"\w+", self.source))
        return next(f"{name}{end}" for end in chain([""], map(str, count(2))) if f"{name}{end}" not in words)

    def fresh_letter(self, function: Function, wanted: str) -> str:
        """A letter that stands for nothing in a function: the wanted one, if it is free."""
        taken = {part.value for part in walk(function.node) if isinstance(part, cst.Name)}
        letters = (letter for letter in (wanted, *ascii_lowercase) if letter not in taken)
        return next(letters, None) or self.fresh(f"{wanted}_")

    def line_at(self, offset: int) -> int:
        """The line (from 1) of a place in the text."""
        return self.source.count("\n", 0, offset) + 1

    def indent(self, node: cst.BaseStatement) -> str:
        """The white space before a statement."""
        text = self.printed.lines[self.printed.line(node) - 1]
        return text[: len(text) - len(text.lstrip())]

    def text(self, node: cst.BaseExpression) -> str:
        """An expression on one line, in parentheses where it binds weakly."""
        text = self.printed.shown(node)
        return f"({text})" if isinstance(node, _WEAK) and not node.lpar else text

    def comments(self, start: int, end: int, indent: str) -> str:
        """The comments between two places, each on a line of its own."""
        return "".join(f"{comment}{self.newline}{indent}" for at, comment in self._comments if start <= at < end)

    @cached_property
    def _comments(self) -> list[tuple[int, str]]:
        finder = _Comments()
        self.module.visit(finder)
        return [(self._span(node)[0], node.value) for node in finder.found]

    def replaced(self, first: cst.BaseStatement, last: cst.BaseStatement, text: str) -> Edit:
        """The edit that puts one line for some statements of a block; their comments stay, above it."""
        start, end = self.offsets(first)[0], self.offsets(last)[1]
        # The comment behind the last line stays where it is.
        return Edit(start, end, self.comments(start, end, self.indent(first)) + text)

    def saving(
        self,
        name: str,
        node: cst.BaseStatement,
        what: str,
        edits: Sequence[Edit],
        assumes: tuple[Assumption, ...] = (),
    ) -> Saving:
        """The saving at a statement."""
        edits = tuple(sorted(edits, key=lambda edit: (edit.start, edit.end)))
        span = self.line_at(edits[0].start), max(self.line_at(edit.end) for edit in edits)
        return Saving(name, self.printed.line(node), what, assumes, span, edits, len(self.source))


def read(source: str, calls: Sequence[str] = ()) -> Program | None:
    """The module, or None where it does not parse, does not print as it stands, or looks at the life of objects."""
    if too_deep(source) is not None or "\f" in source or _LIVES.search(source):
        return None
    try:
        module = as_read(cst.parse_module(source), source)
    except (cst.ParserSyntaxError, RecursionError, UnicodeError):
        return None
    program = Program(source, module, calls)
    return program if program.printed.text == source else None


def variables(node: cst.CSTNode) -> Iterator[cst.Name]:
    """The mentions of variables in a node, without attributes, keywords, and what a comprehension keeps to itself."""
    if isinstance(node, cst.Name):
        yield node
    elif isinstance(node, (cst.Attribute, cst.Arg)):
        yield from variables(node.value)
    elif isinstance(node, cst.BaseComp):
        own = {name.value for clause in _clauses(node) for name in variables(clause.target)}
        first = node.for_in.iter
        yield from variables(first)
        rest = (child for child in children(node) for child in variables(child))
        outer = {id(name) for name in variables(first)}
        yield from (name for name in rest if name.value not in own and id(name) not in outer)
    else:
        for child in children(node):
            yield from variables(child)


def _clauses(node: cst.BaseComp) -> Iterator[cst.CompFor]:
    clause: cst.CompFor | None = node.for_in
    while clause is not None:
        yield clause
        clause = clause.inner_for_in


def _last(node: cst.CSTNode) -> cst.CSTNode:
    """The last simple statement line or one-line suite of a statement."""
    while not isinstance(node, (cst.SimpleStatementLine, cst.SimpleStatementSuite)):
        parts = [part for part in children(node) if isinstance(part, (cst.BaseStatement, cst.BaseSuite, *_ENDS))]
        node = parts[-1]
    return node


_ENDS = (cst.Else, cst.Finally, cst.ExceptHandler, cst.ExceptStarHandler, cst.MatchCase)


class _Comments(cst.CSTVisitor):
    def __init__(self) -> None:
        self.found: list[cst.Comment] = []

    def visit_Comment(self, node: cst.Comment) -> None:  # noqa: N802 - LibCST's name
        self.found.append(node)
