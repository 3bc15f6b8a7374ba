"""The terminal output of `spellout audit`: token sequences, summary tables, and findings with their tokens.

`analyze.auditing.audit` does the audit, `analyze.auditing.html_report` the HTML page.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.table import Table
from rich.text import Text

from analyze.auditing.duplicates import format_count
from analyze.auditing.findings import AuditSummary
from analyze.auditing.string_calls import StringOperation, find_operations
from analyze.hazards.base import all_hazards
from analyze.hazards.batch import StringQuestion
from analyze.hazards.severity import format_odds_ratio
from analyze.tokens.token_strips import excerpt, token_line
from analyze.tokens.tokenizer import Tokenizer
from runner.terminal.console import styled

STYLES = ((0.7, "bold red"), (0.4, "yellow"), (0.0, "cyan"))


def figure_lines(where: str, source: str, tokenizer: Tokenizer) -> Iterator[str]:
    """The tokens of string and pattern of each string operation with known operands, as in the paper's Figure 3."""
    for operation in find_operations(ast.parse(source)):
        if operation.known and operation.question.pattern and _encodable(operation.question):
            yield from _sequences(where, operation, tokenizer)


def _encodable(question: StringQuestion) -> bool:
    """Whether both strings can be tokenized. The audit itself reports lone surrogates as not judged."""
    return not any("\ud800" <= char <= "\udfff" for char in question.text + (question.pattern or ""))


def _sequences(where: str, operation: StringOperation, tokenizer: Tokenizer) -> Iterator[str]:
    text, pattern = operation.question.text, operation.question.pattern or ""
    text_line, text_ids = token_line(text, tokenizer)
    pattern_line, pattern_ids = token_line(pattern, tokenizer)
    width = max(len(repr(text)), len(repr(pattern)))
    strips = max(len(text_line), len(pattern_line))
    yield f"{where}:{operation.line}  {operation.method}  {tokenizer.name}, without context"
    yield f"  string   {text!r:{width}}  {text_line:{strips}}  {text_ids}"
    yield f"  pattern  {pattern!r:{width}}  {pattern_line:{strips}}  {pattern_ids}"
    missing = [token for token in dict.fromkeys(pattern_ids) if token not in text_ids]
    for token in missing:
        shown = tokenizer.token_bytes(token).decode("utf-8", errors="replace")
        yield f"  token {token} ({shown!r}) is in the pattern but not in the string"
    if not missing:
        yield "  the string has every token of the pattern"
    yield ""


def summary_table(summary: AuditSummary, tokenizer: str) -> Table:
    """Per hazard: findings, rows with it, the highest severity, and its rate in real failures and successes."""
    table = Table(
        title=f"hazards under {tokenizer}, {format_count(summary.rows, 'row')}, "
        f"{summary.units:,} strings and operations"
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


def place_table(summary: AuditSummary, tokenizer: str, most: int = 15) -> Table:
    """The most frequent combinations of hazard, method and field, without matches."""
    table = Table(title="most frequent places")
    for name in ("hazard", "method", "field", "context"):
        table.add_column(name)
    for name in ("findings", "rows"):
        table.add_column(name, justify="right")
    counts = [(key, count) for key, count in summary.counts.items() if key[0] == tokenizer and count.worst > 0]
    for (_, context, hazard, method, field), count in sorted(counts, key=lambda entry: -entry[1].findings)[:most]:
        table.add_row(hazard, method or "-", field, context, f"{count.findings:,}", f"{count.rows:,}")
    return table


def verdict_lines(summary: AuditSummary) -> Iterator[str]:
    """How many operations have different hazards in two contexts."""
    for (tokenizer, one, other), (compared, different) in summary.verdicts.items():
        if compared:
            share = f"{different:,} of {compared:,} operations ({different / compared:.1%})"
            yield f"{tokenizer}: contexts {one} and {other} differ in {share}"


def against_table(summary: AuditSummary, tokenizers: Sequence[str]) -> Table:
    """The number of rows with each hazard, for several tokenizers."""
    table = Table(title="rows with a hazard, by tokenizer")
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
    """The lines of one finding: position, hazard, severity, the tokens with a marker, and the reason."""
    place = str(finding["where"])
    if finding["line"]:  # a Python file is a single row; a row of a data set has its own position
        place += f":{finding['line']}" if place.endswith(".py") else f", line {finding['line']}"
    step = f", step {finding['step']}" if finding["step"] else ""
    head = styled(f"{place}{step}  {finding['field']} {finding['method']}".rstrip() + "  ")
    head.append(finding["hazard"], _style(finding["severity"]))
    pattern = f"  pattern {finding['pattern']!r}" if finding["pattern"] is not None else ""
    where = f"{finding['context']}, {finding['of']} bytes {finding['start']}–{finding['end']}"
    head.append(styled(f"  {finding['severity']:.2f}  {where}{pattern}"))
    above, below = excerpt(finding["written"], finding["boundaries"], finding["written_start"], finding["written_end"])
    yield head
    yield styled(f"    {above}")
    yield styled(f"    {below}", "bold red")
    yield styled(f"    {finding['why']}", "dim")


def _style(severity: float) -> str:
    return next((style for least, style in STYLES if severity >= least), "")
