"""Parses a model's output into frames: token ids, text with or without special tokens, or a table of states.

Malformed output is not an error: frames are read up to the first malformed one. `ParsedOutput.ending` and
`ParsedOutput.rest` describe what follows. `analyze.diagnosis.divergence` compares the frames with the reference trace.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from analyze.diagnosis.state_tables import table_frames
from analyze.gold_trace.frames import ACTION_SEP, ARG_SEP, EVENT_SEP, FRAME_SEP, Event, Frame
from analyze.gold_trace.trace import Trace, physical_lines
from analyze.tokens.tokenizer import Tokenizer
from corpora.outputs.marks import THOUGHT_START, without_thought

Ending = Literal["end", "cut", "format"]
Piece = tuple[str, bool]

_EVENT_OF = {token: event for event, token in EVENT_SEP.items()}
_SPECIAL = re.compile(r"(<\|[a-z_]+\|>)")
_STRING = r'"(?:[^"\\]|\\.)*'
# Any prefix of a JSON object from strings to strings.
_CUT_STATE = re.compile(rf'\{{(?:{_STRING}": {_STRING}", )*(?:{_STRING}(?:":? ?|": {_STRING}"?,? ?)?)?\}}?', re.DOTALL)
# The same, with any whitespace that JSON allows.
_ANY_CUT_STATE = re.compile(
    rf'\s*(?:\{{\s*(?:{_STRING}"\s*:\s*{_STRING}"\s*,\s*)*'
    rf'(?:{_STRING}(?:"\s*(?::\s*(?:{_STRING}(?:"\s*(?:,\s*)?)?)?)?)?)?(?:\}}\s*)?)?',
    re.DOTALL,
)
# Where a trace begins behind other text: at a token, or without tokens in a fenced code block.
_LATE_START = re.compile(r"^```\w*[ \t]*\n(?=\{)|^(?=<\|(?:frame|call|line|return|exception)_sep\|>)", re.MULTILINE)
_OPENS_SCOPE = re.compile(r"\s*(?:(?:async\s+)?def|class)\b|\s*@")


@dataclass(frozen=True)
class ParsedOutput:
    """The frames of an output, and what follows them.

    Attributes:
        frames: The complete frames.
        rest: The text after the last complete frame, with special tokens by name.
        ending: "end" if the rest is empty or no longer in the trace format (prose, an answer, `<|end_of_text|>`),
            "cut" if it is a prefix of a frame, "format" if it is a malformed frame.
        stripped: Whether the special tokens were missing; CALL and LINE, and RETURN and EXCEPTION, are then
            distinguished by their content only.
    """

    frames: tuple[Frame, ...]
    rest: str
    ending: Ending
    stripped: bool = False


def parse_ids(ids: Iterable[int], tokenizer: Tokenizer) -> ParsedOutput:
    """Parses token ids. Text that only looks like a special token stays text. Raises KeyError for an unknown id."""
    return _parse(list(_pieces_of_ids(ids, tokenizer)))


def parse_text(text: str, context: str = "") -> ParsedOutput:
    """Parses text with special tokens by name.

    The same characters in a string of the program are no token: in a state or value, because it is JSON, and in a
    source line that `context`, the traced source, has.
    """
    return _parse(list(_pieces_of_text(text, [line for line in physical_lines(context) if _SPECIAL.search(line)])))


def parse_stripped(text: str) -> ParsedOutput:
    """Parses text whose special tokens were dropped: an object, a source line, a quoted value."""
    frames: list[Frame] = []
    place = len(text) - len(text.lstrip("\n"))
    while match := _stripped_frame(text, place):
        frame, place = match
        frames.append(frame)
    rest = text[place:]
    return ParsedOutput(tuple(frames), rest, _stripped_ending(rest), stripped=True)


def parse_output(output: str | Sequence[int], tokenizer: Tokenizer | None, trace: Trace | None = None) -> ParsedOutput:
    """Parses any of the three forms, or a table of states, without what a model thinks or says before.

    A trace may be in a fenced code block. Behind other text outside of a block, it needs its special tokens.

    Args:
        output: Token ids, text with special tokens by name, or text without them.
        tokenizer: The tokenizer of the ids.
        trace: The reference trace (default: unknown). Without it, names of special tokens in strings of source lines
            are not told from tokens, and tables are not read.
    """
    if not isinstance(output, str):
        if tokenizer is None:
            raise TypeError("token ids cannot be read without a tokenizer")
        return parse_ids(output, tokenizer)
    output = output.replace("\r\n", "\n")  # a file may have Windows line ends; a source line of a trace has none
    output = output.removeprefix("\ufeff")
    if THOUGHT_START.match(output):
        output = without_thought(output)
    parsed = _parse_from_start(output, trace)
    if parsed.frames or THOUGHT_START.match(output) or not (start := _LATE_START.search(output)):
        return parsed
    late = _parse_from_start(output[start.end() :], trace)
    return late if len(late.frames) > 1 else parsed  # one frame may be an object with a comment behind it


def _parse_from_start(output: str, trace: Trace | None) -> ParsedOutput:
    # A state at the start has no event token before it: further names of tokens are then in strings of the program.
    spelled = not output.lstrip().startswith("{") and any(token in output for token in _EVENT_OF)
    if spelled:
        return parse_text(output, trace.context if trace else "")
    stripped = parse_stripped(output)
    claimed = table_frames(output, trace) if trace and not stripped.frames else ()
    return ParsedOutput(claimed, output.rpartition("|\n")[2], "end") if claimed else stripped


def is_malformed_prefix(ids: Sequence[int], tokenizer: Tokenizer) -> bool:
    """Returns whether ids that begin a frame, without its closing `<|frame_sep|>`, cannot be completed to a frame.

    True only if that is certain.
    """
    pieces = [piece for piece in _pieces_of_ids(ids, tokenizer) if piece[0].strip()]
    if not pieces or pieces[0][0] not in _EVENT_OF or not pieces[0][1]:
        return False
    fields = _fields(pieces[1:])
    if _EVENT_OF[pieces[0][0]] in ("call", "line"):
        state = _state(fields[0]) if len(fields) > 1 else _ANY_CUT_STATE.fullmatch(_without_cut_escape(fields[0]))
        return len(fields) > 2 or state is None
    value = _without_cut_escape(fields[2]) if len(fields) > 2 else ""
    return bool(fields[0]) or len(fields) > 3 or not re.fullmatch(rf'\s*(?:{_STRING}(?:"\s*)?)?', value, re.DOTALL)


def _pieces_of_ids(ids: Iterable[int], tokenizer: Tokenizer) -> Iterator[Piece]:
    special = {token: name for name, token in tokenizer.special_tokens.items()}
    ordinary: list[int] = []
    for token in ids:
        if token not in special:
            ordinary.append(token)
            continue
        if ordinary:
            yield tokenizer.decode(ordinary), False
            ordinary = []
        yield special[token], True
    if ordinary:
        yield tokenizer.decode(ordinary), False


def _pieces_of_text(text: str, lines: Sequence[str]) -> Iterator[Piece]:
    """Splits text at special tokens. lines: the source lines that contain the name of one."""
    place, last = 0, ""
    while place < len(text):
        ordinary = _ordinary_end(text, place, last, lines)
        match = _SPECIAL.search(text, ordinary)
        start, end = match.span() if match else (len(text), len(text))
        if start > place:
            yield text[place:start], False
        if match:
            yield match[0], True
        place, last = end, match[0] if match else ""


def _ordinary_end(text: str, place: int, last: str, lines: Sequence[str]) -> int:
    """Returns where the JSON value or known source line at `place` ends; `place` itself if there is none.

    Args:
        text: The output.
        place: A position after a special token.
        last: This token.
        lines: The source lines that contain the name of a special token.
    """
    if last == ACTION_SEP:
        return place + max((len(line) for line in lines if text.startswith(line, place)), default=0)
    if last not in (ARG_SEP, *_EVENT_OF):
        return place
    read = _read_json(text, place)
    if read is not None:
        return read[1]
    return len(text) if _CUT_STATE.fullmatch(text, place) else place


def _parse(pieces: Sequence[Piece]) -> ParsedOutput:
    frames: list[Frame] = []
    place = 0
    while True:
        while place < len(pieces) and (pieces[place] == (FRAME_SEP, True) or not pieces[place][0].strip()):
            place += 1
        end = next((i for i in range(place, len(pieces)) if pieces[i] == (FRAME_SEP, True)), None)
        frame = None if end is None else _frame(pieces[place:end])
        if frame is None or end is None:
            break
        frames.append(frame)
        place = end + 1
    left = pieces[place:]
    rest = "".join(text for text, _ in left)
    if not left or not (left[0][1] and left[0][0] in _EVENT_OF):
        return ParsedOutput(tuple(frames), rest, "end")
    return ParsedOutput(tuple(frames), rest, "cut" if end is None and _is_cut(left) else "format")


def _frame(pieces: Sequence[Piece]) -> Frame | None:
    """Parses one frame, from its event token to before the closing `<|frame_sep|>`; None if it is malformed."""
    event = _EVENT_OF.get(pieces[0][0]) if pieces and pieces[0][1] else None
    if event is None:
        return None
    fields = _fields(pieces[1:])
    if event in ("call", "line"):
        state = _state(fields[0]) if len(fields) == 2 else None
        return None if state is None else Frame(event, fields[1], state)
    value = quoted_value(fields[2]) if len(fields) == 3 and not fields[0] else None
    return None if value is None else Frame(event, fields[1], None, value)


def _fields(pieces: Sequence[Piece]) -> list[str]:
    """Returns the texts between separators.

    Either separator is accepted for the other; other special tokens count as text.
    """
    fields = [""]
    for text, special in pieces:
        if special and text in (ACTION_SEP, ARG_SEP):
            fields.append("")
        else:
            fields[-1] += text
    return fields


def _is_cut(pieces: Sequence[Piece]) -> bool:
    """Whether the pieces, an event token first, are a prefix of a well-formed frame."""
    event, fields = _EVENT_OF[pieces[0][0]], _fields(pieces[1:])
    if event in ("call", "line"):
        whole = len(fields) == 2 and _state(fields[0]) is not None
        return whole or (
            len(fields) == 1 and (not fields[0] or bool(_CUT_STATE.fullmatch(_without_cut_escape(fields[0]))))
        )
    tail = _without_cut_escape(fields[2]) if len(fields) == 3 else ""
    return not fields[0] and len(fields) <= 3 and bool(re.fullmatch(rf'(?:{_STRING}"?)?', tail, re.DOTALL))


def _without_cut_escape(text: str) -> str:
    """Drops a last backslash whose character is missing."""
    backslashes = len(text) - len(text.rstrip("\\"))
    return text[:-1] if backslashes % 2 else text


def _state(text: str) -> tuple[tuple[str, str], ...] | None:
    """Returns the pairs of a JSON object from strings to strings; None for anything else, or for a repeated key."""
    try:
        pairs = json.loads(text, object_pairs_hook=tuple)
    except (ValueError, RecursionError):
        return None
    return _checked(pairs, text)


def _checked(pairs: object, text: str) -> tuple[tuple[str, str], ...] | None:
    if not isinstance(pairs, tuple) or not text.lstrip().startswith("{"):
        return None
    names = {name for name, value in pairs if isinstance(value, str)}
    return pairs if len(names) == len(pairs) else None


def quoted_value(text: str) -> str | None:
    """Returns the repr in a JSON string; None if the text is not a JSON string."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, str) else None


def _stripped_frame(text: str, place: int) -> tuple[Frame, int] | None:
    """Returns the frame at `place` and where it ends, or None."""
    read = _read_json(text, place) if text.startswith("{", place) else None
    state = _checked(read[0], "{") if read else None
    start = read[1] if read and state is not None else place
    newline = text.find("\n", start)
    if newline < 0:
        return None
    source, end = text[start : newline + 1], newline + 1
    if state is not None:
        event: Event = "call" if _OPENS_SCOPE.match(source) else "line"
        return (Frame(event, source, state), end) if source.strip() else None
    value = _read_json(text, end) if text.startswith('"', end) else None
    if value is None or not isinstance(value[0], str):
        return None
    return Frame("exception" if value[0].startswith("(<class ") else "return", source, None, value[0]), value[1]


def _read_json(text: str, place: int) -> tuple[object, int] | None:
    try:
        return json.JSONDecoder(object_pairs_hook=tuple).raw_decode(text, place)
    except (ValueError, RecursionError):
        return None


def _stripped_ending(rest: str) -> Ending:
    if not rest.startswith("{"):
        # Without special tokens, the beginning of a RETURN's source line looks like prose.
        return "end"
    read = _read_json(rest, 0)
    if read and _checked(read[0], "{") is not None:
        return "cut" if "\n" not in rest[read[1] :] else "format"
    return "cut" if _CUT_STATE.fullmatch(rest) else "format"
