"""What people read of results: tables, Markdown, HTML."""
