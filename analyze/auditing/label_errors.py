"""Checks labels by execution: compares the expected value of a row with what its call returns.

A label is wrong only if that is certain: another value, or an exception instead. Equal values of other types (`1`,
`True`) are a verdict of their own, as are labels that cannot be judged.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from analyze.diagnosis.answer_comparison import same_value
from corpora.execute import run_call
from corpora.literals import parse_literal
from corpora.nondeterminism import dependences
from corpora.program import Outcome

LabelVerdict = Literal["right", "wrong", "another type", "unsure"]
CONTRADICTED = ("wrong", "another type")
"""Verdicts that count as contradicted. Answers are graded by exact types, so a label of another type makes a correct
answer wrong.
"""


@dataclass(frozen=True)
class LabelCheck:
    """A label that was checked.

    Attributes:
        number: The row's number, from 1.
        where: `FILE:LINE` of the row.
        call: The call.
        label: The expected value in the row.
        gives: What the call returns, or the reason why the label cannot be judged.
        verdict: The result of the comparison.
    """

    number: int
    where: str
    call: str
    label: str
    gives: str
    verdict: LabelVerdict

    def __str__(self) -> str:
        gives = "cannot be compared" if self.verdict == "unsure" else f"gives {_cut(self.gives)}"
        kind = ", equal and of another type" if self.verdict == "another type" else ""
        reason = f" ({_cut(self.gives)})" if self.verdict == "unsure" else ""
        return f"{self.where}: {_cut(self.call)} {gives}{reason}, the label says {_cut(self.label)}{kind}"


def compare_label(truth: str, label: str) -> LabelVerdict:
    """Compares a true result with a label, both as reprs; "unsure" if one is not a literal and the texts differ.

    >>> compare_label("[1, 2]", "[1,2]"), compare_label("2", "99"), compare_label("True", "1")
    ('right', 'wrong', 'another type')
    >>> compare_label("<object>", "1")
    'unsure'
    """
    if same_value(truth, label.strip()):
        return "right"
    try:
        one, other = parse_literal(truth), parse_literal(label.strip())
        return "another type" if one == other else "wrong"
    except ValueError:
        return "unsure"


def check_label(source: str, call: str, label: str, outcome: Outcome) -> tuple[LabelVerdict, str]:
    """Returns the verdict on a call's label, and what the call returns, in words.

    If the texts alone do not decide, the label is evaluated in the program's own namespace.

    Args:
        source: The program.
        call: The call.
        label: The expected value.
        outcome: The outcome of running the call.
    """
    verdict, gives = _judged(source, call, label, outcome)
    nondeterminism = dependences(source, call) if verdict in CONTRADICTED else ()
    return ("unsure", f"it depends on {' and '.join(nondeterminism)}") if nondeterminism else (verdict, gives)


def _judged(source: str, call: str, label: str, outcome: Outcome) -> tuple[LabelVerdict, str]:
    if outcome.status == "raised" and outcome.exception:
        name, text = outcome.exception
        named = label.strip() in {name, f"{name}: {text}", f"{name}({text!r})", f"{name}()"}
        return ("right" if named else "wrong"), f"{name}: {text}"
    if outcome.status != "ok" or outcome.value is None:
        return "unsure", outcome.detail or outcome.status
    verdict = compare_label(outcome.value, label)
    return (verdict if verdict != "unsure" else _evaluated(source, call, label, outcome.value)), outcome.value


def _evaluated(source: str, call: str, label: str, truth: str) -> LabelVerdict:
    alone = run_call(source, label.strip())
    if alone.status != "ok" or alone.value is None:
        return "unsure"
    if same_value(truth, alone.value):
        return "right"
    equal = run_call(source, f"({call}) == ({label.strip()})")
    verdicts: dict[str | None, LabelVerdict] = {"True": "another type", "False": "wrong"}
    return verdicts.get(equal.value, "unsure")


def _cut(text: str, most: int = 100) -> str:
    line = " ".join(text.split("\n"))
    return line if len(line) <= most else line[: most - 1] + "…"
