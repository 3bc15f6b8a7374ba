"""What a token that hides characters costs on character tasks, as `lab.evidence.characters` measured it."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from analyze.hazards.measured_effects import RateDifference

FILE = Path(__file__).with_name("hidden_characters.json")


def per_character() -> RateDifference:
    """The increase in failure rate for each further character of the token of an asked-for character.

    >>> per_character().low > 0
    True
    """
    return RateDifference(**_content()["per_character"], programs=_content()["words"])


def measured_tasks() -> list[dict[str, str]]:
    """The rows of the table of tasks, by column, as the command printed them."""
    return list(_content()["rows"])


def count_assignments() -> dict[str, tuple[int, int]]:
    """How many assignments of vocabularies to models have at most the slope of the true one, and of how many.

    By what is assigned: the models' own vocabularies, or those that no model uses.
    """
    return {what: (count, every) for what, (count, every) in _content()["assignments"].items()}


def hidden_character_effect(family: str) -> RateDifference | None:
    """The same for the mean number of hidden characters in a vocabulary; None if it was not measured.

    Args:
        family: Name of the vocabulary, such as "llama-3"; "cwm" has Llama-3's.
    """
    hidden = _content()["hidden"].get("llama-3" if family == "cwm" else family)
    if hidden is None:
        return None
    one = per_character()
    return RateDifference(hidden * one.effect, hidden * one.low, hidden * one.high, one.programs)


@cache
def _content() -> dict[str, Any]:  # Any: JSON
    return dict(json.loads(FILE.read_text(encoding="utf-8")))
