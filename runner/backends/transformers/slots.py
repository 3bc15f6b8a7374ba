"""Keys and values of a batch in which each row has its own length, and can be set back to a shorter one.

Slot `position % capacity` of a row holds a position's keys and values. A layer with full attention has a slot for every
position; one with a sliding window has as many as the window and one pass need, and overwrites the oldest. Setting a
row back is forgetting: what lies beyond a query's position is not seen. That stays true for a ring as long as no row
is set back by more than one pass. One rule says what a query at `position` sees in slot j, for both kinds of layers:

    distance = (position - j) mod capacity        what the slot holds lies so far back, or was never written
    seen     = distance <= position and distance < window

It is handed to a model of transformers in place of its own cache; the model calls `update` alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

FULL, SLIDING = "full_attention", "sliding_attention"
_STEP = 256


class Slots:
    """Room for so many rows, of which the first `rows` are in use. block: the most tokens of one pass."""

    def __init__(self, config: Any, room: int, block: int) -> None:
        self.rows = 0
        self._room = room
        self._block = block
        self._kinds: list[str] = list(config.layer_types)
        self._window = {FULL: None, SLIDING: int(config.sliding_window)}
        self._capacity = {FULL: 0, SLIDING: 0}
        self._stored: list[tuple[torch.Tensor, torch.Tensor] | None] = [None] * len(self._kinds)
        self._at: dict[str, torch.Tensor] = {}
        self._used = {FULL: 0, SLIDING: 0}
        self._alone = False

    def expect(self, starts: Sequence[int], width: int, device: Any) -> tuple[torch.Tensor, dict[str, Any]]:
        """Before a pass of `width` tokens from `starts[row]` on: the positions, and the masks by kind of layer.

        A mask is None where plain causal attention says the same: in a pass that starts every row and is no longer than
        the window. Any: a tensor or None.
        """
        length = max(starts) + width
        self.reserve(length)
        positions = torch.tensor(starts)[:, None] + torch.arange(width)
        self._alone = max(starts) == 0 and width <= (self._window[SLIDING] or width)
        self._used = {kind: min(capacity, length) for kind, capacity in self._capacity.items()}
        self._at = {kind: (positions % capacity).to(device) for kind, capacity in self._capacity.items()}
        placed = positions.to(device)
        masks = {kind: None if self._alone else self._mask(kind, placed) for kind in set(self._kinds)}
        return placed, masks

    def update(
        self, keys: torch.Tensor, values: torch.Tensor, layer: int, *_: object, **__: object
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Stores one layer's keys and values (rows x heads x tokens x width); returns what the pass attends to."""
        kind = self._kinds[layer]
        stored = self._stored[layer]
        if stored is None:
            shape = (self._room, keys.shape[1], self._capacity[kind], keys.shape[3])
            stored = self._stored[layer] = (keys.new_zeros(shape), values.new_zeros(shape))
        rows = torch.arange(keys.shape[0], device=keys.device)[:, None]
        slots = self._at[kind].to(keys.device)
        for whole, new in zip(stored, (keys, values), strict=True):
            whole[rows, :, slots] = new.transpose(1, 2)
        if self._alone:
            return keys, values
        count, used = keys.shape[0], self._used[kind]
        return stored[0][:count, :, :used], stored[1][:count, :, :used]

    @torch.inference_mode()
    def reserve(self, length: int) -> None:
        """Slots for `length` positions. A ring grows only while nothing of it was overwritten."""
        wanted = -(-length // _STEP) * _STEP
        for kind, window in self._window.items():
            most = wanted if window is None else min(wanted, window + self._block)
            if most > self._capacity[kind]:
                self._capacity[kind] = most
                for layer, stored in enumerate(self._stored):
                    if stored is not None and self._kinds[layer] == kind:
                        self._stored[layer] = _grown(stored[0], most), _grown(stored[1], most)

    @torch.inference_mode()
    def adopt(self, other: Slots, row: int) -> None:
        """A row of another cache of the same model and block becomes the last row of this one."""
        assert self.rows < self._room
        self.reserve(other._capacity[FULL])
        for layer, theirs in enumerate(other._stored):
            assert theirs is not None
            mine = self._stored[layer]
            if mine is None:
                shape = (self._room, theirs[0].shape[1], self._capacity[self._kinds[layer]], theirs[0].shape[3])
                mine = self._stored[layer] = (theirs[0].new_zeros(shape), theirs[1].new_zeros(shape))
            for whole, one in zip(mine, theirs, strict=True):
                whole[self.rows, :, : one.shape[2]] = one[row]
        self.rows += 1

    @torch.inference_mode()
    def drop(self, row: int) -> None:
        """Forget a row; the last one takes its place."""
        self.rows -= 1
        for stored in self._stored:
            for whole in stored or ():
                if row != self.rows:
                    whole[row] = whole[self.rows]

    def _mask(self, kind: str, positions: torch.Tensor) -> torch.Tensor:
        """rows x 1 x tokens x slots: true where a token sees what a slot holds."""
        at, window = positions[:, None, :, None], self._window[kind]
        distance = (at - torch.arange(self._used[kind], device=at.device)) % self._capacity[kind]
        seen = distance <= at
        return seen if window is None else seen & (distance < window)


def _grown(whole: torch.Tensor, capacity: int) -> torch.Tensor:
    grown = whole.new_zeros((*whole.shape[:2], capacity, whole.shape[3]))
    grown[:, :, : whole.shape[2]] = whole
    return grown
