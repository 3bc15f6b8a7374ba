"""The commands of the debugger, read from a terminal or a pipe, like those of `pdb`."""

from __future__ import annotations

import cmd
import sys
from collections.abc import Callable
from typing import IO, Any

from rich.console import Console

from analyze.diagnosis.failing_operation import find_failing_operation
from corpora.errors import InputError, did_you_mean
from runner.reports.debugger.believed_trace import BelievedTrace
from runner.reports.debugger.frame_view import print_frame, print_values, print_verdict, source_lines, stack_lines
from runner.reports.failure_analyses import operation_lines
from runner.terminal.console import print_lines
from runner.terminal.tables import print_sentences

COMMANDS = {
    "step": "step [N]: to the next frame, or N frames on, at most to the last",
    "next": "next: to the next frame of this function or a caller, over calls",
    "out": "out: to the next frame of the caller",
    "back": "back [N]: to the previous frame, or N frames back, at most to the first",
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
            print_sentences(self.errors, error.message)
            return False

    def _execute(self, word: str, argument: str) -> bool:
        name = _command(word)
        if name is None:
            raise InputError(f"no command {word!r}{did_you_mean(word, COMMANDS)}; `help` lists the commands")
        if argument and "[" not in COMMANDS[name]:
            raise InputError(f"`{name}` takes no argument, but got {argument!r}")
        command: Callable[[str], bool | None] = getattr(self, f"do_{name}")
        return bool(command(argument))

    def do_step(self, argument: str) -> None:
        """Goes on by one frame, or by N, at most to the last one."""
        last = len(self.shown.pairs) - 1
        target = min(self.index + _count(argument), last)
        self._go_on(target if self.index < last else None)

    def do_next(self, argument: str) -> None:
        """Goes to the next frame at this depth of calls or above."""
        depth = len(self.shown.stacks[self.index])
        self._go_on(self.shown.find(self.index, lambda index: len(self.shown.stacks[index]) <= depth))

    def do_out(self, argument: str) -> None:
        """Goes to the next frame above this depth of calls."""
        depth = len(self.shown.stacks[self.index])
        self._go_to(lambda index: len(self.shown.stacks[index]) < depth, "is of a caller")

    def do_back(self, argument: str) -> None:
        """Goes back by one frame, or by N."""
        if not self.index:
            raise InputError("this is the first frame; `step` goes on")
        self._go(max(0, self.index - _count(argument)))

    def do_until(self, argument: str) -> None:
        """Goes to the next frame that differs, or that executes a line."""
        if "divergence".startswith(argument):
            self._go_to(lambda index: self.shown.pairs[index].kind is not None, "differs from the reference trace")
        elif argument.isdecimal():
            line = int(argument)
            self._go_to(lambda index: line in self.shown.lines(index), f"executes line {line}")
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

    def completedefault(self, *typed: Any) -> list[str]:
        """Completes the names of variables after `print` and its beginnings."""
        text, line, *_ = typed
        names = [one.name for one in self.shown.variables(self.index)] if _command(line.split()[0]) == "print" else []
        return [name for name in names if name.startswith(text)]

    def do_list(self, argument: str) -> None:
        """Prints the program around the current line."""
        print_lines(self.console, *source_lines(self.shown, self.index))

    def do_where(self, argument: str) -> None:
        """Prints the active calls."""
        print_lines(self.console, *stack_lines(self.shown, self.index))

    def do_why(self, argument: str) -> None:
        """Prints the operation that produced the first wrong value."""
        found = self.shown.diagnosis
        if found.kind == "none":
            raise InputError("the output does not diverge from the reference trace")
        lines = operation_lines(find_failing_operation(self.shown.trace, found))
        print_lines(self.console, f"frame {found.frame}: {found.kind}", *lines)

    def do_help(self, argument: str) -> None:
        """Prints the commands."""
        print_lines(self.console, *COMMANDS.values())
        print_sentences(self.console, "The beginning of a command is enough. An empty line repeats the last command.")

    def do_quit(self, argument: str) -> bool:
        """Ends the debugger."""
        return True

    def _go_on(self, index: int | None) -> None:
        """Goes to a frame; without one, says that the trace ends, prints the verdict and stays."""
        if index is not None:
            self._go(index)
            return
        print_sentences(self.console, f"the trace ends at frame {len(self.shown.pairs) - 1}")
        print_verdict(self.shown, self.console)

    def _go_to(self, condition: Callable[[int], bool], meaning: str) -> None:
        """Goes to the next frame that meets a condition, whose meaning the error has if there is none."""
        index = self.shown.find(self.index, condition)
        if index is None:
            raise InputError(f"no frame after frame {self.index} {meaning}")
        self._go(index)

    def _go(self, index: int) -> None:
        """Prints a frame and stays there."""
        self.index = index
        print_frame(self.shown, index, self.console)


def _command(word: str) -> str | None:
    """The command that a word is the beginning of."""
    return next((name for name in COMMANDS if name.startswith(word)), None)


def _count(argument: str, default: int = 1, least: int = 1) -> int:
    if not argument:
        return default
    if not argument.isdecimal() or int(argument) < least:
        raise InputError(f"{argument!r} is not an integer of at least {least}")
    return int(argument)
