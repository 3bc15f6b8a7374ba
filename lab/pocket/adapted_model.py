"""A base model with a trainable adapter: LoRA on all linear layers of its blocks, and rows for the special tokens.

The base is frozen, in bf16 or float32; the adapter is float32 and computes in the base's format (autocast). The LoRA
layers are peft's. The special tokens' rows, of the tied embedding and output table, are a parameter of their own, so
that a step neither copies the table nor computes a gradient for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import torch
from peft import LoraConfig, get_peft_model
from torch import nn
from torch.nn import functional
from transformers import AttentionInterface

ATTENTION = "documents"
"""Name under which transformers knows `document_attention`."""
_CHUNKS = {"cpu": 256, "cuda": 4096}
"""Predictions whose logits exist at the same time, by kind of device."""
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
        base.set_attn_implementation("sdpa" if base.device.type == "cuda" else ATTENTION)
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
        # transformers hands a mask of four dimensions on as it is
        mask = document_mask(rows.segments) if base.is_cuda else rows.segments[:, None, None]
        with torch.autocast(base.device.type, torch.bfloat16, enabled=base.dtype == torch.bfloat16):
            found = self.blocks(inputs_embeds=inputs, attention_mask=mask, position_ids=rows.positions, use_cache=False)
        hidden: torch.Tensor = found.last_hidden_state
        return hidden

    def loss(self, rows: Rows) -> torch.Tensor:
        """The sum of the losses, in nats, over all targets."""
        learnt = rows.targets != -100
        states, targets = self.hidden(rows)[learnt], rows.targets[learnt]
        total: torch.Tensor = _OutputLoss.apply(states, self.table, self.token_rows, self.special, targets)  # type: ignore[no-untyped-call]
        return total

    def predictions(self, rows: Rows) -> torch.Tensor:
        """The most likely next token and the loss of each target, [targets, 2], in the order of the rows."""
        learnt = rows.targets != -100
        states, targets = self.hidden(rows)[learnt], rows.targets[learnt]
        parts = []
        size = _CHUNKS[states.device.type]
        for some, wanted in zip(torch.split(states, size), torch.split(targets, size), strict=True):
            own = self.token_rows.to(self.table.dtype)
            logits = _logits(some.to(self.table.dtype), self.table, own, self.special)
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


def document_mask(segments: torch.Tensor) -> torch.Tensor:
    """What a token attends to, bool [rows, 1, length, length]: itself and what is before it in its document.

    Torch's fused kernel for GPUs takes this mask. On a CPU `document_attention` is faster.

    Args:
        segments: [rows, length] number of the document; padding counts as one.
    """
    return (segments[:, None, :, None] == segments[:, None, None, :]).tril()


@torch.compiler.disable  # type: ignore[untyped-decorator]
def document_attention(
    module: Any, query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, segments: torch.Tensor, **settings: Any
) -> tuple[torch.Tensor, None]:
    """Causal attention within each document of each row; an attention function of transformers.

    Documents of a row do not see each other. Each is computed alone, in matrix products: under one mask over the whole
    row, in torch's fused kernel for the CPU, attention took as long as all the rest of a step.

    Args:
        module: the layer.
        query: [rows, heads, length, width].
        key: [rows, groups of heads, length, width].
        value: as `key`.
        segments: [rows, 1, 1, length] number of the document; padding counts as one.
        settings: `scaling` of the scores; the others of transformers have no use here.

    Returns:
        [rows, length, heads, width], and no weights.
    """
    query = query * settings["scaling"]
    found = []
    for row, own in enumerate(segments[:, 0, 0]):
        sizes = own.unique_consecutive(return_counts=True)[1].tolist()
        documents = zip(*(torch.split(some[row], sizes, 1) for some in (query, key, value)), strict=True)
        found.append(torch.cat([_attend(*document) for document in documents], 1))
    return torch.stack(found).transpose(1, 2).contiguous(), None


def _attend(query: torch.Tensor, key: torch.Tensor, value: torch.Tensor) -> torch.Tensor:
    """Causal attention in one document: [heads, length, width], [groups, length, width] twice; [heads, length, width].

    Scores are of the type of the query, as transformers' "eager" attention has them.
    """
    groups, size, width = key.shape
    later = torch.full((size, size), -torch.inf, dtype=query.dtype, device=query.device).triu(1)
    scores = torch.bmm(query.reshape(groups, -1, width), key.transpose(1, 2)).view(groups, -1, size, size) + later
    return torch.bmm(scores.softmax(-1).view(groups, -1, size), value).view(-1, size, width)


AttentionInterface.register(ATTENTION, document_attention)


def training_format(device: torch.device) -> torch.dtype:
    """bf16; float32 on a CPU without instructions for bf16, where matrix products in bf16 took ten times as long.

    torch has no public function that says what a CPU can do; a test holds the one that is used.
    """
    has_bf16 = device.type != "cpu" or torch.cpu._is_avx512_bf16_supported()
    return torch.bfloat16 if has_bf16 else torch.float32


def _logits(states: torch.Tensor, table: torch.Tensor, rows: torch.Tensor, special: torch.Tensor) -> torch.Tensor:
    """Logits [targets, vocabulary] in float32; `rows` stand in for the table's rows of the ids `special`."""
    own = functional.linear(states, rows).float()
    return functional.linear(states, table).float().index_copy_(1, special, own)


class _OutputLoss(torch.autograd.Function):
    """The sum of the losses over all targets; its gradient is computed along with it, chunk by chunk.

    So the logits of one chunk exist at a time, and none is computed twice. Arguments: states [targets, width], the
    frozen table, the token rows, their ids, and the targets.
    """

    @staticmethod
    def forward(context: Any, states: torch.Tensor, *others: torch.Tensor) -> torch.Tensor:
        table, rows, special, targets = others
        total, for_states = states.new_zeros((), dtype=torch.float32), torch.empty_like(states)
        for_rows, own = torch.zeros_like(rows), rows.to(table.dtype)
        size = _CHUNKS[states.device.type]
        for start in range(0, len(targets), size):
            part = slice(start, start + size)
            some, wanted = states[part].to(table.dtype), targets[part, None]
            scores = _logits(some, table, own, special).log_softmax(-1)
            total -= scores.gather(1, wanted).sum()
            gradient = scores.exp_().scatter_add_(1, wanted, -torch.ones_like(wanted, dtype=scores.dtype))
            at_rows = gradient[:, special].to(table.dtype)
            gradient = gradient.to(table.dtype).index_fill_(1, special, 0)
            for_states[part] = gradient @ table + at_rows @ own
            for_rows += at_rows.T @ some
        context.save_for_backward(for_states, for_rows)
        return total

    @staticmethod
    def backward(context: Any, *gradients: torch.Tensor) -> tuple[torch.Tensor | None, ...]:
        for_states, for_rows = context.saved_tensors
        return (gradients[0] * for_states, None, gradients[0] * for_rows, None, None)
