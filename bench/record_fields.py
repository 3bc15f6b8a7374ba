"""Prints the table of docs/records.md: the fields of `samples.jsonl`, from its JSON Schema.

Usage: `python bench/record_fields.py`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from harness import print_table

from runner.records.samples import schema


def _rows(properties: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, str, str]]:
    for name, field in properties.items():
        yield f"`{prefix}{name}`", _type(field), field["description"]
        yield from _rows(field.get("properties", {}), f"{prefix}{name}.")


def _type(field: Mapping[str, Any]) -> str:
    if "enum" in field:
        return ", ".join(f"`{value}`" if value else "empty" for value in field["enum"])
    if "const" in field:
        return f"`{field['const']}`"
    kinds = field["type"]
    return kinds if isinstance(kinds, str) else " or ".join(kinds)


if __name__ == "__main__":
    print_table(("field", "type", "description"), _rows(schema()["properties"]), "---")
