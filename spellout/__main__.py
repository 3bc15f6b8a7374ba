"""`python -m spellout` and the command `spellout`."""

from __future__ import annotations

from spellout.packages import load


def main() -> int:
    """Runs the command line and returns its exit status."""
    status: int = load("runner.cli").main()
    return status


if __name__ == "__main__":
    raise SystemExit(main())
