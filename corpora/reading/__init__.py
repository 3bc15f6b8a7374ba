"""The forms in which rows come, a module each: JSON lines, CSV, Parquet, the Hugging Face hub, and Python objects.

What can be read as a whole is an iterator of `Row` and `BadRow`; what cannot is an InputError.
"""
