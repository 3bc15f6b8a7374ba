"""The catalogue of operations: what the language's operations take, return, raise, change and show.

One module per type (`str`, `list`, `dict`, `set`, `tuple`, `bytes`, `numbers`), `builtins` for functions, `operators`,
`subscripts` and `formatting`; one entry per operation and type (`operation.Operation`). Everything else asks
`catalogue`. `tests/analyze/operations` compares each entry with the running interpreter.
"""
