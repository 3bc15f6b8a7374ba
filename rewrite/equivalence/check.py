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

from corpora.deadline import OutOfTimeError
from corpora.errors import InputError
from rewrite.equivalence.call_inputs import BATCH_SIZE, LOAD_ONLY, annotated_places, generate_calls, public_functions
from rewrite.equivalence.call_inputs import call_strategy as calls_like
from rewrite.equivalence.call_sequences import INSTANCE, call_sequences
from rewrite.equivalence.call_templates import call_template, close_early, send_and_throw
from rewrite.equivalence.compared_names import differing_globals
from rewrite.equivalence.coverage import Coverage
from rewrite.equivalence.coverage_hints import coverage_guided_calls
from rewrite.equivalence.crosshair import CrossHairResult, run_crosshair
from rewrite.equivalence.input_hints import InputHints
from rewrite.equivalence.observation import (
    FINISHED,
    Counterexample,
    ExceptionPolicy,
    function_parameters,
    is_generator,
    is_unread,
)
from rewrite.equivalence.program_pair import TOO_DEEP, ProgramPair
from rewrite.equivalence.shrinking import shrink
from rewrite.equivalence.state_walks import state_walks
from rewrite.evidence.assumptions import Assumption
from rewrite.evidence.context import check_source, list_calls

SHRINK_SECONDS = 5.0
MAX_FOLLOW_UP_CALLS = 12
RESULT_ARGUMENTS = ("1", "-2", "2.5", "'ab'", "[3, 1]")  # for calls of functions that calls returned
COVERAGE_ROUNDS = 2


@dataclass(frozen=True)
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


def check_equivalence(
    before: str,
    after: str,
    calls: str | Iterable[str] = (),
    *,
    examples: int = 100,
    seconds: float = 2.0,
    symbolic: bool = False,
    assumes: Sequence[Assumption] = (),
    exceptions: ExceptionPolicy = "message",
) -> Verdict:
    """Compare two programs on the given calls and on inputs generated from them.

    If the given calls and up to `examples` variations show no difference, up to `examples` / 4 coverage-guided calls
    and as many sequences of calls follow. Finally, the globals after loading the modules are compared. The same
    arguments give the same verdict, unless a program is nondeterministic.

    Args:
        before: Source of the original module.
        after: Source of the rewritten module.
        calls: Calls such as "f(1, [2])", or a single one. Without calls, every public top-level function, class and
            method of `before` is called; if there is none, the module is only loaded.
        examples: The maximum number of generated calls (default: 100).
        seconds: Time limit of each run (default: 2).
        symbolic: Whether to run CrossHair as well, outside the sandbox; see `rewrite.equivalence.crosshair`.
        assumes: Assumptions of the rewrite (`Rewritten.assumes`). Inputs that break one are excluded. If a given call
            breaks one, the verdict is undecided.
        exceptions: What has to be equal if both programs raise: type, message, arguments, cause and context
            ("message", the default), only the type ("type"), or nothing ("any").

    Raises:
        InputError: If a program or a call does not parse, a call names a function that `before` does not define, or
            an assumption names an expression that `before` does not contain.

    If a deadline passes (`corpora.deadline`) before a difference is seen, the verdict is undecided.

    >>> verdict = check_equivalence("def f(x): return x > 0", "def f(x): return x >= 0", ["f(3)"])
    >>> verdict.equivalent, verdict.counterexample.call
    (False, 'f(None)')
    """
    tree, other = _parsed(before, "before"), _parsed(after, "after")
    calls = list_calls(calls)
    calls_like(tree, calls)  # raises InputError for an invalid call
    if before == after:
        return Verdict(True, "the two programs are identical")
    pair = ProgramPair(before, after, seconds, assumes, exceptions)
    try:
        return _compared(pair, tree, other, calls, examples, symbolic=symbolic)
    except OutOfTimeError as error:
        return _verdict_at_deadline(pair, error.message)


def _compared(
    pair: ProgramPair, tree: ast.Module, other: ast.Module, calls: Sequence[str], examples: int, *, symbolic: bool
) -> Verdict:
    """The verdict, unless the deadline passes before it."""
    seconds = pair.seconds
    found = pair.first_difference(calls, seconds)
    for made in _generated(pair, tree, other, calls, examples) if not found else ():
        found = pair.first_difference(made(), pair.generated_input_timeout())
        if found:
            break
    found = found or pair.first_difference([*_generator_calls(pair), *_calls_of_results(pair)], seconds)
    if found:
        return _different_verdict(pair, found)
    results = _crosshair_results(pair, tree, calls) if symbolic else ()
    found = pair.first_difference([result.call for result in results if result.call], seconds)
    return _different_verdict(pair, found) if found else _equivalent_verdict(pair, calls, examples > 0, results)


def _verdict_at_deadline(pair: ProgramPair, spent: str) -> Verdict:
    """The verdict of a comparison that the deadline ended: a difference that was seen, or undecided."""
    found = next(iter(pair.confirmed), None)
    if found is None:
        return _verdict(pair, None, f"{spent} after {len(pair.compared)} inputs without a difference")
    example = Counterexample(found, pair.aspect(found), *pair.compared[found])
    return _verdict(pair, False, f"they differ in {example.aspect}", example)


def _generated(
    pair: ProgramPair, tree: ast.Module, other: ast.Module, calls: Sequence[str], examples: int
) -> Iterator[Callable[[], list[str]]]:
    """Yield the generators of further calls, stage by stage: variations, coverage-guided calls, sequences, loading."""
    if examples <= 0:
        return
    yield lambda: generate_calls(tree, other, calls, examples)
    if pair.outside:  # replace the inputs that were excluded
        yield lambda: generate_calls(tree, other, calls, examples + len(pair.outside))
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


def _different_verdict(pair: ProgramPair, found: str) -> Verdict:
    """The verdict for a difference, with the simplest call found that differs in the same aspect."""
    aspect = pair.aspect(found)
    slow = pair.compared[found][1].status not in FINISHED
    seconds = SHRINK_SECONDS / 100 if slow else pair.generated_input_timeout()

    def shows(calls: list[str]) -> str | None:
        for start in range(0, len(calls), BATCH_SIZE):
            pair.run(calls[start : start + BATCH_SIZE], seconds)
            known = [call for call in calls[start : start + BATCH_SIZE] if call in pair.compared]
            met = next((call for call in known if pair.aspect(call) == aspect), None)
            if met:
                return met
        return None

    if found == LOAD_ONLY and aspect == "globals":
        found = pair.first_difference(differing_globals(*pair.compared[found]), seconds) or found
        aspect = pair.aspect(found)
    best = shrink(found, shows, SHRINK_SECONDS)
    if not pair.differs(best):
        best = found
    example = Counterexample(best, pair.aspect(best), *pair.compared[best])
    return _verdict(pair, False, f"they differ in {example.aspect}", example)


def _equivalent_verdict(
    pair: ProgramPair, calls: Sequence[str], count_lines: bool, results: Sequence[CrossHairResult]
) -> Verdict:
    """The verdict if no difference was found: undecided if a given call, or every call, could not be compared."""
    pair.drop_nondeterministic()
    pair.compared.pop(LOAD_ONLY, None) if len(pair.compared) > 1 or calls else None
    given = [f"{call}: {pair.undecided[call]}" for call in calls if call in pair.undecided]
    given += [f"{call} {_describe_exclusion(pair.outside[call])}" for call in calls if call in pair.outside]
    if given:
        return _verdict(pair, None, given[0])
    if not pair.compared:
        outside = next(iter(pair.outside.values()), "")
        excluded = f"every input {_describe_exclusion(outside)}" if outside else "no input was tried"
        reason = next(iter(pair.undecided.values()), excluded)
        return _verdict(pair, None, f"no input could be compared: {reason}")
    raised = all(before.status == "raised" for call, (before, _) in pair.compared.items() if ";" not in call)
    notes = [f"the same on {len(pair.compared)} inputs" + (", all of which raised" if raised else "")]
    too_deep = sum(reason == TOO_DEEP for reason in pair.outside.values())
    counts = {
        "break an assumption": len(pair.outside) - too_deep,
        "recurse too deeply to be compared": too_deep,
        "could not be compared": len(pair.undecided),
    }
    notes += [f"{count} {what}" for what, count in counts.items() if count]
    notes += [pair.stopped] if pair.stopped else []
    unread = sum(is_unread(before) for before, _ in pair.compared.values())
    if unread:
        notes.append(f"on {unread} of them, iterators were read or observed only in part")
    notes += [f"CrossHair: {result}" for result in results]
    counted = pair.coverage() if count_lines else Coverage()
    return _verdict(pair, True, "; ".join(notes), counted=counted)


def _describe_exclusion(reason: str) -> str:
    """The predicate of a sentence that says why an input was excluded."""
    return "recurses too deeply to be compared" if reason == TOO_DEEP else f"breaks an assumption: {reason}"


def _verdict(
    pair: ProgramPair,
    equivalent: bool | None,
    why: str,
    example: Counterexample | None = None,
    counted: Coverage | None = None,
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
        reached=counted or Coverage(),
        isolation=outcomes[0].isolation if outcomes else "",
    )
