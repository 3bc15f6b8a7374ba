"""Reads the value that an output predicts where the model wrote no trace: models and harnesses ask for many forms.

What a model thinks, up to `</think>` or `[/THOUGHT]`, is no answer. The rules are tried in order, and the last
occurrence counts:

1. a block: `[ANSWER]`, `[OUTPUT]`, `<answer>`, `<output>`, in upper or lower case;
2. a JSON object with a field "answer", alone or in prose (ZeroEval's form);
3. LaTeX's `\\boxed{…}`;
4. an assertion or comparison `call == value`;
5. a line "Answer: value";
6. a JSON object with a field "output" or "result", if it ends the output and no other one has such a field;
7. a fenced code block that is one literal;
8. a sentence "the answer is value", if the value is a literal;
9. the whole output, if it is one line or one literal.

A block may hold a statement about the call (`analyze.diagnosis.stated_value`) or the value alone.
"""

from __future__ import annotations

import ast
import builtins
import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import permutations

from analyze.diagnosis.answer_comparison import same_value
from analyze.diagnosis.stated_value import NO_VALUE, compared_value, stated_value, without_fence
from analyze.diagnosis.written_values import read_answer_value, read_repr
from corpora.literals import parse_literal, parse_quietly, parsed_expression
from corpora.outputs.marks import THOUGHT_START, last_block, marks_outside_strings, without_thought

_OBJECT = re.compile(r'\{\s*"')
_ANSWER_LINE = re.compile(r"(?:final )?answer(?: is)?[*`]*\s*:[*`]*\s*(.+)", re.IGNORECASE)
_ANSWER_SENTENCE = re.compile(r"\banswer is[*`]*\s+[*`]*(.+)", re.IGNORECASE)
_MARKUP_END = re.compile(r"([`*])[.!]\Z")
_FENCE = re.compile(r"```[\w+-]*\n(.*?)```", re.DOTALL)
_BLOCKS = ("[ANSWER]", "[OUTPUT]", "<answer>", "<output>")
"""Their beginnings, in upper or lower case."""
_BOX = r"\boxed{"
_BRACE = re.compile(r"(?<!\\)[{}]")
_LATEX_TEXT = re.compile(r"\\(?:text|texttt|mathrm|mathtt|textbf)\s*\{(.*)\}", re.DOTALL)
_LATEX_ESCAPE = re.compile(r"\\([{}_#%&$])")
_ANSWER, _RESULTS = "answer", ("output", "result")
"""The fields of a JSON object with the value. Programs often have variables of the latter names."""
_JSON = 'JSON field "answer"'
_JSON_RESULT = 'JSON field "output" or "result"'
_SEPARATED = re.compile(r"-?\d{1,3}(?:,\d{3})+(?:\.\d+)?")
"""A number with commas between its thousands."""
_QUOTED = re.compile(r"[rRbBuU]{0,2}['\"]")
_EXCEPTION = re.compile(r"(\w+)(?:\(.*\)|:.*)?", re.DOTALL)
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


def read_value(output: str, call: str = "") -> DirectValue | None:
    """The predicted value; None if no rule applies.

    Args:
        output: What the model wrote.
        call: The call under test (default: unknown, which reads statements about any call).

    >>> read_value('I think so.\\n{"reasoning": "...", "answer": "[1, 2]"}').text
    '[1, 2]'
    >>> read_value("assert f('a') == 'A'").text, read_value("I do not know.\\nSorry.")
    ("'A'", None)
    """
    if len(output) > _LONGEST:
        return None
    answer = without_thought(output)
    if THOUGHT_START.match(answer):
        return None
    for rule, read in _RULES.items():
        text = read(answer, call)
        if text is not None:
            return DirectValue(text, rule) if text != NO_VALUE or rule in (_JSON, _JSON_RESULT) else None
    return None


def grade_output(reference: str, output: str, call: str) -> tuple[DirectValue, bool] | None:
    """The value that an output predicts and whether it is the reference; None if no value can be read.

    Args:
        reference: The repr of the result.
        output: What the model wrote.
        call: The call under test.

    >>> grade_output("3", "Answer: 4", "f()"), grade_output("3", "Answer: 4 or so", "f()")
    ((DirectValue(text='4', rule='"Answer:" line'), False), None)
    """
    value = read_value(output, call)
    right = None if value is None else is_right(reference, value.text)
    if value and value.rule in (_JSON, _JSON_RESULT) and not right:
        for start, end, _ in _json_fields(output, (_ANSWER, *_RESULTS)):
            if is_same_value(reference, output[start:end]):
                return DirectValue(output[start:end], WHOLE), True  # a dict with such a key
    return None if value is None or right is None else (value, right)


def answer_text(output: str) -> str:
    """The content of the last block of an output, or without one the whole output, both without what it thinks.

    >>> answer_text("Lines 1 and 2. <ANSWER>[1, 2]</ANSWER>"), answer_text("<think>[1]</think>[1, 2]")
    ('[1, 2]', '[1, 2]')
    """
    answer = without_thought(output)
    found = (last_block(answer, opening) for opening in _BLOCKS)
    return without_fence(next((text for text in found if text is not None), answer))


def is_same_value(reference: str, value: str) -> bool:
    """Whether a value is the reference: equal value and type, or an unquoted string with the same characters."""
    if same_value(reference, value):
        return True
    if value.endswith(".") and same_value(reference, value[:-1]):
        return True  # the end of a sentence
    if _SEPARATED.fullmatch(value) and same_value(reference, value.replace(",", "")):
        return True
    return string_value(reference) == value


def is_right(reference: str, value: str) -> bool | None:
    """Whether a value is the reference; None if it is neither the reference nor known to be another value.

    Args:
        reference: The repr of the result.
        value: What was read from an output.

    >>> is_right("8", "7"), is_right("8", "7 (a prime)"), is_right("8", "sum([x])"), is_right("'8'", "a prime")
    (False, None, None, False)
    """
    if is_same_value(reference, value):
        return True
    return False if _is_read(reference, value) else None


def _is_read(reference: str, value: str) -> bool:
    """Whether a text is a value. Other values of a class are known by the notation of the reference only.

    >>> [_is_read("Counter({1: 2})", text) for text in ("Counter({2: 1})", "Counter('a')", "[1]", "KeyError")]
    [True, False, True, True]
    """
    found = read_answer_value(value)
    if found is not None:
        return found.notations <= getattr(read_repr(reference), "notations", frozenset())
    if _SEPARATED.fullmatch(value) or names_exception(value) or _begins_another(reference, value):
        return True
    return string_value(reference) is not None and not _is_code(value)


def _begins_another(reference: str, value: str) -> bool:
    """Whether a text is a literal without its end, which begins in another way than the reference.

    >>> [_begins_another("[1, 2]", text) for text in ("[1, 3, 3, 3,", "[1,", "[1, 2] since ['a", "since ['a")]
    [True, False, False, False]
    """
    if value[:1] not in tuple("'\"[({"):
        return False
    try:
        parse_quietly(value, "eval")
    except SyntaxError as error:
        is_open = "never closed" in error.msg or "unterminated" in error.msg
        return is_open and not any(one[1:].startswith(other[1:]) for one, other in permutations((reference, value)))
    except (ValueError, RecursionError, MemoryError):
        pass
    return False


def names_exception(text: str) -> bool:
    """Whether a text is the name of a builtin exception, perhaps with arguments or a message."""
    match = _EXCEPTION.fullmatch(text)
    known = getattr(builtins, match[1], None) if match else None
    return isinstance(known, type) and issubclass(known, BaseException)


def _is_code(text: str) -> bool:
    """Whether a text, which is no value, is an expression rather than a string without its quotes."""
    if _QUOTED.match(text):
        return True
    tree = parsed_expression(text)
    nodes = ast.walk(tree) if tree else ()
    return any(isinstance(node, ast.Call) or isinstance(getattr(node, "value", 0), str | bytes) for node in nodes)


def string_value(text: str) -> str | None:
    """The value of a text that is the literal of a string; None for any other."""
    try:
        found = parse_literal(text)
    except ValueError:
        return None
    return found if isinstance(found, str) else None


def _json_answer(output: str, call: str) -> str | None:
    """The field "answer" of the last JSON object that has one."""
    found = [text for _, _, text in _json_fields(output, (_ANSWER,))]
    return found[-1] if found else None


def _json_result(output: str, call: str) -> str | None:
    """The field "output" or "result" of a JSON object that ends the output; None if others have it, such as states."""
    found = list(_json_fields(output, _RESULTS))
    start, end, text = found[0] if len(found) == 1 else (0, 0, "")
    is_alone = not output[:start].rpartition("\n")[2].strip() and not output[end:].strip().strip("`")
    return text if len(found) == 1 and is_alone else None


def _json_fields(output: str, names: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    """Beginning and end of each JSON object with one of these fields, and the value: a string as it is, or its repr."""
    place, last = 0, max(output.rfind(f'"{name}"') for name in names) + 1
    while match := _OBJECT.search(output, place, last):
        start = match.start()
        place = start + 1
        try:
            found, end = json.JSONDecoder(strict=False).raw_decode(output, start)
        except (ValueError, RecursionError):
            continue
        name = next((name for name in names if name in found), None)
        if name:
            yield start, end, found[name] if isinstance(found[name], str) else repr(found[name])
            place = end


def _block(output: str, call: str, opening: str) -> str | None:
    """The value in the last block of a kind."""
    content = last_block(output, opening)
    return stated_value(content, call) if content and content.strip() else None


def _boxed(output: str, call: str) -> str | None:
    r"""The content of the last complete `\boxed{…}`, without LaTeX's markup of text and its escapes."""
    start = output.rfind(_BOX)
    content = output[start + len(_BOX) :] if start >= 0 else ""
    ends = (_closing_brace(braces) for braces in (marks_outside_strings(content, _BRACE), _BRACE.finditer(content)))
    end = next((end for end in ends if end is not None), None)
    if end is None:
        return None
    inner = content[:end].strip().strip("$").strip()
    text = _LATEX_TEXT.fullmatch(inner)
    return stated_value(_LATEX_ESCAPE.sub(r"\1", text[1] if text else inner), call) if inner else None


def _closing_brace(braces: Iterable[re.Match[str]]) -> int | None:
    """Where the brace is that closes one before the text; None without one."""
    depth = 0
    for brace in braces:
        depth += 1 if brace[0] == "{" else -1
        if depth < 0:
            return brace.start()
    return None


def _comparison(output: str, call: str) -> str | None:
    """The value in the last line that is an assertion or comparison of the call, or else of other arguments."""
    lines = [line.strip().strip("`") for line in reversed(output.splitlines()) if "==" in line]
    values = (compared_value(line, call, any_arguments=lenient) for lenient in (False, True) for line in lines)
    return next((value for value in values if value), None)


def answer_line(output: str, call: str = "") -> str | None:
    """The value in the last line "Answer: value"; None without one, NO_VALUE if it is about another value.

    Args:
        output: What the model wrote.
        call: The call under test (default: unknown).

    >>> answer_line("The answer is: `[1]`."), answer_line("**Answer:** f(1) == [1]", "f(1)")
    ('[1]', '[1]')
    """
    text = _last_plain(_ANSWER_LINE, output)
    return stated_value(text, call) if text else None


def _last_plain(pattern: re.Pattern[str], output: str) -> str:
    """The last occurrence of a pattern's group, without Markdown around it; "" without one."""
    found = pattern.findall(output)
    return _MARKUP_END.sub(r"\1", found[-1].strip()).strip("`*").strip() if found else ""


def _fenced(output: str, call: str) -> str | None:
    return next((text for found in reversed(_FENCE.findall(output)) if is_literal(text := found.strip())), None)


def _sentence(output: str, call: str) -> str | None:
    """The literal in the last sentence "the answer is literal", without its full stop."""
    text = _last_plain(_ANSWER_SENTENCE, output).removesuffix(".")
    return text if is_literal(text) else None


def _whole(output: str, call: str) -> str | None:
    text = output.strip().strip("`").strip()
    is_other = compared_value(text, call) == NO_VALUE
    return text if text and not is_other and ("\n" not in text or is_literal(text)) else None


def is_literal(text: str) -> bool:
    """Whether a text is a Python literal."""
    try:
        parse_literal(text)
    except ValueError:
        return False
    return True


_RULES: dict[str, Callable[[str, str], str | None]] = {
    **{f"{opening} block": partial(_block, opening=opening) for opening in _BLOCKS},
    _JSON: _json_answer,
    r"\boxed": _boxed,
    "comparison": _comparison,
    '"Answer:" line': answer_line,
    _JSON_RESULT: _json_result,
    "code block": _fenced,
    '"answer is" sentence': _sentence,
    WHOLE: _whole,
}
