"""The index of rows: duplicates, families and samples."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from runner.traces.index import IndexedRow, RowIndex
from runner.traces.normalized_tokens import hash_text, normalize_tokens
from runner.traces.similarity import minhash, similarity

pytest.importorskip("datasketch", reason="the extra `traces` is not installed")

LINES = [f"    x = x + {n}\n" for n in range(20)]


def program(*changed: int) -> str:
    """A program of twenty lines, some of them with another operator."""
    return "def f(x):\n" + "".join(line.replace("+", "-") if n in changed else line for n, line in enumerate(LINES))


@pytest.fixture
def index(tmp_path: Path) -> Iterator[RowIndex]:
    with RowIndex(tmp_path / "index.sqlite", 0.9, seed=0) as made:
        yield made


def add(
    index: RowIndex,
    place: int,
    source: str,
    call: str = "f(1)",
    *,
    stratum: str = "",
    original: int | None = None,
    family: str | None = None,
    trace: str = "",
) -> None:
    tokens = normalize_tokens(source)
    index.add(
        IndexedRow(
            0,
            place,
            (place if original is None else original) + 1,
            f"rows:{place + 1}",
            str(place),
            1,
            None if original is None else "decompose",
            family,
            tokens.digest,
            hash_text(call),
            hash_text(trace or source + call),
            minhash(tokens.anonymous),
            stratum,
        )
    )


def reasons(index: RowIndex) -> dict[str, tuple[str, str]]:
    return {row.id: (row.reason, row.detail) for row in index.dropped()}


def test_the_estimate_is_near_the_jaccard_similarity() -> None:
    one, other = (minhash(normalize_tokens(program(*changed)).anonymous) for changed in ((), (3,)))
    assert similarity(one, one) == 1.0
    assert 0.75 < similarity(one, other) < 1.0


def test_repeated_calls_traces_and_near_copies_are_dropped(index: RowIndex) -> None:
    add(index, 0, program(), trace="t")
    add(index, 1, program(), "f(2)")
    add(index, 2, program().replace("x = ", "x  =  "), "f(2)")
    add(index, 3, program().replace("x", "y"))
    add(index, 4, "def g():\n    return [1, 2, 3]", trace="t")
    assert reasons(index) == {
        "2": ("repeats the program and call of another row", "1 (row 2)"),
        "3": ("near duplicate of another program", "0 (row 1), similarity 1.00"),
        "4": ("repeats the trace of another row", "0 (row 1)"),
    }


def test_a_near_copy_that_is_kept_is_in_the_same_family(tmp_path: Path) -> None:
    with RowIndex(tmp_path / "index.sqlite", None, seed=0) as index:
        add(index, 0, program())
        add(index, 1, "def g():\n    return [1, 2, 3]")
        add(index, 2, program(3))
        add(index, 3, program(3), "f(2)")
        add(index, 4, "def h(a):\n    return a", original=2)
        assert [row.family for row in index.kept(0)] == [1, 2, 1, 1, 1]
        assert index.families() == (2, 4)


def test_families_that_the_source_names_are_joined(index: RowIndex) -> None:
    add(index, 0, program(), family="mine")
    add(index, 1, "def g():\n    return [1, 2, 3]")
    add(index, 2, "def h(a):\n    return {a: a * 2}", family="mine")
    assert [row.family for row in index.kept(0)] == [1, 2, 1]


def test_a_sample_is_the_same_for_a_seed_and_takes_rewrites_along(tmp_path: Path) -> None:
    def kept(seed: int) -> list[int]:
        with RowIndex(tmp_path / "index.sqlite", None, seed=seed) as index:
            for place in range(0, 20, 2):
                source = f"def f(x):\n    return [x, {place}, {place * 7}] * {place + 1}"
                add(index, place, source, stratum="ab"[place % 4 // 2])
                add(index, place + 1, source + " ", "f(2)", original=place)
            index.sample(2)
            return [row.place for row in index.kept(0)]

    first = kept(0)
    assert kept(0) == first and len(first) == 8
    assert all(place + 1 in first for place in first if place % 2 == 0)
    assert any(kept(seed) != first for seed in range(1, 5))


def test_nothing_is_left_on_disk(tmp_path: Path) -> None:
    with RowIndex(tmp_path / "index.sqlite", None, seed=0) as index:
        add(index, 0, program())
    assert not list(tmp_path.iterdir())
