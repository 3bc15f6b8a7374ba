"""The paper's analyses of failures (Tables 2, 3 and 9, Figure 2, Appendix E) as tables and JSON.

`analyze.risk.failure_statistics` computes them; `spellout diagnose` prints them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from rich.console import Console
from rich.table import Table

from analyze.diagnosis.divergence import DIVERGENCE_KINDS
from analyze.diagnosis.failing_operation import OperationDiagnosis
from analyze.risk.failure_statistics import FailureCase, catalogue, taxonomy, truncations, type_of, type_table
from corpora import BadRow, case_from_row
from corpora.errors import InputError
from runner.inputs.datasets import data_rows
from runner.statistics.groups import grouped
from runner.terminal.console import styled, warn
from runner.terminal.tables import on_one_line

Types = Mapping[str, Sequence[str]]
"""The output types of a complete benchmark, by its name ("" for any)."""


def benchmark_types(given: Sequence[str]) -> dict[str, list[str]]:
    """The output types of benchmarks given as DATASET or NAME=DATASET.

    Raises:
        InputError: one cannot be read, or none of its rows has an expected result.
    """
    found: dict[str, list[str]] = {}
    for text in given:
        name, _, path = text.rpartition("=")
        cases = [row if isinstance(row, BadRow) else case_from_row(row) for row in data_rows(path, [])]
        types = [type_of(case.expected.strip()) for case in cases if not isinstance(case, BadRow) and case.expected]
        if not types:
            raise InputError("no row has an expected result", where=path)
        if len(types) < len(cases):
            warn(f"{path}: {len(cases) - len(types)} of {len(cases)} rows have no expected result")
        found[name] = types
    return found


def print_analyses(found: Sequence[FailureCase], benchmarks: Types, console: Console, *, catalogued: bool) -> None:
    """Prints Tables 2 and 3, Figure 2 and Table 9 of the paper for these outputs; if `catalogued`, Appendix E."""
    if all(one.status == "right" for one in found):
        return
    for name, own in grouped(found, lambda one: one.benchmark).items():
        _print_types(name, own, benchmarks, console)
    _print(console, "failures by type and first divergence", _taxonomy_table(found))
    if any(one.status == "truncated" for one in found):
        _print(console, "truncated outputs", _truncation_table(found))
    if catalogued:
        _print_catalogue(found, console)


def analyses_as_json(found: Sequence[FailureCase], benchmarks: Types) -> dict[str, Any]:
    """The same analyses as JSON; fractions in 0..1."""
    groups = grouped(found, lambda one: one.benchmark)
    return {
        "types": {name: _types_as_json(own, name, benchmarks) for name, own in groups.items()},
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


def operation_lines(found: OperationDiagnosis) -> Iterator[str]:
    """The operations that may have produced the first wrong value, and why the evidence names no single one."""
    if found.reason:
        yield f"operation not determined: {found.reason}"
    for one in found.operations:
        place = "" if one.line is None else f"line {one.line}, column {one.column}: "
        predicted = f", predicted {on_one_line(one.predicted)}" if one.predicted else ""
        reference = f"reference {on_one_line(one.reference) or 'not shown'}"
        yield f"operation {place}{on_one_line(one.operation)}: {reference}{predicted}"


def _every(found: Sequence[FailureCase], name: str, benchmarks: Types) -> Sequence[str] | None:
    """The output types of the benchmark: as given, else of all outputs; None if all outputs are failures."""
    given = benchmarks.get(name, benchmarks.get(""))
    if given is None and any(one.status == "right" for one in found):
        return [one.type for one in found]
    return given


def _types_as_json(found: Sequence[FailureCase], name: str, benchmarks: Types) -> dict[str, Any]:
    wrong, every = [one.type for one in found if one.status == "wrong"], _every(found, name, benchmarks)
    rows = [asdict(row) for row in type_table(wrong, every or [])]
    return {"wrong": len(wrong), "samples": None if every is None else len(every), "rows": rows}


def _print_types(name: str, found: Sequence[FailureCase], benchmarks: Types, console: Console) -> None:
    wrong, every = [one.type for one in found if one.status == "wrong"], _every(found, name, benchmarks)
    if not wrong:
        return
    given = name in benchmarks or "" in benchmarks
    of = "add --benchmark to compare; "
    if every is not None:
        of = f"n={len(every)} samples, " if given else f"against all {len(every)} of these outputs, "
    title = f"{name or 'all'}: types of outputs and wrong answers ({of}{len(wrong)} wrong answers)"
    if not every:
        table = Table("Type", "Failure %")
        for row in type_table(wrong, []):
            table.add_row(row.type, f"{row.failures:.1%}")
    else:
        table = Table("Type", "Benchmark %", "Failure %", "Ratio")
        for row in type_table(wrong, every):
            ratio = "—" if row.ratio is None else f"{row.ratio:.2f}×"
            table.add_row(row.type, f"{row.benchmark:.1%}", f"{row.failures:.1%}", ratio)
    _print(console, title, table)


def _print(console: Console, title: str, table: Table) -> None:
    """Prints a table below its title, which may be wider."""
    console.print(title)
    console.print(table)


def _taxonomy_table(found: Sequence[FailureCase]) -> Table:
    groups = taxonomy(found)
    kinds = [kind for kind in DIVERGENCE_KINDS if any(kind in counts for counts in groups.values())]
    table = Table("", "type", *kinds, "all")
    for (status, name), counts in groups.items():
        cells = [str(counts.get(kind, 0) or "") for kind in kinds]
        table.add_row(status, name, *cells, str(sum(counts.values())))
    return table


def _truncation_table(found: Sequence[FailureCase]) -> Table:
    table = Table("reference trace", "pattern", "outputs", "samples")
    for (fits, pattern), group in truncations(found).items():
        names = ", ".join(one.id for one in group[:4]) + (", …" if len(group) > 4 else "")
        table.add_row("fits" if fits else "does not fit", pattern, str(len(group)), styled(names))
    return table


def _print_catalogue(found: Sequence[FailureCase], console: Console) -> None:
    for (kind, cause), group in catalogue(found).items():
        table = Table("Sample", "Code", "Expected", "Predicted")
        for one in group:
            cells = (one.id, one.line, one.expected, one.predicted or "")
            table.add_row(*(styled(on_one_line(cell)) for cell in cells))
        _print(console, f"{kind}: {cause} ({len(group)})", table)
