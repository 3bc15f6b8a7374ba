"""What people read of a run: Table 1 in the terminal and in Markdown, one diagnosis, one rewrite, what was not asked.

Every figure comes from the records in `samples.jsonl`; `spellout report RUN` makes it again.
"""

from __future__ import annotations

import difflib
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from rich.table import Table as RichTable

from runner.samples import ORIGINAL, Sample
from runner.summary import Row, Table, summarize

COLUMNS = ("benchmark", "samples", "max tokens", "correct", "incorrect", "truncated", "after intervention", "Δ")


@dataclass(frozen=True)
class RunInfo:
    """What a reader must know beside the records: how the run was made, and the rows that could not be read."""

    command: str
    model: str
    max_tokens: int
    recipes: tuple[str, ...]
    versions: tuple[tuple[str, str], ...]
    seconds: float
    bad_rows: tuple[str, ...] = ()


def table_cells(table: Table, max_tokens: int) -> Iterator[tuple[str, ...]]:
    """Table 1 as text cells, in the order of COLUMNS; the kinds of a benchmark are indented below it."""
    for row in table.rows:
        name = f"  {row.kind}" if row.kind else row.benchmark
        shares = [f"{row.percent(count):.1f}%" for count in (row.correct, row.incorrect, row.truncated)]
        yield (name, str(row.samples), str(max_tokens), *shares, *_after(row))


def _after(row: Row) -> tuple[str, str]:
    """The last two cells; a dash where no rewrite was asked about, as in the paper."""
    if not row.asked_again:
        return "—", "—"
    return f"{row.percent(row.after):.1f}%", f"{row.percent(row.recovered):+.1f}"


def terminal_table(table: Table, info: RunInfo) -> RichTable:
    """Table 1 for the terminal."""
    shown = RichTable(title=f"Table 1 of this run: {info.model}", title_justify="left")
    for column in COLUMNS:
        shown.add_column(column, justify="left" if column == "benchmark" else "right", no_wrap=True)
    for cells in table_cells(table, info.max_tokens):
        shown.add_row(*cells, style="" if cells[0].startswith(" ") else "bold")
    return shown


def remarks(samples: Sequence[Sample], table: Table) -> list[str]:
    """Sentences that the table alone would leave unsaid: nothing right, nothing rewritten, what was not asked."""
    nothing_right = [row for row in table.rows if not row.kind and row.samples and not row.correct]
    said = [f"{row.benchmark}: this model answered none of the {row.samples} samples right." for row in nothing_right]
    unasked = ((s.benchmark, s.attempt, s.reason) for s in samples if s.verdict == "not asked")
    for (benchmark, attempt, reason), count in Counter(unasked).most_common():
        again = "not asked" if attempt == ORIGINAL else f"failed and not asked again after {attempt}"
        said.append(f"{benchmark}: {count} {again}: {reason}.")
    return said


def write_report(folder: Path, samples: Sequence[Sample], info: RunInfo) -> Table:
    """Writes `summary.json` and `report.md` beside the records, and returns the table."""
    table = summarize(samples)
    summary = {"run": asdict(info), **asdict(table), "isolation": sorted({s.isolation for s in samples} - {""})}
    _write(folder / "summary.json", json.dumps(summary, indent=2) + "\n")
    _write(folder / "report.md", "\n".join(_markdown(samples, table, info)) + "\n")
    return table


def _write(path: Path, text: str) -> None:
    part = path.with_suffix(path.suffix + ".part")
    part.write_text(text, encoding="utf-8")
    part.replace(path)


def _markdown(samples: Sequence[Sample], table: Table, info: RunInfo) -> Iterator[str]:
    yield f"# {info.model}\n"
    yield f"`{info.command}` took {info.seconds:.0f} s; " + ", ".join(" ".join(pair) for pair in info.versions) + ".\n"
    yield "| " + " | ".join(COLUMNS) + " |"
    yield "|---" + "|---:" * (len(COLUMNS) - 1) + "|"
    for cells in table_cells(table, info.max_tokens):
        yield "| " + " | ".join(cell.replace("  ", "&emsp;") for cell in cells) + " |"
    yield "\nShares are of the samples that were asked. After intervention: right as it stands, or right when the"
    yield f"failed program was rewritten ({', '.join(info.recipes)}), shown to be the same, and asked again.\n"
    yield from (f"- {remark}" for remark in remarks(samples, table))
    yield from _divergence_section(table)
    yield from _example_section(samples)
    yield from _rewrite_section(samples)
    if info.bad_rows:
        yield f"\n## Rows that could not be read ({len(info.bad_rows)})\n"
        yield from (f"- {row}" for row in info.bad_rows)


def _divergence_section(table: Table) -> Iterator[str]:
    yield "\n## Where failed answers first part from the true trace\n"
    yield "| first divergence | samples |\n|---|---:|"
    yield from (f"| {kind} | {count} |" for kind, count in table.divergences)


def _example_section(samples: Sequence[Sample]) -> Iterator[str]:
    failed = [s for s in samples if s.attempt == ORIGINAL and s.verdict == "incorrect" and s.diagnosis]
    # An output that is no trace teaches less than one that goes wrong in a known place.
    example = min(
        failed, key=lambda s: (s.diagnosis is not None and s.diagnosis.kind == "format", len(s.source)), default=None
    )
    if example is None or example.diagnosis is None:
        return
    yield f"\n## One diagnosis: {example.benchmark}, {example.id}\n"
    yield f"```python\n{example.source.rstrip()}\n```\n"
    yield f"`{example.call}` gives `{example.truth}`; the model answered `{example.answer}`."
    yield f"First divergence: {example.diagnosis.kind}, frame {example.diagnosis.frame}.\n"
    true, predicted = on_one_line(example.diagnosis.true), on_one_line(example.diagnosis.predicted)
    yield f"```\ntrue       {true}\npredicted  {predicted}\n```"


def on_one_line(text: str, width: int = 300) -> str:
    """Text of a frame on one line, cut where it is long."""
    line = text.rstrip("\n").replace("\n", "\\n")
    return line if len(line) <= width else line[:width] + " …"


def _rewrite_section(samples: Sequence[Sample]) -> Iterator[str]:
    originals = {sample.id: sample for sample in samples if sample.attempt == ORIGINAL}
    again = [s for s in samples if s.attempt != ORIGINAL and s.verdict != "not asked"]
    example = next((s for s in again if s.verdict == "correct"), next(iter(again), None))
    if example is None:
        return
    before = originals[example.id].source.splitlines()
    diff = difflib.unified_diff(before, example.source.splitlines(), "asked first", "asked again", lineterm="", n=1)
    outcome = "now answered correctly" if example.verdict == "correct" else f"still {example.verdict}"
    yield f"\n## One rewrite: {example.benchmark}, {example.id}, {example.attempt}: {outcome}\n"
    yield "Both programs were executed on the same input with the same outcome before the model was asked.\n"
    yield "```diff\n" + "\n".join(diff) + "\n```"
