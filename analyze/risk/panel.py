"""A panel: the recorded results of many models on the same programs, as failure rates by run and program.

A row of a panel file (JSON lines; `.gz` and `.zst`) has `run`, `id` and `right`, a list with one verdict for each
answer. It may have `predicted`, the answers as text. The panel difficulty of a program is its mean failure rate over
the stronger half of the runs.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corpora.dataset import BadRow, read_rows
from corpora.errors import InputError
from corpora.literals import parse_literal

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Panel:
    """Failure rates of runs of other models on the same samples.

    Attributes:
        where: The file.
        failed: By run and id: the share of its answers that are wrong.
        answers: By id: an answer that was judged right; ids without one are missing.
    """

    where: str
    failed: Mapping[str, Mapping[str, float]]
    answers: Mapping[str, str]

    def without(self, models: Collection[str]) -> Panel:
        """The panel without the runs of some models.

        A run belongs to a model if both names agree up to the first `@` or `+`.
        """
        left_out = set(map(_model, models))
        failed = {run: found for run, found in self.failed.items() if _model(run) not in left_out}
        return self if len(failed) == len(self.failed) else replace(self, failed=failed)

    @cached_property
    def difficulty(self) -> dict[str, float]:
        """By id: the mean failure rate over the stronger half of the runs.

        The weaker half fails on most programs, and says little about which are hard for a strong model.
        """
        ordered = sorted(self.failed, key=lambda run: (float(np.mean(list(self.failed[run].values()))), run))
        rates: defaultdict[str, list[float]] = defaultdict(list)
        for run in ordered[: (len(ordered) + 1) // 2]:
            for name, share in self.failed[run].items():
                rates[name].append(share)
        return {name: float(np.mean(found)) for name, found in rates.items()}

    def rates(self, run: str, ids: Sequence[str]) -> Floats:
        """Returns the failure rates of a run, float64 [ids]; nan for a program that it did not answer."""
        return np.array([self.failed[run].get(name, np.nan) for name in ids])

    def contradicts(self, name: str, result: str | None) -> bool:
        """Returns whether an answer that was judged right is another value than this result of the program.

        Then the panel is about another program with the same id. A string may lack its quotes and surrounding spaces.
        """
        if name not in self.answers:
            return False
        answer, value = self.answers[name], _literal(result or "")
        bare = isinstance(value, str) and value.strip() == answer.strip()
        return not bare and repr(_literal(answer)) != repr(value)


def read_panel(path: Path) -> Panel:
    """Reads a panel. Raises InputError if the file cannot be read or one of its rows is not of a panel."""
    failed: defaultdict[str, dict[str, float]] = defaultdict(dict)
    answers: dict[str, str] = {}
    for where, fields in _rows(path):
        run, name, right = str(fields["run"]), str(fields["id"]), fields["right"]
        if name in failed[run]:
            raise InputError(f"run {run} has a second row for {name}", where=where)
        failed[run][name] = 1 - sum(right) / len(right)
        for text, is_right in zip(fields.get("predicted") or (), right, strict=False):
            if is_right and isinstance(text, str):
                answers.setdefault(name, text)
    if not failed:
        raise InputError("has no rows", where=str(path))
    return Panel(str(path), dict(failed), answers)


def _rows(path: Path) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yields rows whose fields have the types of a panel."""
    for row in read_rows(path):
        if isinstance(row, BadRow):
            raise InputError(row.reason, where=row.where)
        missing = [name for name in ("run", "id", "right") if row.fields.get(name) is None]
        if missing:
            raise InputError(f"is not a row of a panel: it has no {missing[0]!r}", where=row.where)
        right = row.fields["right"]
        if not isinstance(right, list) or not right or not all(isinstance(one, bool) for one in right):
            raise InputError("'right' is not a list of true and false", where=row.where)
        yield row.where, row.fields


def _model(run: str) -> str:
    """Returns the name of a run without prompt and temperature: `codellama-7b+cot@0.8` is of codellama-7b."""
    return re.split("[@+]", run)[0]


def _literal(text: str) -> object:
    """Returns the value of a literal, or the text if it is none."""
    try:
        return parse_literal(text.strip())
    except ValueError:
        return text.strip()
