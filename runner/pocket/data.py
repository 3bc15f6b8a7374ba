"""The training data of `pocket`: generated programs of several kinds, with their reference traces as token ids.

A stream of documents depends on its seed only. Benchmark programs are excluded. One program in HOLD_OUT is held out of
training, by a hash of its text; tests and the demo use only these (`unseen`). Does not import torch.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import count, islice
from random import Random
from typing import Any

from analyze.gold_trace.frames import Frame
from analyze.gold_trace.trace import trace_in_process
from analyze.gold_trace.tracer import TraceCutError
from analyze.tokens.tokenizer import Tokenizer
from corpora.benchmarks import permutations, zoo
from corpora.generators.short_functions import drills, kinds
from corpora.generators.short_functions.strings import MAX_LENGTH
from corpora.program import Case
from runner.asking.prompts import prompt_ids
from runner.pocket import forms

HOLD_OUT = 20
# Documents with more tokens, and traces with more frames, are not used for training.
MAX_TOKENS = 1024
MAX_FRAMES = 200
Kind = tuple[str, str | int]


def _by_kind(**families: Mapping[Any, int]) -> dict[Kind, int]:
    return {(family, name): weight for family, weights in families.items() for name, weight in weights.items()}


# Relative frequency of each kind at the start of training: generator, category or n, weight.
WEIGHTS = _by_kind(
    composition={"boolean": 5, "bitwise": 10, "math": 12, "character": 9, "list": 13, "set": 10, "dictionary": 9},
    permutations={3: 8, 4: 4, 5: 3},
    functions=dict.fromkeys(kinds.KINDS, 4),
)
# For the later part of training: fewer programs of the kinds that are learnt early, and drills of the others.
LATE_WEIGHTS = _by_kind(
    composition={"boolean": 2, "bitwise": 16, "math": 8, "character": 6, "list": 9, "set": 5, "dictionary": 5},
    permutations={3: 1, 4: 2, 5: 4},
    functions=dict.fromkeys(kinds.KINDS, 8)
    | {"straight line": 24, "branch": 28, "string method": 32, "two functions": 5, "counting loop": 5},
    drills={"arithmetic": 40, "conditions": 36, "text": 28, "spelling": 20, "chain": 5}
    | {"characters": 6, "lookups": 6, "letters": 4, "bits": 18},
)
DEPTHS = (1, 2, 2, 3, 3, 4, 5)
# Each key adds frames of a comprehension; a depth of 3 already gives the longest documents.
DICTIONARY_DEPTHS = (1, 2, 2, 3)
LENGTHS = (1, 2, 2, 3, 3, 4, 4, 5, 6, 7, 8)
# The numbers of the zoo are large and learnt late; some of the programs have smaller ones.
SMALL = {"bitwise": (0, 15), "math": (-12, 12)}
SMALL_SHARE = 0.3
# Number of programs from which the vocabulary is learnt.
VOCABULARY_PROGRAMS = 4000
# Excluded from the vocabulary's programs, because random letters would give arbitrary tokens.
LETTERS = ("text loop", "string method", "character list")


@dataclass(frozen=True)
class Document:
    """A program with its trace.

    Attributes:
        ids: token ids of prompt and trace.
        prompt: number of ids of the prompt.
        kind: kind of the case.
    """

    ids: tuple[int, ...]
    prompt: int
    kind: str


def held_out(case: Case) -> bool:
    """Whether this program with this input is held out of training, by a hash of the traced text."""
    return int.from_bytes(hashlib.sha256(case.context.encode()).digest()[:8], "big") % HOLD_OUT == 0


def cases(seed: str, weights: Mapping[Kind, int] = WEIGHTS) -> Iterator[Case]:
    """An endless stream of programs in the proportions of `weights`, which depends on the seed only."""
    rng, kinds, shares = Random(seed), list(weights), list(weights.values())
    for number in count():
        case = draw(rng, *rng.choices(kinds, shares)[0])
        yield replace(case, id=f"pocket-{seed}-{number}", benchmark="pocket")


def description(weights: Mapping[Kind, int]) -> dict[str, str]:
    """These proportions in words, for the record of a training run."""
    small = ", ".join(f"{name} {low} to {high}" for name, (low, high) in SMALL.items())
    depths, fewer = ", ".join(map(str, DEPTHS)), ", ".join(map(str, DICTIONARY_DEPTHS))
    return {
        "kinds and their weights": ", ".join(f"{family} {name} {weight}" for (family, name), weight in weights.items()),
        "depths of compositions": f"{depths} (dictionary: {fewer})",
        "lengths of permutation programs": ", ".join(map(str, LENGTHS)),
        "numbers": f"as `corpora.benchmarks.zoo` draws them; {SMALL_SHARE:.0%} smaller: {small}",
        "texts": f"everyday words and random letters, {MAX_LENGTH} characters at most",
        "forms": f"{forms.SHARE:.0%} of all but permutations as rewriting gives them, or with their characters shown",
    }


def unseen(count: int, seed: int = 0) -> list[Case]:
    """`count` different held-out programs, with equal numbers of each kind in WEIGHTS."""
    found: dict[str, Case] = {}
    for case in cases(f"unseen-{seed}", dict.fromkeys(WEIGHTS, 1)):
        if held_out(case):
            found.setdefault(case.context, case)
        if len(found) == count:
            break
    return list(found.values())


def documents(
    seed: str, tokenizer: Tokenizer, *, held: bool = False, weights: Mapping[Kind, int] = WEIGHTS
) -> Iterator[Document]:
    """Documents for training, or of held-out programs only; long ones are skipped.

    Some of the programs are rewritten (`runner.pocket.forms`); rewrites of a held-out program are held out too.
    """
    for case in cases(seed, weights):
        if held_out(case) == held and (made := document(_in_a_form(case), tokenizer)):
            yield made


def _in_a_form(case: Case) -> Case:
    """The program or a rewrite of it, depending on its id. A rewrite that is itself held out is not used."""
    rng = Random(case.id)
    if case.grading == "state" or rng.random() >= forms.SHARE:
        return case
    other = forms.other_form(case, rng)
    return case if held_out(other) else other


def document(case: Case, tokenizer: Tokenizer) -> Document | None:
    """The bare prompt, the reference trace and the end of text as one document; None if it is too long."""
    try:
        frames = true_frames(case)
    except TraceCutError:
        return None
    prompt = prompt_ids(case, "bare", tokenizer)
    ids = [*prompt, *trace_ids(frames, tokenizer), tokenizer.special_id("<|end_of_text|>")]
    return Document(tuple(ids), len(prompt), case.kind) if len(ids) <= MAX_TOKENS else None


def true_frames(case: Case) -> list[Frame]:
    """The reference trace of a generated program, which runs in this process. Raises TraceCutError if it is long."""
    with contextlib.redirect_stdout(io.StringIO()):
        return trace_in_process(case.context, max_frames=MAX_FRAMES)


def trace_ids(frames: list[Frame], tokenizer: Tokenizer) -> list[int]:
    """The token ids of frames. The ids of lines and states are cached, because they repeat."""
    return [token for frame in frames for text, special in frame.pieces() for token in _ids(tokenizer, text, special)]


@lru_cache(maxsize=1 << 17)
def _ids(tokenizer: Tokenizer, text: str, special: bool) -> tuple[int, ...]:
    return (tokenizer.special_id(text),) if special else tuple(tokenizer.encode(text))


def vocabulary_texts() -> Iterator[str]:
    """The text between special tokens in programs and traces, from which the vocabulary is learnt."""
    # Numbers below 100 and names of common methods become single tokens, however rare they are.
    yield from 100 * [" ".join(map(str, range(100)))]
    yield from 5 * [f".{name}( {name}(" for kind in (str, list, dict, set, int) for name in sorted(vars(kind))]
    chosen = (case for case in cases("vocabulary") if not held_out(case) and not case.kind.startswith(LETTERS))
    for case in islice(chosen, VOCABULARY_PROGRAMS):
        with contextlib.suppress(TraceCutError):
            yield from (text for frame in true_frames(case) for text, special in frame.pieces() if not special)
            yield case.context


def draw(rng: Random, family: str, name: str | int) -> Case:
    """A random program of a kind, held out or not. The caller fills in its id."""
    if family == "functions":
        return kinds.short_function(rng, str(name))
    if family == "drills":
        return drills.drill(rng, str(name))
    if family == "permutations":
        return permutations.case(int(name), rng.choice(LENGTHS), rng, "")
    depth = rng.choice(DICTIONARY_DEPTHS if name == "dictionary" else DEPTHS)
    case = zoo.case(str(name), depth, rng, "", expected=False)
    if name in SMALL and rng.random() < SMALL_SHARE:
        case = replace(case, call=f"main_solution({rng.randint(*SMALL[str(name)])})")
    return case
