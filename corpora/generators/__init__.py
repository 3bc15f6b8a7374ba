"""Programs made by rule, for the benchmarks that are drawn and not collected.

`compose` nests functions of one argument; `yuan_functions` are those on strings that the string compositions nest.
Imports nothing of the project. What this room does not do: run what it makes.
"""
