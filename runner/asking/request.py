"""A generation request: prompt, token limit, draft, stopping criterion and forced mode."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from runner.asking.forced_modes import ForcedTrace
from runner.asking.generation import Prompt


class Draft(Protocol):
    """Proposes the next tokens of an answer. A proposal changes the speed of an answer, never its content."""

    def propose(self, written: Sequence[int], most: int) -> Sequence[int]:
        """At most `most` tokens that may follow `written`; empty if nothing is known."""
        ...


class StoppingCriterion(Protocol):
    """Decides during decoding whether an answer can still be correct."""

    def can_stop(self, written: Sequence[int]) -> bool:
        """Called once after every token: whether no continuation can make the answer correct."""
        ...


@dataclass(frozen=True)
class GenerationRequest:
    """A question for a backend.

    Attributes:
        prompt: the prompt.
        limit: limit of new tokens.
        draft: the draft for speculative verification.
        watch: stops an answer that can no longer be correct; None for no such criterion.
        script: the injected trace of a forced mode; None in mode free.
    """

    prompt: Prompt
    limit: int
    draft: Draft
    watch: StoppingCriterion | None = None
    script: ForcedTrace | None = None
