"""`python -m spellout` and the command `spellout`."""

from __future__ import annotations

from spellout.packages import load


def main() -> int:
    """The exit status of the command line."""
    status: int = load("runner.cli").main()
    return status


if __name__ == "__main__":
    raise SystemExit(main())
