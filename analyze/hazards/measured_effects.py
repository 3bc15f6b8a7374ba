"""What a flag of the audit is worth: differences in failure rate, as `lab.risk.tokenizer_effects` measured them.

A difference is measured twice: with the hazards of a model's own vocabulary, and with those of vocabularies that the
model does not use. Only what the own vocabulary adds can be an effect of the tokenizer. The rest comes from the string
operations themselves.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("measured_effects.json")
LEAST_PROGRAMS = 5
"""Programs with a hazard that a measurement needs, and without it."""


@dataclass(frozen=True)
class RateDifference:
    """A difference in failure rate, as a fraction (0.1: ten of a hundred answers more fail).

    Attributes:
        effect: The estimate.
        low: Lower bound of its 95 % confidence interval, over resampled programs.
        high: Upper bound.
        programs: Number of programs that it rests on: those with the hazard, or, for comparisons of vocabularies, those
            on which the vocabularies differ.
    """

    effect: float
    low: float
    high: float
    programs: int

    @property
    def is_positive(self) -> bool:
        """Whether the confidence interval is above 0."""
        return self.low > 0

    def __str__(self) -> str:
        """The effect with its interval, in percentage points.

        >>> str(RateDifference(0.104, 0.02, 0.19, 96))
        '+10.4 [+2.0, +19.0]'
        """
        return f"{100 * self.effect:+.1f} [{100 * self.low:+.1f}, {100 * self.high:+.1f}]"


@dataclass(frozen=True)
class TokenizationEffect:
    """The measurements of one hazard.

    Attributes:
        families: By model family: programs with the hazard against other programs, adjusted for string work and
            lengths, with the hazards of the family's own vocabulary.
        panel: The mean over the panel's families, which does not include the 32B CWM.
        over_foreign: `panel` minus the same with the vocabularies of other families.
        over_placebo: `panel` minus the same with a vocabulary of 1,024 tokens, which no family uses.
        within: The own vocabulary's effect on the same program, relative to families whose vocabulary does not have the
            hazard there; None if fewer than LEAST_PROGRAMS programs tell the vocabularies apart.
    """

    families: Mapping[str, RateDifference]
    panel: RateDifference
    over_foreign: RateDifference
    over_placebo: RateDifference
    within: RateDifference | None

    @property
    def is_tokenizer_effect(self) -> bool:
        """Whether the own vocabulary's hazards say more than a vocabulary that the models do not use."""
        return self.panel.is_positive and self.over_placebo.is_positive and self.over_foreign.is_positive


@dataclass(frozen=True)
class AssignmentTest:
    """The placebo test: the own vocabularies against every other assignment of vocabularies to families.

    Attributes:
        slope: Change in failure rate for each further hazard class of a program, within programs.
        at_least: Number of assignments with at least this slope, the own one included.
        assignments: Number of assignments.
    """

    slope: float
    at_least: int
    assignments: int


@dataclass(frozen=True)
class MeasuredEffects:
    """The table.

    Attributes:
        made_from: The data, in words.
        runs: Number of runs by model family.
        hazards: By hazard; one that too few programs have is missing.
        more_tokens: The effect of 10 % more tokens for the same program and call than other vocabularies need.
        placebo: The placebo test over all hazard classes.
    """

    made_from: str
    runs: Mapping[str, int]
    hazards: Mapping[str, TokenizationEffect]
    more_tokens: RateDifference
    placebo: AssignmentTest


@cache
def measured_effects() -> MeasuredEffects:
    """Returns the shipped table."""
    content = json.loads(FILE.read_text(encoding="utf-8"))
    hazards = {name: _effect(entry) for name, entry in content["hazards"].items()}
    more_tokens, placebo = RateDifference(**content["more_tokens"]), AssignmentTest(**content["placebo"])
    return MeasuredEffects(content["made_from"], content["runs"], hazards, more_tokens, placebo)


def _effect(entry: Mapping[str, Any]) -> TokenizationEffect:
    families = {name: RateDifference(**found) for name, found in entry["families"].items()}
    means = {name: found and RateDifference(**found) for name, found in entry.items() if name != "families"}
    return TokenizationEffect(families, **means)
