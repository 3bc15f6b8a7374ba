"""Instruments Python evaluation, once for every observer of what a program computes.

    sites         data classes for instrumented expressions and operations, with their positions
    positions     positions of expressions in the source, also inside f-strings
    expressions   finds the expressions that Python evaluates, and wraps those that an observer needs in probes
    transformer   the same for statements, with their scopes
    observer      the typed hooks that an observer overrides
    probes        reconstructs operations from evaluated expressions, and calls the hooks
    injection     puts probes into the code, hidden from the program
    instrument    combines these: a source and an observer become code
    guard         detects a program that searches for the recorder through frames, trace functions or `gc`
    type_identity compares types by identity, for hooks that must not run code of the program

Evaluation remains CPython's own: a probe is an identity function, so the program's operators, calls and subscripts run
in the program's frames. Imports the standard library only, because it runs inside the sandbox's worker.
"""
