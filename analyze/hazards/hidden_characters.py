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
