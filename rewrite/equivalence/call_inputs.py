"""Inputs on which two programs are compared: calls like those a benchmark makes, varied by Hypothesis.

A call is a template whose literals are holes (`rewrite.equivalence.literal_templates`); each hole is filled with values
shaped like the literals seen there, like the parameter's annotation, and now and then like neither
(`rewrite.equivalence.argument_strategies`). The same program and calls give the same inputs. Nothing is run here.
"""

from __future__ import annotations

import ast
import builtins
import contextlib
import functools
import itertools
from collections.abc import Mapping, Sequence

import hypothesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from hypothesis.internal.conjecture.providers import AVAILABLE_PROVIDERS, HypothesisProvider

from corpora.errors import InputError
from rewrite.equivalence.argument_strategies import (
    OFF_TYPE,
    Strategy,
    Words,
    annotated,
    anything,
    integers,
    like,
    parts,
)
from rewrite.equivalence.constants import Ideas
from rewrite.equivalence.directed_inputs import directed, forms, reshaped
from rewrite.equivalence.inferred_annotations import with_inferred
from rewrite.equivalence.literal_templates import (
    Template,
    leaving,
    of_class,
    of_method,
    of_signature,
    template,
    with_bases,
)
from rewrite.equivalence.special_values import has_while

BATCH = 25
STALE = 40
MOST_BASES = 3
BACKEND = "spellout"
LOADED = "pass"  # only loads a program: for one that has nothing to call
# Methods that are called where others are, though their names are special.
_UNCALLED = {
    *("__init__", "__new__", "__del__", "__init_subclass__", "__class_getitem__", "__set_name__", "__post_init__")
}
Function = ast.FunctionDef | ast.AsyncFunctionDef


def calls(tree: ast.Module, given: Sequence[str], other: ast.Module | None = None) -> st.SearchStrategy[str]:
    """Source text of calls like the given ones; without any, of calls to every public function, class and method.

    A program without any of these is only loaded. other: a second program whose constants are used as well. Raises
    InputError where a given call does not parse, or calls what the program does not define.
    """
    inferred = with_inferred(tree)
    functions = {node.name: node for node in inferred.body if isinstance(node, Function)}
    templates = [template(call) for call in given]
    for known in templates:
        if known.function and not _defines(tree, known.function):
            raise InputError(f"no {known.function} is defined in the program that is to be called by it")
    templates = templates or templates_of(inferred) or [Template((LOADED,), (), (), "")]
    both = ast.Module([*tree.body, *(other.body if other else [])], [])
    words = Words.of(both, [value for known in templates for value in known.values])
    groups: dict[tuple[str, ...], list[Template]] = {}
    for known in templates:
        groups.setdefault(known.pieces, []).append(known)
    return st.one_of([_group(group, functions.get(group[0].function), words) for group in groups.values()])


def varied(tree: ast.Module, other: ast.Module, given: Sequence[str], count: int) -> list[str]:
    """Up to `count` calls: other forms of the given ones, constants of both programs in their places, drawn ones.

    Without given ones, of calls that are drawn first. The same programs and calls give the same inputs.
    """
    drawn = [] if given else sample(calls(tree, given, other), count)
    if drawn == [LOADED]:
        return drawn
    bases = list(given[:MOST_BASES]) or _one_of_each(drawn)
    strict = functools.partial(typed, tree)
    old, new = Ideas.of(tree, other), Ideas.of(other, tree)
    first = old.without(new).plus(new.without(old))
    found = [] if given else bases
    found = [*found, *directed(bases, first, strict=strict)[: count // 3], *_forms(bases, tree, other)[: count // 4]]
    found = list(dict.fromkeys([*found, *reshaped(bases, strict, extremes=not has_while(tree, other))[: count // 10]]))
    known = {*found}
    more = [call for call in directed(bases, old.plus(new), strict=strict) if call not in known]
    found += more[: max(0, count // 2 - len(found))]
    more = drawn or (sample(calls(tree, given, other), count - len(found)) if len(found) < count else [])
    return list(dict.fromkeys([*found, *more]))[:count]


def typed(tree: ast.Module, known: Template) -> list[bool]:
    """For each place of a call, whether its parameter has an annotation; of methods' calls, whether any has."""
    functions = {node.name: node for node in tree.body if isinstance(node, Function)}
    if known.function in functions:
        return [_annotation(functions[known.function], name) is not None for name in known.parameters]
    owners = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    annotated = any(isinstance(node, ast.arg) and node.annotation for owner in owners for node in ast.walk(owner))
    return [annotated] * len(known.values)


def _one_of_each(drawn: list[str]) -> list[str]:
    """The first calls drawn that have something in their places, one for each function or method."""
    found: dict[tuple[str, ...], str] = {}
    for call in drawn:
        found.setdefault(template(call).pieces, call)
    return [*found.values()][: 2 * MOST_BASES]


def _forms(bases: Sequence[str], *trees: ast.Module) -> list[str]:
    """Other forms of calls by the signatures of both programs, those of all calls in turn."""
    functions = [{node.name: node for node in tree.body if isinstance(node, Function)} for tree in trees]
    made = []
    for base in bases:
        name = template(base).function
        known = [found[name] for found in functions if name in found]
        if len(known) == 2 and ast.dump(known[0].args) == ast.dump(known[1].args):
            known = known[:1]
        made += [forms(base, function) for function in known]
    rows = itertools.zip_longest(*made)
    return list(dict.fromkeys(call for row in rows for call in row if call is not None))


def public_functions(tree: ast.Module) -> list[Function]:
    """The top-level functions whose names do not begin with an underscore."""
    return [node for node in tree.body if isinstance(node, Function) and not node.name.startswith("_")]


def templates_of(tree: ast.Module) -> list[Template]:
    """A call of every public function, of every method of public classes, and of classes without any."""
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    found = [of_signature(node, stars=True) for node in public_functions(tree)]
    for owner in classes.values():
        if not owner.name.startswith("_"):
            methods = _methods(owner, classes)
            found += [known for method in methods for known in _called(owner, method, classes)]
            found += [] if methods else [of_class(owner, classes)]
    return found


def _methods(owner: ast.ClassDef, classes: Mapping[str, ast.ClassDef]) -> list[Function]:
    """The methods that are called on instances of a class, inherited ones too."""
    found: dict[tuple[str, bool], Function] = {}
    for known in with_bases(owner, classes):
        for node in known.body:
            if isinstance(node, Function) and _is_called(node.name):
                setter = any(isinstance(mark, ast.Attribute) and mark.attr == "setter" for mark in node.decorator_list)
                found.setdefault((node.name, setter), node)
    return [*found.values()]


def _called(owner: ast.ClassDef, method: Function, classes: Mapping[str, ast.ClassDef]) -> list[Template]:
    """Calls of one method."""
    known = of_method(owner, method, classes)
    if method.name != "__exit__" or len(method.args.args) != 4:
        return [known]
    named = {node.id for node in ast.walk(method) if isinstance(node, ast.Name) and _is_exception(node.id)}
    return leaving(known, [*sorted({"ValueError", "KeyError", *named})])


def _is_exception(name: str) -> bool:
    kind = getattr(builtins, name, None)
    return isinstance(kind, type) and issubclass(kind, Exception)


def _is_called(method: str) -> bool:
    special = method[:2] == method[-2:] == "__"
    return method not in _UNCALLED if special else not method.startswith("_")


def _defines(tree: ast.Module, name: str) -> bool:
    """Whether a module binds a name anywhere, or may: by a star-import, or as a built-in."""
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=found) | ast.AsyncFunctionDef(name=found) | ast.ClassDef(name=found):
                bound = [found]
            case ast.Name(id=found, ctx=ast.Store()):
                bound = [found]
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                bound = [part.asname or part.name.partition(".")[0] for part in names]
            case _:
                continue
        if name in bound or "*" in bound:
            return True
    return hasattr(builtins, name)


def _group(group: list[Template], function: Function | None, words: Words) -> st.SearchStrategy[str]:
    """Calls of one form: a tuple of values for its holes, sometimes with one object in two places."""
    shape = group[0]
    seen = list(zip(*[known.values for known in group], strict=True)) or [()] * len(shape.parameters)
    annotations = shape.annotations or [_annotation(function, name) for name in shape.parameters]
    holes = [_hole(values, annotation, words) for values, annotation in zip(seen, annotations, strict=True)]
    filled = st.tuples(*holes).map(shape.filled)
    if not group[0].values and words.makers and None in annotations:
        number = integers(words)  # of values of unlike types, most methods make nothing
        plain = [number if known is None else hole for known, hole in zip(annotations, holes, strict=True)]
        filled = filled | st.tuples(*plain).map(shape.filled)
    if len(holes) > 1:
        filled = filled | filled | _related(holes).map(shape.filled)
    pairs = _aliases(shape, seen)
    if not pairs:
        return filled
    shared = st.tuples(st.sampled_from(pairs), st.tuples(*holes)).map(lambda drawn: shape.sharing(*drawn))
    return _mostly(filled, shared)


def _hole(seen: Sequence[object], annotation: ast.expr | None, words: Words) -> Strategy:
    sources = [like(seen, words)] if seen else []
    described = annotated(annotation, words)
    if described is not None:
        return st.one_of([*sources, described])  # what is annotated is not called with anything else
    return _mostly(st.one_of(sources) if sources else anything(words), st.sampled_from(OFF_TYPE))


@st.composite
def _related(draw: st.DrawFn, holes: list[Strategy]) -> list[object]:
    """Values of which one is found in another, as a program expects that looks for something."""
    values = [draw(hole) for hole in holes]
    place, other = draw(st.permutations(range(len(values))))[:2]
    inside = parts(values[other], type(values[place]))
    if inside:
        values[place] = draw(st.sampled_from(inside))
    return values


def _mostly(usual: Strategy, unusual: Strategy) -> Strategy:
    """The second strategy for one value in twelve."""
    return st.integers(0, 11).flatmap(lambda number: unusual if number == 11 else usual)


def _annotation(function: Function | None, name: str) -> ast.expr | None:
    if function is None or not name:
        return None
    places = [*function.args.posonlyargs, *function.args.args]
    if name.isdigit():
        return places[int(name)].annotation if int(name) < len(places) else None
    found = [argument for argument in (*places, *function.args.kwonlyargs) if argument.arg == name]
    return found[0].annotation if found else None


def _aliases(shape: Template, seen: Sequence[Sequence[object]]) -> list[tuple[int, int]]:
    """Pairs of holes that may be given one mutable object: same type, arguments of the outermost call."""
    kinds = [type(values[0]) if values and name else None for values, name in zip(seen, shape.parameters, strict=True)]
    places = range(len(kinds))
    return [(i, j) for i in places for j in places if i < j and kinds[i] is kinds[j] and kinds[i] in (list, dict, set)]


class PlainRandom(HypothesisProvider):
    """Hypothesis's own choices without the constants of whatever modules are loaded.

    Those would make the inputs depend on who asks, and leave a cache in ./.hypothesis. As another backend than the
    default it is also spared the engine's copying of parts of one test case to another, which makes the calls of a
    batch alike.
    """

    def _maybe_draw_constant(self, *args: object, **kwargs: object) -> None:
        return None


AVAILABLE_PROVIDERS[BACKEND] = PlainRandom


def sample(strategy: st.SearchStrategy[str], count: int, seed: int = 0) -> list[str]:
    """Up to `count` different calls, the same ones every time; fewer where only known ones come any more."""
    found: dict[str, None] = {}

    @st.composite
    def gathered(draw: st.DrawFn) -> None:
        # Many calls in one test case of Hypothesis: to begin one costs as much as to draw several calls.
        most = len(found) + count if found else 1  # the first case is the simplest of all calls, however often drawn
        known = 0
        while len(found) < min(most, count):
            call = draw(strategy)
            known = 0 if call not in found else known + 1
            found[call] = None
            if known == STALE:
                raise _Enough
        if len(found) >= count:
            raise _Enough

    @hypothesis.seed(seed)
    @settings(
        max_examples=2 + count,  # a case ends early where its choices grow too many
        phases=(Phase.generate,),
        database=None,
        deadline=None,
        backend=BACKEND,
        suppress_health_check=list(HealthCheck),
        verbosity=hypothesis.Verbosity.quiet,
    )
    @given(gathered())
    def collect(nothing: None) -> None: ...

    with contextlib.suppress(_Enough):
        collect()
    return list(found)


class _Enough(BaseException):
    """Ends the drawing of inputs; an Exception would be taken for a failure, replayed and explained."""
