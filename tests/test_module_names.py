"""A module name says one thing: who searches for a file by its name finds one module, or several about the same."""

from collections import Counter

from tests.places import ROOT

FOLDERS = ("corpora", "analyze", "rewrite", "runner", "spellout", "lab", "bench", "integrations")
# Names of several modules, by the reason that they may share.
SHARED = {
    "one string operation: its reference implementation, its idioms, its form on lists of characters": (
        *("affixes", "case_conversions", "number_digits", "padding", "replacing", "searching", "splitting", "trimming"),
        "slicing",
    ),
    "one format: its reader and its writer": ("csv_rows", "files", "json_lines", "parquet"),
    "one subject: the module and the command, experiment, format or measurement about it": (
        *("audit", "benchmark_sizes", "composition", "cruxeval", "permutations", "plan", "sparse_reveals", "trace"),
        *("program", "rows", "run"),
    ),
    "one concept in several packages": ("hidden_values", "html_report", "operators", "prices", "repairs", "settings"),
    "a command or page that has this name": ("baseline", "experiment", "findings", "programs"),
    "an example, or a folder that another tool reads": ("parts", "tasks"),
}


def test_only_names_with_a_reason_are_those_of_several_modules() -> None:
    paths = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")]
    counts = Counter(path.stem for path in paths if not path.stem.startswith("__"))
    assert {name for name, count in counts.items() if count > 1} == {
        name for names in SHARED.values() for name in names
    }
