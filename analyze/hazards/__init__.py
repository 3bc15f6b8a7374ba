"""Places where a tokenizer hides the characters that a string operation looks for.

    base                    what a hazard is; `rules` holds them, one a file, found by folder
    batch, match_positions  many questions tokenized at once, and what a method really matches
    classify                one pattern in one text
    severity                what each hazard was worth on real failures (fitted by `analyze.risk.calibrate`)
    catalogue               the page of them all, made from their examples

Imports `analyze.tokens`. What this room does not do: find the strings of a program (`analyze.auditing`).
"""
