"""`spellout corpora`: lists the benchmarks, shows one of their programs, and writes a benchmark to a file.

The options of a benchmark (`--set depth=5`) are the parameters of its `cases` function.
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
from corpora.foreign_text import printable
from corpora.reading.in_memory import case_fields
from corpora.writing.files import write_rows
from runner.inputs.benchmark_sizes import describe_size
from runner.inputs.benchmarks import (
    DEMO,
    DEMO_SUMMARY,
    DEPTH_HELP,
    LENGTH_HELP,
    OPTIONS,
    SIZE_HELP,
    benchmark_cases,
    check_options,
    token_limit,
)
from runner.terminal.console import error_console, progress_bar
from runner.terminal.options import add_number, add_repeatable

SUMMARY = "list the benchmarks, show a program, or write a benchmark to a file"
EXAMPLES = """
  spellout corpora list
  spellout corpora show permutations --set n=3 --length 4
  spellout corpora show cruxeval --set path=cruxeval.jsonl --index 7
  spellout corpora make zoo --num-programs 100 --seed 1 --depth 5 --output zoo.jsonl
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """The actions `list`, `show` and `make`; the last two take options of the benchmark."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    _action(actions, "list", "list the benchmarks with their options and defaults")
    show = _action(actions, "show", "print one program, its call and the expected result")
    add_number(show, "--index", "index of the case, from 0 (default: 0)", 0, least=0)
    make = _action(actions, "make", "write the cases to a file, or as JSON lines to standard output")
    make.add_argument(
        "--output",
        metavar="FILE",
        default="-",
        help="file to write: .jsonl, .csv or .parquet, also .gz or .zst (default: standard output)",
    )
    add_number(make, "--limit", "write only the first N cases (default: all)")
    for action in (show, make):
        action.add_argument("name", metavar="NAME", help="a benchmark listed by `spellout corpora list`")
        add_number(action, "--num-programs", SIZE_HELP, dest="size")
        add_number(action, "--length", LENGTH_HELP, least=0)
        add_number(action, "--depth", DEPTH_HELP)
        action.add_argument("--seed", type=int, metavar="N", help="random seed (default: 0)")
        add_repeatable(action, "--set", "OPTION=VALUE", "an option of the benchmark; repeatable")


def _action(actions: Any, name: str, summary: str) -> argparse.ArgumentParser:
    """A sub-command with the examples that show it."""
    examples = "\n".join(line for line in EXAMPLES.splitlines() if f"corpora {name}" in line)
    action: argparse.ArgumentParser = actions.add_parser(
        name,
        help=summary,
        description=summary,
        epilog=f"examples:\n{examples}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    return action


def run(arguments: argparse.Namespace) -> int:
    """Runs the action. Raises InputError for an unknown benchmark, option or value."""
    if arguments.action == "list":
        return _list()
    flags = {name: value for name in OPTIONS if (value := getattr(arguments, name)) is not None}
    check_options(arguments.name, flags)
    options = {**_set_options(arguments), **flags}
    cases = _cases(arguments.name, options)
    if arguments.action == "show":
        return _show(arguments, cases)
    return _make(arguments.output, islice(cases, arguments.limit), arguments.limit or options.get("size"))


def _cases(name: str, options: Mapping[str, Any]) -> Iterator[Case]:
    """The cases of a benchmark. Nothing happens before the first one is read, so that an output is refused at once."""
    yield from benchmark_cases(DEMO, None, **options) if name == DEMO else load(name, **options)


def _list() -> int:
    for name in names():
        module = benchmark(name)
        parameters = inspect.signature(module.cases).parameters.values()
        options = " ".join(f"{option.name}={option.default}" for option in parameters)
        needs = getattr(module, "NEEDS", "no data: its programs are generated")
        limit = f"at most {token_limit(name):,} new tokens per answer"
        lines = (
            module.SUMMARY,
            f"needs {needs}; {limit}",
            describe_size(name, getattr(module, "SAMPLES", None)),
            f"options: {options}",
        )
        sys.stdout.write("".join(f"{'' if number else name:14}{line}\n" for number, line in enumerate(lines)))
    sys.stdout.write(f"{DEMO:14}{DEMO_SUMMARY}\n")
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


def _set_options(arguments: argparse.Namespace) -> dict[str, Any]:
    """The options of `--set`, each converted to the type of the benchmark's default."""
    given: dict[str, str] = {}
    for text in arguments.set:
        name, equals, value = text.partition("=")
        if not equals:
            raise InputError("is not of the form OPTION=VALUE", where=f"--set {text}")
        given[name] = value
    if arguments.name == DEMO:
        if given:
            raise InputError(f"does not apply to {arguments.name}", where=f"--set {next(iter(given))}")
        return {}
    parameters = inspect.signature(benchmark(arguments.name).cases).parameters
    return {name: _converted(name, value, parameters) for name, value in given.items()}


def _converted(name: str, value: str, parameters: Mapping[str, inspect.Parameter]) -> object:
    default = parameters[name].default if name in parameters else ""
    if isinstance(default, bool):
        return value.lower() not in ("0", "no", "false", "off")
    if isinstance(default, int):
        try:
            return int(value)
        except ValueError as error:
            raise InputError("not an integer", where=f"--set {name}={value}") from error
    return value
