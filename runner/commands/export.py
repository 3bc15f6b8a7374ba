"""`spellout export`: results in the forms of other tools.

`evalplus`: HumanEval's programs, rewritten, as the samples that EvalPlus takes (`task_id`, `solution`). They are
rewritten without calls, so that nothing is assumed of inputs: EvalPlus has many more than HumanEval.

`inspect`: one attempt of a run as a log of inspect_ai (`runner.interchange.inspect_log`).
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from corpora.benchmarks.humaneval import problems, program
from corpora.errors import InputError
from corpora.writing.files import row_writer
from rewrite import recipe_names
from rewrite.baselines.placebo import PLACEBO
from runner.interchange.inspect_log import write_log
from runner.records.run_folder import SAMPLES, read_run, read_settings
from runner.records.samples import ORIGINAL
from runner.rewriting.processes import shared
from runner.terminal.console import error_console, progress_bar

SUMMARY = "a run as a log of inspect_ai; HumanEval's programs, rewritten, as EvalPlus takes them"
FORMS = ("evalplus", "inspect")
EXAMPLES = """
  spellout export evalplus --recipe decompose --output samples.jsonl
  evalplus.evaluate --dataset humaneval --samples samples.jsonl
  spellout export inspect runs/demo --output demo.eval
  spellout export inspect runs/demo --recipe decompose --output demo-decompose.json
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """The options of `spellout export`."""
    parser.add_argument("form", choices=FORMS, metavar="FORM", help=" or ".join(FORMS))
    parser.add_argument("run", nargs="?", type=Path, metavar="RUN", help="folder of a run (inspect)")
    recipes = (*recipe_names(), PLACEBO)
    parser.add_argument(
        "--recipe",
        choices=recipes,
        metavar="R",
        help="evalplus: what to rewrite by (decompose); inspect: the answers after which rewrite (those before any)",
    )
    parser.add_argument("--output", metavar="FILE", help="where to (evalplus: standard output; inspect: RUN.eval)")


def run(arguments: argparse.Namespace) -> int:
    """Writes what was asked for. 0 when done; InputError for a run that means nothing here, or is missing."""
    if arguments.form == "inspect":
        return _inspect(arguments.run, arguments.recipe or ORIGINAL, arguments.output)
    if arguments.run is not None:
        raise InputError("means nothing for evalplus, which rewrites HumanEval", where=str(arguments.run))
    arguments.output, arguments.recipe = arguments.output or "-", arguments.recipe or "decompose"
    return _evalplus(arguments)


def _inspect(folder: Path | None, attempt: str, out: str | None) -> int:
    if folder is None:
        raise InputError("needs the folder of a run: spellout export inspect RUN", where="inspect")
    every = read_run(folder)
    samples = [sample for sample in every if sample.attempt == attempt]
    if not samples:
        known = ", ".join(dict.fromkeys(sample.attempt for sample in every))
        raise InputError(f"has no answers after {attempt}; there are {known}", where=str(folder))
    path = Path(out) if out else Path(f"{folder.name or 'run'}.eval")
    write_log(samples, read_settings(folder), (folder / SAMPLES).stat().st_mtime, path)
    asked = sum(sample.asked for sample in samples)
    error_console().print(f"{path}: {len(samples)} answers ({attempt}), {asked} with a score", soft_wrap=True)
    return 0


def _evalplus(arguments: argparse.Namespace) -> int:
    """A row a problem; one that is left as it is has its own program."""
    with row_writer(arguments.output) as write:
        rows = list(_rows(arguments.recipe))
        for name, text, _ in rows:
            write({"task_id": name, "solution": text})
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
