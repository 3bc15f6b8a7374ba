"""A rewritten program has no higher token limit than the original, so that a second rewrite changes nothing."""

from __future__ import annotations

import pytest

from corpora.benchmarks import load
from rewrite import rewrite_source
from rewrite.cost.base_tokens import base_tokens
from rewrite.cost.trace_tokens import longest_trace, trace_calls

PLAIN = "def f(x):\n    y = x.upper()\n    return y\n"
TEMPORARY = "def f(x):\n    _t0 = x\n    y = _t0.upper()\n    return y\n"
OUTLINED = "def _upper_2(text):\n    return text\n\n\ndef f(x):\n    y = _upper_2(x)\n    return y\n"
TIGHT = "def f(s):\n    return s.count('0') + s.count('1')\n"
HELPER = "def f(s):\n    while 'a' in s or 'A' in s:\n        s = s.translate({97: 105, 65: 73})\n    return s\n"


def base(source: str) -> int:
    return base_tokens(trace_calls(source, ["f('ab')"]))


def test_a_program_without_temporaries_counts_in_full() -> None:
    assert base(PLAIN) == longest_trace(trace_calls(PLAIN, ["f('ab')"]))


def test_temporaries_and_lines_that_mention_one_do_not_count() -> None:
    assert base(TEMPORARY) < base(PLAIN)


def test_an_outlined_function_does_not_count() -> None:
    call = OUTLINED.replace("_upper_2", "upper_2")  # a function of the program itself
    assert base(OUTLINED) < base(PLAIN) + 10 < base(call)


@pytest.mark.medium
@pytest.mark.parametrize(("source", "call"), [(TIGHT, "f('0110')"), (HELPER, "f('banana')")])
def test_a_second_rewrite_does_not_spend_the_limit_again(source: str, call: str) -> None:
    once = rewrite_source(source, recipe="decompose", calls=[call])
    assert any("over the token limit" in left.reason for left in once.left)
    assert once.changed and not rewrite_source(once.source, recipe="decompose", calls=[call]).changed


@pytest.mark.slow
@pytest.mark.parametrize("cost", [2, 4])
def test_a_second_rewrite_with_calls_changes_nothing(cost: float) -> None:
    for case in load("zoo", seed=11):
        once = rewrite_source(case.source, recipe="decompose", calls=[case.call], cost=cost)
        assert not rewrite_source(once.source, recipe="decompose", calls=[case.call], cost=cost).changed, once.source
