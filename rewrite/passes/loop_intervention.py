"""The base class of shortening passes that replace a `for` loop by one simple statement, as statement interventions."""

from __future__ import annotations

from functools import lru_cache

import libcst as cst

from rewrite.anf.intervention import StatementIntervention
from rewrite.anf.lowering import Lowering
from rewrite.anf.lowering_plan import LoweringPlan
from rewrite.anf.rewrite_options import DEFAULT_OPTIONS, RewriteOptions
from rewrite.passes.loops import ForLoop, plain_loops
from rewrite.passes.parsed_program import ParsedProgram
from rewrite.passes.type_evidence import TypeEvidence


class LoopIntervention(StatementIntervention):
    """Replaces a plain loop (`rewrite.passes.loops`) by one simple statement. Subclasses define `statement`."""

    statements = (cst.For,)

    def __init__(self, options: RewriteOptions = DEFAULT_OPTIONS) -> None:
        super().__init__(options)
        self._made: dict[int, tuple[cst.For, str]] = {}  # by node id; the node is kept, so that no other gets its id

    def statement(self, loop: ForLoop, types: TypeEvidence) -> str | None:
        """Return the source of the statement that does what the loop does; None to leave the loop.

        Args:
            loop: a plain loop.
            types: answers questions about types, and records what the answers depend on.
        """
        raise NotImplementedError

    def claims(self, node: cst.For, plan: LoweringPlan) -> bool:
        loop = _plain_loops(plan.module.comments.old.module).get(id(node))
        if loop is None:
            return False
        types = TypeEvidence(loop.function.scope, plan.shown)
        text = self.statement(loop, types)
        if text is None:
            return False
        types.commit()
        self._made[id(node)] = (node, text)
        return True

    def expand(self, node: cst.For, steps: Lowering) -> cst.BaseSmallStatement:
        line = cst.ensure_type(cst.parse_statement(self._made[id(node)][1]), cst.SimpleStatementLine)
        return line.body[0]


@lru_cache(maxsize=2)
def _plain_loops(module: cst.Module) -> dict[int, ForLoop]:
    """The plain loops of a module by node id."""
    return {id(loop.node): loop for loop in plain_loops(ParsedProgram(module.code, module))}
