"""The name that `rewrite.anf.intervention` and `rewrite.result` had; it stays for one version."""

from rewrite.anf.intervention import Example, Intervention, Untouched
from rewrite.result import Applied, Change, Left, Position, Rewritten

__all__ = ["Applied", "Change", "Example", "Intervention", "Left", "Position", "Rewritten", "Untouched"]
