"""A run as a story on one screen: `python -m lab.demo_story RUN`, the output of `make demo`.

It shows one failed program with its first divergence, the rewrite, the answer to the rewritten program, and one table.
The rule that selects the program is printed, and if no failed program is repaired, the story says so. All figures come
from the records of the run.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from analyze import diagnose, trace_call
from corpora.errors import InputError
from rewrite.baselines import PLACEBO
from runner.records.samples import ORIGINAL, Sample, read_samples
from runner.reports.debugger.believed_trace import BelievedTrace, Variable, believed_trace
from runner.statistics.intervals import format_interval
from runner.statistics.repeated_answers import estimate_accuracy
from runner.terminal.console import output_console, print_lines, styled
from runner.terminal.tables import Cells, on_one_line, print_sentences, terminal_table

COLUMNS = ("", "correct", "asked again", "of these correct")
MOST_FRAMES = 7
"""Frames that are shown of a trace: the last ones up to the first divergence, or up to the end."""
ROOM = 50
"""Characters of a source line that are shown."""
LIMITS = (
    "The control only renames variables. Limits: only failures are asked again, so no rewrite can lose here. `spellout "
    "run --full` asks all. In the experiment that asked pocket about all (docs/pocket.md), each recipe lost more right "
    "answers than it gained."
)


@dataclass(frozen=True)
class ShownProgram:
    """The program that the story is about.

    Attributes:
        first: the answer to the original program, which is wrong.
        again: the answer to the rewritten program; None if no failed program was asked again.
        rule: how the program was chosen.
    """

    first: Sample
    again: Sample | None
    rule: str


def choose_program(samples: Sequence[Sample], recipe: str) -> ShownProgram | None:
    """Returns the failed program to show; None if no answer is wrong.

    The best example has a rewrite that repairs the answer, each step of it, which the control does not. If there is
    none, the rule says what is shown instead. Of several, the one with the shortest reference trace is shown.
    """
    by_attempt = {(sample.pairing_key, sample.attempt): sample for sample in samples if sample.asked}
    failed = [one for one in samples if one.attempt == ORIGINAL and one.verdict == "incorrect" and one.diagnosis]
    both = [(one, by_attempt[key]) for one in failed if (key := (one.pairing_key, recipe)) in by_attempt]
    right = [(one, again) for one, again in both if again.is_correct]
    exact = [(one, again) for one, again in right if again.diagnosis and again.diagnosis.kind == "none"]
    controlled = [
        (one, again)
        for one, again in exact
        if (control := by_attempt.get((one.pairing_key, PLACEBO))) is not None and not control.is_correct
    ]
    for found, what in (
        (controlled, f"answered correctly after {recipe}, in each step, and not after the control"),
        (right, f"answered correctly after {recipe}; each is correct after the control too, or has a wrong step"),
        (both, f"answered again after {recipe}, none of them correctly"),
    ):
        if found:
            first, again = min(found, key=lambda pair: (pair[0].reference_tokens or sys.maxsize, pair[0].id))
            return ShownProgram(first, again, _rule(len(found), len(failed), what))
    if not failed:
        return None
    first = min(failed, key=lambda one: (one.reference_tokens or sys.maxsize, one.id))
    return ShownProgram(first, None, _rule(len(failed), len(failed), f"not changed by {recipe}"))


def _rule(count: int, failed: int, what: str) -> str:
    return f"the shortest trace of the {count} of {failed} failed programs that are {what}"


def print_story(samples: Sequence[Sample], recipe: str, folder: Path, console: Console) -> None:
    """Prints the story of a run.

    Args:
        samples: its records.
        recipe: the recipe that the story is about.
        folder: the folder of the run, for the next commands.
        console: where to print.
    """
    chosen = choose_program(samples, recipe)
    if chosen is None:
        print_sentences(console, "No answer is wrong, so there is nothing to rewrite.")
    else:
        _print_program(chosen, recipe, console)
    _title(console, "5. All programs, with 95 % confidence intervals; only failed ones are asked again")
    console.print(terminal_table(COLUMNS, list(table_rows(samples, recipe)), console.width))
    print_sentences(console, LIMITS)
    _title(console, "6. Next")
    print_lines(
        console,
        f"    spellout view {folder}",
        *([f"    spellout debug {folder} --id {chosen.first.id}"] if chosen else []),
        f"    spellout report {folder}",
    )


def _print_program(chosen: ShownProgram, recipe: str, console: Console) -> None:
    first, again = chosen.first, chosen.again
    _title(console, f"1. A program that {first.model} fails")
    print_sentences(console, f"Rule: {chosen.rule}.")
    if again is None or not again.is_correct:
        print_sentences(console, f"No failed program is answered correctly after {recipe}.")
    _print_source(first, console)
    _title(console, f"2. What {first.model} writes")
    _print_trace(first, console)
    if again is None:
        return
    _title(console, f"3. The rewrite by {recipe}: executed, with the same result")
    _print_source(again, console)
    _title(console, f"4. What {first.model} writes then")
    _print_trace(again, console)


def _title(console: Console, text: str) -> None:
    console.print(text, style="bold")


def _print_source(sample: Sample, console: Console) -> None:
    print_lines(console, *(styled(f"    {line}") for line in sample.source.rstrip().splitlines()))
    print_lines(console, styled(f"    {sample.call} returns {on_one_line(sample.reference, ROOM)}"))


def _print_trace(sample: Sample, console: Console) -> None:
    trace = trace_call(sample.source, sample.call, "state" if sample.grading == "state" else "return")
    shown = believed_trace(trace, sample.output, diagnose(trace, sample.output))
    answer = on_one_line(sample.predicted or "none", ROOM)
    print_lines(console, *trace_lines(shown), styled(f"    answer: {answer} ({sample.verdict})"))
    if sample.is_correct and any(pair.kind for pair in shown.pairs):
        print_sentences(console, "The answer is correct although a step before it is wrong.")


def trace_lines(shown: BelievedTrace) -> Iterator[str]:
    """The frames of an output up to its first divergence, or to the end of the called function, one line each.

    A frame has its event, its source line, and what the model writes out in it.
    """
    differing = next((index for index, pair in enumerate(shown.pairs) if pair.kind), None)
    end = len(shown.pairs) - 1 if differing is None else differing + 1
    inside = range(2, max(3, end))  # without `main`, which makes the call
    for index in inside[-MOST_FRAMES:]:
        source = on_one_line(shown.source(index).strip(), ROOM)
        written = ", ".join(map(_written, filter(lambda one: one.is_written, shown.variables(index))))
        yield f"    {shown.event(index):<10} {source:<34} {written}".rstrip()
        if index == differing:
            yield f"    ^ first divergence: {_difference(shown, index)}"


def _written(one: Variable) -> str:
    return f"{one.name}: {on_one_line(one.predicted or '', ROOM)}"


def _difference(shown: BelievedTrace, index: int) -> str:
    """What the reference trace has in a frame that differs."""
    predicted, reference = shown.frames(index)
    if reference is None or predicted is None:
        return "a frame too many" if reference is None else "the frame is not complete"
    if predicted.source != reference.source:
        return f"the line is {on_one_line(reference.source.strip(), ROOM)}"
    found = [one for one in shown.variables(index) if one.differs]
    return ", ".join(f"{one.name} is {on_one_line(one.reference or 'not there', ROOM)}" for one in found)


def table_rows(samples: Sequence[Sample], recipe: str) -> Iterator[Cells]:
    """The accuracy of a benchmark before, after the recipe, and after the control; with counts of the asked."""
    firsts = [sample for sample in samples if sample.attempt == ORIGINAL and sample.asked]
    yield ("before", _accuracy(firsts, set()), "", "")
    wrong = {sample.pairing_key for sample in firsts if not sample.is_correct}
    for attempt, name in ((recipe, f"after {recipe}"), (PLACEBO, "after the control")):
        again = [one for one in samples if one.attempt == attempt and one.asked and one.pairing_key in wrong]
        recovered = {one.pairing_key for one in again if one.is_correct}
        yield (name, _accuracy(firsts, recovered), str(len(again)), str(len(recovered)))


def _accuracy(firsts: Sequence[Sample], recovered: set[str]) -> str:
    correct = sum(sample.is_correct or sample.pairing_key in recovered for sample in firsts)
    interval = format_interval(estimate_accuracy(firsts, recovered).interval)
    return f"{correct} of {len(firsts)}: {100 * correct / max(1, len(firsts)):.1f} %{interval}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints a run as a story: one program, its rewrite, and the accuracy before and after."""
    parser = argparse.ArgumentParser(prog="python -m lab.demo_story", description=main.__doc__)
    parser.add_argument("run", metavar="RUN", type=Path, help="the folder of a run with a control (--recipe placebo)")
    parser.add_argument("--recipe", default="decompose", help="the recipe to show (default: decompose)")
    options = parser.parse_args(arguments)
    try:
        samples = list(read_samples(options.run / "samples.jsonl"))
        if not samples:
            raise InputError(f"no record in {options.run}")
    except (InputError, OSError) as error:
        sys.stderr.write(f"story: {error}\n")
        return 2
    print_story(samples, options.recipe, options.run, output_console())
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
