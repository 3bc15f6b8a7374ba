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
from spellout.packages import first_hidden

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


USER_SCRIPT = """
import importlib, pickle, sys

def work(name, order):
    mine = importlib.import_module(name) if order == "before" else None
    import spellout
    source = "def f(x):\\n    return (x + 1) * 2\\n"
    rewritten = spellout.rewrite_source(source)
    assert rewritten.changed
    assert spellout.evaluate("replay:outputs.jsonl", [{"code": source, "input": "1"}], recipes=())
    assert pickle.loads(pickle.dumps(rewritten)) == rewritten
    mine = mine or importlib.import_module(name)
    assert sys.modules[name] is mine and mine.MINE
    assert not [own for own in sys.modules if own.startswith(name + ".")]

if __name__ == "__main__":
    work(*sys.argv[1:])
"""


@pytest.mark.parametrize(
    ("module", "order"),
    [
        ("runner.py", "before"),
        ("analyze/__init__.py", "after"),
        pytest.param("runner.py", "after", marks=pytest.mark.slow),
        pytest.param("analyze/__init__.py", "before", marks=pytest.mark.slow),
        pytest.param("corpora.py", "before", marks=pytest.mark.slow),
        pytest.param("corpora.py", "after", marks=pytest.mark.slow),
    ],
)
def test_a_module_of_the_users_that_has_the_name_of_a_package_is_left_alone(
    tmp_path: Path, module: str, order: str
) -> None:
    (tmp_path / module).parent.mkdir(exist_ok=True)
    (tmp_path / module).write_text("MINE = True\n")
    (tmp_path / "script.py").write_text(USER_SCRIPT)
    (tmp_path / "outputs.jsonl").write_text('{"id": "1", "output": "x"}\n')
    done = python("script.py", module.removesuffix("/__init__.py").removesuffix(".py"), order, cwd=tmp_path)
    assert done.returncode == 0, done.stderr


@pytest.mark.medium
def test_a_script_can_have_the_name_of_a_package(tmp_path: Path) -> None:
    (tmp_path / "runner.py").write_text("import spellout\nprint(spellout.evaluate.__name__)\n")
    done = python("runner.py", cwd=tmp_path)
    assert done.stdout == "evaluate\n", done.stderr


@pytest.mark.slow
def test_the_command_works_beside_such_a_module(tmp_path: Path) -> None:
    (tmp_path / "runner.py").write_text("raise SystemExit('imported')\n")
    (tmp_path / "rows.jsonl").write_text(
        "".join(f'{{"code": "def f(x):\\n    return x", "input": "{number}"}}\n' for number in range(11))
    )
    done = python("-m", "spellout", "assess", "rows.jsonl", "--jobs", "2", "--json", cwd=tmp_path)
    assert (done.returncode, len(done.stdout.splitlines())) == (0, 11), done.stderr
    done = python("-m", "spellout", "rewrite", "rows.jsonl", "--output", "new.jsonl", cwd=tmp_path)
    assert (done.returncode, len((tmp_path / "new.jsonl").read_text().splitlines())) == (0, 11), done.stderr


def test_without_such_a_module_every_package_keeps_its_name() -> None:
    assert first_hidden() is None
    assert spellout.Case.__module__ == "corpora.program"


def test_a_private_name_that_is_no_module_is_not_found() -> None:
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("spellout._runner.nothing")
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("spellout._nothing")


def test_the_wheel_holds_every_package_and_says_that_it_is_typed() -> None:
    packages = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert packages["packages"] == [*PACKAGES, "spellout"]
    assert all((ROOT / package / "py.typed").is_file() for package in packages["packages"])
