"""Paired test of two answers to each of the same samples, clustered by program.

If the two conditions do not differ, each program's summed difference is as likely to have the opposite sign. The test
enumerates all assignments of signs exactly (Fisher 1935; a permutation test of paired samples). It allows for samples
of one program that succeed or fail together. If each program has one sample, it is McNemar's exact test (1947). The
test needs every sample to be asked in both conditions. If only failures were asked again, nothing could be lost; the
caller has to know this.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm

import numpy as np

from runner.statistics.groups import grouped
from runner.statistics.intervals import Interval, accuracy_interval, difference_interval

TEST = "sign-flip test by program"


@dataclass(frozen=True)
class AnswerPair:
    """One sample, answered in two conditions.

    Attributes:
        before: whether the first answer is right; of several answers, the share that is.
        after: the same in the second condition.
        program: which program the sample belongs to.
    """

    before: int | Fraction
    after: int | Fraction
    program: str


@dataclass(frozen=True)
class PairedComparison:
    """The same samples before and after.

    Attributes:
        samples: how many pairs.
        programs: how many programs they belong to.
        before: how many samples are right before, or the sum of their shares.
        after: the same afterwards.
        gained: samples with a larger share of right answers after than before.
        lost: samples with a smaller share.
        p: two-sided p-value of `sign_flip_p`; None where only failures were asked again.
        interval: of the difference of the two shares, from -1 to 1; None with too few programs.
        before_interval: of the accuracy before, from 0 to 1; None with too few programs.
        after_interval: of the accuracy after.
    """

    samples: int
    programs: int
    before: float
    after: float
    gained: int
    lost: int
    p: float | None
    interval: Interval | None
    before_interval: Interval | None
    after_interval: Interval | None

    @property
    def difference(self) -> float:
        """After less before, as a share; 0.0 of no samples."""
        return (self.after - self.before) / self.samples if self.samples else 0.0


def compare_pairs(pairs: Iterable[AnswerPair], *, tested: bool = True) -> PairedComparison:
    """Compares two answers to each of some samples.

    Args:
        pairs: one for each sample.
        tested: whether every sample was asked in both conditions, so that the test holds.

    >>> found = compare_pairs([AnswerPair(False, True, "f"), AnswerPair(True, True, "g")])
    >>> found.gained, found.lost, found.p
    (1, 0, 1.0)
    """
    every = list(pairs)
    groups = grouped(every, lambda pair: pair.program)
    counts = [len(group) for group in groups.values()]
    before, after = ([_sum(group, which) for group in groups.values()] for which in ("before", "after"))
    differences = [new - old for old, new in zip(before, after, strict=True)]
    return PairedComparison(
        samples=len(every),
        programs=len(groups),
        before=float(sum(before)),
        after=float(sum(after)),
        gained=sum(pair.after > pair.before for pair in every),
        lost=sum(pair.after < pair.before for pair in every),
        p=sign_flip_p(differences) if tested else None,
        interval=difference_interval([float(one) for one in differences], counts),
        before_interval=accuracy_interval([float(one) for one in before], counts) if every else None,
        after_interval=accuracy_interval([float(one) for one in after], counts) if every else None,
    )


def _sum(group: Sequence[AnswerPair], which: str) -> Fraction:
    return sum((Fraction(getattr(pair, which)) for pair in group), Fraction())


def sign_flip_p(differences: Iterable[int | Fraction]) -> float:
    """The exact two-sided p-value of the sum of the programs' differences; 1.0 if none differs.

    It is the share of all assignments of signs whose sum is at least as far from 0 as the observed one.

    Args:
        differences: by program, what its samples gained less what they lost.

    >>> sign_flip_p([1] * 10 + [-1] * 2) == 2 * (1 + 12 + 66) / 2**12
    True
    >>> sign_flip_p([4, 4, 4, 4])
    0.125
    """
    known = [Fraction(one) for one in differences if one]
    if not known:
        return 1.0
    unit = Fraction(gcd(*(one.numerator for one in known)), lcm(*(one.denominator for one in known)))
    sizes = [int(one / unit) for one in known]
    total = sum(map(abs, sizes))
    chances = np.zeros(total + 1)  # chances[n]: that the differences with a positive sign sum to n
    chances[0] = 1.0
    for size in map(abs, sizes):
        with_it = chances[:-size] / 2
        chances /= 2
        chances[size:] += with_it
    far = np.abs(2 * np.arange(total + 1) - total) >= abs(sum(sizes))
    return min(1.0, float(chances[far].sum()))


def format_p(p: float) -> str:
    """Formats a p-value for display.

    >>> format_p(0.00001), format_p(0.0386)
    ('p < 0.001', 'p = 0.039')
    """
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}"
