"""The measurement of a GPU, on a small configuration: the same code, figures that say nothing."""

import pytest

pytestmark = pytest.mark.model
pytest.importorskip("torch")


@pytest.mark.medium
def test_it_measures_and_its_own_output_is_a_right_draft(capsys: pytest.CaptureFixture[str]) -> None:
    from lab.gpu_check import main

    assert main(["--small"]) == 0
    said = capsys.readouterr().out
    assert "verifying 600 tokens" in said and "24 of 24 tokens agree" in said and "floor" in said
