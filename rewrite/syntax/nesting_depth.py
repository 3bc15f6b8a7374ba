"""Estimate how deeply a source nests before LibCST parses it.

LibCST's parser recurses on the native stack: 8,000 times `x and` ends the process, and patterns nested in 20 brackets
take minutes. This linear scan finds such a source first. It knows no grammar: it counts everything that may nest
(operators, brackets, adjacent strings, `elif`) and overestimates where it is not sure.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

OPERATIONS = 500
STRINGS = 2500
ELIFS = 1000
PATTERNS = 8
"""The deepest nesting that is rewritten: of operations; of adjacent strings, which LibCST nests in each other; of
`elif`; and of brackets in a `case` or `del`, where LibCST's parsing time doubles with each bracket."""

_WEIGHT = STRINGS // OPERATIONS  # one operation counts as this many strings
TOKENS = re.compile(
    r"""
    (?P<string>(?i:\b(?:[rbut]|f|[rb]{2}|[rft]{2}))?(?:'''(?:\\.|[^\\])*?(?:'''|\Z)|\"\"\"(?:\\.|[^\\])*?(?:\"\"\"|\Z)
        |'(?:\\.|[^\\'\n])*(?:'|$)|"(?:\\.|[^\\"\n])*(?:"|$)))
    |(?P<skipped>\#[^\n]*|\\\r?\n|[ \t\f]+)
    |(?P<number>\d[\w.]*)
    |(?P<line>\n[ \t\f]*(?:(?P<head>elif|if|case|del)\b)?)
    |(?P<word>[^\W\d]\w*)
    |(?P<open>[(\[{])|(?P<close>[)\]}])|(?P<comma>[,;])|(?P<colon>:(?!=))
    |(?P<operator>\*\*|//|<<|>>|[-+*/%@&|^~.]|:=)
    |(?P<other>.)
    """,
    re.VERBOSE | re.MULTILINE | re.DOTALL,
)
_TIGHT = frozenset({"**", "*", "/", "//", "%", "@", "."})
_NESTING = frozenset({"and", "or", "not", "if", "lambda", "await", "yield", "for"})
# After these, `+` and `-` are unary.
_BEFORE_UNARY = _NESTING | {"return", "in", "is", "else", "elif", "while", "assert", "del", "raise", "from", "case"}
_FIELD = re.compile(r"\{\{|\}\}|[{}]")


@dataclass
class _BracketLevel:
    """Counters of what may nest since the last comma within a bracket."""

    loose: int = 0
    tight: int = 0  # operators above `+` since the last `+`: `a * b + c * d` nests no deeper than `a + c * d`
    tightest: int = 0
    lambdas: int = 0  # lambdas whose parameters are being read
    clauses: bool = False  # within a comprehension a comma ends nothing

    @property
    def depth(self) -> int:
        return self.loose + self.tightest

    def binds(self) -> None:
        self.tight += _WEIGHT
        self.tightest = max(self.tight, self.tightest)


@dataclass
class _NestingScan:
    """The state of the scan: line, open brackets and counters."""

    line: int = 1
    levels: list[_BracketLevel] = field(default_factory=lambda: [_BracketLevel()])
    outside: int = 0  # the depth of all levels except the last
    strings: int = 0  # adjacent strings so far
    operand: bool = False  # whether the previous token ends an operand
    head: str = ""
    elifs: dict[str, int] = field(default_factory=dict)

    def deep(self) -> str:
        """What is nested too deeply here, or ""."""
        top = self.levels[-1]
        if self.outside + top.depth + self.strings > STRINGS:
            return f"more than {OPERATIONS} operations or {STRINGS} strings one in another"
        if self.head in ("case", "del") and len(self.levels) - 1 > PATTERNS:
            return f"more than {PATTERNS} brackets one in another in a {self.head}"
        return ""

    def add(self) -> None:
        self.levels[-1].loose += _WEIGHT

    def operator(self, text: str) -> None:
        level = self.levels[-1]
        if text in _TIGHT:
            level.binds()
            return
        self.add()
        if text in "+-" and self.operand:
            level.tight = 0

    def new_line(self, text: str, head: str | None) -> str:
        self.line += 1
        if len(self.levels) > 1:
            return ""
        self.levels, self.outside, self.strings, self.head = [_BracketLevel()], 0, 0, head or ""
        if head in ("if", "elif"):
            indent = text[: -len(head)]
            self.elifs[indent] = self.elifs.get(indent, 0) + 1 if head == "elif" else 0
            if self.elifs[indent] > ELIFS:
                return f"more than {ELIFS} elif one after another"
        return ""

    def word(self, word: str) -> None:
        level = self.levels[-1]
        if word in _NESTING:
            self.add()
        level.lambdas += word == "lambda"
        level.clauses = level.clauses or (word == "for" and len(self.levels) > 1)
        if word == "if" and len(self.levels) == 1:
            self.head = ""  # the guard of a case

    def bracket(self, opened: bool) -> None:
        if opened:
            self.levels[-1].binds()
            self.outside += self.levels[-1].depth
            self.levels.append(_BracketLevel())
        elif len(self.levels) > 1:
            self.levels.pop()
            self.outside -= self.levels[-1].depth

    def comma(self) -> None:
        level = self.levels[-1]
        if not level.lambdas and not level.clauses:
            level.loose = level.tight = level.tightest = 0

    def colon(self) -> None:
        level = self.levels[-1]
        level.lambdas = max(level.lambdas - 1, 0)
        if len(self.levels) == 1:
            self.head = ""


def find_deep_nesting(source: str) -> tuple[int, str] | None:
    """Find the first line that nests more deeply than the rewriter accepts.

    Returns:
        The line (from 1) and the limit that it exceeds, or None.

    Example:
        >>> find_deep_nesting("x = 1\\ny = x" + ".a" * 900)
        (2, 'more than 500 operations or 2500 strings one in another')
    """
    return _scan(source, _NestingScan()) if len(source) > PATTERNS else None


def _scan(source: str, scan: _NestingScan) -> tuple[int, str] | None:
    for token in TOKENS.finditer(source):
        kind, text = token.lastgroup, token.group()
        if kind == "skipped":
            continue
        found = ""
        if kind == "string":
            scan.strings += 1
            inside = _fields(text, scan)
            if inside is not None:
                return inside
            scan.line += text.count("\n")
        elif kind in ("line", "head"):
            found = scan.new_line(text, token["head"])
            if token["head"] and not scan.head:
                scan.word(token["head"])
            elif token["head"] in ("if", "elif"):
                scan.add()
            if found:
                return scan.line, found
            continue
        else:
            scan.strings = 0
        if kind == "word":
            scan.word(text)
        elif kind in ("open", "close"):
            scan.bracket(kind == "open")
        elif kind == "comma":
            scan.comma()
        elif kind == "colon":
            scan.colon()
        elif kind == "operator":
            scan.operator(text)
        if kind != "line":
            scan.operand = kind in ("number", "close", "string") or (kind == "word" and text not in _BEFORE_UNARY)
        found = scan.deep()
        if found:
            return scan.line, found
    return None


def _fields(text: str, around: _NestingScan) -> tuple[int, str] | None:
    """Scan the replacement fields of an f-string."""
    prefix = text[: min(text.find(quote) for quote in "'\"" if quote in text)].lower()
    if "f" not in prefix and "t" not in prefix:
        return None
    depth, start = 0, 0
    for brace in _FIELD.finditer(text):
        if brace.group() == "{" or (depth and brace.group() == "{{"):
            start = start if depth else brace.end()
            depth += len(brace.group())
        elif depth and brace.group() in ("}", "}}"):
            depth = max(depth - len(brace.group()), 0)
            if not depth:
                found = _scan(text[start : brace.start()], _NestingScan(around.line, outside=around.outside))
                if found is not None:
                    return found
    return None
