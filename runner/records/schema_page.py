"""`python -m runner.records.schema_page`: docs/records.md, field by field, from the schema of `samples.jsonl`.

The schema (`samples.schema.json`) is what a program checks records with; this is the same for people.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from importlib.resources import files
from typing import Any

HEAD = """\
# The records of a run

`spellout run` appends one JSON object a line to `samples.jsonl`, and rewrites none: a run that was killed goes on from
there. `jq`, pandas and `datasets` read it as it is; `runner.records.samples.read_samples` gives frozen dataclasses,
records of earlier versions among them. What a program can check stands in
[`samples.schema.json`](../runner/records/samples.schema.json) (JSON Schema 2020-12), from which
`python -m runner.records.schema_page` makes this page:

    python -c "import json, jsonschema, runner.records.schema_page as page
    for line in open('runs/demo/samples.jsonl'): jsonschema.validate(json.loads(line), page.schema())"

Beside it lie `run.json` (the settings, which another run in the folder has to share), `summary.json` (every figure of
the report: counts, confidence intervals, and by recipe what was recovered, gained and lost) and `report.md`.
"""


def schema() -> dict[str, Any]:
    """The JSON Schema of one record."""
    found: dict[str, Any] = json.loads(files(__package__).joinpath("samples.schema.json").read_text("utf-8"))
    return found


def page() -> str:
    """The page in Markdown."""
    root = schema()
    return "\n".join([HEAD, "| field | type | what it is |", "|---|---|---|", *_rows(root["properties"], "")]) + "\n"


def _rows(properties: Mapping[str, Any], prefix: str) -> Iterator[str]:
    for name, field in properties.items():
        inside = next((one for one in field.get("oneOf", ()) if one["type"] == "object"), None)
        yield f"| `{prefix}{name}` | {_type(field)} | {field['description']} |"
        if inside is not None:
            yield from _rows(inside["properties"], f"{prefix}{name}.")


def _type(field: Mapping[str, Any]) -> str:
    if "enum" in field:
        return ", ".join(f"`{value}`" if value else "empty" for value in field["enum"])
    if "const" in field:
        return f"`{field['const']}`"
    if "oneOf" in field:
        return " or ".join(one["type"] for one in field["oneOf"])
    kinds = field["type"]
    return kinds if isinstance(kinds, str) else " or ".join(kinds)


if __name__ == "__main__":
    import sys

    sys.stdout.write(page())
