"""Frames to text and ids and back, junk included."""

from collections.abc import Callable

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from analyze.diagnosis.parse_output import parse_ids, parse_output, parse_stripped, parse_text
from analyze.gold_trace.frames import Event, Frame, frames_to_ids, frames_to_text
from analyze.tokens.tokenizer import default_tokenizer

NAMES = st.sampled_from([".0", "x", "_t0", "naïve", "self"])
SPELLED = st.sampled_from(
    ["<|frame_sep|>", "<|line_sep|>", "<|return_sep|>", "<|action_sep|>", "<|arg_sep|>", "<|eot_id|>"]
)
# A surrogate cannot be encoded.
CHARACTERS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
TEXT = st.lists(CHARACTERS | SPELLED, max_size=4).map("".join)
STATES = st.dictionaries(NAMES, TEXT, max_size=3).map(lambda state: tuple(state.items()))
LINE_TEXT = st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters='{"'), max_size=12)
SOURCES = st.lists(LINE_TEXT | SPELLED, max_size=3).map(lambda parts: f"  z{''.join(parts)}\n")
STEPS = st.builds(Frame, st.sampled_from(["call", "line"]), SOURCES, STATES)
ENDS = st.builds(Frame, st.sampled_from(["return", "exception"]), SOURCES, st.none(), TEXT)
FRAMES = st.lists(STEPS | ENDS, max_size=5).map(tuple)
LINE = Frame("line", "    y = x\n", (("x", "1"),))
RETURN = Frame("return", "    return y\n", None, "'a'")


def without_tokens(frames: tuple[Frame, ...]) -> str:
    return "".join(text for frame in frames for text, special in frame.pieces() if not special)


def test_a_frame_that_is_no_object_is_a_format_error_and_the_frames_before_it_stay() -> None:
    parsed = parse_text(LINE.text + "<|line_sep|>{'x': 1}<|action_sep|>    y\n<|frame_sep|>" + LINE.text)
    assert (parsed.frames, parsed.ending) == ((LINE,), "format")
    assert parsed.rest.startswith("<|line_sep|>{'x'")


def test_a_state_with_a_name_twice_is_a_format_error() -> None:
    assert parse_text('<|line_sep|>{"x": "1", "x": "2"}<|action_sep|>y\n<|frame_sep|>').ending == "format"


@pytest.mark.parametrize("before", ["\ufeff", "<think>So {}.</think>", "\n[THOUGHT]\nno\n[/THOUGHT]\n"])
@pytest.mark.parametrize("write", [frames_to_text, without_tokens])
def test_a_byte_order_mark_and_thoughts_before_a_trace_are_no_part_of_it(
    before: str, write: Callable[[tuple[Frame, ...]], str]
) -> None:
    parsed = parse_output(before + write((LINE, RETURN)), None)
    assert (parsed.frames, parsed.rest) == ((LINE, RETURN), "")


def test_a_thought_without_an_end_is_no_trace() -> None:
    assert parse_output(f"<think>{LINE.text}", None).frames == ()


@pytest.mark.parametrize("before", ["```\n", "So:\n\n```python\n"])
@pytest.mark.parametrize("write", [frames_to_text, without_tokens])
def test_a_trace_may_be_in_a_fenced_block(before: str, write: Callable[[tuple[Frame, ...]], str]) -> None:
    parsed = parse_output(f"{before}{write((LINE, RETURN))}\n```\nSo it is 1.", None)
    assert (parsed.frames, parsed.ending) == ((LINE, RETURN), "end")


def test_a_trace_behind_prose_needs_its_tokens() -> None:
    parsed = parse_output("The frames, each with <|frame_sep|>:\n" + frames_to_text((LINE, RETURN)), None)
    assert parsed.frames == (LINE, RETURN)
    assert parse_output("The frames:\n" + without_tokens((LINE, RETURN)), None).frames == ()


@pytest.mark.parametrize("text", ['```\n{"x": "1"}  # the result\n```\n', "<think>\n" + LINE.text + RETURN.text])
def test_an_object_with_a_comment_and_a_thought_are_no_late_trace(text: str) -> None:
    assert parse_output(text, None).frames == ()


def test_prose_after_the_trace_is_its_end() -> None:
    parsed = parse_text(RETURN.text + "\n\nNow let us analyze the trace. [ANSWER]1[/ANSWER]")
    assert (parsed.frames, parsed.ending) == ((RETURN,), "end")


@pytest.mark.parametrize("length", range(1, len(LINE.text)))
def test_a_frame_cut_anywhere_is_cut_and_no_format_error(length: int) -> None:
    # Within a token, text that was cut is no token any more; ids are never cut there.
    parsed = parse_text(RETURN.text + LINE.text[:length])
    inside = any(LINE.text[:length].endswith(token[:i]) for token in TOKENS for i in range(1, len(token)))
    assert inside or parsed.ending == "cut"
    assert parsed.frames == (RETURN,)


TOKENS = ("<|line_sep|>", "<|action_sep|>", "<|frame_sep|>")


def test_ids_of_ordinary_text_that_spells_a_special_token_stay_text() -> None:
    frame = Frame("line", '    s = "<|frame_sep|>"\n', (("s", "'<|action_sep|>'"),))
    tokenizer = default_tokenizer()
    assert parse_ids(frames_to_ids([frame], tokenizer), tokenizer).frames == (frame,)


def test_either_separator_is_accepted_for_the_other() -> None:
    text = RETURN.text.replace("<|arg_sep|>", "<|action_sep|>")
    assert parse_text(text).frames == (RETURN,)


def test_ids_without_a_tokenizer_are_refused() -> None:
    with pytest.raises(TypeError, match="tokenizer"):
        parse_output([128100], None)


@given(FRAMES)
@example(())
def test_text_reads_back_to_the_same_frames(frames: tuple[Frame, ...]) -> None:
    parsed = parse_text(frames_to_text(frames), "".join(frame.source for frame in frames))
    assert (parsed.frames, parsed.rest, parsed.ending) == (frames, "", "end")


@settings(max_examples=50)
@given(FRAMES)
def test_ids_read_back_to_the_same_frames(frames: tuple[Frame, ...]) -> None:
    tokenizer = default_tokenizer()
    ids = frames_to_ids(frames, tokenizer)
    assert parse_ids(ids, tokenizer).frames == frames
    assert tokenizer.decode(ids) == frames_to_text(frames)


@given(FRAMES)
def test_stripped_text_reads_back_but_for_what_only_the_tokens_tell(frames: tuple[Frame, ...]) -> None:
    parsed = parse_stripped(without_tokens(frames))
    bare = [(frame.source, frame.state, frame.value) for frame in frames]
    assert [(frame.source, frame.state, frame.value) for frame in parsed.frames] == bare


PARTS = st.sampled_from(
    [
        "<|line_sep|>",
        "<|return_sep|>",
        "<|action_sep|>",
        "<|arg_sep|>",
        "<|frame_sep|>",
        "{",
        "}",
        '"',
        '"x": "1"',
        "\n",
        "y",
        "\\",
    ]
)


@given(st.lists(PARTS | st.text(max_size=4), max_size=12).map("".join))
@example('{"a": ' * 3000)
@example('"' + "[" * 3000)
def test_junk_never_raises(text: str) -> None:
    assert parse_text(text).ending in ("end", "cut", "format")
    assert parse_stripped(text).ending in ("end", "cut", "format")


@settings(max_examples=50)
@given(st.lists(st.integers(0, 128107) | st.integers(128100, 128107), max_size=20))
def test_junk_ids_never_raise(ids: list[int]) -> None:
    assert parse_ids(ids, default_tokenizer()).ending in ("end", "cut", "format")


@pytest.mark.parametrize("event", ["call", "line", "return", "exception"])
def test_every_event_has_its_own_token(event: Event) -> None:
    frame = Frame(event, "x\n", () if event in ("call", "line") else None, None if event in ("call", "line") else "1")
    assert frame.text.startswith(f"<|{event}_sep|>")
