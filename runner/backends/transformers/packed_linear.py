"""Linear layers for the CPU whose weights are packed once, in the order in which oneDNN reads them.

torch's own linear layers hand float32 weights to MKL as they are, which takes 2 to 3.5 times as long on an AMD
processor. Packed weights are what torch.compile makes of frozen ones; torch has no public function for it (its
`torch.utils.mkldnn` converts each input), so a test holds the two operators that are used.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import nn


class PackedLinear(nn.Module):
    """Computes the same as a linear layer without its plain weights."""

    packed: torch.Tensor

    def __init__(self, linear: nn.Linear) -> None:
        super().__init__()
        self.packed = torch.ops.mkldnn._reorder_linear_weight(linear.weight.detach(), None)
        self.bias = linear.bias
        self.width = linear.in_features

    def forward(self, inputs: torch.Tensor) -> torch.Tensor:
        """[…, inputs] to […, outputs]."""
        found: torch.Tensor = torch.ops.mkldnn._linear_pointwise(inputs, self.packed, self.bias, "none", [], "")
        return found


def pack_linear_layers(model: Any) -> None:
    """Replaces all linear layers of a model, where torch has oneDNN. The model can then only predict."""
    if not torch.backends.mkldnn.is_available():  # type: ignore[no-untyped-call]
        return
    for module in list(model.modules()):
        for name, child in module.named_children():
            if type(child) is nn.Linear:
                setattr(module, name, PackedLinear(child))
