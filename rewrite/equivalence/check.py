"""The equivalence check: two programs run on many inputs in the sandbox, and their behaviour is compared.

"Equivalent" means that no difference was found on the inputs tried. It is not a proof (`rewrite.equivalence.crosshair`
may give one). The verdict reports how many inputs were compared and which lines and branches none of them reached. No
program is run in this process.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import get_args

from corpora.calls import undefined_name_reason, unusable_call_reason
from corpora.deadline import OutOfTimeError, time_limit
from corpora.errors import InputError
from corpora.nondeterminism import start_workers
from rewrite.equivalence.assumption_filter import find_unlike_value
from rewrite.equivalence.call_inputs import BATCH_SIZE, annotated_places, generate_calls, public_functions
from rewrite.equivalence.call_inputs import call_strategy as calls_like
from rewrite.equivalence.call_sequences import INSTANCE, call_sequences
from rewrite.equivalence.call_templates import call_template, close_early, send_and_throw
from rewrite.equivalence.compared_names import differing_globals
from rewrite.equivalence.coverage import Coverage
from rewrite.equivalence.coverage_hints import coverage_guided_calls
from rewrite.equivalence.crosshair import CrossHairResult, run_crosshair
from rewrite.equivalence.input_hints import InputHints
from rewrite.equivalence.input_types import GivenTypes, InputTypes
from rewrite.equivalence.judgement import Judgement, judge
from rewrite.equivalence.observation import (
    LOAD_ONLY,
    Counterexample,
    ExceptionPolicy,
    function_parameters,
    is_generator,
)
from rewrite.equivalence.program_pair import ProgramPair
from rewrite.equivalence.shared_objects import without_sharing
from rewrite.equivalence.shrinking import shrink
from rewrite.equivalence.state_walks import state_walks
from rewrite.evidence.assumptions import Assumption
from rewrite.evidence.context import check_source, list_calls

SECONDS = 120.0
"""Time limit of a comparison."""
RUN_SECONDS = 2.0
"""Time limit of each run."""
SHRINK_SECONDS = 5.0
MAX_FOLLOW_UP_CALLS = 12
SHARING = ", only if one object is passed in several places"
RESULT_ARGUMENTS = ("1", "-2", "2.5", "'ab'", "[3, 1]")  # for calls of functions that calls returned
COVERAGE_ROUNDS = 2


@dataclass(frozen=True, repr=False)
class Verdict:
    """The result of an equivalence check.

    Attributes:
        equivalent: True (no difference on the inputs compared), False (see `counterexample`), None (see `why`).
        why: The reason for the result, in words.
        tried: The number of inputs on which both programs finished and were compared.
        counterexample: The simplest input found on which the programs differ.
        raised: The number of compared inputs on which the original raised an exception.
        undecided: Inputs that could not be compared, each with the reason.
        outside: Inputs that were excluded, each with the reason: the assumption that it breaks, or that the behaviour
            depends on the recursion limit.
        reached: Line and branch coverage of the original; empty if a difference was found or nothing was generated.
        isolation: The isolation level under which the programs ran.
        cut: The number of generated inputs that were cut or not tried because of their work.
        other_types: With `inputs="same-types"`, a difference on an input of other types than the given calls have.
            It does not affect `equivalent`.
        unlike: If a difference was found without assumptions: the first fact that every given call shows and the
            counterexample does not, such as a type. A rewrite may assume it.
    """

    equivalent: bool | None
    why: str
    tried: int = 0
    counterexample: Counterexample | None = None
    raised: int = 0
    undecided: tuple[tuple[str, str], ...] = ()
    outside: tuple[tuple[str, str], ...] = ()
    reached: Coverage = field(default_factory=Coverage)
    isolation: str = ""
    cut: int = 0
    other_types: Counterexample | None = None
    unlike: Assumption | None = None

    def __repr__(self) -> str:
        """The verdict, its reason and the call of the counterexample, not the outcomes."""
        call = f", call={self.counterexample.call!r}" if self.counterexample else ""
        return f"Verdict(equivalent={self.equivalent}, why={self.why!r}{call})"

    @property
    def agrees(self) -> bool:
        """Whether every input was compared, and both programs did the same. All of them may have raised."""
        return self.tried > 0 and not (self.counterexample or self.undecided or self.outside)


def check_equivalence(
    before: str,
    after: str,
    calls: str | Iterable[str] = (),
    *,
    examples: int = 100,
    inputs: InputTypes = "same-types",
    seconds: float | None = SECONDS,
    run_seconds: float = RUN_SECONDS,
    symbolic: bool = False,
    assumes: Sequence[Assumption] = (),
    exceptions: ExceptionPolicy = "message",
) -> Verdict:
    """Compare two programs on the given calls and on inputs generated from them.

    If the given calls and up to `examples` variations show no difference, up to `examples` / 4 coverage-guided calls
    and as many sequences of calls follow. Finally, the globals after loading the modules are compared. The same
    arguments give the same verdict, unless a program is nondeterministic. The verdict is undecided if every input
    raised, or if no input reached the code that differs (`rewrite.equivalence.judgement`).

    Args:
        before: Source of the original module.
        after: Source of the rewritten module.
        calls: Calls such as "f(1, [2])", or a single one. Without calls, every public top-level function, class and
            method of `before` is called; if there is none, the module is only loaded.
        examples: The maximum number of generated calls (default: 100).
        inputs: "same-types": generated calls pass values of the types that the given calls pass, and a difference on
            another type is reported in `Verdict.other_types` (default). "any": a difference on any type counts.
        seconds: Time limit of the comparison; None: none (default: 120).
        run_seconds: Time limit of each run (default: 2). Generated inputs are cut by their work before
            (`rewrite.equivalence.work_limit`).
        symbolic: Whether to run CrossHair as well, outside the sandbox; see `rewrite.equivalence.crosshair`.
        assumes: Assumptions of the rewrite (`Rewritten.assumes`). Inputs that break one are excluded. If a given call
            breaks one, the verdict is undecided.
        exceptions: What has to be equal if both programs raise: type, message, arguments, cause and context
            ("message", the default), only the type ("type"), or nothing ("any").

    Raises:
        InputError: If a program or a call does not parse, a call does not call `before` or names what it does not
            define, or an assumption names an expression that `before` does not contain.

    If a deadline passes (`corpora.deadline`) before a difference is seen, the verdict is undecided.

    >>> verdict = check_equivalence("def f(x): return x > 0", "def f(x): return x >= 0", ["f(3)"])
    >>> verdict.equivalent, verdict.counterexample.call
    (False, 'f(0)')
    """
    if inputs not in get_args(InputTypes):
        raise InputError(f"must be {' or '.join(get_args(InputTypes))}, not {inputs!r}", where="inputs")
    tree, other = _parsed(before, "before"), _parsed(after, "after")
    calls = list_calls(calls)
    calls_like(tree, calls)  # raises InputError for an invalid call
    for call in calls:
        if why := unusable_call_reason(tree, call):
            raise InputError(why, where=call)
    if before == after:
        return Verdict(True, "the two programs are identical")
    start_workers()
    pair = ProgramPair(before, after, run_seconds, assumes, exceptions)
    types = GivenTypes(tree, calls if inputs == "same-types" else ())
    with time_limit(seconds):
        try:
            return _compared(pair, tree, other, calls, examples, types, symbolic=symbolic)
        except OutOfTimeError as error:
            return _verdict_at_deadline(pair, error.message)


def _compared(
    pair: ProgramPair,
    tree: ast.Module,
    other: ast.Module,
    calls: Sequence[str],
    examples: int,
    types: GivenTypes,
    *,
    symbolic: bool,
) -> Verdict:
    """The verdict, unless the deadline passes before it."""
    found, elsewhere = pair.first_difference(calls), list[str]()
    stages = _generated(pair, tree, other, calls, examples, types)
    for made in stages if not (found or pair.is_never_loaded()) else ():
        drawn = made()
        elsewhere += [call for call in drawn if not types.agree_with(call)]
        found = pair.first_difference(filter(types.agree_with, drawn), generated=True)
        if found or pair.is_never_loaded():
            break
    follow_up = [*_generator_calls(pair), *_calls_of_results(pair)] if not found else ()
    found = found or pair.first_difference(follow_up, generated=True)
    if found:
        return _different_verdict(pair, found, calls, types)
    results = _crosshair_results(pair, tree, calls) if symbolic else ()
    shown = [result.call for result in results if result.call]
    elsewhere += [call for call in shown if not types.agree_with(call)]
    found = pair.first_difference(filter(types.agree_with, shown))
    if found:
        return _different_verdict(pair, found, calls, types)
    judgement = judge(pair, calls)
    notes = "".join(f"; CrossHair: {result}" for result in results) if judgement.equivalent else ""
    judgement = judgement._replace(why=judgement.why + notes)
    counted = pair.coverage() if examples > 0 and judgement.equivalent else Coverage()
    return _verdict(pair, judgement, counted=counted, other_types=_difference_elsewhere(pair, elsewhere))


def _difference_elsewhere(pair: ProgramPair, calls: Sequence[str]) -> Counterexample | None:
    """A difference on calls with other types than the given ones; they are no evidence for the verdict."""
    other = pair.again()
    found = other.first_difference(calls, generated=True)
    return _counterexample(other, found) if found else None


def _counterexample(pair: ProgramPair, call: str) -> Counterexample:
    return Counterexample(call, pair.aspect(call), *pair.compared[call])


def _verdict_at_deadline(pair: ProgramPair, spent: str) -> Verdict:
    """The verdict of a comparison that the deadline ended: a difference that was seen, or undecided."""
    found = next(iter(pair.confirmed), None)
    if found is None:
        why = f"{spent} after {len(pair.compared)} inputs without a difference"
        return _verdict(pair, Judgement(None, why))
    return _verdict(pair, Judgement(False, f"they differ in {pair.aspect(found)}"), _counterexample(pair, found))


def _generated(
    pair: ProgramPair, tree: ast.Module, other: ast.Module, calls: Sequence[str], examples: int, types: GivenTypes
) -> Iterator[Callable[[], list[str]]]:
    """Yield the generators of further calls, stage by stage: variations, coverage-guided calls, sequences, loading."""
    if examples <= 0:
        return
    first = generate_calls(tree, other, calls, examples)
    yield lambda: first
    excluded = len(pair.outside) + sum(not types.agree_with(call) for call in first)
    if excluded:  # replace the inputs that were excluded
        yield lambda: generate_calls(tree, other, calls, examples + excluded)
    hints = InputHints.of(other, tree).union(InputHints.of(tree, other))
    annotated = functools.partial(annotated_places, tree)
    for _ in range(COVERAGE_ROUNDS):
        more = coverage_guided_calls(pair.update_coverage(), pair.counted_on, hints, annotated, examples // 8)
        if not more:
            break  # coverage is complete, or no new call was found
        yield functools.partial(list, more)
    yield lambda: [
        *call_sequences([*pair.compared], examples // 4),
        *state_walks(tree, pair.calls_by_status(), examples // 4),
        LOAD_ONLY,
    ]


def _crosshair_results(pair: ProgramPair, tree: ast.Module, calls: Sequence[str]) -> tuple[CrossHairResult, ...]:
    """CrossHair's results for every function that the calls name, or for every public function."""
    named = [call_template(call).function for call in calls] or [node.name for node in public_functions(tree)]
    return tuple(run_crosshair(pair.before, pair.after, name) for name in dict.fromkeys(filter(None, named)))


def _parsed(source: str, name: str) -> ast.Module:
    check_source(source)
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError) as error:
        line = f", line {error.lineno}" if isinstance(error, SyntaxError) and error.lineno else ""
        raise InputError(f"does not parse: {getattr(error, 'msg', error)}", where=f"{name}{line}") from None


def _generator_calls(pair: ProgramPair) -> list[str]:
    """For calls that return generators: close the generator early, and send and throw into it."""
    made = [call for call, (before, _) in pair.compared.items() if is_generator(before)][:MAX_FOLLOW_UP_CALLS]
    return [text for call in made for text in (close_early(call, 1), close_early(call, 2), send_and_throw(call))]


def _calls_of_results(pair: ProgramPair) -> list[str]:
    """For calls that return functions: calls of these functions."""
    found = {call: function_parameters(before) for call, (before, _) in pair.compared.items() if ";" not in call}
    made = [(call, names) for call, names in found.items() if names is not None][:MAX_FOLLOW_UP_CALLS]
    return [
        f"{INSTANCE} = {call.strip()}; "
        + "; ".join(f"{INSTANCE}({', '.join([given] * len(names))})" for given in RESULT_ARGUMENTS)
        for call, names in made
    ]


def _different_verdict(pair: ProgramPair, found: str, given: Sequence[str], types: GivenTypes) -> Verdict:
    """The verdict for a difference, with the simplest call found that differs in the same aspect."""
    aspect = pair.aspect(found)
    slow = not pair.compared[found][1].has_ended
    seconds = SHRINK_SECONDS / 100 if slow else None

    def shows(calls: list[str]) -> str | None:
        for start in range(0, len(calls), BATCH_SIZE):
            batch = pair.work.admitted([call for call in calls[start : start + BATCH_SIZE] if types.agree_with(call)])
            pair.run(batch, seconds)
            met = next((call for call in batch if call in pair.compared and pair.aspect(call) == aspect), None)
            if met:
                return met
        return None

    if found == LOAD_ONLY and aspect == "globals":
        found = pair.first_difference(differing_globals(*pair.compared[found])) or found
        aspect = pair.aspect(found)
    best = shrink(found, shows, SHRINK_SECONDS)
    if not pair.differs(best):
        best = found
    example = _counterexample(pair, best)
    why = f"they differ in {example.aspect}{SHARING if _needs_sharing(pair, best) else ''}"
    missing = _missing_definitions(pair)
    why += f"; the second program does not define {', '.join(missing)}" if missing else ""
    judgement = judge(pair, given)._replace(why=why)
    unlike = None
    if given and not pair.assumes and not pair.confirmed.intersection(given):
        unlike = find_unlike_value(pair.before, given, best, pair.seconds)
    return _verdict(pair, judgement, example, unlike=unlike)


def _missing_definitions(pair: ProgramPair) -> list[str]:
    """The public functions and classes of the original that the rewritten program surely does not define."""
    tree, other = ast.parse(pair.before), ast.parse(pair.after)
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef) and not node.name.startswith("_")]
    names = dict.fromkeys(node.name for node in (*public_functions(tree), *classes))
    return [name for name in names if undefined_name_reason(other, name)]


def _needs_sharing(pair: ProgramPair, call: str) -> bool:
    """Whether a call that differs shares an object, and does not differ with an object of its own in each place."""
    alone = without_sharing(call)
    if alone != call:
        pair.run([alone])
    return alone in pair.compared and not pair.differs(alone)


def _verdict(
    pair: ProgramPair,
    judgement: Judgement,
    example: Counterexample | None = None,
    counted: Coverage | None = None,
    other_types: Counterexample | None = None,
    unlike: Assumption | None = None,
) -> Verdict:
    outcomes = [before for before, _ in pair.compared.values()]
    return Verdict(
        judgement.equivalent,
        judgement.why,
        tried=len(outcomes),
        counterexample=example,
        raised=sum(outcome.status == "raised" for outcome in outcomes),
        undecided=(*pair.undecided.items(), *pair.work.cut.items()),
        outside=tuple(pair.outside.items()),
        reached=counted or Coverage(),
        isolation=outcomes[0].isolation if outcomes else "",
        cut=len(pair.work.cut) + pair.work.not_tried,
        other_types=other_types,
        unlike=unlike,
    )
