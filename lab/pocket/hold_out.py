"""Which programs are held out of training: one in `HOLD_OUT`, by a hash of the text."""

from __future__ import annotations

import hashlib

from corpora.program import Case

HOLD_OUT = 20


def is_held_out(text: str) -> bool:
    """Whether a text is held out; of a real program its source, so that all variants are held out together."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") % HOLD_OUT == 0


def is_case_held_out(case: Case) -> bool:
    """Whether this program with this input is held out, by the traced text."""
    return is_held_out(case.context)
