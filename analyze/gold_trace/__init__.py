"""The true trace of a call, as CPython 3.10 records it and CWM writes it, on whatever Python runs here.

    trace                       `trace_call`: runs the call in the sandbox under the observer `tracer`
    frames                      frames, and how they are written as text and token ids
    recorded                    what the observer wrote, read with suspicion
    python310, line_rules, relocate, linetable, reprs_310, messages
                                this interpreter made to trace as 3.10 does: lines of instructions, reprs, exceptions
    caveats                     where it may still differ, in words
    hidden_values               the values that a run computes and no frame shows

Imports `analyze.tokens` and `corpora`. What this room does not do: say what a trace costs (`analyze.cost`) or whether a
model's trace is right (`analyze.diagnosis`).
"""
