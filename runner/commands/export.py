"""`spellout export`: results in the forms of other tools.

`evalplus`: HumanEval's programs, rewritten, as the samples that EvalPlus takes (`task_id`, `solution`). They are
rewritten without calls, so that nothing is assumed of inputs: EvalPlus has many more than HumanEval.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path

from corpora.benchmarks.humaneval import problems, program
from corpora.errors import InputError
from rewrite import recipe_names
from rewrite.placebo import PLACEBO
from runner.console import error_console, progress_bar
from runner.rewriters import shared

SUMMARY = "HumanEval's programs, rewritten, in the form that EvalPlus takes"
FORMS = ("evalplus",)
EXAMPLES = """
  spellout export evalplus --recipe decompose --out samples.jsonl
  evalplus.evaluate --dataset humaneval --samples samples.jsonl
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """The options of `spellout export`."""
    parser.add_argument("form", choices=FORMS, metavar="FORM", help="evalplus")
    recipes = (*recipe_names(), PLACEBO)
    parser.add_argument("--recipe", choices=recipes, default="decompose", metavar="R", help="(decompose)")
    parser.add_argument("--out", metavar="FILE", default="-", help="where to (standard output)")


def run(arguments: argparse.Namespace) -> int:
    """Writes a row a problem; one that is left as it is has its own program. 0 when done."""
    rows = list(_rows(arguments.recipe))
    try:
        with (
            nullcontext(sys.stdout) if arguments.out == "-" else Path(arguments.out).open("w", encoding="utf-8") as file
        ):
            file.writelines(json.dumps({"task_id": name, "solution": text}) + "\n" for name, text, _ in rows)
    except OSError as error:
        if arguments.out == "-":
            raise  # the command line speaks for standard output
        raise InputError(f"cannot be written: {error.strerror}", where=arguments.out) from error
    left = [name for name, _, changed in rows if not changed]
    said = f"{len(rows)} problems, {len(rows) - len(left)} of them rewritten by {arguments.recipe}"
    error_console().print(f"{said}{'; as they are: ' + ', '.join(left) if left else ''}", soft_wrap=True)
    return 0


def _rows(recipe: str) -> Iterator[tuple[str, str, bool]]:
    """Id, program and whether it was rewritten. What could not be rewritten is left as it is."""
    with progress_bar() as progress:
        for problem in progress.track(list(problems()), description=f"rewriting by {recipe}"):
            source = program(problem) + "\n"
            try:
                found = shared().rewrite(source, recipe)
            except InputError:
                yield problem["task_id"], source, False
            else:
                yield problem["task_id"], found.source, found.changed
