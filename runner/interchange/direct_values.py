"""Reads the value that an output predicts where the model wrote no trace: models and harnesses ask for many forms.

The rules are tried in order, and the last occurrence counts, since models think before they answer:

1. an `[ANSWER]` block;
2. a JSON object with a field "answer", alone or in prose (ZeroEval's form);
3. an assertion or comparison `call == value`;
4. a line "Answer: value";
5. a fenced code block that is one literal;
6. the whole output, if it is one line or one literal.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable
from dataclasses import dataclass

from analyze.diagnosis.answers import answer_block, same_value
from corpora.literals import literal_value, parse_quietly

_ANSWER_FIELD = re.compile(r'\{[^{}]*"answer"\s*:')
_ANSWER_LINE = re.compile(r"(?:final )?answer(?: is)?[*`]*\s*:[*`]*\s*(.+)", re.IGNORECASE)
_FENCE = re.compile(r"```[\w+-]*\n(.*?)```", re.DOTALL)
_LONGEST = 1 << 20
"""Characters; a longer output has no value that could be read."""


@dataclass(frozen=True)
class DirectValue:
    """The value that an output predicts.

    Attributes:
        text: the value as the model wrote it, usually a repr.
        rule: what it was read from.
    """

    text: str
    rule: str


def read_value(output: str) -> DirectValue | None:
    """The predicted value; None if no rule applies.

    >>> read_value('I think so.\\n{"reasoning": "...", "answer": "[1, 2]"}').text
    '[1, 2]'
    >>> read_value("assert f('a') == 'A'").text, read_value("I do not know.\\nSorry.")
    ("'A'", None)
    """
    if len(output) > _LONGEST:
        return None
    for rule, read in _RULES.items():
        text = read(output)
        if text is not None:
            return DirectValue(text, rule)
    return None


def is_same_value(reference: str, value: str) -> bool:
    """Whether a value is the reference: equal value and type, or an unquoted string with the same characters."""
    if same_value(reference, value):
        return True
    try:
        expected = literal_value(reference)
    except ValueError:
        return False
    return isinstance(expected, str) and expected == value


def _json_answer(output: str) -> str | None:
    """The field "answer" of the last JSON object that has one: a string as it is, be it empty, or else its repr."""
    for match in reversed(list(_ANSWER_FIELD.finditer(output))):
        try:
            found, _ = json.JSONDecoder(strict=False).raw_decode(output, match.start())
        except (ValueError, RecursionError):
            continue
        answer = found["answer"]
        return answer if isinstance(answer, str) else repr(answer)
    return None


def _comparison(output: str) -> str | None:
    """The right side of the last line that is an assertion or comparison of a call."""
    for line in reversed(output.splitlines()):
        tree = _parsed(line.strip().strip("`"))
        test = tree.body[0] if tree and len(tree.body) == 1 else None
        compared = test.test if isinstance(test, ast.Assert) else test.value if isinstance(test, ast.Expr) else None
        if isinstance(compared, ast.Compare) and isinstance(compared.left, ast.Call):
            return ast.unparse(compared.comparators[-1])
    return None


def _answer_line(output: str) -> str | None:
    found = _ANSWER_LINE.findall(output)
    return found[-1].strip().strip("`*").strip() or None if found else None


def _fenced(output: str) -> str | None:
    return next((text for found in reversed(_FENCE.findall(output)) if _is_literal(text := found.strip())), None)


def _whole(output: str) -> str | None:
    text = output.strip().strip("`").strip()
    return text if text and ("\n" not in text or _is_literal(text)) else None


def _is_literal(text: str) -> bool:
    try:
        literal_value(text)
    except ValueError:
        return False
    return True


def _parsed(line: str) -> ast.Module | None:
    if "==" not in line:
        return None
    try:
        module: ast.Module = parse_quietly(line)
        return module
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


_RULES: dict[str, Callable[[str], str | None]] = {
    "[ANSWER] block": answer_block,
    'JSON field "answer"': _json_answer,
    "comparison": _comparison,
    '"Answer:" line': _answer_line,
    "code block": _fenced,
    "whole output": _whole,
}
