"""`spellout`: finds the sub-commands, parses the command line, turns a mendable error into one line and exit 2.

Mendable are wrong usage, input that cannot be read, and output that cannot be written (a full disk, a folder that is
read-only). What a command does stands in its own module under `runner/commands`.
"""

from __future__ import annotations

import argparse
import importlib
import os
import pkgutil
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import metadata
from types import ModuleType
from typing import Any, NoReturn

from corpora.errors import InputError, did_you_mean
from corpora.sandbox.workers.levels import allow_weak_isolation
from runner import commands
from runner.terminal.console import one_line

DESCRIPTION = """\
Spellout spells programs out for code world models: it finds what a model that runs Python in its head
cannot see, rewrites the program so that nothing stays hidden, shows that it is still the same program,
and asks the model again."""
WEAK = "run programs even where nothing better than level C (process and limits) can be had"


class Parser(argparse.ArgumentParser):
    """A parser that speaks for itself: what a command does not know is shown with that command's own usage.

    Options are written out: `--mode`, where a command has none, would be taken for `--model`.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(**{**options, "allow_abbrev": False})

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """As argparse's, but nothing is left over for the parser above."""
        found, unknown = super().parse_known_args(args, namespace)
        if unknown:
            close = next(filter(None, (did_you_mean(word, self._option_string_actions) for word in unknown)), "")
            self.error(f"unrecognized arguments: {' '.join(unknown)}{close}")
        return found, []

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """As argparse's, with the choice that was probably meant."""
        try:
            super()._check_value(action, value)
        except argparse.ArgumentError as error:
            error.message += did_you_mean(str(value), map(str, action.choices or ()))
            raise

    def error(self, message: str) -> NoReturn:
        """Usage, the message and exit status 2."""
        super().error(one_line(message))


def command_names() -> list[str]:
    """Every sub-command, sorted."""
    return sorted(module.name for module in pkgutil.iter_modules(commands.__path__))


def command_module(name: str) -> ModuleType:
    """The module of one sub-command."""
    return importlib.import_module(f"{commands.__name__}.{name}")


def build_parser(names: Sequence[str]) -> argparse.ArgumentParser:
    """The command line of the commands `names`; the help texts come from their modules."""
    parser = Parser(prog="spellout", description=DESCRIPTION)
    parser.add_argument("--version", action="version", version=f"spellout {version()}")
    groups = parser.add_subparsers(metavar="COMMAND", required=True)
    for module in map(command_module, names):
        sub = groups.add_parser(
            module.__name__.rpartition(".")[2],
            help=module.SUMMARY,
            description=module.SUMMARY,
            epilog="examples:\n" + module.EXAMPLES.strip("\n"),
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        module.configure(sub)
        if getattr(module, "RUNS_PROGRAMS", False):
            sub.add_argument("--allow-weak-isolation", action="store_true", help=WEAK)
        sub.set_defaults(_run=module.run)
    return parser


def version() -> str:
    """The version that is installed; "not installed" where the code is run from its folder alone."""
    try:
        return metadata.version("spellout")
    except metadata.PackageNotFoundError:
        return "(not installed)"


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command. Exit status: 0 done, 1 something was found or differs, 2 wrong usage, input or output."""
    words = sys.argv[1:] if argv is None else list(argv)
    # A command that is named is the only one imported: `spellout rewrite` does not wait for what a model needs.
    known = command_names()
    names = [] if words[:1] == ["--version"] else [word for word in words[:1] if word in known] or known
    if sys.stdout is None:
        return _refused("standard output is closed")
    arguments = build_parser(names).parse_args(words)
    try:
        allow_weak_isolation(getattr(arguments, "allow_weak_isolation", False))
        status: int = arguments._run(arguments)
        sys.stdout.flush()
    except InputError as error:
        return _refused(str(error))
    except (RecursionError, MemoryError) as error:
        what = "nested too deeply" if isinstance(error, RecursionError) else "too large"
        return _refused(f"{_named(arguments)}: {what} for this command")
    except BrokenPipeError:
        # `spellout … | head` closed the pipe: not an error, and the interpreter must not flush into it at exit.
        _discard_output()
        return 0
    except OSError as error:
        # A full disk, a folder that is read-only: where no command knows more than the system says of it.
        if not error.filename:
            _discard_output()
        return _refused(f"{error.filename or 'standard output'}: {error.strerror or error}")
    except KeyboardInterrupt:
        print("spellout: interrupted", file=sys.stderr)  # noqa: T201
        return 130
    return status


def _named(arguments: argparse.Namespace) -> str:
    """What the command was given first, which is what it reads."""
    given = (getattr(arguments, name, None) for name in ("file", "benchmark", "sources", "before", "run"))
    found = next((str(value[0] if isinstance(value, list) else value) for value in given if value), "")
    return found or "the input"


def _refused(text: str) -> int:
    with suppress(OSError):  # standard error may be full too
        print(f"spellout: {one_line(text)}", file=sys.stderr)  # noqa: T201 - the one place that speaks for all commands
    return 2


def _discard_output() -> None:
    """What is still held for standard output goes nowhere: the interpreter would fail on it again at its exit."""
    with suppress(OSError, ValueError):  # no descriptor: a test, or a notebook, holds the output itself
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    raise SystemExit(main())
