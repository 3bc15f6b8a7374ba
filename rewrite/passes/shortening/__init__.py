"""Passes that shorten a trace, one a file: a pass is a module with `find(program)`, and its name is the file's."""
