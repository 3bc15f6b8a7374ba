"""What a true trace costs: in tokens, by frame, variable and line; how it grows with its input; what makes it long.

    token_budget          tokens by frame, variable and line, and whether they fit
    growth, grown_calls   the same call with larger arguments, and the order of growth
    fitting               the largest input whose trace is within a budget
    patterns              what makes a trace long, by the names of the paper's Table 9

Imports `analyze.gold_trace` and `analyze.tokens`.
"""
