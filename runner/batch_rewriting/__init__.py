"""Rewrites files and data sets in worker processes with limits of time and memory."""
