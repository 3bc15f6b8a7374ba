"""The grammar of generated programs: what `rewrite.testing` draws from.

`text` holds the building blocks, `prelude` the logging helpers that generated programs call; `expressions`,
`containers`, `strings`, `statements`, `loops` and `definitions` hold one production a function. Programs made here
end: a loop runs over a short fresh sequence or asks `go` for fuel, and no value can grow by more than a constant
factor a step.
"""
