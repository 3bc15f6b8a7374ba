"""Rewrites of a failure: one that exposes the operation is found, and one beyond the limits is not counted."""

from __future__ import annotations

import pytest

from analyze import trace_call
from lab.exposure.bound import ExposedRewrite, bound_table, exposed_rewrites
from lab.exposure.operation_level import diagnose_operation

SOURCE = "def f(s):\n    t = s.upper()\n    return t\n"
CALL = "f('ab')"


@pytest.mark.medium
def test_a_form_that_exposes_the_operation_is_found() -> None:
    output = trace_call(SOURCE, CALL).text.replace("'AB'", "'AC'")
    failing = diagnose_operation(SOURCE, CALL, output)
    assert failing is not None
    found = exposed_rewrites(SOURCE, CALL, failing)
    assert max(one.level for one in found) == 2
    assert all(one.tokens > 1 for one in found if one.level == 2)


def test_a_rewrite_counts_within_its_limits() -> None:
    found = [ExposedRewrite(2, -0.1, 1.0), ExposedRewrite(2, 0.1, 3.0), ExposedRewrite(1, 0.0, 2.4)]
    assert list(bound_table([found, []]))[2:] == ["| level 2 | 1 | 1 | 1 | 0 |", "| level 1 or 2 | 1 | 1 | 1 | 1 |"]
