"""The planner: which values to materialize where, so that the most predicted risk goes for the tokens available.

    planning          `plan_rewrite`: shortens a program that is over budget, materializes values in one that fits
    plan              its result
    candidates        what can be materialized, line by line, and the risk that each candidate removes
    trace_counter     tokens of variants of a program, each run once and compared with the original
    risks             the risk of each line under the calls, by the reliability map
    materialization   the choice of candidates by gain for a token
    shortening        the choice of passes for a program that is over budget
    source_origins    where the characters of a changed source come from
    comparison        a plan compared with its program on generated inputs
    advice            what helps a program that cannot be made to fit
    weights           the numbers that the choices depend on; `fit` computes them from published failures

The planner uses whole rewrites and `analyze.risk`. It asks no model.
"""
