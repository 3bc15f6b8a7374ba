"""`spellout audit`: a linter for tokenization hazards in Python files and data sets, and for labels of data sets.

The audit itself is in `analyze.auditing.audit` and `analyze.auditing.audit_folder`; `runner.linting` turns findings
into diagnostics.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from analyze.auditing.audit_folder import ROWS_PER_SHARD, AuditRequest, audit_to, claim_folder
from analyze.auditing.duplicates import DuplicateIndex, format_count
from analyze.auditing.findings import AuditSummary
from analyze.auditing.findings_io import findings_in, parquet_schema
from analyze.auditing.html_report import write_page
from analyze.auditing.suppressions import CODE_UNUSED
from analyze.hazards.base import all_hazards
from analyze.hazards.class_levels import level, warning_codes
from analyze.tokens.bpe_merges import safer_separators
from analyze.tokens.contexts import CONTEXTS, as_context
from analyze.tokens.engines import ENGINES
from analyze.tokens.tokenizer import load_tokenizer
from corpora.dataset import BadRow, Row
from corpora.errors import InputError
from corpora.shard_executors import over_cores, over_ray
from corpora.temporary_folders import temporary_folder
from runner.inputs.datasets import DATA_HELP, RowTally, add_data_options, data_rows
from runner.inputs.program_files import column_mapping, read_program
from runner.inputs.python_files import python_files
from runner.linting.baseline import count_findings, finding_fingerprint, new_findings, read_baseline, write_baseline
from runner.linting.diagnostics import Diagnostic, merge_findings, unused_diagnostic
from runner.linting.fail_conditions import Gate
from runner.linting.formats import github_lines, write_json
from runner.linting.sarif import write_sarif
from runner.linting.settings import (
    CUSTOM,
    PROFILES,
    AuditSettings,
    check_codes,
    checked_codes,
    per_file,
    profile_family,
    profile_tokenizer,
    read_audit_settings,
)
from runner.linting.suggestions import SuggestionFinder
from runner.reports.audit_report import (
    class_counts,
    conclusion,
    explain,
    has_action,
    print_classes,
    print_comparison,
    print_diagnostics,
    verdict_lines,
)
from runner.terminal.console import note, output_console, print_lines, progress_bar, warn
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
BAD_SHOWN = 20
DUPLICATES_SHOWN = 5
SECONDS = 60.0
FILES_PER_SHARD = 20
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


NewFindings = dict[str, dict[str, int]] | None
"""By class, the fingerprints of findings that the baseline does not have, with their numbers; None without one."""


@dataclass(frozen=True)
class AuditPlan:
    """What a command line asks for, with the project's settings.

    Attributes:
        request: The audit.
        gate: When it fails.
        selected: Classes that were selected by name.
        exclude: Patterns of files that are skipped.
        family: The family of models whose measured effects decide what is a warning; "" for all of them.
        unit: What a row is called, "row" or "file".
    """

    request: AuditRequest
    gate: Gate
    selected: tuple[str, ...]
    exclude: tuple[str, ...]
    family: str
    unit: str

    @property
    def sampled(self) -> frozenset[str]:
        """The classes of which only samples are kept in each shard, merged by string and operation."""
        if self.unit == "file" or not self.request.distinct:
            return frozenset()
        return frozenset(kind.name for kind in all_hazards()) - set(self.request.complete)


def run(arguments: argparse.Namespace) -> int:
    """Audits and prints. Returns 1 if a condition of `--fail-on` holds."""
    if arguments.explain:
        profile = _profile(arguments, read_audit_settings(arguments.sources))
        for code in check_codes([arguments.explain], "--explain"):
            explain(output_console(), code, profile_family(profile))
            output_console().print()
        return 0
    plan = _plan(arguments)
    if arguments.separators:
        return _separators(plan.request.tokenizers[0])
    programs = _programs(arguments.sources, plan.exclude)
    rows = data_rows(arguments.sources[0], arguments.column) if programs is None else iter(programs)
    duplicates = DuplicateIndex()
    started = time.monotonic()
    plan.request.scope()  # an unknown tokenizer or engine ends the command before anything is written
    accepted = read_baseline(arguments.baseline) if arguments.baseline and not arguments.update_baseline else {}
    with temporary_folder("audit") as temporary:
        folder = arguments.output or temporary
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
        if programs is not None or summary.unread < summary.rows:  # else the error has the first row
            _warn(summary, folder if arguments.output else None)
        source = ", ".join(arguments.sources)
        first = summary.bad[0] if summary.bad else None
        tally: RowTally | None = None
        most = 0 if programs is not None and arguments.max_bad is None else arguments.max_bad
        if programs is None:
            unread = summary.unread - summary.failed
            tally = RowTally(source, summary.rows, unread, first, summary.failed)
            tally.check_readable(most)
        new: NewFindings = None
        failing: set[str] = set()
        if arguments.baseline:
            counts, failing = count_findings(_findings(plan, folder), plan.gate)
            if arguments.update_baseline:
                written = write_baseline(arguments.baseline, counts)
                note(f"wrote {format_count(written, 'finding')} to {arguments.baseline}")
                return 0
            new = new_findings(counts, accepted)
        _show(arguments, plan, summary, folder, new, duplicates)
    _report_labels(summary)
    if programs is None:
        _report_duplicates(duplicates)
    _report_rate(summary, time.monotonic() - started, plan.unit)
    if new is not None:
        count = sum(sum(found.values()) for found in new.values())
        known = f"the baseline accepts {format_count(len(accepted), 'distinct finding')}"
        note(f"{format_count(count, 'new finding')}; {known}")
    if programs is not None and summary.unread > (most or 0):
        return 2
    if tally is not None:
        tally.check_failed(most)
    failed = new and {code: {one: n for one, n in found.items() if one in failing} for code, found in new.items()}
    return _status(plan, summary, source, failed)


def _plan(arguments: argparse.Namespace) -> AuditPlan:
    """The audit of a command line. Options have precedence over the project's settings."""
    if not arguments.sources and not arguments.separators:
        raise InputError("audit needs Python files, a folder or a data set")
    settings = read_audit_settings(arguments.sources)
    conditions = tuple(arguments.fail_on) if arguments.fail_on is not None else settings.fail_on
    profile = _profile(arguments, settings)
    family = profile_family(profile)
    gate = Gate.parse(conditions, warning_codes(family))
    if arguments.static and gate.labels:
        raise InputError("needs execution: remove --static", where="--fail-on labels")
    if arguments.format == "parquet" and not arguments.output:
        raise InputError("needs --output DIR", where="--format parquet")
    if arguments.format == "parquet":
        parquet_schema()
    if arguments.update_baseline and not arguments.baseline:
        raise InputError("needs --baseline FILE", where="--update-baseline")
    select, ignore = _codes(arguments.select, "--select"), _codes(arguments.ignore, "--ignore")
    select = settings.select if arguments.select is None else select
    ignore = settings.ignore if arguments.ignore is None else ignore
    context = arguments.context or settings.values.get("context", "trace")
    is_files = all(_is_python(source) for source in arguments.sources)
    is_merged = not arguments.output and arguments.format != "jsonl"
    complete = tuple(sorted(gate.gated | set(select))) if arguments.baseline or is_files else select
    request = AuditRequest(
        source="\n".join(arguments.sources),
        mapping=tuple(column_mapping(arguments.column).items()),
        tokenizers=tuple(filter(None, (_tokenizer(arguments, settings.values, profile), arguments.against))),
        contexts=CONTEXTS if context == "all" else (as_context(context),),
        execute=not arguments.static,
        engine=arguments.engine,
        least=arguments.min_severity,
        format="parquet" if arguments.format == "parquet" else "jsonl",
        seconds=arguments.seconds,
        rows_per_shard=FILES_PER_SHARD if is_files else ROWS_PER_SHARD,
        weak_isolation=arguments.allow_weak_isolation,
        codes=checked_codes(select, ignore),
        exceptions=settings.exceptions + _per_file_ignores(arguments.per_file_ignores),
        distinct=is_merged,
        complete=complete if is_merged else (),
    )
    named = () if len(select) >= len(all_hazards()) else select
    unit = "file" if is_files else "row"
    return AuditPlan(request, gate, named, (*settings.exclude, *arguments.exclude), family, unit)


def _profile(arguments: argparse.Namespace, settings: AuditSettings) -> str | None:
    """The profile of the options, else of the settings; `custom` with a tokenizer of its own."""
    profile: str | None = arguments.profile or (None if arguments.tokenizer else settings.values.get("profile"))
    if profile is None and (arguments.tokenizer or settings.values.get("tokenizer") or "llama-3") != "llama-3":
        return CUSTOM
    return profile


def _codes(values: list[str] | None, where: str) -> tuple[str, ...]:
    return check_codes([code.strip() for value in values or [] for code in value.split(",") if code.strip()], where)


def _per_file_ignores(values: Sequence[str]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    pairs = [value.rpartition(":") for value in values]
    for pattern, _, codes in pairs:
        if not pattern or not codes:
            raise InputError("is not of the form PATTERN:CODE", where=f"--per-file-ignores {pattern}{codes}")
    return per_file(((pattern, codes.split(",")) for pattern, _, codes in pairs), Path(), "--per-file-ignores")


def _tokenizer(arguments: argparse.Namespace, values: Mapping[str, str], profile: str | None) -> str:
    """The name of the tokenizer. Raises InputError if the vocabulary of the profile cannot be loaded."""
    given = arguments.tokenizer or (values.get("tokenizer") if profile == CUSTOM else None)
    return "llama-3" if profile is None else profile_tokenizer(profile, given)


def _is_python(source: str) -> bool:
    return source.endswith(".py") or Path(source).is_dir()


def _programs(sources: list[str], exclude: Sequence[str]) -> list[Row | BadRow] | None:
    """One row per Python file; None for a data set. A file that cannot be read or parsed is a bad row."""
    programs = [_is_python(source) for source in sources]
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


def _findings(plan: AuditPlan, folder: Path) -> Iterator[dict[str, Any]]:
    """The findings of the first tokenizer."""
    first = load_tokenizer(plan.request.tokenizers[0]).name
    return (finding for finding in findings_in(folder) if finding["tokenizer"] == first)


def _only_new(findings: Iterable[dict[str, Any]], new: NewFindings) -> Iterator[dict[str, Any]]:
    """With a baseline, the findings that it does not have; else all of them."""
    return (one for one in findings if new is None or finding_fingerprint(one) in new.get(one["hazard"], ()))


def _diagnostics(plan: AuditPlan, summary: AuditSummary, folder: Path, new: NewFindings) -> dict[str, list[Diagnostic]]:
    """The findings to list, merged, and the comments that suppress nothing. With a baseline, only new findings."""
    found = merge_findings(_only_new(_findings(plan, folder), new), plan.family)
    unused = [unused_diagnostic(comment) for comment in summary.unused]
    return found | ({CODE_UNUSED: unused} if unused else {})


def _status(plan: AuditPlan, summary: AuditSummary, source: str, new: NewFindings) -> int:
    """1 if a condition of `--fail-on` holds, else 0. Raises InputError if no label could be checked.

    With a baseline, `new` has the findings that fail and that it does not have.
    """
    gate = plan.gate
    if gate.labels and summary.labels == summary.unsure:
        reason = "no label could be checked" if summary.labels else "no row has a label (expected, output)"
        raise InputError(f"{reason}, which --fail-on labels needs", where=source)
    failing = gate.failing_codes(summary, load_tokenizer(plan.request.tokenizers[0]).name)
    if new is not None:
        unused = {CODE_UNUSED: failing[CODE_UNUSED]} if CODE_UNUSED in failing else {}
        failing = {code: sum(new[code].values()) for code in failing if new.get(code)} | unused
    kind = "new finding" if new is not None else "finding"
    failed = (f"failed: {gate.describe(code, count, kind)}" for code, count in sorted(failing.items()))
    note(*failed, style="bold red")
    wrong = gate.labels and summary.contradicted > 0
    if wrong:
        note(f"failed: execution contradicts {format_count(summary.contradicted, 'label')}", style="bold red")
    return int(bool(failing) or wrong)


def _warn(summary: AuditSummary, folder: Path | None) -> None:
    """Reports on standard error how many rows and strings were not judged, and lists the first ones."""
    warn(*(f"{bad.where}: {bad.reason}" for bad in summary.bad[:BAD_SHOWN]))
    if summary.bad:
        rest = f"; all are listed in {folder / 'bad.jsonl'}" if folder else ""
        count = "1 row or string" if summary.bad_count == 1 else f"{summary.bad_count:,} rows or strings"
        note(f"{count} could not be judged{rest}")
    if summary.unlisted:
        count = format_count(summary.unlisted, "finding")
        note(f"{count} counted but not listed, because their rows already have many")


def _report_rate(summary: AuditSummary, elapsed: float, unit: str) -> None:
    rate = summary.rows / max(elapsed, 1e-3)
    counts = f"{format_count(summary.rows, unit)}, {format_count(summary.units, 'string')}"
    note(f"audited {counts}, in {elapsed:.1f} s ({rate:,.{0 if rate >= 10 else 1}f} {unit}s/s)")


def _report_labels(summary: AuditSummary) -> None:
    """Reports contradicted labels, on standard error so that findings can be piped."""
    if summary.labels:
        warn(*summary.label_checks[:BAD_SHOWN])
        _report_omitted(len(summary.label_checks), "labels.jsonl")
        unsure = f", {summary.unsure:,} could not be judged" if summary.unsure else ""
        note(f"labels: execution contradicts {summary.contradicted:,} of {summary.labels:,}{unsure}")


def _report_duplicates(duplicates: DuplicateIndex) -> None:
    """Reports duplicate rows of a data set. Equal Python files, such as empty ones, are no fault."""
    if duplicates.programs:
        note(*duplicates.listed[:DUPLICATES_SHOWN])
        _report_omitted(duplicates.programs, "duplicates.jsonl", DUPLICATES_SHOWN)
        note(f"duplicates: {duplicates}")


def _report_omitted(count: int, file: str, most: int = BAD_SHOWN) -> None:
    if count > most:
        note(f"… and {count - most:,} more; with --output, {file} lists all")


def _show(
    arguments: argparse.Namespace,
    plan: AuditPlan,
    summary: AuditSummary,
    folder: Path,
    new: NewFindings,
    duplicates: DuplicateIndex,
) -> None:
    tokenizers = {load_tokenizer(name).name: name for name in plan.request.tokenizers}
    finder = SuggestionFinder(tokenizers)
    if arguments.format == "jsonl" and not arguments.output:
        sys.stdout.writelines(json.dumps(finding) + "\n" for finding in _only_new(findings_in(folder), new))
    elif arguments.format == "html":
        page = (folder / "report.html").open("w", encoding="utf-8") if arguments.output else nullcontext(sys.stdout)
        with page as file:
            write_page(
                file,
                _only_new(findings_in(folder), new),
                summary,
                plan.request.source,
                [load_tokenizer(name) for name in plan.request.tokenizers],
                duplicates,
                family=plan.family,
                has_baseline=new is not None,
            )
    elif arguments.format in ("json", "sarif", "github"):
        found = [one for diagnostics in _diagnostics(plan, summary, folder, new).values() for one in diagnostics]
        if arguments.format == "github" and not arguments.verbose:
            found = [one for one in found if has_action(one.code, plan.selected, one.level)]
        suggested = [one.with_suggestion(finder.suggest) for one in found]
        _write_machine_readable(arguments.format, summary, suggested, plan.family)
    else:
        _print_text(arguments, plan, summary, _diagnostics(plan, summary, folder, new), finder, new)
    if arguments.output:
        note(f"wrote findings and summary to {folder}")


def _write_machine_readable(form: str, summary: AuditSummary, diagnostics: list[Diagnostic], family: str) -> None:
    if form == "json":
        write_json(sys.stdout, summary, diagnostics)
    elif form == "github":
        sys.stdout.writelines(f"{line}\n" for line in github_lines(diagnostics))
    else:
        left = write_sarif(sys.stdout, diagnostics, family)
        if left:
            warn(f"SARIF has the {len(diagnostics) - left:,} most severe findings, without {left:,}")


def _print_text(
    arguments: argparse.Namespace,
    plan: AuditPlan,
    summary: AuditSummary,
    found: dict[str, list[Diagnostic]],
    finder: SuggestionFinder,
    new: NewFindings,
) -> None:
    console = output_console()
    names = [load_tokenizer(name).name for name in plan.request.tokenizers]
    if new is None:
        totals = {code: count for code, count, _ in class_counts(summary, names[0], plan.family)}
    else:
        totals = {code: sum(counts.values()) for code, counts in new.items()}
    totals[CODE_UNUSED] = summary.unused_count
    print_diagnostics(
        console,
        found,
        finder,
        totals,
        show=arguments.show,
        selected=plan.selected,
        sampled=plan.sampled,
        verbose=arguments.verbose,
    )

    def shown(code: str) -> bool:
        return arguments.verbose or has_action(code, plan.selected, level(code, plan.family))

    if plan.unit == "row" or arguments.verbose:
        print_classes(console, summary, names[0], plan.family, plan.unit, shown)
    if len(names) > 1:
        print_comparison(console, summary, names)
    for line in verdict_lines(summary):
        console.print(line)
    print_lines(console, *conclusion(summary, names[0], plan.family, plan.unit, shown))


def _separators(tokenizer: str) -> int:
    console = output_console()
    console.print(f"how often a separator keeps its own tokens between two printable characters ({tokenizer}):")
    for separator, frequency in safer_separators(load_tokenizer(tokenizer)):
        console.print(f"  {separator!r:8} {frequency:.2f}")
    return 0
