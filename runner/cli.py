"""`spellout`: finds the sub-commands, parses the command line, turns a mendable error into one line and exit 2.

What a command does stands in its own module under `runner/commands`.
"""

from __future__ import annotations

import argparse
import importlib
import os
import pkgutil
import sys
from collections.abc import Sequence
from types import ModuleType

from corpora.errors import InputError
from runner import commands

DESCRIPTION = """\
Spellout spells programs out for code world models: it finds what a model that runs Python in its head
cannot see, rewrites the program so that nothing stays hidden, shows that it is still the same program,
and asks the model again."""


def command_modules() -> list[ModuleType]:
    """Every sub-command, by name."""
    names = sorted(module.name for module in pkgutil.iter_modules(commands.__path__))
    return [importlib.import_module(f"{commands.__name__}.{name}") for name in names]


def build_parser() -> argparse.ArgumentParser:
    """The whole command line. Raises nothing; the help texts come from the command modules."""
    parser = argparse.ArgumentParser(prog="spellout", description=DESCRIPTION)
    groups = parser.add_subparsers(metavar="COMMAND", required=True)
    for module in command_modules():
        sub = groups.add_parser(
            module.__name__.rpartition(".")[2],
            help=module.SUMMARY,
            description=module.SUMMARY,
            epilog="examples:\n" + module.EXAMPLES.strip("\n"),
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        module.configure(sub)
        sub.set_defaults(run=module.run)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command. Exit status: 0 done, 1 something was found or differs, 2 wrong usage or unreadable input."""
    arguments = build_parser().parse_args(argv)
    try:
        status: int = arguments.run(arguments)
        sys.stdout.flush()
    except InputError as error:
        print(f"spellout: {error}", file=sys.stderr)  # noqa: T201 - the one place that speaks for all commands
        return 2
    except BrokenPipeError:
        # `spellout … | head` closed the pipe: not an error, and the interpreter must not flush into it at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        print("spellout: interrupted", file=sys.stderr)  # noqa: T201
        return 130
    return status


if __name__ == "__main__":
    raise SystemExit(main())
