"""Loads benchmarks by name: those of `corpora`, and three for the embedded model.

pocket        generated programs of the kinds that the model was trained on, held out from training
pocket-goals  a fixed number of programs per kind, for the model card
demo          problems of HumanEval that fit the model's context, then `pocket`

Other models can be evaluated on them too. Their programs are imported when they are asked for: every command that reads
a data set knows these names.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from random import Random

from corpora import Case, load, names
from corpora.benchmarks import benchmark
from corpora.errors import InputError, did_you_mean

POCKET_PROGRAMS = 160
# Chosen so that the demo ends within two minutes on two cores, its environment included.
DEMO_HUMANEVAL = 8
DEMO_POCKET = 320

GOALS = "pocket-goals"
POCKET_SUMMARIES = {
    "demo": "for pocket: problems of HumanEval that fit its context, then generated programs",
    "pocket": "for pocket: generated programs of the kinds that it was trained on, held out from training",
    GOALS: "for pocket: a fixed number of held-out programs per kind",
}
POCKET_BENCHMARKS = tuple(POCKET_SUMMARIES)
"""The benchmarks for the embedded model."""
OPTIONS = ("size", "length", "depth", "seed")
"""Options of generated benchmarks. Each benchmark takes those that apply to it."""
SIZE_HELP = "programs to generate (default: 100; 10 per kind for atomic and zoo; 160 for pocket)"
LENGTH_HELP = "steps per program of permutations (default: 8)"
DEPTH_HELP = "nesting depth of the programs (default: 3 for composition, 5 for zoo)"
TOKENS = 8192
"""The paper's limit of new tokens, for benchmarks without a limit of their own."""

_FLAGS = {"size": "--num-programs"}
_OWN_OPTIONS = {"demo": ("seed",), "pocket": ("size", "seed")}

_WEIGHTS = Path(__file__).parent.parent / "pocket" / "weights"


def benchmark_names() -> list[str]:
    """The names of all benchmarks, sorted."""
    return sorted([*names(), *POCKET_BENCHMARKS])


def benchmark_options(name: str) -> tuple[str, ...]:
    """The names in OPTIONS that a benchmark takes."""
    if name in POCKET_BENCHMARKS:
        return _OWN_OPTIONS.get(name, ())
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
    if name == "pocket":
        from runner.pocket.data import unseen

        return unseen(limit or generator_options.get("size") or POCKET_PROGRAMS, seed)
    if name == GOALS:
        from runner.pocket import goals

        return list(islice(goals.cases(), limit))
    return list(islice(_demo(seed) if name == "demo" else load(name, **given), limit))


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


def _demo(seed: int) -> Iterator[Case]:
    """First assertions of HumanEval that fit, sampled with the seed, then programs of pocket's own kinds."""
    from runner.pocket.data import MAX_TOKENS, unseen
    from runner.terminal.console import note

    problems = list(load("humaneval", per_problem=1))
    fitting = _fitting(problems)
    asked = Random(f"demo {seed}").sample(fitting, min(DEMO_HUMANEVAL, len(fitting)))
    note(
        f"HumanEval: {len(fitting)} of {len(problems)} first assertions have a prompt and a reference trace that fit "
        f"pocket's context of {MAX_TOKENS:,} tokens; {len(asked)} of these are sampled"
    )
    yield from asked
    yield from unseen(DEMO_POCKET, seed)


def _fitting(cases: list[Case]) -> list[Case]:
    """The cases whose prompt and reference trace fit pocket's context."""
    from analyze import trace_call
    from analyze.tokens.tokenizer import load_tokenizer
    from runner.asking.prompts import prompt_ids
    from runner.pocket.data import MAX_TOKENS
    from runner.terminal.console import progress_bar

    tokenizer, fitting = load_tokenizer(str(_WEIGHTS)), []
    with progress_bar() as progress:
        for case in progress.track(cases, description="selecting HumanEval problems that fit"):
            room = MAX_TOKENS - len(prompt_ids(case, "bare", tokenizer))
            if room <= 0:
                continue
            trace = trace_call(case.source, case.call, case.grading)
            ended = trace.outcome.status in {"ok", "raised"} and trace.cut is None
            if ended and trace.count_tokens(tokenizer, room) is not None:
                fitting.append(case)
    return fitting
