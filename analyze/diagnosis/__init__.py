"""Compares a model's output with the reference trace.

    parse_output     token ids, text with special tokens, or text without them, back to frames
    divergence       `diagnose`: the first frame that differs, and which part of it
    early_stopping   whether an answer that is still being decoded can become correct
    predictions      scores single predictions of a model that is shown the reference trace
    state_tables     tables of states, as chat models write them, as the frames that they claim
    predicted_steps  outputs that predict executed lines or states without being a trace
    executed_lines, annotated_states   how these are read and compared
    direct_values    the value that an output without a trace predicts
    stated_value     the value in a statement such as `assert f(3) == 8`
    written_values   the values that reprs and answers stand for
    answer_comparison
                     the answer that a trace gives, and whether two answers are the same value
    truncation       whether a wrong output was cut off
    failing_operation   which operation of the step produced the first wrong value
    operation_values, operation_observer, operand_inverses
                     the operations with their values; values of operands that explain a wrong result
    recorded_outputs diagnoses of recorded outputs in a data set

Imports `analyze.gold_trace` and `analyze.tokens`. `analyze.hazards` and `analyze.risk` look for causes.
"""
