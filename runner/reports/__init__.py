"""Reports of results: tables for the terminal, Markdown, JSON and HTML."""
