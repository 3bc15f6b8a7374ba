"""Readable names for the temporaries of a finished rewrite: `characters`, `length`, `is_upper`, `lines`.

A name says what the calls showed in the variable, what computes it (`rewrite.passes.cleanup.operation_words`), or what
it is used for. A string or list that is computed from a variable which nothing reads any more is that variable's new
value, unless it is a part of it: `text = text.lower()`. Two temporaries with the same word share a variable if they are
not live at the same time and have values of one type, and lists only if they are made of one variable; otherwise both
are named after their operands too, or the second one gets a number. A temporary that a nested function, a generator
expression or a `del` mentions keeps its name. The caller counts what the names cost.
"""

from __future__ import annotations

import ast
import builtins
import re
import tokenize
from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import StringIO
from itertools import combinations, count, pairwise
from typing import TypeGuard

from analyze.gold_trace.trace import Trace
from corpora.literals import parse_literal
from rewrite.analysis.legality import FunctionLocals, read_locals
from rewrite.anf.names import TEMPORARY, ModuleNames
from rewrite.passes.cleanup.name_mentions import (
    AnyFunction,
    Renames,
    apply_renames,
    functions_with_locals,
    own_nodes,
)
from rewrite.passes.cleanup.operation_words import (
    ORDINALS,
    class_word,
    extreme_words,
    label_words,
    object_of,
    operand_word,
    operation_words,
    role_words,
)
from rewrite.passes.cleanup.temporary_reuse import LiveInterval, LiveIntervals, shown_values
from rewrite.syntax.expression_shape import Shape, shape_of

Observed = Mapping[tuple[int, str], Sequence[object]]
"""By line of the `def` (0: the module) and name of a variable, its values in traces; of a variable of the program, only
the last one. Where the repr is no literal, a value is a `ClassInstance` or missing."""
_NUMBERS = (int, float, complex)
_NOUNS = {bool: "flag", int: "number", str: "part", list: "items", set: "items", tuple: "group", dict: "table"}
_KEPT_TYPES = (str, list)
"""Types of values that may take the place of the value that they are computed from."""
_UNUSED = frozenset({"_"})
"""The name of a loop variable that nothing reads."""
LONGEST = 24
"""Characters of the longest name that is made from two words."""


@dataclass(frozen=True)
class ClassInstance:
    """A value whose repr is no literal but a call of its class, which gives the word for it."""

    word: str


def observed_variables(traces: Iterable[Trace]) -> Observed:
    """The values of variables that the states of traces show."""
    shown: dict[tuple[int, str], dict[str, None]] = {}
    for place, text in shown_values(traces):
        known = shown.setdefault(place, {})
        if not TEMPORARY.fullmatch(place[1]):
            known.clear()
        known[text] = None
    return {place: list(_values(texts)) for place, texts in shown.items()}


def _values(texts: Iterable[str]) -> Iterator[object]:
    for text in texts:
        try:
            yield parse_literal(text)
        except ValueError:
            yield from map(ClassInstance, filter(None, [class_word(text)]))


def _kind(value: object) -> type:
    return int if isinstance(value, _NUMBERS) and not isinstance(value, bool) else type(value)


def _list_nesting(value: object) -> int:
    """0 for a value that is no list, 1 for a list, 2 for one of lists."""
    return 1 + max(map(_list_nesting, value), default=0) if isinstance(value, list) else 0


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
    names, parameters = _NamesInUse(text, tree), dict(_parameters(tree))
    for node, variables in functions_with_locals(tree, read_locals(text)):
        shown = {name: values for (line, name), values in observed.items() if line == node.lineno}
        labels = {} if brief else label_words(node, parameters)
        renames |= _Naming(node, shown, variables, names.of(node), labels, brief=brief).renames()
    return _without_copies(apply_renames(text, renames), text)


def _parameters(tree: ast.Module) -> Iterator[tuple[str, list[str]]]:
    """The names of the module's functions, each with its positional parameters."""
    for node in tree.body:
        if isinstance(node, AnyFunction):
            yield node.name, [one.arg for one in (*node.args.posonlyargs, *node.args.args)]


class _NamesInUse:
    """The names that mean something in a function: those of the outermost function around it, and of the module."""

    def __init__(self, text: str, tree: ast.Module) -> None:
        self._words = list(_identifiers(text, tree))
        inside: set[int] = set()
        self._outermost: list[AnyFunction] = []
        for node in ast.walk(tree):  # outer ones first
            if isinstance(node, AnyFunction) and node.lineno not in inside:
                self._outermost.append(node)
                inside.update(_lines(node))
        defined = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
        definitions = {node.name for node in ast.walk(tree) if isinstance(node, defined)}
        self._global = {word for line, word in self._words if line not in inside} | definitions
        read = {node.id for node in ast.walk(tree) if _is_read(node)}
        self._free = _UNUSED - read  # a soft keyword, but a name

    def of(self, function: AnyFunction) -> frozenset[str]:
        """The names that no temporary of a function may get."""
        around = next(node for node in self._outermost if function.lineno in _lines(node))
        words = {word for line, word in self._words if line in _lines(around)}
        words |= {node.id for node in ast.walk(around) if isinstance(node, ast.Name)}  # in f-strings before Python 3.12
        return ModuleNames(" ".join(sorted(words | self._global)), readable=True).taken - self._free


def _lines(node: AnyFunction) -> range:
    return range(node.lineno, (node.end_lineno or node.lineno) + 1)


def _identifiers(text: str, tree: ast.Module) -> Iterator[tuple[int, str]]:
    """The names in the source, each with its line, without those of attributes and keywords and words of strings."""
    tokens = list(tokenize.generate_tokens(StringIO(text).readline))
    keywords = {(node.lineno, node.col_offset, node.arg) for node in ast.walk(tree) if isinstance(node, ast.keyword)}
    for before, token in pairwise([None, *tokens]):
        if token is None or token.type != tokenize.NAME or (before is not None and before.string == "."):
            continue
        if not token.line.isascii() or (*token.start, token.string) not in keywords:  # `ast` counts bytes
            yield token.start[0], token.string


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
    names = {one.id for one in ast.walk(node) if _is_read(one) and one not in called}
    return names - vars(builtins).keys()


def _is_copy_to_itself(node: ast.Assign) -> bool:
    match node:
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Name(id=same)):
            return name == same
    return False


class _Naming:
    """Names the temporaries of one function."""

    def __init__(
        self,
        function: AnyFunction,
        observed: Mapping[str, Sequence[object]],
        variables: FunctionLocals,
        taken: frozenset[str],
        labels: Mapping[str, str],
        *,
        brief: bool,
    ) -> None:
        self._brief, self._labels = brief, labels
        self._lives, self._definitions = LiveIntervals.of(function), _definitions(function)
        self._roles, self._taken = role_words(function), taken
        self._observed = {
            name: [one for one in values if not isinstance(one, ClassInstance)] for name, values in observed.items()
        }
        made = ((name, one) for name, values in observed.items() for one in values)
        self._classes = {name: one.word for name, one in made if isinstance(one, ClassInstance)}
        self._renamable = variables.renamable
        self._loops = [node for node in own_nodes(function) if isinstance(node, ast.For | ast.AsyncFor | ast.While)]
        calls = [node.func for node in own_nodes(function) if isinstance(node, ast.Call)]
        methods = [(node.attr, node.value) for node in calls if isinstance(node, ast.Attribute)]
        self._counting = sum(name == "count" for name, _ in methods)
        self._reversed = {on.id for name, on in methods if name == "reverse" and isinstance(on, ast.Name)}
        self._appended = {item.id: whole for item, whole in _appended(function) if isinstance(item, ast.Name)}
        self._made = object_of(function.name) if isinstance(function, ast.FunctionDef) else ""
        returns = [node.value for node in own_nodes(function) if isinstance(node, ast.Return)]
        self._returned = {value.id for value in returns if isinstance(value, ast.Name)}
        self._rounded = set(filter(None, map(_rounded, returns)))
        self._collected = {whole.id: item for item, whole in _appended(function)}
        self._selected = frozenset(_selections(self._loops))
        self._read = {node.id for node in ast.walk(function) if _is_read(node)}
        self._last_lines: dict[str, int] = {}
        for node in ast.walk(function):
            if isinstance(node, ast.Name):
                self._last_lines[node.id] = max(node.lineno, self._last_lines.get(node.id, 0))
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
            self._busy[new], self._shapes[new] = life.last, self._shape(old)
            self._operands[new] = self._operand(old)
            found |= {(name.lineno, name.col_offset): (old, new) for name in life.mentions}
        return found

    def _alike(self, lives: Mapping[str, LiveInterval]) -> dict[str, str]:
        """The temporaries that need another name than one of the same word, each with what tells it from the others.

        They do if they are live together, and lists that are made of different variables anyway. A variable that it is
        made of tells a temporary from the others; where like operations make them of the same, their order does.
        """
        words = {old: self._words(old)[0] for old in lives}
        variables = {old: self._variable(old) or _without_temporary(self._operand(old)) for old in lives}
        pairs = (
            {one, other}
            for one, other in combinations(lives, 2)
            if words[one] == words[other] and "" != variables[one] != variables[other] != ""
            if self._kind(one) is list or lives[one].overlaps(lives[other])
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
        match self._definitions[name]:
            case [definition] if _is_computed(definition):
                return shape_of(definition)
        return ()  # also where an annotated assignment or `:=` makes it

    def _variable(self, name: str, known: frozenset[str] = frozenset()) -> str:
        """The only variable of the program that a temporary is computed from; "" if there is none or another one.

        known: the temporaries that are computed from it.
        """
        definition = next(iter(self._definitions.get(name, ())), None)
        if name not in self._lives.found or not isinstance(definition, ast.expr):
            return name
        known |= {name}
        found = {self._variable(one, known) for one in _operand_names(definition) - known}
        return found.pop() if len(found) == 1 else ""

    def _kind(self, name: str) -> type | None:
        kinds = {_kind(value) for value in self._observed.get(name, ()) if value is not None}
        return kinds.pop() if len(kinds) == 1 else None

    def _shape(self, name: str) -> tuple[type | None, int]:
        """What values that share a variable have in common: their type, and how deeply lists are nested."""
        return self._kind(name), max(map(_list_nesting, self._observed.get(name, ())), default=0)

    def _name(self, old: str, life: LiveInterval, apart: str) -> str:
        shape = self._shape(old)

        def is_free(name: str) -> bool:
            return self._busy[name] < life.first and self._shapes.get(name, shape) == shape

        operand = self._replaced(old)
        if operand and is_free(operand):
            return operand
        bases = [word for word in self._words(old) if word.isidentifier()]
        numbered = (f"{bases[0]}_{number}" for number in count(2))
        own = [f"{apart}_{bases[0]}"] if apart and len(apart) + len(bases[0]) < LONGEST else []
        names = [own, self._of_same_operand(old, bases), bases, numbered]
        return next(name for some in names for name in some if name not in self._taken and is_free(name))

    def _of_same_operand(self, old: str, words: Sequence[str]) -> list[str]:
        """The words that name no list of another variable: `characters` of one string, then `suffix_characters`."""
        operand = self._operand(old)
        if self._kind(old) is not list or not operand:
            return []
        return [word for word in words[:-1] if self._operands.get(word, operand) in ("", operand)]

    def _operand(self, old: str) -> str:
        computed = [one for one in self._definitions[old] if isinstance(one, ast.expr)]
        operand = operand_word(self._joined(computed[0])) if computed else ""
        return self._named.get(operand, operand)

    def _replaced(self, old: str) -> str:
        """The variable whose value a temporary replaces; "" if there is none."""
        definition = next(iter(self._definitions[old]), None)
        operand = _transformed(definition) if isinstance(definition, ast.expr) else ""
        if self._kind(old) not in _KEPT_TYPES or self._kind(operand) is not self._kind(old):
            return ""
        assert isinstance(definition, ast.expr)
        if operand in self._named:
            new = self._named[operand]
            return new if new in self._renamable or not isinstance(definition, ast.BinOp) else ""
        is_last = self._last_lines[operand] <= (definition.end_lineno or 0)
        return operand if is_last and operand in self._renamable and not self._loops_around(definition) else ""

    def _loops_around(self, node: ast.expr) -> list[ast.stmt]:
        """The loops in whose body or test a node is."""
        return [
            one
            for one in self._loops
            if one.lineno <= node.lineno <= (one.body[-1].end_lineno or 0) and not _heads(one, node)
        ]

    def _starts_in_loop(self, definitions: Sequence[Definition]) -> bool:
        """Whether the first assignment is in more loops than the last one, which is after the loop or in its `else`."""
        assigned = [one for one in definitions if isinstance(one, ast.expr)]
        depths = [len(self._loops_around(one)) for one in assigned]
        return bool(depths) and depths[0] > depths[-1]

    def _words(self, old: str) -> list[str]:
        """Words for a temporary, the best first."""
        values, definitions = self._observed.get(old, ()), self._definitions[old]
        noun = _NOUNS.get(self._kind(old) or object, "value")
        if self._brief:
            return [noun]
        loops = [_iterated(one, old) for one in definitions if isinstance(one, ast.For)]
        if loops and old not in self._read:
            return [*_UNUSED, "index"]
        if loops:
            codes = ["code"] if self._roles.get(old) == "code" else []
            found = [*filter(None, map(self._singular, loops)), *codes]
            if not values and any(self._kind(_name(one)) is str for one in loops):
                found.append("character")
            return [*found, *_of_loop(loops, values)]
        computed = [one for one in definitions if isinstance(one, ast.expr) and not isinstance(one, _PLAIN)]
        best = self._joined(computed[0]) if computed else None
        by_operation = operation_words(best, next(iter(values), None)) if best is not None else []
        if by_operation[:1] == ["count"] and self._counting > 1:
            by_operation = by_operation[1:] or by_operation
        by_start = _of_first_value(definitions, values, is_inner=self._starts_in_loop(definitions))
        if by_start == "items" and old in self._selected:
            by_start = "kept"
        by_value = by_type = _of_list(values)
        if by_operation in _SAYS_MORE or (by_value in _WEAK and (by_operation or by_start == "kept")):
            by_value = ""  # what makes the list says more
        if by_start == "items" and old in self._returned and self._made and self._made not in self._taken:
            by_value = self._made
        elif by_start == "items" and by_value in ("", "numbers", "pieces") and old in self._collected:
            value = next((item for shown in values if isinstance(shown, list) for item in shown), None)
            other = "result" if by_value != "pieces" and old in self._returned else by_value
            by_value = _plural(self._collected[old], value) or other
        use = self._roles.get(old, "")
        named_by_use = best is None or isinstance(best, _ARITHMETIC) or use in ("path", "template")
        named_by_use &= by_operation != ["last_index"]
        role = _role_words(use, best) if named_by_use else []
        by_list = "" if by_start else self._of_list_item(old, best, by_operation)
        by_function = self._made if old in self._rounded and self._made not in self._taken else ""
        words = [by_list, by_function, by_value, by_start, *role, *by_operation]
        if by_list in _OF_ANY and by_operation != ["result"]:
            words = [*words[1:], by_list]
        by_class = "" if best is None or _object_of_call(best) else self._classes.get(old, "")
        by_loop = use if use in extreme_words() else ""
        found = list(filter(None, [self._labels.get(old, ""), by_loop, by_class, *words]))
        return [*found, *self._qualified(best, found), *filter(None, [by_type, noun])]

    def _of_list_item(self, old: str, computed: ast.expr | None, by_operation: Sequence[str]) -> str:
        """The word for an item of a list, or one that becomes an item: `price` of `prices`, a `row` of other lists."""
        match computed:
            case ast.Subscript(value=ast.Name() as whole, slice=index) if not isinstance(index, ast.Slice):
                ordinal = next((word for word in by_operation[:1] if word in (*ORDINALS, "last")), "")
            case _ if old in self._appended:
                whole, ordinal = self._appended[old], ""
            case _:
                return ""
        item = self._singular(whole) or ("row" if self._kind(old) is list else "")
        return f"{ordinal}_{item}" if ordinal and item else item

    def _joined(self, computed: ast.expr) -> ast.expr:
        """What gives the characters that an expression joins: a slice or a conversion; any other expression itself."""
        match computed:
            case ast.Call(ast.Attribute(ast.Constant(value=""), "join"), [ast.Subscript(slice=ast.Slice()) as part]):
                return part
            case ast.Call(func=ast.Attribute(value=ast.Constant(value=""), attr="join"), args=[ast.Name(id=name)]):
                match self._definitions.get(name):
                    case [ast.Call(func=ast.Name(id="list"), args=[ast.Call(func=ast.Name(id="map"))]) as converted]:
                        return converted
                if name in self._reversed:
                    return _BACKWARDS
        return computed

    def _qualified(self, best: ast.expr | None, found: Sequence[str]) -> Iterator[str]:
        operand = operand_word(best) if best is not None else ""
        operand = self._named.get(operand, operand)
        name = f"{operand}_{(*found, '')[0]}"
        if operand and found and not operand.endswith(found[0]) and len(name) <= LONGEST:
            yield name

    def _singular(self, iterated: ast.expr) -> str:
        """The name of an item of a list with a plural name or of a part of it, and of a dict; "" for any other."""
        if isinstance(iterated, ast.Subscript) and isinstance(iterated.slice, ast.Slice):
            iterated = iterated.value
        name = iterated.id if isinstance(iterated, ast.Name) else ""
        kind, name = self._kind(name), self._named.get(name, name)
        if kind in (list, tuple) and len(name) > 3 and name.endswith("s") and not name.endswith("ss"):
            return _PLURAL_ENDING.sub("", name)
        return "key" if kind is dict else ""


def _iterated(loop: ast.For, name: str) -> ast.expr:
    """What gives a variable of a loop its values: of the item in `for index, item in enumerate(a)`, `a`."""
    match loop:
        case ast.For(
            target=ast.Tuple(elts=[_, ast.Name(id=item)]),
            iter=ast.Call(func=ast.Name(id="enumerate"), args=[numbered, *_]),
        ) if item == name:
            return numbered
    return loop.iter


def _appended(node: ast.AST) -> Iterator[tuple[ast.expr, ast.Name]]:
    """What is appended to a list, with the list."""
    for part in own_nodes(node):
        match part:
            case ast.Call(ast.Attribute(value=ast.Name() as whole, attr="append"), [item]):
                yield item, whole


def _plural(item: ast.expr, value: object) -> str:
    """The word for a list of what an expression computes: `lengths`, `rounded`, the `prices` of `get_price`.

    Args:
        item: The expression.
        value: One of its values.
    """
    words = operation_words(item, value)
    if words and words[0].endswith("ed") and words[0] != "combined":  # says what was done to the items
        return words[0]
    match item:
        case ast.Call(func=ast.Name(id="len" | "ord")):
            return f"{words[0]}s"
        case ast.BinOp() if isinstance(value, _NUMBERS) and words:
            return f"{words[0]}s"
    made = _object_of_call(item)
    return f"{made}s" if made else ""


def _object_of_call(node: ast.expr) -> str:
    match node:
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
            return object_of(name)
    return ""


def _selections(loops: Iterable[ast.stmt]) -> Iterator[str]:
    """The lists to which a loop appends only those of its items that pass a test."""
    for loop in loops:
        match loop:
            case ast.For(target=ast.Name(id=item), body=[*_, ast.If(body=[ast.Expr() as added], orelse=[])]):
                yield from (whole.id for one, whole in _appended(added) if isinstance(one, ast.Name) and one.id == item)


def _is_read(node: ast.AST) -> TypeGuard[ast.Name]:
    return isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Store)


def _role_words(role: str, computed: ast.expr | None) -> list[str]:
    match computed:
        case ast.BinOp(op=ast.Add(), right=ast.Constant(value=1)) if role:
            return [role, f"next_{role}"]
    return [role]


def _heads(loop: ast.stmt, node: ast.expr) -> bool:
    """Whether a node is in the iterable of a loop, which is evaluated once."""
    return isinstance(loop, ast.For | ast.AsyncFor) and any(one is node for one in ast.walk(loop.iter))


_PLAIN = (ast.Constant, ast.Name)
_PLURAL_ENDING = re.compile(r"(?:(?<=x)e|(?<=ss|sh)e|(?<=[^a]ch)e)?s$")
"""The ending of a plural: "es" in `indexes` and `branches`, "s" in `caches` and `prices`."""
_SAYS_MORE = (["words"], ["lines"], ["pieces"], ["ordered"], ["backwards"], ["rest"], ["head", "part"], ["part"])
"""Words for the operation that makes a list which say more than what its items are."""
_WEAK = ("pieces", "numbers", "rows", "pairs", "groups")
"""Words for a list of values of one type."""
_OF_ANY = ("item", "number", "piece", "group")
"""Items of a list whose name says only their type."""
_BACKWARDS = ast.parse("[][::-1]", mode="eval").body
_ARITHMETIC = (ast.BinOp, ast.UnaryOp, ast.IfExp)


def _rounded(value: ast.expr | None) -> str:
    """The variable whose rounded value an expression is; "" if it is another expression."""
    match value:
        case ast.Call(ast.Name(id="round"), [ast.Name(id=name), *_]):
            return name
    return ""


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


Definition = ast.expr | ast.AugAssign | ast.For | None
"""What gives a variable a value: an assigned expression, an augmented assignment, a loop; None for anything else."""


def _definitions(function: AnyFunction) -> dict[str, list[Definition]]:
    found: dict[str, list[Definition]] = defaultdict(list)
    for node in own_nodes(function):
        match node:
            case ast.Assign(value=value):
                for target in node.targets:
                    _add(found, target, value if isinstance(target, ast.Name) else None)
            case ast.AugAssign(target=ast.Name(id=name)):
                found[name].append(node)
            case ast.For(target=target):
                _add(found, target, node)
    return found


def _add(found: dict[str, list[Definition]], target: ast.expr, how: Definition) -> None:
    for node in ast.walk(target):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found[node.id].append(how)


def _of_loop(loops: Sequence[ast.expr], values: Sequence[object]) -> list[str]:
    if values and all(isinstance(value, str) for value in values):
        return ["character" if all(len(str(value)) == 1 for value in values) else "piece"]
    whole = all(type(value) is int for value in values)
    counted = any(isinstance(one, ast.Call) and _name(one.func) in ("range", "enumerate") for one in loops)
    return ["index", "position", "place"] if whole and counted else ["item"]


def _of_first_value(definitions: Sequence[Definition], values: Sequence[object], *, is_inner: bool) -> str:
    """The word for a variable that later statements change: what they make of a constant, a list, or a first piece.

    Args:
        definitions: What gives the variable a value.
        values: Its values.
        is_inner: Whether the first assignment is in more loops than the last one.
    """
    first, *others = definitions or [None]
    steps = [one.value for one in others if isinstance(one, ast.AugAssign)]
    match first:
        case ast.List(elts=[]):
            return "items"
        case ast.Constant(value=bool(start)) if not any(map(_is_computed, others)):
            # True until something is False: it holds for all. False until something is True: it was found.
            return "holds" if start is not is_inner else "found"
        case ast.Constant(value=bool()):
            return "holds"  # what is compared at the end says less
        case ast.Constant(value=int()) if steps:
            return "count" if all(isinstance(one, ast.Constant) for one in steps) else "total"
        case ast.Constant(value=str()) if others:
            return "digits" if "".join(map(str, values)).isdecimal() else "joined"
        case ast.Subscript() if steps and all(isinstance(one, str) for one in values):
            return "joined"
    return ""


def _of_list(values: Sequence[object]) -> str:
    items = [item for value in values if isinstance(value, list) for item in value]
    if not items or not all(isinstance(value, list) for value in values):
        return ""
    kinds = {_kind(item) for item in items}
    if kinds == {tuple}:
        return "pairs" if {len(item) for item in items if isinstance(item, tuple)} == {2} else "groups"
    if kinds == {str}:
        return "characters" if all(len(str(item)) == 1 for item in items) else "pieces"
    if kinds == {list} and {_kind(inner) for item in items if isinstance(item, list) for inner in item} == {str}:
        return "groups"
    return {bool: "flags", int: "numbers", list: "rows"}.get(kinds.pop(), "") if len(kinds) == 1 else ""


def _is_computed(one: Definition) -> TypeGuard[ast.expr]:
    return isinstance(one, ast.expr) and not isinstance(one, ast.Constant)


def _name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else ""
