"""The grammar of generated programs, from which `rewrite.testing` draws.

`generated_program` is what is drawn. `productions` contains the building blocks and the registry, `prelude` the logging
helpers that generated programs call. The other modules contain the productions, one per function. `small` is a second
grammar.
Generated programs terminate: a loop runs over a short new sequence or takes fuel from `go`, and a statement lets no
value grow by more than a constant factor.
"""
