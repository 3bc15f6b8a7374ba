"""Do two programs do the same? Both run on many inputs in the sandbox; what they did is compared as text.

"Equivalent" means: no difference on the inputs tried, which the verdict counts, with what they did not reach. It is
no proof (`rewrite.equivalence.crosshair` may give one). Nothing foreign is executed in this process.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from corpora.errors import InputError
from rewrite.equivalence.call_inputs import BATCH, public_functions, typed, varied
from rewrite.equivalence.call_inputs import calls as calls_like
from rewrite.equivalence.call_sequences import MADE, sequences
from rewrite.equivalence.constants import Ideas
from rewrite.equivalence.coverage import Reached
from rewrite.equivalence.coverage_hints import hinted
from rewrite.equivalence.crosshair import Opinion, second_opinion
from rewrite.equivalence.literal_templates import answered, closed_early, template
from rewrite.equivalence.observation import (
    FINISHED,
    Counterexample,
    Exceptions,
    function_parameters,
    is_generator,
    is_unread,
)
from rewrite.equivalence.program_pair import LOADED, TOO_DEEP, Pair
from rewrite.equivalence.shrinking import shrink
from rewrite.equivalence.state_walks import walks
from rewrite.equivalence.visible_names import differing
from rewrite.evidence.assumptions import Assumption
from rewrite.evidence.given import listed_calls

SHRINK_SECONDS = 5.0
CLOSED_CALLS = 12
CALLED_WITH = ("1", "-2", "2.5", "'ab'", "[3, 1]")  # what functions are called with that calls returned
HINTED_ROUNDS = 2


@dataclass(frozen=True)
class Verdict:
    """What is known about two programs.

    equivalent: True (same on all inputs compared), False (see counterexample), None (undecided, see why).
    tried: inputs on which both runs finished and were compared; raised: on how many of these both raised;
    undecided: inputs that could not be compared, each with its reason. outside: inputs that say nothing about the
    programs, each with the reason: the assumption that it breaks, or that the recursion limit decides what happens.
    They are not among those compared. reached: lines and branches of the original program, counted where no
    difference was found among generated inputs.
    """

    equivalent: bool | None
    why: str
    tried: int = 0
    counterexample: Counterexample | None = None
    raised: int = 0
    undecided: tuple[tuple[str, str], ...] = ()
    outside: tuple[tuple[str, str], ...] = ()
    reached: Reached = field(default_factory=Reached)
    isolation: str = ""


def check_equivalence(
    before: str,
    after: str,
    calls: str | Iterable[str] = (),
    *,
    examples: int = 100,
    seconds: float = 2.0,
    symbolic: bool = False,
    assumes: Sequence[Assumption] = (),
    exceptions: Exceptions = "message",
) -> Verdict:
    """Compare two programs on the given calls as they are and on up to `examples` more that are made of them.

    Where these show no difference, coverage of both programs suggests up to `examples` / 4 more, and as many sequences
    of two and three calls are made on one module; then what loading the modules leaves behind is compared.

    before, after: sources of two modules; calls: such as "f(1, [2])", or a single one. Without calls, every public
    top-level function, class and method of `before` is called (without any, the module is only loaded). seconds: limit
    of each run. symbolic: ask CrossHair too (outside the sandbox; see `rewrite.equivalence.crosshair`). assumes: what
    the rewrite rests on (`Rewritten.assumes`); only inputs within it are compared, and a verdict that a given call
    lies outside of is undecided. exceptions: what of a raised exception has to be the same: its type, message,
    arguments, cause and context ("message", the default), its type ("type"), or only that one is raised ("any").

    The same input gives the same verdict, unless the programs depend on something outside. Raises InputError where a
    program or a call does not parse, a call names what `before` does not define, or an assumption
    an expression that is not there.

    >>> verdict = check_equivalence("def f(x): return x > 0", "def f(x): return x >= 0", ["f(3)"])
    >>> verdict.equivalent, verdict.counterexample.call
    (False, 'f(None)')
    """
    tree, other = _parsed(before, "before"), _parsed(after, "after")
    calls = listed_calls(calls)
    calls_like(tree, calls)  # raises for a call that cannot be made
    if before == after:
        return Verdict(True, "the two texts are the same")
    pair = Pair(before, after, seconds, assumes, exceptions)
    found = pair.first_difference(calls, seconds)
    for made in _generated(pair, tree, other, calls, examples) if not found else ():
        found = pair.first_difference(made(), pair.limit())
        if found:
            break
    found = found or pair.first_difference([*_closed_early(pair), *_called_results(pair)], seconds)
    if found:
        return _different(pair, found)
    opinions = _opinions(pair, tree, calls) if symbolic else ()
    found = pair.first_difference([opinion.call for opinion in opinions if opinion.call], seconds)
    return _different(pair, found) if found else _same(pair, calls, examples > 0, opinions)


def _generated(
    pair: Pair, tree: ast.Module, other: ast.Module, calls: Sequence[str], examples: int
) -> Iterator[Callable[[], list[str]]]:
    """What makes more calls, stage by stage: varied ones, those that coverage suggests, sequences, only loading."""
    if examples <= 0:
        return
    yield lambda: varied(tree, other, calls, examples)
    if pair.outside:  # as many more, so that about as many lie within
        yield lambda: varied(tree, other, calls, examples + len(pair.outside))
    ideas, strict = Ideas.of(other, tree).plus(Ideas.of(tree, other)), functools.partial(typed, tree)
    for _ in range(HINTED_ROUNDS):
        more = hinted(pair.count(), pair.counted_on, ideas, strict, examples // 8)
        if not more:
            break  # all was reached, or nothing new can be made
        yield functools.partial(list, more)
    yield lambda: [*sequences([*pair.compared], examples // 4), *walks(tree, pair.returned(), examples // 4), LOADED]


def _opinions(pair: Pair, tree: ast.Module, calls: Sequence[str]) -> tuple[Opinion, ...]:
    """CrossHair's view of every function that the calls name, or of every public one."""
    named = [template(call).function for call in calls] or [node.name for node in public_functions(tree)]
    return tuple(second_opinion(pair.before, pair.after, name) for name in dict.fromkeys(filter(None, named)))


def _parsed(source: str, name: str) -> ast.Module:
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError) as error:
        line = f", line {error.lineno}" if isinstance(error, SyntaxError) and error.lineno else ""
        raise InputError(f"does not parse: {getattr(error, 'msg', error)}", where=f"{name}{line}") from None


def _closed_early(pair: Pair) -> list[str]:
    """For calls that make generators: the same, left after the first items."""
    made = [call for call, (before, _) in pair.compared.items() if is_generator(before)][:CLOSED_CALLS]
    return [text for call in made for text in (closed_early(call, 1), closed_early(call, 2), answered(call))]


def _called_results(pair: Pair) -> list[str]:
    """For calls that return functions: calls of these."""
    found = {call: function_parameters(before) for call, (before, _) in pair.compared.items() if ";" not in call}
    made = [(call, names) for call, names in found.items() if names is not None][:CLOSED_CALLS]
    return [
        f"{MADE} = {call.strip()}; " + "; ".join(f"{MADE}({', '.join([given] * len(names))})" for given in CALLED_WITH)
        for call, names in made
    ]


def _different(pair: Pair, found: str) -> Verdict:
    """The verdict on a difference, with the simplest call that still shows one in the same respect."""
    aspect = pair.aspect(found)
    slow = pair.compared[found][1].status not in FINISHED
    seconds = SHRINK_SECONDS / 100 if slow else pair.limit()

    def shows(calls: list[str]) -> str | None:
        for start in range(0, len(calls), BATCH):
            pair.run(calls[start : start + BATCH], seconds)
            known = [call for call in calls[start : start + BATCH] if call in pair.compared]
            met = next((call for call in known if pair.aspect(call) == aspect), None)
            if met:
                return met
        return None

    if found == LOADED and aspect == "globals":
        found = pair.first_difference(differing(*pair.compared[found]), seconds) or found
        aspect = pair.aspect(found)
    best = shrink(found, shows, SHRINK_SECONDS)
    if not pair.differs(best):
        best = found
    example = Counterexample(best, pair.aspect(best), *pair.compared[best])
    return _verdict(pair, False, f"they differ in {example.aspect}", example)


def _same(pair: Pair, calls: Sequence[str], count_lines: bool, opinions: Sequence[Opinion]) -> Verdict:
    """The verdict where no difference was found: undecided if a given call, or every call, could not be compared."""
    pair.drop_unsteady()
    pair.compared.pop(LOADED, None) if len(pair.compared) > 1 or calls else None
    given = [f"{call}: {pair.undecided[call]}" for call in calls if call in pair.undecided]
    given += [f"{call} {_placed(pair.outside[call])}" for call in calls if call in pair.outside]
    if given:
        return _verdict(pair, None, given[0])
    if not pair.compared:
        outside = next(iter(pair.outside.values()), "")
        reason = next(
            iter(pair.undecided.values()), f"every input {_placed(outside)}" if outside else "no input was tried"
        )
        return _verdict(pair, None, f"no input could be compared: {reason}")
    raised = all(before.status == "raised" for call, (before, _) in pair.compared.items() if ";" not in call)
    notes = [f"the same on {len(pair.compared)} inputs" + (", all of which raised" if raised else "")]
    too_deep = sum(reason == TOO_DEEP for reason in pair.outside.values())
    if len(pair.outside) > too_deep:
        notes.append(f"{len(pair.outside) - too_deep} lie outside the assumptions")
    if too_deep:
        notes.append(f"{too_deep} recurse too deeply to be compared")
    if pair.undecided:
        notes.append(f"{len(pair.undecided)} could not be compared")
    if pair.stopped:
        notes.append(pair.stopped)
    unread = sum(is_unread(before) for before, _ in pair.compared.values())
    if unread:
        notes.append(f"on {unread} of them iterators were read, or watched, only a part of the way")
    notes += [f"CrossHair: {opinion}" for opinion in opinions]
    counted = pair.reached() if count_lines else Reached()
    return _verdict(pair, True, "; ".join(notes), counted=counted)


def _placed(reason: str) -> str:
    """How an input that was not compared is told, with the reason."""
    return "recurses too deeply to be compared" if reason == TOO_DEEP else f"lies outside the assumptions: {reason}"


def _verdict(
    pair: Pair,
    equivalent: bool | None,
    why: str,
    example: Counterexample | None = None,
    counted: Reached | None = None,
) -> Verdict:
    outcomes = [before for before, _ in pair.compared.values()]
    return Verdict(
        equivalent,
        why,
        tried=len(outcomes),
        counterexample=example,
        raised=sum(outcome.status == "raised" for outcome in outcomes),
        undecided=tuple(pair.undecided.items()),
        outside=tuple(pair.outside.items()),
        reached=counted or Reached(),
        isolation=outcomes[0].isolation if outcomes else "",
    )
