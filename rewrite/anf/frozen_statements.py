"""Statements of the original that must not change, as `rewrite.pipeline` tells the lowering."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class FrozenStatement:
    """Why a statement must not change.

    Attributes:
        reason: the reason.
        whole: whether everything in it stays; if not, the blocks in it are lowered.
    """

    reason: str
    whole: bool = False
