"""Measures which part of a hazard's effect is due to the tokenizer: own vocabularies against foreign ones.

    python -m lab.risk.tokenizer_effects --vocabularies DIR [--write]

DIR has the vocabularies of model families as `tokenizer.json` files; docs/findings.md says which packages have them:

    qwen2.5.json  cl100k.json (GPT-3.5, GPT-4)  o200k.json (GPT-4o, o1)  deepseek-v3.json (of no run of the panel)

Llama-3's and a small tracer's, which serves as a placebo because no run of the panel uses it, are always there.

Three comparisons, each with an interval over resampled programs:

1. Programs with a hazard against other programs, adjusted for the string work that both do (COVARIATES), with the
   hazards of a family's own vocabulary.
2. The same with vocabularies that the family does not use. What hazards say about the tokenizer is the difference.
3. Within programs: the failure rate of a family on a program, minus the program's and the family's mean, as a function
   of the family's own hazard. Only programs on which the vocabularies differ count.

Note:
    1 and 2 are ordinary least squares of failure rates (a linear probability model); 3 has two-way fixed effects.
    Programs are resampled as a whole, with the same weights for all estimates, so that differences are paired.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import permutations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from analyze.hazards.measured_effects import (
    FILE,
    LEAST_PROGRAMS,
    AssignmentTest,
    MeasuredEffects,
    RateDifference,
    TokenizationEffect,
)
from analyze.risk.panel import Panel, read_panel
from analyze.tokens.engines import engine_for
from analyze.tokens.tokenizer import Tokenizer, load_tokenizer
from corpora.errors import InputError
from lab.published_data import add_data_option
from lab.risk.labelled_traces import LabelledTrace, read_labelled_traces
from lab.risk.step_hazards import HAZARDS, step_hazards, string_work

Floats = NDArray[np.float64]
CWM = "cwm"
PLACEBO = "small-tracer"
PLACEBO_FOLDER = Path(__file__).parents[2] / "tests" / "models" / "small_tracer"
LLAMA = "llama-3"
FAMILIES = {
    LLAMA: ("Meta-Llama-3", "Llama-3", "Athene"),
    "qwen2.5": ("Qwen2",),
    "o200k": ("gpt-4o", "chatgpt-4o", "o1-"),
    "cl100k": ("gpt-3.5", "gpt-4"),
}
"""Model families by the name of their vocabulary: how the names of their runs begin. The first that fits counts."""
FOREIGN_ONLY = ("deepseek-v3",)
COVARIATES = (
    "a string is searched",
    "a string is edited",
    "log(1 + length of the longest string)",
    "log(1 + operations on strings)",
    "the result is a string",
    "log(1 + frames)",
    "log(1 + length of the result)",
)
RESAMPLES = 1000
RIDGE = 1e-9
TEN_PERCENT = float(np.log(1.1))


@dataclass(frozen=True)
class TokenizedPrograms:
    """The programs as every vocabulary sees them, and the failure rates of the families.

    Attributes:
        covariates: float64 [programs, COVARIATES].
        hazards: By vocabulary: whether a step of the program has the hazard, bool [programs, HAZARDS].
        tokens: By vocabulary: log of the tokens of program and call, float64 [programs].
        failed: By family: failure rate, float64 [programs].
        runs: Number of runs by family.
    """

    covariates: Floats
    hazards: Mapping[str, NDArray[np.bool_]]
    tokens: Mapping[str, Floats]
    failed: Mapping[str, Floats]
    runs: Mapping[str, int]


def family_of(run: str) -> str:
    """Returns the family of a run; "" if its vocabulary is unknown.

    >>> family_of("gpt-4o@0.2"), family_of("gpt-4-0613+cot@0.2"), family_of("phi-2@0.8")
    ('o200k', 'cl100k', '')
    """
    return next((name for name, starts in FAMILIES.items() if run.startswith(starts)), "")


def vocabulary_of(family: str) -> str:
    """Returns the name of the family's own vocabulary."""
    return LLAMA if family == CWM else family


def load_vocabularies(folder: Path) -> dict[str, Tokenizer]:
    """Loads the vocabularies by name. Raises InputError if one is missing."""
    found = {LLAMA: load_tokenizer(LLAMA)}
    for name in (*FAMILIES, *FOREIGN_ONLY):
        if name not in found:
            path = folder / f"{name}.json"
            if not path.is_file():
                reason = "no such vocabulary; docs/findings.md names the packages that have it"
                raise InputError(reason, where=str(path))
            found[name] = load_tokenizer(str(path))
    return found | {PLACEBO: load_tokenizer(str(PLACEBO_FOLDER))}


def tokenized_programs(
    programs: Sequence[LabelledTrace], panel: Panel, vocabularies: Mapping[str, Tokenizer]
) -> TokenizedPrograms:
    """Finds the hazards of the programs under every vocabulary."""
    ids = [program.case.id for program in programs]
    hazards, tokens = {}, {}
    for name, tokenizer in vocabularies.items():
        engine = engine_for(tokenizer)
        hazards[name] = np.array([step_hazards(program.operations, engine).any(axis=0) for program in programs])
        tokens[name] = np.log([len(tokenizer.encode(program.trace.context)) for program in programs])
    runs: dict[str, list[str]] = {CWM: []}
    for run in panel.failed:
        if family_of(run):
            runs.setdefault(family_of(run), []).append(run)
    failed = {name: np.mean([panel.rates(run, ids) for run in found], axis=0) for name, found in runs.items() if found}
    failed[CWM] = np.array([float(program.failed) for program in programs])
    counts_of = {name: max(1, len(found)) for name, found in runs.items()}
    covariates = np.array(list(map(_covariates, programs)))
    return TokenizedPrograms(covariates, hazards, tokens, failed, counts_of)


def _covariates(program: LabelledTrace) -> list[float]:
    made = [operation for step in program.operations for operation in step]
    searched, edited, longest = string_work(made)
    result = program.trace.outcome.value or ""
    sizes = (sum(one.receiver.type == "str" for one in made), len(program.trace.frames), len(result))
    on_strings, frames, written = np.log1p(sizes)
    work = (float(searched), float(edited), float(np.log1p(longest)))
    return [*work, on_strings, float(result[:1] in ("'", '"')), frames, written]


class _Resamples:
    """Estimates on all programs (row 0) and on RESAMPLES resamples of them, from the same weights."""

    def __init__(self, data: TokenizedPrograms) -> None:
        count = len(data.covariates)
        drawn = np.random.default_rng(0).multinomial(count, np.full(count, 1 / count), RESAMPLES)
        self.weights = np.vstack([np.ones(count), drawn]).astype(float)
        self._design = np.column_stack([np.ones(count), data.covariates])

    def adjusted(self, failed: Floats, hazard: Floats) -> Floats:
        """Returns the coefficient of the hazard in every resample, float64 [1 + RESAMPLES]."""
        design = np.column_stack([self._design, hazard])
        width = design.shape[1]
        products = (design[:, :, None] * design[:, None, :]).reshape(len(design), -1)
        left = (self.weights @ products).reshape(-1, width, width) + RIDGE * np.eye(width)
        right = self.weights @ (design * failed[:, None])
        found: Floats = np.linalg.solve(left, right[:, :, None])[:, -1, 0]
        return found

    def within(self, failed: Floats, exposure: Floats) -> Floats:
        """Returns the two-way fixed-effects slope; both are float64 [families, programs]."""
        rates, exposed = failed - failed.mean(axis=0), exposure - exposure.mean(axis=0)
        total = self.weights.sum(axis=1)
        means = [(self.weights @ part.T) / total[:, None] for part in (rates, exposed)]  # [resamples, families]
        cross = self.weights @ (rates * exposed).sum(axis=0) - total * (means[0] * means[1]).sum(axis=1)
        spread = self.weights @ (exposed**2).sum(axis=0) - total * (means[1] ** 2).sum(axis=1)
        slope: Floats = np.divide(cross, spread, out=np.full(len(cross), np.nan), where=spread > RIDGE)
        return slope


def _difference(found: Floats, programs: int, scale: float = 1.0) -> RateDifference:
    bounds = np.nanquantile(found[1:], [0.025, 0.975])
    effect, low, high = (round(float(scale * value), 4) for value in (found[0], *bounds))
    return RateDifference(effect, low, high, programs)


def measure(data: TokenizedPrograms, made_from: str) -> MeasuredEffects:
    """Measures all hazards that enough programs have."""
    resamples = _Resamples(data)
    panel_families = [name for name in data.failed if name != CWM]
    failed = np.array([data.failed[name] for name in panel_families])
    hazards = {}
    for column, hazard in enumerate(HAZARDS):
        flags = {name: found[:, column].astype(float) for name, found in data.hazards.items()}
        counts = {name: int(found.sum()) for name, found in flags.items()}
        if all(LEAST_PROGRAMS <= counts[name] <= len(failed[0]) - LEAST_PROGRAMS for name in panel_families):
            hazards[hazard] = _measured(data, resamples, panel_families, flags, counts)
    own_tokens = np.array([data.tokens[name] for name in panel_families])
    tokens = _difference(resamples.within(failed, own_tokens), failed.shape[1], TEN_PERCENT)
    return MeasuredEffects(made_from, data.runs, hazards, tokens, compare_assignments(data))


def _measured(
    data: TokenizedPrograms,
    resamples: _Resamples,
    families: Sequence[str],
    flags: Mapping[str, Floats],
    counts: Mapping[str, int],
) -> TokenizationEffect:
    own = {name: resamples.adjusted(data.failed[name], flags[vocabulary_of(name)]) for name in (CWM, *families)}
    mean = np.mean([own[name] for name in families], axis=0)
    known = [name for name in flags if name != PLACEBO]
    foreign = [
        resamples.adjusted(data.failed[name], flags[other]) for name in families for other in known if other != name
    ]
    placebo = np.mean([resamples.adjusted(data.failed[name], flags[PLACEBO]) for name in families], axis=0)
    exposure = np.array([flags[name] for name in families])
    differing = int((np.ptp(exposure, axis=0) > 0).sum())
    failed = np.array([data.failed[name] for name in families])
    unlike_placebo = int((exposure != flags[PLACEBO]).any(axis=0).sum())
    unlike = int((np.ptp([flags[name] for name in known], axis=0) > 0).sum())
    return TokenizationEffect(
        {name: _difference(found, counts[vocabulary_of(name)]) for name, found in own.items()},
        _difference(mean, int(exposure.any(axis=0).sum())),
        _difference(mean - np.mean(foreign, axis=0), unlike),
        _difference(mean - placebo, unlike_placebo),
        _difference(resamples.within(failed, exposure), differing) if differing >= LEAST_PROGRAMS else None,
    )


def compare_assignments(data: TokenizedPrograms) -> AssignmentTest:
    """Compares the own vocabularies with every other assignment of the known vocabularies to the families.

    The statistic is the within-program slope of failure rates on the number of hazard classes that a program has.
    """
    families = [name for name in data.failed if name != CWM]
    failed = np.array([data.failed[name] for name in families])
    failed = failed - failed.mean(axis=0)
    failed -= failed.mean(axis=1, keepdims=True)
    slopes = []
    for assigned in permutations([*families, *FOREIGN_ONLY], len(families)):
        exposure = np.array([data.hazards[name].sum(axis=1) for name in assigned], dtype=float)
        exposure -= exposure.mean(axis=0)
        exposure -= exposure.mean(axis=1, keepdims=True)
        slopes.append(float((exposure * failed).sum() / max((exposure**2).sum(), RIDGE)))
    at_least = sum(slope >= slopes[0] for slope in slopes)
    return AssignmentTest(round(slopes[0], 4), at_least, len(slopes))


def main(arguments: Sequence[str] | None = None) -> int:
    """Measures and prints; with --write, stores the table."""
    command = "python -m lab.risk.tokenizer_effects"
    parser = argparse.ArgumentParser(prog=command, description=__doc__.splitlines()[0])
    add_data_option(parser)
    vocabularies = "folder of tokenizer.json files"
    parser.add_argument("--vocabularies", type=Path, required=True, metavar="DIR", help=vocabularies)
    parser.add_argument("--write", action="store_true", help=f"store the table in {FILE.name}")
    options = parser.parse_args(arguments)
    programs, panel = read_labelled_traces(options.data), read_panel(options.data / "panel_even.jsonl.gz")
    data = tokenized_programs(programs, panel, load_vocabularies(options.vocabularies))
    runs = sum(count for name, count in data.runs.items() if name != CWM)
    families = f"{runs} runs of {len(data.runs) - 1} families with their own vocabularies, and the 32B CWM"
    found = measure(data, f"{len(programs)} programs; {families}")
    write = sys.stdout.write
    write(f"{found.made_from}\n\n")
    for name, effect in found.hazards.items():
        write(f"{name:13} panel {effect.panel}  cwm {effect.families[CWM]}  over foreign {effect.over_foreign}")
        write(f"  over placebo {effect.over_placebo}  within programs {effect.within or 'not identified'}\n")
    write(f"10 % more tokens, within programs: {found.more_tokens}\n")
    write(f"slope {found.placebo.slope:+.4f} for each further class; {found.placebo.at_least} of ")
    write(f"{found.placebo.assignments} assignments of vocabularies have at least this slope\n")
    if options.write:
        table = {"made_by": f"{command} --vocabularies DIR --write", **asdict(found)}
        FILE.write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
