"""Generation of the calls on which two programs are compared, with Hypothesis.

The literals of a sample call become the holes of a template (`rewrite.equivalence.call_templates`). A hole is filled
with values that resemble the sample's literals or match the parameter's annotation, and occasionally with a value of
another type (`rewrite.equivalence.argument_strategies`). The same programs and sample calls always give the same
calls. No program is run.
"""

from __future__ import annotations

import ast
import builtins
import contextlib
import functools
import itertools
from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

import hypothesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from hypothesis.internal.conjecture.providers import AVAILABLE_PROVIDERS, HypothesisProvider

from corpora.calls import undefined_name_reason
from corpora.errors import InputError
from corpora.sandbox.values.value_kinds import is_special
from rewrite.equivalence.argument_strategies import (
    OTHER_TYPES,
    ConstantPool,
    Strategy,
    integers,
    searchable_parts,
    similar_values,
    unannotated_values,
    values_of_annotation,
)
from rewrite.equivalence.call_templates import (
    SHARED,
    CallTemplate,
    Function,
    call_template,
    class_and_bases,
    class_template,
    exit_templates,
    function_template,
    method_template,
)
from rewrite.equivalence.directed_inputs import call_forms, directed_calls, retyped_calls, with_reversed_keywords
from rewrite.equivalence.inferred_annotations import infer_annotations
from rewrite.equivalence.input_hints import InputHints
from rewrite.equivalence.observation import LOAD_ONLY
from rewrite.equivalence.shared_objects import calls_with_shared_objects
from rewrite.equivalence.special_values import has_while

BATCH_SIZE = 25
MAX_REPEATED_DRAWS = 40
MAX_BASE_CALLS = 3
BACKEND = "spellout"
# Special methods for which no call is generated.
_NOT_CALLED = {
    *("__init__", "__new__", "__del__", "__init_subclass__", "__class_getitem__", "__set_name__", "__post_init__")
}
T = TypeVar("T", bound=Hashable)


def call_strategy(tree: ast.Module, given: Sequence[str], other: ast.Module | None = None) -> st.SearchStrategy[str]:
    """A strategy for calls, as source code.

    Args:
        tree: The program.
        given: Sample calls. Without any, every public function, class and method is called; a program without these
            is only loaded.
        other: A second program whose constants are used as well.

    Raises:
        InputError: If a sample call does not parse or calls a function that the program does not define.
    """
    inferred = infer_annotations(tree)
    functions = {node.name: node for node in inferred.body if isinstance(node, Function)}
    templates = [call_template(call) for call in [*given, *_in_other_keyword_order(given, inferred)]]
    for call in given:
        if missing := undefined_name_reason(tree, call):
            raise InputError(missing, where=call)
    templates = templates or public_call_templates(inferred) or [CallTemplate((LOAD_ONLY,), (), (), "")]
    both = ast.Module([*tree.body, *(other.body if other else [])], [])
    pool = ConstantPool.of(both, [value for known in templates for value in known.values])
    groups: dict[tuple[str, ...], list[CallTemplate]] = {}
    for known in templates:
        groups.setdefault(known.pieces, []).append(known)
    return st.one_of([_group_strategy(group, functions.get(group[0].function), pool) for group in groups.values()])


def generate_calls(tree: ast.Module, other: ast.Module, given: Sequence[str], count: int) -> list[str]:
    """Generate up to `count` different calls; the same arguments always give the same calls.

    The calls are sample calls with constants of the programs as arguments, sample calls in other forms (keywords,
    their order, defaults), sample calls with arguments of other types or with one object in several places, and
    randomly drawn calls. Constants that only
    one of the programs contains come first.

    Args:
        tree: The program that defines what is called.
        other: The program to compare it with.
        given: Sample calls. Without any, the first calls drawn serve as samples.
        count: The maximum number of calls.
    """
    drawn = [] if given else draw_distinct(call_strategy(tree, given, other), count)
    if drawn == [LOAD_ONLY]:
        return drawn
    bases = list(given[:MAX_BASE_CALLS]) or _first_call_of_each_form(drawn)
    annotated = functools.partial(annotated_places, tree)
    old, new = InputHints.of(tree, other), InputHints.of(other, tree)
    first = old.without(new).union(new.without(old))
    found = [] if given else [*bases]
    found += directed_calls(bases, first, annotated=annotated)[: count // 3]
    found += _in_other_keyword_order(bases, tree, other)
    found += _calls_in_other_forms(bases, tree, other)[: count // 4]
    found += retyped_calls(bases, annotated, extremes=not has_while(tree, other))[: count // 10]
    found += calls_with_shared_objects(drawn or bases)[: count // 10]
    found = list(dict.fromkeys(found))
    known = {*found}
    more = [call for call in directed_calls(bases, old.union(new), annotated=annotated) if call not in known]
    found += more[: max(0, count // 2 - len(found))]
    more = drawn or (draw_distinct(call_strategy(tree, given, other), count - len(found)) if len(found) < count else [])
    return list(dict.fromkeys([*found, *more]))[:count]


def annotated_places(tree: ast.Module, known: CallTemplate) -> list[bool]:
    """For each argument of a call, whether its parameter is annotated.

    For calls of methods, whether any parameter of any class is annotated.
    """
    functions = {node.name: node for node in tree.body if isinstance(node, Function)}
    if known.function in functions:
        return [_annotation(functions[known.function], name) is not None for name in known.parameters]
    owners = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    annotated = any(isinstance(node, ast.arg) and node.annotation for owner in owners for node in ast.walk(owner))
    return [annotated] * len(known.values)


def _first_call_of_each_form(drawn: list[str]) -> list[str]:
    """The first call drawn of each function or method."""
    found: dict[tuple[str, ...], str] = {}
    for call in drawn:
        found.setdefault(call_template(call).pieces, call)
    return [*found.values()][: 2 * MAX_BASE_CALLS]


def _calls_in_other_forms(bases: Sequence[str], *trees: ast.Module) -> list[str]:
    """The calls in other forms that the signatures in these programs allow, taking turns between the calls."""
    functions = [{node.name: node for node in tree.body if isinstance(node, Function)} for tree in trees]
    made = []
    for base in bases:
        name = call_template(base).function
        known = [found[name] for found in functions if name in found]
        if len(known) == 2 and ast.dump(known[0].args) == ast.dump(known[1].args):
            known = known[:1]
        made += [call_forms(base, function) for function in known]
    rows = itertools.zip_longest(*made)
    return list(dict.fromkeys(call for row in rows for call in row if call is not None))


def _in_other_keyword_order(calls: Sequence[str], *trees: ast.Module) -> list[str]:
    """The calls with their keywords in reverse, except those of functions that cannot see the order."""
    functions = [node for tree in trees for node in tree.body if isinstance(node, Function)]
    blind = {node.name for node in functions} - {
        node.name for node in functions if node.args.kwarg or node.decorator_list
    }
    made = [with_reversed_keywords(call) for call in calls if call_template(call).function not in blind]
    return [call for call in made if call]


def public_functions(tree: ast.Module) -> list[Function]:
    """The top-level functions whose names do not begin with an underscore."""
    return [node for node in tree.body if isinstance(node, Function) and not node.name.startswith("_")]


def public_call_templates(tree: ast.Module) -> list[CallTemplate]:
    """Call templates for every public function, every method of public classes, and every class without methods."""
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    found = [function_template(node) for node in public_functions(tree)]
    for owner in classes.values():
        if not owner.name.startswith("_"):
            methods = _methods(owner, classes)
            found += [known for method in methods for known in _method_templates(owner, method, classes)]
            found += [] if methods else [class_template(owner, classes)]
    return found


def _methods(owner: ast.ClassDef, classes: Mapping[str, ast.ClassDef]) -> list[Function]:
    """The methods to call on instances of a class, including inherited ones."""
    found: dict[tuple[str, bool], Function] = {}
    for known in class_and_bases(owner, classes):
        for node in known.body:
            if isinstance(node, Function) and _is_called(node.name):
                setter = any(isinstance(mark, ast.Attribute) and mark.attr == "setter" for mark in node.decorator_list)
                found.setdefault((node.name, setter), node)
    return [*found.values()]


def _method_templates(owner: ast.ClassDef, method: Function, classes: Mapping[str, ast.ClassDef]) -> list[CallTemplate]:
    """Call templates for one method; `__exit__` gets one for each kind of exception."""
    known = method_template(owner, method, classes)
    if method.name != "__exit__" or len(method.args.args) != 4:
        return [known]
    named = {node.id for node in ast.walk(method) if isinstance(node, ast.Name) and _is_exception(node.id)}
    return exit_templates(known, [*sorted({"ValueError", "KeyError", *named})])


def _is_exception(name: str) -> bool:
    kind = getattr(builtins, name, None)
    return isinstance(kind, type) and issubclass(kind, Exception)


def _is_called(method: str) -> bool:
    special = is_special(method)
    return method not in _NOT_CALLED if special else not method.startswith("_")


def _group_strategy(group: list[CallTemplate], function: Function | None, pool: ConstantPool) -> Strategy:
    """Calls that share a template; occasionally one mutable object is passed as two arguments."""
    shape = group[0]
    seen = list(zip(*[known.values for known in group], strict=True)) or [()] * len(shape.parameters)
    annotations = shape.annotations or [_annotation(function, name) for name in shape.parameters]
    holes = [_hole_strategy(values, annotation, pool) for values, annotation in zip(seen, annotations, strict=True)]
    filled = st.tuples(*holes).map(shape.fill)
    if not group[0].values and pool.constructors and None in annotations:
        number = integers(pool)  # most methods only raise for arguments of mixed types
        plain = [number if known is None else hole for known, hole in zip(annotations, holes, strict=True)]
        filled = filled | st.tuples(*plain).map(shape.fill)
    if len(holes) > 1:
        filled = filled | filled | _related(holes).map(shape.fill)
    pairs = _aliases(shape, seen)
    if not pairs:
        return filled
    shared = st.tuples(st.sampled_from(pairs), st.tuples(*holes)).map(lambda drawn: _sharing(shape, *drawn))
    return _occasionally(filled, shared)


def _sharing(shape: CallTemplate, pair: tuple[int, int], values: Sequence[object]) -> str:
    """The call with one object as two of the arguments."""
    return shape.fill_sharing([SHARED if at in pair else value for at, value in enumerate(values)], values[pair[0]])


def _hole_strategy(seen: Sequence[object], annotation: ast.expr | None, pool: ConstantPool) -> Strategy:
    sources = [similar_values(seen, pool)] if seen else []
    described = values_of_annotation(annotation, pool)
    if described is not None:
        return st.one_of([*sources, described])  # an annotated parameter gets no value of another type
    usual = st.one_of(sources) if sources else unannotated_values(pool)
    return _occasionally(usual, st.sampled_from(OTHER_TYPES))


@st.composite
def _related(draw: st.DrawFn, holes: list[Strategy]) -> list[object]:
    """Values of which one is a part of another, for programs that search one argument in another."""
    values = [draw(hole) for hole in holes]
    place, other = draw(st.permutations(range(len(values))))[:2]
    inside = searchable_parts(values[other], type(values[place]))
    if inside:
        values[place] = draw(st.sampled_from(inside))
    return values


def _occasionally(usual: Strategy, unusual: Strategy) -> Strategy:
    """Draw from `unusual` for one value in twelve."""
    return st.integers(0, 11).flatmap(lambda number: unusual if number == 11 else usual)


def _annotation(function: Function | None, name: str) -> ast.expr | None:
    if function is None or not name:
        return None
    places = [*function.args.posonlyargs, *function.args.args]
    if name.isdigit():
        return places[int(name)].annotation if int(name) < len(places) else None
    found = [argument for argument in (*places, *function.args.kwonlyargs) if argument.arg == name]
    return found[0].annotation if found else None


def _aliases(shape: CallTemplate, seen: Sequence[Sequence[object]]) -> list[tuple[int, int]]:
    """Pairs of holes to which one mutable object may be passed: arguments of the outermost call of the same type."""
    kinds = [type(values[0]) if values and name else None for values, name in zip(seen, shape.parameters, strict=True)]
    places = range(len(kinds))
    return [(i, j) for i in places for j in places if i < j and kinds[i] is kinds[j] and kinds[i] in (list, dict, set)]


class ConstantFreeProvider(HypothesisProvider):
    """Hypothesis's own provider without the constants that it collects from loaded modules.

    These constants would make the inputs depend on the importing process and leave a cache in ./.hypothesis. With a
    backend other than the default, the engine also does not copy parts of one test case into another, which would
    make the calls of a batch similar. No setting turns either off, so this uses Hypothesis's private interface.
    """

    def _maybe_draw_constant(self, *args: object, **kwargs: object) -> None:
        return None


AVAILABLE_PROVIDERS[BACKEND] = ConstantFreeProvider


def draw_distinct(strategy: st.SearchStrategy[T], count: int, seed: int = 0) -> list[T]:
    """Draw up to `count` different values, the same ones for the same seed.

    Fewer are returned if the strategy repeats itself `MAX_REPEATED_DRAWS` times in a row.
    """
    found: dict[T, None] = {}

    @st.composite
    def gathered(draw: st.DrawFn) -> None:
        # Starting a test case costs as much as drawing several calls, so that one test case draws many calls.
        most = len(found) + count if found else 1  # every draw of the first test case gives the simplest call
        repeated = 0
        while len(found) < min(most, count):
            call = draw(strategy)
            repeated = 0 if call not in found else repeated + 1
            found[call] = None
            if repeated == MAX_REPEATED_DRAWS:
                raise _EnoughCallsDrawn
        if len(found) >= count:
            raise _EnoughCallsDrawn

    @hypothesis.seed(seed)
    @settings(
        max_examples=2 + count,  # a test case with too many choices ends early
        phases=(Phase.generate,),
        database=None,
        deadline=None,
        backend=BACKEND,
        suppress_health_check=list(HealthCheck),
        verbosity=hypothesis.Verbosity.quiet,
    )
    @given(gathered())
    def collect(nothing: None) -> None: ...

    with contextlib.suppress(_EnoughCallsDrawn):
        collect()
    return list(found)


class _EnoughCallsDrawn(BaseException):
    """Ends the drawing of calls. Hypothesis would treat an Exception as a failure and replay it."""
