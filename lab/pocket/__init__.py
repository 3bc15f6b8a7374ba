"""Training of a pretrained language model as a tracer: documents, adapter, training run.

`python -m lab.pocket.documents` draws the documents, `python -m lab.pocket.train` trains the adapter.

- `words`: names and words from the standard library
- `inputs`: literals of arguments, drawn or varied
- `productions`, `typed_programs`: typed random programs
- `real_programs`: real functions with calls
- `simple_programs`: compositions, permutations, short functions and drills
- `decorations`: docstrings, annotations, comments and empty lines of programs
- `hold_out`: which programs are held out of training
- `documents`: programs of all kinds with their traces, in one file
- `packing`: documents in rows of equal length
- `adapted_model`: base model, adapter, loss
- `evaluation`: held-out loss and exact traces
- `run`: the training run and its checkpoint
- `gate`, `gate_programs`, `paper_programs`: whether experiments with a tracer mean anything
- `experiment`, `elsewhere`: what rewrites do to its answers
"""
