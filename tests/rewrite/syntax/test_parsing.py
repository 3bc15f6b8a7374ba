"""Which parser refuses a source, and where."""

import sys

import libcst as cst
import pytest

from corpora.errors import InputError
from rewrite.syntax.parsing import parse

NEWER = "type X = int\n" if sys.version_info < (3, 12) else "template = t'{name}'\n"


@pytest.mark.parametrize(
    ("source", "where", "reason"),
    [
        ("x = 1\ndef f(:\n", "p.py:2:7", "does not parse: invalid syntax"),
        ("x = 1\0\n", "p.py", "does not parse: source code string cannot contain null bytes"),
        ("x = '\ud800'\n", "p.py", "does not parse: "),
        (f"x = {'(' * 3000}1{')' * 3000}\n", "p.py:1:205", "does not parse: too many nested parentheses"),
        (f"x = {'-' * 3000}1\n", "p.py:1:1", "nested too deeply"),
    ],
)
def test_a_source_that_cpython_refuses(source: str, where: str, reason: str) -> None:
    with pytest.raises(InputError) as raised:
        parse(source, "p.py")
    assert (raised.value.where.startswith(where), raised.value.message.startswith(reason)) == (True, True), raised.value


def test_a_source_that_only_a_newer_python_accepts() -> None:
    with pytest.raises(InputError, match=r"p.py:1:\d+: does not parse: invalid syntax"):
        parse(NEWER, "p.py")


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="LibCST knows no newer syntax than Python 3.12's")
def test_the_version_is_named_if_libcst_accepts_the_source() -> None:
    with pytest.raises(InputError, match=r"\(Python 3.11; a newer version may accept it\)$"):
        parse(NEWER, "p.py")


@pytest.mark.parametrize("error", [cst.CSTValidationError("no blank\nat"), TypeError("no blank"), KeyError("no blank")])
def test_a_source_that_only_libcst_refuses(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = cst.parse_module

    def refuses(source: str) -> cst.Module:
        if "spam" in source:
            raise error
        return whole(source)

    monkeypatch.setattr(cst, "parse_module", refuses)
    source = "class A:\n    def f(self):\n        with a:\n            x = 1\n            y = spam\n        return x\n"
    with pytest.raises(InputError) as raised:
        parse(source, "p.py")
    assert raised.value.where == "p.py:5:13"
    assert "valid Python that LibCST, which the rewriter uses, does not parse: " in raised.value.message
    assert "no blank" in raised.value.message
    assert "\n" not in raised.value.message
