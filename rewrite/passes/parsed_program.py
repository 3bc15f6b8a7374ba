"""A module parsed once for all passes: its functions, their statements, and where variables are mentioned.

Answers are conservative: a variable counts as read by an inner function if its name occurs in one.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, count
from string import ascii_lowercase

import libcst as cst

from corpora.literals import UNPARSABLE
from rewrite.analysis.legality import FunctionLocals, name_references
from rewrite.analysis.observers import count_fixed_lines, observes_lifetimes
from rewrite.analysis.reflection import find_reflection
from rewrite.analysis.scopes import NameReference, Scope
from rewrite.analysis.symbol_table import collect_scopes
from rewrite.evidence.assumptions import Assumption
from rewrite.evidence.facts import ObservedFacts
from rewrite.evidence.gather import Evidence, gather_evidence
from rewrite.passes.candidate import Edit, PassCandidate
from rewrite.passes.type_evidence import TypeEvidence
from rewrite.pipeline.leave_comments import find_leave_comments
from rewrite.syntax.nesting_depth import find_deep_nesting
from rewrite.syntax.normalized_names import normalize_names
from rewrite.syntax.source_map import PrintedModule
from rewrite.syntax.tree import CLAUSES, children, walk

_WEAK = (cst.IfExp, cst.Lambda, cst.NamedExpr, cst.Yield, cst.Tuple, cst.GeneratorExp)


@dataclass(frozen=True)
class StatementSite:
    """A statement of a function and its position.

    Attributes:
        node: The statement.
        block: The statements of its block.
        index: Its index in the block.
        around: The compound statements that contain it, outermost first.
        function: The function that contains it.
    """

    node: cst.BaseStatement
    block: Sequence[cst.BaseStatement]
    index: int
    around: tuple[cst.CSTNode, ...]
    function: FunctionLocals


class ParsedProgram:
    """A module, its source, and its functions and their statements from top to bottom.

    Attributes:
        evidence: What the calls show, run when it is asked for; None without calls.
    """

    def __init__(
        self, source: str, module: cst.Module, calls: Sequence[str] = (), evidence: Evidence | None = None
    ) -> None:
        self.source, self.module, self._calls = source, module, calls
        if evidence is not None:
            self.evidence = evidence
        self.printed = PrintedModule(module)
        self.scopes = collect_scopes(module)
        self.reflection = find_reflection(module, source, self.scopes)
        self.scopes.module.replaced = self.reflection.replaced
        self.scopes.module.changes = self.reflection.changes
        self.newline = module.default_newline
        self._kept = find_leave_comments(self.printed)
        self.functions: list[FunctionLocals] = []
        self.sites: list[StatementSite] = []
        if not self.reflection.everywhere:
            self._read(module.body, (), None)

    def _read(
        self, body: Sequence[cst.CSTNode], around: tuple[cst.CSTNode, ...], function: FunctionLocals | None
    ) -> None:
        for index, node in enumerate(body):
            if id(node) in self._kept:
                continue
            if function is not None and isinstance(node, cst.BaseStatement) and not function.scope.reflection:
                self.sites.append(StatementSite(node, body, index, around, function))  # type: ignore[arg-type]
            if isinstance(node, cst.FunctionDef):
                inner = FunctionLocals(node, self.scopes)
                self.functions.append(inner)
                self._read(node.body.body, (), inner)
            elif isinstance(node, cst.ClassDef):
                self._read(node.body.body, (*around, node), None)
            else:
                self._blocks(node, (*around, node), function)

    def _blocks(self, node: cst.CSTNode, around: tuple[cst.CSTNode, ...], function: FunctionLocals | None) -> None:
        for child in children(node):
            if isinstance(child, cst.IndentedBlock):
                self._read(child.body, around, function)
            elif not isinstance(child, (cst.BaseExpression, cst.BaseSuite)):
                self._blocks(child, around, function)

    def type_evidence(self, scope: Scope) -> TypeEvidence:
        """Type evidence for one candidate in a scope."""
        return TypeEvidence(scope, ObservedFacts(self.printed, self.evidence) if self.evidence is not None else None)

    @cached_property
    def evidence(self) -> Evidence | None:
        """What the calls show; None without calls."""
        return gather_evidence(self.source, self._calls) if self._calls else None

    @cached_property
    def defined_names(self) -> frozenset[str]:
        """The names of all functions and classes of the module."""
        nodes = (node for node in walk(self.module) if isinstance(node, (cst.FunctionDef, cst.ClassDef)))
        return frozenset(node.name.value for node in nodes)

    def mentions(self, node: cst.CSTNode) -> list[NameReference]:
        """The mentions of variables in a node, without the variables of scopes inside."""
        return list(name_references(node, self.scopes))

    def mentioned_names(self, node: cst.CSTNode) -> list[str]:
        """The names of the variables that a node mentions."""
        return [mention.node.value for mention in name_references(node, self.scopes)]

    @property
    def can_add_names(self) -> bool:
        """Whether a pass may add names to the module: it does not inspect its globals and has no star import."""
        return not self.reflection.module and not self.scopes.module.star_import

    def is_kept(self, node: cst.CSTNode) -> bool:
        """Whether a comment (`# spellout: leave`) keeps something in the node unchanged."""
        return bool(self._kept) and any(id(inner) in self._kept for inner in walk(node))

    def offsets(self, node: cst.CSTNode) -> tuple[int, int]:
        """Start and end of a node in the source; of a statement, without surrounding white space and comments."""
        if not isinstance(node, cst.BaseStatement):
            return self._span(node)
        start = self.line_start(self.printed.line_of(node))
        text = self.source[start : self._span(_last(node))[1]].rstrip()
        return start + len(text) - len(text.lstrip()), start + len(text)

    def _span(self, node: cst.CSTNode) -> tuple[int, int]:
        found = self.printed.span_of(node)
        assert found is not None
        return found

    def insertion_point(self, node: cst.CSTNode) -> int:
        """Where to insert a statement above the top-level statement that contains a node, and above its comments.

        Below a `#!` line and a coding line, which must stay at the top.
        """
        place, top = next(
            (place, one) for place, one in enumerate(self.module.body) if any(inner is node for inner in walk(one))
        )
        leading = list(top.leading_lines)
        line = self.printed.line_at(self.printed.token_index[id(top)]) + len(leading)
        leading = [*self.module.header, *leading] if place == 0 else leading
        while leading and leading.pop().comment is not None:
            line -= 1
        return self.line_start(max(line, 1 + count_fixed_lines(self.source)))

    def reindented_lines(self, node: cst.BaseStatement, indent: str) -> tuple[str, range] | None:
        """The lines of a statement with another indentation, and their numbers; None if a string spans lines."""
        start, end = self.offsets(node)
        own, text = self.indent(node), self.source[start:end]
        if re.search(r"\'\'\'|\"\"\"|\\\r?\n", text):
            return None
        lines = [line.removeprefix(own) for line in text.split("\n")]
        first = self.line_at(start)
        return "\n".join(indent + line if line.strip() else line for line in lines), range(first, first + len(lines))

    def line_start(self, line: int) -> int:
        """Offset of the start of a line (from 1)."""
        return sum(len(text) + 1 for text in self.printed.lines[: line - 1])

    def fresh_name(self, name: str) -> str:
        """A name that occurs nowhere in the source: the given one, with a number if need be."""
        words = set(re.findall(r"\w+", self.source))
        return next(f"{name}{end}" for end in chain([""], map(str, count(2))) if f"{name}{end}" not in words)

    def fresh_letter(self, function: FunctionLocals, wanted: str) -> str:
        """A one-letter name that is free in a function: the wanted one if possible."""
        taken = {part.value for part in walk(function.node) if isinstance(part, cst.Name)}
        letters = (letter for letter in (wanted, *ascii_lowercase) if letter not in taken)
        return next(letters, None) or self.fresh_name(f"{wanted}_")

    def line_at(self, offset: int) -> int:
        """The line (from 1) of an offset."""
        return self.source.count("\n", 0, offset) + 1

    def indent(self, node: cst.BaseStatement) -> str:
        """The indentation of a statement."""
        text = self.printed.lines[self.printed.line_of(node) - 1]
        return text[: len(text) - len(text.lstrip())]

    def inline_code(self, node: cst.BaseExpression) -> str:
        """Source of an expression on one line, in parentheses if its operator has low precedence."""
        text = self.printed.source_of(node)
        return f"({text})" if isinstance(node, _WEAK) and not node.lpar else text

    def comments_between(self, start: int, end: int, indent: str) -> str:
        """The comments between two offsets, each on its own line."""
        found = (comment for comment in self.printed.comments if start <= self._span(comment)[0] < end)
        return "".join(f"{comment.value}{self.newline}{indent}" for comment in found)

    def replacement(self, first: cst.BaseStatement, last: cst.BaseStatement, text: str) -> Edit:
        """The edit that replaces some statements of a block by one line. Their comments move above it."""
        start, end = self.offsets(first)[0], self.offsets(last)[1]
        # A comment at the end of the last line stays where it is.
        return Edit(start, end, self.comments_between(start, end, self.indent(first)) + text)

    def deletion(self, node: cst.BaseStatement) -> Edit:
        """The edit that deletes a line; a comment at its end stays."""
        start, end = self.offsets(node)
        comment = node.trailing_whitespace.comment if isinstance(node, cst.SimpleStatementLine) else None
        if comment is not None:
            return Edit(start, end, comment.value)
        begin = start - len(self.indent(node))
        line_end = self.source.find("\n", end) + 1 or len(self.source)
        return Edit(begin, line_end, "")

    def candidate(
        self,
        node: cst.BaseStatement,
        what: str,
        edits: Sequence[Edit],
        assumes: tuple[Assumption, ...] = (),
    ) -> PassCandidate:
        """The candidate at a statement. The registry adds the name of the pass."""
        edits = tuple(sorted(edits, key=lambda edit: (edit.start, edit.end)))
        span = self.line_at(edits[0].start), max(self.line_at(edit.end) for edit in edits)
        return PassCandidate("", self.printed.line_of(node), what, assumes, span, edits, len(self.source))


def parse_program(source: str, calls: Sequence[str] = (), evidence: Evidence | None = None) -> ParsedProgram | None:
    """The parsed module; None if it does not parse or round-trip, or observes object lifetimes or its own code.

    Args:
        source: The source.
        calls: Its calls.
        evidence: What they show, if it is known.
    """
    if find_deep_nesting(source) is not None or "\f" in source:
        return None
    try:
        if observes_lifetimes(ast.parse(source), source):
            return None
        module = normalize_names(cst.parse_module(source), source)
    except (cst.ParserSyntaxError, *UNPARSABLE):
        return None
    program = ParsedProgram(source, module, calls, evidence)
    return program if program.printed.text == source else None


def _last(node: cst.CSTNode) -> cst.CSTNode:
    """The last simple statement line or one-line suite of a statement."""
    while not isinstance(node, (cst.SimpleStatementLine, cst.SimpleStatementSuite)):
        parts = [part for part in children(node) if isinstance(part, (cst.BaseStatement, cst.BaseSuite, *CLAUSES))]
        node = parts[-1]
    return node
