"""What an intervention is: one rule of a recipe, with examples that are run.

An intervention knows one kind of hidden value and how to spell it out; `rewrite.anf.lowering` knows where a step may
stand without changing what the program does. One intervention is one file in `rewrite/interventions`, found by folder.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import libcst as cst

from rewrite.anf.lowering import Lowering
from rewrite.anf.options import DEFAULT, Options
from rewrite.anf.plan import Plan, Stays


@dataclass(frozen=True)
class Example:
    """Source before and after, and a call on which both must do the same. `note`: what it shows, as a sentence."""

    note: str
    before: str
    after: str
    call: str = ""


@dataclass(frozen=True)
class Untouched:
    """Source that the intervention leaves exactly as it is, and the reason it reports ("" where nothing is hidden)."""

    note: str
    source: str
    reason: str = ""


class Intervention:
    """One rule. Subclasses set the class variables and define `claims` and `expand`.

    `recipes`: the recipes it belongs to; `order`: its place among the interventions of a recipe (the first that claims
    a node gets it); `at_root`: whether it also wants an expression whose value its statement shows anyway (`x = …`);
    `takes`: the options of `rewrite.anf.options` that concern it, but for those that concern every recipe.
    """

    name: ClassVar[str]
    summary: ClassVar[str]
    recipes: ClassVar[tuple[str, ...]]
    order: ClassVar[int] = 50
    at_root: ClassVar[bool] = True
    takes: ClassVar[frozenset[str]] = frozenset()
    guards: ClassVar[bool] = False  # whether it writes `type(x) is T`, and knows it when it comes by again
    names_conditions: bool = False  # whether even the comparison of an `if`, or the range of a loop, gets a name
    EXAMPLES: ClassVar[tuple[Example, ...]]
    UNTOUCHED: ClassVar[tuple[Untouched, ...]]

    def __init__(self, options: Options = DEFAULT) -> None:
        self.options = options

    @classmethod
    def concerns(cls, kind: type[cst.CSTNode], method: str) -> bool:
        """Whether it may claim a node of a kind: the others are never shown to it.

        method: of a call, the method of `str` that it may be one of, if it has the name of any; else "".
        """
        return True

    def claims(self, node: cst.BaseExpression, plan: Plan) -> bool | Stays:
        """Whether the value of this node (or how it comes about) is to be spelled out; or why it must not be."""
        raise NotImplementedError

    def leaves(self, node: cst.BaseExpression, plan: Plan) -> str:
        """Why the node is left alone that a type test could make one to be spelled out; "" for any other."""
        return ""

    def operator(self, node: cst.AugAssign, plan: Plan) -> str:
        """What an augmented assignment hides by its operator, which is no expression; "" for nothing."""
        return ""

    def opens(self, node: cst.BaseExpression, plan: Plan) -> bool:
        """Whether a comprehension or chained comparison is to become control flow although no part needs a step."""
        return False

    def expand(self, node: cst.BaseExpression, steps: Lowering) -> cst.BaseExpression:
        """Write the steps through `steps`; returns what stands for the value afterwards, a name or constant."""
        raise NotImplementedError
