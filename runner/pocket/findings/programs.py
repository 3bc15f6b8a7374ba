"""The programs of the experiment: what both arms are trained on, and what they are asked afterwards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from random import Random

from analyze.tokens.tokenizer import Tokenizer
from corpora.generators.matched_functions import (
    OPERATIONS,
    TYPES,
    matched_function,
    matched_functions,
    substitute_letters,
)
from corpora.generators.short_functions.strings import WORDS
from corpora.program import Case
from runner.pocket.batches import POOL, Batch, Position, grouped, micro_batches
from runner.pocket.data import Document, document, held_out
from runner.pocket.findings.vocabularies import ARMS

BENCHMARK = "matched-functions"
VARIANT = "other letters"


def unseen_cases(count: int, random_share: float) -> list[Case]:
    """Programs that training leaves out: `count` for each type and operation, and a variant of some.

    Each string program over a word has a variant with other letters (`substitute_letters`; its kind ends in VARIANT),
    so that the operation, the lengths and the positions are the same and only the tokens differ. Training leaves the
    variants out, too.
    """
    rng, found = Random("unseen"), dict[str, Case]()
    for type_name in TYPES:
        for operation in OPERATIONS:
            found |= _unseen(rng, type_name, operation, count, random_share)
    return list(found.values())


def _unseen(rng: Random, type_name: str, operation: str, count: int, random_share: float) -> dict[str, Case]:
    found: dict[str, Case] = {}
    number = 0
    while number < count:
        case = matched_function(rng, type_name, operation, random_share=random_share)
        if not held_out(case) or case.context in found:
            continue
        case = replace(case, id=f"{case.kind}-{number}".replace(" ", "-"), benchmark=BENCHMARK)
        found[case.context] = case
        number += 1
        if any(repr(word) in case.call for word in WORDS):
            variant = _held_out_variant(case, rng)
            found[variant.context] = variant
    return found


def _held_out_variant(case: Case, rng: Random) -> Case:
    while True:
        variant = substitute_letters(case, rng)
        if held_out(variant):
            return replace(variant, id=f"{case.id}-variant", kind=f"{case.kind} {VARIANT}")


@dataclass(frozen=True)
class MatchedSource:
    """The training data of one arm: the same programs in the same steps as in the other arm.

    Attributes:
        arm: Name of the arm.
        vocabularies: The tokenizer of each arm.
        seed: Seed of the programs and their order.
        tokens: Padded tokens in a micro-batch, in the arm that has more of them.
        random_share: The share of strings that are random letters.
    """

    arm: str
    vocabularies: Mapping[str, Tokenizer]
    seed: int
    tokens: int
    random_share: float

    @property
    def description(self) -> dict[str, str]:
        """What is drawn, for the record of the run."""
        return {
            "programs": "corpora.generators.matched_functions, every type and operation equally often",
            "arm": self.arm,
            "strings": f"{self.random_share:.0%} random letters, the others words",
        }

    def batches(self, start: Position) -> Iterator[tuple[Batch, Position]]:
        """Micro-batches from `start` on."""
        return micro_batches(self._groups, self.vocabularies[self.arm].special_id("<|end_of_text|>"), start)

    def _groups(self, number: int) -> list[list[Document]]:
        """Pool `number`, cut into the same micro-batches for every arm, in this arm's tokens."""
        seed = f"{BENCHMARK}-{self.seed}-{number}"
        training = (case for case in matched_functions(seed, self.random_share) if not held_out(case))
        texts = (self._in_every_arm(case) for case in training)
        pool = list(islice((one for one in texts if one), POOL))
        longest = [max(one.values(), key=lambda text: len(text.ids)) for one in pool]
        own = {id(text): one[self.arm] for text, one in zip(longest, pool, strict=True)}
        groups = grouped(longest, self.tokens)
        Random(f"order-{seed}").shuffle(groups)
        return [[own[id(text)] for text in group] for group in groups]

    def _in_every_arm(self, case: Case) -> dict[str, Document] | None:
        """The program in the tokens of each arm; None if it is too long in one of them."""
        found = {arm: document(case, self.vocabularies[arm]) for arm in ARMS}
        return {arm: text for arm, text in found.items() if text} if all(found.values()) else None
