"""Runs programs that nobody here wrote, confined and bounded, and says as text what they did.

    caller's side    levels (choose and confirm the isolation), launch, pool, worker, protocol, border (the one
                     parser of what a program's process says), report_reader
    worker's side    zygote (forks a process a program), confinement (which layers hold it): bubblewrap, landlock,
                     seccomp with syscalls, capabilities, limits, control_group; selfcheck tries what each must prevent
                     (`forbidden`)
    program's side   task (runs one program), called, world (time and chance), yielding, module_globals, process_state,
                     library, snapshot with value_kinds (values as comparable text), shape, shown, report_writer

Imports nothing of the project but `corpora.program`, `corpora.errors` and `corpora.orphans`; the worker's and program's
side the standard library alone. What this room does not do: believe what a program writes.
"""
