"""Static analyses of the original tree. They are pure: nothing is written here.

    scopes, symbol_table      name resolution: which scope owns a name, and what binds it
    evaluation_order          the operands of an expression in CPython's evaluation order
    effects                   purity: which operands may be evaluated later than written
    exact_types, type_narrowing, imported_modules
                              type inference: exact builtin types, type tests, modules
    legality                  whether a local variable may be renamed, moved or removed
    observers                 whether a module observes lifetimes, calls or line numbers
    definite_assignment, bound_names, outer_names
                              definite assignment: after a statement, at a point, when a function runs
    direct_calls              functions that do not escape, and the keywords they are called with
    control_flow              jumps out of a block
    class_bodies, reflection, stop_iteration
                              where a new name would be visible, or an exception would change

Imports `rewrite.syntax`. Every analysis is conservative: if it is not certain, its answer leaves the program alone.
"""
