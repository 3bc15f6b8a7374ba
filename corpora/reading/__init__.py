"""Readers of rows, one module per format: JSON lines, CSV, Parquet, the Hugging Face hub, and Python objects.

A reader yields `Row` and `BadRow`. It raises InputError if the source as a whole cannot be read.
"""
