"""The report of a run: Table 1 for the terminal, `report.md` and `summary.json`.

All figures are computed from `samples.jsonl`. `spellout run` writes the files; `spellout report RUN` computes them
again and prints them. Untrusted strings are escaped by `runner.terminal.markdown` and `runner.terminal.console`.
"""

from __future__ import annotations

import difflib
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from rich.console import Console

from analyze.auditing.duplicates import format_count
from analyze.diagnosis.divergence import NO_TRACE
from runner.records.samples import ORIGINAL, VERSION, Mode, Sample, originals
from runner.reports.mode_report import NAMES, action_section, mode_remarks
from runner.reports.recipe_table import recipe_remarks, recipe_tables
from runner.reports.report_files import write_file
from runner.statistics.grading_differences import GRADE_NAMES, Grade, describe_difference, grading_differences, regraded
from runner.statistics.intervals import format_interval
from runner.statistics.repeated_answers import describe_repeated_answers
from runner.statistics.summary import Table1, Table1Row, contradicted_labels, sort_samples, summarize
from runner.terminal.markdown import code, fenced, plain
from runner.terminal.tables import markdown_table, on_one_line, print_sentences, terminal_table

COLUMNS = ("benchmark", "asked", "correct", "incorrect", "truncated", "after intervention", "Δ")
OTHER_GRADE: dict[Grade, str] = {"return": "by [ANSWER]", "answer": "by RETURN"}
"""Title of the column with the other grading, by the grading of a report."""
INTERVALS = "95 % confidence intervals, clustered by program"
SHARES = f"Percentages are of the samples that were asked; in parentheses: {INTERVALS}."
LABELS_SHOWN = 20


@dataclass(frozen=True)
class RunInfo:
    """How a run was made, as `summary.json` has it under `run`.

    Attributes:
        command: the command line; "" if the report was made again from the records.
        model: the value of `--model`.
        max_tokens: limit of new tokens per answer.
        recipes: recipes that rewrote programs.
        versions: name and version of Python and of packages.
        seconds: run time of the command; not that of the run if it was resumed.
        bad_rows: one line per unreadable row.
        repeated: one line per row that repeats an earlier one or its id.
        mode: "free", "forced-actions" or "forced".
        grade: "return" or "answer" (`runner.statistics.grading_differences`).
        resumed: whether the folder had records of an earlier process.
    """

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
    resumed: bool = False


def table_cells(table: Table1) -> Iterator[tuple[str, ...]]:
    """The rows of Table 1, in the order of `table_columns`; the kinds of a benchmark are indented below it."""
    both = _has_both_grades(table)
    for row in table.rows:
        name = f"  {row.kind}" if row.kind else row.benchmark
        asked = f"{row.asked} of {row.samples}" if row.not_asked else str(row.asked)
        right = f"{_share(row, row.correct)}{format_interval(row.interval, 0) if row.has_rate else ''}"
        other = (_share(row, row.other_correct) if row.other_correct is not None else "—",) if both else ()
        yield (name, asked, right, *other, _share(row, row.incorrect), _share(row, row.truncated), *_after(row))


def table_columns(table: Table1, grade: Grade = "return") -> tuple[str, ...]:
    """The titles of Table 1; with a column for the other grading if there are answers with both."""
    other = (OTHER_GRADE[grade],) if _has_both_grades(table) else ()
    return (*COLUMNS[:3], *other, *COLUMNS[3:])


def _has_both_grades(table: Table1) -> bool:
    return any(row.other_correct is not None for row in table.rows)


def _share(row: Table1Row, count: int) -> str:
    percent = row.percent(count)
    return "—" if percent is None else f"{percent:.1f}%"


def _after(row: Table1Row) -> tuple[str, str]:
    """The last two cells; dashes if no rewritten program was asked, as in the paper."""
    gained = row.percent(row.recovered)
    if gained is None or not row.asked_again:
        return "—", "—"
    least = "≥" if row.unrecorded else ""
    return f"{least}{_share(row, row.after)}{format_interval(row.after_interval, 0)}", f"{least}{gained:+.1f}"


def headlines(table: Table1) -> Iterator[str]:
    """One sentence per benchmark: accuracy, sample size, and how many failures the rewrites recovered."""
    for row in table.rows:
        if row.kind:
            continue
        if not row.asked:
            yield f"{row.benchmark}: none of the {row.samples} samples was asked."
            continue
        if not row.has_rate:
            yield (
                f"{row.benchmark}: no accuracy, because {row.unread} of {row.unread + row.asked} outputs have no "
                "value that can be read (`spellout diagnose` shows each)."
            )
            continue
        after = ""
        if row.asked_again:
            least = "at least " if row.unrecorded else ""
            after = f"; {least}{_share(row, row.after)} after rewriting, which recovered {row.recovered} of the "
            after += f"{row.asked_again} failed {'answers' if row.drawn else 'samples'} that were asked again"
        interval = format_interval(row.interval).replace("(", "(95 % confidence interval " if row.interval else "(")
        of = f"{row.asked} answers to {row.drawn.samples} samples" if row.drawn else f"{row.asked} samples"
        several = row.programs < (row.drawn.samples if row.drawn else row.asked)
        of += f" of {format_count(row.programs, 'program')}" if several else ""
        yield f"{row.benchmark}: {_share(row, row.correct)} of {of} correct{interval}{after}."


def show(console: Console, samples: Sequence[Sample], info: RunInfo) -> None:
    """Prints headlines, tables and remarks."""
    samples = sort_samples(regraded(samples, info.grade))
    table = summarize(samples)
    asked = info.model if info.mode == "free" else f"{info.model}, {NAMES[info.mode]}"
    title = f"Table 1 of this run: {asked}, {_limit(info)} (in parentheses: {INTERVALS})"
    title += "" if info.grade == "return" else f", graded by the {GRADE_NAMES[info.grade]} against the label"
    print_sentences(console, *headlines(table), "", title)
    console.print(terminal_table(table_columns(table, info.grade), list(table_cells(table)), console.width))
    for caption, columns, rows in recipe_tables(table.effects):
        console.print()
        print_sentences(console, caption)
        console.print(terminal_table(columns, rows, console.width))
    console.print()
    print_sentences(console, *remarks(samples, table, info.grade))


def _limit(info: RunInfo) -> str:
    return f"at most {info.max_tokens} new tokens" if info.max_tokens else "recorded outputs"


def remarks(samples: Sequence[Sample], table: Table1, grade: Grade = "return") -> list[str]:
    """Sentences below the tables: effects of rewriting, samples that were not asked, and contradicted labels."""
    benchmarks = [row for row in table.rows if not row.kind]
    several = [f"{row.benchmark}: {describe_repeated_answers(row.drawn)}." for row in benchmarks if row.drawn]
    recorded = regraded(samples, grade)  # swapping the verdicts again restores the recorded ones
    sentences = [*mode_remarks(samples), *map(describe_difference, grading_differences(recorded))]
    sentences += [*several, *recipe_remarks(table.effects)]
    nothing_right = [row for row in benchmarks if row.has_rate and not row.correct]
    sentences += [f"{row.benchmark}: none of the {row.asked} answers is correct." for row in nothing_right]
    unasked = ((s.benchmark, s.attempt, on_one_line(s.reason)) for s in samples if not s.asked)
    for (benchmark, attempt, reason), count in sorted(Counter(unasked).items(), key=lambda pair: (-pair[1], pair[0])):
        again = "not asked" if attempt == ORIGINAL else f"not asked again after {attempt}"
        sentences.append(f"{benchmark}: {count} {again}: {reason}.")
    if any(sample.stopped == "failed" for sample in samples):
        sentences.append("The same command asks the failed questions again, and only those.")
    sentences += _labels(samples)
    limits = sorted({sample.max_tokens for sample in samples if sample.asked})
    if len(limits) > 1:
        sentences.append(f"The records have different limits of new tokens: {', '.join(map(str, limits))}.")
    return sentences


def _labels(samples: Sequence[Sample]) -> Iterator[str]:
    wrong = contradicted_labels(samples)
    if wrong:
        shown = [
            f"{s.id} (expected {on_one_line(s.expected or '', 60)}, execution gives {on_one_line(s.reference, 60)})"
            for s in wrong
        ]
        more = f", and {len(shown) - LABELS_SHOWN} more" if len(shown) > LABELS_SHOWN else ""
        found = f"labels are contradicted by execution: {', '.join(shown[:LABELS_SHOWN])}{more}"
        yield f"{len(wrong)} {found}. Answers are graded against the execution."


def write_report(folder: Path, samples: Sequence[Sample], info: RunInfo) -> Table1:
    """Writes `summary.json` and `report.md` to the folder of the run, and returns the table."""
    write_file(folder / "summary.json", json.dumps(as_json(samples, info), indent=2) + "\n")
    write_file(folder / "report.md", as_markdown(samples, info))
    return summarize(regraded(samples, info.grade))


def as_json(samples: Sequence[Sample], info: RunInfo) -> dict[str, object]:
    """All figures of a run: the content of `summary.json`."""
    return {
        "version": VERSION,
        "run": asdict(info),
        **asdict(summarize(regraded(samples, info.grade))),
        "gradings": [asdict(found) for found in grading_differences(samples)],
        "contradicted_labels": [
            {"id": s.id, "expected": s.expected, "reference": s.reference}
            for s in contradicted_labels(sort_samples(samples))
        ],
        "isolation": sorted({s.isolation for s in samples} - {""}),
    }


def as_markdown(samples: Sequence[Sample], info: RunInfo) -> str:
    """The report in Markdown."""
    chosen = sort_samples(regraded(samples, info.grade))
    return "\n".join(_markdown(chosen, summarize(chosen), info)) + "\n"


def _markdown(samples: Sequence[Sample], table: Table1, info: RunInfo) -> Iterator[str]:
    versions = ", ".join(" ".join(pair) for pair in info.versions)
    yield f"# {plain(info.model)}{'' if info.mode == 'free' else f', {NAMES[info.mode]}'}\n"
    limit = _limit(info)
    if info.command:
        what = "resumed an earlier run" if info.resumed else f"took {info.seconds:.0f} s"
        yield f"{code(info.command)} {what}; {limit}; {plain(versions)}.\n"
    else:  # from the records alone, which do not have the command
        yield f"{limit.capitalize()}.\n"
    yield from (f"- {plain(line)}" for line in headlines(table))
    yield from markdown_table(table_columns(table, info.grade), list(table_cells(table)))
    yield f"\n{SHARES}" + ("" if info.recipes else " No program was rewritten.\n")
    if info.recipes:
        yield "After intervention: correct with the original program, or with the failed program rewritten"
        yield f"({', '.join(info.recipes)}), checked for equivalence, and asked again.\n"
    for caption, columns, rows in recipe_tables(table.effects):
        yield f"\n{plain(caption)}"
        yield from markdown_table(columns, rows)
        yield ""
    yield from (f"- {plain(remark)}" for remark in remarks(samples, table, info.grade))
    yield from _divergence_section(table)
    yield from action_section(samples)
    yield from _example_section(samples)
    yield from _rewrite_section(samples)
    yield from _row_section("Unreadable rows", info.bad_rows)
    yield from _row_section("Rows that repeat an earlier one, or its id", info.repeated)


def _row_section(title: str, rows: Sequence[str]) -> Iterator[str]:
    if rows:
        yield f"\n## {title} ({len(rows)})\n"
        yield from (f"- {plain(row)}" for row in rows)


def _divergence_section(table: Table1) -> Iterator[str]:
    yield "\n## First divergence of failed answers\n"
    yield "| first divergence | samples |\n|---|---:|"
    yield from (f"| {plain(kind)} | {count} |" for kind, count in table.divergences)


def _example_section(samples: Sequence[Sample]) -> Iterator[str]:
    failed = [sample for sample in originals(samples) if sample.verdict == "incorrect" and sample.diagnosis]
    # An output that is not a trace is a less instructive example than one with a first divergence.
    example = min(
        failed, key=lambda s: (s.diagnosis is not None and s.diagnosis.kind == NO_TRACE, len(s.source)), default=None
    )
    if example is None or example.diagnosis is None:
        return
    yield f"\n## Example of a diagnosis: {plain(example.benchmark)}, {plain(example.id)}\n"
    yield fenced(example.source.rstrip(), "python") + "\n"
    call, reference = code(on_one_line(example.call)), code(on_one_line(example.reference))
    predicted = example.predicted
    answer = "gave no value that can be read" if predicted is None else f"answered {code(on_one_line(predicted))}"
    yield f"{call} returns {reference}; the model {answer}."
    yield f"First divergence: {plain(example.diagnosis.kind)}, frame {example.diagnosis.frame}.\n"
    frame, wrong = on_one_line(example.diagnosis.reference), on_one_line(example.diagnosis.predicted)
    yield fenced(f"reference  {frame}\npredicted  {wrong}")


def _rewrite_section(samples: Sequence[Sample]) -> Iterator[str]:
    firsts = {sample.pairing_key: sample for sample in originals(samples)}
    again = [s for s in samples if s.attempt != ORIGINAL and s.asked and s.pairing_key in firsts]
    example = next((s for s in again if s.is_correct), next(iter(again), None))
    if example is None:
        return
    before = firsts[example.pairing_key].source.splitlines()
    diff = difflib.unified_diff(before, example.source.splitlines(), "original", "rewritten", lineterm="", n=1)
    outcome = "now answered correctly" if example.is_correct else f"still {example.verdict}"
    name = f"{plain(example.benchmark)}, {plain(example.id)}, {plain(example.attempt)}"
    yield f"\n## Example of a rewrite: {name}: {outcome}\n"
    yield "Before the model was asked, both programs were executed on the input with the same outcome.\n"
    yield fenced("\n".join(diff), "diff")
