"""Imports: their direction between packages and folders, no cycle between modules, torch in two folders only.

Imports inside functions and under `if TYPE_CHECKING` count too.
"""

import ast
import graphlib
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.places import ROOT

PACKAGES = ("corpora", "analyze", "rewrite", "runner", "spellout", "lab")
EXAMPLES = ROOT / "runner" / "inputs" / "examples" / "files"
"""Programs that Spellout reads: no modules of it."""
TORCH_FOLDERS = ("runner.backends.", "lab.")
MODEL_PACKAGES = {"torch", "transformers", "safetensors", "peft", "accelerate", "gguf"}
# The folders of a package, lowest first: each may import those before it. Modules directly in the package are its
# public interface and may import all folders; so may `planner`, which needs complete rewrites. All may import those of
# BASE.
FOLDERS = {
    "corpora": ("sandbox", "generators", "reading", "writing"),
    "analyze": (
        "operations",
        "instrumentation",
        "tokens",
        "hazards",
        "gold_trace",
        "cost",
        "diagnosis",
        "auditing",
        "risk",
    ),
    "rewrite": (
        "syntax",
        "analysis",
        "evidence",
        "anf",
        "baselines",
        "string_methods",
        "interventions",
        "pipeline",
        "passes",
        "equivalence",
        "program_grammar",
        "cost",
    ),
    "runner": (
        "terminal",
        "records",
        "statistics",
        "asking",
        "pocket",
        "backends",
        "inputs",
        "batch_rewriting",
        "traces",
        "linting",
        "reports",
        "runs",
        "interchange",
        "experiments",
        "commands",
    ),
}
BASE = {
    "corpora": {
        "atomic_files",
        "cache",
        "errors",
        "deadline",
        "program",
        "rows",
        "orphans",
        "lazy",
        "literals",
        "temporary_folders",
    },
    "analyze": set(),
    "rewrite": set(),
    "runner": set(),
}
PRIVATE = {
    "rewrite/equivalence/call_inputs.py": "hypothesis",
    "rewrite/syntax/normalized_names.py": "libcst",
    "rewrite/syntax/source_map.py": "libcst",
    "rewrite/syntax/tight_keywords.py": "libcst",
}
"""Modules that use the private interface of a package; each says why."""
INDEPENDENT = {"equivalence": {"evidence"}, "program_grammar": set()}  # folders that import only these


@cache
def modules() -> dict[str, Path]:
    """Every module of the project, by its dotted name."""
    paths = [p for package in PACKAGES for p in sorted((ROOT / package).rglob("*.py")) if EXAMPLES not in p.parents]
    return {".".join(p.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): p for p in paths}


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def imported(path: Path) -> Iterator[tuple[int, str]]:
    """Line and dotted name of everything that a file imports, wherever in it."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            whole = [f"{node.module}.{alias.name}" for alias in node.names]
            yield from ((node.lineno, name if name in modules() else node.module) for name in whole)


def wrong_imports(is_allowed: Callable[[str, str], bool]) -> list[str]:
    """File, line and target of the imports for which `is_allowed` (of module and target) is false."""
    found = ((name, path, line, target) for name, path in modules().items() for line, target in imported(path))
    return [f"{path}:{line} imports {target}" for name, path, line, target in found if not is_allowed(name, target)]


def folder_of(module: str) -> tuple[str, str]:
    """The package and folder of a module; "" for its public interface, "base" for modules below the folders."""
    package, *rest = module.split(".")
    if not rest or rest[0] not in FOLDERS.get(package, ()):
        return package, "base" if rest and rest[0] in BASE.get(package, ()) else ""
    return package, rest[0]


@pytest.mark.medium
def test_a_module_imports_only_its_own_package_and_those_below() -> None:
    def is_allowed(name: str, target: str) -> bool:
        package = target.partition(".")[0]
        if package in MODEL_PACKAGES:
            return name.startswith(TORCH_FOLDERS)
        return package not in PACKAGES[PACKAGES.index(name.partition(".")[0]) + 1 :]

    assert wrong_imports(is_allowed) == []


@pytest.mark.medium
def test_a_folder_imports_only_those_below() -> None:
    def is_allowed(name: str, target: str) -> bool:
        package, own = folder_of(name)
        is_ours = target in modules() and target.partition(".")[0] == package and target != f"{package}.lazy"
        if not own or not is_ours:
            return True
        order = ("base", *FOLDERS[package])
        below = {"base", own, *INDEPENDENT[own]} if own in INDEPENDENT else set(order[: order.index(own) + 1])
        return folder_of(target)[1] in below

    assert wrong_imports(is_allowed) == []


@pytest.mark.medium
def test_no_modules_import_each_other_in_a_cycle() -> None:
    sorter: graphlib.TopologicalSorter[str] = graphlib.TopologicalSorter()
    for name, path in modules().items():
        sorter.add(name, *{target for _, target in imported(path) if target in modules() and target != name})
    sorter.prepare()  # raises CycleError, which names the cycle


@pytest.mark.medium
def test_a_module_says_first_what_it_is_for() -> None:
    assert [path for path in modules().values() if not ast.get_docstring(tree(path))] == []


@pytest.mark.medium
def test_a_private_interface_has_a_reason_and_a_newest_version() -> None:
    private = re.compile(r"(hypothesis|libcst)\.(.*\.)?(_\w+|internal)\b")
    imports = ((path, name) for path in modules().values() for _, name in imported(path))
    found = {str(path.relative_to(ROOT)): match[1] for path, name in imports if (match := private.match(name))}
    assert found == PRIVATE
    assert all("private interface" in (ROOT / path).read_text(encoding="utf-8") for path in PRIVATE)
    requirements = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert all(re.search(rf'"{package}>=[\d.]+,<[\d.]+"', requirements) for package in PRIVATE.values())


@pytest.mark.parametrize("package", ["corpora", "analyze", "rewrite", "runner"])
def test_the_page_on_the_design_lists_every_folder(package: str) -> None:
    [row] = re.findall(
        rf"^\| `{package}/` .*$", (ROOT / "docs" / "design.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    folders = {folder.parent.name for folder in (ROOT / package).glob("*/__init__.py")}
    assert folders <= set(re.findall(r"`(\w+)`", row))


@pytest.mark.parametrize("package", ["rewrite", "runner"])
def test_a_package_has_few_units(package: str) -> None:
    folders = {path.parent.name for path in (ROOT / package).glob("*/__init__.py")}
    modules = {path.stem for path in (ROOT / package).glob("*.py")} - {"__init__"}
    assert len(folders | modules) <= 16
