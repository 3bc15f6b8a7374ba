"""The test that a failure prints is Python, whatever the intervention is called."""

import pytest

from rewrite.testing.check_report import InterventionFailure


@pytest.mark.parametrize("intervention", ["my_rewrite", "'decompose'", "<lambda>"])
def test_the_test_of_a_failure_can_be_pasted(intervention: str) -> None:
    failure = InterventionFailure("behaviour", "it differs", "def f(n):\n    return n\n", "f(1)", "", (), intervention)
    test = failure.test()
    compile(test, "pasted", "exec")
    assert ("# my_intervention: a name for <lambda>" in test) == (intervention == "<lambda>")
    assert f"{intervention.replace('<lambda>', 'my_intervention')})" in test
