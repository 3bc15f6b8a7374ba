"""`check_intervention`: tests an intervention on programs that it changes, by execution.

A test that draws programs and compares them passes if no program contains what the intervention claims. This check
counts the programs that were changed, executed and compared, and fails if they are too few.
"""

from __future__ import annotations

import ast
import random
import time
from collections import Counter
from typing import Any

from corpora.calls import undefined_name_reason
from corpora.errors import InputError
from rewrite.equivalence.changed_code import changed_lines
from rewrite.equivalence.check import check_equivalence
from rewrite.equivalence.judgement import judge
from rewrite.equivalence.observation import LOAD_ONLY, Counterexample, ExceptionPolicy
from rewrite.equivalence.program_pair import ProgramPair
from rewrite.pipeline.compile_check import find_compile_failure
from rewrite.pipeline.recipes import recipes
from rewrite.pipeline.registration import recipe_name
from rewrite.pipeline.source_rewrites import is_codemod
from rewrite.program_grammar.generated_program import Program
from rewrite.testing.call_variation import vary_calls
from rewrite.testing.check_report import InterventionFailure, Report
from rewrite.testing.counterexample_reduction import ReducedCase, reduce_counterexample
from rewrite.testing.program_sources import ProgramSources
from rewrite.testing.rewrite_under_test import RewriteUnderTest, rewrite_under_test
from rewrite.testing.source_comparison import lost_comments, reformatted

EXAMPLES = 150
MINIMUM = 50
SECONDS = 120.0
DRAWS_PER_EXAMPLE = 16
LEAST_DRAWS = 400
"""Enough to try most sources of programs once, even if few examples are asked for."""
CALLS = 8
CALL_SECONDS = 1.0
SHRINK_SECONDS = 20.0
NOT_REPEATED = "one run, and not in the next"
COMPOSED_PROGRAMS = 4
CHECKED_EXAMPLES = 6
DIFFERENCES = 5
MORE_DRAWS = 240
"""After the first program that differs, up to this many more are drawn, until `DIFFERENCES` programs differ."""
SHRUNK, SHORT = 4, 6
"""Up to `SHRUNK` of them are shrunk, the smallest first, until one has at most `SHORT` lines."""
PROPERTIES = ("behaviour", "stability", "comments", "untouched code", "composition")
_UNTOUCHED = """

def untouched ( x ) :  # as it was
    return  {x : ( x )}
"""


def check_intervention(
    intervention: Any,
    *,
    examples: int = EXAMPLES,
    minimum: int = MINIMUM,
    properties: tuple[str, ...] = PROPERTIES,
    exceptions: ExceptionPolicy = "message",
    seconds: float = SECONDS,
    seed: int = 0,
) -> Report:
    """Test an intervention on programs that it changes.

    First, examples of the intervention are compared on generated inputs. Then programs are drawn until `examples`
    changed programs have been compared, several programs behave differently, or a limit is reached. No generated
    program runs in this process.

    Args:
        intervention: an intervention (class or instance), a LibCST codemod, a function from source to source, the name
            of a recipe, or a list of interventions.
        examples: the number of changed programs to compare (default: 150).
        minimum: the check fails if fewer programs were tested, even if all of them behave the same. A program counts
            if the intervention changed it, and a call executed a statement that it changed (default: 50).
        properties: what is checked, from `PROPERTIES` (default: everything).
        exceptions: what has to be equal if both programs raise (see `check_equivalence`).
        seconds: time limit for drawing programs (default: 120). Shrinking a counterexample comes on top.
        seed: random seed (default: 0).

    Returns:
        The report. `report.passed` is false if something is wrong or too few programs were changed.

    Raises:
        InputError: if the intervention is none, a property is unknown, or `examples` is less than `minimum`.
    """
    unknown = set(properties) - set(PROPERTIES)
    if unknown:
        raise InputError(f"unknown property {min(unknown)!r}: there are {', '.join(PROPERTIES)}")
    if examples < minimum:
        raise InputError(f"examples={examples} is less than minimum={minimum}, so that the check could not pass")
    run = _CheckRun(rewrite_under_test(intervention), exceptions, properties, seed)
    run.conduct(examples, time.monotonic() + seconds)
    return run.report(minimum)


def check_codemod(codemod: Any, **options: Any) -> Report:
    """Test whether a LibCST codemod keeps the behaviour of the programs that it changes.

    Only the behaviour is compared. For comments, stability and composition use `check_intervention`.

    Args:
        codemod: a `Codemod` or `CSTTransformer`, class or instance.
        **options: options of `check_intervention`.

    Raises:
        InputError: if it is no codemod.
    """
    if not is_codemod(codemod):
        raise InputError(f"must be a LibCST codemod, not {type(codemod).__name__}", where="codemod")
    return check_intervention(codemod, **{"properties": ("behaviour",), **options})


def assert_intervention(intervention: Any, **options: Any) -> None:
    """Assert in a test that `check_intervention` passes.

    Raises:
        AssertionError: with the report, which shows the counterexamples as source.
    """
    report = check_intervention(intervention, **options)
    assert report.passed, f"\n{report}"


class _CheckRun:
    """The state of one check."""

    def __init__(
        self, subject: RewriteUnderTest, exceptions: ExceptionPolicy, properties: tuple[str, ...], seed: int
    ) -> None:
        self.subject, self.exceptions, self.properties = subject, exceptions, properties
        self.random = random.Random(seed)
        self.sources = ProgramSources(subject.examples, subject.statements, seed)
        self.counts: Counter[str] = Counter()
        self.failures: dict[str, InterventionFailure] = {}
        self.begin = time.monotonic()
        self.seen: set[str] = set()
        # Programs that differ, best first: whether only in the exception, the length, the source, the call.
        self.differing: list[tuple[bool, int, str, str]] = []

    def conduct(self, examples: int, end: float) -> None:
        """Draw and compare programs."""
        self._check_examples()
        self._draw(examples, end)
        for _, _, source, call in sorted(self.differing)[:SHRUNK]:
            if self._shrink(source, call) <= SHORT:
                break

    def _check_examples(self) -> None:
        """Compare examples of the intervention as `check_equivalence` does, also those without a call."""
        for example in self.random.sample(self.subject.examples, min(len(self.subject.examples), CHECKED_EXAMPLES)):
            before, calls = example.before, [example.call] if example.call else []
            after = self._applied(before, "on an example, the intervention")
            if after == before and not example.with_call:
                self._fail("example", f"the example {example.note!r} is not changed, or its result is dropped", before)
            try:
                verdict = check_equivalence(
                    before, after, calls, inputs="any", run_seconds=CALL_SECONDS, exceptions=self.exceptions
                )
            except InputError:  # the example or its result does not parse, or its call is no call of a function
                continue
            if found := verdict.counterexample:
                self.differing.append((found.aspect == "exception", len(before), before, found.call))

    def _draw(self, examples: int, end: float) -> None:
        last = max(LEAST_DRAWS, DRAWS_PER_EXAMPLE * examples)
        while self.counts["compared"] < examples and self.counts["drawn"] < last:
            if time.monotonic() > end or "error" in self.failures or len(self.differing) >= DIFFERENCES:
                return
            source, batch = self.sources.batch()
            for program in batch:
                if program.source not in self.seen:
                    self.seen.add(program.source)
                    self._try(program, source)
            if self.differing and last > self.counts["drawn"] + MORE_DRAWS:
                last = self.counts["drawn"] + MORE_DRAWS

    def report(self, minimum: int) -> Report:
        """The report of everything tried."""
        reached, wrong = self.counts["reached"], sorted(self.failures.values(), key=lambda one: one.kind != "behaviour")
        if not wrong and reached < minimum:
            wrong = [InterventionFailure("too few programs", self._too_few(minimum))]
        return Report(
            self.subject.name,
            self.counts["drawn"],
            self.counts["changed"],
            self.counts["compared"],
            reached,
            self.counts["composed"],
            tuple(wrong),
            {name: (drawn, self.sources.changed[name]) for name, drawn in self.sources.drawn.items() if drawn},
            time.monotonic() - self.begin,
        )

    def _too_few(self, minimum: int) -> str:
        said = f"calls reached {self.counts['reached']} changed programs, and {minimum} are needed"
        return (
            f"{said}: of {self.counts['drawn']} programs drawn, {self.counts['changed']} were changed. "
            "Add EXAMPLES of programs that the intervention changes, or lower `minimum`."
        )

    def _try(self, program: Program, source: str) -> None:
        self.counts["drawn"] += 1
        try:
            after = self.subject.apply(program.source)
        except InputError:
            return  # the program is refused, for example because it nests too deeply
        except Exception as error:  # noqa: BLE001 - an intervention under test may raise anything
            self._fail("error", f"{type(error).__name__}: {error}", program.source)
            return
        if after == program.source:
            return
        broken = find_compile_failure(program.source, after)
        if broken is not None:
            self._fail("error", f"the result does not compile: {broken.message}", program.source, after)
            return
        lines = changed_lines(program.source, after)
        self._check_text(program.source, after)
        if not lines:
            return
        self.counts["changed"] += 1
        self.sources.count_change(source)
        self._compare(program, after)

    def _compare(self, program: Program, after: str) -> None:
        calls = vary_calls(program.calls, self.random, CALLS)
        pair = self._pair(program.source, after)
        found = pair.first_difference(calls)
        if found is not None:
            self.differing.append((pair.aspect(found) == "exception", len(program.source), program.source, found))
            return
        if not pair.compared:
            return
        self.counts["compared"] += 1
        self.counts["reached"] += judge(pair).equivalent is True
        if "composition" in self.properties and self.counts["compared"] <= COMPOSED_PROGRAMS:
            self._check_composition(program, after, [*pair.compared])

    def _pair(self, before: str, after: str) -> ProgramPair:
        return ProgramPair(before, after, CALL_SECONDS, (), self.exceptions)

    def _shrink(self, source: str, call: str) -> int:
        """Shrink a counterexample, keep it if it is the shortest, and return its number of lines."""
        first = self._pair(source, self.subject.apply(source))
        first.run([call])
        worse = () if first.aspect(call) == "exception" else ("exception",)

        def shows(program: str, tried: str) -> bool:
            try:
                after = self.subject.apply(program)
                if after == program or find_compile_failure(program, after) is not None:
                    return False
                pair = self._pair(program, after)
                pair.run([tried])
                return tried in pair.compared and pair.aspect(tried) not in ("", *worse)
            except Exception:  # noqa: BLE001 - a smaller program that cannot be rewritten shows nothing
                return False

        found = reduce_counterexample(source, call, shows, SHRINK_SECONDS)
        if undefined_name_reason(ast.parse(found.program), found.call):
            found = found._replace(call=LOAD_ONLY)  # the programs differ when they are loaded
        after = self.subject.apply(found.program)
        pair = self._pair(found.program, after)
        confirmed = pair.first_difference([found.call])
        if confirmed is None:  # the smaller program is nondeterministic
            found, after, pair = ReducedCase(source, call), self.subject.apply(source), first
        aspect = pair.aspect(found.call) if found.call in pair.compared else ""
        why = f"the programs differ in: {aspect or NOT_REPEATED}"
        shown = Counterexample(found.call, aspect, *pair.compared[found.call]).outcomes if aspect else ()
        self._fail("behaviour", why, found.program, after, found.call, shown)
        return found.program.count("\n")

    def _check_text(self, before: str, after: str) -> None:
        if "stability" in self.properties and self._applied(after, "a second application") != after:
            self._fail("stability", "a second application changes the program again", before, after)
        if "comments" in self.properties and (lost := lost_comments(before, after)):
            self._fail("comments", f"the comment {lost[0]!r} is lost", before, after)
        if "untouched code" in self.properties and "untouched code" not in self.failures:
            extended = before + _UNTOUCHED
            found = reformatted(extended, self._applied(extended, "with another function behind it, the intervention"))
            if found is not None:
                self._fail("untouched code", "code that means the same is written differently", *found)

    def _applied(self, program: str, what: str) -> str:
        """The rewritten program; the same program if the intervention raises, which is a failure."""
        try:
            return self.subject.apply(program)
        except Exception as error:  # noqa: BLE001 - an intervention under test may raise anything
            self._fail("error", f"{what} raises {type(error).__name__}: {error}", program)
            return program

    def _check_composition(self, program: Program, after: str, calls: list[str]) -> None:
        """Built-in recipes must be able to rewrite what the intervention wrote."""
        for name in recipes():
            recipe = rewrite_under_test(recipe_name(name))
            if recipe.name == self.subject.name:
                continue
            self.counts["composed"] += 1
            try:
                both = recipe.apply(after)
            except Exception as error:  # noqa: BLE001 - the intervention may write what no recipe can handle
                self._fail("composition", f"{name} raises {type(error).__name__}: {error}", program.source, after)
                continue
            found = self._pair(program.source, both).first_difference(calls)
            if found is None:
                continue
            alone = self._pair(program.source, recipe.apply(program.source))
            if alone.first_difference([found]) is None:
                self._fail("composition", f"with {name}, the programs differ", program.source, both, found)

    def _fail(
        self,
        kind: str,
        why: str,
        program: str,
        rewritten: str = "",
        call: str = "",
        outcomes: tuple[str, ...] = (),
    ) -> None:
        """Keep the first failure of each kind, or a later one with a shorter program."""
        known = self.failures.get(kind)
        if known is None or len(program) < len(known.program):
            shown = self.subject.expression if kind == "behaviour" else ""
            self.failures[kind] = InterventionFailure(kind, why, program, call, rewritten, outcomes, shown)
