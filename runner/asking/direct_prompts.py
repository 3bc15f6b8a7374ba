"""Direct answers by chat: no trace is written, only the result is asked for.

S_n has the wording of "Debugging Code World Models" (Rahmani 2026, Appendix C.1), word for word for five variables; for
other n the variables' names are exchanged, and the worked example stays. The prompt for all other programs is ours, in
the same spirit (`OURS`). What it does not do: ask, or judge (`runner.runs.verdict`).
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

from corpora import Case

MAX_TOKENS = 16_384
"""New tokens, reasoning included: the paper's limit for its chat baseline."""
PAPERS = "the paper's, Appendix C.1"
OURS = "ours: the paper has none for such programs"
Message = tuple[str, str]
"""A role ("system", "user") and a text."""

_PAPERS_N = 5
_ASSIGNED = re.compile(r"(\w+)[*`]*\s*=\s*[*`]*(-?\d+)")
_ANSWER = re.compile(r"answer[*`]*\s*:[*`]*\s*(.+)", re.IGNORECASE)


def wording_of(case: Case) -> str:
    """Whose prompt it is."""
    return PAPERS if case.grading == "state" else OURS


def messages(case: Case) -> tuple[Message, ...]:
    """System and user message."""
    if case.grading != "state":
        filled = {"code": case.source.rstrip("\n"), "call": case.call}
        return ("system", _template("program_system")), ("user", _filled("program_user", filled))
    names = _variables(case)
    count = str(len(names))
    parts = {
        "code": re.sub(r"    print\(.*\)\n\Z", "", case.source),  # the paper's chat prompt ends before it
        "count": count,
        "word": "five" if len(names) == _PAPERS_N else count,
        "names": ", ".join(names),
        "format": ",".join(f"{name}=X" for name in names),
    }
    return ("system", _filled("sn_system", parts)), ("user", _filled("sn_user", parts))


def messages_text(chat: tuple[Message, ...]) -> str:
    """The prompt as people read it."""
    return "\n\n".join(f"### {role.capitalize()} prompt\n{text}" for role, text in chat)


def read_answer(text: str, case: Case) -> str | None:
    """The answer as a repr; None where there is none. What stands last counts: models think aloud.

    S_n: the last value given to each variable, all of one line. Else what stands behind the last "Answer:", or a text
    of one line.
    """
    if case.grading == "state":
        names = _variables(case)
        for line in reversed(text.splitlines()):
            found = dict(_ASSIGNED.findall(line))
            if set(names) <= set(found):
                return "{" + ", ".join(f"{name!r}: {found[name]}" for name in names) + "}"
        return None
    answers = _ANSWER.findall(text)
    lines = [line.strip() for line in text.strip().splitlines()]
    last = answers[-1] if answers else lines[0] if len(lines) == 1 else None
    return None if last is None else last.strip().strip("`").strip() or None


def _variables(case: Case) -> list[str]:
    """The variables of an S_n program, in order of their first assignment."""
    return re.findall(r"^    (\w+) = ", case.source, re.MULTILINE)


def _filled(name: str, parts: dict[str, str]) -> str:
    return re.sub(r"\{(\w+)\}", lambda slot: parts[slot[1]], _template(name))


@cache
def _template(name: str) -> str:
    return files(__package__).joinpath(f"prompt_texts/direct_{name}.txt").read_text(encoding="utf-8").rstrip("\n")
