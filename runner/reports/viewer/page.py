"""Writes the page: a single HTML file with the data compressed in it, and a Content-Security-Policy of hashes.

The table and each block of details are compressed and base64-encoded in `script` elements of a data type, which a
browser does not execute. Nothing from a run is part of the HTML itself, except the title, which is escaped.
"""

from __future__ import annotations

import base64
import hashlib
import json
import zlib
from collections.abc import Iterator
from html import escape
from importlib.resources import files
from typing import Any

from runner.reports.viewer.collection import Collection

SCRIPTS = ("text", "data", "tokens", "filters", "table", "frames", "program", "sample", "main")
"""The scripts in the order in which they are joined; the last one starts the page."""


def page_html(found: Collection, title: str, tokenizer: str) -> str:
    """Returns the page.

    Args:
        found: its content.
        title: its title, plain text.
        tokenizer: the name of the tokenizer, plain text.
    """
    style, script = _asset("viewer.css"), "\n".join(_asset(f"{name}.js") for name in SCRIPTS)
    about = {"title": title, "runs": found.runs, "tokenizer": tokenizer, "columns": found.columns}
    parts = {
        "POLICY": policy(script, style),
        "TITLE": escape(title),
        "STYLE": style,
        "DATA": "\n".join(_data_elements(about, found.blocks)),
        "SCRIPT": script,
    }
    page = _asset("page.html")
    for name, part in parts.items():
        before, after = page.split(f"__{name}__")
        page = before + part + after
    return page


def policy(script: str, style: str) -> str:
    """The Content-Security-Policy of a page: these two inline elements, and nothing from elsewhere."""
    directives = (
        "default-src 'none'",
        f"script-src '{_digest(script)}'",
        f"style-src '{_digest(style)}'",
        "img-src data:",  # the empty icon, so that no browser asks the server for one
        "base-uri 'none'",
        "form-action 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    )
    return "; ".join(directives)


def _digest(content: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()


def _data_elements(about: dict[str, Any], blocks: list[dict[str, Any]]) -> Iterator[str]:
    for name, content in [("table", about), *((f"block-{number}", block) for number, block in enumerate(blocks))]:
        yield f'<script type="application/octet-stream" id="{name}">{pack(content)}</script>'


def pack(content: object) -> str:
    """Compresses a JSON value (zlib) and encodes it in base64. JSON is ASCII, so that lone surrogates survive."""
    return base64.b64encode(zlib.compress(json.dumps(content, separators=(",", ":")).encode(), 6)).decode()


def _asset(name: str) -> str:
    return (files(__package__) / "assets" / name).read_text(encoding="utf-8")
