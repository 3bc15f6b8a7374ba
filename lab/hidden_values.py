"""Counts of hidden values in the text of a program, and of those among what a rewrite left alone."""

from __future__ import annotations

import ast

from analyze.gold_trace.hidden_values import SEEN, CountingTransformer
from rewrite.anf.rewrite_result import NOT_HERE, SkippedExpression


def count_hidden_expressions(source: str) -> int:
    """The number of expressions whose value their step would not show, without running the program.

    >>> count_hidden_expressions("def f(x):\\n    y = x + 1\\n    return (x + 1) * 2")
    1
    """
    tree = ast.parse(source)
    tree.body.append(ast.Pass())  # a placeholder for the traced call
    return sum(isinstance(node, ast.Name) and node.id == SEEN for node in ast.walk(CountingTransformer().visit(tree)))


def is_hidden(left: SkippedExpression) -> bool:
    """Whether the value itself stays hidden; if not, only another recipe shows how it comes about."""
    return not left.reason.startswith(NOT_HERE)
