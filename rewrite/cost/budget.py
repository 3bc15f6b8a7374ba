"""The token budget of an answer, by which rewrites with calls and plans are limited."""

BUDGET = 8192
"""Tokens that the paper gives the model for an answer. A program that fits them still fits after a limited rewrite."""
