"""Corrects LibCST's test whether an expression may directly follow or precede a keyword.

LibCST refuses to parse some valid programs without blanks around keywords. It answers "no" for a conditional expression
in parentheses (`return(a if b else c)`), a float that begins with its point (`return.5`) and `await(a)if b else c`, and
its test of a lambda expression raises TypeError (`not(lambda: 1)`). The corrected methods answer "yes" only where
Python's tokenizer separates the two tokens. `tests/rewrite/syntax/test_tight_keywords.py` compares them with CPython.
They replace methods of LibCST's private interface, since no public one answers the question.
"""

from __future__ import annotations

from typing import Any

import libcst as cst
from libcst._nodes.expression import ExpressionPosition

_LEFT = ExpressionPosition.LEFT  # left of a keyword; RIGHT: right of one


def correct_keyword_spacing() -> None:
    """Installs the corrected methods. May be called again."""
    nodes: Any = cst
    nodes.IfExp._safe_to_use_with_word_operator = _is_safe_conditional
    nodes.Lambda._safe_to_use_with_word_operator = _is_safe_lambda
    nodes.Await._safe_to_use_with_word_operator = _is_safe_await
    nodes.Float._safe_to_use_with_word_operator = _is_safe_float


def _is_safe_conditional(node: Any, position: ExpressionPosition) -> bool:
    if node.lpar:
        return True
    side = node.orelse if position == _LEFT else node.body
    return bool(side._safe_to_use_with_word_operator(position))


def _is_safe_lambda(node: Any, position: ExpressionPosition) -> bool:
    if node.lpar:
        return True
    return position == _LEFT and bool(node.body._safe_to_use_with_word_operator(position))


def _is_safe_await(node: Any, position: ExpressionPosition) -> bool:
    if node.lpar:
        return True
    return position == _LEFT and bool(node.expression._safe_to_use_with_word_operator(position))


def _is_safe_float(node: Any, position: ExpressionPosition) -> bool:
    return position == _LEFT or bool(node.lpar) or node.value.startswith(".")
