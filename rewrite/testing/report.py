"""The result of testing an intervention."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Failure:
    """Something that the intervention does wrong.

    Attributes:
        kind: "behaviour", "stability", "comments", "untouched code", "composition", "example", "error" or
            "too few programs".
        why: what is wrong, in words.
        program: the smallest program found that shows it; "" if no single program does.
        call: the call on which the programs differ.
        rewritten: the program after the intervention.
    """

    kind: str
    why: str
    program: str = ""
    call: str = ""
    rewritten: str = ""

    def __str__(self) -> str:
        """The failure as Python source with comments, which can be pasted."""
        lines = [f"# {self.kind}: {self.why}"]
        if self.program:
            lines += [self.program.rstrip("\n")]
        if self.call:
            lines += [f"{self.call}"]
        if self.rewritten:
            lines += ["# rewritten:", *(f"# {line}" for line in self.rewritten.rstrip("\n").split("\n"))]
        return "\n".join(lines)


@dataclass(frozen=True)
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
    failures: tuple[Failure, ...] = ()
    by_source: dict[str, tuple[int, int]] = field(default_factory=dict, repr=False)
    seconds: float = 0.0

    @property
    def passed(self) -> bool:
        """Whether nothing is wrong and enough changed programs were executed."""
        return not self.failures

    @property
    def counterexample(self) -> Failure | None:
        """The program and call on which the rewritten program behaves differently, or None."""
        return next((one for one in self.failures if one.kind == "behaviour"), None)

    def __str__(self) -> str:
        counts = (
            f"{self.drawn} drawn, {self.changed} changed, {self.compared} compared, {self.reached} reached by a call"
        )
        head = f"{self.name}: {'passed' if self.passed else 'failed'} ({counts}, {self.composed} composed)"
        return "\n\n".join([head, *map(str, self.failures)])
