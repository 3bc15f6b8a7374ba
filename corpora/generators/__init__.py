"""Generators of random programs.

    compose           nests functions of one argument: `f(g(h(x)))`
    yuan_functions    the string functions of Yuan et al. (2025), which the string compositions nest

Imports only `corpora.program`. Nothing here runs a program.
"""
