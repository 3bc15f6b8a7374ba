"""The cost of hidden characters on made-up answers: a known cost is found, and none where there is none."""

import base64
import json
import struct
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyze.hazards.class_levels import format_difference, level, measured_difference
from analyze.hazards.hidden_characters import FILE, hidden_character_effect, per_character
from analyze.tokens.tokenizer import Tokenizer, load_tokenizer
from corpora import read_rows
from corpora.errors import InputError
from lab.evidence.characters import (
    MODELS,
    UNUSED,
    CharacterItem,
    as_json,
    asked_for,
    assignments,
    character_data,
    count_assignments,
    hidden_characters,
    own,
    read_items,
    table,
)
from lab.evidence.mistral_vocabulary import convert
from tests.models import SMALL_TRACER

WORDS = ("octopus", "unbelievable", "simple", "garden", "window", "yellow", "strange", "keyboard", "planet", "rhythm")
ROW = {"task": "del_char", "item": 1, "inputs": ["o", "octopus"], "label": "ctpus", "output": ' "Ctpus". '}


@cache
def _vocabularies() -> dict[str, Tokenizer]:
    """The small tracer's tokens, which are short, for two families, and Llama-3's for the others."""
    short = load_tokenizer(str(SMALL_TRACER / "tokenizer.json"))
    names = dict.fromkeys((*MODELS.values(), *UNUSED))
    return {name: short if name in ("llama-2", "mistral") else load_tokenizer("llama-3") for name in names}


def _items(cost: int) -> list[CharacterItem]:
    """Answers that are wrong from a number of hidden characters on; 0: never because of them."""
    items = []
    for number, word in enumerate(WORDS * 2):
        for place in range(len(word)):
            hidden = {name: hidden_characters(_vocabularies()[name], word)[place] for name in own()}
            right = {m: hidden[v] < cost if cost else (number + place) % 2 == 0 for m, v in MODELS.items()}
            items.append(CharacterItem("del_char", word, (place,), right))
    return items


@pytest.mark.parametrize("lost", [{"output": None}, {"inputs": "o"}, {"inputs": []}, {"task": "tea"}])
def test_a_row_that_is_no_answer_to_a_character_task_is_left_out(lost: dict[str, object]) -> None:
    rows = [{**ROW, "model": model} for model in MODELS]
    assert [one.right["dbrx"] for one in read_items(read_rows(rows))] == [True]
    with pytest.raises(InputError, match="no item that all models answered"):
        read_items(read_rows([{**row, **(lost if row["model"] == "dbrx" else {})} for row in rows]))
    with pytest.raises(InputError, match="no item that all models answered"):  # no such character in the word
        read_items(read_rows([{**row, "inputs": ["z", "octopus"]} for row in rows]))


@pytest.mark.medium
def test_a_cost_of_hidden_characters_is_found_with_the_own_vocabularies_only() -> None:
    data = character_data(_items(2), _vocabularies(), ("del_char",))
    estimate, error = data.estimate(own())
    assert estimate + 4 * error < 0 < data.differ
    swapped = {**own(), "llama-2": "llama-3", "llama-3": "llama-2"}
    assert data.estimate(swapped)[0] > estimate


@pytest.mark.medium
def test_without_a_cost_there_is_no_slope() -> None:
    data = character_data(_items(0), _vocabularies(), ("del_char",))
    assert data.estimate(own())[0] == pytest.approx(0, abs=1e-9)


def test_the_file_has_the_failure_rate_by_vocabulary_and_the_table_a_row_for_each_question() -> None:
    items = _items(2)
    data = character_data(items, _vocabularies(), ("del_char",))
    content = as_json(data, items, _vocabularies())
    assert content["per_character"]["low"] > 0 and content["hidden"]["mistral"] < content["hidden"]["gemma"]  # type: ignore[index]
    assert [row[0] for row in table({"one": data})] == ["one"]


@given(st.text("abcdefgh ", min_size=1, max_size=12).filter(str.strip))
def test_every_character_is_hidden_by_the_others_of_its_token(word: str) -> None:
    found = hidden_characters(load_tokenizer("llama-3"), word)
    assert len(found) == len(word) and all(0 <= one < len(word) for one in found)


def test_the_asked_for_places_are_those_of_the_task() -> None:
    assert asked_for("swap_char", ["o", "f", "for"]) == ("for", (0, 1))
    assert asked_for("spell_inverse", ["f o r"]) == ("for", (0, 1, 2))


def test_assignments_use_each_vocabulary() -> None:
    assert len(assignments(list(own()))) == 120
    found = assignments(UNUSED)
    assert all(set(UNUSED) == set(one.values()) for one in found)
    assert len(found) == len({tuple(one.items()) for one in found}) == 240, "none twice"


def test_the_true_assignment_is_one_of_those_with_at_most_its_slope() -> None:
    (own_count, every), (_, others) = count_assignments(
        character_data(_items(2), _vocabularies(), ("del_char",))
    ).values()
    assert 1 <= own_count <= every == 120 and others == 240


def test_the_file_has_what_the_page_shows() -> None:
    content = json.loads(FILE.read_text(encoding="utf-8"))
    assert content["rows"][-1]["task"] == "all tasks"
    assert [every for _, every in content["assignments"].values()] == [120, 240]


def test_mistral_vocabulary_needs_tokens_and_merges() -> None:
    tokens = base64.b64encode(b"<unk>\na\nb\nab").decode()
    merges = base64.b64encode(struct.pack("<4H", 1, 2, 2, 1)).decode()
    script = f'vocab_base64 = "{tokens}"\nmerges_binary = "{merges}"'
    made = convert(script, {"model": {"type": "BPE"}, "decoder": None})
    assert made["model"] == {"type": "BPE", "vocab": {"<unk>": 0, "a": 1, "b": 2, "ab": 3}, "merges": ["a b", "b a"]}
    with pytest.raises(ValueError, match="no merges_binary"):
        convert(script.replace("merges", "m"), {"model": {}})


def test_the_level_of_hidden_characters_is_the_effect_of_the_family_s_vocabulary() -> None:
    effect = hidden_character_effect("llama-3")
    assert effect is not None and effect == hidden_character_effect("cwm") == measured_difference("HIDDEN_CHAR", "cwm")
    assert effect.effect > per_character().effect and level("HIDDEN_CHAR", "qwen2.5") == "warning"
    assert hidden_character_effect("") is None and str(effect) == format_difference("HIDDEN_CHAR", "llama-3")
