"""Substitutes have as many tokens as the names they replace, in programs and in traces, under any vocabulary."""

import re

import pytest

from analyze import trace_call
from analyze.tokens.tokenizer import Tokenizer, default_tokenizer, load_tokenizer
from rewrite import rewrite_source
from rewrite.baselines.equal_length_names import equal_length_names
from tests.models import SMALL_TRACER

SOURCE = """def f(text, nums2):
    _total = 0
    myUnusualCounterName = {}
    for (i, word_count) in enumerate(nums2):
        _total += word_count * len(text)
        myUnusualCounterName[i] = [-_total, text[i]]
    return sorted(myUnusualCounterName.items(), key=lambda pair: pair[0])
"""
CALL = "f('abc', [3, 1, 2])"


@pytest.mark.medium
@pytest.mark.parametrize(
    "tokenizer", [default_tokenizer(), load_tokenizer(str(SMALL_TRACER))], ids=["llama-3", "small tracer"]
)
def test_source_and_trace_keep_their_token_counts(tokenizer: Tokenizer) -> None:
    names = equal_length_names(SOURCE, tokenizer)
    assert len(set(names.values())) == len(names) and not set(names.values()) & set(names)
    new = SOURCE
    for name in ("text", "nums2", "_total", "myUnusualCounterName", "i", "word_count", "pair"):
        if name in names:
            new = re_named(new, name, names[name])
    assert new != SOURCE
    assert len(tokenizer.encode(new)) == len(tokenizer.encode(SOURCE))
    before, after = (trace_call(source, CALL) for source in (SOURCE, new))
    assert before.outcome.value == after.outcome.value
    assert before.count_tokens(tokenizer, 10_000) == after.count_tokens(tokenizer, 10_000)


def re_named(source: str, name: str, new: str) -> str:
    return re.sub(rf"\b{name}\b", new, source)


@pytest.mark.medium
def test_the_placebo_changes_no_length() -> None:
    new = rewrite_source(SOURCE, "placebo", calls=[CALL])
    tokenizer = default_tokenizer()
    assert new.changed and len(new.changes) == 5, "a long name without a substitute stays"
    assert len(tokenizer.encode(new.source)) == len(tokenizer.encode(SOURCE))
