"""Statements of the original that stay as they are, and why: what `rewrite.pipeline` says to the engine."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class FrozenStatement:
    """Why a statement stays as it is; with all that is in it (`whole`), or but for the blocks in it."""

    reason: str
    whole: bool = False
