"""Finds the program and call that a recorded output is about.

An output whose log has program and call is about these. Otherwise its id must be that of a case, and a recorded prompt
must then contain the case's program; or its prompt must contain program and call of exactly one case. Positions are not
used: harnesses shuffle, filter and repeat. White space between tokens does not count; in a prompt, that of the program
does not count at all.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterable
from io import StringIO
from tokenize import TokenError, generate_tokens

from corpora.calls import untraceable_reason
from corpora.literals import UNPARSABLE, parse_quietly
from corpora.program import Case
from corpora.rows import BadRow, Row


class CaseIndex:
    """The cases that outputs may be about.

    Args:
        cases: of a benchmark or data set; none if every log has its programs.
    """

    def __init__(self, cases: Iterable[Case] = ()) -> None:
        self._by_id: defaultdict[str, list[Case]] = defaultdict(list)
        self._by_program: dict[tuple[str, str], Case] = {}
        for case in cases:
            self._by_id[case.id].append(case)
            self._by_program.setdefault(_program(case.source, case.call), case)

    def case_of(self, row: Row) -> Case | BadRow:
        """The case of an output; a BadRow with the reason if there is none, or more than one."""
        fields = row.fields
        name, source, call = str(fields.get("id", row.number)), fields.get("source"), fields.get("call")
        if isinstance(source, str) and isinstance(call, str):
            return self._own(row, name, source, call)
        if not self._by_program:
            return _bad(row, "has no program and call; name the data set that has them (--benchmark)")
        prompt = str(fields.get("prompt") or "")
        spaceless = _spaceless(prompt)
        named = [case for case in self._by_id.get(name, ()) if not prompt or _spaceless(case.source) in spaceless]
        shown = (case for case in self._by_program.values() if prompt and _spaceless(case.source) in spaceless)
        found = named or [case for case in shown if _is_call_in(case.call, prompt)]
        if len(found) == 1:
            return found[0]
        if found:
            return _bad(row, f"{len(found)} cases fit it: {', '.join(case.id for case in found[:3])}")
        if name in self._by_id:
            return _bad(
                row, f"its prompt does not contain the program of case {name}: another version of the benchmark?"
            )
        return _bad(row, f"no case has the id {name!r}" + (" or the program of its prompt" if prompt else ""))

    def _own(self, row: Row, name: str, source: str, call: str) -> Case | BadRow:
        known = self._by_program.get(_program(source, call))
        if known:
            return known
        if name in self._by_id:
            return _bad(row, f"case {name} has another program or call")
        if self._by_program:
            return _bad(row, "no case has its program and call")
        if missing := _undefined(source, call):
            return _bad(row, missing)
        benchmark, kind = (str(row.fields.get(field) or "") for field in ("benchmark", "kind"))
        return Case(name, source, call, benchmark=benchmark, kind=kind)


def _bad(row: Row, reason: str) -> BadRow:
    return BadRow(row.number, row.where, reason)


def _undefined(source: str, call: str) -> str:
    """Why a call fails for an undefined name; "" if it does not, or the program does not parse."""
    try:
        return untraceable_reason(source, parse_quietly(source), call)
    except UNPARSABLE:
        return ""


def _program(source: str, call: str) -> tuple[str, str]:
    return _syntax(source), _syntax(call)


def _syntax(code: str) -> str:
    """Equal for code that differs in white space between tokens; code that does not parse stays as it is."""
    try:
        return ast.dump(parse_quietly(code.strip()))
    except UNPARSABLE:
        return code.strip()


def _is_call_in(call: str, prompt: str) -> bool:
    """Whether a call is in a prompt, with any white space between its tokens."""
    try:
        tokens = [token.string for token in generate_tokens(StringIO(call.strip()).readline) if token.string.strip()]
    except (TokenError, SyntaxError):
        tokens = [call.strip()]
    return re.search(r"\s*".join(map(re.escape, tokens)), prompt) is not None


def _spaceless(text: str) -> str:
    return "".join(text.split())
