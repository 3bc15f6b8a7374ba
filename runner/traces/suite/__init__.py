"""Calls of a package, recorded while its pytest suite runs, as rows of a data set.

recording      the pytest plugin: standard library only, runs in the package's own process
program_slicing
               a self-contained program with one function of the package and what it needs
package_rows   runs the suite, and turns the recorded calls into rows
"""
