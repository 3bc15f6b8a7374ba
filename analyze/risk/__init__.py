"""The reliability map: before anyone asks the model, which steps of a true trace it will probably get wrong, and why.

    operations   the observer that records what each step computes, inside the sandbox
    steps        a trace with, for each frame, the operations that made it
    features     a step as few, named numbers
    model        the published weights: numbers to a risk, and the reasons in words
    assessment   `assess`: all of it for one call, with the budget
    fit, validate, calibrate
                 the scripts that make the weights and the severities of hazards, and say what they are worth
    failures     what the failures of a run have in common: the paper's analyses
    survey, records, page
                 whole data sets, kept in files and shown as a map

Imports every other room of `analyze`, and none of them imports it. What it does not do: ask a model, rewrite anything.
"""
