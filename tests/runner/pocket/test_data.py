from collections import Counter
from itertools import islice
from random import Random

import pytest

from analyze.tokenizer import Tokenizer
from analyze.trace import trace_in_process
from corpora import zoo
from corpora.program import Case
from runner.pocket.data import (
    MAX_TOKENS,
    WEIGHTS,
    cases,
    document,
    documents,
    held_out,
    spelled_out,
    true_frames,
    unseen,
    vocabulary_texts,
)


def test_a_program_without_nested_calls_is_not_spelled_out() -> None:
    source = "def f(x):\n    return x + 1\n\ndef main_solution(x):\n    return f(x)"
    assert spelled_out(source) == source


def test_a_composition_is_spelled_out_innermost_first() -> None:
    source = "def main_solution(x):\n    return f(g(h(x)))\n"
    assert spelled_out(source) == "def main_solution(x):\n    _t0 = h(x)\n    _t1 = g(_t0)\n    return f(_t1)\n"


@pytest.mark.parametrize("kind", zoo.SOURCES)
def test_a_spelled_out_composition_returns_the_same(kind: str) -> None:
    case = zoo.case(kind, 4, Random(3), "")
    rewritten = Case("", spelled_out(case.source), case.call)
    assert rewritten.source != case.source
    assert trace_in_process(rewritten.context)[-1].value == case.expected


def test_no_document_is_made_of_a_held_out_program(pocket_tokenizer: Tokenizer) -> None:
    kept = {document(case, pocket_tokenizer) for case in islice(cases("overlap"), 300) if not held_out(case)}
    left = {document(case, pocket_tokenizer) for case in islice(cases("overlap"), 300) if held_out(case)}
    made = set(islice(documents("overlap", pocket_tokenizer), 100))
    assert left
    assert made <= kept
    assert not made & left


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
