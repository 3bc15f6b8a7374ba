"""What calls show of a program's expressions, so that a rewrite may rest on it and say so."""
