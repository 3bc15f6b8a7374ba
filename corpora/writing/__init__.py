"""Writers of rows, one module per file format: JSON lines, CSV and Parquet.

The reader of the same format in `corpora.reading` returns what a writer wrote.
"""
