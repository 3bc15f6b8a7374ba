"""`import spellout`: one module with the names of all four packages, lazily; and the same command line."""

import importlib
import os
import subprocess
import sys
import tomllib
from collections import Counter
from importlib.metadata import version
from pathlib import Path

import pytest

import spellout

ROOT = Path(__file__).parent.parent
PACKAGES = ("corpora", "analyze", "rewrite", "runner")


def python(*arguments: str, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": "" if cwd == ROOT else str(ROOT)}
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, timeout=120, check=False)


@pytest.mark.parametrize("package", PACKAGES)
def test_a_package_lists_and_has_its_public_names(package: str) -> None:
    module = importlib.import_module(package)
    assert dir(module) == sorted(module.__all__)
    assert all(getattr(module, name) is not None for name in dir(module))
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        _ = module.nothing


def test_no_name_is_in_two_packages_and_spellout_has_them_all() -> None:
    every = Counter(name for package in PACKAGES for name in dir(importlib.import_module(package)))
    assert set(every.values()) == {1}
    assert dir(spellout) == sorted(every)
    for name in every:
        owner = next(package for package in PACKAGES if name in dir(importlib.import_module(package)))
        assert getattr(spellout, name) is getattr(importlib.import_module(owner), name)
    with pytest.raises(AttributeError, match="module 'spellout' has no attribute 'nothing'"):
        _ = spellout.nothing  # type: ignore[attr-defined]


def test_importing_and_listing_it_imports_nothing_heavy() -> None:
    heavy = "{'numpy', 'libcst', 'tokenizers', 'torch', 'rich', 'hypothesis'} & set(sys.modules)"
    done = python("-c", f"import sys, spellout; dir(spellout); from spellout import Case; print({heavy})")
    assert done.stdout == "set()\n", done.stderr


def test_the_module_is_the_command_line() -> None:
    done = python("-m", "spellout", "--version")
    assert (done.returncode, done.stdout) == (0, f"spellout {version('spellout')}\n")
    assert spellout.__version__ == version("spellout")


def test_what_hides_a_package_is_told_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "runner.py").touch()
    done = python("-m", "spellout", "--version", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.splitlines() == [
        f"spellout: {tmp_path / 'runner.py'} hides Spellout's package 'runner': rename it, or run elsewhere (python -P)"
    ]
    assert python("-P", "-m", "spellout", "--version", cwd=tmp_path).returncode == 0


def test_the_wheel_holds_every_package_and_says_that_it_is_typed() -> None:
    packages = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert packages["packages"] == [*PACKAGES, "spellout"]
    assert all((ROOT / package / "py.typed").is_file() for package in packages["packages"])
