"""The paper's claims, tried on the embedded model: compositions, permutations, token budgets and rewrites.

    .venv/bin/python bench/pocket_claims.py [--output runs/pocket-claims] [--num-programs 30] [--figure FILE]

Prints Markdown tables: the claims with effects and verdicts, then the accuracies behind them. The answers are kept in
the output folder, so a second call asks nothing again. Without other work it takes about twenty minutes on two cores.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count, islice
from math import sqrt
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from corpora import Case, load
from corpora.benchmarks import zoo
from corpora.execute import allow_weak_isolation
from lab.tokenization.arm_differences import Effect, effects_table, plot_effects
from runner import evaluate
from runner.pocket.data import Kind, held_out
from runner.pocket.data import cases as pocket_cases
from runner.records.samples import ORIGINAL, Mode, Sample
from runner.statistics.intervals import Interval, format_accuracy, format_interval
from runner.statistics.paired import AnswerPair, compare_pairs
from runner.statistics.recipe_effects import RecipeEffect, recipe_effects
from runner.statistics.repeated_answers import estimate_accuracy

DEPTHS = (2, 3, 5)
"""At depth 1 a category has only five programs, too few for an interval."""
LENGTHS = (4, 8, 10, 12)
BUDGETS = (512, 768, 1024, 2048)
RECIPES = ("decompose", "letters", "planned")
KINDS: dict[Kind, int] = {("functions", "string method"): 1, ("functions", "text loop"): 1}
"""String programs that recipes are tried on, with their proportions."""
CATEGORIES = {
    "functions on one character": ("character",),
    "other categories": tuple(name for name in zoo.SOURCES if name != "character"),
}
CALLS = 2
"""Calls of each of the paper's string functions alone."""
MAX_TOKENS = 4096
STOP_AFTER = 1.25


@dataclass(frozen=True)
class Asking:
    """Asks pocket.

    Attributes:
        folder: holds a run for each question.
        size: programs for each accuracy.
    """

    folder: Path
    size: int

    def __call__(
        self, name: str, cases: Sequence[Case], *, recipes: Sequence[str] = (), mode: Mode = "free"
    ) -> list[Sample]:
        """The records of a run about these cases; with recipes, all programs are rewritten and asked again."""
        return evaluate(
            "pocket",
            cases,
            output=self.folder / name,
            recipes=recipes,
            full=bool(recipes),
            mode=mode,
            max_tokens=MAX_TOKENS,
            stop_after=STOP_AFTER,
        )


def independent(name: str, groups: Sequence[Sequence[Sample]], signs: Sequence[int]) -> Effect:
    """The signed sum of independent accuracies, from their intervals by the method of Zou and Donner (2008)."""
    shares = [_right(group) / len(group) for group in groups]
    bounds = [_bounds(group) for group in groups]
    below, above = 0.0, 0.0
    for sign, share, (low, high) in zip(signs, shares, bounds, strict=True):
        below += (share - low if sign > 0 else high - share) ** 2
        above += (high - share if sign > 0 else share - low) ** 2
    estimate = sum(sign * share for sign, share in zip(signs, shares, strict=True))
    programs = len({sample.source for group in groups for sample in group})
    return Effect(name, programs, estimate, estimate - sqrt(below), estimate + sqrt(above))


def _bounds(samples: Sequence[Sample]) -> Interval:
    """The interval of an accuracy, 0 to 1, clustered by program."""
    interval = estimate_accuracy(samples).interval
    assert interval is not None, "ten programs or more"
    return interval[0] / 100, interval[1] / 100


def paired(name: str, pairs: Sequence[tuple[bool, bool]]) -> Effect:
    """The difference of two answers to each of some programs, the second less the first."""
    found = compare_pairs(AnswerPair(before, after, str(number)) for number, (before, after) in enumerate(pairs))
    assert found.interval is not None, "ten programs or more"
    return Effect(name, found.programs, found.difference, *found.interval)


def _right(samples: Sequence[Sample]) -> int:
    return sum(sample.verdict == "correct" for sample in samples)


def _fits(sample: Sample, budget: int) -> bool:
    return sample.verdict == "correct" and sample.output_tokens <= budget


Part = tuple[list[Effect], str]


def compositions(ask: Asking) -> Part:
    """The zoo's categories by depth: operations on characters against the others."""
    alone = ask("alone", list(load("atomic", size=CALLS)))
    found = {
        (group, depth): ask(f"{group}-{depth}", list(_zoo(names, depth, ask.size)))
        for group, names in CATEGORIES.items()
        for depth in DEPTHS
    }
    first, last = DEPTHS[0], DEPTHS[-1]
    texts, others = ([found[group, depth] for depth in (first, last)] for group in CATEGORIES)
    effects = [
        independent(f"functions on one character: accuracy at depth {first} less that at depth {last}", texts, [1, -1]),
        independent(f"other categories: accuracy at depth {first} less that at depth {last}", others, [1, -1]),
        independent(
            "functions on one character lose more with depth than other categories", [*texts, *others], [1, -1, -1, 1]
        ),
    ]
    table = [f"| depth | {' | '.join(CATEGORIES)} |", "|--:|--:|--:|"]
    table += [f"| {d} | {' | '.join(_accuracy(found[group, d]) for group in CATEGORIES)} |" for d in DEPTHS]
    title = f"Of the calls of the paper's 25 string functions alone, {_right(alone)} of {len(alone)} are right."
    return effects, "\n".join([title, "", *table])


def _zoo(names: Sequence[str], depth: int, size: int) -> Iterator[Case]:
    """Programs of some categories that training held out."""
    rng = Random(f"claims {depth}")
    drawn = (zoo.case(names[number % len(names)], depth, rng, f"claims-{number}") for number in count())
    return islice(filter(held_out, drawn), size)


def permutations(ask: Asking) -> Part:
    """S_5: free decoding against injected source lines, and against token budgets."""
    cases = [case for n in LENGTHS for case in load("permutations", length=n, size=ask.size)]
    modes: tuple[Mode, ...] = ("free", "forced-actions")
    free, forced = (ask(f"s5-{mode}", cases, mode=mode) for mode in modes)
    small, large = BUDGETS[0], BUDGETS[-1]
    effects = [
        paired("S_5: source lines injected instead of free decoding", _pairs(free, forced)),
        paired(f"S_5: {large:,} tokens instead of {small:,}", [(_fits(one, small), _fits(one, large)) for one in free]),
    ]
    table = ["| permutations | free decoding | forced actions |", "|--:|--:|--:|"]
    for n in LENGTHS:
        own = [[one for one in samples if one.kind.endswith(f"length {n}")] for samples in (free, forced)]
        table.append(f"| {n} | {' | '.join(map(_accuracy, own))} |")
    return effects, "\n".join([*table, "", *_budgets(free)])


def _budgets(samples: Sequence[Sample]) -> Iterator[str]:
    yield "| token limit | S_5, all lengths | reference trace fits |"
    yield "|--:|--:|--:|"
    for budget in BUDGETS:
        fits = sum((one.reference_tokens or budget + 1) <= budget for one in samples)
        right = sum(_fits(one, budget) for one in samples)
        yield f"| {budget:,} | {format_accuracy(right, len(samples))} | {fits / len(samples):.0%} |"


def _pairs(before: Sequence[Sample], after: Sequence[Sample]) -> list[tuple[bool, bool]]:
    second = {sample.pairing_key: sample for sample in after}
    return [(one.verdict == "correct", second[one.pairing_key].verdict == "correct") for one in before]


def rewrites(ask: Asking) -> Part:
    """Held-out string programs before and after each recipe, and the placebo."""
    cases = list(islice(filter(held_out, pocket_cases("claims", KINDS)), 3 * ask.size))
    samples = ask("rewrites", cases, recipes=RECIPES)
    found = [effect for effect in recipe_effects(samples) if effect.paired is not None]
    first = [one for one in samples if one.attempt == ORIGINAL]
    table = ["| | answers | before | after | trace tokens |", "|---|--:|--:|--:|--:|", *map(_recipe_row, found)]
    title = f"{len(first)} string programs that training held out; a recipe is tried on those that it changes."
    return list(_recipe_effects(found)), "\n".join([title, "", *table])


def _recipe_effects(found: Sequence[RecipeEffect]) -> Iterator[Effect]:
    for one in found:
        for text, pair in (("after instead of before", one.paired), ("instead of the placebo", one.against_control)):
            if pair is not None and pair.interval is not None:
                yield Effect(f"{one.recipe}: {text}", pair.programs, pair.difference, *pair.interval)


def _recipe_row(effect: RecipeEffect) -> str:
    pair = effect.paired
    assert pair is not None
    tokens = f"{effect.after / effect.before:.2f}×"
    shares = " | ".join(format_accuracy(round(right), pair.samples) for right in (pair.before, pair.after))
    return f"| {effect.recipe} | {pair.samples} | {shares} | {tokens} |"


def _accuracy(samples: Sequence[Sample]) -> str:
    found = estimate_accuracy(samples)
    return f"{100 * _right(samples) / len(samples):.0f} %{format_interval(found.interval, 0)}"


PARTS: tuple[Callable[[Asking], Part], ...] = (compositions, permutations, rewrites)


def main() -> None:
    """Asks, and prints the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--output", type=Path, default=Path("runs/pocket-claims"), metavar="DIR", help="folder of the answers"
    )
    parser.add_argument("--num-programs", type=int, default=30, metavar="N", help="programs per accuracy (default: 30)")
    parser.add_argument("--figure", type=Path, metavar="FILE", help="also write a plot of the claims, as SVG")
    options = parser.parse_args()
    allow_weak_isolation(True)
    parts = [part(Asking(options.output, options.num_programs)) for part in PARTS]
    claims = [effect for effects, _ in parts for effect in effects]
    if options.figure:
        options.figure.write_text(plot_effects(claims), encoding="utf-8")
    print(effects_table(claims))
    for _, tables in parts:
        print(f"\n{tables}")


if __name__ == "__main__":
    main()
