"""What `pocket` is trained on: generated programs by kind, their true traces as token ids.

A stream of documents is a function of its seed alone. No benchmark program comes in. One program in HOLD_OUT is held
out by a hash of its text: training never sees it, and tests and the demo ask about exactly those (`unseen`).
Nothing here needs torch.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice
from random import Random

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
# Longer documents than this many tokens, and longer traces than this many frames, are left out of training.
MAX_TOKENS = 1024
MAX_FRAMES = 200
Kind = tuple[str, str | int]
# Relative frequency of each kind at the start of training: (generator, category or n) -> weight.
WEIGHTS: dict[Kind, int] = {
    ("composition", "boolean"): 5,
    ("composition", "bitwise"): 10,
    ("composition", "math"): 12,
    ("composition", "character"): 9,
    ("composition", "list"): 13,
    ("composition", "set"): 10,
    ("composition", "dictionary"): 9,
    ("permutations", 3): 8,
    ("permutations", 4): 4,
    ("permutations", 5): 3,
    **{("functions", name): 4 for name in kinds.KINDS},
}
# For the later part of training: little of what is learnt early, and drills of what is learnt late.
LATE_WEIGHTS: dict[Kind, int] = {
    ("composition", "boolean"): 2,
    ("composition", "bitwise"): 16,
    ("composition", "math"): 8,
    ("composition", "character"): 6,
    ("composition", "list"): 9,
    ("composition", "set"): 5,
    ("composition", "dictionary"): 5,
    ("permutations", 3): 1,
    ("permutations", 4): 2,
    ("permutations", 5): 4,
    **{("functions", name): 8 for name in kinds.KINDS},
    ("functions", "straight line"): 24,
    ("functions", "branch"): 28,
    ("functions", "string method"): 32,
    ("functions", "two functions"): 5,
    ("functions", "counting loop"): 5,
    ("drills", "arithmetic"): 40,
    ("drills", "conditions"): 36,
    ("drills", "text"): 28,
    ("drills", "spelling"): 20,
    ("drills", "chain"): 5,
    ("drills", "characters"): 6,
    ("drills", "lookups"): 6,
    ("drills", "letters"): 4,
    ("drills", "bits"): 18,
}
DEPTHS = (1, 2, 2, 3, 3, 4, 5)
# Every key costs frames of a comprehension: three calls deep already make the longest documents.
DICTIONARY_DEPTHS = (1, 2, 2, 3)
LENGTHS = (1, 2, 2, 3, 3, 4, 4, 5, 6, 7, 8)
# The zoo draws large numbers, which are learnt late: some of the programs have smaller ones.
SMALL = {"bitwise": (0, 15), "math": (-12, 12)}
SMALL_SHARE = 0.3
# Programs that the vocabulary is learnt on.
VOCABULARY_PROGRAMS = 4000
# Random letters would be joined into tokens at random: these kinds are left out of the vocabulary.
LETTERS = ("text loop", "string method", "character list")


@dataclass(frozen=True)
class Document:
    """One program with its trace. ids: the whole text; prompt: how many of them are the prompt; kind: the Case's."""

    ids: tuple[int, ...]
    prompt: int
    kind: str


def held_out(case: Case) -> bool:
    """Whether training leaves this program with this input out: a hash of the traced text decides."""
    return int.from_bytes(hashlib.sha256(case.context.encode()).digest()[:8], "big") % HOLD_OUT == 0


def cases(seed: str, weights: Mapping[Kind, int] = WEIGHTS) -> Iterator[Case]:
    """Programs of all kinds, endlessly, in the proportions of `weights`; a function of the seed."""
    rng, number = Random(seed), 0
    kinds, shares = list(weights), list(weights.values())
    while True:
        case = draw(rng, *rng.choices(kinds, shares)[0])
        yield replace(case, id=f"pocket-{seed}-{number}", benchmark="pocket")
        number += 1


def description(weights: Mapping[Kind, int]) -> dict[str, str]:
    """What is drawn in these proportions, in words, for the record of a training run."""
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
    """`count` different programs that training left out, every kind of WEIGHTS as often as any other."""
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
    """Documents for training, or of held-out programs only; too long ones are skipped.

    A share of the programs are in the forms that rewriting gives; those of a held-out program are held out with it.
    """
    for case in cases(seed, weights):
        if held_out(case) == held and (made := document(_in_a_form(case), tokenizer)):
            yield made


def _in_a_form(case: Case) -> Case:
    """The program as it is, or in another form: its id decides. A form that is itself held out is not used."""
    rng = Random(case.id)
    if case.grading == "state" or rng.random() >= forms.SHARE:
        return case
    other = forms.other_form(case, rng)
    return case if held_out(other) else other


def document(case: Case, tokenizer: Tokenizer) -> Document | None:
    """The bare prompt, the true trace and the end of text as one document; None where it is too long."""
    try:
        frames = true_frames(case)
    except TraceCutError:
        return None
    prompt = prompt_ids(case, "bare", tokenizer)
    ids = [*prompt, *trace_ids(frames, tokenizer), tokenizer.special_id("<|end_of_text|>")]
    return Document(tuple(ids), len(prompt), case.kind) if len(ids) <= MAX_TOKENS else None


def true_frames(case: Case) -> list[Frame]:
    """The true trace of one of this module's programs, run in this process. Raises TraceCutError for a long one."""
    with contextlib.redirect_stdout(io.StringIO()):
        return trace_in_process(case.context, max_frames=MAX_FRAMES)


def trace_ids(frames: list[Frame], tokenizer: Tokenizer) -> list[int]:
    """The frames as ids. The same few lines and states come again and again, so their ids are kept."""
    return [token for frame in frames for text, special in frame.pieces() for token in _ids(tokenizer, text, special)]


@lru_cache(maxsize=1 << 17)
def _ids(tokenizer: Tokenizer, text: str, special: bool) -> tuple[int, ...]:
    return (tokenizer.special_id(text),) if special else tuple(tokenizer.encode(text))


def vocabulary_texts() -> Iterator[str]:
    """The ordinary text between special tokens, of programs and traces, that the vocabulary is learnt on."""
    # Every number below 100 is to be one token, however rare it is, and so are the names of common methods.
    yield from 100 * [" ".join(map(str, range(100)))]
    yield from 5 * [f".{name}( {name}(" for kind in (str, list, dict, set, int) for name in sorted(vars(kind))]
    chosen = (case for case in cases("vocabulary") if not held_out(case) and not case.kind.startswith(LETTERS))
    for case in islice(chosen, VOCABULARY_PROGRAMS):
        with contextlib.suppress(TraceCutError):
            yield from (text for frame in true_frames(case) for text, special in frame.pieces() if not special)
            yield case.context


def draw(rng: Random, family: str, name: str | int) -> Case:
    """One program of a kind, held out or not; its id is not filled in."""
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
