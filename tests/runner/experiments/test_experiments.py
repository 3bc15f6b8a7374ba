"""Experiments end to end on recorded outputs: what is asked, what the figures say, and that they survive."""

import csv
import io
import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from analyze import trace_call
from corpora import Case, InputError, load, run_call
from runner.asking.prompts import PromptFormat
from runner.cli import main
from runner.experiments import ExperimentOptions, experiment, experiment_names
from runner.experiments.accuracy_results import (
    CSV_HEADER,
    AccuracyPoint,
    AccuracyResults,
    ReferenceCurve,
    accuracy_point,
    as_csv,
    plot,
    rows,
)
from runner.experiments.composition import conduct as compose
from runner.experiments.experiment_stages import ExperimentStages
from runner.experiments.robustness import RAISES, _variants
from runner.records.samples import Mode, Sample, read_samples
from runner.runs.evaluation_run import EvaluationSettings
from tests.runner.records.test_samples import SAMPLE

Judge = Callable[[Case], bool]


class Asked:
    """A model that is right about what `score_predictions` says, without traces; and what it was asked, by stage."""

    def __init__(self, judge: Judge) -> None:
        self.judge = judge
        self.stages: dict[str, list[Case]] = {}

    def __call__(
        self,
        stage: str,
        cases: Sequence[Case],
        max_tokens: int,
        *,
        mode: Mode = "free",
        prompt: PromptFormat | None = None,
        reveal_every: int = 1,
    ) -> list[Sample]:
        self.stages[stage] = list(cases)
        return [sample_of(case, self.judge(case)) for case in self.stages[stage]]


def sample_of(case: Case, right: bool) -> Sample:
    fields = {"id": case.id, "case_key": case.id, "source": case.source, "call": case.call, "kind": case.kind}
    verdict = "correct" if right else "incorrect"
    return Sample(**{**vars(SAMPLE), **fields, "verdict": verdict})


def test_every_experiment_says_what_it_is_and_needs() -> None:
    assert {"composition", "permutations", "robustness", "table1"} <= set(experiment_names())
    for name in experiment_names():
        module = experiment(name)
        assert (
            module.SUMMARY
            and module.NEEDS
            and set(module.TAKES) <= {"size", "length", "depth", "data", "recipe", "full", "grade", "hours"}
        )


def test_the_paper_sizes_are_the_defaults() -> None:
    asked = Asked(lambda case: True)
    compose(asked, ExperimentOptions(size=None, depths=(1,)))
    assert (len(asked.stages["atomic"]), len(asked.stages["composition"])) == (250, 100)
    asked = Asked(lambda case: True)
    found = experiment("permutations").conduct(asked, ExperimentOptions())
    assert [(point.x, point.asked) for point in found.points] == [(8, 10), (16, 10), (32, 10), (64, 10), (128, 10)]


def test_forcing_says_how_much_hallucinated_actions_cost() -> None:
    """Free decoding is right for 8 steps alone; forced actions for 8 and 16; forced always."""

    def ask(
        stage: str,
        cases: Sequence[Case],
        max_tokens: int,
        *,
        mode: Mode = "free",
        prompt: PromptFormat | None = None,
        reveal_every: int = 1,
    ) -> list[Sample]:
        assert mode == stage and max_tokens == 8192
        longest = {"free": 8, "forced-actions": 16, "forced": 32}[stage]
        right = {case.id: int(case.kind.rpartition(" ")[2]) <= longest for case in cases}
        return [Sample(**{**vars(sample_of(case, right[case.id])), "mode": stage}) for case in cases]

    found = experiment("forcing").conduct(ask, ExperimentOptions(size=4, lengths=(8, 16, 32)))
    assert [(one.series, one.x, one.accuracy) for one in found.points if one.x == 16] == [
        ("free decoding", 16, 0.0),
        ("forced actions", 16, 100.0),
        ("forced", 16, 100.0),
    ]
    (gap,) = found.differences
    assert gap.values == ((8, 0.0), (16, 100.0), (32, 0.0))
    assert "4 gained, 0 lost" in " ".join(found.sentences) and "gap" in as_csv(found)
    assert {row["series"] for row in csv.DictReader(io.StringIO(as_csv(found)))} >= {gap.series, "forced"}


def test_sparse_reveals_hold_accuracy_against_tokens() -> None:
    """Right up to a spacing of 2; the traces have 100 tokens with every state, else 60."""

    def ask(
        stage: str,
        cases: Sequence[Case],
        max_tokens: int,
        *,
        mode: Mode = "free",
        prompt: PromptFormat | None = None,
        reveal_every: int = 1,
    ) -> list[Sample]:
        assert mode == "forced-actions" and stage == f"reveal-{reveal_every or 'none'}"
        tokens = 100 if reveal_every == 1 else 60
        return [replace(sample_of(case, reveal_every in (1, 2)), reference_tokens=tokens) for case in cases]

    found = experiment("sparse_reveals").conduct(ask, ExperimentOptions(size=3))
    assert [(one.x, one.accuracy) for one in found.points] == [
        ("every line (100 % of the tokens)", 100.0),
        ("every 2nd line (60 % of the tokens)", 100.0),
        ("every 4th line (60 % of the tokens)", 0.0),
        ("every 8th line (60 % of the tokens)", 0.0),
        ("the last alone (60 % of the tokens)", 0.0),
    ]
    assert not found.curves  # the axis of the plot is accuracy


def test_only_functions_that_are_right_alone_are_composed() -> None:
    """add_suffix is right in nine calls of ten, rotate_str in eight: one is kept."""
    wrong = {"add_suffix": 1, "rotate_str": 2}
    count: dict[str, int] = {}

    def judge(case: Case) -> bool:
        count[case.kind] = count.get(case.kind, 0) + 1
        return count[case.kind] > wrong.get(case.kind, 10 if case.benchmark == "atomic" else 0)

    asked = Asked(judge)
    found = compose(asked, ExperimentOptions(size=10, depths=(1, 3)))
    assert all("rotate" not in case.source and "func_1" not in case.kind for case in asked.stages["composition"])
    assert [(point.x, point.accuracy) for point in found.points] == [(1, 100.0), (3, 100.0)]
    ceiling, independent, published = found.curves
    assert ceiling.values == ((1, 100.0), (3, 100.0))
    assert independent.values == ((1, 100.0), (3, 100.0)), "fresh calls, not those that selected the function"
    assert published.values == ((3, 58.0),)
    fresh = asked.stages["atomic-fresh"]
    assert len(fresh) == 10 and {case.kind for case in fresh} == {"add_suffix"}
    assert not {(case.source, case.call) for case in fresh} & {(c.source, c.call) for c in asked.stages["atomic"]}
    assert "1 of 25 functions are right in 90 % of their calls alone or more, 90.0 % on average." in found.sentences


def test_independence_is_computed_from_the_fresh_calls() -> None:
    """Every selecting call is right; of the fresh ones, two of ten are wrong."""
    wrong: dict[str, int] = {}

    def ask(
        stage: str,
        cases: Sequence[Case],
        max_tokens: int,
        *,
        mode: Mode = "free",
        prompt: PromptFormat | None = None,
        reveal_every: int = 1,
    ) -> list[Sample]:
        found = []
        for case in cases:
            wrong[case.kind] = wrong.get(case.kind, 0) + (stage == "atomic-fresh")
            found.append(sample_of(case, stage != "atomic-fresh" or wrong[case.kind] > 2))
        return found

    found = compose(ask, ExperimentOptions(size=10, depths=(1, 2)))
    independent = next(curve for curve in found.curves if curve.series.startswith("independent"))
    assert [y for _, y in independent.values] == pytest.approx([80.0, 64.0])
    assert "On fresh calls the selected functions are right in 80.0 % on average." in found.sentences


def test_traces_beyond_the_limit_lower_the_ceiling() -> None:
    case = Case("a", "def f(): return 1", "f()")
    samples = [replace(sample_of(case, False), max_tokens=10, reference_tokens=tokens) for tokens in (9, 10, 11, None)]
    found = accuracy_point("s", 2, samples)
    assert (found.fits, found.ceiling) == (2, 50.0)
    assert rows(AccuracyResults("", "depth", (found,)))[0][-1] == "50%"


def test_a_limit_that_fits_is_above_every_reference_trace(tmp_path: Path) -> None:
    cases = [Case("a", "def f(n):\n    for i in range(n):\n        pass\n", f"f({n})") for n in (1, 40)]
    outputs = tmp_path / "outputs.jsonl"
    outputs.write_text('{"id": "a", "output": "x"}\n')
    stages = ExperimentStages(tmp_path / "out", f"replay:{outputs}", EvaluationSettings(), "fit")
    longest = trace_call(cases[1].source, cases[1].call).count_tokens(stages.backend.tokenizer, 100_000)
    assert longest and stages._limit(cases, 64) > 1.1 * longest
    assert stages._limit(cases[:1], 10_000) == 10_000, "never below the paper's own limit"


def test_where_nothing_is_right_alone_nothing_is_composed() -> None:
    asked = Asked(lambda case: False)
    found = compose(asked, ExperimentOptions(size=4))
    assert len(asked.stages["atomic"]) == 25 * 4
    assert "composition" not in asked.stages and found.curves == ()
    assert "nothing to compose" in " ".join(found.sentences)


SUM = "def f(s, n):\n    total = 0\n    for ch in s:\n        total += int(ch)\n    return total // n\n"
PROGRAM = Case("p", SUM, "f('12', 2)")


@pytest.mark.medium
def test_robustness_asks_about_inputs_and_rewrites_whose_truth_is_our_own() -> None:
    ways = list(_variants(PROGRAM))
    kinds = [case.kind for case in ways]
    assert kinds[0] == "as it stands" and kinds[-1] == "variables renamed"
    assert any(kind.startswith(f"{RAISES}: ") for kind in kinds), kinds
    assert len({case.id for case in ways}) == len(ways)
    for case in ways:
        outcome = run_call(case.source, case.call)
        assert outcome.value == case.expected
        assert (outcome.status == "raised") == case.kind.startswith(RAISES)


@pytest.mark.parametrize(
    ("source", "call"),
    [
        pytest.param("def f():\n    while True: pass\n", "f()", id="it does not end"),
        pytest.param("import os\ndef f():\n    os._exit(1)\n", "f()", id="it ends the process"),
    ],
)
@pytest.mark.usefixtures("short_endless_loops")
def test_robustness_leaves_out_programs_that_do_not_run(source: str, call: str) -> None:
    assert list(_variants(Case("x", source, call))) == []


def test_a_call_without_values_has_no_other_inputs() -> None:
    kinds = [case.kind for case in _variants(Case("x", "def f():\n    y = 1\n    return y\n", "f()"))]
    assert kinds == ["as it stands", "variables renamed"]


@pytest.mark.medium
@pytest.mark.usefixtures("short_endless_loops")
def test_robustness_holds_each_way_against_the_program_as_it_stands(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    rows = [{"id": "p", "source": PROGRAM.source, "call": PROGRAM.call}]
    rows += [{"id": "endless", "source": "def f():\n    while True: pass\n", "call": "f()"}]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    found = experiment("robustness").conduct(
        Asked(lambda case: case.kind == "as it stands"), ExperimentOptions(data=str(path))
    )
    assert found.points[0].accuracy == 100.0 and all(point.accuracy == 0.0 for point in found.points[1:])
    said = " ".join(found.sentences)
    assert "variables renamed: of 1 samples asked before and after, 0 gained, 1 lost, -100.0 points (too few" in said
    assert "0 gained, 1 lost" in said
    assert (
        "Programs with each variant, of 1: other inputs that return: 1; other inputs that raise: 1; variables" in said
    )
    assert "1 more programs were left out, since execution gives no result." in said
    assert {point.series for point in found.table_points} <= {"of those that raise"}


@pytest.mark.medium
def test_table_1_has_the_papers_sizes_and_stands_beside_its_figures(tmp_path: Path) -> None:
    path = tmp_path / "crux.jsonl"
    path.write_text(json.dumps({"id": "p", "source": PROGRAM.source, "call": PROGRAM.call}) + "\n")
    asked = Asked(lambda case: "depth 5" not in case.kind)
    found = experiment("table1").conduct(asked, ExperimentOptions(data=str(path)))
    counts = {point.x: point.asked for point in found.points}
    assert counts["CruxEval-O"] == 1 and counts["HumanEval"] == 707
    assert counts["zoo, boolean"] == 10 and counts["strings, depth 2"] == counts["strings, depth 5"] == 100
    assert {point.x: point.accuracy for point in found.points}["strings, depth 5"] == 0.0
    paper, after = found.curves
    assert dict(paper.values)["strings, depth 5"] == 25.0 and dict(after.values)["CruxEval-O"] == 90.4
    assert dict(paper.values)["zoo, boolean"] == 100.0
    assert "zoo, boolean" not in dict(after.values), "the paper prints no value for the zoo after rewriting"


def test_table_1_counts_what_a_rewrite_recovered_and_not_what_the_placebo_did() -> None:
    def ask(
        stage: str,
        cases: Sequence[Case],
        max_tokens: int,
        *,
        mode: Mode = "free",
        prompt: PromptFormat | None = None,
        reveal_every: int = 1,
    ) -> list[Sample]:
        found = []
        for case in cases:
            first = sample_of(case, right=False)
            again = {**vars(first), "verdict": "correct", "source": "rewritten"}
            recipe = "decompose" if "depth 2" in case.kind else "placebo"
            found += [first, Sample(**{**again, "attempt": recipe})]
        return found

    found = experiment("table1").conduct(ask, ExperimentOptions(size=2, data="none"))
    assert [(point.x, point.accuracy) for point in found.points if point.series.startswith("after")] == [
        ("strings, depth 2", 100.0)
    ]
    assert "CruxEval-O" not in {point.x for point in found.points}


FINDINGS = AccuracyResults(
    "a title with $x_1$ and <b>",
    "steps",
    (AccuracyPoint("free", 8, 3, 1, 0, 2, 4, (30.1, 95.4), 2), AccuracyPoint("free", 16, 0, 0, 0, 4)),
    (ReferenceCurve("line", ((8, 90.0), (16, 81.0))),),
)


def test_what_was_not_asked_has_no_accuracy_in_table_or_csv() -> None:
    assert rows(FINDINGS) == [
        ("  steps 8", "4", "75.0% (30–95)", "1", "0", "2", "50%"),
        ("  steps 16", "0", "—", "0", "0", "4", "—"),
    ]
    first, second, *line = csv.DictReader(io.StringIO(as_csv(FINDINGS)))
    assert ",".join(first) == CSV_HEADER
    assert (first["accuracy"], first["low"], first["not_asked"]) == ("75.0", "30.1", "2")
    assert (second["accuracy"], second["low"]) == ("", "")
    assert [(row["series"], row["x"], row["accuracy"]) for row in line] == [
        ("line", "8", "90.0"),
        ("line", "16", "81.0"),
    ]


@pytest.mark.medium
def test_the_figure_is_the_same_every_time_and_says_of_how_many() -> None:
    pytest.importorskip("matplotlib")
    figure = plot(FINDINGS).svg()
    assert figure == plot(FINDINGS).svg() and "free (n=4; 2 not asked)" in figure and "<b>" not in figure
    assert "(a/model of ours)" in plot(FINDINGS, "a/model of ours").svg()


@pytest.mark.medium
def test_points_of_several_sizes_say_each_at_its_place() -> None:
    pytest.importorskip("matplotlib")
    points = (
        AccuracyPoint("accuracy", "as it stands", 3, 1, 0, 0),
        AccuracyPoint("accuracy", "printed anew", 1, 0, 0, 0),
    )
    figure = plot(AccuracyResults("title", "", points)).svg()
    assert "as it stands  n=4<" in figure and "printed anew  n=1<" in figure and "accuracy (n=1–4)" in figure


def test_a_series_of_one_named_point_keeps_the_name() -> None:
    one, *more = (
        AccuracyPoint("all", "here", 1, 0, 0, 0),
        AccuracyPoint("all", "there", 1, 0, 0, 0),
        AccuracyPoint("raising", "E", 0, 1, 0, 0),
    )
    assert [row[0] for row in rows(AccuracyResults("", "", (one, *more)))] == ["all", "  here", "  there", "raising, E"]


def test_calls_of_one_program_have_an_interval_clustered_by_program() -> None:
    several = [
        sample_of(Case(f"{n} {call}", f"def f(x): return {n}", f"f({call})"), n < 2) for n in (1, 2) for call in (1, 2)
    ]
    alone = [sample_of(Case(str(n), f"def f(x): return {n}", "f(1)"), n < 2) for n in (1, 2)]
    found = AccuracyResults(
        "", "", (accuracy_point("accuracy", "several calls", several), accuracy_point("accuracy", "one call", alone))
    )
    assert [row[2] for row in rows(found)] == ["50.0% (too few programs)", "50.0% (9–91)"]
    first, second = csv.DictReader(io.StringIO(as_csv(found)))
    assert (first["programs"], first["low"], first["high"]) == ("2", "", "")
    assert (second["programs"], second["low"]) == ("2", "9.4531")


@pytest.mark.medium
def test_what_was_asked_of_which_model_stands_in_the_report(tmp_path: Path) -> None:
    assert conduct(tmp_path) == 0
    report = (tmp_path / "out" / "report.md").read_text()
    assert "Model: replay:" in report and "Made by `spellout" in report


def recording(folder: Path, *, seed: int = 0) -> Path:
    """Right outputs for the shortest programs of the permutation experiment, wrong ones for the longer."""
    cases = [case for n in (1, 2) for case in load("permutations", length=n, size=2, seed=seed)]
    path = folder / "outputs.jsonl"
    with path.open("w") as file:
        for case in cases:
            text = trace_call(case.source, case.call, "state").text + "<|end_of_text|>"
            row = {"id": case.id, "output": text if "length 1" in case.kind else "{}"}
            file.write(json.dumps(row) + "\n")
    return path


def conduct(folder: Path, *options: str) -> int:
    words = ["experiment", "permutations", "--model", f"replay:{recording(folder)}", "--output", str(folder / "out")]
    return main([*words, "--length", "1", "--length", "2", "--num-programs", "2", *options])


@pytest.mark.medium
def test_an_experiment_writes_its_table_csv_and_records(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert conduct(tmp_path) == 0
    shown = capsys.readouterr()
    assert "steps 1" in shown.out and "100.0% (34–100)" in shown.out and "report.md, points.csv" in shown.err
    found = list(csv.DictReader(io.StringIO((tmp_path / "out" / "points.csv").read_text())))
    assert [(row["x"], row["asked"], row["correct"]) for row in found] == [("1", "2", "2"), ("2", "2", "0")]
    assert "100.0% (34–100)" in (tmp_path / "out" / "report.md").read_text()


@pytest.mark.medium
def test_the_same_experiment_again_asks_nothing_and_says_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert conduct(tmp_path) == 0
    first, records = capsys.readouterr().out, tmp_path / "out" / "permutations" / "samples.jsonl"
    before = records.read_bytes()
    assert conduct(tmp_path) == 0
    assert capsys.readouterr().out == first and records.read_bytes() == before


@pytest.mark.medium
@pytest.mark.parametrize(
    ("options", "difference"),
    [
        (["--seed", "1"], "holds records of other cases"),
        (["--length", "3"], "holds records of other cases"),
        (["--max-tokens", "100"], "--max-tokens 8192, not 100"),
        (["--depth", "3"], "--depth: does not apply to permutations, which takes --num-programs, --length"),
    ],
)
def test_other_settings_in_the_same_folder_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], options: list[str], difference: str
) -> None:
    assert conduct(tmp_path) == 0
    records = tmp_path / "out" / "permutations" / "samples.jsonl"
    before = records.read_bytes()
    assert conduct(tmp_path, *options) == 2
    assert difference in capsys.readouterr().err and records.read_bytes() == before


def test_a_model_that_is_refused_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(backend: object, settings: object, order: object, folder: Path, command: str) -> None:
        (folder / "run.json").touch()
        raise InputError("other outputs than these cases")

    monkeypatch.setattr("runner.experiments.experiment_stages.conduct", refuse)
    recording = tmp_path / "outputs.jsonl"
    recording.write_text('{"id": "a", "output": "x"}\n')
    folder = tmp_path / "out"
    for model in ("pockte", f"replay:{recording}"):
        ask = ExperimentStages(folder, model, EvaluationSettings(max_tokens=64))
        with pytest.raises(InputError):
            ask("stage", [Case("a", "def f():\n    return 1\n", "f()")], 64)
        assert not [path for path in folder.rglob("*") if path.is_file()]


def test_the_list_says_what_each_experiment_needs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["experiment", "list"]) == 0
    said = capsys.readouterr().out
    assert "permutations" in said and "takes --num-programs --length --seed" in said
    assert "sparse_reveals  states" in said


@pytest.mark.medium
def test_a_stage_is_a_run_that_can_be_read(tmp_path: Path) -> None:
    assert conduct(tmp_path) == 0
    samples = read_samples(tmp_path / "out" / "permutations" / "samples.jsonl")
    assert {(sample.benchmark, sample.grading, sample.max_tokens) for sample in samples} == {
        ("permutations", "state", 8192)
    }
    assert main(["report", str(tmp_path / "out" / "permutations")]) == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["permutations", "--column", "code=x"], "--column code=x: needs --data"),
        (["direct", "--prompt", "bare"], "--prompt bare: does not apply to direct"),
        (["forcing", "--prompt", "direct"], "--prompt direct: does not apply to forcing"),
        (["forcing", "--mode", "free"], "unrecognized arguments: --mode free"),
        (
            ["composition", "--length", "3"],
            "--length: does not apply to composition, which takes --num-programs, --depth",
        ),
        (["robustness", "--depth", "3"], "--depth: does not apply to robustness, which takes --num-programs, --data"),
        (["forcing", "--data", "zoo", "--length", "3"], "--length: does not apply to --data"),
        (["direct", "--data", "zoo", "--length", "3"], "--length: does not apply to --data"),
        (["forcing", "--temperature", "1"], "--temperature 1.0: does not apply to forcing"),
        (["permutations", "--num-samples", "2"], "--num-samples 2: does not apply to greedy decoding"),
        (
            ["forcing", "--data", "humaneval", "--seed", "3"],
            "--seed 3: does not apply to humaneval, which is not generated",
        ),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_an_option_that_means_nothing_is_refused_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], said: str
) -> None:
    try:
        status = main(["experiment", *words, "--output", str(tmp_path / "out")])
    except SystemExit as usage:  # argparse's own
        status = int(str(usage.code))
    assert status == 2 and said in capsys.readouterr().err


@pytest.mark.medium
def test_another_seed_draws_other_inputs() -> None:
    first, again, other = ([case.call for case in _variants(PROGRAM, seed)] for seed in (0, 0, 1))
    assert first == again != other
