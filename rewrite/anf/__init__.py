"""The engine: programs in A-normal form, so that every operation has names and constants as operands.

What comes out (an *atom* is a name or a constant; what is listed in `Rewritten.left` is excepted):

    step      = name "=" operation | name "=" atom | operation | target augmented atom | "return" operation | …
    operation = atom op atom | atom "(" atoms ")" | atom "." name "(" atoms ")" | atom "[" atoms "]" | display | …
    condition = atom | ["not"] atom | atom comparison atom          (of if and while)
    loop      = "for" target "in" (atom | range(atoms) | …)         (see `Lowering.loop_source`)

Example. `return f(a.b) + g(c)` has two operands that are calls. The first is evaluated into a temporary, since `g` may
change what `f` sees; the sum is shown by the `return` and stays:

    _t0 = a.b
    _t1 = f(_t0)
    _t2 = g(c)
    return _t1 + _t2

Who does what:

    scope_bodies           the engine of one module: a scope at a time, with names of its own
    blocks                 statements in turn; kinds of statements register in its tables: simple_statements,
                           compound_statements, match_statements, definitions, and frozen_scopes for what must stay
    plan                   what becomes of an expression: a Decision, made once; it writes nothing
    lowering               from the plan to steps, in order; what is no plain operation registers how it is decided and
                           lowered: short_circuit (and, or, chained comparisons, conditional expressions),
                           comprehensions, closures, fstrings
    intervention           what a rule of a recipe is: it claims a node (with a Plan) and expands it (with a Lowering)
    names, name_hints, function_names
                           fresh names, and words for them
    delete_temporaries     temporaries that must not outlive their statement
    comments, report, keep what was said beside a statement; what was done and left; what must stay
    argument_types         a body for the types that calls showed, behind a guard

When each part of an expression is evaluated stands in one table, `rewrite.analysis.evaluation_order.ORDER`.
How a chained comparison is decomposed stands in `short_circuit`, as that of every other construct in the module that
registers it. A new construct is a module with `decide` and `expand` that registers itself, in `scope_bodies.HANDLERS`.

Invariants, each held by tests: an operand is evaluated at most once, and in the order of the original; truth is asked
as often as in the original; a node that needs nothing stays the same object, so that its text stays; temporaries never
collide with a name of the program; a second rewrite changes nothing.

Imports `rewrite.analysis`, `rewrite.syntax`, `rewrite.result` and `rewrite.anf.options`, and no intervention by name.
"""
