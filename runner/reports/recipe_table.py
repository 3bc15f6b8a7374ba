"""The tables of results after rewriting, per recipe.

Without `run --full`, only failed samples were rewritten: the table counts how many of those asked again became correct.
With `--full`, all samples were: the table has the accuracy before and after, gains, losses, and a paired test that is
clustered by program.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from analyze.auditing.duplicates import format_count
from rewrite.baselines import PLACEBO
from runner.records.samples import REDRAW
from runner.statistics.groups import grouped
from runner.statistics.intervals import TOO_FEW, format_interval, interval_in_percent
from runner.statistics.paired import TEST, PairedComparison, format_p
from runner.statistics.recipe_effects import RecipeEffect
from runner.terminal.tables import Cells

FAILED_COLUMNS = ("recipe", "asked again", "recovered", "only by it", "truncated", "trace tokens")
FULL_COLUMNS = ("recipe", "asked both", "correct before", "correct after", "gained", "lost", "p", *FAILED_COLUMNS[3:])
FAILED_TITLE = "Failed samples, rewritten and asked again (recovered: correct after rewriting)"
CONTROL_NOTES = {
    PLACEBO: " (renames variables, at equal token count)",
    REDRAW: " (the unchanged program, sampled again)",
}
FULL_TITLE = "All samples, rewritten and asked again (gained: correct only after; lost: correct only before)"


def recipe_tables(effects: Sequence[RecipeEffect]) -> Iterator[tuple[str, tuple[str, ...], list[Cells]]]:
    """Title, columns and rows of each table that is not empty."""
    for title, columns, chosen in (
        (FAILED_TITLE, FAILED_COLUMNS, [effect for effect in effects if effect.paired is None]),
        (FULL_TITLE, FULL_COLUMNS, [effect for effect in effects if effect.paired is not None]),
    ):
        if chosen:
            by_benchmark = grouped(chosen, lambda effect: effect.benchmark).values()
            yield title, columns, [_cells(effect) for effects in by_benchmark for effect in effects]


def _cells(effect: RecipeEffect) -> Cells:
    cells = _failed(effect) if effect.paired is None else paired_cells(effect.paired)
    cut = f"{effect.truncated_before} → {effect.truncated_after}"
    tokens = f"×{effect.after / effect.before:.2f}" if effect.before else "—"
    return (f"{effect.benchmark}: {effect.recipe}", *cells, str(effect.unique), cut, tokens)


def _failed(effect: RecipeEffect) -> Cells:
    interval = format_interval(effect.recovered_interval, 0)
    return str(effect.asked), f"{effect.recovered}{interval if TOO_FEW in interval else interval.replace(')', ' %)')}"


def paired_cells(paired: PairedComparison) -> Cells:
    """Number of samples, accuracy before and after with confidence intervals, gained, lost, and p (or a dash)."""
    sides = ((paired.before, paired.before_interval), (paired.after, paired.after_interval))
    accuracies = (
        f"{100 * count / paired.samples:.1f}%{format_interval(interval_in_percent(interval), 0)}"
        for count, interval in sides
    )
    p = "—" if paired.p is None else format_p(paired.p).removeprefix("p = ")
    return str(paired.samples), *accuracies, str(paired.gained), str(paired.lost), p


def recipe_remarks(effects: Sequence[RecipeEffect]) -> Iterator[str]:
    """Sentences below the tables: trace tokens, differences with intervals, and each recipe against the control."""
    for effect in effects:
        name = f"{effect.benchmark}: {effect.recipe}"
        if effect.before:
            yield f"{name} {_tokens(effect)}."
        if effect.uncounted:
            yield f"{name}: the token counts exclude {effect.uncounted} samples with traces too long to be counted."
        if effect.paired is not None:
            said = difference(effect.paired, _unit(effect))
            yield f"{name}{CONTROL_NOTES.get(effect.recipe, '')}: {said}."
        if effect.against_control is not None:
            yield f"{name} against the control: {difference(effect.against_control, _unit(effect))}."
    for benchmark in dict.fromkeys(effect.benchmark for effect in effects if effect.paired is not None):
        if not any(effect.is_control for effect in effects if effect.benchmark == benchmark):
            yield f"{benchmark}: there is no control, so the effect of asking again is unknown."


def _unit(effect: RecipeEffect) -> str:
    return "answers" if effect.drawn else "samples"


def _tokens(effect: RecipeEffect) -> str:
    counted, times = effect.asked - effect.uncounted, effect.after / effect.before
    said = f"changed the reference traces of {format_count(counted, 'sample')}"
    said += f" from {effect.before:,} to {effect.after:,} tokens"
    return f"{said} (×{times:.2f}; median {effect.median_before:,g} to {effect.median_after:,g})"


def difference(paired: PairedComparison, what: str = "samples") -> str:
    """A sentence without its full stop: gains, losses, difference in percentage points, interval and test."""
    interval = f" ({TOO_FEW} for an interval: {paired.programs})"
    if paired.interval is not None:
        low, high = (100 * bound for bound in paired.interval)
        interval = f" (95 % confidence interval {low:+.1f} to {high:+.1f}, {paired.programs} programs)"
    of = f"of {paired.samples} {what} asked before and after, {paired.gained} gained, {paired.lost} lost"
    test = "" if paired.p is None else f"; {TEST}: {format_p(paired.p)}"
    return f"{of}, {100 * paired.difference:+.1f} points{interval}{test}"
