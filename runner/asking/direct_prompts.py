"""The prompt format `direct`: a chat that asks for the result without a trace, and the parser of its answers.

For S_n the wording is that of "Debugging Code World Models" (Rahmani 2026, Appendix C.1), verbatim for five variables;
for other n only the names of the variables change, not the worked example. The paper has no prompt for other programs,
so theirs is our own (`OWN_WORDING`). `runner.runs.grading` grades the answers.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

from analyze.diagnosis.direct_values import answer_line
from analyze.diagnosis.stated_value import stated_value
from corpora import Case
from corpora.outputs.marks import without_thought

MAX_TOKENS = 16_384
"""Limit of new tokens, reasoning included, as for the paper's chat baseline."""
PAPER_WORDING = "the paper's, Appendix C.1"
OWN_WORDING = "ours: the paper has none for such programs"
Message = tuple[str, str]
"""A role ("system", "user") and a text."""

_PAPERS_N = 5
_ASSIGNED = re.compile(r"(\w+)[*`]*\s*=\s*[*`]*(-?\d+)")


def wording_of(case: Case) -> str:
    """The source of the prompt: the paper or Spellout."""
    return PAPER_WORDING if case.grading == "state" else OWN_WORDING


def messages(case: Case) -> tuple[Message, ...]:
    """System and user message."""
    if case.grading != "state":
        filled = {"code": case.source.rstrip("\n"), "call": case.call}
        return ("system", _template("program_system")), ("user", _filled("program_user", filled))
    names = _variables(case)
    count = str(len(names))
    parts = {
        "code": re.sub(r"    print\(.*\)\n\Z", "", case.source),  # the paper's chat prompt omits it
        "count": count,
        "word": "five" if len(names) == _PAPERS_N else count,
        "names": ", ".join(names),
        "format": ",".join(f"{name}=X" for name in names),
    }
    return ("system", _filled("sn_system", parts)), ("user", _filled("sn_user", parts))


def messages_text(chat: tuple[Message, ...]) -> str:
    """The messages as one string, for records and reports."""
    return "\n\n".join(f"### {role.capitalize()} prompt\n{text}" for role, text in chat)


def read_answer(text: str, case: Case) -> str | None:
    """The answer in an output, as a repr; None if there is none.

    The last answer counts, because models reason first. For S_n it is the last line that assigns all variables. For
    other programs it is what follows the last "Answer:", or the whole output if it has only one line.
    """
    if case.grading == "state":
        names = _variables(case)
        for line in reversed(text.splitlines()):
            found = dict(_ASSIGNED.findall(line))
            if set(names) <= set(found):
                return "{" + ", ".join(f"{name!r}: {found[name]}" for name in names) + "}"
        return None
    answer = without_thought(text)
    lines = answer.strip().splitlines()
    return answer_line(answer, case.call) or (stated_value(lines[0], case.call) or None if len(lines) == 1 else None)


def _variables(case: Case) -> list[str]:
    """The variables of an S_n program, in order of their first assignment."""
    return re.findall(r"^    (\w+) = ", case.source, re.MULTILINE)


def _filled(name: str, parts: dict[str, str]) -> str:
    return re.sub(r"\{(\w+)\}", lambda slot: parts[slot[1]], _template(name))


@cache
def _template(name: str) -> str:
    return files(__package__).joinpath(f"prompt_texts/direct_{name}.txt").read_text(encoding="utf-8").rstrip("\n")
