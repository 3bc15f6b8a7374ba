"""Maps of risk across benchmarks and models: which transfer, and which baseline is as good.

- `programs`: programs of several benchmarks with features and published outcomes (`python -m lab.risk.programs`)
- `transfer`: leave one benchmark, or one family of models, out (`python -m lab.risk.transfer PROGRAMS`)
"""
