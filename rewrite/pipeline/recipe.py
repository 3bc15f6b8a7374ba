"""What a recipe is: it says which options it takes, what it needs, what it may cost, and how it rewrites.

Each kind of recipe is a subclass: lists of interventions (`rewrite.pipeline.intervention_recipe`), rewrites of whole
sources (`rewrite.pipeline.source_rewrites`), and those that others are compared with
(`rewrite.pipeline.baseline_recipes`). `rewrite.pipeline.recipes.find_recipe` finds them by name.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

from rewrite.anf.rewrite_options import RewriteOptions, read_options
from rewrite.anf.rewrite_result import Rewritten
from rewrite.evidence.context import RewriteContext

if TYPE_CHECKING:
    from rewrite.anf.intervention import Intervention, StatementIntervention


@dataclass(frozen=True)
class RewriteTask:
    """One program to rewrite once, without running it.

    Attributes:
        source: the program.
        plain: the program without form feeds.
        module: the tree of `plain`.
        form_feeds: the indentation that was removed with them, by line from 1.
        context: evidence, mode for unproven types and excluded sites.
        options: options of the rewrite, by name.
        filename: the name of the file in error messages.
    """

    source: str
    plain: str
    module: cst.Module
    form_feeds: Mapping[int, str]
    context: RewriteContext
    options: Mapping[str, object]
    filename: str = ""


@dataclass(frozen=True)
class PreparedInterventions:
    """The interventions of a recipe, prepared for one program.

    Attributes:
        interventions: for expressions, in the order in which they are asked; the first that claims a node gets it.
        options: the options of the rewrite.
        statement_interventions: for statements, in the order in which they are applied.
    """

    interventions: tuple[Intervention, ...]
    options: RewriteOptions
    statement_interventions: tuple[StatementIntervention, ...] = ()


class Recipe(ABC):
    """A way to rewrite programs.

    Attributes:
        name: its name, as on the command line and in records.
        takes: the names of the options that it takes.
        usual_limit: the usual limit of its cost, as a multiple of the original's trace tokens; None if it has none.
        is_whole: whether it rewrites a source as a whole, so that its changes cannot be dropped one by one.
        is_planned: whether `rewrite.planner` chooses what it does, which needs calls.
        assumes_failure: whether the planner takes it that the model got the program wrong (`rewrite.planner.repair`).
        is_local: whether its code exists in this process only, because it was registered from outside.
        keeps_behavior: whether its rewrites are meant to be the same programs.
        takes_names: whether it renames variables to names that the caller gives it (`rewrite.baselines.SUBSTITUTES`).
    """

    name: str
    takes: frozenset[str] = frozenset()
    usual_limit: float | None = None
    is_whole: bool = False
    is_planned: bool = False
    assumes_failure: bool = False
    is_local: bool = False
    keeps_behavior: bool = True
    takes_names: bool = False

    @abstractmethod
    def rewrite(self, task: RewriteTask) -> Rewritten:
        """Rewrite a program once, without running it. Raises InputError for an invalid option, and deep nesting."""

    def check_options(self, options: Mapping[str, object]) -> RewriteOptions:
        """Check the options of a rewrite. Raises InputError for one that is unknown, not taken, or invalid."""
        return read_options(options, self.takes)

    def shares_temporaries(self, options: Mapping[str, object]) -> bool:
        """Whether the cheapest form of a result may use a temporary of short name again."""
        return False
