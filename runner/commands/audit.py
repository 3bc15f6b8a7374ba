"""`spellout audit`: where the tokenizer hides characters, in a data set or in a program.

Reads the command line and ties the parts together; the work is in `analyze.auditing.audit` and
`analyze.auditing.shards`.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from rich.console import Console

from analyze.auditing.duplicates import Duplicates, counted
from analyze.auditing.executors import over_cores, over_ray
from analyze.auditing.findings import Summary
from analyze.auditing.findings_io import findings_in, parquet_schema
from analyze.auditing.html_report import write_page
from analyze.auditing.shards import Request, audit_to, claim
from analyze.tokens.bpe_merges import safer_separators
from analyze.tokens.contexts import CONTEXTS
from analyze.tokens.engines import ENGINES
from analyze.tokens.token_strips import most_severe
from analyze.tokens.tokenizer import load_tokenizer
from corpora.dataset import BadRow, Row
from corpora.errors import InputError
from runner.inputs.datasets import DATA_HELP, Tally, add_data_options, data_rows
from runner.inputs.programs import column_mapping, read_program
from runner.reports.audit_report import against_table, figure, finding_lines, place_table, summary_table, verdict_lines
from runner.terminal.console import error_console, output_console, progress_bar, warn
from runner.terminal.options import severity, whole

SUMMARY = "find where the tokenizer hides the characters that a program's string methods look for"
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
Exit status: 0 done; 1 a finding is as severe as --fail-on, or execution contradicts a label (--fail-on labels); 2 wrong
usage, input of which nothing (or, with --max-bad, too little) could be read, output that cannot be written.
"""
BAD_SHOWN = 20
DUPLICATES_SHOWN = 5
LABELS = "labels"


def configure(parser: argparse.ArgumentParser) -> None:
    """The options of `spellout audit`."""
    parser.add_argument("sources", metavar="DATASET|FILE.py", nargs="*", help=f"Python files, or {DATA_HELP}")
    parser.add_argument(
        "--tokenizer", default="llama-3", metavar="T", help="id, tokenizer.json, encoding, .model (llama-3)"
    )
    parser.add_argument(
        "--context", choices=(*CONTEXTS, "all"), default="trace", help="where the strings stand (trace)"
    )
    parser.add_argument("--against", metavar="TOKENIZER", help="the same data under another tokenizer too")
    parser.add_argument(
        "--output", type=Path, metavar="DIR", help="keep findings, markers and summary; the same call resumes"
    )
    parser.add_argument("--format", choices=("table", "jsonl", "parquet", "html"), default="table", help="(table)")
    parser.add_argument(
        "--fail-on",
        type=_failure,
        action="append",
        default=[],
        metavar="SEVERITY|labels",
        help="exit 1 on a finding as severe (0 to 1), or on a label that execution contradicts; may be repeated",
    )
    parser.add_argument("--least", type=severity, default=1e-9, metavar="SEVERITY", help="leave out milder findings")
    add_data_options(parser)
    parser.add_argument("--static", action="store_true", help="do not execute the calls")
    parser.add_argument("--show", type=whole(), default=10, metavar="N", help="the N worst findings in a table (10)")
    parser.add_argument("--engine", choices=ENGINES, default="", help="tokenize with this engine or not at all")
    parser.add_argument("--workers", type=whole(), default=0, metavar="N", help="processes (one a core)")
    parser.add_argument("--ray", action="store_true", help="on the machines of a Ray cluster (needs the extra ray)")
    parser.add_argument(
        "--separators", action="store_true", help="list separators that keep their own tokens, and stop"
    )
    parser.add_argument(
        "--allow-weak-isolation", action="store_true", help="execute even where only level C can be had"
    )


def run(arguments: argparse.Namespace) -> int:
    """Audit and show; 1 where a finding reaches --fail-on."""
    if arguments.separators:
        return _separators(arguments.tokenizer)
    request, programs = _request(arguments), _program_rows(arguments.sources)
    rows = data_rows(arguments.sources[0], arguments.column) if programs is None else iter(programs)
    duplicates = Duplicates()
    request.scope()  # a tokenizer or engine that cannot be had ends the command before anything is written
    with tempfile.TemporaryDirectory(prefix="spellout-audit-") as temporary:
        folder = arguments.output or Path(temporary)
        claim(folder, request)  # before any progress is shown
        with progress_bar() as progress:
            task = progress.add_task("rows audited", total=len(programs) if programs else None)
            summary = audit_to(
                folder,
                request,
                rows=rows,
                duplicates=duplicates,
                spread=over_ray() if arguments.ray else over_cores(arguments.workers),
                on_progress=lambda done: progress.advance(task, done),
            )
        _warn(summary, folder if arguments.output else None)
        source = ", ".join(arguments.sources)
        Tally(source, summary.rows, summary.unread, summary.bad[0] if summary.bad else None).check(arguments.max_bad)
        _show(arguments, request, summary, folder, programs, duplicates)
    _tell_labels(summary, duplicates)
    return _status(arguments.fail_on, summary, source)


def _failure(text: str) -> float | str:
    return text if text == LABELS else severity(text)


_failure.__name__ = "severity or 'labels'"  # argparse names the type in its message


def _status(fail_on: list[float | str], summary: Summary, source: str) -> int:
    """1 where one of the conditions of --fail-on holds. Raises InputError where no label could be judged at all."""
    if LABELS in fail_on and summary.labels == summary.unsure:
        reason = "none of its labels could be judged" if summary.labels else "no row has a label (expected, output)"
        raise InputError(f"{reason}: --fail-on labels has nothing to go by", where=source)
    # Matches are counted with severity 0 and are no findings.
    severe = any(summary.worst >= least for least in fail_on if isinstance(least, float)) and summary.worst > 0
    return int(severe or (LABELS in fail_on and summary.contradicted > 0))


def _request(arguments: argparse.Namespace) -> Request:
    if not arguments.sources:
        raise InputError("name a data set or Python files", where="spellout audit")
    if arguments.static and LABELS in arguments.fail_on:
        raise InputError("needs the calls executed: leave out --static", where="--fail-on labels")
    if arguments.format == "parquet" and not arguments.output:
        raise InputError("needs --output DIR", where="--format parquet")
    if arguments.format == "parquet":
        parquet_schema()
    return Request(
        source="\n".join(arguments.sources),
        mapping=tuple(column_mapping(arguments.column).items()),
        tokenizers=(arguments.tokenizer, *([arguments.against] if arguments.against else [])),
        contexts=CONTEXTS if arguments.context == "all" else (arguments.context,),
        execute=not arguments.static,
        engine=arguments.engine,
        least=arguments.least,
        format="parquet" if arguments.format == "parquet" else "jsonl",
        weak_isolation=arguments.allow_weak_isolation,
    )


def _program_rows(sources: list[str]) -> list[Row | BadRow] | None:
    """The rows of Python files, None for a data set. Raises InputError for a file that is missing or no Python."""
    programs = [source.endswith(".py") for source in sources]
    if not any(programs):
        if len(sources) > 1:
            raise InputError("one data set at a time", where=sources[1])
        return None
    if not all(programs):
        raise InputError("Python files and data sets are audited apart", where=sources[programs.index(False)])
    return [
        Row(number, source, {"id": source, "source": read_program(source)}) for number, source in enumerate(sources, 1)
    ]


def _warn(summary: Summary, folder: Path | None) -> None:
    """On standard error: how many rows and strings were not judged, and the first of them."""
    errors = error_console()
    for bad in summary.bad[:BAD_SHOWN]:
        errors.print(f"{bad.where}: {bad.reason}", style="yellow", soft_wrap=True)
    if summary.bad:
        rest = f"; all are listed in {folder / 'bad.jsonl'}" if folder else ""
        errors.print(f"{summary.bad_count:,} times something could not be judged{rest}", soft_wrap=True)
    if summary.unlisted:
        errors.print(
            f"{counted(summary.unlisted, 'finding')} counted and not listed: in rows that list much text already"
        )


def _tell_labels(summary: Summary, duplicates: Duplicates) -> None:
    """On standard error too, so that findings can be piped: labels that are not right, and rows that repeat others."""
    errors = error_console()
    if summary.labels:
        for check in summary.label_checks[:BAD_SHOWN]:
            warn(errors, str(check))
        _rest(errors, len(summary.label_checks), "labels.jsonl")
        unsure = f", {summary.unsure:,} could not be judged" if summary.unsure else ""
        errors.print(f"labels: execution contradicts {summary.contradicted:,} of {summary.labels:,}{unsure}")
    if duplicates.programs:
        for duplicate in duplicates.listed[:DUPLICATES_SHOWN]:
            errors.print(str(duplicate), soft_wrap=True)
        _rest(errors, duplicates.programs, "duplicates.jsonl", DUPLICATES_SHOWN)
        errors.print(f"duplicates: {duplicates}")


def _rest(console: Console, count: int, file: str, most: int = BAD_SHOWN) -> None:
    if count > most:
        console.print(f"… and {count - most:,} more; {file} in the folder of --output lists them")


def _show(
    arguments: argparse.Namespace,
    request: Request,
    summary: Summary,
    folder: Path,
    rows: list[Row | BadRow] | None,
    duplicates: Duplicates,
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
        error_console().print(f"findings and summary in {folder}", soft_wrap=True)


def _tables(arguments: argparse.Namespace, summary: Summary, folder: Path, rows: list[Row | BadRow] | None) -> None:
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
            yield from figure(row.where, str(row.fields["source"]), load_tokenizer(tokenizer))


def _worst(console: Console, folder: Path, most: int) -> None:
    for finding in most_severe(findings_in(folder), most):
        for line in finding_lines(finding):
            console.print(line, soft_wrap=True)


def _separators(tokenizer: str) -> int:
    console = output_console()
    console.print(f"How often a separator keeps its own tokens between two printable characters ({tokenizer}):")
    for separator, share in safer_separators(load_tokenizer(tokenizer)):
        console.print(f"  {separator!r:8} {share:.2f}")
    return 0
