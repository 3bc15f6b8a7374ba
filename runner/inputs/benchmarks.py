"""Loads benchmarks by name: those of `corpora`, and `demo`, a sample of HumanEval with short traces.

The sample is drawn when it is asked for: every command that reads a data set knows its name.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from itertools import islice
from random import Random

from corpora import Case, load, names
from corpora.benchmarks import benchmark
from corpora.errors import InputError, did_you_mean

DEMO = "demo"
DEMO_SUMMARY = "first assertions of HumanEval with short reference traces, sampled with the seed"
DEMO_PROGRAMS, DEMO_TOKENS = 20, 256
"""Number of the programs, and maximum tokens of their reference traces in the default vocabulary.

Chosen so that `make demo` asks for about a minute on two cores.
"""
OPTIONS = ("size", "length", "depth", "seed")
"""Options of generated benchmarks. Each benchmark takes those that apply to it."""
SIZE_HELP = "programs to generate (default: 100; 10 per kind for atomic and zoo)"
LENGTH_HELP = "steps per program of permutations (default: 8)"
DEPTH_HELP = "nesting depth of the programs (default: 3 for composition, 5 for zoo)"
TOKENS = 8192
"""The paper's limit of new tokens, for benchmarks without a limit of their own."""

_FLAGS = {"size": "--num-programs"}


def benchmark_names() -> list[str]:
    """The names of all benchmarks, sorted."""
    return sorted([*names(), DEMO])


def benchmark_options(name: str) -> tuple[str, ...]:
    """The names in OPTIONS that a benchmark takes."""
    if name == DEMO:
        return ("seed",)
    taken = inspect.signature(benchmark(name).cases).parameters
    return tuple(option for option in OPTIONS if option in taken)


def option_flag(option: str) -> str:
    """The command-line flag of an option of a benchmark."""
    return _FLAGS.get(option, f"--{option}")


def token_limit(name: str) -> int:
    """The paper's limit of new tokens for a benchmark, or `TOKENS` for a data set."""
    return int(getattr(benchmark(name), "MAX_TOKENS", TOKENS)) if name in names() else TOKENS


def benchmark_cases(name: str, limit: int | None, seed: int = 0, **generator_options: int) -> list[Case]:
    """The cases of a benchmark.

    Args:
        name: one of `benchmark_names()`.
        limit: number of cases (default: all).
        seed: random seed of generated benchmarks.
        generator_options: other names in OPTIONS with their values.

    Raises:
        InputError: the name is unknown, or the benchmark does not take an option.
    """
    given = {**generator_options, **({"seed": seed} if seed else {})}
    check_options(name, given)
    return list(islice(_demo(seed) if name == DEMO else load(name, **given), limit))


def check_options(name: str, given: Mapping[str, int]) -> None:
    """Raises InputError if a benchmark does not take an option, or if there is no such benchmark."""
    if name not in benchmark_names():
        close = did_you_mean(name, benchmark_names())
        raise InputError(f"no benchmark named {name!r}{close}; available: {', '.join(benchmark_names())}")
    for option, value in given.items():
        if option not in benchmark_options(name):
            takes = ", ".join(map(option_flag, benchmark_options(name)))
            which = f"takes {takes}" if takes else "is not generated; --limit N selects the first cases"
            raise InputError(f"does not apply to {name}, which {which}", where=f"{option_flag(option)} {value}")


def _demo(seed: int) -> list[Case]:
    """First assertions of HumanEval with short traces, sampled with the seed."""
    from runner.terminal.console import note

    problems = list(load("humaneval", per_problem=1))
    short = _short(problems)
    asked = Random(f"demo {seed}").sample(short, min(DEMO_PROGRAMS, len(short)))
    note(
        f"HumanEval: {len(short)} of {len(problems)} first assertions have a reference trace of at most "
        f"{DEMO_TOKENS} tokens; {len(asked)} of these are sampled"
    )
    return asked


def _short(cases: list[Case]) -> list[Case]:
    """The cases that end, with a short trace."""
    from analyze import trace_call
    from analyze.tokens.tokenizer import default_tokenizer
    from runner.terminal.console import progress_bar

    found = []
    with progress_bar() as progress:
        for case in progress.track(cases, description="selecting HumanEval problems with short traces"):
            trace = trace_call(case.source, case.call, case.grading)
            if trace.has_ended and not trace.cut and trace.count_tokens(default_tokenizer(), DEMO_TOKENS) is not None:
                found.append(case)
    return found
