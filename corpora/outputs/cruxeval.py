"""CruxEval's own `generations.json`: sample id to a list of generations, as its inference script writes it.

The document reader (`corpora.outputs.output_records`) makes a record of each id.
"""

from __future__ import annotations

from collections.abc import Iterable

from corpora.outputs.format import Fields, Format, UnusableRecordError, numbered

ID, GENERATIONS = "cruxeval_id", "cruxeval_generations"


def _read(fields: Fields) -> Iterable[Fields]:
    generations = fields[GENERATIONS]
    if not isinstance(generations, list):
        raise UnusableRecordError("is not a list of generations")
    return numbered(generations, {"id": str(fields[ID])})


FORMAT = Format("CruxEval generations", lambda fields: GENERATIONS in fields, _read)
