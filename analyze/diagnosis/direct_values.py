"""Reads the value that an output predicts where the model wrote no trace: models and harnesses ask for many forms.

What a model thinks, up to `</think>` or `[/THOUGHT]`, is no answer. The rules are tried in order, and the last
occurrence counts:

1. a block: `[ANSWER]`, `[OUTPUT]`, `<answer>`, `<output>`, in upper or lower case;
2. a JSON object with a field "answer", alone or in prose (ZeroEval's form);
3. LaTeX's `\\boxed{…}`;
4. an assertion or comparison `call == value`;
5. a line "Answer: value";
6. a fenced code block that is one literal;
7. the whole output, if it is one line or one literal.

A block may hold a statement about the call (`analyze.diagnosis.stated_value`) or the value alone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from analyze.diagnosis.answers import same_value
from analyze.diagnosis.stated_value import compared_value, stated_value, without_fence
from corpora.literals import literal_value

_ANSWER_FIELD = re.compile(r'\{[^{}]*"answer"\s*:')
_ANSWER_LINE = re.compile(r"(?:final )?answer(?: is)?[*`]*\s*:[*`]*\s*(.+)", re.IGNORECASE)
_FENCE = re.compile(r"```[\w+-]*\n(.*?)```", re.DOTALL)
_THOUGHT_ENDS = ("</think>", "[/THOUGHT]")
_UNFINISHED_THOUGHT = re.compile(r"\s*(?:<think>|\[THOUGHT\])")
_BLOCKS = ("[ANSWER]", "[OUTPUT]", "<answer>", "<output>")
"""Their beginnings, in upper or lower case."""
_BOX = r"\boxed{"
_LATEX_TEXT = re.compile(r"\\(?:text|texttt|mathrm|mathtt|textbf)\s*\{(.*)\}", re.DOTALL)
_LATEX_ESCAPE = re.compile(r"\\([{}_#%&$])")
WHOLE = "whole output"
"""The rule of an output that is the value itself."""
_LONGEST = 1 << 20
"""Characters; a longer output has no value that could be read."""


@dataclass(frozen=True)
class DirectValue:
    """The value that an output predicts.

    Attributes:
        text: the value as the model wrote it, usually a repr.
        rule: what it was read from.
    """

    text: str
    rule: str


def read_value(output: str) -> DirectValue | None:
    """The predicted value; None if no rule applies.

    >>> read_value('I think so.\\n{"reasoning": "...", "answer": "[1, 2]"}').text
    '[1, 2]'
    >>> read_value("assert f('a') == 'A'").text, read_value("I do not know.\\nSorry.")
    ("'A'", None)
    """
    if len(output) > _LONGEST:
        return None
    answer = without_thought(output)
    if _UNFINISHED_THOUGHT.match(answer):
        return None
    for rule, read in _RULES.items():
        text = read(answer)
        if text is not None:
            return DirectValue(text, rule)
    return None


def answer_text(output: str) -> str:
    """The content of the last block of an output, or without one the whole output, both without what it thinks.

    >>> answer_text("Lines 1 and 2. <ANSWER>[1, 2]</ANSWER>"), answer_text("<think>[1]</think>[1, 2]")
    ('[1, 2]', '[1, 2]')
    """
    answer = without_thought(output)
    found = (_block_content(answer, opening) for opening in _BLOCKS)
    return without_fence(next((text for text in found if text is not None), answer))


def without_thought(output: str) -> str:
    """What follows the thoughts of an output; the whole output if it has none, or they do not end."""
    return output[max(output.rfind(end) + len(end) if end in output else 0 for end in _THOUGHT_ENDS) :]


def is_same_value(reference: str, value: str) -> bool:
    """Whether a value is the reference: equal value and type, or an unquoted string with the same characters."""
    if same_value(reference, value):
        return True
    if value.endswith(".") and same_value(reference, value[:-1]):
        return True  # the end of a sentence
    return string_value(reference) == value


def string_value(text: str) -> str | None:
    """The value of a text that is the literal of a string; None for any other."""
    try:
        found = literal_value(text)
    except ValueError:
        return None
    return found if isinstance(found, str) else None


def _json_answer(output: str) -> str | None:
    """The field "answer" of the last JSON object that has one: a string as it is, be it empty, or else its repr."""
    for match in reversed(list(_ANSWER_FIELD.finditer(output))):
        try:
            found, _ = json.JSONDecoder(strict=False).raw_decode(output, match.start())
        except (ValueError, RecursionError):
            continue
        answer = found["answer"]
        return answer if isinstance(answer, str) else repr(answer)
    return None


def _block(output: str, opening: str) -> str | None:
    """The value in the last block of a kind."""
    content = _block_content(output, opening)
    return None if content is None else stated_value(content) or None


def _block_content(output: str, opening: str) -> str | None:
    """The content of the last block of a kind: complete, or else without its end or its beginning."""
    start, end = (rf"(?i:{re.escape(mark)})" for mark in (opening, f"{opening[0]}/{opening[1:]}"))
    found = re.findall(rf"{start}((?:(?!{start}).)*?){end}", output, re.DOTALL)
    if found:
        return str(found[-1])
    parts = re.split(start, output)
    if len(parts) > 1:
        return parts[-1]
    parts = re.split(end, output)
    return parts[0].strip().rpartition("\n")[2] if len(parts) > 1 else None


def _boxed(output: str) -> str | None:
    r"""The content of the last complete `\boxed{…}`, without LaTeX's markup of text and its escapes."""
    start = output.rfind(_BOX)
    depth, content = 0, output[start + len(_BOX) :] if start >= 0 else ""
    for place, character in enumerate(content):
        escaped = place > 0 and content[place - 1] == "\\"
        depth += 0 if escaped else {"{": 1, "}": -1}.get(character, 0)
        if depth < 0:
            inner = content[:place].strip().strip("$").strip()
            text = _LATEX_TEXT.fullmatch(inner)
            return stated_value(_LATEX_ESCAPE.sub(r"\1", text[1] if text else inner)) or None
    return None


def _comparison(output: str) -> str | None:
    """The value in the last line that is an assertion or comparison of a call."""
    lines = (line.strip().strip("`") for line in reversed(output.splitlines()) if "==" in line)
    return next((value for line in lines if (value := compared_value(line)) is not None), None)


def _answer_line(output: str) -> str | None:
    found = _ANSWER_LINE.findall(output)
    return found[-1].strip().strip("`*").strip() or None if found else None


def _fenced(output: str) -> str | None:
    return next((text for found in reversed(_FENCE.findall(output)) if is_literal(text := found.strip())), None)


def _whole(output: str) -> str | None:
    text = output.strip().strip("`").strip()
    return text if text and ("\n" not in text or is_literal(text)) else None


def is_literal(text: str) -> bool:
    """Whether a text is a Python literal."""
    try:
        literal_value(text)
    except ValueError:
        return False
    return True


_RULES: dict[str, Callable[[str], str | None]] = {
    **{f"{opening} block": partial(_block, opening=opening) for opening in _BLOCKS},
    'JSON field "answer"': _json_answer,
    r"\boxed": _boxed,
    "comparison": _comparison,
    '"Answer:" line': _answer_line,
    "code block": _fenced,
    WHOLE: _whole,
}
