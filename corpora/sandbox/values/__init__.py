"""Values of a program as comparable text. Standard library only: these modules run in the program's process.

snapshot      describes values with structure, exact types, order and aliasing
value_kinds   the types that `snapshot` reads, each through the slots of the built-in type
iteration     advances the program's iterators
safe_repr     reprs and messages for people, without memory addresses
"""
