"""Converts a Markdown report to a self-contained HTML page.

HTML inside the Markdown is escaped, and the page loads nothing from elsewhere.
"""

from __future__ import annotations

from html import escape

from markdown_it import MarkdownIt

from corpora.foreign_text import one_line, printable

_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{title}</title>
<style>
body {{ font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }}
table {{ border-collapse: collapse; margin: 1rem 0; }}
td, th {{ padding: .2rem .8rem; border-bottom: 1px solid #8884; }}
pre {{ overflow-x: auto; padding: .8rem; background: #8882; }}
</style>
</head>
<body>
{body}</body>
</html>
"""


def as_html(markdown: str, title: str) -> str:
    """The HTML page of a Markdown report.

    >>> "<h1>a &lt;b&gt;</h1>" in as_html("# a <b>", "title")
    True
    """
    return _PAGE.format(title=escape(one_line(title)), body=as_fragment(markdown))


def as_fragment(markdown: str) -> str:
    """The HTML of a Markdown text, to show in a notebook or inside a page."""
    reader = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")
    return str(reader.render(printable(markdown)))
