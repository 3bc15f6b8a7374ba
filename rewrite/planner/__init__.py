"""The planner: which operations get another form, so that the most predicted risk goes for the tokens available.

    planning          `plan_rewrite`: shortens a program that is over budget, materializes values in one that fits
    plan              its result
    objective         the probability that a model gets a trace right, which a plan maximizes
    program           the program: the forms of its operations, and what a variant of it costs
    candidates        the candidates of all risky lines
    line_forms        those of one line: its forms, alone and composed, measured
    choice            the best candidates within the token limit
    exposing          the chosen candidates applied together, and why each other operation stays
    trace_counter     tokens of variants of a program, each run once and compared with the original
    shortening        the choice of passes for a program that is over budget
    source_origins    where the characters of a changed source come from
    comparison        a plan compared with its program on generated inputs
    advice            what helps a program that cannot be made to fit
    stages, rows      a plan pass by pass; plans of data sets

The planner uses whole rewrites and `analyze.risk`. It asks no model.
"""
