from collections.abc import Mapping

import pytest

from analyze.tokens.tokenizer import Tokenizer

pytest.importorskip("torch")

from runner.pocket.batches import Position
from runner.pocket.data import held_out
from runner.pocket.findings import programs
from runner.pocket.findings.programs import VARIANT, MatchedSource, unseen_cases
from runner.pocket.findings.vocabularies import ARMS

pytestmark = pytest.mark.model


@pytest.fixture(autouse=True)
def small_pools(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(programs, "POOL", 24)


def test_both_arms_see_the_same_programs_in_the_same_steps(vocabularies: Mapping[str, Tokenizer]) -> None:
    streams = [MatchedSource(arm, vocabularies, 3, 1024, 0.5).batches(Position()) for arm in ARMS]
    for _ in range(8):
        (one, at), (other, there) = (next(stream) for stream in streams)
        assert at == there
        texts = [
            [vocabularies[arm].decode(row.tolist()).replace("<|end_of_text|>", "") for row in batch.ids]
            for arm, batch in zip(ARMS, (one, other), strict=True)
        ]
        assert texts[0] == texts[1]


def test_a_stream_resumes_at_any_position(vocabularies: Mapping[str, Tokenizer]) -> None:
    source = MatchedSource("characters", vocabularies, 3, 1024, 0.5)
    stream = source.batches(Position())
    steps = [next(stream) for _ in range(6)]
    again = source.batches(steps[2][1])
    assert next(again)[0].ids.equal(steps[3][0].ids)


def test_unseen_programs_are_held_out_and_have_variants() -> None:
    cases = unseen_cases(3, 0.5)
    assert all(map(held_out, cases))
    assert len({case.id for case in cases}) == len(cases)
    originals = {case.id: case for case in cases if VARIANT not in case.kind}
    assert len(originals) == 3 * 2 * 8
    for case in cases:
        if VARIANT in case.kind:
            assert len(case.source) == len(originals[case.id.removesuffix("-variant")].source)
