"""The worker process of `runner.batch_rewriting.process`: it imports only what a rewrite needs, and starts quickly.

A question is a function and its argument; the answer is what it returns or raises.
"""

from __future__ import annotations

import os
import pickle
import queue
import resource
import threading
from contextlib import suppress
from typing import IO, Any

from corpora.errors import InputError
from corpora.failures import worker_error
from rewrite.pipeline.recipes import recipes

HEAD = 8
"""Bytes of the length prefix of a message."""
READY = b"ready"
"""The first bytes from a worker."""


def serve(megabytes: int, asked: IO[bytes], answers: IO[bytes]) -> None:
    """The main loop of a worker: calls functions from one stream until it is closed, and answers on the other."""
    recipes()  # imports the interventions
    with suppress(ValueError, OSError):  # a lower limit is already set
        resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))
    questions: queue.SimpleQueue[Any] = queue.SimpleQueue()
    threading.Thread(target=_read, args=(asked, questions), daemon=True).start()
    answers.write(READY)
    answers.flush()
    while True:
        function, argument = questions.get()
        answer: object
        try:
            answer = function(argument)
        except InputError as error:
            answer = error
        except MemoryError:
            answer = MemoryError()  # without what the program was doing
        except Exception as error:  # noqa: BLE001 - the parent process raises it
            answer = worker_error(error)
        write_message(answers, answer)


def _read(stream: IO[bytes], questions: queue.SimpleQueue[Any]) -> None:
    while head := stream.read(HEAD):
        questions.put(pickle.loads(stream.read(int.from_bytes(head, "big"))))
    os._exit(0)  # even during a rewrite, because the parent process has ended


def write_message(stream: IO[bytes], message: object) -> None:
    """Writes a pickled message behind its length."""
    content = pickle.dumps(message)
    stream.write(len(content).to_bytes(HEAD, "big") + content)
    stream.flush()
