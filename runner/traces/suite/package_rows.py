"""Runs a package's pytest suite, and turns the recorded calls into rows of a data set.

The suite runs as `python -m pytest` would run it: with the package's own interpreter and outside the sandbox. The
recorded calls are saved once; a resumed command reads them again. Each call is then replayed in the sandbox, as a
self-contained program, and kept only if it gives the recorded result.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from corpora import Row
from corpora.atomic_files import write_atomically
from corpora.errors import InputError
from corpora.temporary_folders import temporary_folder
from runner.traces.suite import recording
from runner.traces.suite.program_slicing import PackageSlicer, UnsliceableError
from runner.traces.suite.recording.plugin import SETTINGS

FILE = "calls.jsonl"
SKIPPED = "skipped"
RECORDED = ("recorded_value", "recorded_exception")
_PLUGIN = "spellout_recording"
_NO_TESTS = 5
_LINES_SHOWN = 3
_ERROR = re.compile(r"E\s+[\w.]*(Error|Exception|Exit)\b")


def package_rows(package: Path, folder: Path, functions: Sequence[str], most: int, python: str) -> Iterator[Row]:
    """The calls of a package as rows, in the order in which they were made.

    A row has `source`, `call`, `origin`, `family` and the recorded result; a call that cannot be rebuilt has the reason
    in `skipped`.

    Args:
        package: The folder of the package, in which its suite runs.
        folder: Where the calls are saved.
        functions: Patterns of `module.function`; empty for all public ones.
        most: Calls per function, at most.
        python: The interpreter that runs the suite.

    Raises:
        InputError: The suite fails before any call is recorded.
    """
    file = folder / FILE
    if not file.is_file():
        calls = record_calls(package, functions, most, python)
        write_atomically(file, "".join(json.dumps(call) + "\n" for call in calls))
    calls = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    slicer = PackageSlicer({call["module"]: Path(call["file"]) for call in calls} | _module_files(package))
    license_ = _license(package)
    for number, call in enumerate(calls, 1):
        where = f"{os.path.relpath(call['file'], package)}:{call['line']}"
        fields = {"id": f"{call['module']}.{call['function']}", "origin": where, "license": license_}
        yield Row(number, where, fields | _program(slicer, call))


def record_calls(package: Path, functions: Sequence[str], most: int, python: str) -> list[dict[str, Any]]:
    """Runs the suite and returns the recorded calls. Raises InputError if there are none."""
    with temporary_folder("suite") as temporary:
        plugin = temporary / _PLUGIN
        shutil.copytree(Path(recording.__file__).parent, plugin, ignore=shutil.ignore_patterns("__pycache__"))
        output = temporary / "calls"
        output.mkdir()
        settings = {"folder": str(package.resolve()), "functions": functions, "most": most, "output": str(output)}
        paths = [str(temporary), *filter(None, [os.environ.get("PYTHONPATH", "")])]
        environment = {**os.environ, SETTINGS: json.dumps(settings), "PYTHONPATH": os.pathsep.join(paths)}
        command = [python, "-m", "pytest", "-q", "-p", f"{_PLUGIN}.plugin", "-p", "no:cacheprovider"]
        try:
            done = subprocess.run(
                command, cwd=package, env=environment, capture_output=True, text=True, errors="replace", check=False
            )
        except OSError as error:
            raise InputError(f"cannot run the suite: {error.strerror}", where=python) from error
        calls = [
            json.loads(line)
            for path in sorted(output.iterdir())
            for line in path.read_text(encoding="utf-8").splitlines()
        ]
    if not calls:
        raise InputError(_failure(done), where=str(package))
    return calls


def _failure(done: subprocess.CompletedProcess[str]) -> str:
    if done.returncode == _NO_TESTS:
        return "has no tests, so no call was recorded"
    lines = [line.strip() for line in (done.stdout + done.stderr).splitlines() if line.strip()]
    errors = [line.removeprefix("E").strip() for line in lines if _ERROR.match(line)] or lines[-_LINES_SHOWN:]
    shown = "; ".join(dict.fromkeys(errors[:_LINES_SHOWN]))
    if done.returncode == 0:
        return f"the suite passes, but calls none of the chosen functions ({shown})"
    return f"the suite fails before any call is recorded (pytest exit status {done.returncode}): {shown}"


def _program(slicer: PackageSlicer, call: dict[str, Any]) -> dict[str, Any]:
    if SKIPPED in call:
        return {SKIPPED: call[SKIPPED]}
    try:
        names = [(module, name) for module, name in call["names"]]
        source = slicer.program(call["module"], call["function"], names, call["imports"])
    except (UnsliceableError, OSError, ValueError, SyntaxError) as error:
        return {SKIPPED: str(error)}
    recorded = dict(zip(RECORDED, (call["value"], call["exception"]), strict=True))
    return {"source": source, "call": call["call"], "family": f"{call['module']}.{call['function']}", **recorded}


def _module_files(package: Path) -> dict[str, Path]:
    """Dotted name to file, for the modules in the folder, or in its `src`."""
    found: dict[str, Path] = {}
    for root in (package / "src", package):
        for path in sorted(root.rglob("*.py")) if root.is_dir() else ():
            inside = path.relative_to(root)
            if not any(part.startswith(".") or part == "site-packages" for part in inside.parts):
                parts = inside.with_suffix("").parts
                found.setdefault(".".join(parts[:-1] if parts[-1] == "__init__" else parts), path)
    return found


def _license(package: Path) -> str | None:
    """The licence in pyproject.toml: an SPDX expression, or the old table."""
    try:
        project = tomllib.loads((package / "pyproject.toml").read_text(encoding="utf-8")).get("project", {})
    except (OSError, ValueError):
        return None
    found = project.get("license")
    text = found.get("text") if isinstance(found, dict) else found
    return text if isinstance(text, str) else None
