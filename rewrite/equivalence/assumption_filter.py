"""Filter for inputs that break an assumption of a rewrite, found by observing the original on these inputs.

An assumption holds on an input if it held each time that its expression was evaluated. It also holds if the evaluation
never began; it is broken if it began and only ever raised.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence

from corpora.errors import InputError
from rewrite.evidence.assumptions import CONTENTS, PLAIN_LOOKUP, Assumption, ValueSummary, exactly, has_min_length
from rewrite.evidence.gather import SourceRange, gather_evidence, observe_calls


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
        self._first_operands = _first_operands(source) if assumes else {}
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
        firsts = (self._first_operands[place] for place in self.places if place in self._first_operands)
        seen = observe_calls(self._source, calls, seconds=seconds, places={*self.places, *firsts})
        reasons = {one.call: next(self._broken(one.seen), "") for one in seen}
        return {call: why for call, why in reasons.items() if why}

    def _broken(self, seen: Mapping[SourceRange, ValueSummary]) -> Iterator[str]:
        for assumption, place in self._places:
            if place in seen and not seen[place].supports(assumption.what):
                yield f"not true at {assumption}"
            elif place not in seen and self._first_operands.get(place) in seen:
                yield f"no value at {assumption}"


def find_unlike_value(source: str, given: Sequence[str], call: str, seconds: float) -> Assumption | None:
    """The first fact that every given call shows and another call does not; None if the call shows nothing else.

    Facts are those that a rewrite may assume of an expression: its type, its contents, and that it is not empty.
    """
    shown = gather_evidence(source, given, seconds=seconds).seen
    for other in observe_calls(source, [call], seconds=seconds):
        for place in sorted(shown.keys() & other.seen.keys()):
            broken = (fact for fact in _facts(shown[place]) if not other.seen[place].supports(fact))
            for fact in broken:
                line, column, text = _written(source, place)
                return Assumption(line, column, text, fact)
    return None


def _facts(shown: ValueSummary) -> Iterator[str]:
    if len(shown.types) == 1 and not shown.is_opaque and "" not in shown.types:
        yield exactly(*shown.types)
    if shown.plain:
        yield PLAIN_LOOKUP
    yield from (fact for fact in CONTENTS if fact in shown.holds)
    if shown.lengths and shown.lengths[0] > 0:
        yield has_min_length(1)


def _written(source: str, place: SourceRange) -> tuple[int, int, str]:
    """Line and column from 1 of an expression, and its source on one line."""
    first, column, last, end = place
    lines = [line.encode("utf-8", "surrogatepass") for line in source.split("\n")[first - 1 : last]]
    lines[-1] = lines[-1][:end]
    before, lines[0] = lines[0][:column], lines[0][column:]
    text = b" ".join(lines).decode("utf-8", "surrogatepass")
    return first, len(before.decode("utf-8", "surrogatepass")) + 1, " ".join(text.split())


_Key = tuple[int, int, str]


def _key(assumption: Assumption, source: str) -> _Key:
    """Position of the expression (line, column in bytes) and its syntax tree."""
    try:
        line = source.split("\n")[assumption.line - 1]
        shape = ast.dump(ast.parse(f"({assumption.expression}\n)", mode="eval").body)
    except (IndexError, SyntaxError, ValueError):
        return 0, 0, ""
    return assumption.line, len(line[: assumption.column - 1].encode("utf-8", "surrogatepass")), shape


def _first_operands(source: str) -> dict[SourceRange, SourceRange]:
    """For each call, where it stands and where what it evaluates first does: its receiver, or its first argument."""
    calls = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call))
    return {_range(call): _range(first) for call in calls for first in _operands(call)[:1]}


def _operands(call: ast.Call) -> list[ast.expr]:
    if isinstance(call.func, ast.Attribute):
        return [call.func.value]
    return [one.value if isinstance(one, ast.Starred) else one for one in call.args]


def _range(node: ast.expr) -> SourceRange:
    return node.lineno, node.col_offset, node.end_lineno or 0, node.end_col_offset or 0


def _places(source: str) -> dict[_Key, SourceRange]:
    nodes = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.expr))
    return {(node.lineno, node.col_offset, ast.dump(node)): _range(node) for node in nodes}
