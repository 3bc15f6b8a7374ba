"""Sites of string operations: an argument that is the method's default counts as none."""

from __future__ import annotations

import libcst as cst
import pytest

from rewrite.string_methods.operation_sites import match_site, operation_text
from rewrite.string_methods.reference import ReferenceImplementation, references


def matching(call: str, method: str) -> list[ReferenceImplementation]:
    """The reference implementations of a method that match a call."""
    node = cst.parse_expression(call)
    return [one for one in references()[method] if match_site(node, one)]


@pytest.mark.parametrize(
    ("call", "shorter"),
    [
        ("s.find(p, 0)", "s.find(p)"),
        ("s.find(p, 0, None)", "s.find(p)"),
        ("s.rindex(p, 2, None)", "s.rindex(p, 2)"),
        ("s.split(p, -1)", "s.split(p)"),
        ("s.split(None, -1)", "s.split()"),
        ("s.strip(None)", "s.strip()"),
        ("s.replace(p, q, -1)", "s.replace(p, q)"),
        ("s.center(n, ' ')", "s.center(n)"),
        ("s.expandtabs(8)", "s.expandtabs()"),
        ("s.splitlines(False)", "s.splitlines()"),
    ],
)
def test_a_last_argument_that_is_the_default_is_none(call: str, shorter: str) -> None:
    method = call.partition(".")[2].partition("(")[0]
    assert matching(call, method) == matching(shorter, method) != []


@pytest.mark.parametrize(
    ("call", "other"),
    [
        ("s.find(p, 1)", "s.find(p)"),
        ("s.find(p, 0, n)", "s.find(p)"),
        ("s.split(p, 0)", "s.split(p)"),
        ("s.replace(p, q, 1)", "s.replace(p, q)"),
        ("s.strip('')", "s.strip()"),
    ],
)
def test_another_argument_counts(call: str, other: str) -> None:
    method = call.partition(".")[2].partition("(")[0]
    assert matching(call, method) != matching(other, method)


def test_a_site_has_the_operands_that_are_left_and_is_written_with_all_arguments() -> None:
    node = cst.parse_expression("s.find(p, 0)")
    site = next(site for one in references()["find"] if (site := match_site(node, one)))
    assert len(site.parts) == 2
    again = cst.Module([]).code_for_node(site.again([cst.Name("t"), cst.Name("q")]))
    assert again == "t.find(q, 0)"


@pytest.mark.parametrize(
    ("expression", "shown"),
    [
        ("a.b.strip().split(',')", ".split(',')"),
        ("(a\n  .split(\n  ',',\n  1))", ".split( ',', 1)"),
        ("(str.upper)", ".upper"),
        ("(a in b)", "a in b"),
        ("a[::-1]", "a[::-1]"),
        ("bin(a)[2:]", "bin(a)[2:]"),
        ("a.strip('" + 40 * "x" + "')", ".strip('" + 32 * "x" + "…"),
    ],
)
def test_an_operation_in_a_reason_is_one_short_line(expression: str, shown: str) -> None:
    assert operation_text(cst.parse_expression(expression)) == shown
