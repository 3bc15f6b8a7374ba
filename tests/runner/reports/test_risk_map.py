"""What `spellout assess` prints: how the trace grows, and which steps it lists."""

from __future__ import annotations

from dataclasses import replace

import pytest

from analyze.cost.growth import Growth, GrowthPoint
from analyze.risk.records import Record
from runner.reports.risk_map import growth_lines, print_map
from runner.terminal.console import output_console

GROWN = Growth("7", (GrowthPoint(7, 9, 90), GrowthPoint(8, 9, 91)), None, None, "size 14 and 4 more: ValueError")
ALONE = Growth("[1]", (GrowthPoint(1, 9, 90),), None, None, "other sizes end otherwise: ValueError")


@pytest.mark.parametrize(
    ("found", "lines"),
    [
        ([], []),
        (
            [GROWN, ALONE],
            [
                "7, size 7 to 8: tokens 90 to 91, frames 9 to 9, of unknown order; all fit 8,192 tokens; "
                "size 14 and 4 more: ValueError",
                "[1]: not measured; other sizes end otherwise: ValueError",
            ],
        ),
        (
            [replace(GROWN, steps="constant", why="")],
            ["7, size 7 to 8: tokens of unknown order (90 to 91), frames constant (9 to 9); all fit 8,192 tokens"],
        ),
        (
            [
                ALONE,
                replace(ALONE, argument="[2]"),
                replace(ALONE, argument="'a'", why="other sizes end otherwise: KeyError"),
            ],
            [
                "[1], [2]: not measured; other sizes end otherwise: ValueError",
                "'a': not measured; other sizes end otherwise: KeyError",
            ],
        ),
    ],
)
def test_a_sentence_on_growth_is_said_once(found: list[Growth], lines: list[str]) -> None:
    assert list(growth_lines(found)) == lines


def record(*risks: float) -> Record:
    """The record of a program with these risks of its steps."""
    step = {"step": 4, "event": "return", "line": 2, "source": "return x", "values": [], "why": []}
    steps = [{**step, "risk": risk} for risk in risks]
    place = {"where": "a.py", "call": "f(1)", "text": "return x"}
    return {**place, "risk": max(risks), "frames": 0, "lines": {}, "hazards": {}, "notes": [], "steps": steps}


@pytest.mark.parametrize(
    ("risks", "shown"),
    [
        ((0.004, 0.001), ["no step has a risk of 1% or more"]),
        ((0.2, 0.006, 0.004), ["riskiest steps", "    20%  step 4", "     1%  step 4"]),
    ],
)
def test_steps_without_risk_are_not_listed(
    risks: tuple[float, ...], shown: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    print_map(output_console(), record(*risks), 10)
    lines = capsys.readouterr().out.splitlines()[4:]
    assert [line.partition(",")[0] for line in lines] == shown
