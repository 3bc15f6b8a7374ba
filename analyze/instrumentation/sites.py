"""Data classes for what the transformer finds in a source: wrapped expressions, and operations."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

Position = tuple[int, int, int, int]
"""First line, first column, last line and last column of an expression, as in `ast`: lines from 1, columns in bytes
from 0.
"""


class Marker(Enum):
    """Represents a missing value."""

    EVALUATED = "evaluated when the program runs"
    UNSEEN = "not observable without running code of the program a second time"
    RAISED = "the operation raised"


@dataclass(frozen=True)
class InstrumentedSite:
    """A place in the source where Python performs one operation.

    Attributes:
        kind: "operator" (unary, binary, and each link of a comparison), "augmented", "boolean", "method", "call",
            "attribute", "item", "slice" or "format".
        name: The operator (its class in `ast`), the method or attribute (mangled if private), or the called name ("" if
            what is called is not a name).
        position: Its position; None inside f-strings up to Python 3.11 if it is not certain.
        operands: For each operand, in the order of evaluation: a constant of the source, EVALUATED, or UNSEEN. The
            first is the receiver, the container, or the called function.
        passed: For calls, how each operand is passed: "" by position, its name by keyword, "*" and "**" unpacked.
        is_seen: Whether a probe sees its result; False for augmented assignments and the reads of their targets.
        last: The highest number of the sites inside it; sites are numbered from outside to inside.
    """

    kind: str
    name: str
    position: Position | None
    operands: tuple[object, ...]
    passed: tuple[str, ...] = ()
    is_seen: bool = True
    last: int = 0


@dataclass(frozen=True)
class InstrumentedExpression:
    """An expression that is wrapped in a probe.

    Attributes:
        position: Its position, or None as for InstrumentedSite.
        is_value: Whether the observer wants its value for itself.
        method: Name and position of the attribute that a call looks up on it next.
        result_of: Number of the first site whose result it is, and one past the last (links of a chain).
        operand_of: Number of a site and index of the operand, for each site that it is an operand of.
    """

    position: Position | None
    is_value: bool = False
    method: tuple[str, Position] | None = None
    result_of: tuple[int, int] | None = None
    operand_of: tuple[tuple[int, int], ...] = ()
