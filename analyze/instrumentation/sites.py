"""What the transformer found in a source: expressions that a probe stands around, and operations."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

Position = tuple[int, int, int, int]
"""Line and column where an expression begins and ends, as `ast` counts them: lines from 1, columns in bytes from 0."""


class Marker(Enum):
    """What stands in the place of a value that is not there."""

    EVALUATED = "evaluated when the program runs"
    UNSEEN = "not observable without running code of the program a second time"
    RAISED = "the operation raised"


@dataclass(frozen=True)
class Site:
    """A place in the source where Python performs one operation.

    Attributes:
        kind: "operator" (unary, binary, and each link of a comparison), "augmented", "boolean", "method", "call",
            "attribute", "item", "slice" or "format".
        name: Of the operator (its class in `ast`), the method or attribute (mangled if private), or the called name
            ("" if what is called is not a name).
        position: Where it stands; None inside f-strings up to Python 3.11 where that is not certain.
        operands: One for each operand, in the order of evaluation: a constant of the source, EVALUATED, or UNSEEN. The
            first is the receiver, the container, or the function that is called.
        passed: For calls, how each operand is passed: "" by position, its name by keyword, "*" and "**" unpacked.
        is_seen: Whether a probe sees its result; not of augmented assignments and of what these read from their target.
        is_chained: Whether it is a link of a comparison that has several.
        last: The highest number of the sites inside it; sites are numbered from outside to inside.

    """

    kind: str
    name: str
    position: Position | None
    operands: tuple[object, ...]
    passed: tuple[str, ...] = ()
    is_seen: bool = True
    is_chained: bool = False
    last: int = 0


@dataclass(frozen=True)
class Expression:
    """An expression that a probe stands around.

    Attributes:
        position: Where it stands, or None as for Site.
        is_value: Whether the observer wants its value for itself.
        method: Name and position of the attribute that a call looks up on it next.
        result_of: Numbers of the first site that it is the result of, and of one past the last (links of a chain).
        operand_of: Number of a site and index of the operand, for each site that it is an operand of.

    """

    position: Position | None
    is_value: bool = False
    method: tuple[str, Position] | None = None
    result_of: tuple[int, int] | None = None
    operand_of: tuple[tuple[int, int], ...] = ()
