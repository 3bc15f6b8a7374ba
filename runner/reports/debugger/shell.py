"""The commands of the debugger, read from a terminal or a pipe, like those of `pdb`."""

from __future__ import annotations

import cmd
import sys
from collections.abc import Callable
from typing import IO

from rich.console import Console

from analyze.diagnosis.failing_operation import find_failing_operation
from corpora.errors import InputError, did_you_mean
from runner.reports.debugger.believed_trace import BelievedTrace
from runner.reports.debugger.frame_view import print_frame, print_values, print_verdict, source_lines, stack_lines
from runner.reports.failure_analyses import operation_lines
from runner.terminal.tables import print_sentence

COMMANDS = {
    "step": "step [N]: to the next frame, or N frames on",
    "next": "next: to the next frame of this function or a caller, over calls",
    "out": "out: to the next frame of the caller",
    "back": "back [N]: to the previous frame, or N frames back",
    "until": "until [divergence | LINE]: to the next frame that differs, or that executes a line",
    "frame": "frame [N]: prints the current frame again, or goes to frame N",
    "print": "print [NAME]: prints a variable in full, or all",
    "list": "list: prints the program around the current line",
    "where": "where: prints the active calls",
    "why": "why: prints the operation that produced the first wrong value",
    "help": "help: prints this list",
    "quit": "quit: ends the debugger, as does the end of the input",
}
"""The commands in the order of `help`. The first one that begins with what was typed is meant."""
PROMPT = "(spellout) "


class DebuggerShell(cmd.Cmd):
    """Reads commands and prints frames.

    In a pipe there is no prompt, and the first command that cannot be executed raises InputError.

    Args:
        shown: the output and its reference trace; at least one frame.
        console: where frames are printed.
        errors: where a terminal shows mistakes.
        commands: the input; standard input if it is a terminal.
    """

    def __init__(self, shown: BelievedTrace, console: Console, errors: Console, commands: IO[str] = sys.stdin) -> None:
        super().__init__(stdin=commands)
        self.shown, self.console, self.errors = shown, console, errors
        self.index, self.number = 0, 0
        self.is_interactive = self.use_rawinput = commands.isatty()
        self.prompt = PROMPT if self.is_interactive else ""

    def preloop(self) -> None:
        """Prints the verdict and the first frame."""
        print_verdict(self.shown, self.console)
        print_frame(self.shown, 0, self.console)

    def onecmd(self, line: str) -> bool:
        """Executes a command by its name or the beginning of it. An empty line repeats the last command."""
        if line == "EOF":
            return True
        self.number += 1
        self.lastcmd = line.strip() or self.lastcmd
        word, _, argument = self.lastcmd.partition(" ")
        try:
            return bool(word) and self._execute(word, argument.strip())
        except InputError as error:
            if not self.is_interactive:
                raise InputError(error.message, where=f"command {self.number}") from error
            print_sentence(self.errors, error.message)
            return False

    def _execute(self, word: str, argument: str) -> bool:
        name = next((name for name in COMMANDS if name.startswith(word)), None)
        if name is None:
            raise InputError(f"no command {word!r}{did_you_mean(word, COMMANDS)}; `help` lists the commands")
        if name == "quit":
            return True
        command: Callable[[str], None] = getattr(self, f"do_{name}")
        command(argument)
        return False

    def do_step(self, argument: str) -> None:
        """Goes on by one frame, or by N."""
        self._go(min(self.index + _count(argument), len(self.shown.pairs)))

    def do_next(self, argument: str) -> None:
        """Goes to the next frame at this depth of calls or above."""
        depth = len(self.shown.stacks[self.index])
        self._go(self.shown.find(self.index, lambda index: len(self.shown.stacks[index]) <= depth))

    def do_out(self, argument: str) -> None:
        """Goes to the next frame above this depth of calls."""
        depth = len(self.shown.stacks[self.index])
        self._go(self.shown.find(self.index, lambda index: len(self.shown.stacks[index]) < depth))

    def do_back(self, argument: str) -> None:
        """Goes back by one frame, or by N."""
        if not self.index:
            raise InputError("this is the first frame; `step` goes on")
        self._go(max(0, self.index - _count(argument)))

    def do_until(self, argument: str) -> None:
        """Goes to the next frame that differs, or that executes a line."""
        if "divergence".startswith(argument):
            self._go(self.shown.find(self.index, lambda index: self.shown.pairs[index].kind is not None))
        elif argument.isdecimal():
            line = int(argument)
            self._go(self.shown.find(self.index, lambda index: line in self.shown.lines(index)))
        else:
            raise InputError(f"{argument!r} is neither `divergence` nor a line of the program")

    def do_frame(self, argument: str) -> None:
        """Goes to a frame by its number."""
        number = _count(argument, self.index, least=0)
        if number >= len(self.shown.pairs):
            raise InputError(f"no frame {number}; the last one is {len(self.shown.pairs) - 1}")
        self._go(number)

    def do_print(self, argument: str) -> None:
        """Prints one variable, or all."""
        variables = self.shown.variables(self.index)
        found = [one for one in variables if argument in ("", one.name)]
        if argument and not found:
            known = ", ".join(one.name for one in variables) or "none"
            raise InputError(f"this frame has no variable {argument!r}; it has: {known}")
        print_values(found, self.console)

    def complete_print(self, text: str, line: str, begin: int, end: int) -> list[str]:
        """Completes the names of variables."""
        return [one.name for one in self.shown.variables(self.index) if one.name.startswith(text)]

    def do_list(self, argument: str) -> None:
        """Prints the program around the current line."""
        for line in source_lines(self.shown, self.index):
            self.console.print(line, soft_wrap=True)

    def do_where(self, argument: str) -> None:
        """Prints the active calls."""
        for line in stack_lines(self.shown, self.index):
            self.console.print(line, soft_wrap=True)

    def do_why(self, argument: str) -> None:
        """Prints the operation that produced the first wrong value."""
        found = self.shown.diagnosis
        if found.kind == "none":
            raise InputError("the output does not diverge from the reference trace")
        self.console.print(f"frame {found.frame}: {found.kind}", soft_wrap=True)
        for line in operation_lines(find_failing_operation(self.shown.trace, found)):
            self.console.print(line, soft_wrap=True)

    def do_help(self, argument: str) -> None:
        """Prints the commands."""
        for text in COMMANDS.values():
            self.console.print(text, soft_wrap=True)
        print_sentence(self.console, "The beginning of a command is enough. An empty line repeats the last command.")

    def _go(self, index: int | None) -> None:
        """Prints a frame and stays there; at the end of the traces, prints the verdict and stays where it is."""
        if index is None or index == len(self.shown.pairs):
            print_sentence(self.console, f"no such frame after frame {self.index}; `back` and `frame N` go back")
            print_verdict(self.shown, self.console)
            return
        self.index = index
        print_frame(self.shown, index, self.console)


def _count(argument: str, default: int = 1, least: int = 1) -> int:
    if not argument:
        return default
    if not argument.isdecimal() or int(argument) < least:
        raise InputError(f"{argument!r} is not an integer of at least {least}")
    return int(argument)
