"""Draws training documents, programs with their reference traces as token ids: `python -m lab.pocket.documents`.

Kinds: typed random programs, real functions (if there is a folder of data), and simple generated programs; some of each
get docstrings, annotations, comments and empty lines (`lab.pocket.decorations`).
Programs of benchmarks are left out (`lab.pocket.benchmark_overlap`). One program in twenty is held out, by a hash; all
variants of a real program are held out together. The same seed, number of parts and data give the same file.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import resource
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any

from analyze.gold_trace.frames import Frame
from analyze.gold_trace.trace import trace_call, trace_in_process
from analyze.gold_trace.tracer import TraceCutError
from analyze.tokens.tokenizer import Tokenizer, load_tokenizer
from corpora.errors import InputError
from corpora.failures import DIED
from corpora.process_pool import map_over_cores
from corpora.program import Case
from corpora.reading.optional_packages import require_package
from lab.pocket.benchmark_overlap import benchmark_fingerprints, fingerprints
from lab.pocket.decorations import decorated
from lab.pocket.hold_out import is_case_held_out, is_held_out
from lab.pocket.real_programs import RealPrograms, read_programs
from lab.pocket.simple_programs import simple_program
from lab.pocket.typed_programs import typed_program
from lab.published_data import data_folder
from runner.asking.prompts import prompt_ids
from runner.backends.transformers.base_model import END_OF_TEXT

SHARES: Mapping[str, float] = {"typed": 0.6, "real": 0.28, "simple": 0.12}
"""Shares of the drawn programs by kind."""
MAX_FRAMES, MAX_BYTES = 120, 60_000
_FAVOURED = 400
"""Documents of up to this many tokens are always used; of longer ones a share, so that they have equal tokens."""
_SECONDS = 2.0
"""Processor time of a generated program that is traced in this process."""
_MEMORY = 6 << 30
"""Address space of a process that runs generated programs in itself, in bytes."""
EPILOG = """examples:
  python -m lab.pocket.documents --base smollm2-135m --tokens 5e6 --seed 1 --output runs/documents-1.parquet
"""


@dataclass(frozen=True)
class TraceDocument:
    """A program with its trace.

    Attributes:
        ids: token ids of prompt, trace and end of text.
        prompt: number of ids of the prompt.
        kind: kind of the program: "typed", "real", or "simple" and its kind there.
        held: whether it is held out of training.
        source: the program.
        call: the call.
    """

    ids: tuple[int, ...]
    prompt: int
    kind: str
    held: bool
    source: str
    call: str


@dataclass(frozen=True)
class DrawSettings:
    """What to draw.

    Attributes:
        seed: random seed.
        tokens: number of tokens, at least.
        longest: maximum number of tokens of a document.
        tokenizer: file of the vocabulary.
        data: folder of data; None for no real programs.
        shares: shares of the drawn programs by kind.
    """

    seed: str
    tokens: int
    longest: int
    tokenizer: str
    data: Path | None
    shares: Mapping[str, float]


def draw_documents(settings: DrawSettings) -> list[TraceDocument]:
    """Documents until their tokens reach the number in the settings."""
    found: dict[tuple[str, str], TraceDocument] = {}
    count = 0
    for document in _documents(settings):
        if (document.source, document.call) not in found:
            found[document.source, document.call] = document
            count += len(document.ids)
        if count >= settings.tokens:
            break
    return list(found.values())


def _documents(settings: DrawSettings) -> Iterator[TraceDocument]:
    rng, tokenizer = Random(settings.seed), load_tokenizer(settings.tokenizer)
    excluded = benchmark_fingerprints(settings.data)
    real = RealPrograms(read_programs(settings.data)) if settings.data else None
    shares = {kind: share for kind, share in settings.shares.items() if real or kind != "real"}
    while True:
        kind = rng.choices(list(shares), list(shares.values()))[0]
        if kind == "real" and real:
            program, plain = real.draw(rng)
            case = decorated(plain, rng)
            document = make_document(case, tokenizer, settings.longest, sandboxed=True)
            real.note(program, used=document is not None)
            held = is_case_held_out(case) or is_held_out(program.code)
        else:
            case = decorated(typed_program(rng) if kind == "typed" else _simple(rng), rng)
            document, held = make_document(case, tokenizer, settings.longest), is_case_held_out(case)
        if document and rng.random() * len(document.ids) > _FAVOURED:
            continue
        if document and not fingerprints(case.source) & excluded:
            yield replace(document, held=held)


def _simple(rng: Random) -> Case:
    case = simple_program(rng)
    return replace(case, kind=f"simple {case.kind.split(',')[0]}")


def make_document(case: Case, tokenizer: Tokenizer, longest: int, *, sandboxed: bool = False) -> TraceDocument | None:
    """The bare prompt, the reference trace and the end of text as one document.

    Args:
        case: the program.
        tokenizer: encodes it; its vocabulary has CWM's special tokens.
        longest: maximum number of tokens.
        sandboxed: whether the program runs in the sandbox; generated programs run in this process.

    Returns:
        None if the program has a syntax error, does not end in time, has a trace that is too long, or has characters
        that the vocabulary has no tokens for.
    """
    frames = _sandboxed_frames(case) if sandboxed else _frames(case)
    if not frames:
        return None
    prompt = prompt_ids(case, "bare", tokenizer)
    ids = (*prompt, *trace_ids(frames, tokenizer), tokenizer.special_id(END_OF_TEXT))
    if len(ids) > longest or tokenizer.unknown in ids:
        return None
    return TraceDocument(ids, len(prompt), case.kind, held=False, source=case.source, call=case.call)


def trace_ids(frames: Sequence[Frame], tokenizer: Tokenizer) -> list[int]:
    """The token ids of frames. The ids of lines and states are cached, because they repeat."""
    return [token for frame in frames for text, special in frame.pieces() for token in _ids(tokenizer, text, special)]


@lru_cache(maxsize=1 << 17)
def _ids(tokenizer: Tokenizer, text: str, special: bool) -> tuple[int, ...]:
    return (tokenizer.special_id(text),) if special else tuple(tokenizer.encode(text))


def _frames(case: Case) -> list[Frame]:
    try:
        with _cpu_limit(_SECONDS), contextlib.redirect_stdout(io.StringIO()):
            return trace_in_process(case.context, max_frames=MAX_FRAMES, max_bytes=MAX_BYTES)
    except (TraceCutError, SyntaxError):
        return []


@contextlib.contextmanager
def _cpu_limit(seconds: float) -> Iterator[None]:
    """Raises TraceCutError in the main thread after a time of the processor: one expression can take hours."""

    def end(_number: int, _frame: object) -> None:
        raise TraceCutError("time")

    before = signal.signal(signal.SIGVTALRM, end)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _sandboxed_frames(case: Case) -> list[Frame]:
    limits = {"max_frames": MAX_FRAMES, "max_bytes": MAX_BYTES}
    trace = trace_call(case.source, case.call, seconds=2, stop_at_cut=True, **limits)  # type: ignore[arg-type]
    return [] if trace.cut or trace.labels else list(trace.frames)


def write_documents(documents: Sequence[TraceDocument], path: Path) -> None:
    """Writes documents as one Parquet file. Raises InputError without pyarrow."""
    pa, pq = _parquet()
    schema = _schema(pa)
    columns = {name: [getattr(document, name) for document in documents] for name in schema.names}
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.table(columns, schema=schema), path, compression="zstd")


def read_documents(path: Path) -> list[TraceDocument]:
    """Reads a file of `write_documents`.

    Raises:
        InputError: the file is missing or of another kind, or pyarrow is missing.
    """
    pa, pq = _parquet()
    try:
        table = pq.read_table(path, schema=_schema(pa))
    except (OSError, pa.ArrowInvalid) as error:
        raise InputError(f"not a file of documents ({error})", where=str(path)) from None
    return [TraceDocument(**row | {"ids": tuple(row["ids"])}) for row in table.to_pylist()]


def _parquet() -> tuple[Any, Any]:
    """pyarrow, which the gate needs for training documents only."""
    arrow, parquet = (
        require_package(one, "train", where="training documents") for one in ("pyarrow", "pyarrow.parquet")
    )
    return arrow, parquet


def _schema(pa: Any) -> Any:
    return pa.schema(
        [
            ("ids", pa.list_(pa.int32())),
            ("prompt", pa.int32()),
            ("kind", pa.string()),
            ("held", pa.bool_()),
            ("source", pa.string()),
            ("call", pa.string()),
        ]
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Draws documents in several processes and writes them."""
    options = _parser().parse_args(arguments)
    try:
        _run(options)
    except InputError as error:
        sys.stderr.write(f"documents: {error}\n")
        return 2
    return 0


def _run(options: argparse.Namespace) -> None:
    from runner.backends.transformers.base_model import base_place, tracer_vocabulary

    started = time.monotonic()
    _parquet()
    vocabulary = options.output.with_suffix(".tokenizer.json")
    vocabulary.parent.mkdir(parents=True, exist_ok=True)
    tracer_vocabulary(base_place(options.base)).save(str(vocabulary))
    part = DrawSettings(
        "", int(options.tokens / options.parts), options.longest, str(vocabulary), data_folder(options.data), SHARES
    )
    settings = [replace(part, seed=f"{options.seed}-{number}") for number in range(options.parts)]
    documents: list[TraceDocument] = []
    if min(options.processes, options.parts) == 1:
        _prepare()  # this process draws
    parts = map_over_cores(draw_documents, settings, options.processes, on_death=_refuse, ordered=True, start=_prepare)
    for number, drawn in enumerate(parts, 1):
        documents += drawn
        sys.stderr.write(f"part {number} of {options.parts}: {len(documents):,} documents\n")
    documents = list({(document.source, document.call): document for document in documents}.values())
    write_documents(documents, options.output)
    kinds = Counter(document.kind.split()[0] for document in documents)
    tokens = sum(len(document.ids) for document in documents)
    sys.stderr.write(
        f"{len(documents):,} documents ({', '.join(f'{kind} {count:,}' for kind, count in kinds.items())}), "
        f"{tokens:,} tokens, {sum(document.held for document in documents):,} held out, "
        f"{time.monotonic() - started:.0f} s\n"
    )


def _refuse(part: DrawSettings, _: object) -> list[TraceDocument]:
    raise InputError(f"part {part.seed}: {DIED}")


def _prepare() -> None:
    """Limits the memory of a process, and silences generators whose program ended at the limit on frames."""
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    sys.unraisablehook = lambda _: None


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m lab.pocket.documents",
        description=(__doc__ or "").splitlines()[0],
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--base", default="smollm2-135m", help="base model (default: smollm2-135m)")
    parser.add_argument("--output", type=Path, required=True, help="file to write (Parquet)")
    parser.add_argument("--tokens", type=float, default=1e6, help="number of tokens (default: 1e6)")
    parser.add_argument("--longest", type=int, default=1024, help="maximum tokens of a document (default: 1024)")
    parser.add_argument("--seed", default="0", help="random seed (default: 0)")
    parser.add_argument("--parts", type=int, default=8, help="independently seeded parts (default: 8)")
    parser.add_argument("--processes", type=int, default=2, help="processes (default: 2)")
    parser.add_argument("--data", type=Path, help="folder of data (default: the environment variable SPELLOUT_DATA)")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
