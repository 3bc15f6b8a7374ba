"""Where things are in the folder of a data set of traces.

pandas and pyarrow read every file of a folder and its subfolders as Parquet, except those whose name begins with an
underscore. Everything but the data is therefore in `_about` and `_work`, and `pandas.read_parquet(FOLDER)` works.
"""

from __future__ import annotations

DATA = "data"
"""Subfolder of the Parquet files."""
ABOUT = "_about"
"""Subfolder of what people read: the data card, the dropped rows, the counts."""
WORK = "_work"
"""Subfolder of what a resumed command reads; it may be deleted."""
CARD = f"{ABOUT}/README.md"
DROPPED = f"{ABOUT}/dropped.jsonl"
CONTAMINATED = f"{ABOUT}/contaminated.jsonl"
SUMMARY = f"{ABOUT}/summary.json"
