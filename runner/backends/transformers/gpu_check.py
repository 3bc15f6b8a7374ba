"""`make gpu-check`: what asking costs on this machine's GPU, with the whole 32B architecture and random weights.

Scores a context of random tokens in one go, as a true trace is verified; decodes at that context, a token at a time;
then shows the model its own output as a draft, since random weights match no true trace. Prints memory, tokens a second
of both, their ratio, and beside them the two floors: for decoding the bytes of weights and cache over the bandwidth,
for verifying the operations over the rate; bandwidth and rate are measured here, by a copy and a product of matrices.
Nothing is downloaded, and nothing but torch and transformers is needed. Not in scope: judge answers.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import torch
import transformers

from runner.asking.answer import PendingAnswer
from runner.asking.drafts import TraceDraft
from runner.asking.generation import Generation, Prompt, Scores
from runner.asking.request import GenerationRequest
from runner.backends.transformers.lanes import Lanes, widths
from runner.backends.transformers.loading import random_weights
from runner.backends.transformers.passes import forward
from runner.backends.transformers.slots import Slots

SMALL = {
    "vocab_size": 300,
    "hidden_size": 32,
    "intermediate_size": 48,
    "num_hidden_layers": 4,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "head_dim": 8,
    "sliding_window": 64,
    "bos_token_id": 0,
    "eos_token_id": 1,
    "pad_token_id": 1,
}
"""The same kinds of layers, for machines without a GPU."""
NEEDED = 75e9
"""Bytes: 65 GB of weights in bf16, 4 of keys and values at 32 thousand tokens, and what a pass needs."""


class _NoText:
    """Random weights write no text that anybody reads."""

    def token_bytes(self, token: int) -> bytes:
        return b""

    def decode(self, ids: Sequence[int]) -> str:
        return ""


@dataclass(frozen=True)
class Measured:
    """Seconds for `tokens` tokens, and the least that the machine would need for them."""

    tokens: int
    seconds: float
    floor: float

    def __str__(self) -> str:
        rate, best = self.tokens / self.seconds, self.tokens / self.floor
        return f"{rate:10,.1f} tokens/s   (floor {best:12,.1f}: {self.seconds / self.floor:5.1f} times its time)"


def build(device: str, small: bool) -> Any:
    """The model with random weights, in bf16 on a GPU. Any: transformers' classes are typed too loosely."""
    classes: Any = transformers
    torch.manual_seed(0)  # of the tokens that are asked about, too
    return random_weights(classes.CwmConfig(**SMALL) if small else classes.CwmConfig(), device).eval()


def timed(device: str, work: Callable[[], Any]) -> tuple[float, Any]:
    """Seconds, the device's own included, and the result."""
    _wait(device)
    start = time.perf_counter()
    result = work()
    _wait(device)
    return time.perf_counter() - start, result


def machine(device: str, dtype: torch.dtype, size: int) -> tuple[float, float]:
    """Bytes a second of a copy, read and written, and operations a second of a product of square matrices."""
    one = torch.randn(size, size, device=device, dtype=dtype)
    other = torch.empty_like(one)
    copy = min(timed(device, lambda: other.copy_(one))[0] for _ in range(5))
    product = min(timed(device, lambda: one @ one)[0] for _ in range(5))
    return 2 * one.numel() * one.element_size() / copy, 2 * size**3 / product


def verify(model: Any, ids: list[int], block: int) -> Scores:
    """Every token of `ids` scored, block by block."""
    slots = Slots(model.config, 1, block)
    slots.rows = 1
    best: list[int] = []
    gaps: list[float] = []
    for start in range(0, len(ids), block):
        (found,) = forward(model, slots, [ids[start : start + block]], [start], [0])
        best += found.best
        gaps += found.margins
    return Scores(tuple(best), tuple(gaps))


def write(model: Any, device: str, ids: list[int], count: int, draft: Sequence[int]) -> Generation:
    """`count` tokens behind `ids`, with a draft or without."""
    text: Any = _NoText()
    answer = PendingAnswer(GenerationRequest(Prompt("", "", tuple(ids)), count, TraceDraft(draft)), text, frozenset())
    ((_, generation),) = Lanes(model, widths(device, 1)).run([answer])
    return generation


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure; without a GPU, the same on a small configuration."""
    parser = argparse.ArgumentParser(prog="python -m runner.backends.transformers.gpu_check", description=main.__doc__)
    parser.add_argument("--context", type=int, default=32_768, metavar="N", help="tokens that are verified (32768)")
    parser.add_argument(
        "--decode", type=int, default=256, metavar="N", help="tokens that are decoded behind them (256)"
    )
    parser.add_argument("--small", action="store_true", help="a small configuration on the CPU, GPU or not")
    options = parser.parse_args(arguments)
    small = options.small or not torch.cuda.is_available()
    device = "cpu" if small else "cuda"
    if not small and torch.cuda.mem_get_info()[1] < NEEDED:
        room = torch.cuda.mem_get_info()[1] / 1e9
        sys.stderr.write(f"gpu-check: needs a GPU of {NEEDED / 1e9:.0f} GB, and this one has {room:.0f}: try --small\n")
        return 2
    context, count = (600, 24) if small else (options.context, options.decode)
    say = sys.stdout.write
    name = "the CPU, a small configuration: its figures say nothing" if small else torch.cuda.get_device_name()
    say(f"{name}; torch {torch.__version__}, transformers {transformers.__version__}\n")
    seconds, model = timed(device, lambda: build(device, small))
    weights = sum(parameter.numel() for parameter in model.parameters())
    size = next(model.parameters()).element_size()
    say(f"{weights:,} random weights of {size} bytes, made in {seconds:.0f} s\n")
    bandwidth, rate = machine(device, model.dtype, 512 if small else 16_384)
    say(f"copy {bandwidth / 1e9:,.0f} GB/s, product {rate / 1e12:,.2f} T operations/s\n")
    ids = torch.randint(2, model.config.vocab_size, (context,)).tolist()
    block = 64 if small else widths(device, 1).block
    write(model, device, ids[:block], 2, ())  # the first kernels are loaded
    seconds, _ = timed(device, lambda: verify(model, ids, block))
    operations = 2 * weights * context + _attention(model.config, context)
    verified = Measured(context, seconds, operations / rate)
    shown, _ = timed(device, lambda: write(model, device, ids, 1, ()))
    seconds, plain = timed(device, lambda: write(model, device, ids, count, ()))
    moved = (count - 1) * (weights * size + _cache(model.config, context, size))
    decoded = Measured(count - 1, max(seconds - shown, 1e-9), moved / bandwidth)
    seconds, again = timed(device, lambda: write(model, device, ids, count, plain.ids))
    right = next((i for i, (a, b) in enumerate(zip(plain.ids, again.ids, strict=True)) if a != b), count)
    say(f"verifying {context:,} tokens  {verified}\n")
    say(f"decoding {count} behind them  {decoded}\n")
    say(f"verifying is {verified.tokens / verified.seconds * decoded.seconds / decoded.tokens:,.0f} times faster\n")
    say(
        f"its own output as a draft: {right} of {count} tokens the same, in {seconds:.1f} s; "
        f"least margin {again.margin:.4f}\n"
    )
    if not small:
        say(f"most memory: {torch.cuda.max_memory_allocated() / 2**30:.1f} GiB\n")
    # In bf16 near ties may flip; in float32 they do not.
    return int(small and right < count)


def _attention(config: Any, context: int) -> float:
    """Operations of the attention itself: four a pair of positions and width of all heads."""
    width = config.num_attention_heads * config.head_dim
    pairs = {"full_attention": context**2 / 2, "sliding_attention": context * min(context, config.sliding_window)}
    return float(sum(4 * width * pairs[kind] for kind in config.layer_types))


def _cache(config: Any, context: int, size: int) -> int:
    """Bytes of keys and values that a token looks back at."""
    seen = {"full_attention": context, "sliding_attention": min(context, config.sliding_window)}
    width: int = 2 * config.num_key_value_heads * config.head_dim
    return sum(width * size * seen[kind] for kind in config.layer_types)


def _wait(device: str) -> None:
    if device != "cpu":
        torch.cuda.synchronize()


if __name__ == "__main__":
    raise SystemExit(main())
