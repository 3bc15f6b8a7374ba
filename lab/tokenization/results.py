"""The answers of the trained models, as a file: the page is made from it without the models."""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from corpora.errors import InputError

RESULTS = Path(__file__).with_name("results.json.gz")
"""The results that docs/pocket_findings.md shows."""


@dataclass(frozen=True)
class Answer:
    """The answer of a model to an unseen program.

    Attributes:
        id: The program.
        kind: Its type and operation, and the variant if it is one.
        verdict: As in records.
        divergence: The kind of the first divergence; "" if there is none.
    """

    id: str
    kind: str
    verdict: str
    divergence: str


@dataclass(frozen=True)
class ModelResult:
    """A trained model and its answers.

    Attributes:
        arm: Its vocabulary.
        seed: Its seed.
        programs: The number of programs seen in training.
        tokens: The number of tokens seen, with padding.
        hours: Duration of the training.
        loss: The last training loss, in nats per token.
        answers: One for each unseen program, in the same order for every model.
    """

    arm: str
    seed: int
    programs: int
    tokens: int
    hours: float
    loss: float
    answers: tuple[Answer, ...]

    @property
    def name(self) -> str:
        """The name of the model, such as "bpe-0"."""
        return f"{self.arm}-{self.seed}"


def save_results(results: Sequence[ModelResult], path: Path) -> None:
    """Writes the results; the same results give the same bytes."""
    rows = [asdict(one) | {"answers": [list(asdict(answer).values()) for answer in one.answers]} for one in results]
    path.write_bytes(gzip.compress(json.dumps(rows).encode(), mtime=0))


def load_results(path: Path = RESULTS) -> list[ModelResult]:
    """Reads results.

    Raises:
        InputError: If the file cannot be read, or has no results.
    """
    try:
        rows = json.loads(gzip.decompress(path.read_bytes()))
        return [ModelResult(**row | {"answers": tuple(Answer(*answer) for answer in row["answers"])}) for row in rows]
    except (OSError, EOFError, ValueError, TypeError, KeyError) as error:
        raise InputError(f"has no results of the experiment ({error})", where=str(path)) from None
