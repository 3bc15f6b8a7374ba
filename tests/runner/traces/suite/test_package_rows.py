"""A package with its suite: its calls are recorded, replayed and traced; what cannot be is counted with the reason."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from corpora.errors import InputError
from runner.traces.building import build_traces
from runner.traces.suite.package_rows import package_rows
from runner.traces.trace_request import TraceRequest
from tests.runner.traces.test_building import data, dropped

MODELS = """\
import dataclasses


@dataclasses.dataclass
class Item:
    name: str
    price: int


class Opaque:
    x = 1
"""
MONEY = """\
from .models import Item

CALLS = []
RATE = 7


def total(items, *, factor=1):
    result = 0
    for item in items:
        result += item.price * (100 + RATE)
    return round(result) * factor


def count(x):
    CALLS.append(x)
    return len(CALLS)


def look(opaque):
    return opaque.x


def numbers(n):
    yield n


def grow(xs):
    xs.append(1)
    return xs


def fails(x):
    raise ValueError(x)


def _private(x):
    return x
"""
TESTS = """\
import pytest
from shop.models import Item, Opaque
from shop.money import _private, count, fails, grow, look, numbers, total


def test_money():
    assert total([Item("a", 100)], factor=2) == 21400
    assert total([Item("a", 100)], factor=2) == 21400
    assert (count(3), count(4)) == (1, 2)
    assert look(Opaque()) == 1
    assert list(numbers(3)) == [3]
    assert grow([0]) == [0, 1]
    assert _private(1) == 1
    with pytest.raises(ValueError):
        fails("no")


def test_that_fails():
    assert total([]) == 1
"""


@pytest.fixture(autouse=True)
def no_installed_plugins(monkeypatch: pytest.MonkeyPatch) -> None:
    """The suite does without the pytest plugins installed here, whose import takes three quarters of its time."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")


@pytest.fixture
def package(tmp_path: Path) -> Path:
    folder = tmp_path / "package"
    (folder / "src" / "shop").mkdir(parents=True)
    (folder / "tests").mkdir()
    files = {"src/shop/__init__.py": "", "src/shop/models.py": MODELS, "src/shop/money.py": MONEY}
    settings = (
        '[project]\nname = "shop"\nversion = "1"\nlicense = "MIT"\n[tool.pytest.ini_options]\npythonpath = ["src"]\n'
    )
    for name, text in {**files, "tests/test_money.py": TESTS, "pyproject.toml": settings}.items():
        (folder / name).write_text(text)
    return folder


def rows(package: Path, folder: Path, *functions: str, most: int = 100) -> list[Any]:
    folder.mkdir(exist_ok=True)
    return list(package_rows(package, folder, functions, most, sys.executable))


@pytest.mark.medium
def test_calls_become_rows_and_the_rest_is_counted_with_its_reason(package: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    request = TraceRequest(str(package), format="annotated", validation=0)
    counts = build_traces(out, request, package_rows(package, out, (), 100, sys.executable))
    kept = {row["call"]: row for row in data(out)}
    assert {call: (row["result"], row["exception"]) for call, row in kept.items()} == {
        "total([Item(name='a', price=100)], factor=2)": ("21400", None),
        "total([])": ("0", None),
        "count(3)": ("1", None),
        "grow([0])": ("[0, 1]", None),
        "fails('no')": (None, "ValueError"),
    }
    row = kept["grow([0])"]
    assert row["provenance"]["origin"] == "src/shop/money.py:27" and row["provenance"]["license"] == "MIT"
    assert (row["id"], row["family"]) == ("shop.money.grow", 6) and "Item" not in row["source"]
    assert {one["id"]: one["detail"] for one in dropped(out)} == {
        "shop.money.count": "recorded: 2; replayed: 1",
        "shop.money.look": "an argument has type shop.models.Opaque",
        "shop.money.numbers": "it is a generator or coroutine function",
    }
    assert counts.read == 8


@pytest.mark.medium
def test_a_result_whose_repr_has_an_address_is_replayed(package: Path, tmp_path: Path) -> None:
    (package / "src" / "shop" / "lazy.py").write_text("def pairs(xs):\n    return zip(xs, xs)\n")
    test = "from shop.lazy import pairs\n\ndef test_pairs():\n    assert next(pairs([1])) == (1, 1)\n"
    (package / "tests" / "test_lazy.py").write_text(test)
    out = tmp_path / "out"
    build_traces(out, TraceRequest(str(package)), package_rows(package, out, ["shop.lazy.*"], 100, sys.executable))
    assert [row["result"] for row in data(out)] == ["<zip object>"]


@pytest.mark.medium
def test_the_suite_does_not_run_again_on_resume(package: Path, tmp_path: Path) -> None:
    first = rows(package, tmp_path / "out")
    (package / "tests" / "test_money.py").write_text("raise SystemExit\n")
    assert rows(package, tmp_path / "out") == first


@pytest.mark.medium
def test_chosen_functions_and_a_limit(package: Path, tmp_path: Path) -> None:
    found = rows(package, tmp_path / "out", "shop.money.c*", "_private", most=1)
    assert [row.fields["call"] for row in found] == ["count(3)", "_private(1)"]


@pytest.mark.medium
@pytest.mark.parametrize(
    ("tests", "reason"),
    [
        pytest.param("import no_such_module\n", r"fails before any call is recorded .*no_such_module", id="import"),
        pytest.param("def test(:\n", r"fails before any call is recorded .*SyntaxError", id="syntax"),
        pytest.param("", "has no tests", id="none"),
        pytest.param("def test_a():\n    pass\n", "calls none of the chosen functions", id="no calls"),
    ],
)
def test_a_suite_that_records_nothing_is_one_line(tests: str, reason: str, package: Path, tmp_path: Path) -> None:
    (package / "tests" / "test_money.py").write_text(tests)
    with pytest.raises(InputError, match=reason) as raised:
        rows(package, tmp_path / "out")
    assert "\n" not in str(raised.value)


def test_an_interpreter_that_is_not_there_is_one_line(package: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no/python: cannot run the suite: No such file or directory"):
        list(package_rows(package, tmp_path, (), 1, "no/python"))
