"""The base classes of interventions: rules of a recipe, with examples that tests run.

An `Intervention` knows one kind of hidden value and how to materialize it; `rewrite.anf.lowering` knows where a step
may be placed without changing what the program does. A `StatementIntervention` replaces a statement by another one.
An intervention is a file in `rewrite/interventions`, found by folder.

Subclasses annotate `plan` as `rewrite.anf.lowering_plan.LoweringPlan` and `steps` as `rewrite.anf.lowering.Lowering`.
Both modules ask interventions and therefore import this one, where they are `Any`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import libcst as cst

from corpora.source_block import source_block
from rewrite.anf.rewrite_options import DEFAULT_OPTIONS, RewriteOptions
from rewrite.evidence.context import register_kind


class ClaimRefusal(NamedTuple):
    """The answer of a rule that would materialize a value but must not, with the reason. It is false."""

    reason: str

    def __bool__(self) -> bool:
        return False


@dataclass(frozen=True)
class RewriteExample:
    """An example of a rewrite.

    Attributes:
        note: what it shows, as a sentence.
        before: the original source, also as a block (`corpora.source_block`).
        after: the rewritten source, also as a block.
        call: a call on which both must do the same.
        with_call: whether the rewrite needs what the call shows.
    """

    note: str
    before: str
    after: str
    call: str = ""
    with_call: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "before", source_block(self.before))
        object.__setattr__(self, "after", source_block(self.after))


@dataclass(frozen=True)
class UntouchedExample:
    """A source that the intervention leaves as it is.

    Attributes:
        note: what it shows, as a sentence.
        source: the source, also as a block.
        reason: the reason that is reported; "" if nothing is hidden.
    """

    note: str
    source: str
    reason: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "source", source_block(self.source))


class BaseIntervention:
    """What interventions for expressions and for statements have in common.

    Attributes:
        name: its name, also that of the recipe with this intervention alone.
        summary: one line for the catalogue.
        recipes: the recipes that it belongs to (default: none but its own).
        kind: the recipe whose job it does, for the planner, which takes at most one kind for a place.
        order: its place among the interventions of a recipe: the first that claims a node gets it.
        is_planned: whether a plan may choose it; not where a plan has a variant of it.
        takes: its options of `rewrite.anf.rewrite_options`, without those that every recipe takes.
        EXAMPLES: rewrites, run as tests.
        UNTOUCHED: sources that stay as they are, run as tests.
    """

    name: ClassVar[str]
    summary: ClassVar[str] = ""
    recipes: ClassVar[tuple[str, ...]] = ()
    kind: ClassVar[str] = "methods"
    order: ClassVar[int] = 50
    is_planned: ClassVar[bool] = True
    takes: ClassVar[frozenset[str]] = frozenset()
    EXAMPLES: ClassVar[tuple[RewriteExample, ...]] = ()
    UNTOUCHED: ClassVar[tuple[UntouchedExample, ...]] = ()

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "name" in vars(cls):
            register_kind(cls.name, cls.kind)

    def __init__(self, options: RewriteOptions = DEFAULT_OPTIONS) -> None:
        self.options = options


class StatementIntervention(BaseIntervention):
    """A rule for statements: it claims one and writes what replaces it.

    The engine lowers the replacement like the rest of the program, so that the interventions for expressions of the
    same recipe apply to it. A part of the original that the replacement holds keeps its comments and its position;
    every new line comes from the line of the statement. Comments that the replacement loses are restored next to the
    code that they describe. In a scope to which nothing may be added (`locals()`), the statement stays and is reported.

    A second rewrite must change nothing. An intervention must therefore refuse what it writes.

    Attributes:
        statements: the node classes that it may claim, such as `(cst.If,)`. It never sees others.
    """

    statements: ClassVar[tuple[type[cst.CSTNode], ...]]

    def claims(self, node: Any, plan: Any) -> bool | ClaimRefusal:
        """Whether the intervention rewrites this statement; a `ClaimRefusal` says why it must not.

        Args:
            node: a statement of one of the classes in `statements`. A simple statement such as `x = 1` is a
                `cst.BaseSmallStatement`, without its line.
            plan: the scope, the definitely assigned names, and what is known about types.
        """
        raise NotImplementedError

    def expand(self, node: Any, steps: Any) -> cst.BaseStatement | cst.BaseSmallStatement | None:
        """Write the steps before the statement through `steps`, such as `steps.assign(steps.fresh_temporary(), value)`.

        A node that is written twice must be copied (`rewrite.syntax.build.clone`).

        Returns:
            The statement that replaces the node; None if the steps replace it.
        """
        raise NotImplementedError


class Intervention(BaseIntervention):
    """A rule for expressions. Subclasses set the class variables and define `claims` and `expand`.

    Attributes:
        at_root: whether it also wants an expression whose value its statement shows anyway (`x = …`).
        guards: whether it writes `type(x) is T`, and recognizes such a guard on a second rewrite.
        names_conditions: whether it materializes even the comparison of an `if` and the range of a loop.
    """

    at_root: ClassVar[bool] = True
    guards: ClassVar[bool] = False
    names_conditions: bool = False

    @classmethod
    def concerns(cls, kind: type[cst.CSTNode], method: str) -> bool:
        """Whether the intervention may claim nodes of a kind; it never sees the others.

        Args:
            kind: the class of a node.
            method: for a call, the name of the `str` method that it may be, else "".
        """
        return True

    def claims(self, node: cst.BaseExpression, plan: Any) -> bool | ClaimRefusal:
        """Whether the intervention materializes the value of this node; a `ClaimRefusal` says why it must not."""
        raise NotImplementedError

    def skip_reason(self, node: cst.BaseExpression, plan: Any) -> str:
        """Return why a node is left alone although a type test would make it rewritable; "" for any other node."""
        return ""

    def operator_reason(self, node: cst.AugAssign, plan: Any) -> str:
        """Return what an augmented assignment hides by its operator, which is not an expression; "" for nothing."""
        return ""

    def forces_control_flow(self, node: cst.BaseExpression, plan: Any) -> bool:
        """Whether a comprehension or chained comparison becomes control flow although no part of it needs a step."""
        return False

    def stays_in_place(self, node: cst.BaseExpression) -> bool:
        """Whether `expand` writes no steps for a node unless an operand needs some: another expression replaces it."""
        return False

    def expand(self, node: cst.BaseExpression, steps: Any) -> cst.BaseExpression:
        """Write the steps through `steps`.

        Returns:
            The atom (a name or a constant) that replaces the node.
        """
        raise NotImplementedError
