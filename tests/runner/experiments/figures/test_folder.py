"""The files of the figures: which are written, that they say of how many, and that they are the same every time."""

import sys
from pathlib import Path

import pytest

from corpora.errors import InputError
from runner.experiments.figures.folder import write_figures
from tests.runner.experiments.figures.samples import samples

RUN = [
    *samples("cruxeval", "rw", reference="'a $ b'"),
    *samples("humaneval", "rwt"),
    *samples("permutations", "r", kind="S5, length 8"),
    *samples("atomic", "rw", kind="sort_chars"),
]
FILES = [
    f"{name}.{form}"
    for name in ("table1", "figure1", "figure5", "figure2_top", "figure2_bottom")
    for form in ("svg", "pdf", "csv")
]


def test_without_matplotlib_the_command_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(InputError, match=r"--figures: needs matplotlib: pip install '\.\[plot\]'"):
        write_figures(tmp_path, {"a": RUN}, "m")


@pytest.mark.medium
def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match=r"table1\.svg: cannot be written"):
        write_figures(tmp_path / "file", {"a": RUN}, "m")


@pytest.mark.medium
def test_a_run_about_one_benchmark_has_only_its_figures(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    assert write_figures(tmp_path, {"a": samples("zoo", "r", kind="set, depth 5")}, "m") == [
        "table1.svg",
        "table1.pdf",
        "table1.csv",
    ]


@pytest.mark.medium
def test_all_figures_are_the_same_bytes_every_time_and_name_sample_sizes(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    runs = {"one": RUN, "two": RUN}
    assert write_figures(tmp_path / "a", runs, "m") == write_figures(tmp_path / "b", runs, "m") == FILES
    for name in FILES:
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()
    assert "two, as it stands (n=2–3)" in (tmp_path / "a" / "table1.svg").read_text()
    assert "HumanEval, one: 3 outputs, 2 wrong, 1 of them truncated" in (tmp_path / "a" / "figure2_top.svg").read_text()
    assert (
        "HumanEval, two: 3 outputs, 2 wrong, 1 of them truncated" in (tmp_path / "a" / "figure2_bottom.svg").read_text()
    )
    assert b"/CreationDate" not in (tmp_path / "a" / "table1.pdf").read_bytes()
