"""Lowering to A-normal form (ANF): afterwards every operation has names and constants as operands.

Grammar of the output (an *atom* is a name or a constant; expressions listed in `Rewritten.left` are excepted):

    step      = name "=" operation | name "=" atom | operation | target augmented atom | "return" operation | …
    operation = atom op atom | atom "(" atoms ")" | atom "." name "(" atoms ")" | atom "[" atoms "]" | display | …
    condition = atom | ["not"] atom | atom comparison atom          (of if and while)
    loop      = "for" target "in" (atom | range(atoms) | …)         (see `Lowering.loop_source`)

The head of a comprehension that stays is that of a loop (`LoweringPlan.shown_operands`).

A condensed rewrite (`RewriteContext.condensed`, for plans) keeps a condition whole where none of its operands needs a
step, and joins conditions by `and` and `or` where no step comes between them.

Example. `return f(a.b) + g(c)` has two operands that are calls. The first is materialized as a temporary, since `g` may
have a side effect that changes what `f` sees. The `return` shows the sum, so the sum stays in place:

    _t0 = a.b
    _t1 = f(_t0)
    _t2 = g(c)
    return _t1 + _t2

Modules:

    scope_bodies           the lowering of a module: one scope at a time, each with its own names
    blocks                 the statements of a block in order; each kind of statement registers a handler:
                           simple_statements, compound_statements, match_statements, definitions;
                           frozen_scopes handles code to which nothing may be added
    lowering_plan          answers what becomes of an expression, once (`Answer`); it writes nothing
    lowering               carries out the plan: writes steps in evaluation order; constructs that are not plain
                           operations register when and how they are lowered: short_circuit (and, or, chained
                           comparisons, conditional expressions), comprehensions, closures, fstrings
    condition_forms, condition_lowering, nested_conditions
                           whether a condition becomes control flow; writing it; an `if` without an else branch
    intervention           a rule of a recipe: it claims a node (with a LoweringPlan) and expands it (with a Lowering);
                           statement_expansion applies the rules for statements
    applied_functions      a function that is called for each item (a key, `map`) as an expression of a variable
    names, name_hints, lambda_names
                           fresh names, and words for readable ones
    delete_temporaries     deletes temporaries that must not outlive their statement
    comments, lowering_report, frozen_statements
                           comments of a statement; what was rewritten and skipped; statements that must stay
    rewrite_options, rewrite_result
                           the options and the result of a rewrite

One table defines the evaluation order: `rewrite.analysis.evaluation_order.ORDER`. A new construct is a module with
`becomes_statements` and `expand` that registers itself and is listed in `scope_bodies.HANDLERS`.

Invariants, each tested: an operand is evaluated at most once and in the order of the original; the truth of a value is
tested as often as in the original; a node that needs no step stays the same object, so its source stays; a temporary
never collides with a name of the program; a second rewrite changes nothing.

Imports `rewrite.analysis`, `rewrite.evidence` and `rewrite.syntax`, and no intervention by name.
"""
