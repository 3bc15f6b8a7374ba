"""Idioms: replacements of string operations that show the characters or pieces as a list, or what each step leaves.

A reference implementation here has the operation work on a list that a state shows, or splits it into steps. It has
no guard: it applies only where the source or every call shows what it requires. Each is a plain function like those in
`rewrite.string_methods`, compared with `str` by the same tests.
"""
