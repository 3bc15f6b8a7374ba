"""A second grammar: small programs with values of all types, drawn in microseconds.

The grammar of `rewrite.program_grammar` logs every operand, and each of its variables has one kind for life. The
programs here look like those that people write: variables are aliased and change their types, objects define `__eq__`,
`__bool__` and `__repr__`, exceptions are raised halfway, and the function returns its variables. `rewrite.testing`
draws from both.

    generator      draws statements and expressions, and assembles a program with its calls
    expressions    forms of expressions: operators, builtins, displays, comprehensions
    statements     forms of statements
    definitions    nested functions, generators, classes
"""

from __future__ import annotations

from rewrite.program_grammar.small import definitions, expressions, statements  # noqa: F401 - they register forms
from rewrite.program_grammar.small.generator import FEATURES as FEATURES
from rewrite.program_grammar.small.generator import draw_small_program as draw_small_program
