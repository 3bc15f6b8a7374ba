"""Short functions over a string or over a list of digits, with the same operations and about as many trace frames.

They make an experiment about strings possible: a function over a string has a control that does the same with a list,
whose items are visible to a tokenizer one by one. `substitute_letters` gives a string function a twin that differs in
the characters alone, and so in the tokens.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from random import Random
from string import ascii_lowercase

from corpora.generators.short_functions.function_body import FunctionBody, build_case
from corpora.generators.short_functions.strings import WORDS
from corpora.program import Case

Value = str | list[int]
DIGITS = range(10)
# Lists are shorter than strings, because an item of a list takes two tokens of a trace.
STRING_LENGTHS = (4, 9)
LIST_LENGTHS = (2, 6)


@dataclass(frozen=True)
class SequenceType:
    """The two types that a matched function works on.

    Attributes:
        name: "string" or "list".
        parameters: Names for a parameter of this type.
        empty: The literal of the empty sequence.
    """

    name: str
    parameters: tuple[str, ...]
    empty: str

    def draw(self, rng: Random, random_share: float) -> Value:
        """Draws a value: a list of digits; or a word, or random letters with probability `random_share`."""
        if self.name == "list":
            return [rng.choice(DIGITS) for _ in range(rng.randint(*LIST_LENGTHS))]
        if rng.random() < random_share:
            return "".join(rng.choices(ascii_lowercase, k=rng.randint(*STRING_LENGTHS)))
        return rng.choice([word for word in WORDS if STRING_LENGTHS[0] <= len(word) <= STRING_LENGTHS[1]])

    def item(self, rng: Random, value: Value, *, present: bool = False) -> str:
        """Returns the literal of an item, most often one of `value`; always if `present`."""
        if present or rng.random() < 0.75:
            return repr(rng.choice(value))
        return repr(rng.choice(ascii_lowercase) if self.name == "string" else rng.choice(DIGITS))

    def single(self, item: str) -> str:
        """Returns the source of a sequence with this item."""
        return item if self.name == "string" else f"[{item}]"


STRING = SequenceType("string", ("s", "t", "word", "text"), "''")
LIST = SequenceType("list", ("xs", "nums", "lst", "items"), "[]")
TYPES = {kind.name: kind for kind in (STRING, LIST)}


@dataclass(frozen=True)
class _Draft:
    """What an operation is drawn from: the parameter, its value, and the source of randomness."""

    rng: Random
    type: SequenceType
    name: str
    value: Value

    def choose(self, *forms: str) -> str:
        return self.rng.choice(forms)

    def item(self, *, present: bool = False) -> str:
        return self.type.item(self.rng, self.value, present=present)


def _slice(draft: _Draft) -> list[str]:
    low, high = draft.rng.randint(0, 2), draft.rng.randint(2, 5)
    forms = (f"{low}:{high}", f"{low + 1}:", f":{high}", "::-1", "::2", f"-{low + 1}:", f":-{low + 1}")
    return [f"r = {draft.name}[{draft.choose(*forms)}]"]


def _concatenation(draft: _Draft) -> list[str]:
    name, item = draft.name, draft.type.single(draft.item())
    return ["r = " + draft.choose(f"{name} + {item}", f"{item} + {name}", f"{name} * 2", f"{name}[:2] + {name}[-2:]")]


def _count(draft: _Draft) -> list[str]:
    name, item, other = draft.name, draft.item(), draft.item()
    forms = (f"{name}.count({item})", f"{name}.count({item}) + {name}.count({other})", f"len({name})")
    return ["r = " + draft.choose(*forms)]


def _index(draft: _Draft) -> list[str]:
    position = draft.rng.randrange(-len(draft.value), len(draft.value))
    return ["r = " + draft.choose(f"{draft.name}.index({draft.item(present=True)})", f"{draft.name}[{position}]")]


def _membership(draft: _Draft) -> list[str]:
    return [f"r = {draft.item()} {draft.choose('in', 'not in')} {draft.name}"]


def _comparison(draft: _Draft) -> list[str]:
    """Equality with the value itself, or with one item changed: never the order, which depends on the characters."""
    other = list(draft.value)
    if draft.rng.random() < 0.6:
        other[draft.rng.randrange(len(other))] = ast.literal_eval(draft.item())
    literal = repr("".join(map(str, other)) if draft.type is STRING else other)
    operator, cut = draft.choose("==", "!="), draft.rng.randint(1, 3)
    forms = (f"r = {draft.name} {operator} {literal}", f"r = {draft.name}[:{cut}] {operator} {literal}[:{cut}]")
    return [draft.choose(*forms)]


def _loop(draft: _Draft) -> list[str]:
    single = draft.type.single("x")
    start, step = draft.rng.choice(
        (("0", "r += 1"), (draft.type.empty, f"r += {single}"), (draft.type.empty, f"r = {single} + r"))
    )
    body = [f"    if x {draft.choose('==', '!=')} {draft.item()}:", f"        {step}"]
    return [f"r = {start}", f"for x in {draft.name}:", *(body if draft.rng.random() < 0.7 else [f"    {step}"])]


def _edit(draft: _Draft) -> list[str]:
    """A method of this type alone: its name and form differ between the types, its number of frames does not."""
    name, item, other = draft.name, draft.item(present=True), draft.item()
    if draft.type is STRING:
        forms = ("upper()", f"replace({item}, {other})", f"strip({item})", f"split({item})", f"partition({item})")
        return [f"r = {name}.{draft.choose(*forms)}"]
    return [draft.choose(f"r = sorted({name})", f"r = {name}.pop()", f"r = {name}.copy()", f"r = {name} + [{other}]")]


OPERATIONS: Mapping[str, Callable[[_Draft], list[str]]] = {
    "slice": _slice,
    "concatenation": _concatenation,
    "count": _count,
    "index": _index,
    "membership": _membership,
    "comparison": _comparison,
    "loop": _loop,
    "edit": _edit,
}


def matched_function(rng: Random, type_name: str, operation: str, *, random_share: float = 0.5) -> Case:
    """A random program `f` with one call.

    Args:
        rng: The only source of randomness: the same state gives the same program.
        type_name: "string" or "list".
        operation: A key of `OPERATIONS`.
        random_share: The share of strings that are random letters instead of words.

    Returns:
        A case with an empty id, whose kind is type and operation ("string slice"). It has no expected result.
    """
    kind = TYPES[type_name]
    value = kind.draw(rng, random_share)
    name = rng.choice(kind.parameters)
    lines = OPERATIONS[operation](_Draft(rng, kind, name, value))
    return build_case(FunctionBody((*lines, "return r"), {name: repr(value)}), f"{type_name} {operation}")


def matched_functions(seed: str, random_share: float) -> Iterator[Case]:
    """Programs of every type and operation, endlessly; a function of the seed."""
    rng = Random(seed)
    while True:
        yield matched_function(rng, rng.choice(list(TYPES)), rng.choice(list(OPERATIONS)), random_share=random_share)


def substitute_letters(case: Case, rng: Random) -> Case:
    """The same program with other characters: each letter in a string literal is replaced by another, one to one.

    Every count, position, length and equality stays the same. Only the characters and their tokens differ.

    >>> case = Case("", "def f(s):\\n    r = s.count('a')\\n    return r", "f('banana')")
    >>> substitute_letters(case, Random(0)).call
    "f('ymvmvm')"
    """
    cipher = dict(zip(ascii_lowercase, rng.sample(ascii_lowercase, len(ascii_lowercase)), strict=True))
    source, call = (_replace_literals(text, cipher) for text in (case.source, case.call))
    return Case(case.id, source, call, benchmark=case.benchmark, kind=case.kind)


def _replace_literals(source: str, cipher: Mapping[str, str]) -> str:
    """The source with the letters inside quotes replaced. Generated programs have no escapes and no other quotes."""
    parts = source.split("'")
    return "'".join("".join(cipher.get(char, char) for char in part) if i % 2 else part for i, part in enumerate(parts))
