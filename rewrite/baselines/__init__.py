"""Rewrites that recipes are compared with.

placebo   changes as many names and exposes no value
paper     the transformation of the paper's Appendix F, mistakes included
"""

PLACEBO, PAPER = "placebo", "paper"
SUBSTITUTES = "substitutes"
"""Option of the placebo: the new names, by name."""
