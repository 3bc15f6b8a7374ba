"""Terminal input and output of the commands: consoles, progress bars, tables, Markdown and option types."""
