"""What a plan changes of the kinds that have a price for models that answer in words (`analyze.risk.prices`).

Temporaries, frames and longer traces have no price: what they do to such models is not measured, or no effect is seen.
A plan adds no dead statement.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping


def priced_changes(before: str, after: str) -> Mapping[str, int]:
    """The amount of each kind of change.

    A condition that the second program has elsewhere, such as in an assignment, is not rewritten.

    Args:
        before: A program.
        after: Its rewrite.

    >>> priced_changes("if s.isupper(): t = 1", "u = s.isupper()\\nif u: t = 1")
    {'variable renamed': 0, 'condition rewritten': 0}
    >>> priced_changes("if s.isupper(): t = 1", "if s == s.upper(): x = 1")
    {'variable renamed': 1, 'condition rewritten': 1}
    """
    one, other = ast.parse(before), ast.parse(after)
    expressions = {ast.dump(node) for node in ast.walk(other) if isinstance(node, ast.expr)}
    return {
        "variable renamed": len(_variables(one) - _variables(other)),
        "condition rewritten": sum(test not in expressions for test in _conditions(one)),
    }


def _variables(tree: ast.Module) -> set[str]:
    stored = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)}
    return stored | {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}


def _conditions(tree: ast.Module) -> list[str]:
    tests = (node.test for node in ast.walk(tree) if isinstance(node, ast.If | ast.While | ast.IfExp | ast.Assert))
    filters = (test for node in ast.walk(tree) if isinstance(node, ast.comprehension) for test in node.ifs)
    return [ast.dump(test) for test in (*tests, *filters)]
