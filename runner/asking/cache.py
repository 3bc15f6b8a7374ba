"""Answers kept between runs: the same weights, prompt and way of decoding are not asked twice (`--cache DIR`).

One small JSON file an answer, named after what was asked, put in its place at once, so that several runs can share a
folder. A file that is damaged is no answer: its question is asked, and the file written anew. Off unless asked for.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path

from corpora.errors import InputError
from runner.asking.ask import Decode, PlacedAnswer, ask
from runner.asking.backend import Backend
from runner.asking.generation import Generation
from runner.asking.request import Request

# 2: gaps of answers that a server wrote count every token.
FORM = 2
"""Of the files; another one asks anew."""
_NO_ANSWER = {"failed", "unrecorded"}


class Cache:
    """The answers of one model in a folder.

    Raises InputError for a model of which nothing tells its weights from others under the same name (a recording, an
    OpenAI-compatible server), and for a folder that cannot be made.
    """

    def __init__(self, folder: Path, backend: Backend) -> None:
        if not backend.weights:
            raise InputError(f"nothing tells the weights of {backend.name} from others", where=f"--cache {folder}")
        self.folder = folder
        self.weights = backend.weights
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"cannot be made: {error.strerror}", where=f"--cache {folder}") from error

    def path(self, request: Request, decode: Decode) -> Path:
        """Where an answer lies. An answer that is watched ends where it can no longer be right, so it is another."""
        asked: list[object] = [FORM, self.weights, request.prompt.ids, request.limit, decode, request.watch is not None]
        if request.prompt.sampling:
            asked.append(asdict(request.prompt.sampling))
        if request.script is not None:
            asked.append(request.script.key)
        name = hashlib.sha256(json.dumps(asked).encode()).hexdigest()
        return self.folder / name[:2] / f"{name}.json"

    def get(self, request: Request, decode: Decode) -> tuple[Generation, Decode] | None:
        """The answer, and how it was come by; None where there is none."""
        try:
            kept = json.loads(self.path(request, decode).read_text(encoding="utf-8"))
            generation = Generation(**kept["generation"])
            way: Decode = kept["decode"]
            return replace(generation, ids=tuple(generation.ids), margins=tuple(generation.margins)), way
        except (OSError, ValueError, TypeError, KeyError):
            return None

    def put(self, request: Request, decode: Decode, told: PlacedAnswer) -> None:
        """Keeps an answer, if it is one. Raises InputError where it cannot be written."""
        if told.generation.stopped in _NO_ANSWER:
            return
        path = self.path(request, decode)
        part = path.with_suffix(f".{os.getpid()}.part")
        try:
            path.parent.mkdir(exist_ok=True)
            part.write_text(
                json.dumps({"generation": asdict(told.generation), "decode": told.decode}), encoding="utf-8"
            )
            part.replace(path)
        except OSError as error:
            raise InputError(f"cannot be written: {error.strerror}", where=str(path)) from error


def ask_once(
    cache: Cache | None,
    backend: Backend,
    requests: Sequence[Request],
    batch: int,
    decode: Decode,
    on_active: Callable[[int], None],
) -> Iterator[PlacedAnswer]:
    """As `runner.asking.ask.ask`; what the cache has comes first, and is not asked."""
    if cache is None:
        yield from ask(backend, requests, batch, decode, on_active)
        return
    rest: list[int] = []
    for place, request in enumerate(requests):
        known = cache.get(request, decode)
        if known is None:
            rest.append(place)
        else:
            yield PlacedAnswer(place, *known)
    for told in ask(backend, [requests[place] for place in rest], batch, decode, on_active):
        place = rest[told.place]
        cache.put(requests[place], decode, told)
        yield replace(told, place=place)
