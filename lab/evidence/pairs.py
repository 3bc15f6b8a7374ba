"""Pairs of programs that are published as equivalent: rows with `before`, `after` and `call`, or one row per form.

Rows of forms (CodeCrash's, as StateLens published them) have `id`, `form`, `code` and `call`; `van` is the original. A
form may rename the function and its parameters. Then a function with the original's name and parameters is added, so
that both programs take the same calls.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from corpora.errors import InputError
from corpora.outputs.state_lens import PRELUDE
from corpora.rows import BadRow, Row

FORMS, FAILURES = "livecodebench_forms_dev.jsonl.gz", "cwm_failures_even.jsonl"
"""The published files (docs/published_data.md)."""
ORIGINAL = "van"
SAME_PROGRAM = {"mcc", "mps", "mhc"}
"""Forms that only add misleading comments, prints or hints: they do not claim to be equivalent programs."""


@dataclass(frozen=True)
class PublishedPair:
    """Two programs that should behave the same.

    Attributes:
        name: Of the pair.
        kind: What was done to the original.
        problem: The unit of resampling; many pairs may share one.
        before: The original.
        after: The rewritten program.
        calls: Calls of both.
    """

    name: str
    kind: str
    problem: str
    before: str
    after: str
    calls: tuple[str, ...]


def read_pairs(rows: Iterable[Row | BadRow]) -> tuple[list[PublishedPair], list[BadRow]]:
    """The pairs of a file, and the rows that are none. Raises InputError if there is no pair."""
    pairs: list[PublishedPair] = []
    bad: list[BadRow] = []
    forms: dict[str, dict[str, Row]] = {}
    for row in rows:
        if isinstance(row, BadRow):
            bad.append(row)
        elif isinstance(row.fields.get("form"), str):
            forms.setdefault(str(row.fields.get("id", row.number)), {}).setdefault(str(row.fields["form"]), row)
        else:
            pair = _pair(row)
            (bad if isinstance(pair, BadRow) else pairs).append(pair)  # type: ignore[arg-type]
    for name, found in forms.items():
        for pair in _pairs_of_forms(name, found):
            (bad if isinstance(pair, BadRow) else pairs).append(pair)  # type: ignore[arg-type]
    if not pairs:
        reason = bad[0].reason if bad else "is empty"
        raise InputError(f"has no pair of programs ({reason})", where=bad[0].where if bad else "the file")
    return pairs, bad


def _pair(row: Row) -> PublishedPair | BadRow:
    before, after, calls = row.fields.get("before"), row.fields.get("after"), row.fields.get("call")
    calls = row.fields.get("calls", [calls])
    if not (isinstance(before, str) and isinstance(after, str) and isinstance(calls, list)):
        return BadRow(row.number, row.where, "needs the fields before, after and call (or calls)")
    if not all(isinstance(call, str) for call in calls):
        return BadRow(row.number, row.where, "has a call that is not a string")
    name = str(row.fields.get("id", row.number))
    problem = str(row.fields.get("problem", name))
    return PublishedPair(name, str(row.fields.get("kind", "all")), problem, before, after, tuple(calls))


def _pairs_of_forms(name: str, forms: Mapping[str, Row]) -> Iterator[PublishedPair | BadRow]:
    original = forms.get(ORIGINAL)
    for form, row in forms.items():
        if form == ORIGINAL or form in SAME_PROGRAM:
            continue
        texts = [one.fields.get(key) for one in (original, row) if one for key in ("code", "call")]
        if len(texts) != 4 or not all(isinstance(text, str) for text in texts):
            yield BadRow(row.number, row.where, f"form {form}: it or its original ({ORIGINAL}) has no program and call")
            continue
        before, call, after, other = map(str, texts)
        try:
            adapted = after if call == other else after + "\n\n" + _adapter(before, call, other)
        except (SyntaxError, ValueError) as error:
            yield BadRow(
                row.number, row.where, f"form {form}: its call cannot be matched with the original's ({error})"
            )
            continue
        problem = str(row.fields.get("problem", name))
        yield PublishedPair(name, form, problem, PRELUDE + before, PRELUDE + adapted, (call,))


def _adapter(before: str, call: str, other: str) -> str:
    """A function with the original's name and parameters that calls the renamed one with them in the same order."""
    old, new = (ast.parse(text, mode="eval").body for text in (call, other))
    if not (isinstance(old, ast.Call) and isinstance(old.func, ast.Name) and isinstance(new, ast.Call)):
        raise ValueError("it is no call of a function")
    definition = next(
        (node for node in ast.parse(before).body if isinstance(node, ast.FunctionDef) and node.name == old.func.id),
        None,
    )
    if definition is None:
        raise ValueError(f"no function {old.func.id}")
    names = ", ".join(argument.arg for argument in definition.args.args)
    return f"def {definition.name}({ast.unparse(definition.args)}):\n    return {ast.unparse(new.func)}({names})\n"
