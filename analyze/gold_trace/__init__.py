"""The reference trace of a call: as CPython 3.10 executes it and CWM writes it, on any supported Python.

    trace                       `trace_call`: runs the call in the sandbox under the observer `tracer`
    frames                      frames, and how they are written as text and token ids
    record_reader               validates and parses what the observer wrote
    python310, line_rules, case_ends, relocate, linetable, reprs_310, messages
                                give code 3.10's line numbers, reprs and exception messages
    caveats                     where the trace may still differ from 3.10
    long_lists                  the repr of a long list that did not change, or grew
    step_observer               base of the observers that record what each step computes
    hidden_values               counts the values that a run computes and no frame shows

Imports `analyze.tokens` and `corpora`. `analyze.cost` measures a trace; `analyze.diagnosis` compares a model's trace
with it.
"""
