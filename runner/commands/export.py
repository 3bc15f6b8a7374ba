"""`spellout export`: writes results in the formats of other tools.

`--to inspect_ai` writes one attempt of a run as a log of inspect_ai (`runner.interchange.inspect_log`).

`--to evalplus` rewrites the programs of HumanEval and writes them as EvalPlus samples (`task_id`, `solution`). They are
rewritten without calls, so that no rewrite assumes anything about inputs: EvalPlus has many more than HumanEval.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from corpora.benchmarks.humaneval import problems, program
from corpora.errors import InputError
from corpora.writing.files import row_writer
from rewrite import recipe_names
from rewrite.baselines import PLACEBO
from runner.batch_rewriting.process import shared_process
from runner.interchange.inspect_log import write_log
from runner.records.run_folder import SAMPLES_FILE, read_run, read_settings
from runner.records.samples import ORIGINAL
from runner.terminal.console import note, progress_bar

SUMMARY = "export a run as a log of inspect_ai, or rewritten HumanEval programs as EvalPlus samples"
TARGETS = ("inspect_ai", "evalplus")
EXAMPLES = """
  spellout export runs/demo --to inspect_ai --output demo.eval
  spellout export runs/demo --to inspect_ai --recipe decompose --output demo-decompose.json
  spellout export --to evalplus --recipe decompose --output samples.jsonl
  evalplus.evaluate --dataset humaneval --samples samples.jsonl
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """The options of `spellout export`."""
    parser.add_argument("run", nargs="?", type=Path, metavar="RUN", help="folder of a run (inspect_ai only)")
    parser.add_argument("--to", choices=TARGETS, required=True, help="format to write")
    recipes = (*recipe_names(), PLACEBO)
    parser.add_argument(
        "--recipe",
        choices=recipes,
        metavar="R",
        help="inspect_ai: the attempt to export (default: original); evalplus: the recipe (default: decompose)",
    )
    parser.add_argument("--output", metavar="FILE", help="file to write (default: RUN.eval; evalplus: standard output)")


def run(arguments: argparse.Namespace) -> int:
    """Writes the export. Raises InputError if RUN is missing, or given although it does not apply."""
    if arguments.to == "inspect_ai":
        return _inspect(arguments.run, arguments.recipe or ORIGINAL, arguments.output)
    if arguments.run is not None:
        raise InputError("does not apply to --to evalplus, which rewrites HumanEval", where=str(arguments.run))
    arguments.output, arguments.recipe = arguments.output or "-", arguments.recipe or "decompose"
    return _evalplus(arguments)


def _inspect(folder: Path | None, attempt: str, out: str | None) -> int:
    if folder is None:
        raise InputError("needs the folder of a run: spellout export RUN --to inspect_ai", where="--to inspect_ai")
    every = read_run(folder)
    samples = [sample for sample in every if sample.attempt == attempt]
    if not samples:
        known = ", ".join(dict.fromkeys(sample.attempt for sample in every))
        raise InputError(f"has no attempt {attempt}; its attempts are {known}", where=str(folder))
    path = Path(out) if out else Path(f"{folder.name or 'run'}.eval")
    write_log(samples, read_settings(folder), (folder / SAMPLES_FILE).stat().st_mtime, path)
    asked = sum(sample.asked for sample in samples)
    note(f"wrote {path}: {len(samples)} samples ({attempt}), {asked} with a score")
    return 0


def _evalplus(arguments: argparse.Namespace) -> int:
    """One row per problem; a program that is not rewritten is written unchanged."""
    with row_writer(arguments.output) as write:
        rows = list(_rows(arguments.recipe))
        for name, text, _ in rows:
            write({"task_id": name, "solution": text})
    left = [name for name, _, changed in rows if not changed]
    counts = f"{len(rows)} problems, {len(rows) - len(left)} rewritten by {arguments.recipe}"
    note(f"{counts}{'; unchanged: ' + ', '.join(left) if left else ''}")
    return 0


def _rows(recipe: str) -> Iterator[tuple[str, str, bool]]:
    """Id, program and whether it was rewritten. A program that cannot be rewritten stays unchanged."""
    with progress_bar() as progress:
        for problem in progress.track(list(problems()), description=f"rewriting by {recipe}"):
            source = program(problem) + "\n"
            try:
                found = shared_process().rewrite(source, recipe)
            except InputError:
                yield problem["task_id"], source, False
            else:
                yield problem["task_id"], found.source, found.changed
