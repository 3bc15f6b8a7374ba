"""Turns a step of a trace into named numbers: the work that a code world model has to do to write its frame.

Each number is 0 or 1, or log(1 + n) of a length n: what was searched, edited or copied, how much of it is new, how many
operations no state shows. The features were chosen by looking at the published failures of the 32B model.
`lab.risk.fit` fits their weights.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import log1p

from analyze.gold_trace.frames import Frame
from analyze.operations.catalogue import find
from analyze.operations.operation import Kind, Sees
from analyze.risk.steps import RecordedOperation
from analyze.risk.trigrams import GRAM, KnownValues
from analyze.tokens.tokenizer import Tokenizer
from corpora.deadline import current_deadline

_RUN = re.compile(r"(.)\1+")
_BRANCH = re.compile(r"(if|elif|while)\b")
# The features of string methods, by what they do. The published weights were fitted with these.
_STRING_FEATURES = {
    Kind.SEARCH: "search",
    Kind.TEST: "predicate",
    Kind.REPLACE: "edit",
    Kind.SPLIT: "cut",
    Kind.TRIM: "strip",
    Kind.PAD: "pad",
    Kind.CASE: "case",
    Kind.JOIN: "join",
    Kind.FORMAT: "format",
}
_LIST_FEATURES = {Kind.CHANGE: "list change", Kind.SEARCH: "list search", Kind.SORT: "sort"}
_FUNCTION_FEATURES = {Kind.SORT: "sort", Kind.MEASURE: "extreme"}
FEATURE_DESCRIPTIONS: dict[str, str] = {
    "return": "a value is returned",
    "operations": "several operations in one step",
    "new": "sequences of characters that no earlier value has",
    "branch": "a condition is evaluated",
    "run": "the same character several times in a row",
    "repeated": "unchanged values are written again",
    "text": "a string is written",
    "fine": "a string is split into many tokens",
    "backwards": "positions are counted from the end or backwards",
    "search": "a string is searched",
    "membership": "membership in a string or list is tested",
    "edit": "characters of a string are replaced",
    "strip": "the ends of a string are stripped",
    "slice": "a slice is taken",
    "cut": "a string is split",
    "pad": "a string is padded",
    "case": "the case of characters changes",
    "join": "strings are joined",
    "format": "a string is formatted",
    "predicate": "all characters of a string are classified",
    "table": "a translation table is made",
    "list change": "items of a list move",
    "list search": "a list is searched",
    "sort": "items are sorted",
    "extreme": "a minimum, maximum or sum is computed",
}
"""The features by name, with the reason that reports show."""


@dataclass(frozen=True)
class StepFeatures:
    """A frame as numbers, by the names of FEATURE_DESCRIPTIONS, and the operations that produce it.

    Attributes:
        values: The features that are not 0.
        operations: The operations.
    """

    values: Mapping[str, float]
    operations: tuple[RecordedOperation, ...]


def step_features(
    frames: Sequence[Frame], operations: Sequence[Sequence[RecordedOperation]], tokenizer: Tokenizer
) -> Iterator[StepFeatures]:
    """Yields the features of each frame.

    Args:
        frames: The frames of the reference trace.
        operations: The operations that produce each frame.
        tokenizer: The model's tokenizer.
    """
    known = KnownValues()
    before: Frame | None = None
    for frame, made in zip(frames, operations, strict=True):
        current_deadline().check()
        values = dict.fromkeys(FEATURE_DESCRIPTIONS, 0.0)
        shown = frame.shown
        is_passed_on = before is not None and before.value == frame.value
        if frame.state is None and not is_passed_on:
            shown = (("", frame.value or ""),)
            values["return"] = float(frame.event == "return")
        fresh = {name: text for name, text in shown if known.get(name) != text}
        texts = [one.value for operation in made for one in operation.operands if isinstance(one.value, str)]
        values["new"] = log1p(known.count_new(fresh, list(map(repr, texts))))
        _written(values, max(fresh.values(), key=len, default=""))
        values["repeated"] = log1p(sum(len(text) for name, text in shown if name not in fresh))
        values["branch"] = float(frame.event == "line" and bool(before and _BRANCH.match(before.source.strip())))
        _computed(values, made)
        values["fine"] = _fineness(max(texts, key=len, default=""), tokenizer)
        known.learn({name: text for name, text in fresh.items() if name})
        before = frame
        yield StepFeatures({name: value for name, value in values.items() if value}, tuple(made))


def _written(values: dict[str, float], longest: str) -> None:
    """Sets the features of the longest new value."""
    values["run"] = log1p(max((len(run[0]) for run in _RUN.finditer(longest)), default=1) - 1)
    values["text"] = float(longest[:1] in ("'", '"') and len(longest) > GRAM)


def _computed(values: dict[str, float], made: Sequence[RecordedOperation]) -> None:
    values["operations"] = log1p(len(made))
    for operation in made:
        feature, size = classify_operation(operation)
        if feature:
            values[feature] = max(values[feature], log1p(max(0, size)))
        indices = operation.operands[1:] if operation.kind in ("item", "slice", "method") else ()
        if any(operand.type == "int" and isinstance(operand.value, int) and operand.value < 0 for operand in indices):
            values["backwards"] = 1.0


def classify_operation(operation: RecordedOperation) -> tuple[str, int]:
    """Returns the feature that an operation belongs to ("" for none), and the length of what it processes."""
    receiver, result = operation.receiver, operation.result
    name, longer = operation.name, max(receiver.length, result.length)
    if operation.kind == "method" and receiver.type == "str":
        feature = _feature(_STRING_FEATURES, name, "str")
        sizes = {**dict.fromkeys(("join", "format", "pad"), result.length), "edit": longer}
        return feature, sizes.get(feature, receiver.length)
    if operation.kind == "method":
        feature = _feature(_LIST_FEATURES, name, "list") if receiver.type == "list" else ""
        size = max((operand.length for operand in operation.operands), default=0)
        return "table" if name == "maketrans" else feature, size
    if operation.kind == "call":
        return (_feature(_FUNCTION_FEATURES, name), receiver.length) if receiver.length > 0 else ("", 0)
    if operation.kind == "operator" and name in ("In", "NotIn"):
        return "membership", operation.operands[1].length
    if operation.kind in ("slice", "format"):
        return operation.kind, longer
    return ("format", result.length) if name == "Mod" and receiver.type == "str" else ("", 0)


def _feature(features: Mapping[Kind, str], name: str, receiver: str = "") -> str:
    """Returns the feature of a method or function; "" for none, and if no characters or items are looked at."""
    known = find(name, receiver)
    is_seen = known is not None and (Sees.ELEMENTS in known.sees or Sees.POSITION in known.sees)
    return features.get(known.kind, "") if known is not None and is_seen else ""


def _fineness(longest: str, tokenizer: Tokenizer) -> float:
    """Returns tokens per character of the longest string operand; words have fewer tokens than random characters."""
    return _tokens(tokenizer, longest) / len(longest) if len(longest) > GRAM else 0.0


@lru_cache(maxsize=1 << 14)
def _tokens(tokenizer: Tokenizer, text: str) -> int:
    # A trace writes a lone surrogate, which no vocabulary has, as its escape.
    return len(tokenizer.encode(text.encode("utf-8", "backslashreplace").decode()))
