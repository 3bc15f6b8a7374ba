"""The programs on which an intervention is tried: drawn from a grammar, around its examples, and from benchmarks.

An intervention that claims `AugAssign` is not tested by programs without one. Each feature of the grammar is therefore
a source of its own, as are the examples of the intervention and the benchmark programs of `corpora`. A source is drawn
from more often the larger the share of its programs is that the intervention changed so far. This needs no knowledge of
what the intervention claims, so that it works for any function from source to source.
"""

from __future__ import annotations

import ast
import random
import textwrap
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache

from corpora.benchmarks import humaneval, zoo
from corpora.source_block import source_block
from rewrite.anf.intervention import RewriteExample
from rewrite.equivalence.call_templates import parsed_expression
from rewrite.program_grammar.choices import RandomChoices
from rewrite.program_grammar.generated_program import Program
from rewrite.program_grammar.logged_programs import draw_logged_program
from rewrite.program_grammar.mixed_programs import FEATURES as MIXED_FEATURES
from rewrite.program_grammar.mixed_programs import draw_mixed_program
from rewrite.testing.mutation import mutated
from rewrite.testing.programs import FEATURES

BATCH = 6
COMPANIONS = 3
"""Number of other features that a program with one feature may use."""
CONTEXT = frozenset({"expression", "assign", "comment"})
Draw = Callable[[random.Random], Sequence[Program]]


class ProgramSources:
    """Draws programs, and learns which sources have programs that the intervention changes.

    Attributes:
        drawn: the number of programs drawn, by source.
        changed: the number of them that the intervention changed, by source.
    """

    def __init__(self, examples: Sequence[RewriteExample], statements: frozenset[str], seed: int) -> None:
        self._random = random.Random(seed)
        self._sources: dict[str, Draw] = {f"mixed: {feature}": _mixed_source(feature) for feature in MIXED_FEATURES}
        self._sources |= {f"logged: {feature}": _logged_source(feature) for feature in sorted(FEATURES - CONTEXT)}
        self._sources["benchmarks"] = _benchmark_programs
        if examples:
            self._sources["examples"] = lambda draw: list(_around_examples(examples, draw))
        self.drawn = dict.fromkeys(self._sources, 0)
        self.changed = dict.fromkeys(self._sources, 0)
        likely = {name for name, kinds in feature_nodes().items() if kinds & statements}
        self._prior = {name: _prior(name, name in likely) for name in self._sources}

    def batch(self) -> tuple[str, Sequence[Program]]:
        """Draw programs from one source; return its name and the programs."""
        names = list(self._sources)
        untried = [name for name in names if not self.drawn[name]]
        if untried and self._random.random() < 0.4:
            name = self._random.choices(untried, [self._prior[one] for one in untried])[0]
        else:
            name = self._random.choices(names, [self._weight(one) for one in names])[0]
        found = self._sources[name](self._random)
        self.drawn[name] += len(found)
        return name, found

    def count_change(self, source: str) -> None:
        """Note that the intervention changed a program of a source."""
        self.changed[source] += 1

    def _weight(self, name: str) -> float:
        """The square of the estimated share of changed programs, so that the best sources are clearly preferred."""
        return float((self.changed[name] + 0.2 * self._prior[name]) / (self.drawn[name] + 2.0)) ** 2


def _logged_source(feature: str) -> Draw:
    def draw(chosen: random.Random) -> Sequence[Program]:
        more = chosen.sample(sorted(FEATURES), chosen.randint(0, COMPANIONS))
        used = frozenset({feature, *more, *(CONTEXT if chosen.random() < 0.8 else FEATURES)})
        depth, size = chosen.choice([(1, 2), (1, 3), (2, 2), (2, 4)])
        return [draw_logged_program(RandomChoices(chosen), used, depth, size) for _ in range(BATCH)]

    return draw


def _mixed_source(feature: str) -> Draw:
    def draw(chosen: random.Random) -> Sequence[Program]:
        return [draw_mixed_program(chosen, feature) for _ in range(BATCH)]

    return draw


def _prior(name: str, likely: bool) -> float:
    """How often a source is drawn from before it is known how many of its programs are changed."""
    usual = 0.15 if name.startswith("logged") else 1.0
    return 60.0 if name == "examples" else 4.0 if likely else usual


@cache
def feature_nodes() -> dict[str, frozenset[str]]:
    """Return the classes of `ast` that most programs of the mixed profile about a feature contain, by source."""
    found = {}
    for feature in MIXED_FEATURES:
        draw = random.Random(1)
        several = [draw_mixed_program(draw, feature).source for _ in range(8)]
        kinds = [{type(node).__name__ for node in ast.walk(ast.parse(source))} for source in several]
        counts = Counter(kind for one in kinds for kind in one)
        found[f"mixed: {feature}"] = frozenset(kind for kind, count in counts.items() if count >= 5)
    return found


@cache
def _benchmarks() -> tuple[Program, ...]:
    calls: dict[str, list[str]] = {}
    for case in (*humaneval.cases(3), *zoo.cases(size=1, depth=2)):
        calls.setdefault(case.source + "\n" * (not case.source.endswith("\n")), []).append(case.call)
    return tuple(Program(source, tuple(found)) for source, found in calls.items() if len(source) < 3000)


def _benchmark_programs(draw: random.Random) -> Sequence[Program]:
    chosen = draw.sample(_benchmarks(), 3)
    return [
        one if draw.random() < 0.5 else Program(mutated(one.source, draw, draw.randint(1, 3)), one.calls)
        for one in chosen
    ]


_WRAPPERS = (
    """
    {source}
    def g(*args):
        return {name}(*args), args
    """,
    """
    {source}
    def g(*args):
        try:
            return {name}(*args)
        except Exception as error:
            return type(error), str(error), args
    """,
    """
    def g(*args):
    {indented}
        return {name}(*args), args
    """,
    """
    class C:
    {indented}

    def g(*args):
        return C.{name}(*args)
    """,
    """
    seen = []

    {source}
    def g(*args):
        for _ in range(2):
            seen.append({name}(*args))
        return seen
    """,
    """
    {source}
    def g(*args):
        return [*map(lambda _: {name}(*args), range(2))]
    """,
)


def _around_examples(examples: Sequence[RewriteExample], draw: random.Random) -> Iterator[Program]:
    """Examples as they are, mutated, and inside other code."""
    for _ in range(BATCH):
        example = draw.choice(examples)
        source = example.before
        if draw.random() < 0.7:
            source = mutated(source, draw, draw.randint(1, 4))
        name, arguments = _plain_call(example.call)
        defined = [node.name for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)]
        if name in defined and draw.random() < 0.6:
            indented = textwrap.indent(source, "    ")
            text = source_block(draw.choice(_WRAPPERS)).format(source=source, indented=indented, name=name)
            yield Program(text, (f"g({arguments})",))
        else:
            yield Program(source, (example.call or "pass",))


def _plain_call(call: str) -> tuple[str, str]:
    """The name and the arguments of a call of a function; two empty strings for anything else."""
    node = parsed_expression(call)
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or node.keywords:
        return "", ""
    return node.func.id, ", ".join(map(ast.unparse, node.args))
