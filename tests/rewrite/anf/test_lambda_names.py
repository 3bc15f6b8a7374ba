"""Which lambdas a call only calls, so that their name cannot be seen."""

import libcst as cst
import pytest

from rewrite.analysis.symbol_table import collect_scopes
from rewrite.anf.lambda_names import called_lambda


def found_in(call: str) -> cst.Lambda | None:
    module = cst.parse_module(f"a = [1]\n{call}\n")
    line = cst.ensure_type(module.body[-1], cst.SimpleStatementLine)
    node = cst.ensure_type(cst.ensure_type(line.body[0], cst.Expr).value, cst.Call)
    return called_lambda(node, collect_scopes(module).of(module))


@pytest.mark.parametrize(
    "call",
    [
        "iter(lambda: a, 1)",
        "classmethod(lambda x: x)",
        "print(lambda x: x)",
        "map(lambda x: x, a, a)",
        "sorted(a, key=lambda x, y: x)",
        "a.append(lambda x: x)",
        "b.sort(key=lambda x: x)",
    ],
)
def test_a_lambda_that_is_kept_or_called_in_another_way_is_not_found(call: str) -> None:
    assert found_in(call) is None


@pytest.mark.parametrize(
    "call",
    [
        "map(lambda x, y: x, a, a)",
        "filter(lambda x: x, a)",
        "sorted(a, key=lambda x: x)",
        "min(a, key=lambda x: x)",
        "[2, 1].sort(key=lambda x: x)",
        "(lambda x: x)(1)",
    ],
)
def test_a_lambda_that_is_only_called_is_found(call: str) -> None:
    assert found_in(call) is not None
