"""Reconstructs operations from evaluated expressions: collects operands until their result arrives, frame by frame.

Within a frame, expressions nest: a stack per frame holds the operations whose operands are being evaluated. If the
frame evaluates something outside the topmost operation, that operation was left by an exception.
"""

from __future__ import annotations

import builtins
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from analyze.instrumentation.observer import Observer
from analyze.instrumentation.sites import InstrumentedExpression, InstrumentedSite, Marker

globals()["__builtins__"] = dict(vars(builtins))  # for the functions below; a program may replace its own
_getframe = sys._getframe
_EVALUATED, _UNSEEN, _RAISED = Marker.EVALUATED, Marker.UNSEEN, Marker.RAISED


@dataclass(slots=True)
class _OpenOperation:
    """An operation whose operands are being evaluated; `order` is 0 until all are."""

    number: int
    operands: list[Any]
    left: int
    order: int = 0


class Probes:
    """Calls an observer's hooks. One instance serves one run."""

    def __init__(
        self, expressions: Sequence[InstrumentedExpression], sites: Sequence[InstrumentedSite], observer: Observer
    ) -> None:
        self._expressions, self._sites, self._observer = expressions, sites, observer
        self._stacks: dict[int, list[_OpenOperation]] = {}
        self._operations = 0

    def ready(self) -> None:
        """Prepares the tables; called when all expressions and sites are known."""
        evaluated = [[index for index, held in enumerate(site.operands) if held is _EVALUATED] for site in self._sites]
        self._counts = [len(indices) for indices in evaluated]
        self._firsts = [indices[0] if indices else -1 for indices in evaluated]

    def probe(self, value: Any, number: int) -> Any:
        """Wraps an expression; returns the same object."""
        expression = self._expressions[number]
        if expression.is_value:
            self._observer.value(expression, value)
        if expression.result_of is not None or expression.operand_of:
            frame = _getframe(1)
            if self._observer.sees(frame):
                if expression.result_of is not None:
                    self._finish(id(frame), *expression.result_of, value)
                for site, index in expression.operand_of:
                    self._evaluated(id(frame), site, index, value)
        return value

    def probe_augmented(self, left: Any, value: Any, number: int) -> Any:
        """Wraps the value of an augmented assignment; `left` is the name's earlier value, or None."""
        [(site, _)] = self._expressions[number].operand_of
        frame = _getframe(1)
        if self._observer.sees(frame):
            if self._sites[site].operands[0] is _EVALUATED:
                self._evaluated(id(frame), site, 0, left)
            self._evaluated(id(frame), site, 1, value)
        return value

    def end(self) -> None:
        """Ends the run: operations without a result raised, or ended the run."""
        left = [pending for stack in self._stacks.values() for pending in stack]
        self._stacks.clear()
        for pending in sorted(left, key=lambda pending: pending.order):
            self._left_behind(pending)

    def clear(self) -> None:
        """Discards pending operations."""
        self._stacks.clear()

    def _evaluated(self, frame: int, number: int, index: int, value: Any) -> None:
        site = self._sites[number]
        stack = self._stacks.get(frame)
        if stack is None:
            stack = self._stacks[frame] = []
        kept = self._observer.operand(site, index, value)
        if index == self._firsts[number]:
            while stack and not (stack[-1].number < number <= self._sites[stack[-1].number].last):
                self._left_behind(stack.pop())
            stack.append(_OpenOperation(number, list(site.operands), self._counts[number]))
        else:
            while stack and stack[-1].number != number:
                self._left_behind(stack.pop())
            if not stack:
                return  # its first operand was not observed
        pending = stack[-1]
        pending.operands[index] = kept
        pending.left -= 1
        if not pending.left:
            self._operations += 1
            pending.order = self._operations
            if not site.is_seen:
                stack.pop()
                self._report(pending, _UNSEEN)

    def _finish(self, frame: int, first: int, end: int, value: Any) -> None:
        """Completes the operations from `first` on; those of a comparison chain at once."""
        stack = self._stacks.get(frame)
        over = []
        while stack and stack[-1].number >= first:
            pending = stack.pop()
            if pending.number < end:
                over.append(pending)
            else:
                self._left_behind(pending)
        if not stack:
            self._stacks.pop(frame, None)
        if over and self._sites[first].kind == "boolean":
            [pending] = over
            self._operations += 1
            pending.order = self._operations
            pending.operands = [held for held in pending.operands if held is not _EVALUATED]
        if len(over) == 1:
            if over[0].order:
                self._report(over[0], value)
            return
        whole = [pending for pending in reversed(over) if pending.order]
        for pending in whole:
            self._report(pending, value if pending is whole[-1] else _UNSEEN)

    def _left_behind(self, pending: _OpenOperation) -> None:
        if pending.order:
            self._report(pending, _RAISED)

    def _report(self, pending: _OpenOperation, result: Any) -> None:
        site = self._sites[pending.number]
        operands = pending.operands
        if self._counts[pending.number] < len(operands):  # some are constants
            operands = [
                held if given is _EVALUATED or given is _UNSEEN else self._observer.operand(site, index, given)
                for index, (held, given) in enumerate(zip(pending.operands, site.operands, strict=False))
            ]
        self._observer.operation(site, operands, result, pending.order)
