"""Generates docs/records.md from the JSON Schema of `samples.jsonl`.

Usage: `python -m runner.records.schema_page > docs/records.md`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from runner.records.samples import schema

HEAD = """\
# Records of a run

Use the records of a run for analyses that `spellout report` does not have. The folder of a run has:

| file | content |
|---|---|
| `samples.jsonl` | one record per sample and attempt, one JSON object per line, append-only |
| `run.json` | the settings of the run; resuming requires the same settings |
| `summary.json` | all figures of the report: counts, confidence intervals, and the effect of each recipe |
| `report.md` | the report for people |

## Example
`read_run` gives the records as frozen dataclasses; `jq`, pandas and `datasets` read the file directly.

```sh
spellout run cases.jsonl --model pocket --max-tokens 1024 --recipe decompose --output runs/cases
jq -r 'select(.verdict == "incorrect") | [.id, .diagnosis.kind] | @tsv' runs/cases/samples.jsonl
```

(`spellout example DIR` writes `cases.jsonl`.) In Python:

```python
from collections import Counter
from runner import read_run

Counter((sample.attempt, sample.verdict) for sample in read_run("runs/cases"))
```

[`samples.schema.json`](../runner/records/samples.schema.json) (JSON Schema, draft 7) describes records, for validators
of any language; every reader of a run applies it.

## Fields of samples.jsonl
`python -m runner.records.schema_page > docs/records.md` generates this page from the schema.
"""


def page() -> str:
    """The page docs/records.md."""
    root = schema()
    return "\n".join([HEAD, "| field | type | description |", "|---|---|---|", *_rows(root["properties"], "")]) + "\n"


def _rows(properties: Mapping[str, Any], prefix: str) -> Iterator[str]:
    for name, field in properties.items():
        yield f"| `{prefix}{name}` | {_type(field)} | {field['description']} |"
        yield from _rows(field.get("properties", {}), f"{prefix}{name}.")


def _type(field: Mapping[str, Any]) -> str:
    if "enum" in field:
        return ", ".join(f"`{value}`" if value else "empty" for value in field["enum"])
    if "const" in field:
        return f"`{field['const']}`"
    kinds = field["type"]
    return kinds if isinstance(kinds, str) else " or ".join(kinds)


if __name__ == "__main__":
    import sys

    sys.stdout.write(page())
