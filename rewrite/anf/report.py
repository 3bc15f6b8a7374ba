"""What the engine notes while it rewrites one module, by node; `rewrite.syntax.source_map` makes lines of it."""

from __future__ import annotations

import libcst as cst


class LoweringReport:
    """What was done and what was left, by node; lines are worked out at the end."""

    def __init__(self) -> None:
        self.applied: list[tuple[str, cst.BaseExpression]] = []
        self.left: dict[int, tuple[cst.CSTNode, str]] = {}
        self.steps: dict[int, cst.CSTNode] = {}  # the operation that a step shows, by its id
        # Functions to be added, by name: their text, and the operation of the original that each first stands for.
        self.functions: dict[str, tuple[str, cst.BaseExpression]] = {}
        # The node of the original whose steps a new statement belongs to, by the id of the statement.
        self.origins: dict[int, tuple[cst.CSTNode, cst.CSTNode]] = {}
