"""Running one program in its own process. Standard library only.

task              runs the calls of a job and reports each of them
call_steps        parses and compiles the calls before the program is loaded
module_globals    which globals a call changed, and what an iterator lets a reader observe
program_module    the module that a program is
standard_streams  the standard streams
simulated_environment   seeded randomness and, on request, a simulated clock, process number and memory layout
"""
