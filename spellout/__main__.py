"""`python -m spellout`: the command line. What hides one of its packages is told in one line."""

from __future__ import annotations

import sys

import spellout


def main() -> int:
    """The exit status of the command line; 2 where it cannot be had."""
    try:
        dir(spellout)
    except ImportError as error:
        sys.stderr.write(f"spellout: {error}\n")
        return 2
    from runner.cli import main as command_line

    return command_line()


if __name__ == "__main__":
    raise SystemExit(main())
