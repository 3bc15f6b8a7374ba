"""How well the predicted chance of a repair agrees with what published rewrites of failures repaired.

    python -m lab.evidence.repairs [FAILURES] [--data DIR]

FAILURES (default: those in DIR) has rows with `id`, `code`, `call`, `output`, `status`, `paper_rewrite` and
`recovered_by`. Rewrites that change nothing are left out. Printed are, for each prediction, the number of repairs that
it expects, how often it ranks a repaired failure above another one (AUROC, with its 95 % interval over resampled
failures), and the repairs expected and seen by thirds of the prediction. The chance has no parameter that was fitted to
rewrites. Hazards of a program that the reliability map was fitted on come from weights that were fitted without it.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from analyze.gold_trace.trace import Trace, trace_call
from analyze.risk.risk_model import RiskWeights as RiskWeights
from corpora import Row, read_rows
from corpora.errors import InputError
from lab.evidence.pairs import FAILURES
from lab.evidence.rewrite_effects import changes_program
from lab.exposure.held_out_weights import held_out_risk_weights
from lab.published_data import add_data_option
from lab.risk.calibrate import auroc, confidence_interval
from rewrite.planner.objective import ProgramRisk, predict_risk
from rewrite.planner.repair import KnownFailure, find_failure, predict_repair
from runner.terminal.console import output_console, print_lines, progress_bar
from runner.terminal.tables import markdown_table

COLUMNS = ("prediction", "expected repairs", "AUROC (95 % interval)", "by thirds: expected, seen")


@dataclass(frozen=True)
class PredictedRepair:
    """A rewritten failure.

    Attributes:
        repaired: Whether the model got the rewrite right.
        anywhere: The chance of a repair if only the failure is known.
        there: The same if the step that went wrong is known.
        right: One minus the predicted risk of the rewrite.
        fall: How much the predicted risk falls.
    """

    repaired: bool
    anywhere: float
    there: float
    right: float
    fall: float


PREDICTIONS = {
    "chance of a repair, the wrong step known": "there",
    "chance of a repair": "anywhere",
    "1 − risk of the rewrite": "right",
    "fall of the risk": "fall",
}


def predict_repairs(rows: Iterable[object], weights: dict[str, RiskWeights]) -> list[PredictedRepair]:
    """The rewritten failures with a wrong answer.

    Args:
        rows: The failures, as `corpora.read_rows` returns them.
        weights: Weights of the reliability map by id; others get the published ones.
    """
    found = []
    with progress_bar() as progress:
        for row in progress.track(list(rows), description="failures"):
            fields = row.fields if isinstance(row, Row) else {}
            if fields.get("status") == "wrong" and changes_program(fields.get("code"), fields.get("paper_rewrite")):
                one = _predicted(fields, weights.get(str(fields.get("id"))))
                found += [one] if one is not None else []
    return found


def predicted_repair(
    before: Trace, after: Trace, output: str, repaired: bool, weights: RiskWeights | None = None
) -> PredictedRepair | None:
    """What the reliability map says about a rewrite of a failure.

    Args:
        before: The trace of the program.
        after: The trace of the rewrite.
        output: The model's output for the program.
        repaired: Whether the model got the rewrite right.
        weights: Of the map; None for the published ones.

    Returns:
        None if a trace is incomplete or the output is right.
    """
    risks = [_risk(trace, weights) for trace in (before, after)]
    failure = find_failure(before, output) if before.cut is None else None
    old, new = risks
    if old is None or new is None or failure is None:
        return None
    return PredictedRepair(
        repaired,
        predict_repair(old.steps, new.steps, KnownFailure()).chance,
        predict_repair(old.steps, new.steps, failure).chance,
        1 - new.risk,
        old.risk - new.risk,
    )


def _predicted(fields: Mapping[str, object], weights: RiskWeights | None) -> PredictedRepair | None:
    before, after = (trace_call(str(fields[name]), str(fields["call"])) for name in ("code", "paper_rewrite"))
    return predicted_repair(before, after, str(fields["output"]), fields.get("recovered_by") is not None, weights)


def _risk(trace: Trace, weights: RiskWeights | None) -> ProgramRisk | None:
    return predict_risk([trace], weights) if trace.cut is None else None


def table(found: Sequence[PredictedRepair]) -> list[tuple[str, str, str, str]]:
    """The rows of `COLUMNS`."""
    repaired = [one.repaired for one in found]
    rows = []
    for name, field in PREDICTIONS.items():
        values = [float(getattr(one, field)) for one in found]
        low, high = confidence_interval(values, repaired)
        is_chance = name != "fall of the risk"
        expected = f"{sum(values):.1f} of {len(values)}" if is_chance else ""
        thirds = "; ".join(_thirds(values, repaired)) if is_chance else ""
        rows.append((name, expected, f"{auroc(values, repaired):.2f} [{low:.2f}, {high:.2f}]", thirds))
    return rows


def _thirds(values: Sequence[float], repaired: Sequence[bool]) -> list[str]:
    order = sorted(range(len(values)), key=lambda at: values[at])
    cuts = [len(order) * third // 3 for third in range(4)]
    parts = [order[start:end] for start, end in pairwise(cuts)]
    return [f"{sum(values[at] for at in part):.1f}, {sum(repaired[at] for at in part)}" for part in parts]


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints the table."""
    description, _, epilog = (__doc__ or "").partition("\n\n")
    parser = argparse.ArgumentParser(
        prog="python -m lab.evidence.repairs",
        description=description,
        epilog=epilog,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("failures", metavar="FAILURES", nargs="?", type=Path, help="failures with rewrites")
    add_data_option(parser)
    options = parser.parse_args(arguments)
    file = options.failures or options.data / FAILURES
    try:
        found = predict_repairs(read_rows(file), held_out_risk_weights(options.data))
        if len({one.repaired for one in found}) < 2:
            raise InputError("needs rewritten failures of both kinds, repaired and not", where=str(file))
    except InputError as error:
        sys.stderr.write(f"repairs: {error}\n")
        return 2
    print_lines(
        output_console(),
        f"{len(found)} rewritten failures, {sum(one.repaired for one in found)} repaired",
        *markdown_table(COLUMNS, table(found)),
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
