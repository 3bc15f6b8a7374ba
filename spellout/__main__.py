"""`python -m spellout` and the command `spellout`."""

from __future__ import annotations

import gc

from spellout.packages import load


def main() -> int:
    """Runs the command line and returns its exit status."""
    status: int = load("runner.cli").main()
    gc.freeze()  # at its end the interpreter looks for garbage, which takes as long as a tenth of a plan
    return status


if __name__ == "__main__":
    raise SystemExit(main())
