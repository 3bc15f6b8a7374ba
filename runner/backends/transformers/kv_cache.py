"""A KV cache with per-row lengths and rollback: each row of a batch can be set back to a shorter length.

Slot `position % capacity` of a row stores the keys and values of a position. A layer with full attention has a slot for
each position. A layer with a sliding window has slots for the window and one pass, and overwrites the oldest. Rollback
needs no operation: positions after a query are masked. For a sliding window this is correct as long as no row is set
back by more than one pass. One rule defines the mask of a query at `position` for slot j, for both kinds of layers:

    distance = (position - j) mod capacity        distance to the position in the slot, or the slot is unwritten
    visible  = distance <= position and distance < window

transformers uses an object of this class instead of its own cache; the model calls `update` only.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

FULL, SLIDING = "full_attention", "sliding_attention"
_STEP = 256


class KvCache:
    """The keys and values of a batch.

    Attributes:
        rows: the number of rows in use, which are the first.
    """

    def __init__(self, config: Any, room: int, block: int, rows: int = 0) -> None:
        """Creates an empty cache.

        Args:
            config: a `CwmConfig`.
            room: maximum number of rows.
            block: maximum number of tokens of one row in a pass.
            rows: number of rows in use.
        """
        self.rows = rows
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
        """Prepares a pass of `width` tokens per row, from position `starts[row]` on.

        Returns:
            The positions (rows x tokens), and the mask of each kind of layer. A mask is None if causal attention is
            equivalent: in a first pass that is not longer than the window. Any: a tensor or None.
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
        """Stores keys and values of a layer (rows x heads x tokens x width); returns those that the pass attends to."""
        kind = self._kinds[layer]
        stored = self._slots(layer, keys, values)
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
        """Allocates slots for `length` positions. Ring buffers grow only before their first overwrite."""
        wanted = -(-length // _STEP) * _STEP
        for kind, window in self._window.items():
            most = wanted if window is None else min(wanted, window + self._block)
            if most > self._capacity[kind]:
                self._capacity[kind] = most
                for layer, stored in enumerate(self._stored):
                    if stored is not None and self._kinds[layer] == kind:
                        self._stored[layer] = _grown(stored[0], most), _grown(stored[1], most)

    @torch.inference_mode()
    def adopt(self, other: KvCache, row: int) -> None:
        """Appends a row of another cache of the same model and block size."""
        assert self.rows < self._room
        self.reserve(other._capacity[FULL])
        for layer, theirs in enumerate(other._stored):
            assert theirs is not None
            for whole, one in zip(self._slots(layer, *theirs), theirs, strict=True):
                whole[self.rows, :, : one.shape[2]] = one[row]
        self.rows += 1

    @torch.inference_mode()
    def drop(self, row: int) -> None:
        """Removes a row; the last row moves to its index."""
        self.rows -= 1
        for stored in self._stored:
            for whole in stored or ():
                if row != self.rows:
                    whole[row] = whole[self.rows]

    def _slots(self, layer: int, keys: torch.Tensor, values: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """The slots of a layer for keys and values like these."""
        stored = self._stored[layer]
        if stored is None:
            shape = (self._room, keys.shape[1], self._capacity[self._kinds[layer]], keys.shape[3])
            stored = self._stored[layer] = (keys.new_zeros(shape), values.new_zeros(shape))
        return stored

    def _mask(self, kind: str, positions: torch.Tensor) -> torch.Tensor:
        """bool [rows, 1, tokens, slots]: whether a token attends to a slot."""
        at, window = positions[:, None, :, None], self._window[kind]
        distance = (at - torch.arange(self._used[kind], device=at.device)) % self._capacity[kind]
        visible = distance <= at
        return visible if window is None else visible & (distance < window)


def _grown(whole: torch.Tensor, capacity: int) -> torch.Tensor:
    grown = whole.new_zeros((*whole.shape[:2], capacity, whole.shape[3]))
    grown[:, :, : whole.shape[2]] = whole
    return grown
