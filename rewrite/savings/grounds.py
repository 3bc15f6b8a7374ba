"""What one candidate rests on: what the source proves of its expressions, and what it assumes of them."""

from __future__ import annotations

from collections.abc import Collection

import libcst as cst

from rewrite.analysis.exact_types import kind
from rewrite.analysis.scopes import Scope

Assumed = tuple[int, int, str, str]


class Grounds:
    """Asks for exact types of expressions that are evaluated in a scope."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope

    def is_one_of(self, node: cst.BaseExpression, kinds: Collection[str]) -> bool:
        """Whether every value of the expression is of one of some builtin types."""
        return kind(node, self._scope) in kinds

    def assumes(self) -> tuple[Assumed, ...]:
        """What was taken for granted and is not proven."""
        return ()
