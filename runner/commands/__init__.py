"""The sub-commands of `spellout`: one module each, found by folder.

A module defines `SUMMARY` (one line), `EXAMPLES` (shown under `--help`), `configure(parser)` and
`run(arguments) -> int`; one that runs programs says `RUNS_PROGRAMS = True` and gets `--allow-weak-isolation`. The
command's name is the module's. Adding a command touches one file.
"""
