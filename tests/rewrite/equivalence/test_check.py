"""The verdict on two programs: every seeded fault is found, no correct rewrite is accused, and doubt is said."""

from typing import get_args

import pytest

from corpora.errors import InputError
from rewrite import check_equivalence
from rewrite.equivalence import program_pair
from rewrite.equivalence.observation import ExceptionPolicy
from tests.rewrite.faults import Fault, corpus
from tests.samples import sampled

CORPUS = corpus()
GUARDED = "def f(n, s):\n    if n == 41 and s == 'rare':\n        return {}\n    return 0\n"


def test_the_corpus_is_as_large_as_promised() -> None:
    assert len({fault.name for fault in CORPUS}) == len(CORPUS) >= 40
    assert all(fault.wrong != fault.right for fault in CORPUS)


@pytest.mark.medium
@pytest.mark.parametrize("fault", sampled(CORPUS, [fault.name for fault in CORPUS], every=8))
def test_a_seeded_fault_is_found(fault: Fault) -> None:
    verdict = check_equivalence(fault.before, fault.wrong, fault.calls, inputs="any")
    assert verdict.equivalent is False, verdict.why
    assert verdict.counterexample


@pytest.mark.medium
@pytest.mark.parametrize("fault", sampled(CORPUS, [fault.name for fault in CORPUS], every=12))
def test_a_correct_rewrite_is_not_accused(fault: Fault) -> None:
    verdict = check_equivalence(fault.before, fault.right, fault.calls, inputs="any", examples=10)
    assert verdict.equivalent is True, verdict.counterexample or verdict.why


@pytest.mark.slow
@pytest.mark.parametrize("fault", CORPUS[::6], ids=lambda fault: fault.name)
def test_a_correct_rewrite_is_not_accused_by_any_input(fault: Fault) -> None:
    verdict = check_equivalence(fault.before, fault.right, fault.calls, inputs="any")
    assert verdict.equivalent is True, verdict.counterexample or verdict.why
    assert verdict.reached.missed_lines == ()


@pytest.mark.parametrize("which", ["before", "after"])
def test_a_program_that_does_not_parse_is_named_with_its_line(which: str) -> None:
    texts = {"before": "def f(x): return x", "after": "def f(x): return x ", which: "\n\ndef f(:"}
    with pytest.raises(InputError, match=f"^{which}, line 3: does not parse"):
        check_equivalence(texts["before"], texts["after"], ["f(1)"])


@pytest.mark.medium
def test_the_smallest_input_is_shown() -> None:
    before = "def f(items):\n    return sum(items) > 6\n"
    verdict = check_equivalence(before, before.replace(">", ">="), ["f([9, 8, 7, 6, 5])"])
    assert verdict.counterexample
    assert verdict.counterexample.call == "f([6])"
    assert verdict.counterexample.aspect == "value"


@pytest.mark.medium
@pytest.mark.parametrize(
    ("after", "missing"),
    [
        pytest.param("def f(x): return -x\nclass C: pass", "", id="it defines all"),
        pytest.param("from math import *\nclass C: pass", "", id="an import that may define it"),
        pytest.param("f = abs\nclass C: pass", "", id="an assignment"),
        pytest.param("def _g(): pass", "; the second program does not define f, C", id="two are missing"),
    ],
)
def test_functions_and_classes_that_are_gone_are_named(after: str, missing: str) -> None:
    before = "def _g(): return 1\ndef f(x): return x + 1\nclass C: pass"
    verdict = check_equivalence(before, after, ["f(1)"], examples=0)
    assert verdict.why == f"they differ in {verdict.counterexample and verdict.counterexample.aspect}{missing}"


def test_a_fault_behind_values_that_only_the_program_mentions_is_found() -> None:
    verdict = check_equivalence(GUARDED.format("'x'"), GUARDED.format("'y'"), ["f(1, 'a')"], examples=1000)
    assert verdict.equivalent is False


@pytest.mark.medium
def test_a_difference_on_nan_is_found_where_a_rewrite_has_a_while_loop() -> None:
    before = "def f(xs):\n    return sorted(xs)\n"
    after = (
        "def f(xs):\n    found = []\n    for x in xs:\n        i = 0\n"
        "        while i < len(found) and found[i] <= x:\n            i += 1\n"
        "        found.insert(i, x)\n    return found\n"
    )
    assert check_equivalence(before, after, ["f([1.5, 2.5])"]).equivalent is False


def test_what_was_not_reached_is_said() -> None:
    after = GUARDED.format("'x'").replace("return 0", "return int()")
    verdict = check_equivalence(GUARDED.format("'x'"), after, ["f(1, 'a')"], examples=1)
    assert verdict.equivalent is True
    assert verdict.reached.missed_lines == (3,)
    assert verdict.reached.missed_branches == ((2, "never true"),)


UNSTEADY = [
    pytest.param("import os\ndef f(n):\n    return os.urandom(8)\n", "random", id="the system's randomness"),
    pytest.param(
        "import random\ndef f(n):\n    return random.random()\n", "random", id="random, though seeded in a run"
    ),
    pytest.param("import time\ndef f(n):\n    return time.time()\n", "time", id="a clock"),
    pytest.param("def f(n):\n    return id(f) + n\n", "identity", id="an address"),
    pytest.param("def f(n):\n    return list({'a', 'b', 'c', 'd', 'e'})\n", "hash order", id="the order of a set"),
]


@pytest.mark.medium
@pytest.mark.parametrize(("before", "cause"), UNSTEADY)
def test_what_depends_on_more_than_the_program_is_kept_out_of_the_comparison(before: str, cause: str) -> None:
    for after in (before + "\n", before.replace("return ", "return 1, ")):
        verdict = check_equivalence(before, after, ["f(1)"], examples=5)
        assert (verdict.equivalent, verdict.tried) == (None, 0)
        assert f"depends on {cause}, not on the program alone" in verdict.why


@pytest.mark.medium
def test_a_set_of_strings_as_a_value_is_no_matter_of_its_order() -> None:
    before = "def f(n):\n    return {'a', 'b', 'c', 'd', 'e'}\n"
    assert check_equivalence(before, before + "\n", ["f(1)"], examples=5).equivalent


@pytest.mark.medium
def test_a_program_that_never_ends_is_undecided() -> None:
    before = "def f(n):\n    while True:\n        n += 1\n"
    verdict = check_equivalence(before, before + "\n", ["f(1)"], examples=5, run_seconds=0.3)
    assert verdict.equivalent is None
    assert "timeout" in verdict.why


@pytest.mark.medium
def test_a_rewrite_that_no_longer_ends_is_different(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program_pair, "CONFIRMATION_FACTOR", 2)
    before = "def f(n):\n    return n\n"
    after = "def f(n):\n    while n == 7:\n        pass\n    return n\n"
    verdict = check_equivalence(before, after, ["f(7)"], examples=5, run_seconds=0.5)
    assert verdict.equivalent is False
    assert verdict.counterexample
    assert verdict.counterexample.call == "f(7)"


@pytest.mark.medium
def test_inputs_that_never_end_are_cut_by_their_work_and_counted() -> None:
    before = "def f(n):\n    while n != 0:\n        n -= 1\n    return n\n"
    verdict = check_equivalence(before, before + "\n", ["f(3)"], examples=50)
    assert verdict.equivalent is True
    assert verdict.cut > 10
    assert "cut, over 10,000 executed lines" in verdict.why
    assert len(verdict.undecided) <= 5
    assert all("cut: it executes more than 10,000 lines" in reason for _, reason in verdict.undecided)


EXITS = "import os\ndef f(n):\n    if n > 3:\n        os._exit(2)\n    return n\n"


@pytest.mark.medium
def test_a_program_that_ends_its_process_differs_from_one_that_returns() -> None:
    before, after = EXITS, "import os\ndef f(n):\n    return n\n"
    for one, other in ((before, after), (after, before)):
        verdict = check_equivalence(one, other, ["f(1)"], examples=20)
        assert (verdict.equivalent, verdict.why) == (False, "they differ in ending")
        assert "ends the process (exit status 2)" in str(verdict.counterexample)
    other_status = check_equivalence(before, before.replace("2", "0"), ["f(4)"], examples=0)
    assert other_status.equivalent is False


@pytest.mark.medium
def test_calls_that_end_the_process_of_both_programs_are_no_evidence() -> None:
    same = EXITS.replace("return n", "m = n\n    return m")
    reason = "both programs end the process (exit status 2), so that there is no result"
    verdict = check_equivalence(EXITS, same, ["f(1)"], examples=20)
    assert verdict.equivalent is True
    assert verdict.cut == 0
    assert {why for _, why in verdict.undecided} == {reason}
    verdict = check_equivalence(EXITS, same, ["f(5)"], examples=0)
    assert (verdict.equivalent, verdict.why) == (None, f"f(5): {reason}")


@pytest.mark.medium
def test_inputs_that_are_as_large_as_one_that_was_cut_are_not_tried() -> None:
    before = "def f(n):\n    while n > 50:\n        n += 1\n    return n\n"
    verdict = check_equivalence(before, before + "\n", ["f(3)"], examples=90)
    assert verdict.equivalent is True
    assert verdict.tried > 40
    assert len(verdict.undecided) <= 2


@pytest.mark.medium
def test_code_in_c_is_cut_by_its_processor_time() -> None:
    before = "def f(n):\n    return sum(range(10 ** n))\n"
    verdict = check_equivalence(before, before + "\n", ["f(3)"], examples=30)
    assert verdict.equivalent is True
    assert any("processor time" in reason for _, reason in verdict.undecided)


@pytest.mark.medium
@pytest.mark.parametrize(
    ("program", "why"),
    [
        pytest.param("def f(n):\n    return int(input()) + n\n", "every input raised", id="each run reads an input"),
        pytest.param(
            "def f(n):\n    return n + 1\n\n\nint(input())\n", "while the module was loading", id="it cannot be loaded"
        ),
        pytest.param(
            "def f(n):\n    if n > 'a':\n        return 1\n    return n + 1\n",
            "every input raised",
            id="the types do not fit",
        ),
        pytest.param(
            "import os\ndef f(n):\n    if 'F_EXTRA' in os.environ:\n        return n + 1\n    return 0\n",
            "no input reached the code that differs (line 4 of the original)",
            id="no input gets there",
        ),
        pytest.param(
            "def f(n):\n    return 0\n\n\nif __name__ == 'never':\n    print(1 + 1)\n",
            "no input reached the code that differs (line 6 of the original)",
            id="not run at import",
        ),
        pytest.param(
            "def f(n):\n    if n > 50:\n        return int(input()) + n\n    return 0\n",
            "every input that reached the code that differs (line 3 of the original) raised there",
            id="it raises there",
        ),
        pytest.param(
            "def f(n):\n    return 0\n\n\ng = lambda n: n + 1\n",
            "no input reached the code that differs (line 5 of the original)",
            id="a function that nothing calls",
        ),
    ],
)
def test_a_verdict_without_evidence_is_undecided(program: str, why: str) -> None:
    verdict = check_equivalence(program, program.replace("+", "-"), ["f(3)"], examples=40)
    assert (verdict.equivalent, verdict.counterexample) == (None, None)
    assert why in verdict.why


@pytest.mark.medium
def test_the_hash_of_nan_is_not_blamed_on_the_recursion_limit() -> None:
    before = "def f(x):\n    return hash(x) % 50\n"
    verdict = check_equivalence(before, before.replace("50", "70"), ["f(1e309 - 1e309)"], examples=0)
    assert verdict.equivalent is None
    assert "recurses" not in verdict.why
    assert "the original depends on" in verdict.why


@pytest.mark.medium
def test_a_given_call_that_raises_is_evidence_on_the_path_that_it_takes() -> None:
    before = "def f(n):\n    if n == 1234567:\n        raise ValueError(str(n) + 'a')\n    return n\n"
    after = before.replace("raise ValueError(str(n) + 'a')", "t = str(n) + 'a'\n        raise ValueError(t)")
    assert check_equivalence(before, after, ["f(1234567)"], examples=20).equivalent is True
    assert check_equivalence(before, after, ["f(1234567)"], examples=0).equivalent is None


@pytest.mark.medium
def test_a_difference_on_types_that_nobody_passes_is_reported_apart() -> None:
    before = "def f(x):\n    return x * 2\n"
    after = "def f(x):\n    return x + x\n"
    verdict = check_equivalence(before, after, ["f(3)"])
    assert verdict.equivalent is True
    assert verdict.other_types is not None
    assert check_equivalence(before, after, ["f(3)"], inputs="any").equivalent is False
    with pytest.raises(InputError, match="inputs: must be same-types or any"):
        check_equivalence(before, after, ["f(3)"], inputs="some")  # type: ignore[arg-type]


@pytest.mark.medium
def test_a_difference_that_may_break_an_assumption_names_it() -> None:
    before = "def f(text):\n    return text.upper()\n"
    after = "def f(text):\n    return ''.join([c.upper() if c.isascii() else c for c in text])\n"
    verdict = check_equivalence(before, after, ["f('abc')", "f('x')"])
    assert verdict.equivalent is False
    assert str(verdict.unlike) == "2:12: text is ASCII only"


@pytest.mark.medium
def test_a_difference_on_a_given_call_breaks_no_assumption() -> None:
    verdict = check_equivalence("def f(a):\n    return [a, a]\n", "def f(a):\n    return [a, a[:]]\n", ["f([1])"])
    assert verdict.counterexample
    assert verdict.counterexample.call == "f([])"  # shrunk, with an empty list, which no given call passes
    assert verdict.unlike is None


@pytest.mark.medium
def test_the_number_of_inputs_that_raise_is_told() -> None:
    before = "def f(s):\n    return int(s)\n"
    verdict = check_equivalence(before, before + "\n", ["f('12')"], examples=50)
    assert 0 < verdict.raised < verdict.tried


def test_a_call_whose_arguments_are_no_literals_is_run_as_it_is() -> None:
    before = "K = 41\ndef f(x): return x\n"
    verdict = check_equivalence(before, before.replace("return x", "return x + 1"), ["f( K )"], examples=0)
    assert verdict.counterexample
    assert verdict.counterexample.call == "f( K )"


def test_without_calls_every_public_function_is_tried() -> None:
    before = "def f(n: int): return n\ndef g(n: int): return n\n"
    verdict = check_equivalence(before, before.replace("g(n: int): return n", "g(n: int): return n + 0.0"))
    assert verdict.counterexample
    assert verdict.counterexample.call == "g(0)"


@pytest.mark.medium
def test_effects_between_the_items_of_a_generator_are_compared() -> None:
    before = "def f(n):\n    yield n\n    print('x')\n    yield n\n"
    after = "def f(n):\n    yield n\n    yield n\n    print('x')\n"
    verdict = check_equivalence(before, after, ["f(1)"])
    assert verdict.equivalent is False


FIB = "def fib(n):\n    if n == 0 or n == 1:\n        return n\n    return fib(n - 1) + fib(n - 2)\n"
TOTAL = "def total(n: int):\n    return n + total(n - 1) if n > 0 else 0\n"
LOOP = "def total(n: int):\n    return sum(range(n + 1))\n"
CAUGHT = """
def depth(n):
    try:
        return 1 + depth(n - 1) if n > 0 else 0
    except RecursionError:
        return -1
"""


@pytest.mark.medium
@pytest.mark.parametrize(
    ("before", "after", "calls"),
    [
        pytest.param(FIB, FIB.replace("if n == 0", "t = n == 0\n    if t"), ["fib(5)"], id="another message"),
        pytest.param(TOTAL, LOOP, ["total(3)", "total(990)"], id="gone with a loop"),
        pytest.param(LOOP, TOTAL, ["total(3)", "total(990)"], id="come with recursion"),
        pytest.param(CAUGHT, CAUGHT.replace("depth(n - 1)", "(lambda: depth(n - 1))()"), ["depth(3)"], id="caught"),
    ],
)
def test_the_recursion_limit_is_no_difference(before: str, after: str, calls: list[str]) -> None:
    verdict = check_equivalence(before, after, calls, examples=30)
    assert verdict.equivalent is not False, verdict.counterexample


@pytest.mark.medium
def test_inputs_that_recurse_too_deeply_are_counted() -> None:
    verdict = check_equivalence(FIB, FIB + "\n", ["fib(3)", "fib(-1)"], examples=0)
    assert verdict.equivalent is None
    assert verdict.why == "fib(-1) recurses too deeply to be compared"
    assert verdict.outside == (("fib(-1)", "the behaviour depends on the recursion limit"),)
    verdict = check_equivalence(FIB, FIB + "\n", ["fib(3)"], examples=20)
    assert "recurse too deeply to be compared" in verdict.why


def test_a_rewrite_that_recurses_forever_is_different() -> None:
    verdict = check_equivalence(FIB, FIB.replace("n == 0 or", "n == 0 and"), ["fib(0)"], examples=5)
    assert verdict.equivalent is False


RAISING = "def f(n):\n    if n < 0:\n        raise ValueError('a')\n    yield n\n    raise KeyError('a')\n"


@pytest.mark.medium
@pytest.mark.parametrize(
    ("slip", "same_for"),
    [
        pytest.param(("ValueError('a')", "ValueError('b')"), ["type", "any"], id="message"),
        pytest.param(("ValueError('a')", "TypeError('a')"), ["any"], id="type"),
        pytest.param(("KeyError('a')", "KeyError('a', 'b')"), ["type", "any"], id="arguments, after an item"),
        pytest.param(("KeyError('a')", "OSError('a')"), ["any"], id="type, after an item"),
        pytest.param(("raise KeyError('a')", "return"), [], id="none is raised"),
    ],
)
@pytest.mark.parametrize("policy", get_args(ExceptionPolicy))
def test_what_of_an_exception_is_compared(slip: tuple[str, str], same_for: list[str], policy: ExceptionPolicy) -> None:
    verdict = check_equivalence(RAISING, RAISING.replace(*slip), ["f(1)", "f(-1)"], examples=10, exceptions=policy)
    assert verdict.equivalent is (policy in same_for)


def test_a_program_that_cannot_be_loaded_is_tried_on_the_given_calls_only() -> None:
    before = "import nowhere\ndef f(n):\n    return n + 1\n"
    verdict = check_equivalence(before, before.replace("+", "-"), ["f(1)", "f(2)"])
    assert (verdict.equivalent, verdict.tried) == (None, 2)
    assert "most often ModuleNotFoundError while the module was loading" in verdict.why


@pytest.mark.medium
@pytest.mark.parametrize("calls", [["f(a=1, b=2)"], ["f(b=1, a=2)"], []])
@pytest.mark.parametrize("after", ["sorted(kw)", "sorted(kw, reverse=True)"])
def test_the_order_of_keywords_tells_programs_apart(calls: list[str], after: str) -> None:
    before = "def f(**kw):\n    return list(kw)\n"
    verdict = check_equivalence(before, before.replace("list(kw)", after), calls, examples=30)
    assert verdict.equivalent is False
