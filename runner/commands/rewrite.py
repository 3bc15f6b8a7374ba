"""`spellout rewrite`: rewrite files, or show what would change and why.

Reads the command line and the project's settings; the rewriting is `rewrite.rewrite_source`, in processes of its own
(`runner.rewriting.processes`), and what is written stands in `runner.rewriting.output`.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import deque
from collections.abc import Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import Any

from corpora.errors import InputError
from rewrite import recipe_names
from rewrite.anf.options import KINDS, NAMES
from rewrite.baselines.paper import NAME as PAPER
from rewrite.evidence.context import UNPROVEN_MODES
from rewrite.pipeline.recipes import check_recipe, options_of
from runner.inputs.datasets import add_data_options
from runner.inputs.python_files import python_files, refuse_rows
from runner.inputs.source_files import read_source
from runner.rewriting.output import Done, Output
from runner.rewriting.processes import SECONDS, Rewriters
from runner.rewriting.rows import rewrite_rows
from runner.rewriting.settings import Settings, read_settings
from runner.terminal.console import printable, progress_bar
from runner.terminal.options import seconds

RUNS_PROGRAMS = True  # with calls
SUMMARY = "rewrite Python programs so that no value stays hidden"
EXAMPLES = """
  spellout rewrite program.py                       the new text, to standard output
  spellout rewrite - < program.py                   the same, from standard input
  spellout rewrite src --check                      exit status 1 if any file in it would change
  spellout rewrite program.py --diff --explain
  spellout rewrite program.py --recipe strings --write
  spellout rewrite program.py --call "f('a-b')"     rests on what the call shows, in place of type tests
  spellout rewrite humaneval --output new.jsonl        rows in, rows out: each rewritten with its own call
  spellout rewrite program.py --names readable --release --kinds call,operator --depth 2
"""


COST_HELP = "with calls: at most N times the original's tokens in the longest trace, or none (4; methods: none)"


def _cost(text: str) -> float | str | None:
    try:
        return text if text == "usual" else None if text == "none" else float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"a number from 1 on, or none, not {text!r}") from None


def configure(parser: argparse.ArgumentParser) -> None:
    """The options of `spellout rewrite`."""
    parser.add_argument(
        "files", nargs="+", metavar="PATH", help="Python files, folders of such, or - for standard input"
    )
    parser.add_argument("--recipe", metavar="R", help=f"{', '.join(recipe_names())} (decompose)")
    parser.add_argument(
        "--call", action="append", default=[], metavar="CALL", help="run it, and rest on what it shows; may be repeated"
    )
    parser.add_argument(
        "--unproven", choices=UNPROVEN_MODES, help="where nothing proves a type (assume with calls, else guard)"
    )
    parser.add_argument("--cost", type=_cost, default="usual", metavar="N", help=COST_HELP)
    parser.add_argument("--threshold", type=int, metavar="N", help="extract operands of at least N operations (1)")
    parser.add_argument("--kinds", metavar="K,K", help=f"extract only these kinds of operand: {', '.join(KINDS)}")
    parser.add_argument("--depth", type=int, metavar="N", help="leave N operations one inside the other in a line (1)")
    flag = argparse.BooleanOptionalAction
    parser.add_argument("--conditions", action=flag, help="name what an if or while tests, too")
    parser.add_argument("--names", metavar="N", help=f"{' or '.join(NAMES)}: _t0 or text_count (short)")
    parser.add_argument("--release", action=flag, help="delete each temporary after its last use")
    parser.add_argument(
        "--seconds",
        type=seconds,
        default=SECONDS,
        metavar="N",
        help=f"time limit of each program (default: {SECONDS:g})",
    )
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--diff", action="store_true", help="show what would change")
    how.add_argument("--check", action="store_true", help="only say which files would change")
    how.add_argument("--write", action="store_true", help="change the files")
    how.add_argument("--output", metavar="FILE", help="rows of a data set: write them, rewritten, to this new file")
    add_data_options(parser)
    parser.add_argument("--explain", action="store_true", help="show each change and its rule, and what was left")
    parser.add_argument("--json", action="store_true", help="one JSON object a file")


def run(arguments: argparse.Namespace) -> int:
    """0 when done; 1 with --check if something would change; 2 if a file cannot be read, parsed or written."""
    settings = read_settings(arguments.files)
    recipe, options = arguments.recipe or settings.recipe, _options(arguments, settings)
    check_recipe(recipe, options)  # says at once what is wrong with them
    if recipe == PAPER and arguments.write:
        raise InputError(
            "refuses the recipe paper, whose rewrites are not known to be the same programs", where="--write"
        )
    if arguments.output is not None:
        return _rows(arguments, recipe, options)
    files = python_files(arguments.files, settings.exclude)
    if arguments.call and len(files) != 1:
        raise InputError(f"takes one program, not {len(files)}", where="--call")
    telling = {"calls": arguments.call, "unproven": arguments.unproven, "cost": arguments.cost}
    changed = failed = False
    out = Output(arguments)
    # What is written to a terminal shows how far it is.
    quiet = not (sys.stdout.isatty() or arguments.explain) and len(files) > 1
    with progress_bar(shown=quiet) as progress:
        task = progress.add_task("files rewritten", total=len(files))
        for done in _rewrite_all(files, recipe, options, arguments.seconds, telling):
            error = done.error or out.show(done)
            if error:
                sys.stderr.write(f"spellout: {printable(error)}\n")
                failed = True
            changed = changed or (done.result is not None and done.result.changed)
            progress.advance(task)
    out.finish()
    return 2 if failed else int(arguments.check and changed)


def _rows(arguments: argparse.Namespace, recipe: str, options: Mapping[str, Any]) -> int:
    """Rows of a data set into a new file of rows."""
    if len(arguments.files) > 1 or arguments.diff or arguments.check or arguments.write or arguments.json:
        raise InputError("takes one data set, and neither --diff, --check, --write nor --json", where="--output")
    if arguments.call:
        raise InputError("the calls of a data set are those of its rows", where="--call")
    telling = {"unproven": arguments.unproven, "cost": arguments.cost}
    limits = {"mapping": arguments.column, "max_bad": arguments.max_bad, "seconds": arguments.seconds}
    rewrite_rows(arguments.files[0], arguments.output, recipe, options, telling, **limits)
    return 0


def _options(arguments: argparse.Namespace, settings: Settings) -> dict[str, object]:
    """The options of the rewrite that were given, and those of the project that the recipe takes."""
    given = {name: getattr(arguments, name) for name in ("threshold", "depth", "names", "conditions", "release")}
    if arguments.kinds is not None:
        given["kinds"] = arguments.kinds.replace(" ", "").split(",")
    known = options_of(arguments.recipe or settings.recipe)
    usual = {name: value for name, value in settings.options.items() if name in known}
    return usual | {name: value for name, value in given.items() if value is not None}


def _rewrite_all(
    files: list[str], recipe: str, options: Mapping[str, Any], seconds: float, telling: Mapping[str, Any]
) -> Iterator[Done]:
    """Every file in order, on all cores, where each has one more waiting, and no more are held."""
    count = min(len(files), os.cpu_count() or 1)
    with Rewriters(count, seconds=seconds) as rewriters, ThreadPoolExecutor(count) as pool:
        rewrite = partial(_rewrite_file, rewriters=rewriters, recipe=recipe, options=options, telling=telling)
        running: deque[Future[Done]] = deque()
        try:
            for file in files:
                if len(running) == 2 * count:
                    yield running.popleft().result()
                running.append(pool.submit(rewrite, file))
            while running:
                yield running.popleft().result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _rewrite_file(
    path: str, rewriters: Rewriters, recipe: str, options: Mapping[str, Any], telling: Mapping[str, Any]
) -> Done:
    name = "<stdin>" if path == "-" else path
    try:
        refuse_rows(path)
        before = read_source(path)
        refuse_rows(path, before.text)
        return Done(path, before, rewriters.rewrite(before.text, recipe, filename=name, options=options, **telling))
    except InputError as error:
        return Done(path, error=str(error))
