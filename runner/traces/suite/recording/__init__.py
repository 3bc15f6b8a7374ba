"""A pytest plugin that records the calls of a package's functions, each as an expression.

It is copied into a folder of its own and loaded from there (`runner.traces.suite.package_rows`), so that the package's
process imports nothing else of this project. Standard library only; its modules import each other relatively.
"""
