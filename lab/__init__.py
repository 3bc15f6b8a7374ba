"""Experiments and training that use the packages and are not part of the wheel; no package imports from here."""
