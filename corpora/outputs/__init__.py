"""Recorded outputs of models, as other evaluation harnesses log them, read as rows of one form.

`read_outputs` detects the format by content. A row has

- `id`: the harness's name of the sample;
- `output`: what the model wrote;
- `predicts`: "lines" or "states", if the output is no trace and no result;
- `prompt`, `source` and `call`, `model`, `attempt`, `answer_index`: where the log has them.

A format is a module here with a `FORMAT`. `corpora.outputs.matching` finds the program of an output whose log has none.
No program is run here.
"""
