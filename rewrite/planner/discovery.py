"""The forms that the operations of a program can have, and the program with some of them.

These functions of a source and a context run nothing, so that another process can call them (`Apply`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, TypeVar

from corpora.deadline import current_deadline
from rewrite.anf.rewrite_result import Rewritten
from rewrite.evidence.context import InterventionSite, RewriteContext
from rewrite.interventions.available_value import SharedValue
from rewrite.interventions.consumed_generator import ConsumedGenerator
from rewrite.passes.cleanup.forms import plain_form
from rewrite.pipeline.driver import rewrite_once
from rewrite.pipeline.recipes import PLANNED

MAX_ROUNDS = 32
"""Number of rewrites that look for further operations, each without those already found."""

Made = TypeVar("Made")


class Apply(Protocol):
    """Applies a function to contexts, one after the other, and yields what it returns.

    It begins at once. While the caller works on one result, the next may be made. Another process does no harm to this
    one if it crashes (`runner.batch_rewriting.process`).
    """

    def __call__(
        self, function: Callable[[RewriteContext], Made], contexts: Sequence[RewriteContext], /
    ) -> Iterator[Made]:
        """The results, in the order of the contexts."""


def apply_here(function: Callable[[RewriteContext], Made], contexts: Sequence[RewriteContext]) -> Iterator[Made]:
    """Apply a function in this process, to each context when its result is asked for."""
    return map(function, contexts)


@dataclass(frozen=True)
class OperationForms:
    """The operations that can have another form.

    Attributes:
        sites: The forms, each with the line of its operation in the original.
        left: Lines on which something has no other form, with the reason.
    """

    sites: Mapping[InterventionSite, int]
    left: tuple[tuple[int, str], ...]


def discover_forms(source: str, context: RewriteContext) -> OperationForms:
    """The operations that can have another form.

    Several recipes may claim the same operation. So the rewrite is repeated without the forms already found.
    """
    sites: dict[InterventionSite, int] = {}
    # First every generator expression stays in one piece. Then those that can be loops are loops, since the operations
    # in a loop have forms of their own.
    for opened in (False, True):
        for _ in range(MAX_ROUNDS):
            current_deadline().check()
            known = (one for one in sites if not (opened and one.intervention == ConsumedGenerator.name))
            made = make_form(source, without(context, known))
            found = changed_sites(made).items()
            new = {one: line for one, line in found if one not in sites and one.intervention != SharedValue.name}
            if not new:
                break
            sites |= new
        if not any(one.intervention == ConsumedGenerator.name for one in sites):
            break
    return OperationForms(sites, tuple((line, why) for line, why in made.left if why))


def make_form(source: str, context: RewriteContext) -> Rewritten:
    """The program by the recipe `planned`, which gives another form to all operations that are not excluded."""
    return rewrite_once(source, PLANNED, context, options={})


def make_clean_form(source: str, context: RewriteContext) -> Rewritten:
    """The same with copies propagated."""
    return plain_form(make_form(source, context), source)


def without(context: RewriteContext, left_out: Iterable[InterventionSite]) -> RewriteContext:
    """A context in which some forms are not used."""
    return replace(context, excluded=dict.fromkeys(left_out, ""))


def changed_sites(made: Rewritten) -> dict[InterventionSite, int]:
    """The operations that a rewrite gave another form, each with its line in the original."""
    return {
        InterventionSite(*span, change.intervention): change.line
        for change, span in zip(made.changes, made.spans, strict=True)
    }
