"""The embedded model `pocket`: an adapter for SmolLM2-135M that has learnt CWM's traces (docs/pocket.md).

`runner.backends.pretrained` loads it. `lab.pocket` has its training data, its training and its gate.
"""

from pathlib import Path

ADAPTER = Path(__file__).parent / "adapter"
"""The folder of the adapter; its `curve.jsonl` has the held-out losses of its training."""
