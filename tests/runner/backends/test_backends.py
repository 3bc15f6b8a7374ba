"""What `--model` accepts, and the one line that refuses the rest."""

from pathlib import Path

import pytest

from corpora.errors import InputError
from runner.backends import load_model


@pytest.mark.parametrize("spec", ["nonsense", "", "a/b/c", "./missing", "gpt:4"])
def test_an_unknown_model_is_refused_with_the_known_forms(spec: str) -> None:
    with pytest.raises(InputError, match="pocket, a folder with weights"):
        load_model(spec)


@pytest.mark.model
def test_a_folder_without_weights_is_refused_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(InputError) as refusal:
        load_model(str(tmp_path))
    assert "no CWM weights in this folder" in str(refusal.value) and "\n" not in str(refusal.value)
