"""Does a map predict failures on another benchmark, and of another family of models?

    python -m lab.risk.transfer [PROGRAMS] [--write]

PROGRAMS is the output of `lab.risk.programs` (default: made from the published data, in minutes).
A map is fitted on one benchmark and ranks the programs of another, or
fitted on all families of models but one, on other programs, and ranks the programs by the failures of that one. It is
compared with the better of two baselines on the same programs: the number of frames of the reference trace, and a
logistic regression on features of the text (`lab.risk.programs.text_features`), fitted on the same programs.

`--write` fits the map for answers in words on all of its benchmarks and saves it (`spellout assess --risk-map words`).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import sklearn.linear_model as linear  # type: ignore[import-untyped]
from numpy.typing import NDArray

from analyze.risk.map_fit import Floats, fit_program_map
from analyze.risk.map_validation import weighted_auroc
from analyze.risk.program_map import SHIPPED_MAPS, WITHOUT_PANEL, ReliabilityMap
from corpora.errors import InputError
from lab.published_data import published_path
from lab.risk.programs import CWM, POCKET, MeasuredProgram, read_programs
from lab.risk.programs import main as trace_programs
from runner.terminal.console import note, output_console, print_lines
from runner.terminal.tables import markdown_table

WORDS_FEATURES = ("shipped_log_odds", "frames", "tokens")
"""Of the map for answers in words. More features do worse on another benchmark."""
RESAMPLES, FOLDS, REGULARIZATION, LIMIT = 1000, 10, 0.05, 4.0
FRAMES = WITHOUT_PANEL.index("frames")
COLUMNS = (
    "fitted on",
    "tested on",
    "programs",
    "map",
    "frames",
    "text",
    "map less the better (95 %)",
    "slope",
    "above .5",
)


@dataclass(frozen=True)
class TransferResult:
    """A map on programs that it was not fitted on.

    Attributes:
        fitted_on: In words.
        tested_on: In words.
        programs: Number of programs.
        map: AUROC of the map.
        frames: AUROC of the number of frames.
        text: AUROC of the features of the text.
        gain: AUROC of the map less the better of the two.
        interval: 95 % interval of the gain, over resampled problems.
        slope: Of the logistic regression of the failures on the log-odds of the risk; 1: calibrated.
        above: Programs with a risk above .5: how many, failures expected, failures seen.
    """

    fitted_on: str
    tested_on: str
    programs: int
    map: float
    frames: float
    text: float
    gain: float
    interval: tuple[float, float]
    slope: float
    above: tuple[int, float, float]


@dataclass(frozen=True)
class Outcomes:
    """Programs with the failures of a model, or the mean of several.

    Attributes:
        name: In words.
        programs: The programs.
        failed: Share of failures of each program.
    """

    name: str
    programs: Sequence[MeasuredProgram]
    failed: Floats

    def some(self, keep: NDArray[np.bool_]) -> Outcomes:
        """A part of the programs."""
        programs = [one for one, kept in zip(self.programs, keep, strict=True) if kept]
        return Outcomes(self.name, programs, self.failed[keep])


def outcomes(programs: Sequence[MeasuredProgram], benchmark: str, model: str) -> Outcomes:
    """The programs of a benchmark that a model answered."""
    found = [one for one in programs if one.benchmark == benchmark and model in one.failed]
    return Outcomes(f"{benchmark}, {model}", found, np.array([one.failed[model] for one in found]))


Fit = Callable[[Outcomes], Callable[[Sequence[MeasuredProgram]], Floats]]


def fit_words(train: Outcomes) -> Callable[[Sequence[MeasuredProgram]], Floats]:
    """The map for answers in words."""
    fitted = fit_program_map(_features(train.programs), train.failed, names=WORDS_FEATURES)
    return lambda programs: np.array([fitted.risk(row) for row in _features(programs)])


def shipped(_: Outcomes) -> Callable[[Sequence[MeasuredProgram]], Floats]:
    """The map of the 32B CWM, as shipped: fitted on CruxEval."""
    return lambda programs: 1 / (1 + np.exp(-_features(programs)[:, 0]))


def fit_text(train: Outcomes) -> Callable[[Sequence[MeasuredProgram]], Floats]:
    """Logistic regression on features of the text."""
    known = np.array([one.text for one in train.programs])
    means, scales = known.mean(axis=0), np.where(known.std(axis=0) > 0, known.std(axis=0), 1.0)
    rows, share = (known - means) / scales, train.failed
    both, target = np.vstack([rows, rows]), np.repeat([1, 0], len(rows))
    model = linear.LogisticRegression(C=REGULARIZATION, max_iter=3000)
    model.fit(both, target, sample_weight=np.concatenate([share, 1 - share]))

    def score(programs: Sequence[MeasuredProgram]) -> Floats:
        standard = np.clip((np.array([one.text for one in programs]) - means) / scales, -LIMIT, LIMIT)
        return np.asarray(model.decision_function(standard), dtype=np.float64)

    return score


def _features(programs: Sequence[MeasuredProgram]) -> Floats:
    """The features by `analyze.risk.program_map.FEATURES`, with an unknown panel."""
    return np.array([(*one.features, np.nan) for one in programs])


def transfer(fit: Fit, train: Outcomes, test: Outcomes, seed: int = 0) -> TransferResult:
    """Fits on some programs and ranks others."""
    risks = fit(train)(test.programs)
    return _result(train.name, test, risks, fit_text(train)(test.programs), seed)


def left_out_family(programs: Sequence[MeasuredProgram], name: str, seed: int = 0) -> TransferResult:
    """A map for one family, fitted on the other families, in folds by program."""
    others = [one for one in programs if name in one.failed]
    rates = [[rate for other, rate in one.failed.items() if other not in (name, "panel")] for one in others]
    train = Outcomes("the other families", others, np.array([float(np.mean(rate)) for rate in rates]))
    test = Outcomes(name, others, np.array([one.failed[name] for one in others]))
    fold = np.random.default_rng(seed).permutation(len(others)) % FOLDS
    scores = np.empty((2, len(others)))
    for number in range(FOLDS):
        inside = fold != number
        part, held = train.some(inside), train.some(~inside).programs
        scores[0, ~inside], scores[1, ~inside] = fit_words(part)(held), fit_text(part)(held)
    return _result(train.name, test, scores[0], scores[1], seed)


def _result(fitted_on: str, test: Outcomes, risks: Floats, text: Floats, seed: int) -> TransferResult:
    frames = _features(test.programs)[:, FRAMES]
    by_frames, by_text = weighted_auroc(test.failed, frames), weighted_auroc(test.failed, text)
    better = frames if by_frames >= by_text else text
    found = weighted_auroc(test.failed, risks)
    high = risks > 0.5
    return TransferResult(
        fitted_on,
        test.name,
        len(risks),
        found,
        by_frames,
        by_text,
        found - max(by_frames, by_text),
        _gain_interval(test, risks, better, seed),
        calibration_slope(risks, test.failed),
        (int(high.sum()), float(risks[high].sum()), float(test.failed[high].sum())),
    )


def _gain_interval(test: Outcomes, risks: Floats, better: Floats, seed: int) -> tuple[float, float]:
    draws = np.random.default_rng(seed)
    members: dict[str, list[int]] = {}
    for index, one in enumerate(test.programs):
        members.setdefault(one.problem, []).append(index)
    problems, gains = list(members.values()), []
    for _ in range(RESAMPLES):
        rows = np.concatenate([problems[index] for index in draws.integers(0, len(problems), len(problems))])
        failed = test.failed[rows]
        if 0 < failed.sum() < len(failed):
            gains.append(weighted_auroc(failed, risks[rows]) - weighted_auroc(failed, better[rows]))
    low, high = np.percentile(gains, [2.5, 97.5])
    return float(low), float(high)


def calibration_slope(risks: Floats, failed: Floats) -> float:
    """The slope of a logistic regression of shares of failures on the log-odds of risks."""
    kept = np.clip(risks, 1e-6, 1 - 1e-6)
    odds = np.log(kept / (1 - kept))[:, None]
    model = linear.LogisticRegression(C=1e6, max_iter=3000)
    weights = np.concatenate([failed, 1 - failed])
    model.fit(np.vstack([odds, odds]), np.repeat([1, 0], len(odds)), sample_weight=weights)
    return float(model.coef_[0, 0])


def across_benchmarks(programs: Sequence[MeasuredProgram]) -> Iterator[TransferResult]:
    """The maps on benchmarks that they were not fitted on."""
    words, states = ([one for one in programs if one.stated == stated] for stated in (False, True))
    cruxeval, livecodebench = (outcomes(words, name, "panel") for name in ("cruxeval", "livecodebench"))
    cwm, humaneval = (outcomes(states, name, CWM) for name in ("cruxeval", "humaneval"))
    yield transfer(fit_words, cruxeval, livecodebench)
    yield transfer(fit_words, livecodebench, cruxeval)
    yield transfer(shipped, cwm, humaneval)
    yield transfer(shipped, cwm, livecodebench)
    yield transfer(fit_words, livecodebench, cwm)
    for name in ("cruxeval", "mbpp"):
        pocket = outcomes(states, name, POCKET)
        yield transfer(shipped, cwm, pocket)
        yield transfer(fit_words, livecodebench, pocket)


def across_families(programs: Sequence[MeasuredProgram]) -> list[TransferResult]:
    """The map for words on each family of the panel that it was not fitted on."""
    cruxeval = [one for one in programs if one.benchmark == "cruxeval" and not one.stated]
    names = sorted({name for one in cruxeval for name in one.failed} - {"panel"})
    return [left_out_family(cruxeval, name) for name in names]


def words_map(programs: Sequence[MeasuredProgram]) -> ReliabilityMap:
    """The map for answers in words, fitted on all of its benchmarks."""
    parts = [
        outcomes([one for one in programs if not one.stated], name, "panel") for name in ("cruxeval", "livecodebench")
    ]
    rows, failed = (
        _features([one for part in parts for one in part.programs]),
        np.concatenate([p.failed for p in parts]),
    )
    sizes = " and ".join(f"{len(part.programs)} programs of {part.programs[0].benchmark}" for part in parts)
    fitted = fit_program_map(rows, failed, f"answers in words: {sizes}", WORDS_FEATURES)
    return ReliabilityMap(fitted, None, ())


def main(argv: Sequence[str] | None = None) -> int:
    """Prints the table; returns 0."""
    parser = argparse.ArgumentParser(prog="python -m lab.risk.transfer", description=(__doc__ or "").split("\n")[0])
    parser.add_argument(
        "programs",
        metavar="PROGRAMS",
        nargs="?",
        help="output of lab.risk.programs (default: made from published data)",
    )
    parser.add_argument("--write", action="store_true", help="save the map for answers in words")
    arguments = parser.parse_args(argv)
    path = published_path(parser, arguments.programs, "")
    try:
        with TemporaryDirectory() as folder:
            if arguments.programs is None:
                path, data = Path(folder) / "programs.jsonl", path
                trace_programs(["--data", str(data), "--output", str(path)])
            programs = read_programs(path)
    except InputError as error:
        parser.error(str(error))
    console = output_console()
    sys.stdout.write("\n".join(markdown_table(COLUMNS, list(map(_row, across_benchmarks(programs))))) + "\n\n")
    print_lines(console, *_of_families(across_families(programs)))
    if arguments.write:
        path = SHIPPED_MAPS["words"]
        words_map(programs).save(path)
        note(f"wrote {path}")
    return 0


def _row(one: TransferResult) -> tuple[str, ...]:
    numbers = (f"{value:.2f}" for value in (one.map, one.frames, one.text))
    gain = f"{one.gain:+.2f} [{one.interval[0]:+.2f}, {one.interval[1]:+.2f}]"
    above = f"{one.above[0]}: {one.above[1]:.1f} expected, {one.above[2]:.1f} seen"
    return one.fitted_on, one.tested_on, str(one.programs), *numbers, gain, f"{one.slope:.2f}", above


def _of_families(found: Sequence[TransferResult]) -> list[str]:
    gains = sorted(one.gain for one in found)
    range_of_gains = f"{np.median(gains):+.2f} (median), {gains[0]:+.2f} to {gains[-1]:+.2f}"
    above = sum(one.interval[0] > 0 for one in found)
    slopes = np.percentile([one.slope for one in found], [10, 50, 90])
    return [
        f"CruxEval, each of {len(found)} families left out: AUROC {np.median([one.map for one in found]):.2f} (median; "
        f"frames {np.median([one.frames for one in found]):.2f}, text {np.median([one.text for one in found]):.2f}).",
        f"Gain over the better: {range_of_gains}; its interval is above 0 in {above}.",
        f"Calibration slope: {slopes[1]:.2f} (median; 80 % of the families: {slopes[0]:.2f} to {slopes[2]:.2f}).",
    ]


if __name__ == "__main__":
    sys.exit(main())
