"""Symbolic search for a difference between two functions with CrossHair, which sometimes proves that there is none.

It needs the extra `symbolic`. CrossHair runs both programs in its own process with its own guard against side effects,
but without Spellout's sandbox. Use it only for programs that you trust. CrossHair compares return values by `==`, so
that it overlooks differences in type, output, globals or aliasing, which `rewrite.equivalence.check` detects.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from dataclasses import dataclass

from corpora.reading.optional_packages import require_package
from corpora.temporary_folders import temporary_folder


@dataclass(frozen=True)
class CrossHairResult:
    """The result of a CrossHair run.

    Attributes:
        equivalent: True (no difference found), False (see `call`), None (CrossHair failed, see `detail`).
        confirmed: Whether all paths were explored.
        call: A call on which the functions differ, or "" if CrossHair reported none in literals.
        detail: A line of CrossHair's report.
    """

    equivalent: bool | None
    confirmed: bool = False
    call: str = ""
    detail: str = ""

    def __str__(self) -> str:
        if self.equivalent:
            return "no difference on all paths" if self.confirmed else "no difference found within the time limit"
        return f"reports a difference: {self.detail}" if self.equivalent is False else f"no result: {self.detail}"


def run_crosshair(before: str, after: str, function: str, *, seconds: float = 10.0) -> CrossHairResult:
    """Run CrossHair's `diffbehavior` on one top-level function of two programs.

    Exceptions are equal if type and message are.

    Args:
        before: The original program.
        after: The rewritten program.
        function: The name of the function.
        seconds: Processor time for the search.

    Raises:
        InputError: If CrossHair is not installed.
    """
    require_package("crosshair", "symbolic")
    with temporary_folder("crosshair") as folder:
        for name, source in (("before", before), ("after", after)):
            (folder / f"{name}_program.py").write_text(source, encoding="utf-8")
        command = [sys.executable, "-m", "crosshair", "diffbehavior"]
        command += [f"before_program.{function}", f"after_program.{function}"]
        command += ["--exception_equivalence", "TYPE_AND_MESSAGE", "--per_condition_timeout", str(seconds)]
        try:
            # The limit is processor time, which passes slowly on a busy machine: the wall-clock limit is a last resort.
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60 * seconds + 600)
        except subprocess.TimeoutExpired:
            return CrossHairResult(None, detail="it exceeded the time limit")
    return _parse_report(done.returncode, done.stdout, done.stderr, function)


def _parse_report(code: int, output: str, errors: str, function: str) -> CrossHairResult:
    """Parse CrossHair's report: exit status 0 means no difference, 1 a difference, 2 a failure."""
    lines = [line for line in output.splitlines() if line.strip()]
    if code == 0:
        return CrossHairResult(True, "All paths exhausted" in output, detail=lines[-1] if lines else "")
    if code == 1 and "Given:" in output:
        detail = " ".join(line.strip() for line in lines[:3])
        return CrossHairResult(False, call=_parse_call(output, function), detail=detail)
    problem = [line for line in (output + errors).splitlines() if line.strip()]
    return CrossHairResult(None, detail=problem[-1] if problem else f"exit status {code}")


def _parse_call(output: str, function: str) -> str:
    """Turn `Given: (s='', t=''),` into a call; "" if the values are not literals.

    >>> _parse_call("Given: (s='', t=[1]),\\n", "f")
    "f(s='', t=[1])"
    """
    found = re.search(r"Given: \((.*)\),?\s*$", output, re.MULTILINE)
    if not found:
        return ""
    call = f"{function}({found[1]})"
    try:
        tree = ast.parse(call, mode="eval").body
        literal = isinstance(tree, ast.Call) and [ast.literal_eval(keyword.value) for keyword in tree.keywords]
    except (SyntaxError, ValueError):
        return ""
    return call if literal or literal == [] else ""
