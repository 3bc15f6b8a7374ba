"""The reliability map: predicts which steps of a reference trace a model will probably get wrong, before it is asked.

    operations        the observer that records what each step computes, inside the sandbox
    steps             a trace with the operations that produce each frame
    features, trigrams
                      a step as a few named numbers
    risk_model        the published weights: features to a risk and reasons (`lab.risk` fits and validates them)
    assessment        `assess`: the reliability map of one call
    assessed_rows, assessment_folder, records, html_report
                      data sets: assessments row by row, in files, as records and as a page
    answer_maps       which map fits the form of recorded outputs
    prices            what a change to a program costs on average
    panel             recorded results of many models on the same programs
    failure_statistics
                      what the failures of a run have in common: the paper's analyses

Imports every other package of `analyze`, and none of them imports it.
"""
