"""The embedded model `pocket`: its data, training, evaluation and weights. Asking it: `runner.backends`."""
