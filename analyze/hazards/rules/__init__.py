"""The hazards, one a file, found by folder. A new one is a file here with an example that is run, and no more."""
