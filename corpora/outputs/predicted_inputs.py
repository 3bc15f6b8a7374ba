"""Outputs that predict an input of a program, not its result: which call they mean.

A predicted input is right if the call has the given result. So it is graded like any output: the call is the predicted
one, and what the model claims about it is the given result.
"""

from __future__ import annotations

import ast

from corpora.literals import literal_arguments, parsed_expression
from corpora.outputs.marks import last_block, without_thought

FUNCTION = "f"
"""The name of the function in every program of CruxEval, the only benchmark whose inputs are predicted."""


def predicted_call(output: str) -> str | None:
    """The call that an output predicts; None if it cannot be read.

    The last `[ANSWER]` or `<answer>` block counts, without one the last line. It is an assertion `f(…) == value`, a
    call, or the arguments as literals.

    Args:
        output: The model's output. What it thinks does not count.

    >>> predicted_call("[ANSWER] assert f([1], 2) == 3 [/ANSWER]"), predicted_call("'a', 1"), predicted_call("unknown")
    ('f([1], 2)', "f('a', 1)", None)
    """
    said = without_thought(output).strip()
    blocks = (last_block(said, opening) for opening in ("[ANSWER]", "<answer>"))
    text = next((one for one in blocks if one is not None), (said.splitlines() or [""])[-1])
    text = text.strip().strip("`").strip().removeprefix("assert ").strip()
    return _stated_call(text) or _call_of_literals(text)


def _stated_call(text: str) -> str | None:
    node = parsed_expression(text)
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], ast.Eq):
        node = next((side for side in (node.left, *node.comparators) if _is_call(side)), node)
    return _printed(node) if node is not None and _is_call(node) else None


def _call_of_literals(text: str) -> str | None:
    node = parsed_expression(f"{FUNCTION}({text})") if text else None
    if not isinstance(node, ast.Call) or not _is_call(node):
        return None
    try:
        literal_arguments(node)
    except ValueError:
        return None
    return _printed(node)


def _printed(call: ast.expr) -> str | None:
    try:
        return ast.unparse(call)
    except RecursionError:
        return None


def _is_call(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == FUNCTION
