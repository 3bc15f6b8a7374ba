"""Frames beside their counterparts: by index until the first divergence, by source line after it."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from analyze.gold_trace.frames import Frame
from runner.reports.viewer.alignment import MAX_MATCHED, AlignedFrame, align


def line(source: str, value: str = "1") -> Frame:
    return Frame("line", f"{source}\n", (("x", value),))


def pairs(found: list[AlignedFrame]) -> list[tuple[int | None, int | None, str | None]]:
    return [(one.reference, one.predicted, one.kind) for one in found]


def test_an_output_without_frames_lacks_every_frame() -> None:
    assert pairs(align([line("a"), line("b")], [])) == [(0, None, "event"), (1, None, "event")]


def test_frames_too_many_have_no_counterpart() -> None:
    assert pairs(align([line("a")], [line("a"), line("b")])) == [(0, 0, None), (None, 1, "event")]


def test_a_wrong_state_keeps_its_counterpart() -> None:
    assert pairs(align([line("a"), line("b")], [line("a", "2"), line("b")])) == [(0, 0, "state"), (1, 1, None)]


def test_after_a_skipped_frame_the_rest_is_aligned_by_line() -> None:
    reference = [line(source) for source in "abcde"]
    found = pairs(align(reference, [line(source) for source in "axde"]))
    assert found == [(0, 0, None), (1, 1, "action"), (2, None, "event"), (3, 2, None), (4, 3, None)]


def test_without_special_tokens_a_call_may_read_as_a_line() -> None:
    call = Frame("call", "def f(x):\n", (("x", "1"),))
    assert pairs(align([call], [line("def f(x):")], stripped=True)) == [(0, 0, None)]


def test_long_rests_are_aligned_by_index() -> None:
    reference = [line(str(number)) for number in range(MAX_MATCHED + 2)]
    found = align(reference, reference[1:])
    assert [one.predicted for one in found] == [*range(MAX_MATCHED + 1), None]


frames = st.lists(st.builds(line, st.sampled_from("abc"), st.sampled_from("12")), max_size=8)


@given(frames, frames)
def test_every_frame_appears_once_and_in_order(reference: list[Frame], predicted: list[Frame]) -> None:
    found = align(reference, predicted)
    assert [one.reference for one in found if one.reference is not None] == list(range(len(reference)))
    assert [one.predicted for one in found if one.predicted is not None] == list(range(len(predicted)))
    for one, after in pairwise(found):
        assert one.kind or after.kind or after.reference == after.predicted or one.reference != one.predicted
