"""Own against foreign vocabularies: no effect is found where there is none, and one where there is."""

from pathlib import Path

import numpy as np
import pytest

from corpora.errors import InputError
from lab.risk.step_hazards import HAZARDS
from lab.risk.tokenizer_effects import (
    COVARIATES,
    FAMILIES,
    FOREIGN_ONLY,
    PLACEBO,
    TokenizedPrograms,
    compare_assignments,
    family_of,
    load_vocabularies,
    measure,
)

COUNT, COLUMN = 300, 0
HAZARD = HAZARDS[COLUMN]


def _programs(own_effect: float, shared_effect: float) -> TokenizedPrograms:
    """Programs where every vocabulary has the hazard on its own half of those with string work."""
    random = np.random.default_rng(7)
    work = random.random(COUNT) < 0.5
    names = (*FAMILIES, *FOREIGN_ONLY, PLACEBO)
    flags = {name: work & (random.random(COUNT) < 0.6) for name in names}
    hazards = {name: np.zeros((COUNT, len(HAZARDS)), dtype=bool) for name in names}
    for name in names:
        hazards[name][:, COLUMN] = flags[name]
    base = 0.3 + shared_effect * work + 0.1 * random.random(COUNT)
    failed = {name: base + own_effect * flags[name] + 0.05 * random.random(COUNT) for name in FAMILIES}
    failed["cwm"] = (random.random(COUNT) < base).astype(float)
    covariates = random.random((COUNT, len(COVARIATES)))
    tokens = {name: random.random(COUNT) for name in names}
    return TokenizedPrograms(covariates, hazards, tokens, failed, dict.fromkeys((*FAMILIES, "cwm"), 3))


def test_string_work_alone_is_no_tokenizer_effect() -> None:
    data = _programs(own_effect=0.0, shared_effect=0.2)
    effect = measure(data, "").hazards[HAZARD]
    assert effect.panel.is_positive
    assert not effect.is_tokenizer_effect
    assert effect.within
    assert not effect.within.is_positive
    assert compare_assignments(data).at_least > 1


def test_an_effect_of_the_own_vocabulary_is_found() -> None:
    data = _programs(own_effect=0.2, shared_effect=0.1)
    effect = measure(data, "").hazards[HAZARD]
    assert effect.is_tokenizer_effect
    assert effect.within
    assert effect.within.low < 0.2 < effect.within.high
    found = compare_assignments(data)
    assert (found.at_least, found.assignments) == (1, 120)


def test_a_hazard_of_too_few_programs_is_left_out() -> None:
    assert measure(_programs(0.0, 0.0), "").hazards.keys() == {HAZARD}


def test_a_missing_vocabulary_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"qwen2.5.json: no such vocabulary"):
        load_vocabularies(tmp_path)


def test_families_are_read_from_the_names_of_runs() -> None:
    names = ("Athene-70B", "Qwen2-7B-Instruct", "chatgpt-4o-latest", "gpt-4-turbo", "codellama-7b@0.2")
    assert [family_of(name) for name in names] == ["llama-3", "qwen2.5", "o200k", "cl100k", ""]
