"""Rewrites that recipes are compared with.

    placebo   changes as much text and exposes no value
    paper     the transformation of the paper's Appendix F, its mistakes included

Imports `rewrite.analysis`, `rewrite.anf` and what they stand on.
"""
