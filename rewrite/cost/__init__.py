"""The cost model: tokens of a program's traces, limits on them, and the selection of what stays within a limit.

budget             the token budget of an answer
trace_tokens       the traces of calls and their tokens
span_costs         the tokens that come from each part of a program
greedy_selection   `select`, the search of cost limits, plans and shortening
base_tokens        the tokens that a limit is a multiple of
cost_limit         a rewrite within a token limit, in its cheapest form
call_agreement     whether a rewrite does what the program does under its calls, and which change is the culprit
"""
