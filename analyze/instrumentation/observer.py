"""The typed hooks of an observer of Python evaluation.

A hook runs between two instructions of the program and must not run code of the program. It inspects values by identity
and by methods of exact builtin types only (`analyze.instrumentation.type_identity`).
"""

from __future__ import annotations

from collections.abc import Sequence
from types import FrameType
from typing import Any

from analyze.instrumentation.sites import InstrumentedExpression, InstrumentedSite


class Observer:
    """The hooks that an observer may override; the defaults observe nothing.

    Attributes:
        values: Whether `value` is called for every expression that evaluates to an object of its own.
    """

    values = False

    def wants(self, kind: str, name: str, is_chained: bool) -> bool:
        """Returns whether operations of this kind and name are observed; called once per InstrumentedSite."""
        return False

    def sees(self, frame: FrameType) -> bool:
        """Returns whether evaluation in this frame of the program is observed."""
        return True

    def value(self, expression: InstrumentedExpression, value: Any) -> None:
        """Called after an evaluation; for constants and f-strings only if a method is looked up on them."""

    def operand(self, site: InstrumentedSite, index: int, value: Any) -> Any:
        """Returns what to keep of an operand; called after its evaluation and before the operation may change it."""
        return value

    def operation(self, site: InstrumentedSite, operands: Sequence[Any], result: Any, order: int) -> None:
        """Called after an operation.

        Args:
            site: The operation and its position.
            operands: What `operand` returned for each, UNSEEN for operands that cannot be seen. "boolean" operations
                include only the operands that were evaluated.
            result: The value. RAISED if the operation raised, which is detected later, when the frame continues
                elsewhere or the run ends. UNSEEN for sites whose result is not seen, and for all links of a comparison
                but the last.
            order: Numbers the operations of the run in the order in which Python began them.
        """
