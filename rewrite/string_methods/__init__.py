"""Reference implementations of string methods, and the interventions that inline them into a program."""
