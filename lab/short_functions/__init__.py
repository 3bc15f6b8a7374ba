"""Random short functions with one call each, which tracers are trained on.

    kinds           every kind by name; `short_function` draws one
    arithmetic      arithmetic, branches, and loops over numbers, lists and strings
    strings         string methods, slices, `in`, and lists of characters
    calls_and_exceptions
                    functions that call each other, and exceptions that are caught
    drills          many small steps of one sort in one function, for training only
    function_body   the parts of a function, and how they become a program

A program is a function of the random state. Nothing here runs a program, and none is near a benchmark's programs. A
program may raise or grow large: `lab.pocket.documents` drops those.
"""
