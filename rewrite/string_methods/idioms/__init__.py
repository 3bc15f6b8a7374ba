"""Idioms: the forms of string operations that a person prefers, working on the characters as a list.

A reference implementation here has the operation work on a list that a state shows, or splits it into steps, rather
than going through the string character by character. It has no guard: it applies only where the source or every call
shows what it requires. Each is a plain function like those in `rewrite.string_methods`, compared
with `str` by the same tests.
"""
