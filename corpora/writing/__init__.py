"""The file formats that rows are written in, a module each: JSON lines, CSV and Parquet, as `corpora.reading` has them.

What one of these writes, the reader of the same format returns.
"""
