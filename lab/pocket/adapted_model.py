"""A base model with a trainable adapter: LoRA on all linear layers of its blocks, and rows for the special tokens.

The base is frozen, in bf16; the adapter is float32 and computes in bf16 (autocast). The LoRA layers are peft's. The
special tokens' rows, of the tied embedding and output table, are a parameter of their own, so that a step neither
copies the table nor computes a gradient for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import torch
from peft import LoraConfig, get_peft_model
from torch import nn
from torch.nn import functional
from torch.utils.checkpoint import checkpoint

CHUNK = 512
"""Predictions whose logits exist at the same time."""
_FACTOR_B, _FACTOR_ROWS = 2.5, 2.0
"""Learning rates of LoRA's second matrices and of the token rows, relative to that of the first matrices."""


@dataclass(frozen=True)
class Rows:
    """Documents in rows of equal length.

    Attributes:
        ids: int64 [rows, length], padded.
        targets: int64 [rows, length]: the next token where it counts for the loss, else -100.
        positions: int64 [rows, length]: position within the document.
        segments: int32 [rows, length]: number of the document in its row; -1 for padding.
    """

    ids: torch.Tensor
    targets: torch.Tensor
    positions: torch.Tensor
    segments: torch.Tensor

    def to(self, device: torch.device) -> Rows:
        """The same rows on a device."""
        return Rows(*(getattr(self, name).to(device) for name in self.__dataclass_fields__))


class AdaptedModel(nn.Module):
    """The base with its adapter."""

    special: torch.Tensor
    where: torch.Tensor

    def __init__(self, base: Any, special: list[int], *, rank: int, seed: int, compiled: bool) -> None:
        """base: a causal language model of transformers with tied embeddings; special: ids with rows of their own."""
        super().__init__()
        base.requires_grad_(False)
        base.config.use_cache = False
        table = base.get_input_embeddings().weight
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            config = LoraConfig(r=rank, lora_alpha=rank, target_modules="all-linear", bias="none")
            self.model = get_peft_model(base, config, autocast_adapter_dtype=True)
            noise = 0.02 * torch.randn(len(special), table.shape[1])
        self.token_rows = nn.Parameter(table.float().mean(0).cpu() + noise)
        self.register_buffer("special", torch.tensor(special), persistent=False)
        where = torch.full((table.shape[0],), -1)
        where[special] = torch.arange(len(special))
        self.register_buffer("where", where, persistent=False)
        self.to(table.device)
        self.blocks = base.model
        self.blocks.layers = nn.ModuleList(self.blocks.layers)
        if compiled:
            for layer in self.blocks.layers:
                layer.compile(dynamic=False)
        self._logits = torch.compile(_chunk_loss, dynamic=False) if compiled else _chunk_loss

    @property
    def table(self) -> torch.Tensor:
        """The frozen embedding and output table."""
        table: torch.Tensor = self.blocks.embed_tokens.weight
        return table

    def hidden(self, rows: Rows) -> torch.Tensor:
        """The last hidden states, [rows, length, width]."""
        place = self.where[rows.ids]
        base = functional.embedding(rows.ids, self.table)
        own = functional.embedding(place.clamp(min=0), self.token_rows).to(base.dtype)
        inputs = torch.where((place >= 0)[..., None], own, base)
        mask = block_diagonal(rows.segments, base.dtype)
        with torch.autocast(base.device.type, torch.bfloat16):
            found = self.blocks(inputs_embeds=inputs, attention_mask=mask, position_ids=rows.positions, use_cache=False)
        hidden: torch.Tensor = found.last_hidden_state
        return hidden

    def loss(self, rows: Rows) -> torch.Tensor:
        """The sum of the losses, in nats, over all targets."""
        learnt = rows.targets != -100
        states, targets = self.hidden(rows)[learnt], rows.targets[learnt]
        padding = -len(targets) % CHUNK
        states = functional.pad(states, (0, 0, 0, padding))
        targets = functional.pad(targets, (0, padding), value=-100)
        total = states.new_zeros((), dtype=torch.float32)
        for some, wanted in zip(torch.split(states, CHUNK), torch.split(targets, CHUNK), strict=True):
            arguments = (some, self.table, self.token_rows, self.special, wanted)
            total = total + checkpoint(self._logits, *arguments, use_reentrant=False)
        return total

    def predictions(self, rows: Rows) -> torch.Tensor:
        """The most likely next token and the loss of each target, [targets, 2], in the order of the rows."""
        learnt = rows.targets != -100
        states, targets = self.hidden(rows)[learnt], rows.targets[learnt]
        parts = []
        for some, wanted in zip(torch.split(states, CHUNK), torch.split(targets, CHUNK), strict=True):
            logits = _logits(some, self.table, self.token_rows, self.special)
            losses = functional.cross_entropy(logits, wanted, reduction="none")
            parts.append(torch.stack((logits.argmax(-1).float(), losses), -1))
        return torch.cat(parts)

    def groups(self, rate: float) -> list[dict[str, Any]]:
        """The trainable parameters in groups, for an optimizer, with their peak learning rates."""
        named = [(name, weight) for name, weight in self.named_parameters() if weight.requires_grad]
        first = [weight for name, weight in named if "lora_A" in name]
        second = [weight for name, weight in named if "lora_B" in name]
        return [
            {"params": first, "peak": rate},
            {"params": second, "peak": rate * _FACTOR_B},
            {"params": [self.token_rows], "peak": rate * _FACTOR_ROWS},
        ]

    def adapter(self) -> dict[str, torch.Tensor]:
        """The trained numbers by name: `layers.0.self_attn.q_proj.lora_A`, …, and `token_rows`."""
        named = {name: weight for name, weight in self.named_parameters() if weight.requires_grad}
        return {short_name(name): weight.detach() for name, weight in named.items()}

    def load_adapter(self, adapter: Mapping[str, torch.Tensor]) -> None:
        """Takes over the numbers of `adapter`. Raises KeyError or RuntimeError if names or shapes differ."""
        with torch.no_grad():
            for name, weight in self.named_parameters():
                if weight.requires_grad:
                    weight.copy_(adapter[short_name(name)])


def short_name(name: str) -> str:
    """The name of a parameter of the adapter without peft's prefixes and suffixes."""
    if ".lora_" not in name:
        return name
    return "layers." + name.partition(".layers.")[2].replace(".default.weight", "").replace("_orig_mod.", "")


def block_diagonal(segments: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
    """Additive causal mask [rows, 1, length, length] in which documents of a row do not see each other.

    Padding sees itself, so that no row of the softmax is empty.
    """
    length = segments.shape[1]
    same = segments[:, :, None] == segments[:, None, :]
    causal = torch.ones(length, length, dtype=torch.bool, device=segments.device).tril()
    mask = torch.zeros(same.shape, dtype=dtype, device=segments.device)
    return mask.masked_fill_(~(same & causal), torch.finfo(dtype).min)[:, None]


def _logits(states: torch.Tensor, table: torch.Tensor, rows: torch.Tensor, special: torch.Tensor) -> torch.Tensor:
    states = states.to(table.dtype)
    own = functional.linear(states, rows.to(table.dtype)).float()
    return functional.linear(states, table).float().index_copy(1, special, own)


def _chunk_loss(
    states: torch.Tensor, table: torch.Tensor, rows: torch.Tensor, special: torch.Tensor, targets: torch.Tensor
) -> torch.Tensor:
    return functional.cross_entropy(_logits(states, table, rows, special), targets, ignore_index=-100, reduction="sum")
