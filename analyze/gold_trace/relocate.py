"""Gives compiled code the line numbers that CPython 3.10 would have given it.

Newer compilers assign some instructions to other lines: the jump of a test that spans several lines, the application of
a decorator, `__exit__`, the closing instructions of a comprehension. Each difference changes the LINE events that a
tracer sees. This module rewrites the line table and keeps the instructions. `analyze.gold_trace.python310` restores
comprehensions as functions. Imports the standard library only, because it runs inside the sandbox.
"""

from __future__ import annotations

import dis
import opcode
import sys
from collections.abc import Mapping
from functools import cache
from types import CodeType

from analyze.gold_trace.line_rules import LinePlacements, Position
from analyze.gold_trace.linetable import CACHE, line_table

Line = int | None

SINCE_312 = sys.version_info >= (3, 12)
SINCE_313 = sys.version_info >= (3, 13)

COMPREHENSIONS = frozenset({"<genexpr>", "<listcomp>", "<setcomp>", "<dictcomp>"})


def _opcodes(*names: str) -> frozenset[int]:
    """Returns the opcodes of those instructions that this interpreter has."""
    return frozenset(opcode.opmap[name] for name in names if name in opcode.opmap)


_CALL, _BEFORE_WITH = opcode.opmap["CALL"], opcode.opmap["BEFORE_WITH"]
_FOR_ITER, _ITERATES = opcode.opmap["FOR_ITER"], _opcodes("GET_ITER")
_RETURN, _YIELD = opcode.opmap["RETURN_VALUE"], opcode.opmap["YIELD_VALUE"]
_END_FOR, _POP_TOP = opcode.opmap.get("END_FOR", -1), opcode.opmap["POP_TOP"]
_JUMP_BACKWARD = opcode.opmap["JUMP_BACKWARD"]
_CLEANUP_THROW = opcode.opmap.get("CLEANUP_THROW", -1)
_PRECALL = opcode.opmap.get("PRECALL", -1)
_TESTS = _opcodes("TO_BOOL", "JUMP_BACKWARD", *(name for name in opcode.opmap if "JUMP_IF" in name))
_APPENDS = _opcodes("LIST_APPEND", "SET_ADD", "MAP_ADD", "YIELD_VALUE")
_RETURNS = _opcodes("RETURN_VALUE", "RETURN_CONST")
_AFTER_YIELD = _opcodes("RESUME", "POP_TOP")


def relocate(code: CodeType, places: LinePlacements) -> CodeType:
    """Returns the same code with 3.10's line numbers, recursively."""
    constants = tuple(relocate(held, places) if isinstance(held, CodeType) else held for held in code.co_consts)
    code = code.replace(co_consts=constants)
    where: list[Position] = list(code.co_positions())
    lines = _Relocation(code, where, places).lines
    if lines == [place[0] for place in where]:
        return code
    return code.replace(co_linetable=line_table(code.co_code[::2], lines, code.co_firstlineno))


class _Relocation:
    """The new line of each code unit of one code object."""

    def __init__(self, code: CodeType, where: list[Position], places: LinePlacements) -> None:
        self.units = code.co_code[::2]
        self.where = where
        self.is_generator = code.co_name == "<genexpr>"
        self.lines: list[Line] = [place[0] for place in where]
        if SINCE_312:
            self._move(places.tests, _TESTS)
            self._move(places.iterables, _ITERATES)
            if code.co_name in COMPREHENSIONS:
                self._move_comprehension(places)
        if SINCE_313:
            self._move_items(places)
            self._move_cleanups()
        elif code.co_name == "<lambda>":
            self._move_returns()
        self._move_decorators(places)
        for index in range(1, len(self.units)):
            if self.units[index] == CACHE:
                self.lines[index] = self.lines[index - 1]

    def _move(self, lines: Mapping[Position, int], opcodes: frozenset[int]) -> None:
        """Assigns these instructions of the expressions at these positions to their lines."""
        for index, place in enumerate(self.where):
            if self.units[index] in opcodes and place in lines:
                self.lines[index] = lines[place]

    def _move_comprehension(self, places: LinePlacements) -> None:
        closing = (index for index, place in enumerate(self.where) if place in places.elements)
        first = next((index for index in closing if self.units[index] in _APPENDS), None)
        if first is None:
            return
        loops = places.elements[self.where[first]]
        each, entered = iter(loops.each), list[int]()
        for index, unit in enumerate(self.units):
            if unit == _FOR_ITER:
                entered.append(next(each, loops.rest))
                self.lines[index] = entered[-1]
            elif unit == _END_FOR and entered:
                # It is skipped, but must separate the lines before and after it; 3.13 also skips a POP_TOP.
                width = 2 if self.units[index + 1] == _POP_TOP else 1
                line = entered.pop()
                self.lines[index : index + width] = [line] * width
                if not entered:
                    self._end_comprehension(index + width, line if self.is_generator else loops.rest)
                    return
            elif index >= first and _is_closing(self.units, index):
                self.lines[index] = loops.rest
            elif unit in _TESTS and (jump := self._jump_after(index)):
                # 3.13 inverts a test before a jump, and assigns both to other lines.
                self.lines[index], self.lines[jump] = self._line_before(index), loops.rest

    def _jump_after(self, index: int) -> int:
        """Returns the index of a JUMP_BACKWARD that follows the instruction at `index`; 0 if there is none."""
        after = next(place for place in range(index + 1, len(self.units)) if self.units[place] != CACHE)
        return after if self.units[after] == _JUMP_BACKWARD else 0

    def _line_before(self, index: int) -> Line:
        return next(self.lines[place] for place in range(index - 1, -1, -1) if self.units[place] != CACHE)

    def _end_comprehension(self, start: int, line: int) -> None:
        for index in range(start, len(self.units)):
            self.lines[index] = line
            if self.units[index] in _RETURNS:
                return

    def _move_items(self, places: LinePlacements) -> None:
        """From BEFORE_WITH on, assigns all instructions of a context expression to the line of the `with`."""
        entered: set[Position] = set()
        for index, place in enumerate(self.where):
            if place in places.items:
                if self.units[index] == _BEFORE_WITH:
                    entered.add(place)
                if place in entered:
                    self.lines[index] = places.items[place]

    def _move_cleanups(self) -> None:
        """Removes the line of the instruction that ends a `yield from` by an exception."""
        for index, unit in enumerate(self.units):
            if unit == _CLEANUP_THROW:
                self.lines[index] = None

    def _move_returns(self) -> None:
        """Gives the RETURN of a lambda the previous line: in 3.10 it has none of its own."""
        for index in range(1, len(self.units)):
            if self.units[index] == _RETURN:
                self.lines[index] = self.lines[index - 1]

    def _move_decorators(self, places: LinePlacements) -> None:
        """Moves the last call of a decorator, which applies it; an earlier call may evaluate `@decorator(...)`."""
        last = {place: index for index, place in enumerate(self.where) if self.units[index] == _CALL}
        for place, index in last.items():
            if place in places.decorators:
                start = index - 2 if self.units[index - 2] == _PRECALL else index
                self.lines[start : index + 1] = [places.decorators[place]] * (index + 1 - start)


def _is_closing(units: bytes, index: int) -> bool:
    return (
        units[index] in _APPENDS
        or units[index] == _JUMP_BACKWARD
        or (units[index] in _AFTER_YIELD and _YIELD in units[index - 2 : index])
    )


@cache
def repeated_lines(code: CodeType) -> frozenset[int]:
    """Returns the offsets at which 3.12 reports a line again although it was not left.

    This happens if a call precedes the target of a jump: on return from a Python function, 3.12 no longer knows the
    line of the call.
    """
    targets = dis.findlabels(code.co_code)  # type: ignore[arg-type] # takes bytes
    units = code.co_code[::2]
    lines = [place[0] for place in code.co_positions()]
    found = set()
    for target in targets:
        before = target // 2 - 1
        while before > 0 and units[before] == CACHE:
            before -= 1
        if units[before] == _CALL and lines[before] == lines[target // 2]:
            found.add(target)
    return frozenset(found)
