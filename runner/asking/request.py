"""A question with how it is to be answered: the token limit, a draft, and what watches or scripts the answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from runner.asking.forced_modes import ForcedTrace
from runner.asking.generation import Prompt


class Draft(Protocol):
    """Guesses at what comes next. A guess changes how long an answer takes, never what it says."""

    def propose(self, written: Sequence[int], most: int) -> Sequence[int]:
        """At most so many tokens that may follow what is written so far; none where nothing is known."""
        ...


class Watch(Protocol):
    """Looks on as an answer is written."""

    def can_stop(self, written: Sequence[int]) -> bool:
        """Called once after every token: whether nothing that follows can make the answer right."""
        ...


@dataclass(frozen=True)
class Request:
    """A question with the most new tokens that it is waited for. watch: if there is one; script: in a forced mode."""

    prompt: Prompt
    limit: int
    draft: Draft
    watch: Watch | None = None
    script: ForcedTrace | None = None
