"""The table after intervention, recipe by recipe: for the terminal and for Markdown.

Two protocols, two tables. Failed samples alone were rewritten: of how many asked again how many became right. All were
(`run --full`): how many were right before and after, gained, lost, and McNemar's exact test of the two.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from runner.effects import Effect
from runner.intervals import bounds, wilson_percent
from runner.layout import Cells
from runner.paired import Paired, told

FAILED_COLUMNS = ("recipe", "asked again", "recovered", "by it alone", "cut off", "true tokens")
FULL_COLUMNS = ("recipe", "asked both", "right before", "right after", "gained", "lost", "p", *FAILED_COLUMNS[3:])
FAILED_TITLE = "Failed samples, rewritten and asked again (recovered: right after it; nothing right was asked again)"
FULL_TITLE = "All samples, rewritten and asked again (gained: wrong, then right; lost: right, then wrong)"


def recipe_tables(effects: Sequence[Effect]) -> Iterator[tuple[str, tuple[str, ...], list[Cells]]]:
    """Title, columns and rows of each table that there is something in."""
    for title, columns, chosen in (
        (FAILED_TITLE, FAILED_COLUMNS, [effect for effect in effects if effect.paired is None]),
        (FULL_TITLE, FULL_COLUMNS, [effect for effect in effects if effect.paired is not None]),
    ):
        if chosen:
            yield title, columns, [_cells(effect) for effect in _by_benchmark(chosen)]


def _by_benchmark(effects: Sequence[Effect]) -> list[Effect]:
    names = list(dict.fromkeys(effect.benchmark for effect in effects))
    return sorted(effects, key=lambda effect: names.index(effect.benchmark))


def _cells(effect: Effect) -> Cells:
    cells = _failed(effect) if effect.paired is None else _full(effect.paired)
    cut = f"{effect.truncated_before} → {effect.truncated_after}"
    tokens = f"×{effect.after / effect.before:.2f}" if effect.before else "—"
    return (f"{effect.benchmark}: {effect.recipe}", *cells, str(effect.unique), cut, tokens)


def _failed(effect: Effect) -> Cells:
    share = "" if effect.drawn else bounds(wilson_percent(effect.recovered, effect.asked), 0)
    return str(effect.asked), f"{effect.recovered}{share.replace(')', ' %)')}"


def _full(paired: Paired) -> Cells:
    before, after = (share(count, paired) for count in (paired.before, paired.after))
    return str(paired.samples), before, after, str(paired.gained), str(paired.lost), p_cell(paired)


def share(count: float, paired: Paired) -> str:
    """A cell: how much of the pairs is right, with Wilson's interval where each sample has one answer."""
    interval = wilson_percent(int(count), paired.samples) if paired.once else None
    return f"{100 * count / paired.samples:.1f}%{bounds(interval, 0)}"


def p_cell(paired: Paired) -> str:
    """A cell: the p-value, a dash where there is none."""
    return "—" if paired.p is None else told(paired.p).removeprefix("p = ")


def recipe_remarks(effects: Sequence[Effect]) -> Iterator[str]:
    """What the tables leave unsaid: tokens, what could not be counted, the placebo, the difference by programs."""
    for effect in effects:
        name = f"{effect.benchmark}: {effect.recipe}"
        if effect.before:
            yield f"{name} {_tokens(effect)}."
        if effect.uncounted:
            yield f"{name}: {effect.uncounted} with a trace too long to be counted are left out of the tokens."
        if effect.paired is not None:
            said = difference(effect.paired, "answers" if effect.drawn else "samples")
            yield f"{name}{' (renames variables only)' if effect.placebo else ''}: {said}."
    benchmarks = dict.fromkeys(effect.benchmark for effect in effects if effect.paired is not None)
    for benchmark in benchmarks:
        if not any(effect.placebo for effect in effects if effect.benchmark == benchmark):
            yield f"{benchmark}: nothing was asked after the placebo: what asking again gains by itself is not known."


def _tokens(effect: Effect) -> str:
    counted, times = effect.asked - effect.uncounted, effect.after / effect.before
    said = f"took the true traces of {counted} samples from {effect.before:,} to {effect.after:,} tokens"
    return f"{said} (×{times:.2f}; median {effect.median_before:,g} to {effect.median_after:,g})"


def difference(paired: Paired, what: str = "samples") -> str:
    """A sentence without its end: the difference in points, its interval, and the test. what: was paired."""
    interval = ""
    if paired.interval is not None:
        low, high = (100 * bound for bound in paired.interval)
        interval = f" (95 % interval {low:+.1f} to {high:+.1f}, bootstrap over {paired.programs} programs)"
    of = f"of {paired.samples} {what} answered both ways {paired.gained} gained, {paired.lost} lost"
    test = "" if paired.p is None else f"; McNemar's exact test: {told(paired.p)}"
    return f"{of}, {100 * paired.difference:+.1f} points{interval}{test}"
