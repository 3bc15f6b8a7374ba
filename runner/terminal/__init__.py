"""What commands share in the terminal: consoles, progress, tables, Markdown and option types."""
