"""Worker processes: how they are chosen, started, checked and reused.

isolation_levels
            chooses the isolation level of this process, confirmed by the self-check
selfcheck   tries to escape from each layer before any program runs
confirmations
            remembers which level the self-check has confirmed on this machine
pool        keeps idle workers and hands jobs to them
worker      the caller's side of one worker: sends jobs, watches the clock, kills
launch      the command line and environment of a worker
zygote      the worker process itself: forks one child per program; standard library only
"""
