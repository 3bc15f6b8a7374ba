"""Comparison of two outcomes: whether they show the same behaviour, and if not, the first aspect that differs.

It works on the serialized snapshots that the sandbox wrote. No object of an untrusted program reaches this process.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Literal

from corpora.foreign_text import one_line
from corpora.program import Outcome
from corpora.sandbox.values.value_kinds import without_addresses
from rewrite.equivalence.aliasing import content_hashes, describe_identity
from rewrite.equivalence.compared_names import renumbered

# What has to be equal in exceptions: type and message (with cause, context and arguments), type only, or nothing.
ExceptionPolicy = Literal["message", "type", "any"]
LOAD_ONLY = "pass"
"""The call that loads a module and calls nothing."""

_CAPPED = '"capped":true'
_UNREAD = '"unread":true'
_WHILE_LOADING = "while the module was loading"  # in `Outcome.detail`
_SEEN = "seen"
_SEQUENCE = re.compile(r'\{"capped":\w+,"ok":\["sequence"')
_TOO_DEEP = '"RecursionError",["BaseException",[["str","maximum recursion depth exceeded'
_GENERATOR = re.compile(r"<(async_)?generator object (?:[^<>]|<\w+>)*>")
_SET = re.compile(r'\["(frozen)?set",(\d+,)?\[\[')  # one that is not empty


def _content(outcome: Outcome, name: str) -> object:
    """What a part of the snapshot contains: "ok" or "raised" (the result), "arguments", "globals".

    Iterator states, and which values are the same object, are aspects of their own.
    """
    return _contents(outcome.snapshot).get(name)


@lru_cache(maxsize=4)
def _contents(snapshot: str) -> Mapping[str, int]:
    return content_hashes(_without_iterator_states(json.loads(snapshot))) if snapshot else {}


def _without_iterator_states(node: Any) -> Any:
    """A snapshot without the states that were recorded between the items of iterators."""
    if isinstance(node, dict):
        return {name: _without_iterator_states(part) for name, part in node.items()}
    if isinstance(node, list):
        return [_without_iterator_states(part) for part in node if not (isinstance(part, list) and part[:1] == [_SEEN])]
    return node


def _iterator_states(outcome: Outcome) -> object:
    return outcome.snapshot if f'["{_SEEN}"' in outcome.snapshot else None


def _reprs(outcome: Outcome) -> object:
    """The reprs, if a `__repr__` of the program may contribute to them; None if a set makes their order random."""
    if '["object"' not in outcome.snapshot or _SET.search(outcome.snapshot):
        return None
    texts = outcome.value or "", *outcome.arguments, *outcome.globals.values()
    return [_GENERATOR.sub("<generator>", text) for text in texts]  # a rewrite may rename the generator's function


ASPECTS: tuple[tuple[str, Callable[[Outcome], object]], ...] = (
    ("ending", lambda outcome: (outcome.status, outcome.exit_status)),
    ("exception", lambda outcome: outcome.exception),
    ("value", lambda outcome: _content(outcome, "ok")),
    ("standard output", lambda outcome: outcome.stdout),
    ("standard error", lambda outcome: normalized_stderr(outcome.stderr)),
    ("arguments after the call", lambda outcome: _content(outcome, "arguments")),
    ("globals", lambda outcome: _content(outcome, "globals")),
    ("the exception's arguments", lambda outcome: _content(outcome, "raised")),
    ("state when an iterator yields", _iterator_states),
    ("aliasing: which values are the same object", lambda outcome: outcome.snapshot),
    ("repr of a value", _reprs),
)


_FRAMES = re.compile(r'^  File ".*", line \d+(, in .*)?\n((    .*|  \[.*)\n)*', re.MULTILINE)
_WARNED = re.compile(r"^[^\n:]*:\d+: (\w+): (.*)\n(  (?!File ).*\n)?", re.MULTILINE)
_NEVER_AWAITED = re.compile(
    r"^.*coroutine '.*' was never awaited\n(  .*\n)?|^RuntimeWarning: Enable tracemalloc.*\n", re.MULTILINE
)
_THREAD = re.compile(r"\bThread-\d+")


def normalized_stderr(text: str) -> str:
    """Remove from standard error what depends on source positions: line numbers, source lines, frames, addresses.

    >>> normalized_stderr("program.py:7: UserWarning: careful\\n  warn('careful')\\n")
    'UserWarning: careful\\n'
    """
    if not text:
        return ""
    text = _FRAMES.sub("", _NEVER_AWAITED.sub("", text))
    return _THREAD.sub("Thread", without_addresses(_WARNED.sub(r"\1: \2\n", text)))


def is_generator(outcome: Outcome) -> bool:
    """Whether the result is a generator."""
    return outcome.snapshot.startswith('{"capped":false,"ok":["iterator",0,"generator"')


def function_parameters(outcome: Outcome) -> list[str] | None:
    """Parameter names of the function that a call returned; None if it returned no function of the program."""
    if not outcome.snapshot.startswith('{"capped":false,"ok":["function"'):
        return None
    node = json.loads(outcome.snapshot)["ok"]
    return next((part[1:] for part in node[3:] if isinstance(part, list) and part[:1] == ["signature"]), None)


def exceeds_recursion_limit(outcome: Outcome) -> bool:
    """Whether an exception of the run, its cause or its context is the interpreter's RecursionError.

    Where it is raised, and with which message, depends on the number of frames and not on the computation.
    """
    return _TOO_DEEP in outcome.snapshot


def has_only_raised(outcome: Outcome) -> bool:
    """Whether a call raised, or every step of a sequence did."""
    if outcome.status == "raised":
        return True
    if not _SEQUENCE.match(outcome.snapshot):
        return False
    steps: list[object] = json.loads(outcome.snapshot)["ok"]
    return all(isinstance(step, list) and step[:1] == ["raised"] for step in steps[1:])


def raised_while_loading(outcome: Outcome) -> bool:
    """Whether the program raised before a call of it could begin."""
    return outcome.status == "raised" and _WHILE_LOADING in outcome.detail


def is_unread(outcome: Outcome) -> bool:
    """Whether the snapshot contains only the first items of an iterator, or only some of its states."""
    return _UNREAD in outcome.snapshot


def describe_exit(outcome: Outcome) -> str:
    """The predicate of a sentence about a program that ends its process, as by `os._exit`."""
    return f"end the process (exit status {outcome.exit_status}), so that there is no result"


def undecided_reason(before: Outcome, after: Outcome) -> str:
    """Why two outcomes cannot be compared, or "" if they can.

    A run that the sandbox stopped (time, memory, output, a refused action) does not show how it would have ended. A
    value that is too large for a complete snapshot cannot be compared either.
    """
    for name, outcome in (("the original", before), ("the rewritten program", after)):
        if not outcome.has_ended:
            return f"{name} ended with {outcome.status!r}" + (f" ({outcome.detail})" if outcome.detail else "")
    if difference(before, after) == "" and _CAPPED in before.snapshot:
        return "the result is too large to be compared completely"
    return ""


def difference(before: Outcome, after: Outcome, exceptions: ExceptionPolicy = "message") -> str:
    """Return the first aspect in which two finished runs differ, or "".

    Args:
        before: The outcome of the original.
        after: The outcome of the rewritten program.
        exceptions: What is compared in exceptions (default: everything). Whether a run raises is always compared.

    >>> difference(Outcome("ok", snapshot='{"ok":["int","1"]}'), Outcome("ok", snapshot='{"ok":["True"]}'))
    'value'
    """
    if before == after:
        return ""
    if exceptions != "message":
        before, after = _without_message(before, exceptions), _without_message(after, exceptions)
    return next((name for name, look in ASPECTS if look(before) != look(after)), "")


def _without_message(outcome: Outcome, exceptions: ExceptionPolicy) -> Outcome:
    """An Outcome with only the types of exceptions, or without them."""
    if '"raised"' not in outcome.snapshot:
        return outcome
    kind = outcome.exception[0] if outcome.exception and exceptions == "type" else ""
    types = renumbered(_raised_types(json.loads(outcome.snapshot), exceptions), {})
    snapshot = json.dumps(types, separators=(",", ":"))
    # The repr of a sequence repeats the messages of its exceptions.
    return replace(outcome, exception=(kind, ""), snapshot=snapshot, value=None)


def _raised_types(node: Any, exceptions: ExceptionPolicy) -> Any:
    """A snapshot that keeps only the types of raised exceptions, which are `["object", 0, "ValueError", …]` in it."""
    if isinstance(node, dict):
        return {
            name: _exception_type(part, exceptions) if name == "raised" else _raised_types(part, exceptions)
            for name, part in node.items()
        }
    if not isinstance(node, list):
        return node
    if node[:1] == ["raised"]:
        return ["raised", _exception_type(node[-1], exceptions)]
    if node[:1] == [_SEEN]:
        return [_SEEN, node[1], json.dumps(_without_exceptions(json.loads(node[2])))]
    return [_raised_types(part, exceptions) for part in node]


def _without_exceptions(node: Any) -> Any:
    """An iterator state without the exception that ended the iterator."""
    if not isinstance(node, list):
        return node
    if node[:1] == ["object"] and len(node) > 3 and node[3][:1] == ["BaseException"]:
        return ["exception"]
    return [_without_exceptions(part) for part in node]


def _exception_type(raised: Any, exceptions: ExceptionPolicy) -> str:
    if exceptions == "any" or not isinstance(raised, list):
        return ""
    return str(raised[2] if raised[0] == "object" else raised[0])


@dataclass(frozen=True)
class Counterexample:
    """A call on which two programs differ. Its `str` is valid Python: the call and comments.

    Attributes:
        call: The call, or several calls separated by semicolons.
        aspect: The first aspect that differs.
        before: The outcome of the original.
        after: The outcome of the rewritten program.
    """

    call: str
    aspect: str
    before: Outcome
    after: Outcome

    def __str__(self) -> str:
        return "\n".join([f"{self.call}  # differs in: {self.aspect}", *(f"#   {line}" for line in self.outcomes)])

    @property
    def outcomes(self) -> tuple[str, ...]:
        """Lines with both outcomes: how the runs ended, and the aspect that differs."""
        return tuple(
            f"{name + ':':7} {one_line(line)}"
            for name, outcome in (("before", self.before), ("after", self.after))
            for line in _describe_outcome(outcome, self)
        )


def _describe_outcome(outcome: Outcome, example: Counterexample) -> list[str]:
    """Lines that describe how a run ended, and the aspect that differs."""
    ended = {"ok": f"-> {outcome.value}", "raised": f"raises {': '.join(outcome.exception or ())}"}
    no_result = f"ended with {outcome.status}: {outcome.detail}"
    if outcome.exit_status is not None:
        no_result = f"ends the process (exit status {outcome.exit_status})"
    lines = [ended.get(outcome.status, no_result)]
    if outcome.stdout or example.aspect == "standard output":
        lines.append(f"prints {outcome.stdout!r}")
    if outcome.stderr or example.aspect == "standard error":
        lines.append(f"writes to standard error {normalized_stderr(outcome.stderr)!r}")
    if example.aspect == "arguments after the call":
        lines.append(f"arguments after the call: {', '.join(outcome.arguments)}")
    if example.aspect == "globals":
        lines.append(f"globals: {outcome.globals}")
    if _differ_only_in_snapshot(example.before, example.after):
        other = example.after if outcome is example.before else example.before
        own = json.loads(outcome.snapshot)
        lines.append(f"in detail: {_first_difference(own, json.loads(other.snapshot), own)}")
    return lines


def _first_difference(own: Any, other: Any, snapshot: Any) -> str:
    """The first part of a snapshot that differs from another snapshot: in words if it is an identity, else as JSON.

    >>> shorter = ["list", 0, [["int", "1"]]]
    >>> longer = ["list", 0, [["int", "1"], ["int", "2"]]]
    >>> _first_difference(longer, shorter, longer)
    '["int", "2"]'
    """
    if isinstance(own, dict) and isinstance(other, dict) and list(own) == list(other):
        own, other = list(own.values()), list(other.values())
    if not isinstance(own, list) or not isinstance(other, list):
        return json.dumps(own)
    places = [place for place, (left, right) in enumerate(zip(own, other, strict=False)) if left != right]
    if not places:
        return json.dumps(own[len(other)]) if len(own) > len(other) else "nothing more"
    left, right = own[places[0]], other[places[0]]
    # If the kinds differ, the enclosing node is shown, because it names its kind.
    alike = isinstance(left, list | dict) and type(left) is type(right)
    if alike:
        return _first_difference(left, right, snapshot)
    return describe_identity(own, other, snapshot) or json.dumps(own)


def _differ_only_in_snapshot(before: Outcome, after: Outcome) -> bool:
    """Whether only the snapshots differ, as for `[a, a]` and a list of two equal lists."""
    return replace(before, snapshot="") == replace(after, snapshot="")
