from pathlib import Path

import pytest

from corpora.errors import InputError

pytest.importorskip("torch")

from runner.pocket.findings.configuration import load_config

pytestmark = pytest.mark.model


@pytest.mark.parametrize(
    "text",
    [
        "seeds = [0, 1]",
        "seeds = 1\nprograms = 2\nrandom_share = 0.5\nevaluated = 2",
        "seeds = [0, 0]\nprograms = 2\nrandom_share = 0.5\nevaluated = 2",
        "seeds = [0, 1]\nprograms = 0\nrandom_share = 0.5\nevaluated = 2",
        "seeds = [0, 1]\nprograms = 2\nrandom_share = 1.5\nevaluated = 2",
        "seeds = [0, 1]\nprograms = 2\nrandom_share = 0.5\nevaluated = 2\n[training]\nlayer = 1",
        "seeds = [",
    ],
)
def test_an_invalid_configuration_is_refused_in_one_line(tmp_path: Path, text: str) -> None:
    path = tmp_path / "x.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=r"x\.toml") as error:
        load_config(path)
    assert "\n" not in str(error.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none\.toml"):
        load_config(tmp_path / "none.toml")


def test_the_shipped_configuration_is_valid() -> None:
    config = load_config()
    assert config.settings(2).seed == 2
    assert config.settings(2).documents == config.programs
