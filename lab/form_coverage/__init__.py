"""Which operations of ordinary programs have a form that models read well, if forms cost nothing.

    python -m lab.form_coverage --data DIR [--population P] [--every N]

- `operand_kinds`: operations on strings, numbers, containers
- `levels`: the level of each executed operation when every form is applied
- `level_tables`: the tables
- `operation_programs`, `operation_table`: the same for programs made from the catalogue, one for each operation, way to
  write it, shape of its operands, and context: `python -m lab.form_coverage.operation_table`

The levels are those of `lab.exposure.operation_level`. Whether level 2 helps a model is not known.
"""
