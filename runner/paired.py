"""Two answers to each of the same samples: what was gained and lost, and whether that is more than chance.

McNemar's exact test (1947) asks whether as many samples went from wrong to right as back: a two-sided binomial test of
the discordant pairs, which SciPy computes. It holds where every sample was asked both ways, and answered once in each.
Where only failures were asked again nothing could be lost, and the test says nothing: whoever calls this has to know.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from scipy.stats import binomtest  # type: ignore[import-untyped]

from runner.intervals import Interval, clustered


@dataclass(frozen=True)
class Pair:
    """One sample that was answered in two ways: whether each answer was right, and the program it belongs to.

    Where several answers were drawn: the share of them that was right.
    """

    before: float
    after: float
    program: str


@dataclass(frozen=True)
class Paired:
    """The same samples before and after.

    before, after: how many were right, or the sum of their shares; gained, lost: samples of which more, or fewer, is
    right after than before; p: McNemar's exact test, from 0 to 1, 1.0 where no answer changed, None where it would say
    nothing; interval: of the difference of the two shares, from -1 to 1, over whole programs (`intervals.clustered`),
    None where that says nothing; once: whether each sample was answered once before and once after.
    """

    samples: int
    programs: int
    before: float
    after: float
    gained: int
    lost: int
    p: float | None
    interval: Interval | None
    once: bool = True

    @property
    def difference(self) -> float:
        """After less before, as a share; 0.0 of no samples."""
        return (self.after - self.before) / self.samples if self.samples else 0.0


def compare(pairs: Iterable[Pair], *, exact: bool = True, once: bool = True) -> Paired:
    """What the pairs say together.

    once: whether each sample was answered once before and once after; exact: whether McNemar's test fits if it was.

    >>> found = compare([Pair(False, True, "f"), Pair(True, True, "g")])
    >>> found.gained, found.lost, found.p
    (1, 0, 1.0)
    """
    every = list(pairs)
    gained = sum(pair.after > pair.before for pair in every)
    lost = sum(pair.after < pair.before for pair in every)
    changes: dict[str, list[float]] = {}
    for pair in every:
        changes.setdefault(pair.program, []).append(pair.after - pair.before)
    return Paired(
        samples=len(every),
        programs=len(changes),
        before=sum(pair.before for pair in every),
        after=sum(pair.after for pair in every),
        gained=gained,
        lost=lost,
        p=mcnemar(gained, lost) if exact and once else None,
        interval=clustered([sum(group) for group in changes.values()], [len(group) for group in changes.values()]),
        once=once,
    )


def mcnemar(gained: int, lost: int) -> float:
    """The exact two-sided p-value; 1.0 where nothing changed.

    >>> mcnemar(10, 2) == 2 * (1 + 12 + 66) / 2**12
    True
    """
    return float(binomtest(gained, gained + lost).pvalue) if gained + lost else 1.0


def told(p: float) -> str:
    """A p-value for people.

    >>> told(0.00001), told(0.0386)
    ('p < 0.001', 'p = 0.039')
    """
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}"
