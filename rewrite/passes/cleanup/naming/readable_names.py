"""Readable names for the temporaries of a finished rewrite: `characters`, `length`, `is_upper`, `lines`.

A name says what the calls showed in the variable, what computes it (`operation_words`), or what
it is used for. A string or list that is computed from a variable which nothing reads any more is that variable's new
value, unless it is a part of it: `text = text.lower()`. Two temporaries with the same word share a variable if they are
not live at the same time and have values of one type, and lists only if they are made of one variable; otherwise both
are named after their operands too, or the second one gets a number. A temporary that a nested function, a generator
expression or a `del` mentions keeps its name. The caller counts what the names cost.
"""

from __future__ import annotations

import ast
import builtins
from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from itertools import combinations, count

from rewrite.analysis.legality import read_locals
from rewrite.anf.names import TEMPORARY
from rewrite.passes.cleanup.live_intervals import LiveInterval, LiveIntervals
from rewrite.passes.cleanup.name_mentions import AnyFunction, Renames, apply_renames, functions_with_locals
from rewrite.passes.cleanup.naming.function_facts import FunctionFacts, is_computed, is_read
from rewrite.passes.cleanup.naming.names_in_use import NamesInUse
from rewrite.passes.cleanup.naming.operation_words import ORDINALS
from rewrite.passes.cleanup.naming.temporary_words import LONGEST, TemporaryWords
from rewrite.passes.cleanup.naming.usage_words import label_words
from rewrite.passes.cleanup.observed_values import Observed
from rewrite.syntax.expression_shape import Shape, shape_of

_KEPT_TYPES = (str, list)
"""Types of values that may take the place of the value that they are computed from."""


def name_temporaries(text: str, observed: Observed, *, brief: bool = False) -> tuple[str, list[int]]:
    """The source with readable names for temporaries, and the numbers (from 0) of the lines that remain.

    >>> before = "def f(a):\\n    _t0 = list(a)\\n    _t1 = _t0.index('b')\\n    return _t1 - 3\\n"
    >>> print(name_temporaries(before, {(1, "_t0"): [["a", "b"]]})[0], end="")
    def f(a):
        characters = list(a)
        index = characters.index('b')
        return index - 3

    Args:
        text: The source, in which temporaries do not share names.
        observed: The values of its variables.
        brief: Whether a value is named by its type only, so that more temporaries share a name.
    """
    renames: Renames = {}
    tree = ast.parse(text)
    names, parameters = NamesInUse(text, tree), dict(_parameters(tree))
    for node, variables in functions_with_locals(tree, read_locals(text)):
        facts = FunctionFacts(node, {name: shown for (line, name), shown in observed.items() if line == node.lineno})
        labels = {} if brief else label_words(node, parameters)
        words = TemporaryWords(facts, names.of(node), labels, brief)
        renames |= _Naming(words, variables.renamable).renames()
    return _without_copies(apply_renames(text, renames), text)


def _parameters(tree: ast.Module) -> Iterator[tuple[str, list[str]]]:
    """The names of the module's functions, each with its positional parameters."""
    for node in tree.body:
        if isinstance(node, AnyFunction):
            yield node.name, [one.arg for one in (*node.args.posonlyargs, *node.args.args)]


def _without_copies(text: str, before: str) -> tuple[str, list[int]]:
    """The source without the lines that have become `x = x`; one that is all of its block stays."""
    rows, old, nodes = text.split("\n"), before.split("\n"), list(ast.walk(ast.parse(text)))
    copies = {
        node.lineno - 1
        for node in nodes
        if isinstance(node, ast.Assign) and _is_copy_to_itself(node) and rows[node.lineno - 1] != old[node.lineno - 1]
    }
    blocks = (getattr(node, name, None) for node in nodes for name in ("body", "orelse", "finalbody"))
    lines = ([one.lineno - 1 for one in block] for block in blocks if isinstance(block, list))
    kept_copies = {block[0] for block in lines if block and copies.issuperset(block)}
    kept = [number for number in range(len(rows)) if number not in copies - kept_copies]
    return "\n".join(rows[number] for number in kept), kept


def _without_temporary(name: str) -> str:
    """The name, unless it is that of a temporary, which has no telling one yet."""
    return "" if TEMPORARY.fullmatch(name) else name


def _operand_names(node: ast.expr) -> set[str]:
    """The variables that an expression reads, without functions that it calls and names of builtins."""
    called = {call.func for call in ast.walk(node) if isinstance(call, ast.Call)}
    names = {one.id for one in ast.walk(node) if is_read(one) and one not in called}
    return names - vars(builtins).keys()


def _is_copy_to_itself(node: ast.Assign) -> bool:
    match node:
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Name(id=same)):
            return name == same
    return False


class _Naming:
    """Names the temporaries of one function, in the order in which they are bound."""

    def __init__(self, words: TemporaryWords, renamable: frozenset[str]) -> None:
        self._words, self._facts, self._renamable = words, words.facts, renamable
        self._lives = LiveIntervals.of(words.facts.function)
        self._named: dict[str, str] = {}
        self._busy: dict[str, int] = defaultdict(lambda: -1)  # until when
        self._shapes: dict[str, tuple[type | None, int]] = {}
        self._operands: dict[str, str] = {}

    def renames(self) -> Renames:
        found: Renames = {}
        lives = {name: life for name, life in self._lives.found.items() if name not in self._lives.pinned}
        ordered = sorted((item for item in lives.items() if item[0] in self._renamable), key=lambda item: item[1].first)
        alike = self._alike(dict(ordered))
        for old, life in ordered:
            new = self._named[old] = self._name(old, life, alike.get(old, ""))
            self._busy[new], self._shapes[new] = life.last, self._facts.shape(old)
            self._operands[new] = self._words.operand(old, self._named)
            found |= {(name.lineno, name.col_offset): (old, new) for name in life.mentions}
        return found

    def _alike(self, lives: Mapping[str, LiveInterval]) -> dict[str, str]:
        """The temporaries that need another name than one of the same word, each with what tells it from the others.

        They do if they are live together, and lists that are made of different variables anyway. A variable that it is
        made of tells a temporary from the others; where like operations make them of the same, their order does.
        """
        words = {old: self._words.of(old, self._named)[0] for old in lives}
        variables = {
            old: self._variable(old) or _without_temporary(self._words.operand(old, self._named)) for old in lives
        }
        pairs = (
            {one, other}
            for one, other in combinations(lives, 2)
            if words[one] == words[other] and "" != variables[one] != variables[other] != ""
            if self._facts.kind(one) is list or lives[one].overlaps(lives[other])
        )
        found = {old: variables[old] for pair in pairs for old in pair}
        like: dict[tuple[str, Hashable], list[str]] = defaultdict(list)
        for old in (one for one in lives if one not in found):
            like[words[old], self._computed_shape(old) or old].append(old)
        for (word, _), group in like.items():
            together = all(lives[one].overlaps(lives[other]) for one, other in combinations(group, 2))
            if 1 < len(group) <= len(ORDINALS) and together and word not in (*ORDINALS, "last"):
                found |= zip(group, ORDINALS, strict=False)
        return found

    def _computed_shape(self, name: str) -> Shape:
        """The shape of the operation that computes a temporary; () if none does, or several assign to it."""
        match self._facts.definitions.get(name):
            case [definition] if is_computed(definition):
                return shape_of(definition)
        return ()  # also where an annotated assignment or `:=` makes it

    def _variable(self, name: str, known: frozenset[str] = frozenset()) -> str:
        """The only variable of the program that a temporary is computed from; "" if there is none or another one.

        known: the temporaries that are computed from it.
        """
        definition = next(iter(self._facts.definitions.get(name, ())), None)
        if name not in self._lives.found or not isinstance(definition, ast.expr):
            return name
        known |= {name}
        found = {self._variable(one, known) for one in _operand_names(definition) - known}
        return found.pop() if len(found) == 1 else ""

    def _name(self, old: str, life: LiveInterval, apart: str) -> str:
        shape = self._facts.shape(old)

        def is_free(name: str) -> bool:
            return self._busy[name] < life.first and self._shapes.get(name, shape) == shape

        operand = self._replaced(old)
        if operand and is_free(operand):
            return operand
        bases = [word for word in self._words.of(old, self._named) if word.isidentifier()]
        numbered = (f"{bases[0]}_{number}" for number in count(2))
        own = [f"{apart}_{bases[0]}"] if apart and len(apart) + len(bases[0]) < LONGEST else []
        names = [own, self._of_same_operand(old, bases), bases, numbered]
        return next(name for some in names for name in some if name not in self._words.taken and is_free(name))

    def _of_same_operand(self, old: str, words: Sequence[str]) -> list[str]:
        """The words that name no list of another variable: `characters` of one string, then `suffix_characters`."""
        operand = self._words.operand(old, self._named)
        if self._facts.kind(old) is not list or not operand:
            return []
        return [word for word in words[:-1] if self._operands.get(word, operand) in ("", operand)]

    def _replaced(self, old: str) -> str:
        """The variable whose value a temporary replaces; "" if there is none."""
        definition = next(iter(self._facts.definitions.get(old, ())), None)
        operand = _transformed(definition) if isinstance(definition, ast.expr) else ""
        if self._facts.kind(old) not in _KEPT_TYPES or self._facts.kind(operand) is not self._facts.kind(old):
            return ""
        assert isinstance(definition, ast.expr)
        if operand in self._named:
            new = self._named[operand]
            return new if new in self._renamable or not isinstance(definition, ast.BinOp) else ""
        is_last = self._facts.last_lines[operand] <= (definition.end_lineno or 0)
        return operand if is_last and operand in self._renamable and not self._facts.loops_around(definition) else ""


def _transformed(node: ast.expr) -> str:
    """The variable that an expression copies, reverses, extends, replaces, or calls a method of; "" for any other."""
    match node:
        case ast.Name(id=name) | ast.Call(func=ast.Attribute(value=ast.Name(id=name))):
            return name
        case ast.BinOp(ast.Name(id=name), ast.Add()) | ast.IfExp(orelse=ast.Name(id=name)):
            return name
        case ast.Subscript(ast.Name(id=name), ast.Slice(lower=None, upper=None, step=None | ast.UnaryOp())):
            return name
    return ""
