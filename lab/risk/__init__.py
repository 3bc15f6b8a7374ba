"""Fits and validates what `analyze` ships: severities of hazards, and maps of risk across benchmarks and models.

- `fit`, `labelled_traces`: the weights, from published failures (`python -m lab.risk.fit`)
- `validate`: how well the shipped weights predict failures of unseen programs (`python -m lab.risk.validate`)
- `calibrate`: odds ratios and severities of hazards (`python -m lab.risk.calibrate`)
- `step_hazards`: which of a step's string operations carry a hazard
- `tokenizer_effects`: hazards of own against foreign vocabularies (`python -m lab.risk.tokenizer_effects`)
- `programs`: programs of several benchmarks with features and published outcomes (`python -m lab.risk.programs`)
- `transfer`: leave one benchmark, or one family of models, out (`python -m lab.risk.transfer PROGRAMS`)
"""
