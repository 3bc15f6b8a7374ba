"""`spellout verify`: checks the equivalence of two programs by executing both on the same inputs.

Prints the verdict of `rewrite.equivalence.check`.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import islice
from typing import get_args

from corpora.errors import InputError
from corpora.foreign_text import one_line
from rewrite.equivalence.check import SECONDS, Verdict, check_equivalence
from rewrite.equivalence.input_types import InputTypes
from rewrite.equivalence.observation import ExceptionPolicy
from runner.batch_rewriting.assumption_file import (
    RecordedAssumptions,
    assumption_file,
    read_assumption_file,
    recorded_assumptions,
)
from runner.inputs.program_files import read_program
from runner.statistics.groups import grouped
from runner.terminal.options import add_flag, add_repeatable, add_seconds_option
from runner.terminal.waiting import show_waiting

OBSERVERS = ("rewrite.equivalence.path_observer:PathObserver",)
SUMMARY = "check two programs for equivalence by executing both on the same inputs"
RUNS_PROGRAMS = True
EXAMPLES = """
  spellout verify before.py after.py --call "f('a-b', 2)"
  spellout verify before.py after.py --examples 1000 --json
  spellout rewrite before.py --call "f('a-b', 2)" --output after.py
  spellout verify before.py after.py              knows what this rewrite assumes, and its calls

exit status:
  0  equivalent: no difference found
  1  different
  2  wrong usage or unreadable input
  3  undecided: every input raised, none reached the code that differs, or a call could not be compared
"""
NAMES = {True: "equivalent", False: "different", None: "undecided"}
STATUS = {True: 0, False: 1, None: 3}
MAX_REASONS = 5


def configure(parser: argparse.ArgumentParser) -> None:
    """The options of `spellout verify`."""
    parser.add_argument("before", metavar="BEFORE", help="the original program, or - for standard input")
    parser.add_argument("after", metavar="AFTER", help="the rewritten program")
    add_repeatable(parser, "--call", "CALL", "a call to compare on, and to derive further inputs from; repeatable")
    parser.add_argument(
        "--examples", type=int, default=100, metavar="N", help="number of generated inputs (default: 100)"
    )
    parser.add_argument(
        "--assumes",
        metavar="FILE",
        help="output of `spellout rewrite --json`: compare only on inputs that meet its assumptions (default: what "
        "`spellout rewrite --output AFTER` recorded)",
    )
    parser.add_argument(
        "--inputs",
        choices=get_args(InputTypes),
        default="same-types",
        help="types of the generated inputs: those that the given calls have, or any (default: same-types)",
    )
    parser.add_argument(
        "--exceptions",
        choices=get_args(ExceptionPolicy),
        default="message",
        help="how exceptions are compared (default: message, which includes the type)",
    )
    add_flag(
        parser,
        "--symbolic",
        "also search with CrossHair, which runs both programs outside the sandbox (extra: symbolic)",
    )
    add_seconds_option(parser, SECONDS, "time limit, in seconds; undecided if no difference is found until then")
    add_flag(parser, "--json", "print the verdict as one JSON object")


def run(arguments: argparse.Namespace) -> int:
    """Prints the verdict. Returns 0 if no difference was found, 1 for a difference, 3 for undecided."""
    if arguments.examples < 0:
        raise InputError("must not be negative", where="--examples")
    before, after = read_program(arguments.before), read_program(arguments.after)
    known = _assumptions(arguments, before, after)
    with show_waiting("comparing"):
        verdict = check_equivalence(
            before,
            after,
            arguments.call or known.calls,
            examples=arguments.examples,
            inputs=arguments.inputs,
            seconds=arguments.seconds,
            symbolic=arguments.symbolic,
            assumes=known.assumes,
            exceptions=arguments.exceptions,
        )
    text = json.dumps(asdict(verdict)) if arguments.json else "\n".join(map(one_line, report(verdict)))
    sys.stdout.write(text + "\n")
    return STATUS[verdict.equivalent]


def _assumptions(arguments: argparse.Namespace, before: str, after: str) -> RecordedAssumptions:
    """The assumptions of `--assumes`, or those that `spellout rewrite` recorded beside AFTER."""
    if arguments.assumes is not None:
        return RecordedAssumptions(read_assumption_file(arguments.assumes))
    known = recorded_assumptions(arguments.after, before, after) or RecordedAssumptions()
    path = assumption_file(arguments.after)
    what = "the calls and assumptions" if known.assumes else "the calls"
    note = known.stale or (f"{path}: compares with {what} of the rewrite" if known.calls else "")
    if note:
        sys.stderr.write(f"spellout: {one_line(note)}\n")
    return known


def report(verdict: Verdict) -> list[str]:
    """The lines to print: the verdict, its evidence, and what was not compared."""
    lines = [f"{NAMES[verdict.equivalent]}: {verdict.why}"]
    if verdict.counterexample:
        lines += str(verdict.counterexample).split("\n")
    if verdict.unlike:
        one = verdict.unlike
        lines.append(
            f"note: in every given call, {one.expression} {one.what} (line {one.line}), and not in this one: if the "
            "rewrite assumes it, pass its assumptions with --assumes FILE"
        )
    if verdict.other_types:
        lines += ["note: they differ on types that no given call has (--inputs any counts them):"]
        lines += [f"  {line}" for line in str(verdict.other_types).split("\n")]
    if verdict.raised:
        lines.append(f"the original raised an exception on {verdict.raised} of {verdict.tried} inputs")
    lines += [*_excluded("outside", verdict.outside), *_excluded("not compared", verdict.undecided)]
    return lines + _not_reached(verdict)


def _excluded(what: str, calls: Sequence[tuple[str, str]]) -> Iterator[str]:
    """A line for each reason, with the first of its inputs."""
    by_reason = grouped(calls, lambda pair: pair[1])
    for reason, pairs in islice(by_reason.items(), MAX_REASONS):
        more = f" and {len(pairs) - 1} more" if len(pairs) > 1 else ""
        yield f"{what}: {pairs[0][0]}{more}: {reason}"
    if len(by_reason) > MAX_REASONS:
        yield f"{what}: {sum(map(len, list(by_reason.values())[MAX_REASONS:]))} more"


def _not_reached(verdict: Verdict) -> list[str]:
    found = verdict.reached
    lines = []
    if found.lines or found.missed_lines:
        total = len(found.lines) + len(found.missed_lines)
        missing = f"; not reached: {', '.join(map(str, found.missed_lines))}" if found.missed_lines else ""
        lines.append(f"lines of BEFORE reached: {len(found.lines)} of {total}{missing}")
    lines += [f"line {line}: its test was {what}" for line, what in found.missed_branches]
    return [*lines, found.note] if found.note else lines
