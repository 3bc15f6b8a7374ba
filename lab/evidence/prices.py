"""The average price of each kind of change, from published answers to originals and rewrites.

    python -m lab.evidence.prices [--data DIR] [--write]

FORMS in the folder has rows with `id`, `form`, `problem`, `model`, `code`, `call` and `right`: `van` is the original,
`ren` has other names, `rtf` other conditions, `gbc` dead code, `all` all three. The price of a change is what one unit
of it adds to −log of the probability of a right answer (`lab.evidence.ratios`). `--write` saves the prices
that the data show after correction for the number of questions in `analyze/risk/prices.json`.

Two controls: programs that a form leaves unchanged and that were asked again (their effect should be 0), and `all`
against the sum of the three prices.

FAILURES has `paper_rewrite` and `recovered_by` (`lab.evidence.rewrite_effects`): the share that temporaries repair,
net of asking again.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log, log2

import numpy as np
import scipy  # type: ignore[import-untyped]

from analyze.gold_trace.trace import trace_call
from analyze.risk.prices import FILE
from corpora import Row, read_rows
from corpora.errors import InputError
from corpora.outputs.state_lens import PRELUDE
from lab.evidence.pairs import FAILURES, FORMS, ORIGINAL
from lab.evidence.published_changes import added_statements, changed_conditions, renamed_variables
from lab.evidence.ratios import LogRatios, fit_log_ratios
from lab.evidence.rewrite_effects import Recovery, holm, recoveries
from lab.published_data import add_data_option
from runner.statistics.intervals import wilson
from runner.statistics.paired import format_p
from runner.terminal.console import note, output_console, print_lines, progress_bar
from runner.terminal.tables import markdown_table

"""Files in the folder of the published data (docs/published_data.md)."""
SINGLE, COMBINED = ("ren", "rtf", "gbc"), "all"
PRICED = ("variable renamed", "condition rewritten", "dead statement added")
LONGER = ("frame added", "trace doubled")
"""What the forms add to the trace; measured beyond the effects of PRICED."""
LEVEL = 0.05
COLUMNS = ("kind of change", "programs", "price (95 % interval)", "p, corrected", "detectable")


@dataclass(frozen=True)
class ProgramForm:
    """One form of a sample.

    Attributes:
        code: The program.
        changes: Amount by kind of change, of PRICED and LONGER.
        right: By model, whether its answer is right.
    """

    code: str
    changes: Mapping[str, float]
    right: Mapping[str, bool]


@dataclass(frozen=True)
class FormSample:
    """One sample in all of its forms.

    Attributes:
        problem: The unit of resampling.
        forms: By form.
    """

    problem: str
    forms: Mapping[str, ProgramForm]


@dataclass(frozen=True)
class Question:
    """One measured effect.

    Attributes:
        kind: Of change.
        programs: Number of programs that have it.
        fit: The regression.
        index: Of the kind in it.
    """

    kind: str
    programs: int
    fit: LogRatios
    index: int


def read_samples(rows: Iterable[object], frames: Callable[[str, str], tuple[int, int]]) -> list[FormSample]:
    """The samples that have every form and the same models in each.

    Args:
        rows: Rows of a file; those without the fields are left out.
        frames: Frames and tokens of the trace of a program and call.

    Raises:
        InputError: There is no such sample.
    """
    found: dict[str, dict[str, list[Mapping[str, object]]]] = {}
    for row in rows:
        fields = row.fields if isinstance(row, Row) else {}
        texts = [fields.get(name) for name in ("id", "form", "model", "code", "call")]
        is_graded = all(isinstance(text, str) for text in texts) and isinstance(fields.get("right"), bool)
        if is_graded and fields["form"] in (ORIGINAL, *SINGLE, COMBINED):
            found.setdefault(str(fields["id"]), {}).setdefault(str(fields["form"]), []).append(fields)
    complete = [forms for forms in found.values() if len(forms) == len(SINGLE) + 2 and _same_models(forms)]
    if not complete:
        raise InputError(f"has no sample in the forms {', '.join((ORIGINAL, *SINGLE, COMBINED))}")
    with progress_bar() as progress:
        return [_sample(forms, frames) for forms in progress.track(complete, description="tracing")]


def _same_models(forms: Mapping[str, Sequence[Mapping[str, object]]]) -> bool:
    return len({frozenset(str(row["model"]) for row in rows) for rows in forms.values()}) == 1


def _sample(
    forms: Mapping[str, Sequence[Mapping[str, object]]], frames: Callable[[str, str], tuple[int, int]]
) -> FormSample:
    texts = {form: (str(rows[0]["code"]), str(rows[0]["call"])) for form, rows in forms.items()}
    original, measured = texts[ORIGINAL][0], {form: frames(*text) for form, text in texts.items()}
    names = renamed_variables(original, texts["ren"][0])
    conditions = changed_conditions(original, texts["rtf"][0])
    made = {}
    for form, (code, _) in texts.items():
        length, tokens = measured[form]
        changes = {
            "variable renamed": names if form in ("ren", COMBINED) else 0,
            "condition rewritten": conditions if form in ("rtf", COMBINED) else 0,
            "dead statement added": added_statements(original, code) if form in ("gbc", COMBINED) else 0,
            "frame added": length - measured[ORIGINAL][0],
            "trace doubled": log2(max(tokens, 1) / max(measured[ORIGINAL][1], 1)),
        }
        made[form] = ProgramForm(code, changes, {str(row["model"]): bool(row["right"]) for row in forms[form]})
    return FormSample(str(forms[ORIGINAL][0].get("problem", "")), made)


def trace_length(code: str, call: str) -> tuple[int, int]:
    """Frames and tokens of the reference trace of a program in LiveCodeBench's form."""
    trace = trace_call(PRELUDE + code, call)
    return len(trace.frames), trace.tokens or 0


def fit_kinds(samples: Sequence[FormSample], kinds: Sequence[str], forms: Sequence[str] = SINGLE) -> LogRatios:
    """The regression on some kinds of change."""
    every = [(one, model) for one in samples for model in sorted(one.forms[ORIGINAL].right)]
    used = (ORIGINAL, *forms)
    changes = [[[one.forms[form].changes[kind] for kind in kinds] for form in used] for one, _ in every]
    right = [[one.forms[form].right[model] for form in used] for one, model in every]
    return fit_log_ratios(np.array(changes, float), np.array(right, float), [one.problem for one, _ in every])


def measure(samples: Sequence[FormSample]) -> list[Question]:
    """The effect of each kind of change; what lengthens the trace is measured beyond the kinds with a price."""
    priced = fit_kinds(samples, PRICED)
    found = [Question(kind, _changed(samples, kind), priced, index) for index, kind in enumerate(PRICED)]
    beyond = [(kind, fit_kinds(samples, (*PRICED, kind))) for kind in LONGER]
    return found + [Question(kind, _changed(samples, kind), fit, len(PRICED)) for kind, fit in beyond]


def _changed(samples: Sequence[FormSample], kind: str) -> int:
    return sum(one.forms[form].changes[kind] != 0 for one in samples for form in SINGLE)


def unchanged_control(samples: Sequence[FormSample]) -> tuple[int, LogRatios | None]:
    """The number of programs that the form of conditions leaves unchanged, and the effect of asking them again."""
    same = [one for one in samples if one.forms["rtf"].changes["condition rewritten"] == 0]
    if len({one.problem for one in same}) < 2:
        return len(same), None
    every = [(one, model) for one in same for model in sorted(one.forms[ORIGINAL].right)]
    right = [[one.forms[form].right[model] for form in (ORIGINAL, "rtf")] for one, model in every]
    asked_again = np.tile(np.array([[[0.0], [1.0]]]), (len(every), 1, 1))
    return len(same), fit_log_ratios(asked_again, np.array(right, float), [one.problem for one, _ in every])


def combination(samples: Sequence[FormSample], priced: LogRatios) -> tuple[float, float]:
    """−log of the ratio of accuracies of the form with all changes: as measured, and as the prices add up to."""
    changed = [(one.forms[ORIGINAL].right, one.forms[COMBINED].right, one.forms[COMBINED].changes) for one in samples]
    before, after = (sum(sum(one[which].values()) for one in changed) for which in (0, 1))
    expected = [
        sum(right.values()) * np.exp(-sum(priced.estimates[i] * amounts[kind] for i, kind in enumerate(PRICED)))
        for right, _, amounts in changed
    ]
    return -log(after / before), -log(float(sum(expected)) / before)


def newcombe(changed: tuple[int, int], unchanged: tuple[int, int]) -> tuple[float, float, float]:
    """A difference of two independent shares with Newcombe's 95 % interval (1998, method 10).

    >>> [round(one, 2) for one in newcombe((56, 70), (48, 80))]
    [0.2, 0.05, 0.33]
    """
    (low, high), (other_low, other_high) = wilson(*changed), wilson(*unchanged)
    one, other = changed[0] / changed[1], unchanged[0] / unchanged[1]
    below = ((one - low) ** 2 + (other_high - other) ** 2) ** 0.5
    above = ((high - one) ** 2 + (other - other_low) ** 2) ** 0.5
    return one - other, one - other - below, one - other + above


def as_json(found: Sequence[Question], corrected: Sequence[float], repaired: Recovery, p: float) -> dict[str, object]:
    """The content of `analyze/risk/prices.json`; a kind has a price if its corrected p-value is below 5 %."""
    kinds = {}
    for one, value in zip(found, corrected, strict=True):
        low, high = one.fit.interval(one.index)
        detectable = one.fit.detectable(one.index, len(found) + 1)
        numbers = {"estimate": one.fit.estimates[one.index], "low": low, "high": high, "p": value}
        kinds[one.kind] = {name: round(float(n), 5) for name, n in {**numbers, "detectable": detectable}.items()}
    priced = [one for one, value in zip(found, corrected, strict=True) if value < LEVEL and one.kind in PRICED]
    places = [one.index for one in priced]
    estimate, low, high = newcombe(repaired.changed, repaired.unchanged)
    share = {"estimate": round(estimate, 3), "low": round(low, 3), "high": round(high, 3)}
    return {
        "made_by": "python -m lab.evidence.prices --write",
        "priced": [one.kind for one in priced],
        "kinds": kinds,
        "covariance": [[round(float(found[0].fit.covariance[i, j]), 9) for j in places] for i in places],
        "quantile": round(float(scipy.stats.t.ppf(0.975, found[0].fit.problems - 1)), 4),
        "repaired": {**share, "supported": p < LEVEL and low > 0},
    }


def table(found: Sequence[Question], corrected: Sequence[float]) -> list[tuple[str, ...]]:
    """The rows of COLUMNS."""
    rows: list[tuple[str, ...]] = []
    for one, p in zip(found, corrected, strict=True):
        low, high = one.fit.interval(one.index)
        interval = f"{one.fit.estimates[one.index]:+.3f} [{low:+.3f}, {high:+.3f}]"
        smallest = one.fit.detectable(one.index, len(found) + 1)
        rows.append((one.kind, str(one.programs), interval, format_p(p), f"{smallest:.3f}"))
    return rows


def main(argv: Sequence[str] | None = None) -> int:
    """Prints the prices; returns 0."""
    parser = argparse.ArgumentParser(prog="python -m lab.evidence.prices", description=(__doc__ or "").split("\n")[0])
    add_data_option(parser)
    parser.add_argument("--write", action="store_true", help=f"save the prices in {FILE.name}")
    arguments = parser.parse_args(argv)
    try:
        samples = read_samples(read_rows(arguments.data / FORMS), trace_length)
        repaired = recoveries(read_rows(arguments.data / FAILURES)).get("cruxeval")
        if repaired is None:
            raise InputError("has no failures of cruxeval that were only asked again", where=FAILURES)
        found = measure(samples)
    except InputError as error:
        parser.error(str(error))
    *corrected, p = holm([*(one.fit.p(one.index) for one in found), repaired.p])
    console = output_console()
    sys.stdout.write("\n".join(markdown_table(COLUMNS, table(found, corrected))) + "\n\n")
    print_lines(console, *_sentences(samples, found, repaired, p))
    if arguments.write:
        FILE.write_text(json.dumps(as_json(found, corrected, repaired, p), indent=1) + "\n", encoding="utf-8")
        note(f"wrote {FILE}")
    return 0


def _sentences(samples: Sequence[FormSample], found: Sequence[Question], repaired: Recovery, p: float) -> list[str]:
    models = len(samples[0].forms[ORIGINAL].right)
    problems = found[0].fit.problems
    sizes = f"{len(samples)} samples of {problems} problems, {models} models"
    lines = [f"{sizes}. p: corrected for {len(found) + 1} questions (Holm)."]
    count, control = unchanged_control(samples)
    if control is not None:
        low, high = control.interval(0)
        lines.append(
            f"Control, {count} unchanged programs asked again: {control.estimates[0]:+.3f} [{low:+.3f}, {high:+.3f}]."
        )
    measured, added = combination(samples, found[0].fit)
    lines.append(f"All three kinds together: {measured:+.3f} measured, {added:+.3f} as the sum of the prices.")
    estimate, low, high = newcombe(repaired.changed, repaired.unchanged)
    (one, every), (other, again) = repaired.changed, repaired.unchanged
    lines.append(
        f"Repaired by temporaries: {one} of {every}; by asking again: {other} of {again}; "
        f"net {estimate:.2f} [{low:.2f}, {high:.2f}], {format_p(p)} corrected."
    )
    return lines


if __name__ == "__main__":
    sys.exit(main())
