"""A run: which cases are asked, in which order, and what is recorded of each answer."""
