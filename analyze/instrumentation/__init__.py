"""One instrumentation of Python evaluation, for every observer of what a program computes.

    sites         what the transformer found: expressions and operations, with positions
    positions     where an expression stands in the source, also inside f-strings
    expressions   which expressions Python evaluates, and a probe around each one that an observer needs
    transformer   which expressions of its statements a module evaluates, and in which scope
    observer      the typed hooks that an observer overrides
    probes        turns evaluated expressions back into operations, and calls the hooks
    injection     puts the probe into the code, out of the program's reach
    instrument    puts these together: a source and an observer become code
    guard         notices a program that looks for the recorder by frames, trace functions or `gc`
    exact_types   types by identity, for hooks that must run none of the program's code

Evaluation stays CPython's own: a probe is an identity function, so the program's operators, calls and subscripts run
in the program's frames. Standard library only, because it is loaded inside the sandbox's worker.
"""
