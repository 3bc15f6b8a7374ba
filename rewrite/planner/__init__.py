"""The density planner: what to spell out where, so that most risk goes for the tokens there are.

    planning     `plan_rewrite`: a program that does not fit is shortened first, one that fits is exposed
    plan         its result
    counts       the tokens of other texts of the program, each run once and held against the original
    candidates   the places that can be spelled out, and how: what each removes of the risk, what it adds in tokens
    risks        the risk of each line under the calls, by the reliability map
    search       the greedy choice, with a bound on runs
    shortening   the choice of savings for a program that does not fit
    weights      the few numbers that all this rests on; `fit` makes them from published failures

Stands above all rooms of `rewrite` and uses `analyze.risk`. What it does not do: ask a model.
"""
