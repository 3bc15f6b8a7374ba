"""Operands that log whatever they are asked: hashed, compared, converted, unpacked, in the same order and as often."""

from __future__ import annotations

import ast
import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rewrite.rewriting import rewrite_source
from tests.rewrite.drawn import assert_same
from tests.rewrite.string_methods.test_expansion import FORMS
from tests.samples import sampled

HEAD = """\
LOG = []
class L:
    def __init__(self, name, value=1): self.name, self.value = name, value
    def __repr__(self): return self.name
    def __hash__(self): LOG.append(f'hash {self}'); return 97
    def __eq__(self, other): LOG.append(f'eq {self}'); return self is other
    def __bool__(self): LOG.append(f'bool {self}'); return bool(self.value)
    def __index__(self): LOG.append(f'index {self}'); return self.value
    def __iter__(self): LOG.append(f'iter {self}'); yield L(f'item of {self}')
    def __len__(self): LOG.append(f'len {self}'); return self.value
    def __add__(self, other): LOG.append(f'add {self}'); return L(f'{self}+', self.value)
    def __lt__(self, other): LOG.append(f'lt {self}'); return L(f'{self}<', self.value)
    def __getattr__(self, name):
        if name.startswith('_'): raise AttributeError(name)
        LOG.append(f'get {self}.{name}')
        return L(f'{self}.{name}', self.value)
    def __getitem__(self, key): LOG.append(f'item {self}'); return L(f'{self}[]', self.value)
    def __call__(self, *args, **kwargs): LOG.append(f'call {self}'); return L(f'{self}()', self.value)
    def keys(self): LOG.append(f'keys {self}'); return [f'of {self}']
class S(str):
    def __eq__(self, other): LOG.append('eq S'); return str.__eq__(self, other)
    def __hash__(self): LOG.append('hash S'); return str.__hash__(self)
    def __len__(self): LOG.append('len S'); return str.__len__(self)
    def __iter__(self): LOG.append('iter S'); return str.__iter__(self)
def t(name, value=1): LOG.append(f't {name}'); return L(name, value)
"""
SET = ["t('a')", "*t('b')", "t('c') + 1", "*t('d').x", "L('e')", "1", "*t('f').x.keys()"]
DICT = ["t('a'): t('b') + 1", "**t('c')", "**t('d').x", "L('e'): 1", "t('f').x + 1: t('g')", "1: t('h').x"]
CALL = ["t('a')", "*t('b')", "k=t('c').x + 1", "**t('d').x", "*t('e').x", "**t('f')"]


def functions(bodies: list[str]) -> tuple[str, tuple[str, ...]]:
    """A program with a function for each body, and their calls."""
    source = HEAD
    for number, body in enumerate(bodies):
        source += f"def f{number}():\n" + "".join(f"    {line}\n" for line in body.splitlines())
    return source, tuple(f"f{number}()" for number in range(len(bodies)))


def same(bodies: list[str], options: dict[str, object]) -> None:
    source, calls = functions(bodies)
    assert_same(source, options, lambda text: results(text, calls))


def results(source: str, calls: tuple[str, ...]) -> list[object]:
    """What each call gives or raises, with types, and what it logs; all on one module."""
    names: dict[str, object] = {}
    exec(compile(source, "<program>", "exec", dont_inherit=True), names)
    log = names["LOG"]
    assert isinstance(log, list)
    found: list[object] = []
    for call in calls:
        try:
            value = eval(call, names)
            parts = value if isinstance(value, (list, tuple)) else [value]
            result: object = (repr(value), [type(part).__name__ for part in (value, *parts)])
        except Exception as error:  # noqa: BLE001 - the error is the outcome
            result = (type(error).__name__, str(error))
        found.append((call, result, list(log)))
        log.clear()
    return found


def displays(items: list[str], around: str) -> list[str]:
    """Every pair of items; of three, those that begin with what is hashed."""
    groups = [*itertools.permutations(items, 2), *itertools.permutations([*items[:2], items[3]], 3)]
    return [around.format(", ".join(group)) for group in groups]


@pytest.mark.medium
@pytest.mark.parametrize("options", [{}, {"depth": 2}], ids=["all", "depth 2"])
@pytest.mark.parametrize(
    "expressions",
    [displays(SET, "{{{}}}"), displays(SET, "[{}]"), displays(DICT, "{{{}}}"), displays(CALL, "t('z').x({})")],
    ids=["set", "list", "dict", "call"],
)
def test_items_are_hashed_merged_and_unpacked_at_the_same_moment(
    expressions: list[str], options: dict[str, object]
) -> None:
    same([f"return {expression}" for expression in expressions if is_legal(expression)], options)


def is_legal(expression: str) -> bool:
    """Not with a positional argument behind a `**` one."""
    try:
        ast.parse(expression)
    except SyntaxError:
        return False
    return True


def test_what_comes_after_a_hash_is_left_alone_and_said() -> None:
    source = "def f(k, t):\n    return {k: 1, **t().copy()}\n"
    result = rewrite_source(source)
    assert not result.changed
    assert {left.reason for left in result.left} == {"a ** item is evaluated after the hashes of the keys before it"}
    quiet = rewrite_source("def f(t):\n    return {'k': 1, **t().copy()}, {1, *t().copy()}\n")
    assert "{'k': 1, **_t" in quiet.source and not quiet.left


CONDITIONS = [
    "p or q",
    "p and q",
    "not (p or q)",
    "p < q < p",
    "(p if q else p.x) or q",
    "p.x",
    "not p",
    "p or q and p",
]


EACH = list(itertools.product([(0, 0), (0, 1), (1, 0), (1, 1)], [1, 2], [1, 2, 3]))


@pytest.mark.medium
@pytest.mark.parametrize(("values", "threshold", "depth"), sampled(EACH, map(str, EACH), every=5))
def test_a_condition_is_asked_once(values: tuple[int, int], threshold: int, depth: int) -> None:
    made = "".join(f"{name} = L('{name}', {value})\n" for name, value in zip("pq", values, strict=True))
    statements = ["assert {}, p.x.y", "assert {}", "if {}: return 1", "while {}: break\nelse: return 1"]
    bodies = [made + statement.format(condition) for condition in CONDITIONS for statement in statements]
    same(bodies, {"conditions": True, "depth": depth, "threshold": threshold})


ODD = {
    "text": ["'a'", "'ab'", "''", "S('a')", "('a', S('b'))", "L('t')"],
    "bound": ["L('i')", "1", "None", "L('j', 10**20)"],
    "width": ["L('w')", "5", "-10**30", "10**30", "True"],
    "pieces": ["[S('a'), 'b']", "L('p')", "['a', L('q')]"],
    "table": ["{97: L('x')}", "{L('k'): 'x'}", "{97: 98, 'a': S('x')}", "L('m')", "{S('a'): 'x', 97: None}"],
}


@pytest.mark.medium
@pytest.mark.parametrize("method", sampled(FORMS, FORMS))
def test_arguments_of_a_method_are_asked_as_often(method: str) -> None:
    expressions = [
        f"{receiver}.{method}({', '.join(arguments)})"
        for kinds in FORMS[method]
        for arguments in itertools.product(*(ODD[kind] for kind in kinds))
        for receiver in ("'aab'", "unknown", "S('aab')")
    ][:: 1 if len(FORMS[method]) < 3 else 4]
    source, calls = functions([f"return {expression}" for expression in expressions])
    source += "unknown = 'ab ab'\n"
    after = rewrite_source(source, "methods").source
    assert after != source
    assert results(after, calls) == results(source, calls)


@pytest.mark.medium
@settings(max_examples=20)
@given(st.lists(st.sampled_from([*SET, "t('g', 0) or t('h')", "*[t('i')]"]), min_size=1, max_size=5))
def test_drawn_sets(items: list[str]) -> None:
    same([f"return {{{', '.join(items)}}}"], {})
