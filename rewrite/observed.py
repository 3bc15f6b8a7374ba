"""The name that `rewrite.anf.argument_types` had; it stays for one version."""

from rewrite.anf.argument_types import Observed, observed_types

__all__ = ["Observed", "observed_types"]
