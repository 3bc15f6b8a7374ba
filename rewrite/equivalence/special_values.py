"""Boundary values for the operations that a program uses: `²` for `isdigit`, `ß` for `casefold`, 2**63 for masks.

An operation is a method, a function or a part of a regular expression. It is recognized by name only.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from analyze.operations.catalogue import candidates, functions, methods, operators
from analyze.operations.operation import Characters, Kind
from rewrite.equivalence.call_templates import last_name

WHITESPACE = ("\n", "\r\n", "\x85", "\u00a0", "\u2028", "\x1c", "\t", "\u200b", "\x0b")
DIGITS = ("²", "٣", "½", "一", "१", "_1", "+5", " 7 ")
CASE_MAPPING = ("ß", "İ", "ſ", "\u212a", "ǆ", "ŉ", "ς", "µ")
ENCODING = ("\ud800", "\x80", "\udc80", "\x00", "😀")
WORD_CHARACTERS = ("é", "_", "ª", "²", "e\u0301", "\n")
QUOTING = ("'", '"', "\\", "\x7f", "\ud800", "\u2028", "{", "%")
NORMALIZATION = ("e\u0301", "ﬁ", "Å", "\u200d")
_BY_CHARACTERS = {
    Characters.WHITESPACE: WHITESPACE,
    Characters.DIGITS: DIGITS,
    Characters.CASED: CASE_MAPPING,
    Characters.ENCODED: ENCODING,
    Characters.WORD: WORD_CHARACTERS,
    Characters.QUOTED: QUOTING,
    Characters.COMBINING: NORMALIZATION,
}
# Functions and constants of modules.
_BY_NAME = {
    **dict.fromkeys(("digit", "decimal", "numeric"), DIGITS),
    **dict.fromkeys(("capwords", "IGNORECASE", "I"), CASE_MAPPING),
    **dict.fromkeys(("write", "quote", "urlencode"), ENCODING),
    "ascii_letters": WORD_CHARACTERS,
    **dict.fromkeys(("dumps", "escape", "literal_eval", "loads"), QUOTING),
    **dict.fromkeys(("normalize", "combining", "category"), NORMALIZATION),
    **dict.fromkeys(("match", "fullmatch", "search", "sub", "findall", "finditer", "subn"), ("\n", "\r")),
}
_IN_PATTERNS = (
    (r"\\[dD]|0-9", DIGITS),
    (r"\\[sS]", WHITESPACE),
    (r"\\[wWbB]|a-z|A-Z", WORD_CHARACTERS),
    (r"[$^.]", ("\n", "\r\n")),
)
# Above 2 ** 53, floats cannot represent every integer and square roots are inexact; masks may assume 32 or 64 bits.
LARGE_INTEGERS = (10**16 - 1, 1 - 10**16, 2**63, -(2**63), 2**32, 2**31, 257)
SPECIAL_FLOATS = (-0.0, float("nan"), float("inf"), 2.5, -2.5, 1e16, 0.1)
MAX_LOOP_COUNT = 10_000  # a loop that counts to a larger number may exceed the time limit
_NUMERIC_OPERATIONS = {
    *("sqrt", "isqrt", "log", "log2", "log10", "floor", "ceil", "trunc", "fmod", "math", "copysign", "isclose"),
    *("pack", "hypot", "fsum", "hash", "to_bytes"),
    *functions(lambda one: one.kind is Kind.ARITHMETIC or one.result == "float"),
    *functions(lambda one: one.kind is Kind.MEASURE and one.result == "item"),
}
_MASKS = operators(lambda one: one.kind is Kind.BITWISE and not one.raises)  # without shifts
_SIZED_BY_ARGUMENT = {
    *("factorial", "comb", "perm", "repeat"),
    *functions(lambda one: bool(one.sized_by)),
    *methods("str", lambda one: bool(one.sized_by)),
}


def special_strings(node: ast.AST) -> Iterator[str]:
    """Strings that the operation at a syntax node treats differently from most strings."""
    name = last_name(node)
    known = next((one.distinguishes for one in candidates(name) if one.distinguishes), None)
    yield from _BY_CHARACTERS[known] if known else _BY_NAME.get(name, ())


def strings_special_to_pattern(pattern: str) -> Iterator[str]:
    """Strings that a part of a regular expression treats differently from most strings."""
    for part, strings in _IN_PATTERNS:
        if re.search(part, pattern):
            yield from strings


def has_while(*trees: ast.AST) -> bool:
    """Whether one of these programs contains a `while` loop, which extreme floats often keep from ending."""
    return any(isinstance(node, ast.While) for tree in trees for node in ast.walk(tree))


def is_extreme(value: object) -> bool:
    """Whether a value is a float that a loop counts up to or down from for too long: infinite or huge.

    NaN is not: it is neither less nor greater than the count, so that such a loop ends.

    >>> [is_extreme(value) for value in (float("inf"), -1e16, float("nan"), 2.5, 10**16)]
    [True, True, False, False, False]
    """
    return isinstance(value, float) and abs(value) > MAX_LOOP_COUNT


def special_numbers(tree: ast.AST, *others: ast.AST) -> list[int | float]:
    """Numbers at the limits of floats and of machine integers, where a program computes with such.

    Numbers that may make the program run out of time are left out.

    Args:
        tree: The program.
        others: Programs that are run on the same inputs.

    >>> special_numbers(ast.parse("for i in range(n): s += i / 2"))[:3]
    [-0.0, nan, inf]
    """
    nodes = [*ast.walk(tree)]
    names = set(map(last_name, nodes))
    divided = any(isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div) for node in nodes)
    masked = any(type(node).__name__ in _MASKS for node in nodes)
    exact = divided or masked or bool(names & _NUMERIC_OPERATIONS)
    compared = any(isinstance(node, ast.Compare) for node in nodes)
    floats = list(SPECIAL_FLOATS) if exact or compared else []
    if has_while(tree, *others):
        return [value for value in floats if not is_extreme(value)]
    return [*floats, *LARGE_INTEGERS] if exact and not _may_exceed_limits(nodes, names) else [*floats]


def _may_exceed_limits(nodes: list[ast.AST], names: set[str]) -> bool:
    """Whether a large number may exceed limits of time or memory: in recursion, repetition, powers and shifts."""
    defined = {node.name for node in nodes if isinstance(node, ast.FunctionDef)}
    called = {node.func.id for node in nodes if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    costly = ast.Pow | ast.LShift
    return bool(names & _SIZED_BY_ARGUMENT or defined & called) or any(isinstance(node, costly) for node in nodes)
