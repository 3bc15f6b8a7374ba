"""CrossHair as a second opinion: a symbolic search for a difference between two functions, and sometimes a proof.

Needs the extra `symbolic`. CrossHair executes both programs in a process of its own, with its own guard against side
effects and without Spellout's sandbox: only for programs you would run yourself. It compares by `==` what two calls
return, so what it calls the same may still differ in type, output, globals or aliasing; `rewrite.equivalence.check`
sees those.
"""

from __future__ import annotations

import ast
import importlib.util
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from corpora.errors import InputError


@dataclass(frozen=True)
class Opinion:
    """equivalent: True (no difference found), False (see call), None (CrossHair could not work on it, see detail).

    confirmed: whether it went over all paths; call: one on which the functions differ, or "" if it named none.
    """

    equivalent: bool | None
    confirmed: bool = False
    call: str = ""
    detail: str = ""

    def __str__(self) -> str:
        if self.equivalent:
            return "no difference over all paths" if self.confirmed else "no difference found in its time"
        return f"says they differ: {self.detail}" if self.equivalent is False else f"no opinion: {self.detail}"


def second_opinion(before: str, after: str, function: str, *, seconds: float = 10.0) -> Opinion:
    """CrossHair's `diffbehavior` on one top-level function of two programs; seconds: of processor time.

    Exceptions count as the same if type and message are. Raises InputError where CrossHair is not installed.
    """
    if importlib.util.find_spec("crosshair") is None:
        raise InputError("CrossHair is not installed: pip install '.[symbolic]'")
    with tempfile.TemporaryDirectory() as folder:
        for name, source in (("before", before), ("after", after)):
            (Path(folder) / f"{name}_program.py").write_text(source, encoding="utf-8")
        command = [sys.executable, "-m", "crosshair", "diffbehavior"]
        command += [f"before_program.{function}", f"after_program.{function}"]
        command += ["--exception_equivalence", "TYPE_AND_MESSAGE", "--per_condition_timeout", str(seconds)]
        try:
            # On a busy machine processor time comes slowly: the wall clock is only a last resort.
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60 * seconds + 600)
        except subprocess.TimeoutExpired:
            return Opinion(None, detail="it did not end in time")
    return _opinion(done.returncode, done.stdout, done.stderr, function)


def _opinion(code: int, output: str, errors: str, function: str) -> Opinion:
    """Read CrossHair's report: exit status 0 for no difference, 1 for one, 2 for what it could not do."""
    lines = [line for line in output.splitlines() if line.strip()]
    if code == 0:
        return Opinion(True, "All paths exhausted" in output, detail=lines[-1] if lines else "")
    if code == 1 and "Given:" in output:
        return Opinion(False, call=_call(output, function), detail=" ".join(line.strip() for line in lines[:3]))
    problem = [line for line in (output + errors).splitlines() if line.strip()]
    return Opinion(None, detail=problem[-1] if problem else f"exit status {code}")


def _call(output: str, function: str) -> str:
    """`Given: (s='', t=''),` as a call; "" where the values are no literals.

    >>> _call("Given: (s='', t=[1]),\\n", "f")
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
