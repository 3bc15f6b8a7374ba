"""`spellout corpora`: list the benchmarks, show one program of one, write a benchmark to a file.

Options of a benchmark (`--set depth=5`) are those of its `cases` function; nothing here knows them by name.
"""

from __future__ import annotations

import argparse
import inspect
import sys
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from corpora import Case, InputError, load, names
from corpora.benchmarks import benchmark
from corpora.reading.in_memory import case_fields
from corpora.writing.files import write_rows
from runner.inputs.benchmarks import OPTIONS, token_limit
from runner.inputs.run_times import told
from runner.terminal.console import error_console, printable, progress_bar
from runner.terminal.options import whole

SUMMARY = "list the benchmarks, show a program of one, make a file of one"
EXAMPLES = """
  spellout corpora list
  spellout corpora show permutations --set n=3 --length 4
  spellout corpora show cruxeval --set path=cruxeval.jsonl --index 7
  spellout corpora make zoo --num-samples 100 --seed 1 --depth 5 --output zoo.jsonl
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Three actions; `show` and `make` take options of the benchmark."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    actions.add_parser("list", help="every benchmark, its options and their defaults")
    show = actions.add_parser("show", help="one program, its call and the expected result")
    show.add_argument("--index", type=whole(), default=0, metavar="N", help="which case, from 0 (default: 0)")
    make = actions.add_parser("make", help="write cases to a file, or as JSON lines to standard output")
    make.add_argument(
        "--output",
        metavar="FILE",
        default="-",
        help="a new or replaced file: .jsonl, .csv, .parquet, also .gz or .zst (default: standard output)",
    )
    for action in (show, make):
        action.add_argument("name", metavar="NAME", help="a benchmark of `spellout corpora list`")
        action.add_argument(
            "--num-samples",
            dest="size",
            type=whole(1),
            metavar="N",
            help="number of samples, of each kind if it has kinds",
        )
        action.add_argument("--length", type=whole(), metavar="N", help="steps of each program (permutations)")
        action.add_argument("--depth", type=whole(1), metavar="N", help="calls nested in each other")
        action.add_argument("--seed", type=int, metavar="S", help="another seed gives other programs")
        action.add_argument(
            "--set", action="append", default=[], metavar="OPTION=VALUE", help="an option of the benchmark; repeatable"
        )


def run(arguments: argparse.Namespace) -> int:
    """0 when done; InputError for an unknown benchmark, option or value."""
    if arguments.action == "list":
        return _list()
    options = _options(arguments)
    cases = load(arguments.name, **options)
    return (
        _show(arguments, cases) if arguments.action == "show" else _make(arguments.output, cases, options.get("size"))
    )


def _list() -> int:
    for name in names():
        module = benchmark(name)
        parameters = inspect.signature(module.cases).parameters.values()
        options = " ".join(f"{option.name}={option.default}" for option in parameters)
        needs = getattr(module, "NEEDS", "nothing: its programs are drawn")
        limit = f"at most {token_limit(name):,} new tokens an answer"
        lines = (
            module.SUMMARY,
            f"needs {needs}; {limit}",
            told(name, getattr(module, "SAMPLES", None)),
            f"options: {options}",
        )
        sys.stdout.write("".join(f"{'' if number else name:14}{line}\n" for number, line in enumerate(lines)))
    return 0


def _show(arguments: argparse.Namespace, cases: Iterator[Case]) -> int:
    case = next(islice(cases, arguments.index, None), None)
    if case is None:
        raise InputError(f"{arguments.name} has no case {arguments.index}")
    text = f"# {case.id} ({case.benchmark}; {case.kind})\n{case.context}# expected: {case.expected}\n"
    sys.stdout.write(printable(text))
    return 0


def _make(out: str, cases: Iterator[Case], size: int | None) -> int:
    with progress_bar() as progress:
        count = write_rows(map(case_fields, progress.track(cases, total=size, description="cases")), out)
    error_console().print(f"{count} cases")
    return 0


def _options(arguments: argparse.Namespace) -> dict[str, Any]:
    """Every option given, converted to the type of the benchmark's default."""
    given: dict[str, str] = {}
    for text in arguments.set:
        name, equals, value = text.partition("=")
        if not equals:
            raise InputError("not OPTION=VALUE", where=f"--set {text}")
        given[name] = value
    parameters = inspect.signature(benchmark(arguments.name).cases).parameters
    options = {name: _converted(name, value, parameters) for name, value in given.items()}
    options |= {name: value for name in OPTIONS if (value := getattr(arguments, name)) is not None}
    return options


def _converted(name: str, value: str, parameters: Mapping[str, inspect.Parameter]) -> object:
    default = parameters[name].default if name in parameters else ""
    if isinstance(default, bool):
        return value.lower() not in ("0", "no", "false", "off")
    if isinstance(default, int):
        try:
            return int(value)
        except ValueError as error:
            raise InputError("not a whole number", where=f"--set {name}={value}") from error
    return value
