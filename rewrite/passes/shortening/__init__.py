"""The savings, one a file: `find(program)` gives its candidates, the module's docstring says why they are safe."""
