"""String methods spelled out: reference implementations by family, and what writes them into a program."""
