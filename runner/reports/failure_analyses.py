"""The paper's analyses of failures, for people and as JSON: what `spellout diagnose` ends with.

What it does not do: judge (`analyze.risk.failures` does).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from rich.console import Console
from rich.table import Table

from analyze.diagnosis.divergence import DIVERGENCE_KINDS
from analyze.risk.failures import Judged, catalogue, taxonomy, truncations, type_of, type_table
from corpora import BadRow, case_from_row
from corpora.errors import InputError
from runner.inputs.datasets import data_rows
from runner.terminal.console import error_console, shown, warn
from runner.terminal.tables import on_one_line

Types = Mapping[str, Sequence[str]]
"""By name of a benchmark ("" for any), the types of all its results."""


def benchmark_types(given: Sequence[str]) -> dict[str, list[str]]:
    """The types of the results of benchmarks given as DATASET or NAME=DATASET.

    Raises InputError where one cannot be read, or none of its rows has an expected result.
    """
    found: dict[str, list[str]] = {}
    for text in given:
        name, given_name, path = text.rpartition("=")[0], "=" in text, text.rpartition("=")[2]
        cases = [row if isinstance(row, BadRow) else case_from_row(row) for row in data_rows(path, [])]
        types = [type_of(case.expected.strip()) for case in cases if not isinstance(case, BadRow) and case.expected]
        if not types:
            raise InputError("none of its rows has an expected result", where=path)
        if len(types) < len(cases):
            warn(error_console(), f"{path}: {len(cases) - len(types)} of {len(cases)} rows have no expected result")
        found[name if given_name else ""] = types
    return found


def print_analyses(found: Sequence[Judged], benchmarks: Types, console: Console, *, catalogued: bool) -> None:
    """Tables 2 and 3, Figure 2 and Table 9 of these outputs, and, if asked for, Appendix E."""
    if all(one.status == "right" for one in found):
        return
    for name in dict.fromkeys(one.benchmark for one in found):
        _print_types(name, [one for one in found if one.benchmark == name], benchmarks, console)
    console.print(_taxonomy_table(found))
    if any(one.status == "truncated" for one in found):
        console.print(_truncation_table(found))
    if catalogued:
        _print_catalogue(found, console)


def analyses_as_json(found: Sequence[Judged], benchmarks: Types) -> dict[str, Any]:
    """The same as plain data; shares in 0..1."""
    names = dict.fromkeys(one.benchmark for one in found)
    return {
        "types": {
            name: _types_as_json([one for one in found if one.benchmark == name], name, benchmarks) for name in names
        },
        "taxonomy": [
            {"status": status, "type": kind, "first_divergence": counts}
            for (status, kind), counts in taxonomy(found).items()
        ],
        "catalogue": [
            {"type": kind, "cause": cause, "failures": [asdict(one) for one in group]}
            for (kind, cause), group in catalogue(found).items()
        ],
        "truncated": [
            {"fits": fits, "pattern": pattern, "ids": [one.id for one in group]}
            for (fits, pattern), group in truncations(found).items()
        ],
    }


def _every(found: Sequence[Judged], name: str, benchmarks: Types) -> Sequence[str] | None:
    """The types of a whole benchmark: as given, else of all these outputs; None where they are failures alone."""
    given = benchmarks.get(name, benchmarks.get(""))
    if given is None and any(one.status == "right" for one in found):
        return [one.type for one in found]
    return given


def _types_as_json(found: Sequence[Judged], name: str, benchmarks: Types) -> dict[str, Any]:
    wrong, every = [one.type for one in found if one.status == "wrong"], _every(found, name, benchmarks)
    rows = [asdict(row) for row in type_table(wrong, every or [])]
    return {"wrong": len(wrong), "samples": None if every is None else len(every), "rows": rows}


def _print_types(name: str, found: Sequence[Judged], benchmarks: Types, console: Console) -> None:
    wrong, every = [one.type for one in found if one.status == "wrong"], _every(found, name, benchmarks)
    if not wrong:
        return
    given = name in benchmarks or "" in benchmarks
    of = "no benchmark: --benchmark gives it; "
    if every is not None:
        of = f"n={len(every)} samples, " if given else f"against all {len(every)} of these outputs, "
    title = f"{name or 'all'}: output types against wrong answers ({of}{len(wrong)} wrong answers)"
    table = Table("Type", "Benchmark %", "Failure %", "Ratio", title=title, title_justify="left")
    for row in type_table(wrong, every or []):
        ratio = "—" if row.ratio is None else f"{row.ratio:.2f}×"
        table.add_row(row.type, f"{row.benchmark:.1%}" if every else "—", f"{row.failures:.1%}", ratio)
    console.print(table)


def _taxonomy_table(found: Sequence[Judged]) -> Table:
    groups = taxonomy(found)
    kinds = [kind for kind in DIVERGENCE_KINDS if any(kind in counts for counts in groups.values())]
    table = Table("", "type", *kinds, "all", title="failures by type and first divergence", title_justify="left")
    for (status, name), counts in groups.items():
        cells = [str(counts.get(kind, 0) or "") for kind in kinds]
        table.add_row(status, name, *cells, str(sum(counts.values())))
    return table


def _truncation_table(found: Sequence[Judged]) -> Table:
    table = Table("true trace", "pattern", "outputs", "samples", title="truncated outputs", title_justify="left")
    for (fits, pattern), group in truncations(found).items():
        names = ", ".join(one.id for one in group[:4]) + (", …" if len(group) > 4 else "")
        table.add_row("would have fitted" if fits else "does not fit", pattern, str(len(group)), shown(names))
    return table


def _print_catalogue(found: Sequence[Judged], console: Console) -> None:
    for (kind, cause), group in catalogue(found).items():
        table = Table(
            "Sample", "Code", "Expected", "Predicted", title=f"{kind}: {cause} ({len(group)})", title_justify="left"
        )
        for one in group:
            cells = (one.id, one.line, one.expected, one.predicted or "")
            table.add_row(*(shown(on_one_line(cell)) for cell in cells))
        console.print(table)
