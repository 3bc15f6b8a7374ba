"""The experiment on effects of rewrites: what is asked in which order, when it stops, and what counts as decided."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from corpora import Case, InputError
from runner.cli import main
from runner.experiments import ExperimentOptions, effect
from runner.experiments.effect import AGAIN, CONTROL, HOUR, ORIGINAL, RECIPES, conduct, effects
from tests.runner.experiments.test_experiments import Asked, sample_of

NESTED = "def f(text):\n    return len(text.strip().split('n{number}'))\n"
BATCH = 3


@pytest.fixture(autouse=True)
def _small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """A plan for each program of a batch takes seconds."""
    monkeypatch.setattr(effect, "BATCH", BATCH)


@pytest.fixture
def data(tmp_path: Path) -> str:
    rows = [
        {"id": str(n), "code": NESTED.replace("{number}", str(n)), "input": "'banana'"} for n in range(2 * BATCH + 2)
    ]
    path = tmp_path / "cases.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(path)


def test_a_file_without_programs_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "empty.jsonl"
    path.write_text("")
    with pytest.raises(InputError):
        conduct(Asked(lambda case: True), ExperimentOptions(data=str(path)))


@pytest.mark.parametrize("hours", ["0", "-1", "nan", "soon", "inf"])
def test_a_time_that_is_no_number_of_hours_is_refused(hours: str) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["experiment", "effect", "--model", "pocket", "--hours", hours])
    assert stopped.value.code == 2


@pytest.mark.medium
def test_each_batch_is_asked_in_all_conditions_before_the_next(data: str) -> None:
    asked = Asked(lambda case: True)
    found = conduct(asked, ExperimentOptions(data=data, size=BATCH + 1))
    assert list(asked.stages) == ["batch-000", "batch-001"]
    first = asked.stages["batch-000"]
    assert {case.kind for case in first} == {ORIGINAL, AGAIN, CONTROL, *RECIPES}
    assert sum(case.kind == ORIGINAL for case in first) == BATCH
    decomposed = next(case for case in first if case.kind == "decompose")
    assert "_t0" in decomposed.source and "def f" in decomposed.source
    assert [point.x for point in found.points][:2] == [ORIGINAL, AGAIN]
    assert all("undecided" in sentence for sentence in found.sentences[:-1])


@pytest.fixture
def without_plans(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where it does not matter what the recipes are, the quick one is enough."""
    monkeypatch.setattr(effect, "RECIPES", ("decompose",))


@pytest.mark.medium
@pytest.mark.usefixtures("without_plans")
def test_the_order_is_that_of_the_seed_and_the_same_when_the_experiment_goes_on(data: str) -> None:
    orders = []
    for seed in (0, 0, 1):
        asked = Asked(lambda case: True)
        conduct(asked, ExperimentOptions(data=data, seed=seed, size=3))
        orders.append([case.id for case in asked.stages["batch-000"]])
    assert orders[0] == orders[1] != orders[2]


@pytest.mark.medium
@pytest.mark.usefixtures("without_plans")
def test_it_stops_after_its_hours_and_says_what_is_decided_after_each(
    data: str, capsys: pytest.CaptureFixture[str]
) -> None:
    times: Iterator[float] = iter([0.0, 1.1 * HOUR, 1.1 * HOUR, 1.1 * HOUR, 2.1 * HOUR, *[2.1 * HOUR] * 9])
    asked = Asked(lambda case: case.kind != CONTROL)
    found = conduct(asked, ExperimentOptions(data=data, hours=2), clock=lambda: next(times))
    assert list(asked.stages) == ["batch-000", "batch-001"]
    assert "2 of 3 batches of 3 programs; the same command goes on." in found.sentences
    assert "questions: 6, looks: 2" in found.sentences[-1]
    shown = capsys.readouterr().err
    assert "after 1 h, 1 of 3 batches" in shown and "variables renamed, less as it stands: -100.0 points" in shown


@pytest.mark.medium
def test_a_clear_effect_is_decided_and_a_p_value_counts_every_look() -> None:
    one_case = Case("0", NESTED.replace("{number}", "0"), "f('banana')")
    conditions = list(effect._conditions(one_case))
    assert {case.kind for case in conditions} == {ORIGINAL, AGAIN, CONTROL, *RECIPES}
    cases = [
        replace(case, id=f"{n}, {case.kind}", source=case.source.replace("'n0'", f"'n{n}'"))
        for n in range(40)
        for case in conditions
    ]
    samples = [sample_of(case, case.kind != CONTROL) for case in cases]
    one, many = ({found.name: found for found in effects(samples, looks)} for looks in (1, 8))
    name = f"{CONTROL}, less {ORIGINAL}"
    assert "decided: it harms" in str(one[name]) and one[name].comparison.lost == 40
    assert one[name].p <= many[name].p < 0.05 and many[f"{AGAIN}, less {ORIGINAL}"].p == 1.0
    helped = {found.name: found for found in effects(samples, 1)}[f"decompose, less {CONTROL}"]
    assert "decided: it helps" in str(helped)
