"""CPython's own test suite against its rewritten standard library; see `tests.stdlib.suite`."""
