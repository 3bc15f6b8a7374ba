"""Compares each entry of the catalogue with the running interpreter, on drawn operands."""

import builtins
from functools import cache

import pytest
from hypothesis import HealthCheck, given, seed, settings

from analyze.operations.catalogue import OPERATIONS, functions, methods
from analyze.operations.operation import Form, Kind, Operation, Reads
from tests.analyze.operations.drawn_operands import Expression, Run, expressions, perform

TYPES = (str, list, dict, set, frozenset, tuple, bytes, bytearray, int, float, complex, range)
OF_THE_SITE = {"copyright", "credits", "exit", "license", "quit", "help"}  # the module `site` adds these to builtins
UNDRAWN = {
    **dict.fromkeys(("input", "open", "breakpoint", "help"), "it reads or stops the process"),
    **dict.fromkeys(("aiter", "anext"), "it needs an event loop"),
    **dict.fromkeys(("super", "type"), "its arguments are classes"),
    "Mult list": "its result is the receiver, which the operator of the same name shows",
}
DRAWN = [one for one in OPERATIONS if one.name not in UNDRAWN]
# Exhausted resources, and what other versions say for the same.
RESOURCES = (MemoryError, RecursionError, OverflowError)
BY_ITERATION = {"__iter__", "__next__", "__getitem__"}


@cache
def runs(one: Operation, spied: bool) -> list[tuple[Expression, Run]]:
    """The operation on some hundred drawn operands, the same in each test."""
    found: list[tuple[Expression, Run]] = []

    @seed(0)
    @settings(max_examples=120, database=None, deadline=None, suppress_health_check=list(HealthCheck))
    @given(expressions(one, spied))
    def collect(expression: Expression) -> None:
        found.append((expression, perform(one, expression)))

    collect()
    return found


def every(test: object) -> object:
    return pytest.mark.parametrize("one", DRAWN, ids=lambda one: f"{one.form.value} {one} {one.name}")(test)


def public_methods(kind: type) -> set[str]:
    return {name for name in dir(kind) if not name.startswith("_") and callable(getattr(kind, name))}


def present(name: str, form: Form, receiver: str = "") -> bool:
    """Whether this version of Python has the operation."""
    import sys

    found = [one for one in OPERATIONS if (one.name, one.form, one.receiver) == (name, form, receiver)]
    return any(one.since <= sys.version_info[:2] for one in found)


@pytest.mark.parametrize("kind", TYPES)
def test_every_public_method_has_an_entry_and_every_entry_is_a_method(kind: type) -> None:
    known = {name for name in methods(kind.__name__) if present(name, Form.METHOD, kind.__name__)}
    assert known == public_methods(kind)


def test_every_builtin_function_has_an_entry() -> None:
    def is_function(name: str) -> bool:
        value = getattr(builtins, name)
        is_exception = isinstance(value, type) and issubclass(value, BaseException)
        return callable(value) and not name.startswith("_") and not is_exception

    assert functions() - OF_THE_SITE == {name for name in dir(builtins) if is_function(name)} - OF_THE_SITE


def is_known(one: Operation) -> bool:
    return one.form is not Form.METHOD or hasattr(getattr(builtins, one.receiver), one.name)


def name_of(value: object) -> str:
    return "None" if value is None else type(value).__name__


def has_type(value: object, declared: str) -> bool:
    kinds = declared.split(" | ")
    if {"any", "item"} & {*kinds}:
        return True
    return name_of(value) in kinds or ("char" in kinds and type(value) is str and len(value) == 1)


@every
def test_the_result_has_the_declared_type(one: Operation) -> None:
    for expression, run in runs(one, spied=False) if is_known(one) else ():
        if run.error is None and not (one.calls_back and "spy" in str(expression) + "bare"):
            assert has_type(run.result, one.result), (expression, run.result)


@every
def test_a_plain_result_does_not_depend_on_the_program(one: Operation) -> None:
    if not is_known(one):
        return
    found = [run for _, run in runs(one, spied=True) if run.error is None]
    others = [run.result for run in found if not has_type(run.result, one.result)]
    assert not others or not one.has_plain_result, others[:3]


@every
def test_it_raises_what_is_declared_and_nothing_else(one: Operation) -> None:
    if not is_known(one):
        return
    raised = {type(run.error): (expression, run.error) for expression, run in runs(one, spied=False) if run.error}
    for kind, case in raised.items():
        assert issubclass(kind, (*one.raises, *RESOURCES)) or "spy" in str(case) or "bare" in str(case), case
    for declared in one.raises:
        spied = {type(run.error) for _, run in runs(one, spied=True)}
        assert any(issubclass(kind, declared) for kind in {*raised, *spied} - {type(None)}), f"never {declared}"


@every
def test_it_changes_what_is_declared(one: Operation) -> None:
    if not is_known(one):
        return
    found = runs(one, spied=False)
    changed = [expression for expression, run in found if run.before != run.after]
    if one.mutates is None or one.mutates.name in ("OUTSIDE", "ADVANCES"):
        assert not changed
    else:
        assert changed
        for expression, run in found:
            assert run.before[1:] == run.after[1:], expression  # only the receiver


@every
def test_it_calls_back_what_is_declared(one: Operation) -> None:
    if not is_known(one):
        return
    both = [*runs(one, spied=False), *runs(one, spied=True)]
    called = {name: expression for expression, run in both for name in run.log}
    allowed = {*one.calls_back} | (BY_ITERATION if one.iterates else set())
    assert {name: case for name, case in called.items() if name not in allowed} == {}
    missing = {*one.calls_back} - {*called}
    assert not missing


@every
def test_identity_matters_where_it_is_declared(one: Operation) -> None:
    if not is_known(one):
        return
    differing = []
    for expression, run in runs(one, spied=False):
        other = perform(one, expression, is_shared=False)
        if (run.error is None, repr_of(run)) != (other.error is None, repr_of(other)):
            differing.append(expression)
    assert not differing or one.uses_identity or one.reads is not Reads.NOTHING, differing[:2]
    assert differing or not one.uses_identity or one.kind in (Kind.OBJECT, Kind.NAMESPACE)


def repr_of(run: Run) -> str:
    from tests.analyze.operations.drawn_operands import shown

    return shown(run.result)


@every
def test_an_operation_that_iterates_takes_iterators(one: Operation) -> None:
    texts = " ".join(parameter.type for parameter in one.parameters)
    takes = {"iterable", "hashables", "strings", "pairs", "buffers", "numbers", "bytelist"} & {*texts.split()}
    assert bool(takes) == (one.iterates is not None) or one.name in ("reversed", "symmetric_difference")
