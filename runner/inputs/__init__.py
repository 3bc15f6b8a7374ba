"""What commands read: programs, source files, data sets and benchmarks by name."""
