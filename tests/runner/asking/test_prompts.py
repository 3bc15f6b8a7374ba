"""The two prompt forms, against the published wording and against programs that imitate special tokens."""

import json
from pathlib import Path

import pytest

from analyze.tokens.tokenizer import default_tokenizer
from corpora import Case
from corpora.errors import InputError
from runner.asking.prompts import default_format, oneshot_template, prompt_ids, prompt_text, segments, trained_formats
from tests.places import SHARED

CASE = Case("a", "def f(x):\n    return x", "f(1)")


def test_the_text_of_a_special_token_in_a_program_stays_ordinary_text() -> None:
    case = Case("a", "def f():\n    return '<|frame_sep|>'", "f()")
    tokenizer = default_tokenizer()
    assert prompt_ids(case, "bare", tokenizer).count(tokenizer.special_id("<|frame_sep|>")) == 1


def test_a_program_that_contains_a_slot_of_the_template_is_not_filled_in_twice() -> None:
    case = Case("a", "def f():\n    return '{call}'", "f()")
    assert prompt_text(case, "oneshot").count("'{call}'") == 2


@pytest.mark.parametrize("told", ['"bare"', "[]", '["direct"]', '["bare", "two"]', "[[]]"])
def test_forms_that_no_trace_is_asked_in_are_named(told: str, tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text(f'{{"prompt_forms": {told}}}')
    with pytest.raises(InputError, match="prompt_forms must be a list of oneshot and bare"):
        trained_formats(str(tmp_path))


def test_a_config_that_is_no_json_is_named(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{")
    with pytest.raises(InputError, match="cannot be read"):
        trained_formats(str(tmp_path))


def test_a_folder_says_what_its_model_was_taught(tmp_path: Path) -> None:
    assert trained_formats("facebook/cwm") == trained_formats(str(tmp_path)) == ("oneshot", "bare")
    (tmp_path / "config.json").write_text(json.dumps({"model_type": "cwm"}))
    assert trained_formats(str(tmp_path)) == ("oneshot", "bare")
    (tmp_path / "config.json").write_text(json.dumps({"prompt_forms": ["bare"]}))
    assert trained_formats(str(tmp_path)) == ("bare",)


def test_the_bare_form_is_context_between_special_tokens() -> None:
    assert prompt_text(CASE, "bare") == (
        "<|begin_of_text|><|trace_context_start|>def f(x):\n    return x\n\n"
        "def main(): # << START_OF_TRACE\n    return f(1)\n<|frame_sep|>"
    )


def test_the_oneshot_form_is_the_template_filled_in() -> None:
    expected = "<|begin_of_text|>" + oneshot_template().replace("{code}", CASE.source).replace("{call}", CASE.call)
    assert prompt_text(CASE, "oneshot") == expected


def test_a_composition_is_announced_in_the_plural_and_a_program_with_helpers_is_not() -> None:
    source = "def g(x):\n    return x\n\ndef main_solution(x):\n    return g(x)"
    text = prompt_text(Case("a", source, "main_solution(1)"), "oneshot")
    assert text.count("Python functions:\ndef g") == 1 and text.count("Python function:\n") == 1
    assert "Python functions:" not in prompt_text(Case("a", source, "g(1)"), "oneshot")


def test_every_segment_holds_something_and_specials_are_single_tokens() -> None:
    tokenizer = default_tokenizer()
    for text, special in segments(CASE, "oneshot"):
        assert text
        assert not special or tokenizer.special_id(text) >= 128000


def test_permutations_are_asked_in_the_bare_form_and_all_others_in_the_oneshot_form() -> None:
    assert default_format(Case("s", "", "f()", grading="state")) == "bare"
    assert default_format(CASE) == "oneshot"


@pytest.mark.skipif(not SHARED.exists(), reason="no ../shared: the published prompt is not here to compare with")
def test_the_template_is_the_published_prompt_byte_for_byte() -> None:
    assert oneshot_template().encode() == (SHARED / "prompts" / "oneshot.txt").read_bytes()
