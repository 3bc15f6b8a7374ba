"""The embedded model `pocket`: data, training, evaluation and weights. `runner.backends.transformers` asks it."""
