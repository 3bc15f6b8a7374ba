"""A panel: the recorded results of many models on the same programs, as failure rates by run and program.

A row of a panel file (JSON lines; `.gz` and `.zst`) has `run`, `id` and `right`, a list with one verdict for each
answer. It may have `predicted`, the answers as text. The panel difficulty of a program is its mean failure rate over
runs.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corpora.dataset import BadRow, read_rows
from corpora.errors import InputError

Floats = NDArray[np.float64]
MOST_CONTRADICTED = 0.05
"""Share of programs whose right answers may differ from the data set's result before the panel is refused."""


@dataclass(frozen=True)
class Panel:
    """Failure rates.

    Attributes:
        where: The file.
        failed: By run and id: the share of its answers that are wrong.
        answers: By id: an answer that was judged right; ids without one are missing.
        prompts: By run: its prompt format, "" if unknown.
    """

    where: str
    failed: Mapping[str, Mapping[str, float]]
    answers: Mapping[str, str]
    prompts: Mapping[str, str]

    @cached_property
    def difficulty(self) -> dict[str, float]:
        """By id: the mean failure rate over runs."""
        return self.difficulty_without("")

    def difficulty_without(self, model: str) -> dict[str, float]:
        """By id: the mean failure rate over all runs except those of `model`.

        A run belongs to a model if its name, without `@` and what follows, is the model's.
        """
        rates: defaultdict[str, list[float]] = defaultdict(list)
        for run, shares in self.failed.items():
            if model not in (run, run.partition("@")[0]):
                for name, share in shares.items():
                    rates[name].append(share)
        return {name: float(np.mean(found)) for name, found in rates.items()}

    def rates(self, run: str, ids: Sequence[str]) -> Floats:
        """Returns the failure rates of a run, float64 [ids]; nan for a program that it did not answer."""
        return np.array([self.failed[run].get(name, np.nan) for name in ids])

    def check(self, results: Mapping[str, str]) -> None:
        """Compares right answers with the results of the programs.

        Args:
            results: By id: the result of the program, as its repr.

        Raises:
            InputError: If the panel has none of these ids, or is about other programs with the same ids.
        """
        known = [name for name in results if name in self.answers]
        if results and not any(name in self.difficulty for name in results):
            raise InputError(f"has no row for {next(iter(results))!r} or any other sample", where=self.where)
        other = [name for name in known if _literal(self.answers[name]) != _literal(results[name])]
        if len(other) > MOST_CONTRADICTED * len(known):
            message = f"{len(other)} of {len(known)} right answers differ from the results of the samples (first: "
            raise InputError(f"{message}{other[0]}): another version of the benchmark?", where=self.where)


def read_panel(path: Path) -> Panel:
    """Reads a panel. Raises InputError if the file cannot be read or one of its rows is not of a panel."""
    failed: defaultdict[str, dict[str, float]] = defaultdict(dict)
    answers: dict[str, str] = {}
    prompts: dict[str, str] = {}
    for where, fields in _rows(path):
        run, name, right = str(fields["run"]), str(fields["id"]), fields["right"]
        if name in failed[run]:
            raise InputError(f"run {run} has a second row for {name}", where=where)
        failed[run][name] = 1 - sum(right) / len(right)
        prompts.setdefault(run, str(fields.get("prompt") or ""))
        predicted = fields.get("predicted") or ()
        for text, is_right in zip(predicted, right, strict=False):
            if is_right and isinstance(text, str):
                answers.setdefault(name, text)
    if not failed:
        raise InputError("has no rows", where=str(path))
    return Panel(str(path), dict(failed), answers, prompts)


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


def _literal(text: str) -> object:
    """Returns a form of the answer that does not depend on how it is written."""
    try:
        return repr(ast.literal_eval(text.strip()))
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return text.strip()
