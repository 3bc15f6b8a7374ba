"""What an answer is graded as, and what its record says of the first divergence."""

from analyze import trace_call
from analyze.tokens.tokenizer import default_tokenizer
from runner.asking.generation import Generation
from runner.records.samples import HallucinatedAction
from runner.runs.grading import grade_trace

SOURCE = "def f(x):\n    x += 1\n    return x"


def test_a_hallucinated_action_is_recorded_beside_the_reference() -> None:
    trace = trace_call(SOURCE, "f(1)")
    text = trace.text.replace("    return x\n", "    return x + 1\n", 1)
    found = grade_trace(trace, Generation((), text, "end"), default_tokenizer(), "return")
    assert found.verdict == "correct"
    assert found.divergence
    assert found.divergence.kind == "action"
    assert found.action == HallucinatedAction(
        4, "line: return x", "line: return x + 1", after_wrong_state=False, in_program=False
    )
