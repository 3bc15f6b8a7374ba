"""The report of a lowering, by node; `rewrite.syntax.source_map` maps nodes to lines."""

from __future__ import annotations

import libcst as cst

from rewrite.anf.rewrite_result import Construct


class LoweringReport:
    """What was rewritten and what was skipped, by node.

    Attributes:
        applied: interventions with the expressions and statements that they rewrote.
        left: skipped nodes with reasons, by node id.
        steps: the operation that a step evaluates, by the id of the step.
        functions: outlined functions by name: source, and the operation of the original that each first replaces.
        constructs: what the steps needed that no plan adds to a program.
        origins: new statements with the original node whose steps they belong to, by the id of the statement.
    """

    def __init__(self) -> None:
        self.applied: list[tuple[str, cst.CSTNode]] = []
        self.left: dict[int, tuple[cst.CSTNode, str]] = {}
        self.steps: dict[int, cst.CSTNode] = {}
        self.constructs: set[Construct] = set()
        self.functions: dict[str, tuple[str, cst.BaseExpression]] = {}
        self.origins: dict[int, tuple[cst.CSTNode, cst.CSTNode]] = {}
