"""The name that `analyze.risk.calibrate` had; it stays for one version."""

import sys

from analyze.risk.calibrate import main

__all__ = ["main"]

if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
