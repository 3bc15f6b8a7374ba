"""The text output of `spellout audit`: a line per finding, grouped by class, a table of classes, and explanations.

`runner.linting` makes the diagnostics; `analyze.auditing.html_report` has the HTML page.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.text import Text

from analyze.auditing.duplicates import format_count
from analyze.auditing.findings import AuditSummary
from analyze.auditing.suppressions import CODE_UNUSED
from analyze.hazards.base import all_hazards, get_hazard
from analyze.hazards.class_levels import HIDDEN, format_difference, level, priority
from analyze.hazards.example_lines import example_lines
from analyze.hazards.hidden_characters import hidden_character_effect, per_character
from analyze.hazards.measured_effects import measured_effects
from analyze.hazards.severity import format_odds_ratio
from analyze.tokens.token_strips import excerpt
from corpora.foreign_text import one_line
from runner.linting.diagnostics import Diagnostic
from runner.linting.suggestions import SuggestionFinder
from runner.terminal.console import print_lines, styled
from runner.terminal.tables import terminal_table

STYLES = {"error": "bold red", "warning": "bold yellow", "info": "cyan"}


def print_diagnostics(
    console: Console,
    found: Mapping[str, Sequence[Diagnostic]],
    finder: SuggestionFinder,
    totals: Mapping[str, int],
    *,
    show: int,
    selected: Sequence[str] = (),
    sampled: Container[str] = (),
    verbose: bool = False,
) -> None:
    """Prints the findings that have an action, a line each: those of warnings and of selected classes.

    Args:
        console: Where to print.
        found: The diagnostics by class.
        finder: Makes the suggestions.
        totals: Number of findings by class, of which `found` may have only some.
        show: Number of findings per class.
        selected: Classes that were selected by name.
        sampled: Classes of which `found` has samples, so that a finding may occur more often than it says.
        verbose: Whether to print informational findings too, and the tokens and the reason of each finding.
    """
    for code, diagnostics in found.items():
        if not (verbose or has_action(code, selected, diagnostics[0].level)):
            continue
        shown = diagnostics[:show]
        for one in shown:
            least = "at least " if code in sampled else ""
            console.print(_line(one.with_suggestion(finder.suggest), least), soft_wrap=True)
            if verbose and one.finding:
                print_lines(console, *_details(one.finding))
        left = totals.get(code, 0) - sum(one.count for one in shown)
        if left > 0 and show:
            console.print(styled(f"… {left:,} more {code}: --show N lists more of them", "dim"), soft_wrap=True)


def has_action(code: str, selected: Sequence[str], class_level: str) -> bool:
    """Whether a reader can do something about a class: an error, a warning, an unused comment, or one selected."""
    return class_level != "info" or code == CODE_UNUSED or code in selected


def _line(one: Diagnostic, least: str) -> Text:
    line = styled(one_line(one.place), "bold")
    line.append(": ")
    line.append(one.code, STYLES[one.level])
    program = f"line {one.line}, column {one.column}: " if one.row and one.line else ""
    times = f" ({least}{one.count:,} times)" if one.count > 1 else ""
    line.append(one_line(f" {program}{one.message}{times}"))
    line.append(one_line(f" — {one.suggestion}"), "dim")
    return line


def _details(finding: Mapping[str, Any]) -> Iterator[Text]:
    """The tokens of a finding, a mark below its bytes, and the reason."""
    above, below = excerpt(finding["written"], finding["boundaries"], finding["written_start"], finding["written_end"])
    yield styled(f"    {above}")
    yield styled(f"    {below}", "bold red")
    ids = ", ".join(map(str, finding["token_ids"][:20]))
    step = f", executed operation {finding['step']}" if finding["step"] else ""
    yield styled(f"    {finding['why']}", "dim")
    yield styled(
        f"    tokens [{ids}], severity {finding['severity']:.2f}, {finding['context']}, {finding['field']}{step}", "dim"
    )


def print_classes(
    console: Console, summary: AuditSummary, tokenizer: str, family: str, unit: str, shown: Callable[[str], bool]
) -> None:
    """Prints a table of the classes that were found: level, findings, rows, and the difference in failure rate.

    Args:
        console: Where to print.
        summary: The audit.
        tokenizer: The tokenizer's name.
        family: The family of models whose measured effects are shown.
        unit: What a row is called, "row" or "file".
        shown: Whether a class is in the table.
    """
    rows = []
    for name, findings, with_it in class_counts(summary, tokenizer, family):
        if not shown(name):
            continue
        effect = format_difference(name, family).replace(" [", " (").replace("]", ")")
        share = f"{with_it / max(1, summary.rows):.1%}"
        rows.append((name, level(name, family), f"{findings:,}", f"{with_it:,}", share, effect))
    if rows:
        console.print()
        columns = ("class", "level", "findings", f"{unit}s", "share", "failure rate")
        console.print(terminal_table(columns, rows, console.width))


def class_counts(summary: AuditSummary, tokenizer: str, family: str) -> Iterator[tuple[str, int, int]]:
    """Yields the classes that were found, errors and warnings first: name, findings and rows."""
    for kind in sorted(all_hazards(), key=lambda kind: priority(kind.name, family)):
        counts = [
            count
            for key, count in summary.counts.items()
            if key[0] == tokenizer and key[2] == kind.name and count.worst > 0
        ]
        if counts:
            rows = max(n for key, n in summary.hazard_rows.items() if key[0] == tokenizer and key[2] == kind.name)
            yield kind.name, sum(count.findings for count in counts), rows


def conclusion(
    summary: AuditSummary, tokenizer: str, family: str, unit: str, shown: Callable[[str], bool]
) -> Iterator[str]:
    """The last lines: the numbers of errors and warnings, and what was counted without being shown."""
    counts = {name: findings for name, findings, _ in class_counts(summary, tokenizer, family)}
    errors, warnings = (
        sum(findings for name, findings in counts.items() if level(name, family) == one) for one in ("error", "warning")
    )
    infos = {name: findings for name, findings in counts.items() if level(name, family) == "info"}
    parts = [format_count(errors, "error")] if errors else []
    parts.append(format_count(warnings, "warning"))
    listed = sum(findings for name, findings in infos.items() if shown(name))
    if listed:
        parts.append(format_count(listed, "informational finding"))
    if summary.unused_count:
        parts.append(format_count(summary.unused_count, "unused comment"))
    if summary.suppressed:
        parts.append(f"{summary.suppressed:,} suppressed")
    model = f" (effects: {family or 'all families'})"
    yield f"{', '.join(parts)} in {format_count(summary.rows, unit)} under {tokenizer}{model}"
    left = [findings for name, findings in infos.items() if not shown(name)]
    if left:
        classes = "1 class" if len(left) == 1 else f"{len(left)} classes"
        count = format_count(sum(left), "more finding")
        yield f"{count} of {classes} not known to be associated with failures: no action; --verbose lists them"


def verdict_lines(summary: AuditSummary) -> Iterator[str]:
    """How many operations have different hazards in two contexts."""
    for (tokenizer, one, other), (compared, different) in summary.verdicts.items():
        if compared:
            share = f"{different:,} of {compared:,} operations ({different / compared:.1%})"
            yield f"{tokenizer}: contexts {one} and {other} differ in {share}"


def print_comparison(console: Console, summary: AuditSummary, tokenizers: Sequence[str]) -> None:
    """Prints what a switch from the first tokenizer to the second would change, by class, with examples."""
    first, second = tokenizers[:2]
    changes = [change for _, change in sorted(summary.changed.items()) if change.first or change.second]
    rows = [
        (change.hazard, f"{change.first:,}", f"{change.second:,}", f"+{change.gained:,}", f"−{change.lost:,}")
        for change in changes
    ]
    console.print()
    console.print(styled(f"what a switch from {first} to {second} would change (places with a hazard)", "bold"))
    console.print(terminal_table(("class", first, second, "new", "gone"), rows, console.width))
    for change in changes:
        for sign, examples in (("+", change.gained_examples), ("−", change.lost_examples)):
            lines = (styled(f"{sign} {change.hazard} {one_line(example)}", "dim") for example in examples[:2])
            print_lines(console, *lines)


def explain(console: Console, code: str, family: str) -> None:
    """Prints what a class means, with an example and a near miss in the tokens of Llama-3."""
    if code == CODE_UNUSED:
        console.print(styled(f"{code} (info)", "bold"))
        console.print("A comment `# spellout: ignore` that suppresses no finding. --fail-on UNUSED_IGNORE fails on it.")
        return
    kind = get_hazard(code)
    console.print(styled(f"{code} ({level(code, family)} for {family or 'all families'})", "bold"))
    console.print(kind.summary)
    measured = measured_effects().hazards.get(code)
    if measured is None:
        console.print("Its effect on failures was not measured.")
    else:
        console.print("Difference in failure rate of programs with the class, in percentage points [95 % interval]:")
        for name, found in (*measured.families.items(), ("all families", measured.panel)):
            console.print(f"  {name:13}{found}  ({format_count(found.programs, 'program')})")
        if not measured.is_tokenizer_effect:
            console.print(
                "Vocabularies that the models do not use show the same: an association, no effect of the tokens."
            )
    if code == HIDDEN and (effect := hidden_character_effect(family)) is not None:
        console.print(
            f"Failure rate on character tasks with words: {per_character()} for each further character of the token, "
            f"{effect} with this family's vocabulary. That is an effect of the tokens."
        )
    odds = format_odds_ratio(code)
    console.print(f"Odds ratio of a wrong step (32B CWM): {odds or 'not measured'}.")
    if level(code, family) == "info":
        console.print("Informational: no severity of --fail-on makes it fail, only its name.")
    console.print(f"Tokenizer families: {kind.families}.")
    for title, example in (("found:", kind.EXAMPLE), ("not found:", kind.UNTOUCHED)):
        print_lines(console, "", title, *(f"  {line}" for line in example_lines(kind, example)))
