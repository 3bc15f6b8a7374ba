"""The command `spellout`: finds the sub-commands, parses the command line, and maps errors to exit statuses.

Errors that a user can fix are wrong usage, unreadable input and unwritable output (a full disk, a read-only folder).
They end with one line on standard error and exit status 2. So does an internal error, which is named as one; `--debug`
prints its traceback. Each command is a module of `runner/commands`.
"""

from __future__ import annotations

import argparse
import ast
import gc
import importlib
import os
import pkgutil
import re
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn

from corpora.errors import InputError, did_you_mean
from corpora.failures import debugging, failure_reason, is_debugging, print_traceback
from corpora.foreign_text import one_line
from runner import commands
from runner.terminal.signals import TerminatedError, termination_as_exception

DESCRIPTION = """\
Spellout is a toolkit for code world models, the language models that simulate programs. It finds what makes a
program hard to simulate, rewrites the program into an equivalent one, checks the equivalence by execution, and
measures with the model what the rewrite changes."""
EPILOG = """\
examples:
  spellout trace program.py --call "f(1, 2)"
  spellout rewrite program.py
  spellout verify before.py after.py --call "f(1, 2)"
  spellout audit cases.jsonl
  spellout diagnose outputs.jsonl
  spellout debug outputs.jsonl --id sample_4
  spellout run demo --model pocket
`spellout COMMAND --help` shows the options and examples of a command.

exit status:
  0  success
  1  a finding or a difference (rewrite --check, --fail-on, verify, plan)
  2  wrong usage, unreadable input or unwritable output
  3  undecided (verify, plan), an incomplete trace (trace)"""
WEAK = "run programs even if only isolation level C (a process with resource limits) is available"


_CONSTANT = r"^{name} = (\(\n.*?^\)|[^\n]*)$"


class _VersionAction(argparse.Action):
    """Prints the version, which is looked up only then."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> NoReturn:
        sys.stdout.write(f"spellout {version()}\n")
        sys.stdout.flush()
        parser.exit()


class Parser(argparse.ArgumentParser):
    """An argument parser that reports unknown arguments with the usage of the sub-command and a suggestion.

    Abbreviated options are errors: `--mode` must not be read as `--model` by a command without `--mode`. So are empty
    arguments, such as an unset variable of a shell: a path would be the current folder.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(**{**options, "allow_abbrev": False})

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parses like `argparse`, but reports unknown arguments itself instead of returning them."""
        found, unknown = super().parse_known_args(args, namespace)
        if unknown:
            close = next(filter(None, (did_you_mean(word, self._option_string_actions) for word in unknown)), "")
            self.error(f"unrecognized arguments: {' '.join(unknown)}{close}")
        return found, []

    def _get_values(self, action: argparse.Action, arg_strings: list[str]) -> Any:
        """Reads values like `argparse`. Raises InputError for an empty one; a sub-command checks its own arguments."""
        if action.nargs != argparse.PARSER and "" in arg_strings:
            raise InputError(
                "must not be empty", where="/".join(action.option_strings) or str(action.metavar or action.dest)
            )
        return super()._get_values(action, arg_strings)

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Checks like `argparse`, and adds the closest valid choice to the message."""
        try:
            super()._check_value(action, value)
        except argparse.ArgumentError as error:
            error.message += did_you_mean(str(value), map(str, action.choices or ()))
            raise

    def error(self, message: str) -> NoReturn:
        """Prints the usage and the message, and exits with status 2."""
        super().error(one_line(message))


def command_names() -> list[str]:
    """The names of all sub-commands, sorted."""
    return sorted(module.name for module in pkgutil.iter_modules(commands.__path__))


def command_module(name: str) -> ModuleType:
    """The module that implements a sub-command."""
    return importlib.import_module(f"{commands.__name__}.{name}")


def command_summary(name: str) -> str:
    """The SUMMARY of a sub-command, read from its source: to import all commands takes most of a second."""
    summary = _constant(name, "SUMMARY")
    assert summary is not None, f"{name} has no SUMMARY"
    return str(summary)


def _constant(command: str, name: str) -> Any:
    """A constant of a sub-command, read from its source; None if it has none, or is none of ours."""
    file = Path(commands.__path__[0], f"{command}.py")
    source = file.read_text(encoding="utf-8") if file.is_file() else ""
    found = re.search(_CONSTANT.format(name=name), source, re.MULTILINE | re.DOTALL)
    return ast.literal_eval(found[1]) if found else None


def build_parser(names: Sequence[str] | None = None) -> argparse.ArgumentParser:
    """The parser that knows the options of the sub-commands `names` (default: of all), and the summaries of the others.

    Help texts and options come from the modules of the commands.
    """
    raw = argparse.RawDescriptionHelpFormatter
    parser = Parser(prog="spellout", description=DESCRIPTION, epilog=EPILOG, formatter_class=raw)
    parser.add_argument("--version", action=_VersionAction, nargs=0, help="show program's version number and exit")
    groups = parser.add_subparsers(metavar="COMMAND", required=True)
    for name in command_names():
        if names is not None and name not in names:
            groups.add_parser(name, help=command_summary(name))
            continue
        module = command_module(name)
        sub = groups.add_parser(
            name,
            help=module.SUMMARY,
            description=module.SUMMARY,
            epilog="examples:\n" + module.EXAMPLES.strip("\n"),
            formatter_class=raw,
        )
        module.configure(sub)
        if getattr(module, "RUNS_PROGRAMS", False):
            sub.add_argument("--allow-weak-isolation", action="store_true", help=WEAK)
        sub.add_argument("--debug", action="store_true", help="print the traceback of an internal error")
        sub.set_defaults(_run=module.run)
    return parser


def version() -> str:
    """The installed version, or "(not installed)" if the code runs from a checkout without installation."""
    from importlib import metadata

    try:
        return metadata.version("spellout")
    except metadata.PackageNotFoundError:
        return "(not installed)"


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command.

    Returns:
        The exit status: 0 for success, 1 for a finding or a difference, 2 for wrong usage, unreadable input or
        unwritable output, 3 for undecided or incomplete, 130 after an interrupt, 128 + N after signal N.
    """
    words = sys.argv[1:] if argv is None else list(argv)
    # Only the named command is imported: `spellout rewrite` must not wait for the imports of `spellout run`.
    names = words[:1]
    if sys.stdout is None:
        return _fail("standard output is closed")
    if "--call" in words:
        _start_workers(words[0])
    gc.disable()  # nothing that an import makes is garbage; to look for some takes a tenth of the imports' time
    try:
        arguments = build_parser(names).parse_args(words)
    except InputError as error:  # the entry point of an installed package fails
        return _fail(str(error))
    except OSError as error:
        return _unwritable(error)
    finally:
        gc.freeze()  # nor will it be: a search would also copy the memory that a forked worker shares
        gc.enable()
    try:
        with debugging(on=arguments.debug), termination_as_exception():
            return _run(arguments)
    except TerminatedError as error:
        with suppress(OSError):  # after SIGHUP, the terminal is gone
            print(f"spellout: ended by {error}", file=sys.stderr)  # noqa: T201
        return 128 + error.number
    except KeyboardInterrupt:
        print("spellout: interrupted", file=sys.stderr)  # noqa: T201
        return 130


def _start_workers(command: str) -> None:
    """Starts the workers that will run the program, while the command is imported. It reports what it cannot start.

    The workers import the OBSERVERS that the command names.
    """
    from corpora.errors import UnavailableError
    from corpora.nondeterminism import start_workers

    with suppress(UnavailableError):
        start_workers(_constant(command, "OBSERVERS") or ())


def _run(arguments: argparse.Namespace) -> int:
    """Runs the command, and turns an exception into one line and an exit status."""
    try:
        if getattr(arguments, "allow_weak_isolation", False):
            from corpora.sandbox.workers.isolation_levels import allow_weak_isolation

            allow_weak_isolation(True)
        status: int = arguments._run(arguments)
        sys.stdout.flush()
    except InputError as error:
        return _fail(str(error))
    except (RecursionError, MemoryError) as error:
        if is_debugging():
            print_traceback(error)
        what = "nested too deeply" if isinstance(error, RecursionError) else "too large"
        return _fail(f"{_input_name(arguments)}: {what} for this command")
    except OSError as error:
        return _unwritable(error)
    except Exception as error:  # noqa: BLE001 - named as what it is
        hint = "" if is_debugging() else "; --debug prints the traceback"
        return _fail(f"{failure_reason(error)}{hint}")
    return status


def _unwritable(error: OSError) -> int:
    """Reports a full disk or a read-only folder that no command has reported with more detail."""
    if not error.filename:
        _discard_output()  # the interpreter must not write it again at exit
    if isinstance(error, BrokenPipeError):
        return 0  # `spellout … | head` closed the pipe
    return _fail(f"{error.filename or 'standard output'}: {error.strerror or error}")


def _input_name(arguments: argparse.Namespace) -> str:
    """The first input of the command, for error messages."""
    given = (getattr(arguments, name, None) for name in ("file", "benchmark", "sources", "before", "run"))
    found = next((str(value[0] if isinstance(value, list) else value) for value in given if value), "")
    return found or "the input"


def _fail(text: str) -> int:
    with suppress(OSError):  # standard error may be full too
        print(f"spellout: {one_line(text)}", file=sys.stderr)  # noqa: T201 - the only place that prints errors
    return 2


def _discard_output() -> None:
    """Discards buffered output, which the interpreter would otherwise fail to write again at exit."""
    with suppress(OSError, ValueError):  # no file descriptor in a test or a notebook
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    raise SystemExit(main())
