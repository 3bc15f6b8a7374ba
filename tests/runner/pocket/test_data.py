from collections import Counter
from dataclasses import replace
from itertools import islice
from random import Random

import pytest

from analyze.tokens.tokenizer import Tokenizer
from corpora.program import Case
from runner.pocket import forms
from runner.pocket.data import (
    MAX_TOKENS,
    WEIGHTS,
    cases,
    document,
    documents,
    held_out,
    true_frames,
    unseen,
    vocabulary_texts,
)


def test_no_document_is_made_of_a_held_out_program(
    pocket_tokenizer: Tokenizer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forms, "SHARE", 0.0)
    kept = {document(case, pocket_tokenizer) for case in islice(cases("overlap"), 300) if not held_out(case)}
    left = {document(case, pocket_tokenizer) for case in islice(cases("overlap"), 300) if held_out(case)}
    made = set(islice(documents("overlap", pocket_tokenizer), 100))
    assert left
    assert made <= kept
    assert not made & left


def test_no_held_out_program_is_trained_in_another_form(
    pocket_tokenizer: Tokenizer, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Case] = []

    def other_form(case: Case, rng: Random) -> Case:
        asked.append(case)
        return replace(case, source=f"# another form\n{case.source}")

    monkeypatch.setattr(forms, "other_form", other_form)
    made = list(islice(documents("forms", pocket_tokenizer), 300))
    texts = [pocket_tokenizer.decode(one.ids[: one.prompt]) for one in made]
    assert asked
    assert not any(held_out(case) for case in asked)
    shown = [text for text in texts if "# another form" in text]
    assert 0.05 < len(shown) / len(texts) < 0.3
    for text in shown:
        program = text.removeprefix("<|begin_of_text|><|trace_context_start|>").removesuffix("<|frame_sep|>")
        assert not held_out(Case("", program.partition("\n\ndef main(): #")[0], _call(program)))


def _call(program: str) -> str:
    return program.rpartition("return ")[2].rstrip("\n")


def test_the_zoo_comes_with_its_own_numbers_and_permutations_with_eight_steps() -> None:
    drawn = list(islice(cases("ranges"), 2000))
    bits = [int(case.call[14:-1]) for case in drawn if case.kind.startswith("bitwise")]
    numbers = [int(case.call[14:-1]) for case in drawn if case.kind.startswith("math")]
    assert max(bits) > 200
    assert min(numbers) < -80 < 80 < max(numbers)
    assert {case.kind for case in drawn} >= {f"S{n}, length {length}" for n in (3, 4, 5) for length in range(1, 9)}


def test_a_document_too_long_for_training_is_left_out(pocket_tokenizer: Tokenizer) -> None:
    case = Case("", "def f():\n    for i in range(90):\n        pass", "f()")
    assert document(case, pocket_tokenizer) is None


def test_a_trace_of_too_many_frames_is_left_out(pocket_tokenizer: Tokenizer) -> None:
    case = Case("", "def f():\n    for i in range(10**9):\n        pass", "f()")
    assert document(case, pocket_tokenizer) is None


def test_a_document_is_the_bare_prompt_and_the_true_trace(pocket_tokenizer: Tokenizer) -> None:
    case = next(cases("one"))
    made = document(case, pocket_tokenizer)
    assert made is not None
    assert len(made.ids) <= MAX_TOKENS
    prompt, answer = pocket_tokenizer.decode(made.ids[: made.prompt]), pocket_tokenizer.decode(made.ids[made.prompt :])
    assert prompt == f"<|begin_of_text|><|trace_context_start|>{case.context}<|frame_sep|>"
    assert answer == "".join(frame.text for frame in true_frames(case)) + "<|end_of_text|>"


def test_a_printing_program_prints_nothing_here(capsys: pytest.CaptureFixture[str]) -> None:
    case = next(case for case in cases("prints") if case.kind.startswith("S"))
    assert "print(" in case.source
    true_frames(case)
    assert capsys.readouterr().out == ""


def test_unseen_programs_differ_are_held_out_and_come_in_all_kinds() -> None:
    found = unseen(150)
    assert len({case.context for case in found}) == len({case.id for case in found}) == 150
    assert all(held_out(case) for case in found)
    families = Counter(case.kind.split(",")[0] for case in found)
    assert len(families) == len(WEIGHTS)
    assert found == unseen(150)
    assert found != unseen(150, seed=1)


def test_the_vocabulary_is_not_learnt_on_held_out_programs() -> None:
    held = {case.context for case in islice(cases("vocabulary"), 4000) if held_out(case)}
    assert held
    assert not held & set(islice(vocabulary_texts(), 5000))


def test_drills_are_never_asked_about() -> None:
    assert not any("drill" in case.kind for case in unseen(200))
