"""`spellout audit`: a linter for tokenization hazards in Python files and data sets, and for labels of data sets.

The audit itself is in `analyze.auditing.audit` and `analyze.auditing.audit_folder`; `runner.linting` turns findings
into diagnostics.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Container, Sequence
from dataclasses import replace
from pathlib import Path

from analyze.auditing.audit_folder import audit_to, claim_folder
from analyze.auditing.duplicates import DuplicateIndex, format_count
from analyze.auditing.findings import AuditSummary
from analyze.auditing.suppressions import CODE_UNUSED
from analyze.tokens.bpe_merges import safer_separators
from analyze.tokens.contexts import CONTEXTS
from analyze.tokens.engines import ENGINES
from analyze.tokens.tokenizer import load_tokenizer
from corpora.dataset import BadRow, Row
from corpora.errors import InputError
from corpora.shard_executors import over_cores, over_ray
from corpora.temporary_folders import temporary_folder
from runner.inputs.datasets import DATA_HELP, RowTally, add_data_options, data_rows
from runner.inputs.program_files import read_program
from runner.inputs.python_files import is_python, python_files
from runner.linting.audit_outcome import AuditOutcome
from runner.linting.audit_plan import AuditPlan, chosen_profile, plan_audit
from runner.linting.baseline import count_findings, new_findings, read_baseline, write_baseline
from runner.linting.settings import CUSTOM, PROFILES, check_codes, profile_family, read_audit_settings
from runner.reports.audit_notes import report_duplicates, report_labels, report_rate, report_unjudged
from runner.reports.audit_output import show_audit
from runner.reports.audit_report import explain
from runner.terminal.console import note, output_console, progress_bar
from runner.terminal.options import (
    JOBS_HELP,
    TOKENIZER_HELP,
    add_flag,
    add_number,
    add_repeatable,
    add_seconds_option,
    severity,
)

RUNS_PROGRAMS = True
SUMMARY = "find tokenization hazards: characters and separators that a program looks for but BPE tokens hide"
EXAMPLES = """
  spellout audit src tests                          Python files, without what .gitignore excludes
  spellout audit src --select ABSENT,SWALLOWED
  spellout audit cases.jsonl --fail-on warning --fail-on labels --max-bad 0
  spellout audit solutions.parquet --column code=solution --format jsonl | head
  spellout audit src --format sarif > audit.sarif
  spellout audit cases.jsonl --format html > cases.html
  spellout audit cases.jsonl --baseline audit.json --update-baseline
  spellout audit cases.jsonl --baseline audit.json --fail-on warning
  spellout audit cases.jsonl --tokenizer ./tokenizer.json --against llama-3
  spellout audit cases.jsonl --context all --output audits/cases
  zcat cases.jsonl.gz | spellout audit -
  spellout audit --explain EDIT_RETOK

A comment `# spellout: ignore[CODE]` suppresses findings of its statement. pyproject.toml may have a table
[tool.spellout.audit] with tokenizer, profile, context, select, ignore, per-file-ignores, fail-on and exclude.

exit status:
  0  success
  1  a condition of --fail-on holds; with --baseline, for a finding that the baseline does not have
  2  wrong usage, an unreadable Python file, no readable row (or more than --max-bad), or unwritable output
"""
SECONDS = 60.0
FORMATS = ("text", "json", "jsonl", "sarif", "github", "parquet", "html")


def configure(parser: argparse.ArgumentParser) -> None:
    """The options of `spellout audit`."""
    parser.add_argument("sources", metavar="PATH|DATASET", nargs="*", help=f"Python files and folders, or {DATA_HELP}")
    parser.add_argument("--tokenizer", metavar="T", help=TOKENIZER_HELP)
    parser.add_argument(
        "--profile",
        choices=(*PROFILES, CUSTOM),
        help="the model to audit for: its tokenizer and the effects measured with it; custom: --tokenizer T and the "
        "effects over all models (default: cwm, or custom with --tokenizer T)",
    )
    parser.add_argument(
        "--context", choices=(*CONTEXTS, "all"), help="what surrounds a string when it is tokenized (default: trace)"
    )
    parser.add_argument(
        "--against", metavar="TOKENIZER", help="report what a switch to a second tokenizer would change"
    )
    classes = parser.add_argument_group("classes and files")
    for name, what in (("--select", "check only these classes, or ALL"), ("--ignore", "do not check these classes")):
        classes.add_argument(name, action="append", metavar="CODE,CODE", help=f"{what}; repeatable")
    add_repeatable(
        classes,
        "--per-file-ignores",
        "PATTERN:CODE",
        "suppress a class in the files that match the pattern; repeatable",
    )
    add_repeatable(classes, "--exclude", "PATTERN", "skip these files in folders; repeatable")
    classes.add_argument(
        "--min-severity",
        type=severity,
        default=1e-9,
        metavar="S",
        help="omit findings that are less severe (default: omit only severity 0)",
    )
    gate = parser.add_argument_group("gate")
    gate.add_argument(
        "--fail-on",
        action="append",
        metavar="CONDITION",
        help="exit with status 1 on: warning, a finding of a class that is associated with failures; a number from 0 "
        "to 1, such a finding of at least this severity; a class, any finding of it; labels, a label that execution "
        "contradicts; several with commas; repeatable",
    )
    gate.add_argument("--baseline", type=Path, metavar="FILE", help="report and fail only on findings not in this file")
    add_flag(gate, "--update-baseline", "write the findings to --baseline and succeed")
    output = parser.add_argument_group("output")
    output.add_argument(
        "--format", choices=FORMATS, default="text", help="output format; parquet needs --output (default: text)"
    )
    output.add_argument(
        "--output", type=Path, metavar="DIR", help="save all findings and the summary; the same command resumes"
    )
    add_number(
        output,
        "--show",
        "print N findings per class (default: 10)",
        10,
        least=0,
    )
    add_flag(output, "--verbose", "print informational findings too, and the tokens and the reason of each finding")
    output.add_argument("--explain", metavar="CODE", help="only explain a class, or ALL")
    add_data_options(parser)
    add_flag(parser, "--static", "do not execute the calls")
    parser.add_argument(
        "--engine", choices=ENGINES, default="", help="tokenizer implementation (default: the first one available)"
    )
    add_seconds_option(
        parser,
        SECONDS,
        "time limit per row, to run its program and to check its strings; what is beyond it is not checked, and "
        "reported",
    )
    add_number(parser, "--jobs", JOBS_HELP, 0, least=0)
    add_flag(parser, "--ray", "distribute the work over a Ray cluster (extra: ray)")
    add_flag(parser, "--separators", "only list separators that BPE keeps as tokens of their own")


def run(arguments: argparse.Namespace) -> int:
    """Audits and prints. Returns 1 if a condition of `--fail-on` holds."""
    if arguments.explain:
        return _explain(arguments)
    plan = plan_audit(arguments)
    if arguments.separators:
        return _separators(plan.request.tokenizers[0])
    programs = _programs(arguments.sources, plan.exclude)
    started = time.monotonic()
    plan.request.scope()  # an unknown tokenizer or engine ends the command before anything is written
    accepted = read_baseline(arguments.baseline) if arguments.baseline and not arguments.update_baseline else {}
    with temporary_folder("audit") as temporary:
        result = _audited(arguments, plan, programs, arguments.output or temporary)
        summary, source = result.summary, ", ".join(arguments.sources)
        if programs is not None or summary.unread < summary.rows:  # else the error has the first row
            report_unjudged(summary, arguments.output)
        tally = None if programs is not None else _tally(source, summary)
        most = 0 if programs is not None and arguments.max_bad is None else arguments.max_bad
        if tally is not None:
            tally.check_readable(most)
        failing: set[str] = set()
        if arguments.baseline:
            counts, failing = count_findings(result.findings(), plan.gate)
            if arguments.update_baseline:
                written = write_baseline(arguments.baseline, counts)
                note(f"wrote {format_count(written, 'finding')} to {arguments.baseline}")
                return 0
            result = replace(result, new=new_findings(counts, accepted))
        show_audit(arguments, result)
    report_labels(summary)
    if programs is None:
        report_duplicates(result.duplicates)
    report_rate(summary, time.monotonic() - started, plan.unit)
    if result.new is not None:
        count = sum(sum(found.values()) for found in result.new.values())
        known = f"the baseline accepts {format_count(len(accepted), 'distinct finding')}"
        note(f"{format_count(count, 'new finding')}; {known}")
    if programs is not None and summary.unread > (most or 0):
        return 2
    if tally is not None:
        tally.check_failed(most)
    return _status(result, source, failing)


def _explain(arguments: argparse.Namespace) -> int:
    """Prints what classes are."""
    profile = chosen_profile(arguments, read_audit_settings(arguments.sources))
    for code in check_codes([arguments.explain], "--explain"):
        explain(output_console(), code, profile_family(profile))
        output_console().print()
    return 0


def _audited(
    arguments: argparse.Namespace, plan: AuditPlan, programs: Sequence[Row | BadRow] | None, folder: Path
) -> AuditOutcome:
    """Audits into a folder, with progress."""
    rows = data_rows(arguments.sources[0], arguments.column) if programs is None else iter(programs)
    duplicates = DuplicateIndex()
    claim_folder(folder, plan.request)  # before any progress is shown
    with progress_bar() as progress:
        task = progress.add_task(f"{plan.unit}s audited", total=len(programs) if programs else None)
        summary = audit_to(
            folder,
            plan.request,
            rows=rows,
            duplicates=duplicates,
            spread=over_ray() if arguments.ray else over_cores(arguments.jobs),
            on_progress=lambda done: progress.advance(task, done),
        )
    return AuditOutcome(plan, folder, summary, duplicates)


def _tally(source: str, summary: AuditSummary) -> RowTally:
    """The rows of a data set, and those that could not be audited."""
    first = summary.bad[0] if summary.bad else None
    return RowTally(source, summary.rows, summary.unread - summary.failed, first, summary.failed)


def _programs(sources: list[str], exclude: Sequence[str]) -> list[Row | BadRow] | None:
    """One row per Python file; None for a data set. A file that cannot be read or parsed is a bad row."""
    programs = [is_python(source) for source in sources]
    if not any(programs):
        if len(sources) > 1:
            raise InputError("only one data set is allowed", where=sources[1])
        return None
    if not all(programs):
        raise InputError("Python files and data sets cannot be mixed", where=sources[programs.index(False)])
    rows = [_program(number, path) for number, path in enumerate(python_files(sources, exclude), 1)]
    first = rows[0]
    if isinstance(first, BadRow) and not any(isinstance(row, Row) for row in rows):
        raise InputError(first.reason, where=first.where)
    return rows


def _program(number: int, path: str) -> Row | BadRow:
    try:
        return Row(number, path, {"id": path, "source": read_program(path)})
    except InputError as error:
        return BadRow(number, error.where or path, error.message)


def _status(result: AuditOutcome, source: str, fails: Container[str]) -> int:
    """1 if a condition of `--fail-on` holds, else 0. Raises InputError if no label could be checked.

    With a baseline, only new findings count whose fingerprints are in `fails`.
    """
    gate, summary, new = result.plan.gate, result.summary, result.new
    if gate.labels and summary.labels == summary.unsure:
        reason = "no label could be checked" if summary.labels else "no row has a label (expected, output)"
        raise InputError(f"{reason}, which --fail-on labels needs", where=source)
    failing = gate.failing_codes(summary, result.tokenizers[0])
    if new is not None:
        counts = {code: sum(n for one, n in found.items() if one in fails) for code, found in new.items()}
        unused = {CODE_UNUSED: failing[CODE_UNUSED]} if CODE_UNUSED in failing else {}
        failing = {code: counts[code] for code in failing if counts.get(code)} | unused
    kind = "new finding" if new is not None else "finding"
    failed = (f"failed: {gate.describe(code, count, kind)}" for code, count in sorted(failing.items()))
    note(*failed, style="bold red")
    wrong = gate.labels and summary.contradicted > 0
    if wrong:
        note(f"failed: execution contradicts {format_count(summary.contradicted, 'label')}", style="bold red")
    return int(bool(failing) or wrong)


def _separators(tokenizer: str) -> int:
    console = output_console()
    console.print(f"how often a separator keeps its own tokens between two printable characters ({tokenizer}):")
    for separator, frequency in safer_separators(load_tokenizer(tokenizer)):
        console.print(f"  {separator!r:8} {frequency:.2f}")
    return 0
