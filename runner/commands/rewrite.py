"""`spellout rewrite`: rewrite files, or show what would change and why.

Reads the command line and writes results; the rewriting is `rewrite.rewrite_source`.
"""

from __future__ import annotations

import argparse
import difflib
import json
import os
import sys
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from corpora.errors import InputError
from corpora.orphans import end_with_parent
from rewrite import Rewritten, recipe_names, rewrite_source
from rewrite.options import KINDS, NAMES
from rewrite.recipe import make
from runner.console import progress_bar
from runner.sources import Source, read_source, replace_source

SUMMARY = "rewrite Python programs so that no value stays hidden"
EXAMPLES = """
  spellout rewrite program.py                       the new text, to standard output
  spellout rewrite - < program.py                   the same, from standard input
  spellout rewrite src/*.py --check                 exit status 1 if any of them would change
  spellout rewrite program.py --diff --explain
  spellout rewrite program.py --recipe strings --write
  spellout rewrite program.py --names readable --release --kinds call,operator --depth 2
"""


NOTHING = Source("")


@dataclass(frozen=True)
class Done:
    """A file and its rewrite, or what is wrong with it."""

    path: str
    before: Source = NOTHING
    result: Rewritten | None = None
    error: str = ""


def configure(parser: argparse.ArgumentParser) -> None:
    """The options of `spellout rewrite`."""
    parser.add_argument("files", nargs="+", metavar="FILE", help="Python files, or - for standard input")
    parser.add_argument("--recipe", default="decompose", metavar="R", help=f"{', '.join(recipe_names())} (decompose)")
    parser.add_argument("--threshold", type=int, metavar="N", help="extract operands of at least N operations (1)")
    parser.add_argument("--kinds", metavar="K,K", help=f"extract only these kinds of operand: {', '.join(KINDS)}")
    parser.add_argument("--depth", type=int, metavar="N", help="leave N operations one inside the other in a line (1)")
    parser.add_argument("--conditions", action="store_true", help="name what an if or while tests, too")
    parser.add_argument("--names", metavar="N", help=f"{' or '.join(NAMES)}: _t0 or text_count (short)")
    parser.add_argument("--release", action="store_true", help="delete each temporary after its last use")
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--diff", action="store_true", help="show what would change")
    how.add_argument("--check", action="store_true", help="only say which files would change")
    how.add_argument("--write", action="store_true", help="change the files")
    parser.add_argument("--explain", action="store_true", help="show each change and its rule, and what was left")
    parser.add_argument("--json", action="store_true", help="one JSON object a file")


def run(arguments: argparse.Namespace) -> int:
    """0 when done; 1 with --check if something would change; 2 if a file cannot be read, parsed or written."""
    options = _options(arguments)
    make(arguments.recipe, options)  # says at once what is wrong with them
    changed = failed = False
    rewrite = partial(_rewrite_file, recipe=arguments.recipe, options=options)
    # What is written to a terminal shows how far it is.
    quiet = not (sys.stdout.isatty() or arguments.explain) and len(arguments.files) > 1
    with progress_bar(shown=quiet and sys.stderr.isatty()) as progress:
        task = progress.add_task("files rewritten", total=len(arguments.files))
        for done in _rewrite_all(arguments.files, rewrite):
            error = done.error or _show(done, arguments)
            if error:
                sys.stderr.write(f"spellout: {error}\n")
                failed = True
            changed = changed or (done.result is not None and done.result.changed)
            progress.advance(task)
    return 2 if failed else int(arguments.check and changed)


def _options(arguments: argparse.Namespace) -> dict[str, object]:
    """The options of the rewrite that were given."""
    given = {name: getattr(arguments, name) for name in ("threshold", "depth", "names", "conditions", "release")}
    if arguments.kinds is not None:
        given["kinds"] = arguments.kinds.replace(" ", "").split(",")
    return {name: value for name, value in given.items() if value is not None and value is not False}


def _rewrite_all(files: list[str], rewrite: Callable[[str], Done]) -> Iterator[Done]:
    """Every file in order; several of them on all cores, where each has one more waiting, and no more are held."""
    if len(files) == 1 or "-" in files:
        yield from map(rewrite, files)
        return
    count = min(len(files), os.cpu_count() or 1)
    with ProcessPoolExecutor(count, initializer=end_with_parent) as pool:
        running: deque[Future[Done]] = deque()
        for file in files:
            if len(running) == 2 * count:
                yield running.popleft().result()
            running.append(pool.submit(rewrite, file))
        while running:
            yield running.popleft().result()


def _rewrite_file(path: str, recipe: str, options: Mapping[str, Any]) -> Done:
    name = "<stdin>" if path == "-" else path
    try:
        before = read_source(path)
        return Done(path, before, rewrite_source(before.text, recipe, filename=name, **options))
    except InputError as error:
        return Done(path, error=str(error))


def _show(done: Done, arguments: argparse.Namespace) -> str:
    """Write what the command line asks for; gives what is wrong, should the file not let itself be written."""
    assert done.result is not None
    if arguments.write and done.path != "-" and done.result.changed:
        try:
            replace_source(done.path, replace(done.before, text=done.result.source))
        except InputError as error:
            return str(error)
    if arguments.json:
        sys.stdout.write(json.dumps(_record(done, arguments)) + "\n")
    elif arguments.diff:
        sys.stdout.writelines(_diff(done))
    elif arguments.check or (arguments.write and done.path != "-"):
        if done.result.changed:
            sys.stdout.write(f"{done.path}\n")
    else:
        sys.stdout.write(done.result.source)
    if arguments.explain and not arguments.json:
        sys.stderr.writelines(_explanation(done))
    return ""


def _diff(done: Done) -> Iterator[str]:
    assert done.result is not None
    before, after = done.before.text.splitlines(keepends=True), done.result.source.splitlines(keepends=True)
    return difflib.unified_diff(before, after, done.path, done.path)


def _shown(done: Done) -> str:
    return "<stdin>" if done.path == "-" else done.path


def _explanation(done: Done) -> Iterator[str]:
    assert done.result is not None
    for change in sorted(done.result.changes, key=lambda change: (change.line, change.column)):
        where = f"{_shown(done)}:{change.line}:{change.column}"
        yield f"{where}: {change.intervention}: {' '.join(change.expression.split())}\n"
    for left, count in sorted(Counter(done.result.left).items()):
        values = "a value" if count == 1 else f"{count} values"
        yield f"{_shown(done)}:{left.line}: left alone, {values}: {left.reason}\n"


def _record(done: Done, arguments: argparse.Namespace) -> dict[str, object]:
    assert done.result is not None
    result = done.result
    record: dict[str, object] = {
        "file": done.path,
        "changed": result.changed,
        "applied": [item._asdict() for item in result.changes],
        "left": [{"line": item.line, "reason": item.reason} for item in result.left],
        "origins": list(result.origins),
        "positions": [list(position) for position in result.positions],
    }
    if not (arguments.write or arguments.check):
        record["source"] = result.source
    return record
