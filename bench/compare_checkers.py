"""Compares four equivalence checkers on the corpus of seeded faults: faults found, and false alarms.

    python bench/compare_checkers.py [--output runs/checkers.jsonl]

Writes one line per checker and pair of programs to the file, resumes an earlier call, and prints the tables of
docs/equivalence.md. CrossHair and the ghostwriter need the extra `symbolic` (the latter uses black). `make bench` does
not run it, because CrossHair alone takes several minutes.
"""

from __future__ import annotations

import ast
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from harness import command, measured, print_table

from rewrite import check_equivalence
from rewrite.equivalence.call_inputs import call_strategy, draw_distinct
from rewrite.equivalence.crosshair import run_crosshair
from tests.places import ROOT
from tests.rewrite.faults import Fault, corpus

CROSSHAIR_SECONDS = 1.0  # processor time per pair
SECONDS = 900  # wall time: on a busy machine, processor time accumulates slowly

GHOSTWRITTEN = """
import sys, warnings
sys.path.insert(0, ".")
import before_program, after_program
from hypothesis import settings, HealthCheck
from hypothesis.extra import ghostwriter
quiet = settings(database=None, derandomize=True, suppress_health_check=list(HealthCheck), deadline=None)
settings.register_profile("quiet", quiet)
settings.load_profile("quiet")
text = ghostwriter.equivalent(before_program.f, after_program.f, allow_same_errors=True)
space = {}
exec(text, space)
tests = [held for name, held in space.items() if name.startswith("test_")]
try:
    tests[0]()
except BaseException:
    print("\\ndiffers")
else:
    print("\\nsame")
"""

# Like EvalPlus: inputs on which the reference raises are dropped; results are compared by == or, for floats, within a
# tolerance; output, arguments and globals are ignored.
EVALPLUS = """
import sys, json, math, io, contextlib
sys.path.insert(0, ".")
import before_program, after_program
def close(a, b):
    if isinstance(a, float) or isinstance(b, float):
        try:
            return a == b or math.isclose(a, b, rel_tol=1e-6, abs_tol=1e-6) or (a != a and b != b)
        except TypeError:
            return False
    return a == b
calls = json.load(open("calls.json"))
for call in calls:
    with contextlib.redirect_stdout(io.StringIO()):
        try:
            expected = eval(call, {"f": before_program.f})
        except Exception:
            continue
        try:
            found = eval(call, {"f": after_program.f})
            same = close(found, expected)
        except Exception:
            same = False
    if not same:
        print("\\ndiffers")
        break
else:
    print("\\nsame")
"""


def spellout(fault: Fault, after: str) -> bool | None:
    return check_equivalence(fault.before, after, fault.calls, inputs="any").equivalent


def crosshair(fault: Fault, after: str) -> bool | None:
    return run_crosshair(fault.before, after, "f", seconds=CROSSHAIR_SECONDS).equivalent


def ghostwriter(fault: Fault, after: str) -> bool | None:
    return scripted(GHOSTWRITTEN, fault, after, [])


def evalplus_style(fault: Fault, after: str) -> bool | None:
    """Uses the same inputs as Spellout, so that only the comparison differs."""
    return scripted(EVALPLUS, fault, after, varied_calls(fault))


def varied_calls(fault: Fault) -> list[str]:
    """The calls of a fault, and a hundred drawn like them."""
    return [*fault.calls, *draw_distinct(call_strategy(ast.parse(fault.before), fault.calls), 100)]


def scripted(script: str, fault: Fault, after: str, calls: list[str]) -> bool | None:
    """Run a script in a folder with both programs. It prints "same" or "differs"."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        (place / "before_program.py").write_text(fault.before, encoding="utf-8")
        (place / "after_program.py").write_text(after, encoding="utf-8")
        (place / "calls.json").write_text(json.dumps(calls), encoding="utf-8")
        try:
            done = subprocess.run(
                [sys.executable, "-c", script], cwd=folder, capture_output=True, text=True, timeout=SECONDS
            )
        except subprocess.TimeoutExpired:
            return None
    answer = done.stdout.strip().splitlines()[-1:]
    return {"same": True, "differs": False}.get(answer[0]) if answer else None


CHECKERS: dict[str, Callable[[Fault, str], bool | None]] = {
    "Spellout": spellout,
    "EvalPlus-style": evalplus_style,
    "Hypothesis ghostwriter": ghostwriter,
    "CrossHair diffbehavior": crosshair,
}


Checked = dict[str, object]
"""A row of the file: what a checker says about a pair of programs."""


def measure(out: Path, checkers: list[str], workers: int) -> list[Checked]:
    """Run every checker on every pair. Results that the file already contains for the same programs are reused."""
    out.parent.mkdir(parents=True, exist_ok=True)
    known: list[Checked] = [json.loads(line) for line in out.read_text().splitlines()] if out.exists() else []
    done = {(row["checker"], row["before"], row["after"]): row for row in known}
    work = [(name, fault, wrong) for name in checkers for fault in corpus() for wrong in (True, False)]
    keys = [(name, fault.before, fault.wrong if wrong else fault.right) for name, fault, wrong in work]
    rows = [done[key] for key in keys if key in done]
    missing = [task for task, key in zip(work, keys, strict=True) if key not in done]
    # In processes: CPython's parser is not safe in threads, and neither is the recursion limit that a rewrite raises.
    with out.open("a") as file:
        for row in measured(checked, missing, "checking", workers):
            file.write(json.dumps(row) + "\n")
            file.flush()
            rows.append(row)
    return rows


def checked(task: tuple[str, Fault, bool]) -> Checked:
    """What a checker says about a pair: its name, the fault, and whether the wrong rewrite is meant."""
    name, fault, wrong = task
    after = fault.wrong if wrong else fault.right
    row: Checked = {"checker": name, "fault": fault.name, "kind": fault.kind, "wrong": wrong}
    return row | {"equivalent": CHECKERS[name](fault, after), "before": fault.before, "after": after}


def summary(name: str, rows: list[Checked]) -> tuple[object, ...]:
    """The row of a checker: faults found, false alarms on correct rewrites, and undecided pairs."""
    own = [row for row in rows if row["checker"] == name]
    verdicts = [[row["equivalent"] for row in own if row["wrong"] is wrong] for wrong in (True, False)]
    found, false = (f"{some.count(False)} of {len(some)}" for some in verdicts)
    return name, found, false, sum(some.count(None) for some in verdicts)


def by_kind(kind: str, rows: list[Checked], checkers: list[str]) -> tuple[object, ...]:
    """The row of a kind of fault: how many there are, and how many each checker finds."""
    faults = [row for row in rows if row["kind"] == kind and row["wrong"]]
    found = [row["checker"] for row in faults if row["equivalent"] is False]
    return kind, len(faults) // len(checkers), *map(found.count, checkers)


def main() -> None:
    parser = command(__doc__)
    parser.add_argument("--output", type=Path, default=ROOT / "runs" / "checkers.jsonl")
    parser.add_argument("--only", choices=CHECKERS, action="append", help="use only this checker; may be repeated")
    parser.add_argument("--workers", type=int, default=2, help="pairs checked in parallel (default: 2)")
    arguments = parser.parse_args()
    checkers = arguments.only or list(CHECKERS)
    rows = measure(arguments.output, checkers, arguments.workers)
    summaries = (summary(name, rows) for name in checkers)
    print_table(("checker", "faults found", "false alarms", "undecided"), summaries, "---")
    print()
    kinds = sorted({str(row["kind"]) for row in rows})
    counts = (by_kind(kind, rows, checkers) for kind in kinds)
    print_table(("kind of fault", "faults", *checkers), counts, "---")


if __name__ == "__main__":
    main()
