"""`spellout rewrite`: rewrites Python files or the programs of a data set.

The rewriting itself is `rewrite.rewrite_source`, in a worker process for each CPU core
(`runner.batch_rewriting.process`). `runner.batch_rewriting.output` writes the results.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from corpora.errors import InputError
from corpora.failures import DIED, WorkFailure, contain
from corpora.foreign_text import one_line
from corpora.process_pool import map_over_cores
from rewrite import recipe_names
from rewrite.anf.rewrite_options import KINDS, NAMES
from rewrite.evidence.context import UNPROVEN_MODES
from rewrite.pipeline.recipe import Recipe
from rewrite.pipeline.recipes import SUMMARIES, find_recipe
from runner.batch_rewriting.assumption_file import SUFFIX
from runner.batch_rewriting.output import FileRewrite, RewriteWriter
from runner.batch_rewriting.plugins import add_plugin_option, load_plugins
from runner.batch_rewriting.process import SECONDS, shared_process
from runner.batch_rewriting.settings import ProjectSettings, read_settings
from runner.inputs.datasets import add_data_options
from runner.inputs.program_files import missing_call
from runner.inputs.python_files import is_python_file, python_files, refuse_data_set
from runner.inputs.source_files import read_source
from runner.terminal.options import add_flag, add_repeatable, add_seconds_option
from runner.terminal.waiting import show_waiting

RUNS_PROGRAMS = True  # for --call
OBSERVERS = (
    "rewrite.evidence.value_observer:ValueObserver",
    "analyze.gold_trace.tracer:Tracer",
)
SUMMARY = "rewrite Python programs into equivalent ones that expose intermediate values in the trace"
_RECIPES = "\n".join(f"  {name:<13}{summary}" for name, summary in SUMMARIES.items())
EXAMPLES = f"""
  spellout rewrite program.py                       writes the rewritten program to standard output
  spellout rewrite - < program.py                   reads standard input
  spellout rewrite src --check                      lists the files that would change
  spellout rewrite program.py --diff --explain
  spellout rewrite program.py --recipe strings --write
  spellout rewrite program.py --call "f('a-b')"     assumes the types that the call shows, without guards
  spellout rewrite before.py --call "f('a-b')" --output after.py && spellout verify before.py after.py
  spellout rewrite humaneval --output new.jsonl        rewrites each row with its own call
  spellout rewrite program.py --names readable --release --kinds call,operator --depth 2

recipes:
{_RECIPES}

exit status:
  0  success
  1  a file would change (--check)
  2  wrong usage, or a file or row that cannot be read, rewritten or written (all others are)
"""
_ROWS_HINT = ": add --output FILE for the rewritten rows"
COST_HELP = (
    "with calls: limit of the trace tokens, as a multiple of the original's, or none (default: 4 for decompose, "
    "expressions, letters and strings; none for others)"
)


def _cost(text: str) -> float | str | None:
    try:
        return text if text == "usual" else None if text == "none" else float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of at least 1, or none") from None


def configure(parser: argparse.ArgumentParser) -> None:
    """The options of `spellout rewrite`."""
    parser.add_argument(
        "files",
        nargs="+",
        metavar="PATH",
        help="Python files, folders, or - for standard input; with --output, one Python file or a data set",
    )
    parser.add_argument("--recipe", metavar="R", help=f"{', '.join(recipe_names())} (default: decompose); see below")
    add_plugin_option(parser)
    add_repeatable(
        parser, "--call", "CALL", "a call to execute; the rewrite may assume the types that it shows; repeatable"
    )
    parser.add_argument(
        "--unproven",
        choices=UNPROVEN_MODES,
        help="what to do if no proof gives the type of an expression: assume the types of the calls, insert a guard, "
        "or leave the expression (default: assume with calls, else guard)",
    )
    parser.add_argument("--cost", type=_cost, default="usual", metavar="N", help=COST_HELP)
    parser.add_argument(
        "--threshold", type=int, metavar="N", help="materialize operands of at least N operations (default: 1)"
    )
    parser.add_argument(
        "--kinds", metavar="K,K", help=f"materialize only these kinds of operand: {', '.join(KINDS)} (default: all)"
    )
    parser.add_argument("--depth", type=int, metavar="N", help="leave up to N nested operations per line (default: 1)")
    flag = argparse.BooleanOptionalAction
    parser.add_argument(
        "--conditions", action=flag, help="also materialize the conditions of if and while (default: --no-conditions)"
    )
    parser.add_argument(
        "--names", metavar="N", help=f"{' or '.join(NAMES)} names of temporaries: _t0 or text_count (default: short)"
    )
    parser.add_argument(
        "--release", action=flag, help="delete each temporary after its last use (default: --no-release)"
    )
    add_seconds_option(parser, SECONDS, "time limit per program, in seconds")
    how = parser.add_mutually_exclusive_group()
    add_flag(how, "--diff", "print a unified diff")
    add_flag(how, "--check", "list the files that would change; exit with status 1 if there are any")
    add_flag(how, "--write", "overwrite the files")
    how.add_argument(
        "--output",
        metavar="FILE",
        help=f"write the rewritten program to FILE.py, and what it assumes to FILE.py{SUFFIX}, which `spellout verify` "
        "reads; for a data set: write the rewritten rows to this new file",
    )
    add_data_options(parser)
    add_flag(parser, "--explain", "list each change with its intervention, and the reasons for places left unchanged")
    add_flag(parser, "--json", "print one JSON object per file")


def run(arguments: argparse.Namespace) -> int:
    """Returns 0, 1 with `--check` if a file would change, or 2 if a file cannot be read, parsed or written."""
    load_plugins(arguments.plugin)
    settings = read_settings(arguments.files)
    recipe = find_recipe(arguments.recipe or settings.recipe)
    options = _options(arguments, settings, recipe)
    recipe.check_options(options)  # reports wrong options before any file is read
    if arguments.write and not recipe.keeps_behavior:
        reason = f"does not apply to the recipe {recipe.name}, whose rewrites may change the behaviour"
        raise InputError(reason, where="--write")
    if not recipe.keeps_behavior:
        from runner.terminal.console import note  # imports rich

        note(f"rewrites of the recipe {recipe.name} may change the behaviour: compare them with `spellout verify`")
    if arguments.output is not None and not is_python_file(arguments.output):
        return _rows(arguments, recipe.name, options)
    files = python_files(arguments.files, settings.exclude)
    if arguments.output is not None and (len(files) != 1 or arguments.json):
        raise InputError("applies to one program, without --json", where="--output")
    if arguments.call and len(files) != 1:
        raise InputError(f"applies to one program, not to {len(files)}", where="--call")
    if recipe.is_planned and files and not arguments.call:
        raise missing_call(files[0])
    evidence = {"calls": arguments.call, "unproven": arguments.unproven, "cost": arguments.cost}
    job = partial(_rewritten, recipe=recipe.name, options=options, seconds=arguments.seconds, **evidence)
    start = partial(load_plugins, arguments.plugin)
    changed = failed = False
    out = RewriteWriter(arguments)
    # Output on a terminal shows the progress by itself.
    has_progress = not (sys.stdout.isatty() or arguments.explain) and len(files) > 1
    rewritten = map_over_cores(job, map(_file_before, files), ordered=True, start=start, on_death=_lost)
    if len(files) == 1:
        rewritten = _with_waiting(rewritten)
    for done in _with_progress(rewritten, len(files)) if has_progress else rewritten:
        error = done.error or out.show(done)
        if error:
            sys.stderr.write(f"spellout: {one_line(error)}\n")
            failed = True
        changed = changed or (done.result is not None and done.result.changed)
    out.finish(is_unchanged=not (changed or failed))
    return 2 if failed else int(arguments.check and changed)


def _with_waiting(done: Iterable[FileRewrite]) -> Iterator[FileRewrite]:
    with show_waiting("rewriting"):
        found = list(done)
    yield from found


def _with_progress(done: Iterable[FileRewrite], total: int) -> Iterator[FileRewrite]:
    from runner.terminal.console import progress_bar

    with progress_bar() as progress:
        yield from progress.track(done, total=total, description="files processed")


def _rows(arguments: argparse.Namespace, recipe: str, options: Mapping[str, Any]) -> int:
    """Rewrites the rows of a data set into a new file."""
    from runner.batch_rewriting.rewritten_rows import rewrite_rows

    if is_python_file(arguments.files[0]):
        raise InputError("a rewritten program needs a name that ends in .py", where=f"--output {arguments.output}")
    if len(arguments.files) > 1 or arguments.diff or arguments.check or arguments.write or arguments.json:
        raise InputError("applies to one data set, without --diff, --check, --write and --json", where="--output")
    if arguments.call:
        raise InputError("does not apply to a data set, whose rows have their own calls", where="--call")
    evidence = {"unproven": arguments.unproven, "cost": arguments.cost}
    limits = {"mapping": arguments.column, "max_bad": arguments.max_bad, "seconds": arguments.seconds}
    rewrite_rows(arguments.files[0], arguments.output, recipe, options, evidence, **limits, plugins=arguments.plugin)
    return 0


def _options(arguments: argparse.Namespace, settings: ProjectSettings, recipe: Recipe) -> dict[str, object]:
    """The options of the rewrite: those given, else those of the project that apply to the recipe."""
    given = {name: getattr(arguments, name) for name in ("threshold", "depth", "names", "conditions", "release")}
    if arguments.kinds is not None:
        given["kinds"] = arguments.kinds.replace(" ", "").split(",")
    usual = {name: value for name, value in settings.options.items() if name in recipe.takes}
    return usual | {name: value for name, value in given.items() if value is not None}


def _file_before(path: str) -> FileRewrite:
    """The file before its rewrite; read here, because a worker process has no standard input."""
    try:
        refuse_data_set(path, hint=_ROWS_HINT)
        before = read_source(path)
        refuse_data_set(path, before.text, _ROWS_HINT)
        return FileRewrite(path, before)
    except InputError as error:
        return FileRewrite(path, error=str(error))


def _rewritten(file: FileRewrite, **how: Any) -> FileRewrite:
    """The file with its rewrite; `how` are the options of `RewriteProcess.rewrite`."""
    if file.error:
        return file
    name = "<stdin>" if file.path == "-" else file.path
    rewrite = partial(shared_process().rewrite, file.before.text, filename=name, **how)
    result = contain(rewrite, name)
    return (
        FileRewrite(file.path, error=str(result)) if isinstance(result, WorkFailure) else replace(file, result=result)
    )


def _lost(file: FileRewrite, _: object) -> FileRewrite:
    """The file whose worker process died."""
    return FileRewrite(file.path, error=f"{file.path}: {DIED}")
