"""The base class of interventions: a rule of a recipe, with examples that tests run.

An intervention knows one kind of hidden value and how to materialize it; `rewrite.anf.lowering` knows where a step may
be placed without changing what the program does. An intervention is a file in `rewrite/interventions`, found by folder.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import libcst as cst

from rewrite.anf.lowering import Lowering
from rewrite.anf.options import DEFAULT_OPTIONS, RewriteOptions
from rewrite.anf.plan import ClaimRefusal, LoweringPlan


@dataclass(frozen=True)
class RewriteExample:
    """An example of a rewrite.

    Attributes:
        note: what it shows, as a sentence.
        before: the original source.
        after: the rewritten source.
        call: a call on which both must do the same.
    """

    note: str
    before: str
    after: str
    call: str = ""


@dataclass(frozen=True)
class UntouchedExample:
    """A source that the intervention leaves as it is.

    Attributes:
        note: what it shows, as a sentence.
        source: the source.
        reason: the reason that is reported; "" if nothing is hidden.
    """

    note: str
    source: str
    reason: str = ""


class Intervention:
    """A rule of a recipe. Subclasses set the class variables and define `claims` and `expand`.

    Attributes:
        name: its name, also that of the recipe with this intervention alone.
        summary: one line for the catalogue.
        recipes: the recipes that it belongs to.
        order: its place among the interventions of a recipe: the first that claims a node gets it.
        at_root: whether it also wants an expression whose value its statement shows anyway (`x = …`).
        takes: its options of `rewrite.anf.options`, without those that every recipe takes.
        guards: whether it writes `type(x) is T`, and recognizes such a guard on a second rewrite.
        names_conditions: whether it materializes even the comparison of an `if` and the range of a loop.
        EXAMPLES: rewrites, run as tests.
        UNTOUCHED: sources that stay as they are, run as tests.
    """

    name: ClassVar[str]
    summary: ClassVar[str]
    recipes: ClassVar[tuple[str, ...]]
    order: ClassVar[int] = 50
    at_root: ClassVar[bool] = True
    takes: ClassVar[frozenset[str]] = frozenset()
    guards: ClassVar[bool] = False
    names_conditions: bool = False
    EXAMPLES: ClassVar[tuple[RewriteExample, ...]]
    UNTOUCHED: ClassVar[tuple[UntouchedExample, ...]]

    def __init__(self, options: RewriteOptions = DEFAULT_OPTIONS) -> None:
        self.options = options

    @classmethod
    def concerns(cls, kind: type[cst.CSTNode], method: str) -> bool:
        """Whether the intervention may claim nodes of a kind; it never sees the others.

        Args:
            kind: the class of a node.
            method: for a call, the name of the `str` method that it may be, else "".
        """
        return True

    def claims(self, node: cst.BaseExpression, plan: LoweringPlan) -> bool | ClaimRefusal:
        """Whether the intervention materializes the value of this node; a `ClaimRefusal` says why it must not."""
        raise NotImplementedError

    def skip_reason(self, node: cst.BaseExpression, plan: LoweringPlan) -> str:
        """Return why a node is left alone although a type test would make it rewritable; "" for any other node."""
        return ""

    def operator_reason(self, node: cst.AugAssign, plan: LoweringPlan) -> str:
        """Return what an augmented assignment hides by its operator, which is not an expression; "" for nothing."""
        return ""

    def forces_control_flow(self, node: cst.BaseExpression, plan: LoweringPlan) -> bool:
        """Whether a comprehension or chained comparison becomes control flow although no part of it needs a step."""
        return False

    def expand(self, node: cst.BaseExpression, steps: Lowering) -> cst.BaseExpression:
        """Write the steps through `steps`.

        Returns:
            The atom (a name or a constant) that replaces the node.
        """
        raise NotImplementedError
