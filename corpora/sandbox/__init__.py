"""Runs untrusted programs, confined and with resource limits, and reports as text what they did.

    confinement   the layers that confine a process
    reporting     the protocol between the caller and a program's process
    values        values of a program as comparable text
    execution     runs one program in its own process
    workers       the worker processes, their isolation level and the self-check

Of the project, this package imports only `corpora.program`, `corpora.errors` and `corpora.orphans`. The modules that
run inside the worker (`confinement`, `values`, `execution`, `workers.zygote`, the writing side of `reporting`) import
only the standard library. Nothing in this package trusts what a program writes.
"""
