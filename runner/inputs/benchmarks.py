"""Cases by name: the benchmarks of `corpora`, and three that belong to the embedded model.

`pocket`: generated programs of the kinds that it was taught, none of which it was trained on. `pocket-goals`: so many
of each kind, for the model card. `demo`: problems of HumanEval that fit the model's context, then `pocket`. Other
models can be asked about them all.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random

from analyze import trace_call
from analyze.tokens.tokenizer import load_tokenizer
from corpora import Case, load, names
from corpora.benchmarks import benchmark
from corpora.errors import InputError
from runner.asking.prompts import prompt_ids
from runner.pocket import goals
from runner.pocket.data import MAX_TOKENS, unseen
from runner.terminal.console import error_console, progress_bar

# Sized for two cores: the demo is to end within minutes.
DEMO_HUMANEVAL = 24
DEMO_POCKET = 160

OWN = ("demo", "pocket", goals.NAME)
"""Benchmarks that belong to the embedded model; `corpora` knows the others."""
OPTIONS = ("size", "length", "depth", "seed")
"""What a benchmark may be drawn by; each takes those that mean something for it."""
TOKENS = 8192
"""The paper's limit of new tokens, for benchmarks that have none of their own."""

_FLAGS = {"size": "--num-programs"}
_OWN_OPTIONS = {"demo": ("seed",), "pocket": ("size", "seed")}

_WEIGHTS = Path(__file__).parent.parent / "pocket" / "weights"


def benchmark_names() -> list[str]:
    """Every name that `benchmark_cases` knows, sorted."""
    return sorted([*names(), *OWN])


def options_of(name: str) -> tuple[str, ...]:
    """Which of OPTIONS a benchmark takes."""
    if name in OWN:
        return _OWN_OPTIONS.get(name, ())
    taken = inspect.signature(benchmark(name).cases).parameters
    return tuple(option for option in OPTIONS if option in taken)


def flag(option: str) -> str:
    """The command-line flag of an option of a benchmark."""
    return _FLAGS.get(option, f"--{option}")


def token_limit(name: str) -> int:
    """The new tokens that the paper gave an answer of this benchmark; of a data set, what it gave most."""
    return int(getattr(benchmark(name), "MAX_TOKENS", TOKENS)) if name in names() else TOKENS


def benchmark_cases(name: str, limit: int | None, seed: int = 0, **drawn: int) -> list[Case]:
    """The first `limit` cases of a benchmark, or all. drawn: of OPTIONS beside the seed.

    Raises InputError for no such name, and for an option that the benchmark does not take.
    """
    given = {**drawn, **({"seed": seed} if seed else {})}
    for option, value in given.items():
        if option not in options_of(name):
            takes = ", ".join(map(flag, options_of(name)))
            which = f"takes {takes}" if takes else "is not drawn: --limit N takes the first of it"
            raise InputError(f"means nothing for {name}, which {which}", where=f"{flag(option)} {value}")
    if name == "pocket":
        return unseen(limit or drawn.get("size") or DEMO_POCKET, seed)
    if name == goals.NAME:
        return list(islice(goals.cases(), limit))
    return list(islice(_demo(seed) if name == "demo" else load(name, **given), limit))


def _demo(seed: int) -> Iterator[Case]:
    """First assertions of HumanEval that fit, drawn by the seed, then programs of pocket's own kinds."""
    problems = list(load("humaneval", per_problem=1))
    fitting = _fitting(problems)
    asked = Random(f"demo {seed}").sample(fitting, min(DEMO_HUMANEVAL, len(fitting)))
    error_console().print(
        f"HumanEval: of {len(problems)} first assertions, {len(fitting)} have a program and a true trace that fit "
        f"pocket's context of {MAX_TOKENS:,} tokens; {len(asked)} of them are asked",
        soft_wrap=True,
    )
    yield from asked
    yield from unseen(DEMO_POCKET, seed)


def _fitting(cases: list[Case]) -> list[Case]:
    """The cases of which prompt and true trace together are no longer than the documents that pocket was trained on."""
    tokenizer, fitting = load_tokenizer(str(_WEIGHTS)), []
    with progress_bar() as progress:
        for case in progress.track(cases, description="which of HumanEval fit"):
            room = MAX_TOKENS - len(prompt_ids(case, "bare", tokenizer))
            if room <= 0:
                continue
            trace = trace_call(case.source, case.call, case.grading)
            ended = trace.outcome.status in {"ok", "raised"} and trace.cut is None
            if ended and trace.count_tokens(tokenizer, room) is not None:
                fitting.append(case)
    return fitting
