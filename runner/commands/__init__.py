"""The sub-commands of `spellout`, one module each.

A module defines `SUMMARY` (one line), `EXAMPLES` (shown below `--help`), `configure(parser)` and
`run(arguments) -> int`. A module that runs programs sets `RUNS_PROGRAMS = True`, which adds `--allow-weak-isolation`.
The command has the name of its module. `runner.cli` finds the modules, so a new command is one new file.
"""
