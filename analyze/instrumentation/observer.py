"""The typed hooks of an observer of Python evaluation.

A hook runs between two of the program's own instructions. It must run no code of the program: values are looked at by
identity and by methods of exact builtin types only (`analyze.instrumentation.exact_types`).
"""

from __future__ import annotations

from collections.abc import Sequence
from types import FrameType
from typing import Any

from analyze.instrumentation.sites import Expression, Site


class Observer:
    """What an observer may override; by itself it wants nothing.

    Attributes:
        values: Whether `value` is called for every expression that is evaluated to an object of its own.

    """

    values = False

    def wants(self, kind: str, name: str, is_chained: bool) -> bool:
        """Whether operations of a kind and name are observed (see Site); asked once for each site."""
        return False

    def sees(self, frame: FrameType) -> bool:
        """Whether what this frame of the program evaluates is to be observed."""
        return True

    def value(self, expression: Expression, value: Any) -> None:
        """An expression was evaluated. Constants and f-strings are not, unless a method is looked up on them."""

    def operand(self, site: Site, index: int, value: Any) -> Any:
        """What is kept of an operand, asked when it has been evaluated, before the operation may change it."""
        return value

    def operation(self, site: Site, operands: Sequence[Any], result: Any, order: int) -> None:
        """An operation is over.

        Args:
            site: Which operation, and where.
            operands: What `operand` kept of each, UNSEEN for those that cannot be seen. Of "boolean" operations, only
                those that were evaluated.
            result: The value; RAISED if the operation raised, which is noticed late, when the frame goes on elsewhere
                or the run ends; UNSEEN for sites whose result is not seen and for links of a comparison but the
                last.
            order: Counts the operations of the run in the order in which Python began them.

        """
