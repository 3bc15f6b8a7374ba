"""The outputs of `spellout audit`: text, JSON lines, a page, and the formats of other tools."""

from __future__ import annotations

import argparse
import json
import sys
from contextlib import nullcontext

from analyze.auditing.findings import AuditSummary
from analyze.auditing.findings_io import findings_in
from analyze.auditing.html_report import write_page
from analyze.auditing.suppressions import CODE_UNUSED
from analyze.hazards.class_levels import level
from analyze.tokens.tokenizer import load_tokenizer
from runner.linting.audit_outcome import AuditOutcome
from runner.linting.diagnostics import Diagnostic
from runner.linting.formats import github_lines, write_json
from runner.linting.sarif import write_sarif
from runner.linting.suggestions import SuggestionFinder
from runner.reports.audit_report import (
    class_counts,
    conclusion,
    has_action,
    print_classes,
    print_comparison,
    print_diagnostics,
    verdict_lines,
)
from runner.terminal.console import note, output_console, print_lines, warn


def show_audit(arguments: argparse.Namespace, result: AuditOutcome) -> None:
    """Prints what an audit found in the format of a command line, or writes it into the folder of `--output`."""
    found, form = filter(result.is_new, findings_in(result.folder)), arguments.format
    finder = SuggestionFinder({load_tokenizer(name).name: name for name in result.plan.request.tokenizers})
    if form == "jsonl" and not arguments.output:
        sys.stdout.writelines(json.dumps(finding) + "\n" for finding in found)
    elif form == "html":
        to_file = bool(arguments.output)
        page = (result.folder / "report.html").open("w", encoding="utf-8") if to_file else nullcontext(sys.stdout)
        with page as file:
            write_page(
                file,
                found,
                result.summary,
                result.plan.request.source,
                [load_tokenizer(name) for name in result.plan.request.tokenizers],
                result.duplicates,
                family=result.plan.family,
                has_baseline=result.new is not None,
            )
    elif form in ("json", "sarif", "github"):
        listed = [one for diagnostics in result.diagnostics().values() for one in diagnostics]
        if form == "github" and not arguments.verbose:
            listed = [one for one in listed if has_action(one.code, result.plan.selected, one.level)]
        suggested = [one.with_suggestion(finder.suggest) for one in listed]
        _write_machine_readable(form, result.summary, suggested, result.plan.family)
    else:
        _print_text(arguments, result, finder)
    if arguments.output:
        note(f"wrote findings and summary to {result.folder}")


def _write_machine_readable(form: str, summary: AuditSummary, diagnostics: list[Diagnostic], family: str) -> None:
    if form == "json":
        write_json(sys.stdout, summary, diagnostics)
    elif form == "github":
        sys.stdout.writelines(f"{line}\n" for line in github_lines(diagnostics))
    else:
        left = write_sarif(sys.stdout, diagnostics, family)
        if left:
            warn(f"SARIF has the {len(diagnostics) - left:,} most severe findings, without {left:,}")


def _print_text(arguments: argparse.Namespace, result: AuditOutcome, finder: SuggestionFinder) -> None:
    console, plan, summary, names = output_console(), result.plan, result.summary, result.tokenizers
    if result.new is None:
        totals = {code: count for code, count, _ in class_counts(summary, names[0], plan.family)}
    else:
        totals = {code: sum(counts.values()) for code, counts in result.new.items()}
    totals[CODE_UNUSED] = summary.unused_count
    print_diagnostics(
        console,
        result.diagnostics(),
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
