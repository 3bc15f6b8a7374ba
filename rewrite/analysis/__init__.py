"""What a program means as far as its text says: pure questions, asked of the original tree. Nothing is written here.

    scopes, symbol_table      which names live where, and what binds them
    evaluation_order          the operands of an expression, in the order in which Python evaluates them
    effects                   which of them may be evaluated later than written
    exact_types, type_narrowing, imported_modules
                              what a value certainly is: a builtin of an exact type, a module
    legality                  whether a variable may be renamed, moved or left out: who reads it late, what binds it
    observers                 how long objects live, what functions are called, positions: who looks at them
    definite_assignment, bound_names, outer_names
                              which names certainly have a value: after a statement, at a point, when a function runs
    plain_calls               which functions are only called, and by which keywords
    control_flow              where control leaves a block for elsewhere
    class_bodies, reflection, stop_iteration
                              where a new name would be seen, or an exception would become another one

Imports `rewrite.syntax`. Where a question has no certain answer, the answer is the one that leaves the program alone.
"""
