"""Filter for inputs that break an assumption of a rewrite, found by observing the original on these inputs.

An assumption holds on an input if it held each time that its expression was evaluated. It also holds if the evaluation
never began; it is broken if it began and only ever raised.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence

from corpora.errors import InputError
from rewrite.evidence.assumptions import Assumption, ValueSummary
from rewrite.evidence.gather import SourceRange, observe_calls


class AssumptionFilter:
    """The assumptions on one program.

    Raises:
        InputError: If the program does not contain the expression of an assumption at its position.
    """

    def __init__(self, source: str, assumes: Sequence[Assumption]) -> None:
        self._source = source
        self._assumes = assumes
        places = _places(source) if assumes else {}
        self._places = [(found, places[_key(found, source)]) for found in assumes if _key(found, source) in places]
        self._receivers = _receivers(source) if assumes else {}
        for missing in set(assumes) - {found for found, _ in self._places}:
            raise InputError(f"the program contains no {missing.expression} at {missing.line}:{missing.column}")

    @property
    def places(self) -> tuple[SourceRange, ...]:
        """Source positions of the expressions, in the order of the assumptions."""
        return tuple(place for _, place in self._places)

    def broken_assumptions(self, calls: Sequence[str], seconds: float) -> dict[str, str]:
        """Return the calls that break an assumption, each with the reason. A call that times out breaks none."""
        if not self._assumes or not calls:
            return {}
        seen = observe_calls(self._source, calls, seconds=seconds)
        reasons = {one.call: next(self._broken(one.seen), "") for one in seen}
        return {call: why for call, why in reasons.items() if why}

    def _broken(self, seen: Mapping[SourceRange, ValueSummary]) -> Iterator[str]:
        for assumption, place in self._places:
            if place in seen and not seen[place].supports(assumption.what):
                yield f"not true at {assumption}"
            elif place not in seen and self._receivers.get(place) in seen:
                yield f"no value at {assumption}"


_Key = tuple[int, int, str]


def _key(assumption: Assumption, source: str) -> _Key:
    """Position of the expression (line, column in bytes) and its syntax tree."""
    try:
        line = source.split("\n")[assumption.line - 1]
        shape = ast.dump(ast.parse(f"({assumption.expression}\n)", mode="eval").body)
    except (IndexError, SyntaxError, ValueError):
        return 0, 0, ""
    return assumption.line, len(line[: assumption.column - 1].encode("utf-8", "surrogatepass")), shape


def _receivers(source: str) -> dict[SourceRange, SourceRange]:
    """For each method call, where it stands and where its receiver does, which is evaluated first."""
    calls = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call))
    return {_range(call): _range(call.func.value) for call in calls if isinstance(call.func, ast.Attribute)}


def _range(node: ast.expr) -> SourceRange:
    return node.lineno, node.col_offset, node.end_lineno or 0, node.end_col_offset or 0


def _places(source: str) -> dict[_Key, SourceRange]:
    nodes = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.expr))
    return {(node.lineno, node.col_offset, ast.dump(node)): _range(node) for node in nodes}
