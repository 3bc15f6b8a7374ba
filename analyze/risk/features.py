"""A step of a trace as few, named numbers: what a code world model has to do to write this frame.

Each number is 0 where there is nothing to do, and grows with the logarithm of a length (log(1 + n)), or is 0 or 1:
what was searched, edited or copied, how much of it is new, how many operations no state shows. They were chosen by what
the published failures of the 32B model show; what each is worth was fitted (`analyze.risk.fit`).
What this module does not do: weigh (`analyze.risk.model`), or say anything about tokens but how finely a text is cut.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import log1p

from analyze.gold_trace.frames import Frame
from analyze.risk.grams import GRAM, Known
from analyze.risk.steps import Operation
from analyze.tokens.tokenizer import Tokenizer
from corpora.deadline import current_deadline

_Sizes = Callable[[Operation], tuple[int, int]]

_RUN = re.compile(r"(.)\1+")
_BRANCH = re.compile(r"(if|elif|while)\b")
# Methods of strings by what the model has to do with the characters.
METHOD_FEATURES: dict[str, frozenset[str]] = {
    "search": frozenset({"find", "index", "rfind", "rindex", "count", "startswith", "endswith"}),
    "predicate": frozenset(
        {"isalpha", "isdigit", "isupper", "islower", "isspace", "istitle", "isdecimal", "isalnum", "isnumeric",
        "isidentifier", "isascii", "isprintable"}
    ),
    "edit": frozenset({"replace", "translate", "expandtabs", "removeprefix", "removesuffix"}),
    "cut": frozenset({"split", "rsplit", "splitlines", "partition", "rpartition"}),
    "strip": frozenset({"strip", "lstrip", "rstrip"}),
    "pad": frozenset({"center", "ljust", "rjust", "zfill"}),
    "case": frozenset({"upper", "lower", "swapcase", "title", "capitalize", "casefold"}),
    "join": frozenset({"join"}),
    "format": frozenset({"format"}),
}  # fmt: skip
_LIST_METHODS = {
    **dict.fromkeys(("pop", "insert", "remove", "extend", "reverse"), "list change"),
    **dict.fromkeys(("index", "count"), "list search"),
    "sort": "sort",
}
_BUILTINS = {"sorted": "sort", "min": "extreme", "max": "extreme", "sum": "extreme"}
WORDS: dict[str, str] = {
    "return": "a result that no state shows before",
    "operations": "several operations in one step",
    "new": "characters that stand in no earlier value",
    "branch": "a condition is decided",
    "run": "the same character many times over",
    "repeated": "values are written out once more",
    "text": "a text is written",
    "fine": "a text that its tokens cut finely",
    "backwards": "places are counted from the end or backwards",
    "search": "a text is searched",
    "membership": "something is looked for in a text or list",
    "edit": "characters of a text are replaced",
    "strip": "the ends of a text are stripped",
    "slice": "a slice is cut",
    "cut": "a text is split",
    "pad": "a text is padded",
    "case": "the case of letters changes",
    "join": "texts are joined",
    "format": "a text is formatted",
    "predicate": "all characters of a text are asked for their class",
    "table": "a table of characters is made",
    "list change": "items of a list move",
    "list search": "a list is searched",
    "sort": "items are sorted",
    "extreme": "a least, greatest or sum is found",
}
"""The features by name, with what each says in words; their order is that of the published weights."""


@dataclass(frozen=True)
class Step:
    """A frame as numbers, by the names of WORDS, and the operations that made it."""

    values: Mapping[str, float]
    operations: tuple[Operation, ...]


def features(
    frames: Sequence[Frame], operations: Sequence[Sequence[Operation]], tokenizer: Tokenizer
) -> Iterator[Step]:
    """One Step for each frame. tokenizer: whose tokens cut the texts."""
    known = Known()
    before: Frame | None = None
    for frame, made in zip(frames, operations, strict=True):
        current_deadline().check()
        values = dict.fromkeys(WORDS, 0.0)
        shown = [pair for pair in frame.state if pair[1] != ".."] if frame.state is not None else []
        if frame.state is None and not (before and before.value == frame.value):  # else it is passed on
            shown = [("", frame.value or "")]
            values["return"] = float(frame.event == "return")
        fresh = {name: text for name, text in shown if known.get(name) != text}
        values["new"] = log1p(known.unseen(fresh, _texts(made)))
        _written(values, max(fresh.values(), key=len, default=""))
        values["repeated"] = log1p(sum(len(text) for name, text in shown if name not in fresh))
        values["branch"] = float(frame.event == "line" and bool(before and _BRANCH.match(before.source.strip())))
        _computed(values, made)
        values["fine"] = _fineness(made, tokenizer)
        known.learn({name: text for name, text in fresh.items() if name})
        before = frame
        yield Step(values, tuple(made))


def _written(values: dict[str, float], longest: str) -> None:
    """What the longest of the new values is."""
    values["run"] = log1p(max((len(run[0]) for run in _RUN.finditer(longest)), default=1) - 1)
    values["text"] = float(longest[:1] in ("'", '"') and len(longest) > GRAM)


def _texts(made: Sequence[Operation]) -> list[str]:
    operands = (operand for operation in made for operand in operation.operands)
    return [repr(operand.value) for operand in operands if isinstance(operand.value, str)]


def _computed(values: dict[str, float], made: Sequence[Operation]) -> None:
    values["operations"] = log1p(len(made))
    for operation in made:
        feature, size = kind_of(operation)
        if feature:
            values[feature] = max(values[feature], log1p(max(0, size)))
        indices = operation.operands[1:] if operation.kind in ("item", "slice", "method") else ()
        if any(operand.type == "int" and isinstance(operand.value, int) and operand.value < 0 for operand in indices):
            values["backwards"] = 1.0


def kind_of(operation: Operation) -> tuple[str, int]:
    """The feature that an operation belongs to ("" for none), and the length of what it goes over."""
    receiver, result = operation.receiver, operation.result
    name, longer = operation.name, max(receiver.length, result.length)
    if operation.kind == "method" and receiver.type == "str":
        found = next((kind for kind, names in METHOD_FEATURES.items() if name in names), "")
        return found, result.length if found in (
            "join",
            "format",
            "pad",
        ) else longer if found == "edit" else receiver.length
    if operation.kind == "method":
        table = "table" if name == "maketrans" else _LIST_METHODS.get(name, "") if receiver.type == "list" else ""
        return table, max((operand.length for operand in operation.operands), default=0)
    if operation.kind == "call":
        return (_BUILTINS.get(name, ""), receiver.length) if receiver.length > 0 else ("", 0)
    if operation.kind == "operator" and name in ("In", "NotIn"):
        return "membership", operation.operands[1].length
    if operation.kind in ("slice", "format"):
        return operation.kind, longer
    return ("format", result.length) if name == "Mod" and receiver.type == "str" else ("", 0)


def _fineness(made: Sequence[Operation], tokenizer: Tokenizer) -> float:
    """Tokens a character of the longest text that an operation goes over; words cost less than random letters."""
    texts = [operand.value for operation in made for operand in operation.operands if isinstance(operand.value, str)]
    longest = max(texts, key=len, default="")
    return _tokens(tokenizer, longest) / len(longest) if len(longest) > GRAM else 0.0


@lru_cache(maxsize=1 << 14)
def _tokens(tokenizer: Tokenizer, text: str) -> int:
    # A lone surrogate, which no vocabulary has, stands in a trace as its escape.
    return len(tokenizer.encode(text.encode("utf-8", "backslashreplace").decode()))
