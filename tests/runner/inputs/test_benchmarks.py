"""The benchmark `demo`, and options of benchmarks."""

from collections.abc import Iterator

import pytest

from analyze import trace_call
from corpora import Case
from corpora.errors import InputError
from runner.inputs import benchmarks
from runner.inputs.benchmarks import benchmark_cases, benchmark_names
from runner.runs.cases import load_cases

SHORT = [Case(f"short{n}", f"def f(x):\n    return x + {n}\n", "f(1)", benchmark="humaneval") for n in range(5)]
LONG = Case("long", "def f():\n    for i in range(300):\n        pass\n", "f()", benchmark="humaneval")
ENDLESS = Case("endless", "def f():\n    while True:\n        pass\n", "f()", benchmark="humaneval")


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch, short_endless_loops: None) -> None:
    def load(_: str, **__: object) -> Iterator[Case]:
        return iter([LONG, *SHORT, ENDLESS])

    monkeypatch.setattr(benchmarks, "load", load)
    monkeypatch.setattr(benchmarks, "DEMO_PROGRAMS", 3)


@pytest.mark.medium
@pytest.mark.usefixtures("small")
def test_the_demo_takes_problems_with_short_traces_and_says_how_many_there_are(
    capsys: pytest.CaptureFixture[str],
) -> None:
    cases = benchmark_cases("demo", None)
    said = capsys.readouterr().err
    assert "5 of 7 first assertions have a reference trace of at most 256 tokens; 3 of these are sampled" in said
    assert len(cases) == 3 and all(case in SHORT for case in cases)
    assert cases == benchmark_cases("demo", None)
    assert cases[:2] == benchmark_cases("demo", 2)


@pytest.mark.medium
@pytest.mark.usefixtures("small")
def test_a_trace_of_exactly_the_limit_is_short(monkeypatch: pytest.MonkeyPatch) -> None:
    tokens = max(trace_call(case.source, case.call).tokens or 0 for case in SHORT)
    monkeypatch.setattr(benchmarks, "DEMO_TOKENS", tokens)
    assert len(benchmark_cases("demo", None)) == 3
    monkeypatch.setattr(benchmarks, "DEMO_TOKENS", 1)
    assert benchmark_cases("demo", None) == []


@pytest.mark.medium
@pytest.mark.usefixtures("small")
def test_a_seed_samples_the_demo_anew() -> None:
    assert benchmark_cases("demo", None, 7) != benchmark_cases("demo", None, 0)


@pytest.mark.parametrize(
    ("name", "options", "takes"),
    [
        ("zoo", {"length": 3}, "zoo, which takes --num-programs, --depth, --seed"),
        ("permutations", {"depth": 3}, "permutations, which takes --num-programs, --length, --seed"),
        ("humaneval", {"seed": 3}, "humaneval, which is not generated; --limit N"),
        ("demo", {"size": 3}, "demo, which takes --seed"),
    ],
)
def test_an_option_that_means_nothing_for_a_benchmark_is_refused_and_says_what_does(
    name: str, options: dict[str, int], takes: str
) -> None:
    generator_options = {option: value for option, value in options.items() if option != "seed"}
    with pytest.raises(InputError, match=takes):
        load_cases(name, [], 5, seed=options.get("seed", 0), generator_options=generator_options)


def test_the_embedded_model_is_no_benchmark() -> None:
    assert "demo" in benchmark_names()
    with pytest.raises(InputError, match="no benchmark named 'pocket'"):
        benchmark_cases("pocket", 1)
