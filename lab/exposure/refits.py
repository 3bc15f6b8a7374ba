"""Fits the reliability map on samples of its programs: `python -m lab.exposure.refits [--write]`.

`rewrite.planner.objective` takes the standard error of a gain from these fits. They are to be made again whenever
`lab.risk.fit` is. Needs `pip install '.[fit]'` and the published data.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter
from collections.abc import Sequence

from corpora.errors import InputError
from lab.published_data import add_data_option
from lab.risk.fit import fit
from lab.risk.labelled_traces import LabelledTrace, read_labelled_traces
from rewrite.planner.objective import FILE, operation_names

SAMPLES, SEED = 20, 0


def refits(programs: Sequence[LabelledTrace], samples: int = SAMPLES) -> list[dict[str, float]]:
    """The weights of fits on samples of the programs, drawn with replacement; "" is the bias."""
    draw = random.Random(SEED)
    found = (fit(draw.choices(programs, k=len(programs))) for _ in range(samples))
    return [{name: round(value, 4) for name, value in {"": one.bias, **one.weights}.items()} for one in found]


def count_operations(programs: Sequence[LabelledTrace]) -> dict[str, int]:
    """The number of programs with each operation."""
    counts = Counter(name for one in programs for name in operation_names(one.operations))
    return dict(sorted(counts.items()))


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the weights; with --write save them."""
    parser = argparse.ArgumentParser(prog="python -m lab.exposure.refits", description=__doc__.splitlines()[0])
    add_data_option(parser)
    parser.add_argument("--write", action="store_true", help=f"save the weights in {FILE.name}")
    options = parser.parse_args(arguments)
    try:
        programs = read_labelled_traces(options.data)
    except InputError as error:
        parser.error(str(error))
    content = {
        "made_by": "python -m lab.exposure.refits --write",
        "made_from": f"{SAMPLES} samples of {len(programs)} programs, drawn with replacement",
        "programs": len(programs),
        "seen": count_operations(programs),
        "refits": refits(programs),
    }
    text = json.dumps(content, indent=1) + "\n"
    sys.stdout.write(text)
    if options.write:
        FILE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
