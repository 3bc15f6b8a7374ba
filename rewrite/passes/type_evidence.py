"""Exact types of expressions: proved from the source, or assumed because every call shows them."""

from __future__ import annotations

from collections.abc import Collection

import libcst as cst

from rewrite.analysis.exact_types import exact_type
from rewrite.analysis.scopes import Scope
from rewrite.evidence.assumptions import Assumption, exactly, has_length
from rewrite.evidence.facts import ObservedFacts

_FACTS = {"char": (exactly("str"), has_length(1))}


class TypeEvidence:
    """Answers questions about types in a scope and records the assumptions that the answers depend on.

    Each candidate has its own, so that it lists its own assumptions only.
    """

    def __init__(self, scope: Scope, shown: ObservedFacts | None = None) -> None:
        self._scope, self._shown = scope, shown
        self._assumed: list[tuple[cst.BaseExpression, str]] = []

    def has_type(self, node: cst.BaseExpression, kinds: Collection[str]) -> bool:
        """Whether every value of the expression has one of these types (always the same one if only calls show it)."""
        if exact_type(node, self._scope) in kinds:
            return True
        seen = self._shown.of(node) if self._shown is not None else None
        for wanted in sorted(kinds):
            facts = _FACTS.get(wanted, (exactly(wanted),))
            if seen is not None and all(map(seen.supports, facts)):
                self._assumed += [(node, fact) for fact in facts]
                return True
        return False

    def commit(self) -> None:
        """Note what was assumed, since a rewrite depends on it from here on."""
        for node, fact in self._assumed:
            assert self._shown is not None  # it showed them
            self._shown.note(node, fact)

    def assumptions(self) -> tuple[Assumption, ...]:
        """What was assumed, since the source does not prove it."""
        self.commit()
        return self._shown.assumptions() if self._shown is not None else ()
