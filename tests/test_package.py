"""The wheel and the sdist: built, checked, complete, and the wheel used outside the repository in an empty environment.

They need the package index, and are skipped where it cannot be reached.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from runner.pocket import ADAPTER
from tests.places import ROOT
from tests.test_layers import PACKAGES

pytestmark = pytest.mark.slow
PROGRAM = "def f(xs):\n    return sorted(xs)[0]\n"
COMMANDS = {
    "--version": "spellout ",
    "corpora list": "humaneval",
    "corpora show zoo": "def ",
    "corpora make zoo --num-programs 2 --output zoo.jsonl": "",
    "trace program.py --call f([2,1])": "<|return_sep|>",
    "rewrite program.py": "_t0 = sorted(xs)",
    "rewrite program.py --recipe methods": "def f",
    "plan program.py --call f([2,1])": "def f",
    "assess program.py --call f([2,1])": "risk",
    "assess zoo.jsonl --output assessed": "",
    "audit program.py --format html": "<!doctype html>",
    "audit zoo.jsonl --format sarif": '"version": "2.1.0"',
    "verify program.py program.py --call f([2,1])": "equivalent",
    "diagnose outputs.jsonl": "incorrect; no trace",
    "debug outputs.jsonl --id a": "frame 0 of 6",
    "run outputs.jsonl --model replay:outputs.jsonl --output run": "outputs",
    "report run": "outputs",
    "view run --output page.html": "",
    "experiment list": "table1",
}
"""What each command prints, in this order: later ones use the files of earlier ones."""


def ran(*command: str | Path, folder: Path, **options: str) -> subprocess.CompletedProcess[str]:
    """A finished command, without the repository in its path."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"} | options
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, stdin=subprocess.DEVNULL
    )


def environment_with(folder: Path, *requirements: str | Path) -> Path:
    """The folder of commands of a new virtual environment with these packages."""
    assert ran(sys.executable, "-m", "venv", folder, folder=folder.parent).returncode == 0
    pip = (folder / "bin" / "python", "-m", "pip")
    if ran(*pip, "download", "--quiet", "--no-deps", "--dest", folder, "hatchling", folder=folder).returncode:
        pytest.skip("the package index cannot be reached")
    done = ran(*pip, "install", "--quiet", "-c", ROOT / "constraints.txt", *requirements, folder=folder)
    assert done.returncode == 0, done.stderr
    return folder / "bin"


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The commands of an environment with `build` and `twine`."""
    return environment_with(tmp_path_factory.mktemp("tools") / "environment", "build", "twine", "hatchling")


@pytest.fixture(scope="module")
def built(tools: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel and the sdist."""
    folder = tmp_path_factory.mktemp("dist")
    done = ran(tools / "python", "-m", "build", "--no-isolation", "--outdir", folder, folder=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def tracked(*places: str) -> set[str]:
    done = ran("git", "ls-files", *places, folder=ROOT)
    if done.returncode:
        pytest.skip("not a git checkout, so the files of the project are not known")
    return set(done.stdout.splitlines())


def test_the_description_can_be_rendered(tools: Path, built: Path) -> None:
    done = ran(tools / "twine", "check", "--strict", *built.iterdir(), folder=built)
    assert done.returncode == 0 and done.stdout.count("PASSED") == 2, done.stdout


def test_the_wheel_has_all_files_of_the_packages_and_no_others(built: Path) -> None:
    [wheel] = built.glob("*.whl")
    names = {name for name in zipfile.ZipFile(wheel).namelist() if not name.partition("/")[0].endswith(".dist-info")}
    assert names == tracked(*PACKAGES) - tracked("lab")
    assert f"{ADAPTER.relative_to(ROOT)}/adapter.safetensors" in names


def test_the_sdist_has_the_files_of_the_repository(built: Path) -> None:
    [sdist] = built.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert tracked() <= names


@pytest.fixture(scope="module")
def installed(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The commands of an environment with the wheel alone."""
    [wheel] = built.glob("*.whl")
    return environment_with(tmp_path_factory.mktemp("wheel") / "environment", wheel)


def test_a_command_that_needs_an_extra_says_which(installed: Path, tmp_path: Path) -> None:
    done = ran(installed / "spellout", "run", "humaneval", "--limit", "1", "--model", "pocket", folder=tmp_path)
    assert (done.returncode, done.stderr) == (
        2,
        "spellout: --model pocket: needs torch: pip install 'spellout[model]'\n",
    )


def test_commands_of_the_installed_wheel_run_outside_the_repository(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM)
    (tmp_path / "outputs.jsonl").write_text(
        '{"id": "a", "code": "def f(x): return x", "call": "f(1)", "output": "2"}\n'
    )
    assert "risk" in ran(installed / "python", "-m", "spellout", "--help", folder=tmp_path).stdout
    for command, printed in COMMANDS.items():
        done = ran(installed / "spellout", *command.split(), folder=tmp_path)
        said = f"{command}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
        assert done.returncode == 0 and printed in done.stdout, said
