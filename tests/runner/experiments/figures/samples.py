"""Samples for the tests of the paper's figures: any benchmark, kind, type of result and verdict."""

from dataclasses import replace

from runner.records.samples import Mode, Sample, Verdict
from tests.runner.records.test_samples import SAMPLE


def samples(
    benchmark: str,
    verdicts: str,
    *,
    kind: str = "",
    reference: str = "1",
    mode: Mode = "free",
    attempt: str = "original",
) -> list[Sample]:
    """A sample per letter of `verdicts`: right, wrong, truncated or not asked; each is of a program of its own."""
    words: dict[str, Verdict] = {"r": "correct", "w": "incorrect", "t": "truncated", "n": "not asked"}
    return [
        replace(
            SAMPLE,
            key=f"{benchmark} {kind} {reference} {attempt} {number}",
            case_key=f"{benchmark} {kind} {reference} {number}",
            benchmark=benchmark,
            kind=kind,
            attempt=attempt,
            source=f"def f():\n    return {number}, {reference}\n",
            call=f"f({number})",
            reference=reference,
            verdict=words[letter],
            mode=mode,
            rewrite=None,
        )
        for number, letter in enumerate(verdicts)
    ]
