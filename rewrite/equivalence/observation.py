"""Whether two Outcomes show the same behaviour, and if not, in which respect they first differ.

Works on the text that the sandbox wrote down; no foreign object ever comes here, so nothing foreign can lie.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal

from corpora.program import Outcome
from rewrite.equivalence.visible_names import renumbered

# What of an exception has to be the same: its type and message (and cause, context, arguments), its type, or nothing.
Exceptions = Literal["message", "type", "any"]
FINISHED = ("ok", "raised")

_CAPPED = '"capped":true'
_UNREAD = '"unread":true'
_SEEN = "seen"
_TOO_DEEP = '"RecursionError",["BaseException",[["str","maximum recursion depth exceeded'
_GENERATOR = re.compile(r"<(async_)?generator object (?:[^<>]|<\w+>)*>")
_SET = re.compile(r'\["(frozen)?set"')


def _part(outcome: Outcome, name: str) -> object:
    """One part of the snapshot: "ok" or "raised" (the result), "arguments", "globals"; without what was seen when."""
    return _unseen(json.loads(outcome.snapshot).get(name)) if outcome.snapshot else None


def _unseen(node: object) -> object:
    """A description without the looks between the items of iterators."""
    if isinstance(node, dict):
        return {name: _unseen(part) for name, part in node.items()}
    if isinstance(node, list):
        return [_unseen(part) for part in node if not (isinstance(part, list) and part[:1] == [_SEEN])]
    return node


def _moments(outcome: Outcome) -> object:
    return outcome.snapshot if f'["{_SEEN}"' in outcome.snapshot else None


def _texts(outcome: Outcome) -> object:
    """The reprs where a program's own `__repr__` may show in them; a set's repr has no order to compare."""
    if '["object"' not in outcome.snapshot or _SET.search(outcome.snapshot):
        return None
    texts = outcome.value or "", *outcome.arguments, *outcome.globals.values()
    return [_GENERATOR.sub("<generator>", text) for text in texts]  # an expression may become a function: a new name


ASPECTS: tuple[tuple[str, Callable[[Outcome], object]], ...] = (
    ("ending", lambda outcome: outcome.status),
    ("exception", lambda outcome: outcome.exception),
    ("value", lambda outcome: _part(outcome, "ok")),
    ("standard output", lambda outcome: outcome.stdout),
    ("standard error", lambda outcome: errors(outcome.stderr)),
    ("arguments after the call", lambda outcome: _part(outcome, "arguments")),
    ("globals", lambda outcome: _part(outcome, "globals")),
    ("the exception's arguments", lambda outcome: _part(outcome, "raised")),
    ("what has happened when an iterator yields", _moments),
    ("state or aliasing", lambda outcome: outcome.snapshot),
    ("text of a value", _texts),
)


_FRAMES = re.compile(r'^  File ".*", line \d+(, in .*)?\n((    .*|  \[.*)\n)*', re.MULTILINE)
_WARNED = re.compile(r"^[^\n:]*:\d+: (\w+): (.*)\n(  (?!File ).*\n)?", re.MULTILINE)
_NEVER_AWAITED = re.compile(
    r"^.*coroutine '.*' was never awaited\n(  .*\n)?|^RuntimeWarning: Enable tracemalloc.*\n", re.MULTILINE
)
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
_THREAD = re.compile(r"\bThread-\d+")


def errors(text: str) -> str:
    """Standard error without what says where in a text something stands: lines, source, frames, addresses.

    >>> errors("program.py:7: UserWarning: careful\\n  warn('careful')\\n")
    'UserWarning: careful\\n'
    """
    if not text:
        return ""
    text = _FRAMES.sub("", _NEVER_AWAITED.sub("", text))
    return _THREAD.sub("Thread", _ADDRESS.sub("", _WARNED.sub(r"\1: \2\n", text)))


def is_generator(outcome: Outcome) -> bool:
    """Whether the result is a generator, which may be closed before its end."""
    return outcome.snapshot.startswith('{"capped":false,"ok":["iterator",0,"generator"')


def function_parameters(outcome: Outcome) -> list[str] | None:
    """The names of the parameters of the program's function that a call returned; None where it returned none."""
    if not outcome.snapshot.startswith('{"capped":false,"ok":["function"'):
        return None
    node = json.loads(outcome.snapshot)["ok"]
    return next((part[1:] for part in node[3:] if isinstance(part, list) and part[:1] == ["signature"]), None)


def exceeds_recursion_limit(outcome: Outcome) -> bool:
    """Whether an exception of the run, its cause or context is the interpreter's RecursionError.

    Where it is raised, and with which message, depends on the number of frames and not on what the program computes.
    """
    return _TOO_DEEP in outcome.snapshot


def is_unread(outcome: Outcome) -> bool:
    """Whether the description holds only the first items of an iterator, or only part of what was to be seen then."""
    return _UNREAD in outcome.snapshot


def undecided(before: Outcome, after: Outcome) -> str:
    """Why two outcomes cannot be compared, or "" if they can.

    A run that was stopped from outside (time, memory, output, a refused act) shows only that it was stopped: had it
    gone on, the two might have parted or met. The same holds for a value too large to be described whole.
    """
    for name, outcome in (("the original", before), ("the rewritten program", after)):
        if outcome.status not in FINISHED:
            return f"{name} ended with {outcome.status!r}" + (f" ({outcome.detail})" if outcome.detail else "")
    if difference(before, after) == "" and _CAPPED in before.snapshot:
        return "the result is too large to be compared whole"
    return ""


def difference(before: Outcome, after: Outcome, exceptions: Exceptions = "message") -> str:
    """The first aspect in which two finished runs differ, or "" if they do not.

    exceptions: what of an exception is compared (default: all of it). That a run raises is always compared.

    >>> difference(Outcome("ok", snapshot='{"ok":["int","1"]}'), Outcome("ok", snapshot='{"ok":["True"]}'))
    'value'
    """
    if before == after:
        return ""
    if exceptions != "message":
        before, after = _without_message(before, exceptions), _without_message(after, exceptions)
    return next((name for name, look in ASPECTS if look(before) != look(after)), "")


def _without_message(outcome: Outcome, exceptions: Exceptions) -> Outcome:
    """An Outcome with the types alone of what was raised, or not even these."""
    if '"raised"' not in outcome.snapshot:
        return outcome
    kind = outcome.exception[0] if outcome.exception and exceptions == "type" else ""
    snapshot = json.dumps(
        renumbered(_raised_types(json.loads(outcome.snapshot), exceptions), {}), separators=(",", ":")
    )
    # The text of a value repeats the messages of a sequence.
    return replace(outcome, exception=(kind, ""), snapshot=snapshot, value=None)


def _raised_types(node: Any, exceptions: Exceptions) -> Any:
    """A description without what is known of raised exceptions beside their types: `["object", 0, "ValueError", …]`."""
    if isinstance(node, dict):
        return {
            name: _kind(part, exceptions) if name == "raised" else _raised_types(part, exceptions)
            for name, part in node.items()
        }
    if not isinstance(node, list):
        return node
    if node[:1] == ["raised"]:
        return ["raised", _kind(node[-1], exceptions)]
    if node[:1] == [_SEEN]:
        return [_SEEN, node[1], json.dumps(_exceptions_without(json.loads(node[2])))]
    return [_raised_types(part, exceptions) for part in node]


def _exceptions_without(node: Any) -> Any:
    """What was seen between the items of an iterator, which holds the exception that ended it."""
    if not isinstance(node, list):
        return node
    if node[:1] == ["object"] and len(node) > 3 and node[3][:1] == ["BaseException"]:
        return ["exception"]
    return [_exceptions_without(part) for part in node]


def _kind(raised: Any, exceptions: Exceptions) -> str:
    if exceptions == "any" or not isinstance(raised, list):
        return ""
    return str(raised[2] if raised[0] == "object" else raised[0])


@dataclass(frozen=True)
class Counterexample:
    """A call on which the programs differ, and in which respect; `str` of it can be pasted into a Python file."""

    call: str
    aspect: str
    before: Outcome
    after: Outcome

    def __str__(self) -> str:
        lines = [f"{self.call}  # differs in: {self.aspect}"]
        for name, outcome in (("before", self.before), ("after", self.after)):
            lines += [f"#   {name + ':':7} {line}" for line in _shown(outcome, self)]
        return "\n".join(lines)


def _shown(outcome: Outcome, example: Counterexample) -> list[str]:
    """How a run ended, and the aspect in question if that does not tell it."""
    ended = {"ok": f"-> {outcome.value}", "raised": f"raises {': '.join(outcome.exception or ())}"}
    lines = [ended.get(outcome.status, f"ended with {outcome.status}: {outcome.detail}")]
    if outcome.stdout or example.aspect == "standard output":
        lines.append(f"prints {outcome.stdout!r}")
    if outcome.stderr or example.aspect == "standard error":
        lines.append(f"writes to standard error {errors(outcome.stderr)!r}")
    if example.aspect == "arguments after the call":
        lines.append(f"arguments after the call: {', '.join(outcome.arguments)}")
    if example.aspect == "globals":
        lines.append(f"globals: {outcome.globals}")
    if _shown_alike(example.before, example.after):
        other = example.after if outcome is example.before else example.before
        lines.append(f"in detail: {_apart(json.loads(outcome.snapshot), json.loads(other.snapshot))}")
    return lines


def _apart(own: Any, other: Any) -> str:
    """Where a description first parts from another: the part of it that the other has not.

    >>> _apart(["list", 0, [["int", "1"], ["int", "2"]]], ["list", 0, [["int", "1"]]])
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
    # A part whose kind differs is shown with its kind.
    return _apart(left, right) if isinstance(left, list | dict) and type(left) is type(right) else json.dumps(own)


def _shown_alike(before: Outcome, after: Outcome) -> bool:
    """Whether texts alone do not show the difference, as with `[a, a]` and two equal lists."""
    return replace(before, snapshot="") == replace(after, snapshot="")
