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
from corpora.sandbox.levels import allow_weak_isolation
from runner import commands

DESCRIPTION = """\
Spellout spells programs out for code world models: it finds what a model that runs Python in its head
cannot see, rewrites the program so that nothing stays hidden, shows that it is still the same program,
and asks the model again."""
WEAK = "run programs even where nothing better than level C (process and limits) can be had"


def command_names() -> list[str]:
    """Every sub-command, sorted."""
    return sorted(module.name for module in pkgutil.iter_modules(commands.__path__))


def command_module(name: str) -> ModuleType:
    """The module of one sub-command."""
    return importlib.import_module(f"{commands.__name__}.{name}")


def build_parser(names: Sequence[str]) -> argparse.ArgumentParser:
    """The command line of the commands `names`; the help texts come from their modules."""
    parser = argparse.ArgumentParser(prog="spellout", description=DESCRIPTION)
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


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command. Exit status: 0 done, 1 something was found or differs, 2 wrong usage or unreadable input."""
    words = sys.argv[1:] if argv is None else list(argv)
    # A command that is named is the only one imported: `spellout rewrite` does not wait for what a model needs.
    names = [word for word in words[:1] if word in command_names()] or command_names()
    arguments = build_parser(names).parse_args(words)
    try:
        allow_weak_isolation(getattr(arguments, "allow_weak_isolation", False))
        status: int = arguments._run(arguments)
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
