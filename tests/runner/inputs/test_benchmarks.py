"""The benchmarks that belong to the embedded model."""

from collections.abc import Iterator

import pytest

from corpora import Case
from corpora.errors import InputError
from runner.inputs import benchmarks
from runner.inputs.benchmarks import benchmark_cases, benchmark_names
from runner.pocket.data import held_out
from runner.runs.cases import load_cases

FITS = [Case(f"fits{n}", f"def f(x):\n    return x + {n}\n", "f(1)", benchmark="humaneval") for n in range(5)]
LONG_TRACE = Case("loop", "def f():\n    for i in range(300):\n        pass\n", "f()", benchmark="humaneval")
LONG_PROGRAM = Case("long", f"def f():\n    return '{'ab ' * 2000}'\n", "f()", benchmark="humaneval")
ENDLESS = Case("endless", "def f():\n    while True:\n        pass\n", "f()", benchmark="humaneval")


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch, short_endless_loops: None) -> None:
    def load(_: str, **__: object) -> Iterator[Case]:
        return iter([LONG_TRACE, *FITS, LONG_PROGRAM, ENDLESS])

    monkeypatch.setattr(benchmarks, "load", load)
    monkeypatch.setattr(benchmarks, "DEMO_HUMANEVAL", 3)
    monkeypatch.setattr(benchmarks, "DEMO_POCKET", 6)


def test_the_demo_takes_problems_that_fit_and_says_how_many_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    cases = benchmark_cases("demo", None)
    assert "5 of 8 first assertions have a prompt and a reference trace that fit" in capsys.readouterr().err
    asked, own = cases[:3], cases[3:]
    assert all(case in FITS for case in asked)
    assert len(own) == 6
    assert all(held_out(case) for case in own)
    assert cases == benchmark_cases("demo", None)


def test_a_seed_draws_the_demo_anew() -> None:
    assert not {case.context for case in benchmark_cases("pocket", 6, 1)} & {
        case.context for case in benchmark_cases("pocket", 6, 0)
    }
    assert benchmark_cases("demo", None, 7) != benchmark_cases("demo", None, 0)


@pytest.mark.parametrize(
    ("name", "options", "takes"),
    [
        ("zoo", {"length": 3}, "zoo, which takes --num-programs, --depth, --seed"),
        ("permutations", {"depth": 3}, "permutations, which takes --num-programs, --length, --seed"),
        ("humaneval", {"seed": 3}, "humaneval, which is not generated; --limit N"),
        ("demo", {"size": 3}, "demo, which takes --seed"),
        ("pocket-goals", {"seed": 3}, "pocket-goals, which is not generated; --limit N"),
    ],
)
def test_an_option_that_means_nothing_for_a_benchmark_is_refused_and_says_what_does(
    name: str, options: dict[str, int], takes: str
) -> None:
    generator_options = {option: value for option, value in options.items() if option != "seed"}
    with pytest.raises(InputError, match=takes):
        load_cases(name, [], 5, seed=options.get("seed", 0), generator_options=generator_options)


def test_every_own_benchmark_is_known_by_name() -> None:
    assert {"demo", "pocket", "pocket-goals"} <= set(benchmark_names())
    assert len(benchmark_cases("pocket-goals", 7)) == 7
