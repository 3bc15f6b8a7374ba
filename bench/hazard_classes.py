"""Prints the hazards for docs/hazards.md: a table of the classes, or examples of those that are a warning or an error.

    python bench/hazard_classes.py classes
    python bench/hazard_classes.py examples

The figures are those that `lab.risk.calibrate` wrote.
"""

from __future__ import annotations

from collections.abc import Iterator

from harness import command, print_table

from analyze.hazards.base import Hazard, all_hazards
from analyze.hazards.class_levels import level
from analyze.hazards.example_lines import example_lines
from analyze.hazards.measured_effects import measured_effects
from analyze.hazards.severity import fitted_effects

NONE = "not measured"
COLUMNS = ("class", "definition", "CWM", "all families", "warning for", "severity")


def row(kind: Hazard) -> tuple[object, ...]:
    """The row of a class."""
    severity = f"{kind.severity:.2f}" if kind.name in fitted_effects() else f"({kind.start_severity:.2f})"
    found = None if kind.is_error else measured_effects().hazards.get(kind.name)
    measured = (found.families.get("cwm", NONE), found.panel) if found else (NONE, NONE)
    return kind.name, kind.summary, *measured, "error for all" if kind.is_error else ", ".join(_warned(kind)), severity


def _warned(kind: Hazard) -> list[str]:
    """Returns the families for which the class is a warning."""
    found = measured_effects().hazards.get(kind.name)
    families = () if found is None else (*found.families, "")
    return [family or "all families" for family in families if level(kind.name, family) == "warning"]


def examples(hazards: list[Hazard]) -> Iterator[str]:
    """The lines of the examples, each below a heading."""
    for kind in hazards:
        if kind.is_error or _warned(kind):
            yield from (f"### {kind.name}", "", "```", *example_lines(kind, kind.EXAMPLE), "```", "")


def main() -> None:
    parser = command(__doc__)
    parser.add_argument("part", choices=("classes", "examples"))
    hazards = sorted(all_hazards(), key=lambda kind: (-kind.severity, kind.name))
    if parser.parse_args().part == "classes":
        print_table(COLUMNS, map(row, hazards), "---")
    else:
        print(*examples(hazards), sep="\n")


if __name__ == "__main__":
    main()
