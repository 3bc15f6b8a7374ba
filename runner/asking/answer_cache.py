"""A cache of answers (`--cache DIR`), keyed by weights, prompt and decoding settings.

Each answer is one JSON file, written atomically, so that several runs can share a folder. The question of a corrupt
file is asked again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path

from corpora.atomic_files import write_atomically
from corpora.errors import InputError
from runner.asking.ask import Decode, IndexedGeneration, ask
from runner.asking.backend import Backend
from runner.asking.generation import NO_ANSWER, Generation
from runner.asking.request import GenerationRequest

# 2: margins of answers from a server count every token.
FORM = 2
"""Version of the file format. Files of other versions are ignored."""


class AnswerCache:
    """The cached answers of one model.

    Raises:
        InputError: the weights of the model cannot be identified (a recording, an OpenAI-compatible server), or the
            folder cannot be created.
    """

    def __init__(self, folder: Path, backend: Backend) -> None:
        if not backend.weights:
            raise InputError(f"the weights of {backend.name} cannot be identified", where=f"--cache {folder}")
        self.folder = folder
        self.weights = backend.weights
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"cannot be created: {error.strerror}", where=f"--cache {folder}") from error

    def path(self, request: GenerationRequest, decode: Decode) -> Path:
        """The file of an answer. A stopping criterion changes where an answer ends, so it is part of the key."""
        asked: list[object] = [FORM, self.weights, request.prompt.ids, request.limit, decode, request.watch is not None]
        if request.prompt.sampling:
            asked.append(asdict(request.prompt.sampling))
        if request.script is not None:
            asked.append(request.script.key)
        name = hashlib.sha256(json.dumps(asked).encode()).hexdigest()
        return self.folder / name[:2] / f"{name}.json"

    def get(self, request: GenerationRequest, decode: Decode) -> tuple[Generation, Decode] | None:
        """The cached answer and how it was decoded; None if there is none."""
        try:
            cached = json.loads(self.path(request, decode).read_text(encoding="utf-8"))
            generation = Generation(**cached["generation"])
            decoded: Decode = cached["decode"]
            return replace(generation, ids=tuple(generation.ids), margins=tuple(generation.margins)), decoded
        except (OSError, ValueError, TypeError, KeyError):
            return None

    def put(self, request: GenerationRequest, decode: Decode, answer: IndexedGeneration) -> None:
        """Saves an answer, unless the request failed. Raises InputError if it cannot be written."""
        if answer.generation.stopped in NO_ANSWER:
            return
        path = self.path(request, decode)
        content = json.dumps({"generation": asdict(answer.generation), "decode": answer.decode})
        try:
            path.parent.mkdir(exist_ok=True)
            write_atomically(path, content)
        except OSError as error:
            raise InputError(f"cannot be written: {error.strerror}", where=str(path)) from error


def ask_cached(
    cache: AnswerCache | None,
    backend: Backend,
    requests: Sequence[GenerationRequest],
    batch: int,
    decode: Decode,
    on_active: Callable[[int], None],
) -> Iterator[IndexedGeneration]:
    """Like `runner.asking.ask.ask`, but yields cached answers first and does not ask for them."""
    if cache is None:
        yield from ask(backend, requests, batch, decode, on_active)
        return
    rest: list[int] = []
    for place, request in enumerate(requests):
        known = cache.get(request, decode)
        if known is None:
            rest.append(place)
        else:
            yield IndexedGeneration(place, *known)
    for answer in ask(backend, [requests[place] for place in rest], batch, decode, on_active):
        place = rest[answer.index]
        cache.put(requests[place], decode, answer)
        yield replace(answer, index=place)
