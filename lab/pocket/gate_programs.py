"""What the gate asks about: held-out generated programs, the benchmarks, and the renaming to `_t0`, `_t1`, …."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import count, islice
from pathlib import Path
from random import Random

from analyze.gold_trace.trace import trace_call
from corpora import Case
from lab.pocket import paper_programs
from lab.pocket.benchmark_overlap import benchmark_fingerprints, fingerprints
from lab.pocket.documents import MAX_BYTES, MAX_FRAMES, read_documents
from lab.pocket.typed_programs import typed_program
from rewrite.analysis.direct_calls import find_direct_calls
from rewrite.analysis.renaming import renamable_variables
from rewrite.analysis.symbol_table import collect_scopes
from rewrite.anf.names import ModuleNames
from rewrite.baselines.placebo import rename
from rewrite.syntax.parsing import parse
from runner.runs.cases import load_cases
from runner.statistics.groups import grouped
from runner.terminal.console import progress_bar

GENERATED, CRUXEVAL, HUMANEVAL, PAPER = "generated", "cruxeval", "humaneval", paper_programs.BENCHMARK
CRUXEVAL_FILE = "cruxeval_even.jsonl"
PROGRAMS, HUMANEVAL_CASES = 400, 24
MAX_TOKENS = 1024
"""Tokens of the trace of a generated program, in the default vocabulary."""


def calls_by_source(cases: Iterable[Case]) -> dict[str, list[str]]:
    """The calls of each program."""
    return {source: [case.call for case in same] for source, same in grouped(cases, lambda case: case.source).items()}


def temporary_names(cases: Iterable[Case]) -> Callable[[str], str]:
    """A recipe that renames all local variables to `_t0`, `_t1`, …, where nothing can observe the names.

    Args:
        cases: what will be renamed: the calls of a program decide about its parameters.
    """
    calls = calls_by_source(cases)

    def temporary_names(source: str) -> str:
        if source not in calls:  # the result, which `rewrite.pipeline.source_rewrites` gives again
            return source
        module = parse(source)
        uses = renamable_variables(module, collect_scopes(module), find_direct_calls(module, calls[source]))
        variables, names = {name for _, name in uses}, ModuleNames(source).of_scope()
        ordered = [name for name in dict.fromkeys(re.findall(r"[^\W\d]\w*", source)) if name in variables]
        return rename(source, module, calls[source], {name: names.fresh() for name in ordered}).source

    return temporary_names


def generated_cases(
    size: int, known: frozenset[str], series: str = "gate", max_tokens: int = MAX_TOKENS
) -> Iterator[Case]:
    """Typed random programs with short traces, of seeds that training does not use.

    Args:
        size: number of programs.
        known: fingerprints of functions that a program must not have.
        series: start of the seeds and of the ids.
        max_tokens: of a trace.
    """
    drawn = (replace(typed_program(Random(f"{series} {n}")), id=f"{series}-{n}", benchmark=GENERATED) for n in count())
    short = (case for case in drawn if _is_new(case, known) and has_short_trace(case, max_tokens))
    yield from islice(short, size)


def trained_fingerprints(documents: Sequence[Path]) -> frozenset[str]:
    """The fingerprints of the functions of training documents."""
    return frozenset(found for path in documents for one in read_documents(path) for found in fingerprints(one.source))


def _is_new(case: Case, known: frozenset[str]) -> bool:
    """Whether no function is known. Of a program that is too small for a fingerprint this cannot be said."""
    found = fingerprints(case.source)
    return bool(found) and not found & known


def has_short_trace(case: Case, max_tokens: int) -> bool:
    """Whether the trace has ended, is whole, and has at most `max_tokens` tokens in the default vocabulary."""
    trace = trace_call(case.source, case.call, max_frames=MAX_FRAMES, max_bytes=MAX_BYTES, stop_at_cut=True)
    ended = trace.has_ended and not trace.cut and not trace.labels
    return ended and (trace.tokens or 0) <= max_tokens


def populations(data: Path, documents: Sequence[Path], limit: int) -> dict[str, list[Case]]:
    """The programs of the gate by name, at most `limit` of each.

    Raises:
        InputError: CruxEval or a file of training documents is missing.
    """
    cruxeval = load_cases(str(data / CRUXEVAL_FILE), [], limit).cases
    with progress_bar() as progress:
        drawn = generated_cases(limit, benchmark_fingerprints(data) | trained_fingerprints(documents))
        generated = list(progress.track(drawn, total=limit, description="drawing programs"))
    paper = islice(paper_programs.cases(), limit)
    humaneval = load_cases(HUMANEVAL, [], min(limit, HUMANEVAL_CASES)).cases
    return {GENERATED: generated, CRUXEVAL: list(cruxeval), HUMANEVAL: list(humaneval), PAPER: list(paper)}
