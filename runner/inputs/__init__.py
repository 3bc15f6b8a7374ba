"""The inputs of the commands: programs, source files, data sets and benchmarks."""
