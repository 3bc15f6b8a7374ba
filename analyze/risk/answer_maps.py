"""Which shipped map fits a model, by the form of its recorded outputs: states or answers in words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Literal

from analyze.diagnosis.direct_values import read_value
from analyze.diagnosis.parse_output import parse_output
from analyze.diagnosis.state_tables import has_table
from analyze.risk.program_map import WORDS

STATES: Final = "states"
"""The name of the default map, which was fitted to a model that writes states."""
AnswerForm = Literal["states", "words"]


def answer_form(output: object) -> AnswerForm | None:
    """The form of an output; None if it is empty, cannot be read, or is no output.

    >>> [answer_form(text) for text in ("[ANSWER] 3 [/ANSWER]", "| Line | Code | x |\\n| 2 | x = 1 | 1 |", "")]
    ['words', 'states', None]
    """
    if isinstance(output, list):
        return STATES if output and all(type(token) is int for token in output) else None
    if not isinstance(output, str) or not output.strip():
        return None
    if parse_output(output, None).frames or has_table(output):
        return STATES
    return WORDS if read_value(output) else None


def map_of_outputs(outputs: Iterable[object]) -> str:
    """WORDS if all outputs that can be read are in words; else "", the default map."""
    return WORDS if {answer_form(output) for output in outputs} - {None} == {WORDS} else ""
