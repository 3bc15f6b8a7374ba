"""Questions and results in the formats of other evaluation harnesses."""
