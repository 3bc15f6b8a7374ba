"""The direction of imports: corpora ← analyze ← rewrite ← runner; torch only below two folders."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
LAYERS = ("corpora", "analyze", "rewrite", "runner")
TORCH_FOLDERS = ("runner/backends", "runner/pocket")
MODEL_PACKAGES = {"torch", "transformers", "safetensors"}


def imported_packages(path: Path) -> Iterator[tuple[int, str]]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name.partition(".")[0]) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            yield node.lineno, node.module.partition(".")[0]


def modules() -> list[Path]:
    return [path for layer in LAYERS for path in sorted((ROOT / layer).rglob("*.py"))]


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(ROOT)))
def test_a_module_imports_only_its_own_layer_and_those_below(path: Path) -> None:
    relative = path.relative_to(ROOT)
    allowed = LAYERS[: LAYERS.index(relative.parts[0]) + 1]
    for line, package in imported_packages(path):
        assert package not in LAYERS or package in allowed, f"{relative}:{line} imports {package}"
        if package in MODEL_PACKAGES:
            assert relative.as_posix().startswith(TORCH_FOLDERS), f"{relative}:{line} imports {package}"


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(ROOT)))
def test_a_module_says_first_what_it_is_for(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert not tree.body or ast.get_docstring(tree), f"{path.relative_to(ROOT)} has no module docstring"
