"""Substitutes for the names in a program: common names with as many tokens as the originals.

A name is split into runs of letters, since Llama-3's pre-tokenization splits there. Each run is replaced by a word that
has the same number of tokens after every character that precedes the name in the source, by itself, and in quotes (as
trace states write it). Underscores and digits stay. So neither the program nor its trace changes in length.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import islice, product

from analyze.tokens.tokenizer import Tokenizer
from rewrite.anf.names import ModuleNames

Substitutes = Mapping[str, str]
"""Name to name of equal token length, one to one. Names without a substitute are missing."""

_WORDS = re.findall(
    r"\w+",
    """
    result out value item data total res temp count text word num items values nums words output number index name line
    current entry part piece unit field cell slot mark note info base form kind group block row node edge path area
    site zone end top box bag pack load stock store table chart sheet page card tag flag sign token symbol figure amount
    measure level degree grade rank stage phase step turn move round cycle run trial case event fact detail aspect
    feature element member portion segment section fragment sample record object subject matter content material
    substance quantity position location direction component particular
    """,
)
"""Common names first: a small model has seen few others."""
_LETTERS = "xyabcnstijkmpqrdeghuvwzXYZABCDEGHKMNPQRSTUVW"
_NAME = re.compile(r"[^\W\d]\w*")
_RUN = re.compile(r"[^\W\d_]+")
_CLOSE = 1
"""Characters by which a pair of words may differ from the run in length."""
_TRIED = 12
"""Candidates of a run that are combined with those of the other runs of a name."""


def equal_length_names(source: str, tokenizer: Tokenizer) -> Substitutes:
    """A substitute for each name in `source` that has one.

    Args:
        source: the program.
        tokenizer: of the model that will be asked.

    Returns:
        Substitutes that occur nowhere in `source` and are neither keywords nor builtins.

    Example:
        >>> from analyze.tokens.tokenizer import default_tokenizer
        >>> equal_length_names("def f(n):\\n    return n", default_tokenizer())["n"]
        'y'
    """
    taken = set(ModuleNames(source, readable=True).taken)
    found: dict[str, str] = {}
    for name in dict.fromkeys(_NAME.findall(source)):
        before = {"", '"', *re.findall(rf"(\W){re.escape(name)}(?!\w)", source)}
        new = next((new for new in _substitutes(name, sorted(before), tokenizer) if new not in taken), None)
        if new is not None:
            found[name] = new
            taken.add(new)
    return found


def _substitutes(name: str, before: Sequence[str], tokenizer: Tokenizer) -> Iterator[str]:
    """Names of the same shape and token length."""
    runs = list(_RUN.finditer(name))
    options = []
    for run in runs:
        ahead = before if run.start() == 0 else ["", name[run.start() - 1]]
        options.append(_equal_words(run[0], ahead, tokenizer))
    alone = len(options) == 1  # `product` would list all candidates
    for words in zip(*options, strict=True) if alone else product(*(islice(option, _TRIED) for option in options)):
        new, end = "", 0
        for run, word in zip(runs, words, strict=True):
            new, end = new + name[end : run.start()] + word, run.end()
        if runs:
            yield new + name[end:]


def _equal_words(run: str, before: Sequence[str], tokenizer: Tokenizer) -> Iterator[str]:
    """Words with as many tokens as `run` behind each character of `before`, those of similar length first."""

    def lengths(word: str) -> list[int]:
        return [len(tokenizer.encode(character + word)) for character in before]

    wanted = lengths(run)
    yield from (word for word in _candidates(run, tokenizer) if word != run and lengths(word) == wanted)


def _candidates(run: str, tokenizer: Tokenizer) -> Iterator[str]:
    """Single letters for a single letter; else words, then pairs of words, of similar length, then the vocabulary's."""
    if len(run) == 1:
        yield from _LETTERS
        return

    def distance(word: str) -> int:
        return abs(len(word) - len(run))

    words = [word.upper() if run.isupper() else word for word in _WORDS]
    yield from sorted(words, key=distance)
    yield from (one + other for one, other in product(words, words) if abs(len(one + other) - len(run)) <= _CLOSE)
    yield from sorted(_vocabulary_words(tokenizer), key=distance)


@cache
def _vocabulary_words(tokenizer: Tokenizer) -> tuple[str, ...]:
    """The lower-case words among the tokens: a small vocabulary has few of `_WORDS` in one token."""
    tokens = (content.decode("ascii", errors="replace").strip() for content in tokenizer.bytes_by_id.values())
    return tuple(sorted({token for token in tokens if re.fullmatch("[a-z]{2,}", token)}))
