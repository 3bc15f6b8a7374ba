"""The result of testing an intervention."""

from __future__ import annotations

from dataclasses import dataclass, field

from rewrite.equivalence.observation import LOAD_ONLY

_TEST = """\
from hypothesis import example, given

from rewrite import rewrite_source
from rewrite.testing import Program, assert_equivalent, programs


@example(Program({source}, calls={calls!r}))
@given(programs())
def test_the_rewrite_is_the_same_program(program):
    after = rewrite_source(program.source, {intervention}).source
    assert_equivalent(program.source, after, calls=program.calls)"""


@dataclass(frozen=True)
class InterventionFailure:
    """Something that the intervention does wrong.

    Attributes:
        kind: "behaviour", "stability", "comments", "untouched code", "composition", "example", "error" or
            "too few programs".
        why: what is wrong, in words.
        program: the smallest program found that shows it; "" if no single program does.
        call: the call on which the programs differ.
        rewritten: the program after the intervention.
        outcomes: what the call does in the program, then in the rewritten program.
        intervention: the intervention as an expression for `rewrite_source`; "" if the failure is not a difference.
    """

    kind: str
    why: str
    program: str = ""
    call: str = ""
    rewritten: str = ""
    outcomes: tuple[str, ...] = ()
    intervention: str = ""

    def test(self) -> str:
        """A test that fails until the programs do the same, to paste into a file; "" without a call."""
        if not (self.call and self.intervention):
            return ""
        plain = "\\" not in self.program and '"""' not in self.program
        source = f'"""\\\n{self.program}"""' if plain else repr(self.program)
        calls = () if self.call == LOAD_ONLY else (self.call,)
        named = not self.intervention.startswith("<")  # a lambda, or a function that was partly applied
        name = self.intervention if named else "my_intervention"
        missing = "" if named else f"# {name}: a name for {self.intervention}, which has none\n"
        return missing + _TEST.format(source=source, calls=calls, intervention=name)

    def __str__(self) -> str:
        """The failure as Python source with comments, which can be pasted."""
        lines = [f"# {self.kind}: {self.why}"]
        if self.program:
            lines += [self.program.rstrip("\n")]
        if self.call:
            lines += [f"{self.call}", *(f"#   {line}" for line in self.outcomes)]
        if self.rewritten:
            lines += ["# rewritten:", *(f"# {line}" for line in self.rewritten.rstrip("\n").split("\n"))]
        test = self.test()
        return "\n".join([*lines, *(["", "# as a test:", test] if test else [])])


@dataclass(frozen=True, repr=False)
class Report:
    """What an intervention was tested on, and what was found.

    Attributes:
        name: the name of the intervention.
        drawn: programs drawn.
        changed: programs that the intervention changed.
        compared: changed programs of which at least one call finished before and after.
        reached: compared programs of which a call executed a changed statement.
        composed: pairs of a changed program and a built-in recipe that were compared.
        failures: what is wrong; the first of each kind.
        by_source: programs drawn and changed, by source: a feature of the grammar, "examples" or "benchmarks".
        seconds: duration.
    """

    name: str
    drawn: int
    changed: int
    compared: int
    reached: int
    composed: int = 0
    failures: tuple[InterventionFailure, ...] = ()
    by_source: dict[str, tuple[int, int]] = field(default_factory=dict)
    seconds: float = 0.0

    @property
    def passed(self) -> bool:
        """Whether nothing is wrong and enough changed programs were executed."""
        return not self.failures

    @property
    def counterexample(self) -> InterventionFailure | None:
        """The program and call on which the rewritten program behaves differently, or None."""
        return next((one for one in self.failures if one.kind == "behaviour"), None)

    @property
    def _head(self) -> str:
        counts = (
            f"{self.drawn} drawn, {self.changed} changed, {self.compared} compared, {self.reached} reached by a call"
        )
        return f"{self.name}: {'passed' if self.passed else 'failed'} ({counts}, {self.composed} composed)"

    def __repr__(self) -> str:
        """The counts, not the failures; `print` shows these."""
        return f"Report({self._head})"

    def __str__(self) -> str:
        return "\n\n".join([self._head, *map(str, self.failures)])
