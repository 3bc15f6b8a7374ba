"""The name that `analyze.hazards.catalogue` had; it stays for one version."""

from analyze.hazards.catalogue import main

__all__ = ["main"]

if __name__ == "__main__":
    raise SystemExit(main())
