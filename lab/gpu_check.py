"""`make gpu-check`: throughput on this machine's GPU, with the full 32B architecture and random weights.

Verifies a context of random tokens block by block, like a reference trace; decodes after that context, token by token;
then verifies the model's own output as a draft, since random weights match no reference trace. Prints memory, tokens
per second, their ratio, and two bounds: for decoding, the bytes of weights and KV cache over the bandwidth; for
verification, the operations over the compute rate. Bandwidth and rate are measured by a copy and a matrix product.
Nothing is downloaded; only torch and transformers are required. The answers are not graded.
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
from runner.asking.generation import Generation, Prompt
from runner.asking.request import GenerationRequest
from runner.backends.transformers.forward_pass import score
from runner.backends.transformers.loading import random_weights
from runner.backends.transformers.speculative_decoding import SpeculativeDecoder, pass_sizes

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
"""A small configuration with the same kinds of layers, for machines without a GPU."""
NEEDED = 75e9
"""Bytes: 65 GB of weights in bf16, 4 GB of KV cache at 32 thousand tokens, and the activations of a pass."""


class _EmptyDecoder:
    """A tokenizer without text, because the output of random weights has no meaning."""

    def token_bytes(self, token: int) -> bytes:
        return b""

    def decode(self, ids: Sequence[int]) -> str:
        return ""


@dataclass(frozen=True)
class Throughput:
    """The seconds for `tokens` tokens, and the lower bound for this machine (`floor`)."""

    tokens: int
    seconds: float
    floor: float

    def __str__(self) -> str:
        rate, best = self.tokens / self.seconds, self.tokens / self.floor
        return f"{rate:10,.1f} tokens/s   (floor {best:12,.1f}: {self.seconds / self.floor:5.1f} times its time)"


def build(device: str, small: bool) -> Any:
    """The model with random weights, in bf16 on a GPU. Any: transformers has no precise types."""
    classes: Any = transformers
    torch.manual_seed(0)  # also for the tokens of the context
    return random_weights(classes.CwmConfig(**SMALL) if small else classes.CwmConfig(), device).eval()


def timed(device: str, work: Callable[[], Any]) -> tuple[float, Any]:
    """The seconds until the device has finished, and the result."""
    _wait(device)
    start = time.perf_counter()
    result = work()
    _wait(device)
    return time.perf_counter() - start, result


def machine(device: str, dtype: torch.dtype, size: int) -> tuple[float, float]:
    """Bandwidth of a copy in bytes per second (read and written), and operations per second of a matrix product."""
    one = torch.randn(size, size, device=device, dtype=dtype)
    other = torch.empty_like(one)
    copy = min(timed(device, lambda: other.copy_(one))[0] for _ in range(5))
    product = min(timed(device, lambda: one @ one)[0] for _ in range(5))
    return 2 * one.numel() * one.element_size() / copy, 2 * size**3 / product


def write(model: Any, device: str, ids: list[int], count: int, draft: Sequence[int]) -> Generation:
    """Generates `count` tokens after `ids`, with a draft or without."""
    text: Any = _EmptyDecoder()
    answer = PendingAnswer(GenerationRequest(Prompt("", "", tuple(ids)), count, TraceDraft(draft)), text, frozenset())
    ((_, generation),) = SpeculativeDecoder(model, pass_sizes(device, 1)).run([answer])
    return generation


def main(arguments: Sequence[str] | None = None) -> int:
    """Measures the throughput of verification and decoding; without a GPU, on a small configuration."""
    parser = argparse.ArgumentParser(prog="python -m lab.gpu_check", description=main.__doc__)
    parser.add_argument("--context", type=int, default=32_768, metavar="N", help="tokens to verify (default: 32768)")
    parser.add_argument(
        "--decode", type=int, default=256, metavar="N", help="tokens to decode after them (default: 256)"
    )
    parser.add_argument("--small", action="store_true", help="use a small configuration on the CPU")
    options = parser.parse_args(arguments)
    small = options.small or not torch.cuda.is_available()
    device = "cpu" if small else "cuda"
    if not small and torch.cuda.mem_get_info()[1] < NEEDED:
        room = torch.cuda.mem_get_info()[1] / 1e9
        sys.stderr.write(
            f"gpu-check: needs a GPU with {NEEDED / 1e9:.0f} GB; this one has {room:.0f} GB: try --small\n"
        )
        return 2
    context, count = (600, 24) if small else (options.context, options.decode)
    say = sys.stdout.write
    name = (
        "the CPU, a small configuration: a smoke test, the figures have no meaning"
        if small
        else torch.cuda.get_device_name()
    )
    say(f"{name}; torch {torch.__version__}, transformers {transformers.__version__}\n")
    seconds, model = timed(device, lambda: build(device, small))
    weights = sum(parameter.numel() for parameter in model.parameters())
    size = next(model.parameters()).element_size()
    say(f"{weights:,} random weights of {size} bytes, created in {seconds:.0f} s\n")
    bandwidth, rate = machine(device, model.dtype, 512 if small else 16_384)
    say(f"copy {bandwidth / 1e9:,.0f} GB/s, product {rate / 1e12:,.2f} T operations/s\n")
    ids = torch.randint(2, model.config.vocab_size, (context,)).tolist()
    block = 64 if small else pass_sizes(device, 1).block
    write(model, device, ids[:block], 2, ())  # loads the kernels
    seconds, _ = timed(device, lambda: score(model, ids, 0, block))
    operations = 2 * weights * context + _attention(model.config, context)
    verified = Throughput(context, seconds, operations / rate)
    shown, _ = timed(device, lambda: write(model, device, ids, 1, ()))
    seconds, plain = timed(device, lambda: write(model, device, ids, count, ()))
    moved = (count - 1) * (weights * size + _cache(model.config, context, size))
    decoded = Throughput(count - 1, max(seconds - shown, 1e-9), moved / bandwidth)
    seconds, again = timed(device, lambda: write(model, device, ids, count, plain.ids))
    right = next((i for i, (a, b) in enumerate(zip(plain.ids, again.ids, strict=True)) if a != b), count)
    say(f"verifying {context:,} tokens  {verified}\n")
    say(f"decoding {count} after them    {decoded}\n")
    say(f"verifying is {verified.tokens / verified.seconds * decoded.seconds / decoded.tokens:,.0f} times faster\n")
    say(
        f"its own output as a draft: {right} of {count} tokens agree, in {seconds:.1f} s; "
        f"smallest margin {again.margin:.4f}\n"
    )
    if not small:
        say(f"peak memory: {torch.cuda.max_memory_allocated() / 2**30:.1f} GiB\n")
    # In bf16, near ties may be decided differently.
    return int(small and right < count)


def _attention(config: Any, context: int) -> float:
    """Operations of attention: four per pair of positions and unit of width of all heads."""
    width = config.num_attention_heads * config.head_dim
    pairs = {"full_attention": context**2 / 2, "sliding_attention": context * min(context, config.sliding_window)}
    return float(sum(4 * width * pairs[kind] for kind in config.layer_types))


def _cache(config: Any, context: int, size: int) -> int:
    """Bytes of the KV cache that a token attends to."""
    seen = {"full_attention": context, "sliding_attention": min(context, config.sliding_window)}
    width: int = 2 * config.num_key_value_heads * config.head_dim
    return sum(width * size * seen[kind] for kind in config.layer_types)


def _wait(device: str) -> None:
    if device != "cpu":
        torch.cuda.synchronize()


if __name__ == "__main__":
    raise SystemExit(main())
