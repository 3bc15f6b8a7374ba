"""What a rewrite costs in tokens of the trace, and how it gets cheaper without saying less."""
