"""Prints the hazards for docs/hazards.md: a table of the classes, or examples of those that are a warning or an error.

    python bench/hazard_classes.py classes
    python bench/hazard_classes.py examples

The figures are those that `lab.risk.calibrate` wrote.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from analyze.hazards.base import Hazard, all_hazards, get_hazard
from analyze.hazards.class_levels import level
from analyze.hazards.example_lines import example_lines
from analyze.hazards.measured_effects import measured_effects
from analyze.hazards.severity import fitted_effects


def classes(hazards: list[Hazard]) -> Iterator[str]:
    """The lines of the table of classes."""
    yield "| class | definition | CWM | all families | warning for | severity |"
    yield "|---|---|---|---|---|---|"
    for kind in hazards:
        severity = f"{kind.severity:.2f}" if kind.name in fitted_effects() else f"({kind.start_severity:.2f})"
        yield f"| {kind.name} | {kind.summary} | {_effects(kind.name)} | {severity} |"


def _effects(name: str) -> str:
    """Returns the cells of the measured differences, and of the families for which the class is a warning."""
    if get_hazard(name).is_error:
        return "not measured | not measured | error for all"
    found = measured_effects().hazards.get(name)
    if found is None:
        return "not measured | not measured | "
    return f"{found.families.get('cwm', 'not measured')} | {found.panel} | {', '.join(_warned(name))}"


def _warned(name: str) -> list[str]:
    """Returns the families for which the class is a warning."""
    found = measured_effects().hazards.get(name)
    families = () if found is None else (*found.families, "")
    return [family or "all families" for family in families if level(name, family) == "warning"]


def examples(hazards: list[Hazard]) -> Iterator[str]:
    """The lines of the examples, each below a heading."""
    for kind in hazards:
        if kind.is_error or _warned(kind.name):
            yield from (f"### {kind.name}", "", "```", *example_lines(kind, kind.EXAMPLE), "```", "")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("part", choices=("classes", "examples"))
    lines = classes if parser.parse_args().part == "classes" else examples
    print(*lines(sorted(all_hazards(), key=lambda kind: (-kind.severity, kind.name))), sep="\n")


if __name__ == "__main__":
    main()
