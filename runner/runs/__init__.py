"""Runs: selecting cases, asking a model about them, grading the answers, and recording every attempt."""
