"""ESCAPE: the context writes the string with escapes, so lengths and indices shift."""

from __future__ import annotations

from analyze.hazards.base import Hazard, HazardExample, HazardHits
from analyze.hazards.batch import QuestionBatch


class EscapeHazard(Hazard):
    """The hit spans the first to the last character that is written with more bytes than it has."""

    name = "ESCAPE"
    summary = "Escapes make the written form longer than the string."
    message = "{text} is written with escapes"
    start_severity = 0.2
    EXAMPLE = HazardExample(text="a\nb", spans=((1, 2),))
    UNTOUCHED = HazardExample(text="a b")

    def find(self, batch: QuestionBatch) -> HazardHits:
        found = []
        for row, positions in batch.texts.positions.items():
            text = batch.questions[row].text
            longer = [at for at, char in enumerate(text) if positions[at + 1] - positions[at] > len(char.encode())]
            if longer:
                found.append((row, self.severity, longer[0], longer[-1] + 1))
        return HazardHits.from_tuples(found)

    def why(self, batch: QuestionBatch, row: int, start: int, end: int) -> str:
        a, b = batch.texts.bytes_of(row, start, end)
        size = len(batch.questions[row].text[start:end].encode())
        shown = batch.texts.written[row].encode()[a:b].decode()
        return f"{size} {'byte is' if size == 1 else 'bytes are'} written as {b - a}: {shown}"
