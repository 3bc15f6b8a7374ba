"""What `--model` accepts, and the one line that refuses the rest."""

from pathlib import Path

import pytest

import runner.backends
from corpora.errors import InputError
from runner.backends import load_model


@pytest.mark.parametrize("spec", ["nonsense", "", "a/b/c", "./missing", "gpt:4"])
def test_an_unknown_model_is_refused_with_the_known_forms(spec: str) -> None:
    with pytest.raises(InputError, match=r"known are .*pocket, .*a folder with weights"):
        load_model(spec)


def test_a_backend_is_found_by_its_file_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "parrot.py").write_text(
        'SPEC = "parrot:WORD"\n'
        'def claims(spec):\n    return spec.startswith("parrot:")\n'
        'def load(spec, device):\n    return ("a parrot", spec, device)\n'
    )
    monkeypatch.setattr(runner.backends, "__path__", [*runner.backends.__path__, str(tmp_path)])
    found: object = load_model("parrot:hello", device="cpu")
    assert found == ("a parrot", "parrot:hello", "cpu")
    with pytest.raises(InputError, match="parrot:WORD"):
        load_model("nonsense")


def test_what_a_backend_needs_and_is_not_installed_is_named_with_its_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "needy.py").write_text(
        'SPEC, EXTRA = "needy:", "needs"\ndef claims(spec):\n    return spec == "needy:"\n'
        "def load(spec, device):\n    import a_package_that_nobody_has\n"
    )
    monkeypatch.setattr(runner.backends, "__path__", [*runner.backends.__path__, str(tmp_path)])
    with pytest.raises(InputError, match=r"needs a_package_that_nobody_has: pip install '\.\[needs\]'"):
        load_model("needy:")


@pytest.mark.model
def test_a_folder_without_weights_is_refused_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(InputError) as refusal:
        load_model(str(tmp_path))
    assert "no CWM weights in this folder" in str(refusal.value) and "\n" not in str(refusal.value)
