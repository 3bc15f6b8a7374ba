"""Tokenization hazards: places where token boundaries hide the characters that a string operation looks for.

    base                    the interface of a hazard, and the registry of those in `rules`
    batch, match_positions  many questions tokenized at once, and the occurrences that a string method sees
    classify                one pattern in one string
    severity                fitted severities and odds ratios (written by `lab.risk.calibrate`)
    class_levels            which classes are warnings for a family of models
    example_lines           an example of a hazard as text

Imports `analyze.tokens`. `analyze.auditing` finds the strings of a program and applies the hazards to them.
"""
