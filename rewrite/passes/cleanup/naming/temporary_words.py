"""Words for a temporary: the program's own name for its value, its use, its value, the operation that computes it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from rewrite.passes.cleanup.naming.function_facts import FunctionFacts
from rewrite.passes.cleanup.naming.names_in_use import UNUSED
from rewrite.passes.cleanup.naming.operation_words import ORDINALS, operand_word, operation_words
from rewrite.passes.cleanup.naming.usage_words import extreme_words
from rewrite.passes.cleanup.naming.value_words import (
    NOUNS,
    first_value_word,
    list_word,
    loop_words,
    object_of_call,
    plural_word,
    variable_name,
)

LONGEST = 24
"""Characters of the longest name that is made from two words."""
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


@dataclass(frozen=True)
class TemporaryWords:
    """Words for the temporaries of a function.

    Attributes:
        facts: The function and its variables.
        taken: The names that no temporary may get.
        labels: By variable, the program's own name for its value.
        brief: Whether a value is named by its type only.
    """

    facts: FunctionFacts
    taken: frozenset[str]
    labels: Mapping[str, str]
    brief: bool

    def of(self, old: str, named: Mapping[str, str]) -> list[str]:
        """Words for a temporary, the best first.

        Args:
            old: The temporary.
            named: The names of those that have one.
        """
        noun = NOUNS.get(self.facts.kind(old) or object, "value")
        if self.brief:
            return [noun]
        loops = [_iterated(one, old) for one in self.facts.definitions.get(old, ()) if isinstance(one, ast.For)]
        return self._of_loop_variable(old, loops, named) if loops else [*self._of_value(old, named), noun]

    def operand(self, old: str, named: Mapping[str, str]) -> str:
        """The variable that a temporary is taken from; "" for none."""
        computed = [one for one in self.facts.definitions.get(old, ()) if isinstance(one, ast.expr)]
        operand = operand_word(self._joined(computed[0])) if computed else ""
        return named.get(operand, operand)

    def _of_loop_variable(self, old: str, loops: Sequence[ast.expr], named: Mapping[str, str]) -> list[str]:
        if old not in self.facts.read:
            return [*UNUSED, "index"]
        values = self.facts.values.get(old, ())
        found = [*filter(None, (self._singular(one, named) for one in loops))]
        if self.facts.roles.get(old) == "code":
            found.append("code")
        if not values and any(self.facts.kind(variable_name(one)) is str for one in loops):
            found.append("character")
        return [*found, *loop_words(loops, values)]

    def _of_value(self, old: str, named: Mapping[str, str]) -> list[str]:
        """Words for a temporary that statements assign, from the one that says most."""
        values, computed = self.facts.values.get(old, ()), self._computed(old)
        by_operation = self._by_operation(computed, values)
        by_start = self._by_start(old, values)
        by_items = list_word(values)
        by_value = self._by_value(old, by_items, by_start, by_operation)
        by_list = "" if by_start else self._of_list_item(old, computed, by_operation, named)
        words = [self._by_function(old), by_value, by_start, *self._by_use(old, computed, by_operation), *by_operation]
        words = [*words, by_list] if by_list in _OF_ANY and by_operation != ["result"] else [by_list, *words]
        own = [self.labels.get(old, ""), self._by_loop(old), self._by_class(old, computed)]
        found = list(filter(None, [*own, *words]))
        return [*found, *self._qualified(computed, found, named), *filter(None, [by_items])]

    def _computed(self, old: str) -> ast.expr | None:
        """What computes a temporary first."""
        definitions = self.facts.definitions.get(old, ())
        found = (one for one in definitions if isinstance(one, ast.expr) and not isinstance(one, _PLAIN))
        first = next(found, None)
        return self._joined(first) if first is not None else None

    def _by_operation(self, computed: ast.expr | None, values: Sequence[object]) -> list[str]:
        words = operation_words(computed, next(iter(values), None)) if computed is not None else []
        counts = sum(name == "count" for name, _ in self.facts.methods)
        return words[1:] or words if words[:1] == ["count"] and counts > 1 else words

    def _by_start(self, old: str, values: Sequence[object]) -> str:
        """By what later statements make of the first value."""
        is_inner = self.facts.starts_in_loop(old)
        word = first_value_word(self.facts.definitions.get(old, ()), values, is_inner=is_inner)
        return "kept" if word == "items" and old in self.facts.selected else word

    def _by_value(self, old: str, by_items: str, by_start: str, by_operation: Sequence[str]) -> str:
        """By the items of a list, unless what makes the list says more."""
        made, word = self.facts.made, by_items
        if by_operation in _SAYS_MORE or (word in _WEAK and (by_operation or by_start == "kept")):
            word = ""
        if by_start != "items":
            return word
        if old in self._returned and made and made not in self.taken:
            return made
        if word in ("", "numbers", "pieces") and old in self._collected:
            value = next(
                (item for shown in self.facts.values.get(old, ()) if isinstance(shown, list) for item in shown), None
            )
            other = "result" if word != "pieces" and old in self._returned else word
            return plural_word(self._collected[old], value) or other
        return word

    def _by_function(self, old: str) -> str:
        """By what the function makes, for what it returns rounded."""
        made = self.facts.made
        return made if made not in self.taken and any(_rounded(one) == old for one in self.facts.returns) else ""

    def _by_use(self, old: str, computed: ast.expr | None, by_operation: Sequence[str]) -> list[str]:
        """By what a value is used for, where its operation says little."""
        use = self.facts.roles.get(old, "")
        is_named = computed is None or isinstance(computed, _ARITHMETIC) or use in ("path", "template")
        return _role_words(use, computed) if is_named and by_operation != ["last_index"] else []

    def _by_loop(self, old: str) -> str:
        """By what a loop keeps in it: the greatest or least of some values."""
        use = self.facts.roles.get(old, "")
        return use if use in extreme_words() else ""

    def _by_class(self, old: str, computed: ast.expr | None) -> str:
        return "" if computed is None or object_of_call(computed) else self.facts.classes.get(old, "")

    def _of_list_item(
        self, old: str, computed: ast.expr | None, by_operation: Sequence[str], named: Mapping[str, str]
    ) -> str:
        """The word for an item of a list, or one that becomes an item: `price` of `prices`, a `row` of other lists."""
        match computed:
            case ast.Subscript(value=ast.Name() as whole, slice=index) if not isinstance(index, ast.Slice):
                ordinal = next((word for word in by_operation[:1] if word in (*ORDINALS, "last")), "")
            case _ if old in self._appended:
                whole, ordinal = self._appended[old], ""
            case _:
                return ""
        item = self._singular(whole, named) or ("row" if self.facts.kind(old) is list else "")
        return f"{ordinal}_{item}" if ordinal and item else item

    def _joined(self, computed: ast.expr) -> ast.expr:
        """What gives the characters that an expression joins: a slice or a conversion; any other expression itself."""
        match computed:
            case ast.Call(ast.Attribute(ast.Constant(value=""), "join"), [ast.Subscript(slice=ast.Slice()) as part]):
                return part
            case ast.Call(func=ast.Attribute(value=ast.Constant(value=""), attr="join"), args=[ast.Name(id=name)]):
                match self.facts.definitions.get(name):
                    case [ast.Call(func=ast.Name(id="list"), args=[ast.Call(func=ast.Name(id="map"))]) as converted]:
                        return converted
                if name in self.facts.reversed:
                    return _BACKWARDS
        return computed

    def _qualified(self, computed: ast.expr | None, found: Sequence[str], named: Mapping[str, str]) -> Iterator[str]:
        """The best word behind the variable that the value is taken from: `text_length`."""
        operand = operand_word(computed) if computed is not None else ""
        operand = named.get(operand, operand)
        name = f"{operand}_{(*found, '')[0]}"
        if operand and found and not operand.endswith(found[0]) and len(name) <= LONGEST:
            yield name

    def _singular(self, iterated: ast.expr, named: Mapping[str, str]) -> str:
        """The name of an item of a list with a plural name or of a part of it, and of a dict; "" for any other."""
        if isinstance(iterated, ast.Subscript) and isinstance(iterated.slice, ast.Slice):
            iterated = iterated.value
        name = variable_name(iterated)
        kind, name = self.facts.kind(name), named.get(name, name)
        if kind in (list, tuple) and len(name) > 3 and name.endswith("s") and not name.endswith("ss"):
            return _PLURAL_ENDING.sub("", name)
        return "key" if kind is dict else ""

    @cached_property
    def _appended(self) -> dict[str, ast.Name]:
        return {item.id: whole for item, whole in self.facts.appended if isinstance(item, ast.Name)}

    @cached_property
    def _collected(self) -> dict[str, ast.expr]:
        return {whole.id: item for item, whole in self.facts.appended}

    @cached_property
    def _returned(self) -> frozenset[str]:
        return frozenset(one.id for one in self.facts.returns if isinstance(one, ast.Name))


def _iterated(loop: ast.For, name: str) -> ast.expr:
    """What gives a variable of a loop its values: of the item in `for index, item in enumerate(a)`, `a`."""
    match loop:
        case ast.For(
            target=ast.Tuple(elts=[_, ast.Name(id=item)]),
            iter=ast.Call(func=ast.Name(id="enumerate"), args=[numbered, *_]),
        ) if item == name:
            return numbered
    return loop.iter


def _role_words(role: str, computed: ast.expr | None) -> list[str]:
    match computed:
        case ast.BinOp(op=ast.Add(), right=ast.Constant(value=1)) if role:
            return [role, f"next_{role}"]
    return [role]


def _rounded(value: ast.expr | None) -> str:
    """The variable whose rounded value an expression is; "" if it is another expression."""
    match value:
        case ast.Call(ast.Name(id="round"), [ast.Name(id=name), *_]):
            return name
    return ""
