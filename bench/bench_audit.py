"""The audit of short (pattern, text) rows, compared with the tokenization of the same strings by tiktoken.

Also peak memory for ten times the rows, and two processes compared with one.

    python bench/bench_audit.py FILE ROWS    writes a data set of such rows, as JSON lines
"""

from __future__ import annotations

import json
import multiprocessing
import random
import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from itertools import islice
from pathlib import Path

from measured_row import Job, Row, seconds

from analyze.auditing.audit_folder import AuditRequest, audit_to
from analyze.hazards.base import all_hazards, position_hazards
from analyze.hazards.batch import QuestionBatch, StringQuestion
from analyze.hazards.match_positions import CASE_METHODS, SEARCH_METHODS
from analyze.tokens.contexts import write
from analyze.tokens.engines import TokenizationEngine, engine_for
from analyze.tokens.tokenizer import default_tokenizer

ROWS = 100_000
AT_ONCE = 8192
WORDS = ["the", "of", "and", "to", "in", "is", "text", "value", "name", "first", "hello", "world", "foo", "Python"]
JOINTS = [*"   ,-_.:/|'()A", ", ", "-.", "  ", "12", "2024", "xq", "zb"]
SEARCHES = tuple(sorted(SEARCH_METHODS))
OCCURRENCE_CLASSES = {kind.name for kind in position_hazards()} | {"SINGLE_SPLIT", "ABSENT", "INCONSISTENT"}


def rows() -> Iterator[Row]:
    """Yield the rows of the table."""
    taken = measure(engine_for(default_tokenizer(), "tiktoken"), ROWS)
    for name, goal in (("occurrence", 1.5), ("all", 3.0)):
        yield Row(f"audit, {name} classes", taken[name], "tokenization", taken["strings"], goal)
    yield Row("audit, all classes", taken["all"], "tokenization in the trace", taken["in context"], None)
    peer = measure_strings(engine_for(default_tokenizer(), "tokenizers"), ROWS // 10) * 10
    yield Row("tokenization (tiktoken)", taken["strings"], "tokenization (tokenizers)", peer, None)
    few, many = peak_megabytes(ROWS // 50), peak_megabytes(ROWS // 5)
    yield Row("audit, ten times the rows, peak memory", many, "one time", few, 1.2, "MB")
    two, one = cores(2, ROWS), cores(1, ROWS)
    yield Row("audit, two processes", two, "one process", one, 0.6)


def questions(size: int, seed: int = 0) -> Iterator[StringQuestion]:
    """Texts of 5 to 60 characters and patterns of 1 to 4, three in four cut from the text."""
    rng = random.Random(seed)
    for _ in range(size):
        goal = rng.randint(5, 60)
        text = ""
        while len(text) < goal:
            text += rng.choice(WORDS) + rng.choice(JOINTS)
        text = text[:goal]
        length = rng.randint(1, 4)
        at = rng.randrange(len(text) - length + 1)
        pattern = text[at : at + length] if rng.random() < 0.75 else rng.choice(JOINTS)
        if rng.random() < 0.1:
            method = rng.choice(tuple(CASE_METHODS))
            yield StringQuestion(text, None, method, result=getattr(text, method)())
        else:
            method = rng.choice(SEARCHES)
            yield StringQuestion(
                text, pattern, method, result=text.replace(pattern, "") if method == "replace" else None
            )


def batches(size: int, seed: int = 0) -> Iterator[list[StringQuestion]]:
    rows = questions(size, seed)
    while some := list(islice(rows, AT_ONCE)):
        yield some


def measure(engine: TokenizationEngine, size: int) -> dict[str, float]:
    """Processor seconds over all batches. Creating the rows is not counted, and each part starts from strings."""
    taken = dict.fromkeys(("strings", "in context", "occurrence", "all"), 0.0)
    every = {kind.name for kind in all_hazards()}
    for some in batches(size):
        placed = [write(question.text, "trace") for question in some] + patterns(some)
        jobs: dict[str, Job] = {
            "strings": partial(engine._batch, strings(some)),
            "in context": partial(engine._batch, placed),
            "occurrence": partial(judge, some, engine, OCCURRENCE_CLASSES),
            "all": partial(judge, some, engine, every),
        }
        for name, job in jobs.items():
            taken[name] += seconds(job, "processor")
    return taken


def measure_strings(engine: TokenizationEngine, size: int) -> float:
    """Processor seconds to tokenize the strings of all batches."""
    return sum(seconds(partial(engine._batch, strings(some)), "processor") for some in batches(size))


def strings(some: list[StringQuestion]) -> list[str]:
    """The texts and patterns of a batch."""
    return [question.text for question in some] + patterns(some)


def patterns(some: list[StringQuestion]) -> list[str]:
    return [question.pattern or "" for question in some]


def judge(some: list[StringQuestion], engine: TokenizationEngine, kinds: set[str]) -> int:
    batch = QuestionBatch(some, engine, "trace")
    return sum(len(kind.find(batch)) for kind in all_hazards() if kind.name in kinds)


def worker(part: tuple[int, int]) -> int:
    seed, size = part
    engine = engine_for(default_tokenizer())
    kinds = {kind.name for kind in all_hazards()}
    return sum(judge(some, engine, kinds) for some in batches(size, seed))


def warm(_: int) -> None:
    worker((0, AT_ONCE))  # a batch of full size, from which on the engine for many strings is loaded
    time.sleep(0.5)  # long enough that each process of the pool gets one of these


def peak_megabytes(size: int) -> float:
    """The peak memory of a separate process that audits a JSON lines file with this number of rows."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "rows.jsonl"
        write_rows(file, size)
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            return pool.apply(_peak, (file,))


def write_rows(file: Path, size: int) -> None:
    """Programs of one string operation each, with a call."""
    with file.open("w", encoding="utf-8") as out:
        for number, question in enumerate(questions(size)):
            text, method = repr(question.text), question.method
            sought = "" if question.pattern is None else repr(question.pattern)
            operation = {"in": f"{sought} in {text}", "replace": f"{text}.replace({sought}, '')"}.get(
                method, f"{text}.{method}({sought})"
            )
            row = {"id": number, "code": f"def f():\n    return {operation}\n", "call": "f()"}
            out.write(json.dumps(row) + "\n")


def _peak(file: Path) -> float:
    audit_to(file.parent / "audit", AuditRequest(str(file), execute=False))
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def cores(count: int, size: int) -> float:
    """Seconds for `size` rows on this number of processes, after each has judged a batch and loaded everything."""
    with multiprocessing.get_context("spawn").Pool(count) as pool:
        pool.map(warm, range(count), chunksize=1)
        parts = [(seed, size // 8) for seed in range(8)]
        return seconds(partial(pool.map, worker, parts, chunksize=1))


if __name__ == "__main__":
    write_rows(Path(sys.argv[1]), int(sys.argv[2]))
