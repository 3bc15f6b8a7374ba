"""Mistral's vocabulary as a `tokenizer.json`, from the package `mistral-tokenizer-js` (npm, MIT licence).

    python -m lab.evidence.mistral_vocabulary mistral-tokenizer.js llama-2.json > mistral.json

Both models use SentencePiece in the same way, so everything but tokens and merges is that of Llama-2.
"""

from __future__ import annotations

import base64
import json
import re
import struct
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any


def convert(script: str, llama: dict[str, Any]) -> dict[str, Any]:
    """The content of Mistral's `tokenizer.json`.

    Args:
        script: The JavaScript file, with tokens and pairs of merged tokens in base 64.
        llama: The content of Llama-2's `tokenizer.json`.
    """
    tokens = _bytes(script, "vocab_base64").decode().split("\n")
    packed = _bytes(script, "merges_binary")
    ids = [number for (number,) in struct.iter_unpack("<H", packed)]
    merges = [f"{tokens[one]} {tokens[other]}" for one, other in zip(ids[::2], ids[1::2], strict=True)]
    model = {**llama["model"], "vocab": {token: index for index, token in enumerate(tokens) if token}, "merges": merges}
    return {**llama, "model": model}


def _bytes(script: str, name: str) -> bytes:
    found = re.search(rf'{name} = "([^"]+)"', script)
    if found is None:
        raise ValueError(f"no {name} in the script")
    return base64.b64decode(found[1])


def main(argv: Sequence[str] | None = None) -> int:
    """Prints the vocabulary; returns 0."""
    script, llama = (sys.argv[1:] if argv is None else argv)[:2]
    content = convert(Path(script).read_text(encoding="utf-8"), json.loads(Path(llama).read_text(encoding="utf-8")))
    sys.stdout.write(json.dumps(content))
    return 0


if __name__ == "__main__":
    sys.exit(main())
