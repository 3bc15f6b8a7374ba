"""`spellout traces`: makes an execution-trace data set in Parquet from programs with calls, or from a test suite."""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import fields
from itertools import islice
from pathlib import Path

from analyze.auditing.duplicates import format_count
from analyze.tokens.tokenizer import load_tokenizer
from corpora import BadRow, Row
from corpora.errors import InputError
from corpora.execute import isolation
from corpora.shard_executors import over_cores, over_ray
from rewrite.pipeline.recipes import find_recipe
from runner.inputs.datasets import DATA_HELP, LIMIT_HELP, RowTally, add_data_options, data_rows
from runner.inputs.program_files import column_mapping
from runner.inputs.row_counts import count_rows
from runner.terminal.console import note, output_console, print_lines, progress_bar, warn
from runner.terminal.options import JOBS_HELP, TOKENIZER_HELP, add_flag, add_number, add_repeatable, seconds, severity
from runner.traces.building import build_traces
from runner.traces.curation import SPLITS, DataSetCounts
from runner.traces.formats import format_summaries
from runner.traces.layout import DROPPED, WORK
from runner.traces.schema import data_schema
from runner.traces.shard_tracing import FAILED, UNREADABLE
from runner.traces.similarity import minhash
from runner.traces.suite.package_rows import package_rows
from runner.traces.trace_request import (
    CALLS_PER_FUNCTION,
    MAX_FRAMES,
    MAX_OVERLAP,
    MAX_TOKENS,
    MEGABYTES,
    SECONDS,
    SIMILARITY,
    VALIDATION,
    TraceRequest,
)

SUMMARY = "make a data set of execution traces in Parquet"
RUNS_PROGRAMS = True
EXAMPLES = """
  spellout traces cases.jsonl --output traces/cases
  spellout traces humaneval --output traces/humaneval --format annotated --recipe decompose
  spellout traces programs.parquet --output traces/programs --decontaminate humaneval --decontaminate cruxeval.jsonl
  spellout traces cases.jsonl --output traces/sample --stratify risk --per-stratum 1000
  spellout traces path/to/package --output traces/package --function 'package.text.*'
  spellout traces cases.jsonl --output /shared/traces --ray auto
"""
FORMATS = format_summaries()
REASONS_SHOWN = 12
ON_THIS_MACHINE = ""


def configure(parser: argparse.ArgumentParser) -> None:
    """The options of `spellout traces`."""
    parser.add_argument(
        "source", metavar="SOURCE", help=f"{DATA_HELP}; or the folder of a package, whose pytest suite is run"
    )
    parser.add_argument(
        "--output", type=Path, required=True, metavar="DIR", help="folder of the data set; the same command resumes"
    )
    described = "; ".join(f"{name}: {summary}" for name, summary in FORMATS.items())
    parser.add_argument("--format", choices=FORMATS, default="cwm", help=f"{described} (default: cwm)")
    parser.add_argument("--tokenizer", default="llama-3", metavar="T", help=TOKENIZER_HELP)
    _add_package_options(parser)
    _add_content_options(parser)
    _add_limits(parser)
    add_data_options(parser)
    add_number(parser, "--limit", LIMIT_HELP)
    add_number(parser, "--jobs", JOBS_HELP, 0, least=0)
    parser.add_argument(
        "--ray",
        nargs="?",
        const=ON_THIS_MACHINE,
        metavar="ADDRESS",
        help="distribute the work over a Ray cluster, which shares DIR (default address: the running cluster, else a "
        "new one on this machine; extra: ray)",
    )


def _add_package_options(parser: argparse.ArgumentParser) -> None:
    add_repeatable(
        parser,
        "--function",
        "PATTERN",
        "for a package: record the calls of these functions, such as 'package.text.*'; repeatable (default: all "
        "functions of its modules that do not begin with _)",
    )
    add_number(
        parser,
        "--calls-per-function",
        f"for a package: record at most N different calls of a function (default: {CALLS_PER_FUNCTION})",
        CALLS_PER_FUNCTION,
    )
    parser.add_argument(
        "--python",
        default=sys.executable,
        metavar="FILE",
        help="for a package: interpreter that runs its suite (default: the one that runs this command)",
    )


def _add_content_options(parser: argparse.ArgumentParser) -> None:
    add_repeatable(
        parser,
        "--recipe",
        "R",
        "add each program under this recipe, if the rewrite is verified on its call; repeatable",
    )
    add_repeatable(
        parser,
        "--decontaminate",
        "NAME|FILE",
        "drop rows that contain a program of this benchmark or data set; repeatable",
    )
    parser.add_argument(
        "--max-overlap",
        type=severity,
        default=MAX_OVERLAP,
        metavar="F",
        help="with --decontaminate: drop a row that has at least this share of the n-grams of a benchmark's program "
        f"(default: {MAX_OVERLAP})",
    )
    parser.add_argument(
        "--similarity",
        type=severity,
        default=SIMILARITY,
        metavar="F",
        help="drop a program if the estimated share of common 5-grams with an earlier one (Jaccard similarity of the "
        f"two sets of 5-grams of tokens, names ignored) is at least F (default: {SIMILARITY})",
    )
    add_flag(parser, "--keep-near-duplicates", "do not apply --similarity")
    add_flag(parser, "--risk", "add predicted risk and tokenization hazards; slow")
    parser.add_argument(
        "--stratify", choices=("risk", "hazard"), help="sample by predicted risk or by hazard class; implies --risk"
    )
    add_number(parser, "--per-stratum", "with --stratify: rows of each stratum")
    parser.add_argument(
        "--validation",
        type=severity,
        default=VALIDATION,
        metavar="F",
        help=f"share of program families in the validation split (default: {VALIDATION})",
    )
    add_number(parser, "--seed", "seed of sample and split (default: 0)", 0, least=0)


def _add_limits(parser: argparse.ArgumentParser) -> None:
    limits = (
        ("--max-tokens", MAX_TOKENS, "tokens of a trace"),
        ("--max-frames", MAX_FRAMES, "frames of a trace"),
        ("--megabytes", MEGABYTES, "memory of a program"),
    )
    for flag, default, what in limits:
        add_number(parser, flag, f"limit on the {what} (default: {default:,})", default)
    parser.add_argument(
        "--seconds", type=seconds, default=SECONDS, metavar="S", help=f"time limit of a run (default: {SECONDS:g})"
    )


def run(arguments: argparse.Namespace) -> int:
    """Builds the data set and prints what is in it."""
    request = read_request(arguments)
    rows = islice(_rows(arguments), request.limit)
    spread = over_cores(arguments.jobs) if arguments.ray is None else over_ray(arguments.ray)
    total = count_rows(arguments.source)
    if request.limit is not None:
        total = request.limit if total is None else min(total, request.limit)
    with progress_bar(rate=True) as progress:
        tracing = progress.add_task("rows traced", total=total)
        curating = progress.add_task("rows curated", total=None, start=False, visible=False)

        def show_curated(done: int) -> None:
            progress.start_task(curating)  # its rate does not count the time of tracing
            progress.update(curating, advance=done, visible=True)

        counts = build_traces(
            arguments.output,
            request,
            rows,
            spread=spread,
            on_traced=lambda done: progress.advance(tracing, done),
            on_curated=show_curated,
        )
    _report(arguments, counts)
    return 0


def _rows(arguments: argparse.Namespace) -> Iterator[Row | BadRow]:
    """The rows of the data set, or the calls of the package."""
    if not Path(arguments.source).is_dir():
        return data_rows(arguments.source, arguments.column)
    warn(f"running the test suite of {arguments.source}, as pytest does: not in the sandbox")
    return package_rows(
        Path(arguments.source),
        arguments.output / WORK,
        arguments.function,
        arguments.calls_per_function,
        arguments.python,
    )


def read_request(arguments: argparse.Namespace) -> TraceRequest:
    """The options of the data set. Everything that can be wrong with them is reported before anything is written.

    Raises:
        InputError: An option is wrong, or a package is missing.
    """
    if (arguments.stratify is None) != (arguments.per_stratum is None):
        given, lacks = ("--stratify", "--per-stratum") if arguments.stratify else ("--per-stratum", "--stratify")
        raise InputError(f"needs {lacks}", where=given)
    for recipe in arguments.recipe:
        find_recipe(recipe)
    data_schema()
    minhash(())
    load_tokenizer(arguments.tokenizer)
    isolation()
    taken = {field.name: getattr(arguments, field.name) for field in fields(TraceRequest) if field.name in arguments}
    return TraceRequest(
        **taken
        | {
            "mapping": tuple(column_mapping(arguments.column).items()),
            "functions": tuple(arguments.function),
            "recipes": tuple(arguments.recipe),
            "decontaminate": tuple(arguments.decontaminate),
            "similarity": None if arguments.keep_near_duplicates else arguments.similarity,
            "weak_isolation": arguments.allow_weak_isolation,
            "commit": _commit(Path(arguments.source)),
        }
    )


def _commit(source: Path) -> str:
    """The commit of the repository that tracks a file or folder; "" if none does."""
    if not source.exists():
        return ""
    folder = source if source.is_dir() else source.parent
    command = ["git", "-C", str(folder), "log", "-1", "--format=%H", "--", str(source.resolve())]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=False, timeout=10).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return ""


def _report(arguments: argparse.Namespace, counts: DataSetCounts) -> None:
    dropped = counts.dropped.most_common(REASONS_SHOWN)
    warn(*(f"{format_count(size, 'row')} dropped: {reason}" for reason, size in dropped))
    if dropped:
        note(f"{arguments.output / DROPPED} lists every dropped row")
    unreadable, failed = (counts.dropped.get(reason, 0) for reason in (UNREADABLE, FAILED))
    tally = RowTally(arguments.source, counts.read, unreadable, failed=failed)
    tally.check_readable(arguments.max_bad)
    splits = ", ".join(f"{counts.splits[split]:,} {split}" for split in SPLITS)
    size = f"{counts.kept:,} rows ({splits}), {counts.all_tokens:,} tokens"
    print_lines(output_console(), f"{size}, from {counts.read:,} rows: {arguments.output}")
    tally.check_failed(arguments.max_bad)
