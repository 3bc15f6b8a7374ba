"""What a model wrote, held against the true trace.

    parse_output   ids, text with special tokens, or text without, back to frames
    divergence     `diagnose`: the first frame that differs, and in what
    outlook        whether an answer that is still being written can become right
    answers        the answer that a trace gives, and whether two answers are the same value

Imports `analyze.gold_trace` and `analyze.tokens`. What this room does not do: explain an error by hazards or by risk.
"""
