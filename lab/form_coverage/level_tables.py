"""The tables of a population: levels by kind of operation, and the operations that have no form at level 2."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from analyze.diagnosis.operation_values import ValuedOperation
from lab.form_coverage.levels import OperationCoverage
from lab.form_coverage.operand_kinds import KINDS
from runner.terminal.tables import table_lines


def level_table(found: Sequence[OperationCoverage]) -> Iterator[str]:
    """The share of operations at each level, by kind, as a Markdown table."""
    rows: list[tuple[str, ...]] = []
    for kind in KINDS:
        levels = [one.level for one in found if one.kind == kind]
        before = sum(one.before == 2 for one in found if one.kind == kind)
        shares = (_share(count, len(levels)) for count in (before, *map(levels.count, (2, 1, 0))))
        rows.append((kind, str(len(levels)), *shares))
    yield from table_lines(("operations on", "places", "level 2 as it is", "level 2", "level 1", "level 0"), rows)


def hole_table(found: Iterable[OperationCoverage]) -> Iterator[str]:
    """The operations below level 2, the most frequent first, each with the first step that has it."""
    holes = [one for one in found if one.level < 2]
    count = Counter((one.kind, operation_name(one.operation)) for one in holes)
    first = {(one.kind, operation_name(one.operation)): one for one in reversed(holes)}
    rows = (
        (f"`{name}`", kind, number, f"`{first[kind, name].text}`".replace("|", "\\|"))
        for (kind, name), number in count.most_common()
    )
    yield from table_lines(("operation", "on", "below level 2", "for example"), rows, "---", "---", "--:", "---")


def operation_name(one: ValuedOperation) -> str:
    """How an operation is called in the tables: `find`, `Add`, `slice`."""
    return one.name or one.kind


def _share(count: int, whole: int) -> str:
    return f"{100 * count / whole:.1f} %" if whole else "-"
