"""What a kind of rewrite does to accuracy on average, from published answers to originals and rewrites.

    python -m lab.evidence.rewrite_effects [ANSWERS --failures FILE] [--exclude VERDICTS]

ANSWERS are rows with `id`, `form`, `problem`, `model` and `right`, with `van` as the original. The difference in
accuracy is paired by sample, its 95 % interval is clustered by problem, and its p-value (sign flips by problem) is
corrected for the number of questions (Holm). `--exclude` takes the output of `lab.evidence.census`: pairs that differ
are left out.

FILE has failures of a model with `paper_rewrite` and `recovered_by`. A rewrite that changes nothing only asks the
model again, so it is the control of those that change something. Without ANSWERS, both are the published files.
"""

from __future__ import annotations

import argparse
import ast
import sys
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

import scipy  # type: ignore[import-untyped]

from corpora import Row, read_rows
from corpora.errors import InputError
from lab.evidence.pairs import FAILURES, FORMS, ORIGINAL
from lab.published_data import published_path
from runner.statistics.intervals import difference_interval, wilson
from runner.statistics.paired import format_p, sign_flip_p
from runner.terminal.console import output_console, print_lines
from runner.terminal.tables import markdown_table

POWER = 0.8
COLUMNS = ("model", "form", "samples", "problems", "original %", "change (95 % interval)", "p, corrected", "detectable")
RECOVERY_COLUMNS = ("wrong answers", "repaired", "share (95 % interval)")
ALL = "all"
"""The name of all models together."""
Answers = Mapping[tuple[str, str, str], bool]
"""By model, form and sample: whether the answer is right."""


@dataclass(frozen=True)
class RewriteEffect:
    """The effect of a form on one model; shares from -1 to 1.

    Attributes:
        model: The model.
        form: The kind of rewrite.
        samples: Number of samples with an answer to both programs.
        problems: Number of problems that they come from.
        original: Accuracy on the originals.
        change: Accuracy on the rewrites minus that on the originals.
        interval: Of the change; None with fewer than ten problems.
        p: Before correction.
        error: Standard error of the change; None without an interval.
    """

    model: str
    form: str
    samples: int
    problems: int
    original: float
    change: float
    interval: tuple[float, float] | None
    p: float
    error: float | None

    def detectable(self, questions: int) -> float | None:
        """The smallest change that the data show with a probability of 80 %, at 5 % divided by the questions."""
        if self.error is None:
            return None
        free = self.problems - 1
        return float(self.error * (scipy.stats.t.ppf(1 - 0.025 / questions, free) + scipy.stats.t.ppf(POWER, free)))


def read_answers(rows: Iterable[object]) -> tuple[dict[tuple[str, str, str], bool], dict[str, str]]:
    """The answers, and the problem of each sample. Rows without the fields are left out."""
    answers: dict[tuple[str, str, str], bool] = {}
    problems: dict[str, str] = {}
    for row in rows:
        fields = row.fields if isinstance(row, Row) else {}
        names = [fields.get(name) for name in ("model", "form", "id")]
        right = fields.get("right")
        if all(isinstance(name, str) for name in names) and isinstance(right, bool):
            model, form, sample = map(str, names)
            answers[model, form, sample] = right
            problems[sample] = str(fields.get("problem", sample))
    if not any(form == ORIGINAL for _, form, _ in answers):
        raise InputError(f"has no answers to originals (form {ORIGINAL})")
    return answers, problems


def effects(
    answers: Answers, problems: Mapping[str, str], excluded: Collection[tuple[str, str]] = ()
) -> Iterator[RewriteEffect]:
    """The effect of each form on each model, and on all models together.

    Args:
        answers: Graded answers.
        problems: Problem by sample.
        excluded: (sample, form) of pairs that are not equivalent.
    """
    models = sorted({model for model, _, _ in answers})
    for form in sorted({form for _, form, _ in answers} - {ORIGINAL}):
        every: list[tuple[str, bool, bool]] = []
        for model in models:
            pairs = [
                (sample, answers[model, ORIGINAL, sample], right)
                for (of, kind, sample), right in answers.items()
                if (of, kind) == (model, form)
                and (sample, form) not in excluded
                and (model, ORIGINAL, sample) in answers
            ]
            every += pairs
            if pairs:
                yield _effect(model, form, pairs, problems)
        if len(models) > 1 and every:
            yield _effect(ALL, form, every, problems)


def _effect(
    model: str, form: str, pairs: Sequence[tuple[str, bool, bool]], problems: Mapping[str, str]
) -> RewriteEffect:
    groups: dict[str, list[int]] = defaultdict(list)
    for sample, before, after in pairs:
        groups[problems[sample]].append(after - before)
    sums, counts = [sum(found) for found in groups.values()], [len(found) for found in groups.values()]
    interval = difference_interval(sums, counts)
    error = None
    if interval is not None:
        error = (interval[1] - interval[0]) / 2 / float(scipy.stats.t.ppf(0.975, len(counts) - 1))
    return RewriteEffect(
        model=model,
        form=form,
        samples=len(pairs),
        problems=len(groups),
        original=sum(before for _, before, _ in pairs) / len(pairs),
        change=sum(sums) / len(pairs),
        interval=interval,
        p=sign_flip_p(sums),
        error=error,
    )


def holm(values: Sequence[float]) -> list[float]:
    """P-values after Holm's correction (1979), in the given order.

    >>> [round(p, 3) for p in holm([0.01, 0.04, 0.03])]
    [0.03, 0.06, 0.06]
    """
    order = sorted(range(len(values)), key=values.__getitem__)
    corrected, largest = [0.0] * len(values), 0.0
    for rank, index in enumerate(order):
        largest = max(largest, min(1.0, (len(values) - rank) * values[index]))
        corrected[index] = largest
    return corrected


@dataclass(frozen=True)
class Recovery:
    """Failures that were repaired, of those whose program a rewrite changed, and of those that were only asked again.

    Attributes:
        changed: (repaired, all) of the changed programs.
        unchanged: (repaired, all) of the others.
        p: Of a difference (Fisher's exact test, two-sided).
    """

    changed: tuple[int, int]
    unchanged: tuple[int, int]
    p: float

    def detectable(self) -> float:
        """The smallest difference in shares that the data show with a probability of 80 %, at 5 %, by a normal law."""
        (repaired, one), (_, other) = self.changed, self.unchanged
        share = (repaired + self.unchanged[0]) / (one + other)
        error = sqrt(share * (1 - share) * (1 / one + 1 / other))
        return float(error * (scipy.stats.norm.ppf(0.975) + scipy.stats.norm.ppf(POWER)))


def recoveries(rows: Iterable[object]) -> dict[str, Recovery]:
    """What rewriting wrong answers' programs repairs, against asking again, by benchmark.

    A benchmark without changed or without unchanged programs is left out: it has nothing to compare.
    """
    counts: dict[str, dict[bool, list[int]]] = {}
    for row in rows:
        fields = row.fields if isinstance(row, Row) else {}
        code, rewrite = fields.get("code"), fields.get("paper_rewrite")
        if fields.get("status") == "wrong" and isinstance(code, str):
            groups = counts.setdefault(str(fields.get("benchmark", "")), {True: [0, 0], False: [0, 0]})
            group = groups[changes_program(code, rewrite)]
            group[0] += fields.get("recovered_by") is not None
            group[1] += 1
    return {
        name: _recovery(found[True], found[False])
        for name, found in counts.items()
        if found[True][1] and found[False][1]
    }


def _recovery(changed: Sequence[int], unchanged: Sequence[int]) -> Recovery:
    outcomes = [[repaired, every - repaired] for repaired, every in (changed, unchanged)]
    p = float(scipy.stats.fisher_exact(outcomes).pvalue)
    return Recovery((changed[0], changed[1]), (unchanged[0], unchanged[1]), p)


def changes_program(code: object, rewrite: object) -> bool:
    """Whether a rewrite is a program and another one than the original, comments and layout aside."""
    return isinstance(code, str) and isinstance(rewrite, str) and _tree(rewrite) != _tree(code)


def _tree(source: str) -> str:
    """The program without comments and layout; the text itself if it does not parse."""
    try:
        return ast.dump(ast.parse(source))
    except (SyntaxError, ValueError, RecursionError):
        return source


def table(found: Sequence[RewriteEffect]) -> list[tuple[str, ...]]:
    """The rows of `COLUMNS`; changes in points, p-values corrected for all rows."""
    rows: list[tuple[str, ...]] = []
    for effect, p in zip(found, holm([one.p for one in found]), strict=True):
        smallest = effect.detectable(len(found))
        points = None if effect.interval is None else (100 * effect.interval[0], 100 * effect.interval[1])
        rows.append(
            (
                effect.model,
                effect.form,
                str(effect.samples),
                str(effect.problems),
                f"{100 * effect.original:.1f}",
                f"{100 * effect.change:+.1f}" + (f" [{points[0]:+.1f}, {points[1]:+.1f}]" if points else ""),
                format_p(p),
                "—" if smallest is None else f"{100 * smallest:.1f}",
            )
        )
    return rows


def main(argv: Sequence[str] | None = None) -> int:
    """Prints the effects; returns 0."""
    parser = argparse.ArgumentParser(
        prog="python -m lab.evidence.rewrite_effects", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("answers", metavar="ANSWERS", nargs="?", help="graded answers to programs in several forms")
    parser.add_argument("--failures", metavar="FILE", help="failures with the paper's rewrites and what repaired them")
    parser.add_argument("--exclude", metavar="VERDICTS", help="output of lab.evidence.census")
    parser.add_argument(
        "--model", metavar="MODEL", help=f"show the rows of one model, or of {ALL} (default: every row)"
    )
    arguments = parser.parse_args(argv)
    console = output_console()
    failures = arguments.failures or (None if arguments.answers else published_path(parser, None, FAILURES))
    try:
        answers, problems = read_answers(read_rows(published_path(parser, arguments.answers, FORMS)))
        excluded = {
            (str(row.fields["id"]), str(row.fields["kind"]))
            for row in (read_rows(arguments.exclude) if arguments.exclude else ())
            if isinstance(row, Row) and row.fields.get("equivalent") is False
        }
        found = list(effects(answers, problems, excluded))
        repaired = recoveries(read_rows(failures)) if failures else {}
    except InputError as error:
        parser.error(str(error))
    shown = [row for row in table(found) if arguments.model in (None, row[0])]
    sys.stdout.write("\n".join(markdown_table(COLUMNS, shown)) + "\n\n")
    legend = f"Changes in points. p: sign flips by problem, corrected for {len(found)} questions (Holm)."
    print_lines(
        console, legend, f"Detectable: smallest change seen with a probability of {POWER:.0%} after the correction."
    )
    if repaired:
        rows = [row for benchmark, one in repaired.items() for row in _recovery_rows(benchmark, one)]
        sys.stdout.write("\n".join(markdown_table(RECOVERY_COLUMNS, rows)) + "\n")
    return 0


def _recovery_rows(benchmark: str, found: Recovery) -> Iterator[tuple[str, ...]]:
    for name, (repaired, every) in (("changed by the rewrite", found.changed), ("only asked again", found.unchanged)):
        low, high = wilson(repaired, every)
        yield f"{benchmark}, {name}", f"{repaired} of {every}", f"{repaired / every:.2f} [{low:.2f}, {high:.2f}]"
    yield f"{benchmark}, difference", f"{format_p(found.p)} (Fisher)", f"detectable: {found.detectable():.2f}"


if __name__ == "__main__":
    sys.exit(main())
