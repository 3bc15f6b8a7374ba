"""What people read of a run: Table 1 in the terminal and in Markdown, one diagnosis, one rewrite, what was not asked.

Every figure comes from the records in `samples.jsonl`; `spellout report RUN` makes it again. Foreign text goes to
Markdown through `runner.terminal.markdown`, and to the terminal through `runner.terminal.console`.
"""

from __future__ import annotations

import difflib
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from rich.console import Console, RenderableType

from analyze.auditing.duplicates import counted
from corpora.errors import InputError
from runner.records.samples import ORIGINAL, VERSION, Mode, Sample
from runner.reports.mode_report import NAMES, action_section, mode_remarks
from runner.reports.recipe_table import recipe_remarks, recipe_tables
from runner.statistics.grading import GRADE_NAMES, Grade, describe_difference, grading_differences, regraded
from runner.statistics.intervals import bounds
from runner.statistics.repeated_answers import describe
from runner.statistics.summary import Row, Table, contradicted, in_order, summarize
from runner.terminal.markdown import code, fenced, plain
from runner.terminal.tables import markdown_table, on_one_line, say, terminal_table

COLUMNS = ("benchmark", "asked", "correct", "incorrect", "truncated", "after intervention", "Δ")
OTHER_GRADE: dict[Grade, str] = {"return": "by [ANSWER]", "answer": "by RETURN"}
"""Title of the column with the other grading, by the grading of a report."""
INTERVALS = "95 % confidence intervals, clustered by program"
SHARES = f"Percentages are of the samples that were asked; in brackets: {INTERVALS}."
LABELS_SHOWN = 20


@dataclass(frozen=True)
class RunInfo:
    """What a reader must know beside the records: how the run was made, rows that could not be read or came twice."""

    command: str
    model: str
    max_tokens: int
    recipes: tuple[str, ...]
    versions: tuple[tuple[str, str], ...]
    seconds: float
    bad_rows: tuple[str, ...] = ()
    repeated: tuple[str, ...] = ()
    mode: Mode = "free"
    grade: Grade = "return"


def table_cells(table: Table) -> Iterator[tuple[str, ...]]:
    """Table 1 as text cells, in the order of `table_columns`; the kinds of a benchmark are indented below it."""
    both = _has_both_grades(table)
    for row in table.rows:
        name = f"  {row.kind}" if row.kind else row.benchmark
        asked = f"{row.asked} of {row.samples}" if row.not_asked else str(row.asked)
        right = f"{_share(row, row.correct)}{bounds(row.interval, 0) if row.asked else ''}"
        other = (_share(row, row.other_correct) if row.other_correct is not None else "—",) if both else ()
        yield (name, asked, right, *other, _share(row, row.incorrect), _share(row, row.truncated), *_after(row))


def table_columns(table: Table, grade: Grade = "return") -> tuple[str, ...]:
    """The titles of Table 1; with a column for the other grading if there are answers with both."""
    other = (OTHER_GRADE[grade],) if _has_both_grades(table) else ()
    return (*COLUMNS[:3], *other, *COLUMNS[3:])


def _has_both_grades(table: Table) -> bool:
    return any(row.other_correct is not None for row in table.rows)


def _share(row: Row, count: int) -> str:
    percent = row.percent(count)
    return "—" if percent is None else f"{percent:.1f}%"


def _after(row: Row) -> tuple[str, str]:
    """The last two cells; a dash where no rewrite was asked about, as in the paper."""
    gained = row.percent(row.recovered)
    if gained is None or not row.asked_again:
        return "—", "—"
    least = "≥" if row.unrecorded else ""
    return f"{least}{_share(row, row.after)}{bounds(row.after_interval, 0)}", f"{least}{gained:+.1f}"


def headlines(table: Table) -> Iterator[str]:
    """A sentence a benchmark: the share of right answers, of how many, and what asking again gained, of how many."""
    for row in table.rows:
        if row.kind:
            continue
        if not row.asked:
            yield f"{row.benchmark}: none of the {row.samples} samples was asked, so there are no shares."
            continue
        after = ""
        if row.asked_again:
            least = "at least " if row.unrecorded else ""
            after = f"; {least}{_share(row, row.after)} after rewriting, which recovered {row.recovered} of the "
            after += f"{row.asked_again} failed {'answers' if row.drawn else 'samples'} that were asked again"
        interval = bounds(row.interval).replace("(", "(95 % interval " if row.interval else "(")
        of = f"{row.asked} answers to {row.drawn.samples} samples" if row.drawn else f"{row.asked} samples"
        several = row.programs < (row.drawn.samples if row.drawn else row.asked)
        of += f" of {counted(row.programs, 'program')}" if several else ""
        yield f"{row.benchmark}: {_share(row, row.correct)} of {of} right{interval}{after}."


def show(console: Console, samples: Sequence[Sample], info: RunInfo) -> None:
    """What a terminal gets: the headline, the table, the remarks."""
    samples = in_order(regraded(samples, info.grade))
    table = summarize(samples)
    asked = info.model if info.mode == "free" else f"{info.model}, {NAMES[info.mode]}"
    title = f"Table 1 of this run: {asked}, {_limit(info)} (in brackets: {INTERVALS})"
    title += "" if info.grade == "return" else f", graded by the {GRADE_NAMES[info.grade]} against the label"
    for line in [*headlines(table), "", title]:
        say(console, line)
    console.print(table_one(table, console.width, info.grade))
    for caption, columns, rows in recipe_tables(table.effects):
        console.print()
        say(console, caption)
        console.print(terminal_table(columns, rows, console.width))
    console.print()
    for remark in remarks(samples, table, info.grade):
        say(console, remark)


def _limit(info: RunInfo) -> str:
    return f"at most {info.max_tokens} new tokens" if info.max_tokens else "recorded outputs"


def table_one(table: Table, width: int, grade: Grade = "return") -> RenderableType:
    """Table 1 for a terminal of this many columns."""
    return terminal_table(table_columns(table, grade), list(table_cells(table)), width)


def remarks(samples: Sequence[Sample], table: Table, grade: Grade = "return") -> list[str]:
    """Sentences that the table alone would leave unsaid: what rewriting did, nothing right, what was not asked."""
    several = [f"{row.benchmark}: {describe(row.drawn)}." for row in _drawn(table) if row.drawn]
    recorded = regraded(samples, grade)  # exchanging the two verdicts again gives those of the records
    said = [*mode_remarks(samples), *map(describe_difference, grading_differences(recorded))]
    said += [*several, *recipe_remarks(table.effects)]
    nothing_right = [row for row in table.rows if not row.kind and row.asked and not row.correct]
    said += [f"{row.benchmark}: this model answered none of the {row.asked} samples right." for row in nothing_right]
    unasked = ((s.benchmark, s.attempt, on_one_line(s.reason)) for s in samples if not s.asked)
    for (benchmark, attempt, reason), count in sorted(Counter(unasked).items(), key=lambda pair: (-pair[1], pair[0])):
        again = "not asked" if attempt == ORIGINAL else f"not asked again after {attempt}"
        said.append(f"{benchmark}: {count} {again}: {reason}.")
    if any(sample.stopped == "failed" for sample in samples):
        said.append("What failed is asked again by the same command; what was answered is not.")
    said += _labels(samples)
    limits = sorted({sample.max_tokens for sample in samples if sample.asked})
    if len(limits) > 1:
        said.append(f"These records were made with several limits of new tokens: {', '.join(map(str, limits))}.")
    return said


def _drawn(table: Table) -> list[Row]:
    """The benchmarks that several answers were drawn to each sample of."""
    return [row for row in table.rows if row.drawn and not row.kind]


def _labels(samples: Sequence[Sample]) -> Iterator[str]:
    wrong = contradicted(samples)
    if wrong:
        shown = [
            f"{s.id} (expected {on_one_line(s.expected or '', 60)}, gives {on_one_line(s.reference, 60)})"
            for s in wrong
        ]
        more = f", and {len(shown) - LABELS_SHOWN} more" if len(shown) > LABELS_SHOWN else ""
        found = f"expected results are not what the program gives: {', '.join(shown[:LABELS_SHOWN])}{more}"
        yield f"{len(wrong)} {found}. Answers are graded by what it gives."


def write_report(folder: Path, samples: Sequence[Sample], info: RunInfo) -> Table:
    """Writes `summary.json` and `report.md` beside the records, and returns the table."""
    _write(folder / "summary.json", json.dumps(as_json(samples, info), indent=2) + "\n")
    _write(folder / "report.md", as_markdown(samples, info))
    return summarize(regraded(samples, info.grade))


def as_json(samples: Sequence[Sample], info: RunInfo) -> dict[str, object]:
    """Every figure of a run, as `summary.json` has it."""
    return {
        "version": VERSION,
        "run": asdict(info),
        **asdict(summarize(regraded(samples, info.grade))),
        "gradings": [asdict(found) for found in grading_differences(samples)],
        "contradicted_labels": [
            {"id": s.id, "expected": s.expected, "reference": s.reference} for s in contradicted(in_order(samples))
        ],
        "isolation": sorted({s.isolation for s in samples} - {""}),
    }


def as_markdown(samples: Sequence[Sample], info: RunInfo) -> str:
    """The whole report."""
    chosen = in_order(regraded(samples, info.grade))
    return "\n".join(_markdown(chosen, summarize(chosen), info)) + "\n"


def _write(path: Path, text: str) -> None:
    part = path.with_suffix(path.suffix + ".part")
    try:
        part.write_text(text, encoding="utf-8")
        part.replace(path)
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", where=str(path)) from error


def _markdown(samples: Sequence[Sample], table: Table, info: RunInfo) -> Iterator[str]:
    versions = ", ".join(" ".join(pair) for pair in info.versions)
    yield f"# {plain(info.model)}{'' if info.mode == 'free' else f', {NAMES[info.mode]}'}\n"
    limit = _limit(info)
    if info.command:
        yield f"{code(info.command)} took {info.seconds:.0f} s; {limit}; {plain(versions)}.\n"
    else:  # made again from the records, which do not say how they were made
        yield f"{limit.capitalize()}.\n"
    yield from (f"- {plain(line)}" for line in headlines(table))
    yield from markdown_table(table_columns(table, info.grade), list(table_cells(table)))
    yield f"\n{SHARES}" + ("" if info.recipes else " None was rewritten.\n")
    if info.recipes:
        yield "After intervention: right as it stands, or right when the"
        yield f"failed program was rewritten ({', '.join(info.recipes)}), shown to be the same, and asked again.\n"
    for caption, columns, rows in recipe_tables(table.effects):
        yield f"\n{plain(caption)}"
        yield from markdown_table(columns, rows)
        yield ""
    yield from (f"- {plain(remark)}" for remark in remarks(samples, table, info.grade))
    yield from _divergence_section(table)
    yield from action_section(samples)
    yield from _example_section(samples)
    yield from _rewrite_section(samples)
    yield from _row_section("Rows that could not be read", info.bad_rows)
    yield from _row_section("Rows that repeat an earlier one, or its id", info.repeated)


def _row_section(title: str, rows: Sequence[str]) -> Iterator[str]:
    if rows:
        yield f"\n## {title} ({len(rows)})\n"
        yield from (f"- {plain(row)}" for row in rows)


def _divergence_section(table: Table) -> Iterator[str]:
    yield "\n## Where failed answers first part from the true trace\n"
    yield "| first divergence | samples |\n|---|---:|"
    yield from (f"| {plain(kind)} | {count} |" for kind, count in table.divergences)


def _example_section(samples: Sequence[Sample]) -> Iterator[str]:
    failed = [s for s in samples if s.attempt == ORIGINAL and s.verdict == "incorrect" and s.diagnosis]
    # An output that is no trace teaches less than one that goes wrong in a known place.
    example = min(
        failed, key=lambda s: (s.diagnosis is not None and s.diagnosis.kind == "format", len(s.source)), default=None
    )
    if example is None or example.diagnosis is None:
        return
    yield f"\n## One diagnosis: {plain(example.benchmark)}, {plain(example.id)}\n"
    yield fenced(example.source.rstrip(), "python") + "\n"
    call, truth, answer = (
        code(on_one_line(text)) for text in (example.call, example.reference, str(example.predicted))
    )
    yield f"{call} gives {truth}; the model answered {answer}."
    yield f"First divergence: {plain(example.diagnosis.kind)}, frame {example.diagnosis.frame}.\n"
    true, predicted = on_one_line(example.diagnosis.reference), on_one_line(example.diagnosis.predicted)
    yield fenced(f"true       {true}\npredicted  {predicted}")


def _rewrite_section(samples: Sequence[Sample]) -> Iterator[str]:
    originals = {sample.of: sample for sample in samples if sample.attempt == ORIGINAL}
    again = [s for s in samples if s.attempt != ORIGINAL and s.asked and s.of in originals]
    example = next((s for s in again if s.verdict == "correct"), next(iter(again), None))
    if example is None:
        return
    before = originals[example.of].source.splitlines()
    diff = difflib.unified_diff(before, example.source.splitlines(), "asked first", "asked again", lineterm="", n=1)
    outcome = "now answered correctly" if example.verdict == "correct" else f"still {example.verdict}"
    name = f"{plain(example.benchmark)}, {plain(example.id)}, {plain(example.attempt)}"
    yield f"\n## One rewrite: {name}: {outcome}\n"
    yield "Both programs were executed on the same input with the same outcome before the model was asked.\n"
    yield fenced("\n".join(diff), "diff")
