"""The length of a reference trace in tokens: by frame, variable and line, its growth with the input, and its causes.

    token_budget          tokens by frame, variable and line, and whether they fit a budget
    growth, grown_calls   the same call with larger arguments, and the order of growth
    fitting               the largest input whose trace is within a budget
    truncation_patterns   what makes a trace long, by the names of the paper's Table 9

Imports `analyze.gold_trace` and `analyze.tokens`.
"""
