"""What `spellout audit` prints: the sequences of a program's operations, summaries, and findings as strips of tokens.

What it does not do: audit (`analyze.auditing.audit`) or make the HTML page (`analyze.auditing.html_report`).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.table import Table
from rich.text import Text

from analyze.auditing.duplicates import counted
from analyze.auditing.findings import Summary
from analyze.auditing.string_calls import Operation, operations
from analyze.hazards.base import all_hazards
from analyze.hazards.batch import StringQuestion
from analyze.hazards.severity import format_odds_ratio
from analyze.tokens.token_strips import excerpt, token_line
from analyze.tokens.tokenizer import Tokenizer
from runner.terminal.console import shown

STYLES = ((0.7, "bold red"), (0.4, "yellow"), (0.0, "cyan"))


def figure(where: str, source: str, tokenizer: Tokenizer) -> Iterator[str]:
    """For each operation whose text and pattern are known: both by themselves as tokens, as in the paper's Figure 3."""
    for operation in operations(ast.parse(source)):
        if operation.known and operation.question.pattern and _encodable(operation.question):
            yield from _sequences(where, operation, tokenizer)


def _encodable(question: StringQuestion) -> bool:
    """Whether a tokenizer takes both texts; the audit itself reports those with lone surrogates as not judged."""
    return not any("\ud800" <= char <= "\udfff" for char in question.text + (question.pattern or ""))


def _sequences(where: str, operation: Operation, tokenizer: Tokenizer) -> Iterator[str]:
    text, pattern = operation.question.text, operation.question.pattern or ""
    text_line, text_ids = token_line(text, tokenizer)
    pattern_line, pattern_ids = token_line(pattern, tokenizer)
    width = max(len(repr(text)), len(repr(pattern)))
    strips = max(len(text_line), len(pattern_line))
    yield f"{where}:{operation.line}  {operation.method}  {tokenizer.name}, by themselves"
    yield f"  text     {text!r:{width}}  {text_line:{strips}}  {text_ids}"
    yield f"  pattern  {pattern!r:{width}}  {pattern_line:{strips}}  {pattern_ids}"
    missing = [token for token in dict.fromkeys(pattern_ids) if token not in text_ids]
    for token in missing:
        shown = tokenizer.token_bytes(token).decode("utf-8", errors="replace")
        yield f"  token {token} ({shown!r}) is in the pattern and not in the text"
    if not missing:
        yield "  every token of the pattern stands in the text"
    yield ""


def summary_table(summary: Summary, tokenizer: str) -> Table:
    """By hazard: findings, rows that carry it, the highest severity, and what the flag was worth on real failures."""
    table = Table(
        title=f"hazards under {tokenizer}, {counted(summary.rows, 'row')}, {summary.units:,} strings and operations"
    )
    for name in ("hazard", "context"):
        table.add_column(name)
    for name in ("findings", "rows", "of rows", "worst", "failures / successes"):
        table.add_column(name, justify="right")
    contexts = list(dict.fromkeys(key[1] for key in summary.counts if key[0] == tokenizer))
    for name in (kind.name for kind in sorted(all_hazards(), key=lambda kind: -kind.severity)):
        for context in contexts:
            counts = [count for key, count in summary.counts.items() if key[:3] == (tokenizer, context, name)]
            if counts:
                rows = summary.hazard_rows[tokenizer, context, name]
                worst = max(count.worst for count in counts)
                share = f"{rows / max(1, summary.rows):.1%}"
                found = f"{sum(count.findings for count in counts):,}"
                cells = (context, found, f"{rows:,}", share, f"{worst:.2f}", format_odds_ratio(name))
                table.add_row(Text(name, _style(worst)), *cells)
    return table


def place_table(summary: Summary, tokenizer: str, most: int = 15) -> Table:
    """The most frequent combinations of hazard, method and field, without matches."""
    table = Table(title="where they stand")
    for name in ("hazard", "method", "field", "context"):
        table.add_column(name)
    for name in ("findings", "rows"):
        table.add_column(name, justify="right")
    counts = [(key, count) for key, count in summary.counts.items() if key[0] == tokenizer and count.worst > 0]
    for (_, context, hazard, method, field), count in sorted(counts, key=lambda entry: -entry[1].findings)[:most]:
        table.add_row(hazard, method or "-", field, context, f"{count.findings:,}", f"{count.rows:,}")
    return table


def verdict_lines(summary: Summary) -> Iterator[str]:
    """How many operations have occurrences of other classes in one context than in another."""
    for (tokenizer, one, other), (compared, different) in summary.verdicts.items():
        if compared:
            share = f"{different:,} of {compared:,} operations ({different / compared:.1%})"
            yield f"{tokenizer}: {one} and {other} verdicts differ in {share}"


def against_table(summary: Summary, tokenizers: Sequence[str]) -> Table:
    """The rows that carry each hazard, under each of several tokenizers."""
    table = Table(title="rows that carry a hazard, by tokenizer")
    table.add_column("hazard")
    table.add_column("context")
    for name in tokenizers:
        table.add_column(name, justify="right")
    table.add_column("difference", justify="right")
    pairs = sorted({(key[2], key[1]) for key in summary.hazard_rows})
    for hazard, context in pairs:
        rows = [summary.hazard_rows.get((name, context, hazard), 0) for name in tokenizers]
        table.add_row(hazard, context, *(f"{count:,}" for count in rows), f"{rows[-1] - rows[0]:+,}")
    return table


def finding_lines(finding: Mapping[str, Any]) -> Iterator[Text]:
    """A finding: where, which hazard, how severe, the strip of tokens with the place marked, and why."""
    place = str(finding["where"])
    if finding["line"]:  # a Python file is its own row; a row of a data set has a place of its own
        place += f":{finding['line']}" if place.endswith(".py") else f", line {finding['line']}"
    step = f", step {finding['step']}" if finding["step"] else ""
    head = shown(f"{place}{step}  {finding['field']} {finding['method']}".rstrip() + "  ")
    head.append(finding["hazard"], _style(finding["severity"]))
    pattern = f"  pattern {finding['pattern']!r}" if finding["pattern"] is not None else ""
    where = f"{finding['context']}, {finding['of']} bytes {finding['start']}–{finding['end']}"
    head.append(shown(f"  {finding['severity']:.2f}  {where}{pattern}"))
    above, below = excerpt(finding["written"], finding["boundaries"], finding["written_start"], finding["written_end"])
    yield head
    yield shown(f"    {above}")
    yield shown(f"    {below}", "bold red")
    yield shown(f"    {finding['why']}", "dim")


def _style(severity: float) -> str:
    return next((style for least, style in STYLES if severity >= least), "")
