"""Labels that execution contradicts: what a row says that its call gives, held against what the call gives.

A label is wrong only where that is certain: another value, or an exception in its place. Equal values of other types
(`1`, `True`) are told apart from it, as are labels that cannot be judged. What it does not do: read rows, or mend them.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Literal

from analyze.diagnosis.answers import same_value
from corpora.execute import run_call
from corpora.nondeterminism import dependences
from corpora.program import Outcome

Verdict = Literal["right", "wrong", "another type", "unsure"]
CONTRADICTED = ("wrong", "another type")
"""Answers are graded by exact types, so a label of another type makes a right answer wrong."""


@dataclass(frozen=True)
class LabelCheck:
    """A label that was looked at: where it stands, the call, the label, what the call gives, and what that means."""

    number: int
    where: str
    call: str
    label: str
    gives: str
    verdict: Verdict

    def __str__(self) -> str:
        gives = "cannot be held against it" if self.verdict == "unsure" else f"gives {_cut(self.gives)}"
        kind = ", equal and of another type" if self.verdict == "another type" else ""
        reason = f" ({_cut(self.gives)})" if self.verdict == "unsure" else ""
        return f"{self.where}: {_cut(self.call)} {gives}{reason}, the label says {_cut(self.label)}{kind}"


def compare(truth: str, label: str) -> Verdict:
    """A true result and a label, both as reprs; "unsure" where one of them is no literal and the texts differ.

    >>> compare("[1, 2]", "[1,2]"), compare("2", "99"), compare("True", "1"), compare("<object>", "1")
    ('right', 'wrong', 'another type', 'unsure')
    """
    if same_value(truth, label.strip()):
        return "right"
    try:
        one, other = ast.literal_eval(truth), ast.literal_eval(label.strip())
        return "another type" if one == other else "wrong"
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError):
        return "unsure"


def check_label(source: str, call: str, label: str, outcome: Outcome) -> tuple[Verdict, str]:
    """What the label of a call is worth, given what the call did, and what it gives, in words.

    Where the texts alone do not tell, the label is evaluated beside the call, in the program's own namespace.
    """
    verdict, gives = _judged(source, call, label, outcome)
    unsteady = dependences(source, call) if verdict in CONTRADICTED else ()
    return ("unsure", f"it depends on {' and '.join(unsteady)}") if unsteady else (verdict, gives)


def _judged(source: str, call: str, label: str, outcome: Outcome) -> tuple[Verdict, str]:
    if outcome.status == "raised" and outcome.exception:
        name, text = outcome.exception
        named = label.strip() in {name, f"{name}: {text}", f"{name}({text!r})", f"{name}()"}
        return ("right" if named else "wrong"), f"{name}: {text}"
    if outcome.status != "ok" or outcome.value is None:
        return "unsure", outcome.detail or outcome.status
    verdict = compare(outcome.value, label)
    return (verdict if verdict != "unsure" else _evaluated(source, call, label, outcome.value)), outcome.value


def _evaluated(source: str, call: str, label: str, truth: str) -> Verdict:
    alone = run_call(source, label.strip())
    if alone.status != "ok" or alone.value is None:
        return "unsure"
    if same_value(truth, alone.value):
        return "right"
    equal = run_call(source, f"({call}) == ({label.strip()})")
    verdicts: dict[str | None, Verdict] = {"True": "another type", "False": "wrong"}
    return verdicts.get(equal.value, "unsure")


def _cut(text: str, most: int = 100) -> str:
    line = " ".join(text.split("\n"))
    return line if len(line) <= most else line[: most - 1] + "…"
