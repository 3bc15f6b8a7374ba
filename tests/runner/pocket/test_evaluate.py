import pytest

pytest.importorskip("torch")

import torch

from analyze.tokenizer import Tokenizer
from corpora.program import Case
from runner.backends.transformers import TransformersBackend
from runner.pocket.data import cases, document
from runner.pocket.evaluate import Result, evaluate, family, size, table
from runner.pocket.model import new_model, pocket_config
from runner.pocket.scoring import Score, exact_by_family, score

pytestmark = pytest.mark.model


@pytest.fixture(scope="module")
def untrained(pocket_tokenizer: Tokenizer) -> TransformersBackend:
    model = new_model(pocket_config(pocket_tokenizer, hidden=64, layers=1, inner=64), seed=0).eval()
    return TransformersBackend("untrained", model, pocket_tokenizer, ("bare",))


def test_an_untrained_model_gets_nothing_right(untrained: TransformersBackend) -> None:
    asked = [next(cases(str(seed))) for seed in range(3)]
    assert evaluate(untrained, asked, max_tokens=20) == [Result(case, False, False) for case in asked]


def test_a_program_too_long_for_training_counts_as_wrong(untrained: TransformersBackend) -> None:
    case = Case("long", "def f():\n    for i in range(90):\n        pass", "f()")
    assert evaluate(untrained, [case], max_tokens=20) == [Result(case, False, False)]


def test_a_score_counts_the_positions_at_which_the_true_token_is_the_most_likely(
    untrained: TransformersBackend,
) -> None:
    made = document(next(cases("score")), untrained.tokenizer)
    assert made is not None
    [one] = score(untrained.model, [made])
    with torch.inference_mode():
        best = untrained.model(input_ids=torch.tensor([made.ids])).logits[0].argmax(-1).tolist()
    right = [best[place - 1] == made.ids[place] for place in range(made.prompt, len(made.ids))]
    assert (one.right, one.tokens) == (sum(right), len(made.ids) - made.prompt)


def test_exact_traces_are_counted_by_family(untrained: TransformersBackend) -> None:
    made = document(next(cases("score")), untrained.tokenizer)
    assert made is not None
    scores = [Score(made, right, 5) for right in (5, 4, 5, 0)]
    assert exact_by_family(scores) == {"all": 0.5, made.kind.partition(",")[0]: 0.5}


def test_the_table_has_a_row_for_each_kind_and_one_for_all() -> None:
    named = [Case("", "", "", kind=kind) for kind in ("list, depth 1", "list, depth 2", "branch")]
    results = [Result(case, exact, True) for case, exact in zip(named, (True, False, False), strict=True)]
    assert table(results, "kind", family).splitlines()[2:] == [
        "| branch | 1 | 0% | 100% |",
        "| list | 2 | 50% | 100% |",
        "| **all** | 3 | 33% | 100% |",
    ]
    assert [size(result) for result in results] == ["depth 1", "depth 2", "function"]
