from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpora.generators.matched_functions import OPERATIONS, TYPES, matched_function, substitute_letters
from runner.pocket.data import true_frames

SEEDS = st.integers(0, 10**6)
KINDS = [(kind, operation) for kind in TYPES for operation in OPERATIONS]


@pytest.mark.parametrize(("kind", "operation"), KINDS)
def test_a_seed_gives_one_program(kind: str, operation: str) -> None:
    first, second = (matched_function(Random(4), kind, operation) for _ in range(2))
    assert first == second
    assert first.kind == f"{kind} {operation}"


@given(SEEDS, st.sampled_from(KINDS))
def test_programs_return_a_value(seed: int, kind: tuple[str, str]) -> None:
    last = true_frames(matched_function(Random(seed), *kind))[-1]
    assert last.event == "return"
    assert last.value is not None


@given(SEEDS, st.sampled_from(sorted(OPERATIONS)))
def test_other_letters_leave_frames_and_lengths_as_they_are(seed: int, operation: str) -> None:
    case = matched_function(Random(seed), "string", operation, random_share=0)
    variant = substitute_letters(case, Random(seed))
    frames, others = true_frames(case), true_frames(variant)
    assert [frame.event for frame in frames] == [frame.event for frame in others]
    assert len(frames[-1].value or "") == len(others[-1].value or "")


def test_a_list_program_has_no_letters_to_substitute() -> None:
    case = matched_function(Random(1), "list", "slice")
    assert substitute_letters(case, Random(2)) == case
