"""What `analyze.audit` returns: findings as an iterator, as a data frame, and as a table in a notebook."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import asdict
from itertools import islice
from typing import Any

from analyze.auditing.findings import Finding
from corpora.data_frames import MAX_SHOWN, data_frame, table_html

_COLUMNS = ("where", "line", "column", "hazard", "method", "text", "pattern", "severity", "why")


class AuditFindings(Iterator[Finding]):
    """The findings of an audit, produced one after another while the data set is read.

    Displaying them in a notebook reads as far as the first `MAX_SHOWN` findings and loses none of them.

    Example:
        >>> from analyze import audit
        >>> found = audit([{"code": "a = '12345'"}], execute=False)
        >>> [(finding.hazard, finding.line, finding.column) for finding in found]
        [('DIGITS', 1, 5)]
    """

    def __init__(self, findings: Iterator[Finding]) -> None:
        self._findings = findings
        self._read: deque[Finding] = deque()

    def __iter__(self) -> Iterator[Finding]:
        return self

    def __next__(self) -> Finding:
        return self._read.popleft() if self._read else next(self._findings)

    def __repr__(self) -> str:
        return "<AuditFindings: an iterator of Finding; list() or .to_frame() reads it>"

    def to_frame(self) -> Any:
        """Returns the remaining findings as a pandas data frame, with a column for each attribute of `Finding`.

        Raises:
            InputError: If pandas is not installed.
        """
        return data_frame(map(asdict, self), list(Finding.__dataclass_fields__))

    def _repr_html_(self) -> str:
        self._read.extend(islice(self._findings, max(0, MAX_SHOWN + 1 - len(self._read))))
        rows = [[getattr(finding, name) for name in _COLUMNS] for finding in self._read]
        return table_html(_COLUMNS, rows) if rows else "<p>no findings</p>"
