"""Whether the choices in place of a state's tokens say the same state in another notation.

A state writes ".." for a value that did not change. A model that writes the value out predicts the same state. Each
choice is made given the reference notation before it, so only the choice that departs from ".." shows the other
notation; the choices after it are given "..". A choice is compatible if it begins the value that ".." stands for.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from analyze.diagnosis.answer_comparison import value_in_force
from analyze.gold_trace.frames import UNCHANGED, Frame
from analyze.tokens.tokenizer import Tokenizer


def is_same_state(
    ids: Sequence[int], chosen: Sequence[int], frames: Sequence[Frame], number: int, tokenizer: Tokenizer
) -> bool:
    """Whether each choice is the reference token, or begins the written-out value of a "..".

    Args:
        ids: the tokens of the state, with the separator that ends it.
        chosen: the greedy choice in place of each, given the reference tokens before it.
        frames: of the reference trace.
        number: of the frame that the state belongs to.
        tokenizer: of the model.
    """
    if len(chosen) != len(ids) or chosen[-1] != ids[-1]:
        return False
    alternatives = list(_alternatives(frames, number))
    place = 0
    for true, choice in zip(ids[:-1], chosen[:-1], strict=True):
        end = place + len(tokenizer.token_bytes(true))
        if choice != true and not any(
            start < end and place <= start + 1 and text.startswith(tokenizer.token_bytes(choice), place)
            for start, text in alternatives
        ):
            return False
        place = end
    return True


def _alternatives(frames: Sequence[Frame], number: int) -> Iterator[tuple[int, bytes]]:
    """The state with one ".." written out, and where that value begins; for each ".." whose value is known."""
    before = "{"
    items = frames[number].state or ()
    for place, (name, value) in enumerate(items):
        before += f"{json.dumps(name)}: "
        held = value_in_force(frames, number, name) if value == UNCHANGED else None
        if held is not None:
            yield len(before), (before + json.dumps(held)).encode()
        before += json.dumps(value) + (", " if place < len(items) - 1 else "}")
