"""`spellout audit`: reports tokenization hazards in a data set or a program, and labels that execution contradicts.

The audit itself is in `analyze.auditing.audit` and `analyze.auditing.shards`.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from rich.console import Console

from analyze.auditing.duplicates import DuplicateIndex, format_count
from analyze.auditing.executors import over_cores, over_ray
from analyze.auditing.findings import AuditSummary
from analyze.auditing.findings_io import findings_in, parquet_schema
from analyze.auditing.html_report import write_page
from analyze.auditing.shards import AuditRequest, audit_to, claim_folder
from analyze.tokens.bpe_merges import safer_separators
from analyze.tokens.contexts import CONTEXTS
from analyze.tokens.engines import ENGINES
from analyze.tokens.token_strips import most_severe
from analyze.tokens.tokenizer import load_tokenizer
from corpora.dataset import BadRow, Row
from corpora.errors import InputError
from runner.inputs.datasets import DATA_HELP, RowTally, add_data_options, data_rows
from runner.inputs.programs import column_mapping, read_program
from runner.reports.audit_report import (
    against_table,
    figure_lines,
    finding_lines,
    place_table,
    summary_table,
    verdict_lines,
)
from runner.terminal.console import error_console, output_console, progress_bar, warn
from runner.terminal.options import JOBS_HELP, TOKENIZER_HELP, at_least, seconds, severity

RUNS_PROGRAMS = True
SUMMARY = "find tokenization hazards: characters and separators that a program looks for but BPE tokens hide"
EXAMPLES = """
  spellout audit program.py
  spellout audit cases.jsonl --context all --output audits/cases
  spellout audit cases.parquet --column code=solution --format jsonl | head
  spellout audit cases.jsonl --format html > cases.html
  spellout audit cases.jsonl --tokenizer ./tokenizer.json --against llama-3
  spellout audit program.py other.py --fail-on 0.7
  spellout audit cases.jsonl --fail-on labels --max-bad 0
  zcat cases.jsonl.gz | spellout audit -
  spellout audit --separators

exit status:
  0  success
  1  a finding is at least as severe as --fail-on, or execution contradicts a label (--fail-on labels)
  2  wrong usage, no readable row (or more unreadable rows than --max-bad), or unwritable output
"""
BAD_SHOWN = 20
DUPLICATES_SHOWN = 5
LABELS = "labels"
SECONDS = 60.0


def configure(parser: argparse.ArgumentParser) -> None:
    """The options of `spellout audit`."""
    parser.add_argument("sources", metavar="DATASET|FILE.py", nargs="*", help=f"Python files, or {DATA_HELP}")
    parser.add_argument("--tokenizer", default="llama-3", metavar="T", help=TOKENIZER_HELP)
    parser.add_argument(
        "--context",
        choices=(*CONTEXTS, "all"),
        default="trace",
        help="what surrounds a string when it is tokenized (default: trace)",
    )
    parser.add_argument("--against", metavar="TOKENIZER", help="compare with a second tokenizer")
    parser.add_argument(
        "--output", type=Path, metavar="DIR", help="save findings and summary; the same command resumes"
    )
    parser.add_argument(
        "--format",
        choices=("table", "jsonl", "parquet", "html"),
        default="table",
        help="output format; parquet needs --output (default: table)",
    )
    parser.add_argument(
        "--fail-on",
        type=_failure,
        action="append",
        default=[],
        metavar="SEVERITY|labels",
        help="exit with status 1 on a finding of at least this severity (0 to 1), or on a label that execution "
        "contradicts; repeatable",
    )
    parser.add_argument(
        "--min-severity",
        type=severity,
        default=1e-9,
        metavar="S",
        help="omit findings that are less severe (default: omit only severity 0)",
    )
    add_data_options(parser)
    parser.add_argument("--static", action="store_true", help="do not execute the calls")
    parser.add_argument(
        "--show", type=at_least(), default=10, metavar="N", help="print the N most severe findings (default: 10)"
    )
    parser.add_argument(
        "--engine", choices=ENGINES, default="", help="tokenizer implementation (default: the first one available)"
    )
    parser.add_argument(
        "--seconds",
        type=seconds,
        default=SECONDS,
        metavar="S",
        help="time limit per row, to run its program and to check its strings; what is beyond it is not checked, and "
        f"reported (default: {SECONDS:g})",
    )
    parser.add_argument("--jobs", type=at_least(), default=0, metavar="N", help=JOBS_HELP)
    parser.add_argument("--ray", action="store_true", help="distribute the work over a Ray cluster (extra: ray)")
    parser.add_argument(
        "--separators", action="store_true", help="only list separators that BPE keeps as tokens of their own"
    )


def run(arguments: argparse.Namespace) -> int:
    """Audits and prints. Returns 1 if a condition of `--fail-on` holds."""
    if arguments.separators:
        return _separators(arguments.tokenizer)
    request, programs = _request(arguments), _program_rows(arguments.sources)
    rows = data_rows(arguments.sources[0], arguments.column) if programs is None else iter(programs)
    duplicates = DuplicateIndex()
    request.scope()  # an unknown tokenizer or engine ends the command before anything is written
    with tempfile.TemporaryDirectory(prefix="spellout-audit-") as temporary:
        folder = arguments.output or Path(temporary)
        claim_folder(folder, request)  # before any progress is shown
        with progress_bar() as progress:
            task = progress.add_task("rows audited", total=len(programs) if programs else None)
            summary = audit_to(
                folder,
                request,
                rows=rows,
                duplicates=duplicates,
                spread=over_ray() if arguments.ray else over_cores(arguments.jobs),
                on_progress=lambda done: progress.advance(task, done),
            )
        _warn(summary, folder if arguments.output else None)
        source = ", ".join(arguments.sources)
        RowTally(source, summary.rows, summary.unread, summary.bad[0] if summary.bad else None).check(arguments.max_bad)
        _show(arguments, request, summary, folder, programs, duplicates)
    _report_labels(summary, duplicates)
    return _status(arguments.fail_on, summary, source)


def _failure(text: str) -> float | str:
    return text if text == LABELS else severity(text)


_failure.__name__ = "severity or 'labels'"  # argparse names the type in its message


def _status(fail_on: list[float | str], summary: AuditSummary, source: str) -> int:
    """1 if a condition of `--fail-on` holds, else 0. Raises InputError if no label could be checked."""
    if LABELS in fail_on and summary.labels == summary.unsure:
        reason = "no label could be checked" if summary.labels else "no row has a label (expected, output)"
        raise InputError(f"{reason}, which --fail-on labels needs", where=source)
    # Matches have severity 0 and are not findings.
    severe = any(summary.worst >= least for least in fail_on if isinstance(least, float)) and summary.worst > 0
    return int(severe or (LABELS in fail_on and summary.contradicted > 0))


def _request(arguments: argparse.Namespace) -> AuditRequest:
    if not arguments.sources:
        raise InputError("give a data set or Python files", where="spellout audit")
    if arguments.static and LABELS in arguments.fail_on:
        raise InputError("needs execution: remove --static", where="--fail-on labels")
    if arguments.format == "parquet" and not arguments.output:
        raise InputError("needs --output DIR", where="--format parquet")
    if arguments.format == "parquet":
        parquet_schema()
    return AuditRequest(
        source="\n".join(arguments.sources),
        mapping=tuple(column_mapping(arguments.column).items()),
        tokenizers=(arguments.tokenizer, *([arguments.against] if arguments.against else [])),
        contexts=CONTEXTS if arguments.context == "all" else (arguments.context,),
        execute=not arguments.static,
        engine=arguments.engine,
        least=arguments.min_severity,
        format="parquet" if arguments.format == "parquet" else "jsonl",
        seconds=arguments.seconds,
        weak_isolation=arguments.allow_weak_isolation,
    )


def _program_rows(sources: list[str]) -> list[Row | BadRow] | None:
    """One row per Python file; None for a data set. Raises InputError for a file that is missing or does not parse."""
    programs = [source.endswith(".py") for source in sources]
    if not any(programs):
        if len(sources) > 1:
            raise InputError("only one data set is allowed", where=sources[1])
        return None
    if not all(programs):
        raise InputError("Python files and data sets cannot be mixed", where=sources[programs.index(False)])
    return [
        Row(number, source, {"id": source, "source": read_program(source)}) for number, source in enumerate(sources, 1)
    ]


def _warn(summary: AuditSummary, folder: Path | None) -> None:
    """Reports on standard error how many rows and strings were not judged, and lists the first ones."""
    errors = error_console()
    for bad in summary.bad[:BAD_SHOWN]:
        errors.print(f"{bad.where}: {bad.reason}", style="yellow", soft_wrap=True)
    if summary.bad:
        rest = f"; all are listed in {folder / 'bad.jsonl'}" if folder else ""
        errors.print(f"{summary.bad_count:,} rows or strings could not be judged{rest}", soft_wrap=True)
    if summary.unlisted:
        errors.print(
            f"{format_count(summary.unlisted, 'finding')} counted but not listed, because their rows already have many"
        )


def _report_labels(summary: AuditSummary, duplicates: DuplicateIndex) -> None:
    """Reports contradicted labels and duplicate rows, on standard error so that findings can be piped."""
    errors = error_console()
    if summary.labels:
        for check in summary.label_checks[:BAD_SHOWN]:
            warn(errors, str(check))
        _report_omitted(errors, len(summary.label_checks), "labels.jsonl")
        unsure = f", {summary.unsure:,} could not be judged" if summary.unsure else ""
        errors.print(f"labels: execution contradicts {summary.contradicted:,} of {summary.labels:,}{unsure}")
    if duplicates.programs:
        for duplicate in duplicates.listed[:DUPLICATES_SHOWN]:
            errors.print(str(duplicate), soft_wrap=True)
        _report_omitted(errors, duplicates.programs, "duplicates.jsonl", DUPLICATES_SHOWN)
        errors.print(f"duplicates: {duplicates}")


def _report_omitted(console: Console, count: int, file: str, most: int = BAD_SHOWN) -> None:
    if count > most:
        console.print(f"… and {count - most:,} more; with --output, {file} lists all")


def _show(
    arguments: argparse.Namespace,
    request: AuditRequest,
    summary: AuditSummary,
    folder: Path,
    rows: list[Row | BadRow] | None,
    duplicates: DuplicateIndex,
) -> None:
    if arguments.format == "html":
        tokenizers = [load_tokenizer(name) for name in request.tokenizers]
        if arguments.output:
            with (folder / "report.html").open("w", encoding="utf-8") as file:
                write_page(file, findings_in(folder), summary, request.source, tokenizers, duplicates)
        else:
            write_page(sys.stdout, findings_in(folder), summary, request.source, tokenizers, duplicates)
    elif arguments.format == "jsonl" and not arguments.output:
        for finding in findings_in(folder):
            sys.stdout.write(json.dumps(finding) + "\n")
    else:
        _tables(arguments, summary, folder, rows)
    if arguments.output:
        error_console().print(f"wrote findings and summary to {folder}", soft_wrap=True)


def _tables(
    arguments: argparse.Namespace, summary: AuditSummary, folder: Path, rows: list[Row | BadRow] | None
) -> None:
    console = output_console()
    names = [load_tokenizer(name).name for name in (arguments.tokenizer, arguments.against) if name]
    for line in _figures(rows or [], arguments.tokenizer):
        console.print(line, soft_wrap=True)
    for name in names:
        console.print(summary_table(summary, name))
    if len(names) > 1:
        console.print(against_table(summary, names))
    elif rows is None:
        console.print(place_table(summary, names[0]))
    for line in verdict_lines(summary):
        console.print(line)
    _worst(console, folder, arguments.show if rows is None else max(arguments.show, 50))


def _figures(rows: list[Row | BadRow], tokenizer: str) -> Iterator[str]:
    for row in rows:
        if isinstance(row, Row):
            yield from figure_lines(row.where, str(row.fields["source"]), load_tokenizer(tokenizer))


def _worst(console: Console, folder: Path, most: int) -> None:
    for finding in most_severe(findings_in(folder), most):
        for line in finding_lines(finding):
            console.print(line, soft_wrap=True)


def _separators(tokenizer: str) -> int:
    console = output_console()
    console.print(f"how often a separator keeps its own tokens between two printable characters ({tokenizer}):")
    for separator, frequency in safer_separators(load_tokenizer(tokenizer)):
        console.print(f"  {separator!r:8} {frequency:.2f}")
    return 0
