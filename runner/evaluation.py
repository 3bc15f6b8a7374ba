"""A run as a function: what `spellout run` asks and records, for the command line, for experiments and for Python.

`evaluate` is for Python; `conduct` is what all rest on. What cannot be asked so is refused before a model is loaded, or
before it is asked. What this does not do: print (`runner.report`), or read the command line.
"""

from __future__ import annotations

import platform
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from runner.askable import check_askable, settled
from runner.backends import Backend, load_model
from runner.backends.replay import Replay
from runner.benchmarks import token_limit
from runner.cache import Cache
from runner.cases import MEMORY, Cases, load_cases
from runner.console import error_console, progress_bar, warn
from runner.experiment import Experiment, Settings
from runner.folder import Shape, claimed
from runner.prompts import Form
from runner.prompts.direct import MAX_TOKENS
from runner.report import RunInfo, write_report
from runner.samples import Sample


@dataclass(frozen=True)
class Order:
    """What a run is about, beside its settings. data: a benchmark's name, or what people call the rows.

    prompt: the form to ask in, None for the model's own; limit, mapping: how the cases were read, for the folder to
    remember; cache: where answers are kept for other runs.
    """

    data: str
    found: Cases
    prompt: Form | None = None
    limit: int | None = None
    mapping: tuple[str, ...] = ()
    cache: Path | None = None


def evaluate(
    model: str | Backend,
    data: str | Path | Iterable[object],
    *,
    out: str | Path | None = None,
    recipes: Sequence[str] = ("decompose",),
    prompt: Form | None = None,
    limit: int | None = None,
    mapping: Mapping[str, str] | None = None,
    drawn: Mapping[str, int] | None = None,
    cache: str | Path | None = None,
    **settings: Any,
) -> list[Sample]:
    """Asks a model about programs, rewrites what it failed and asks again: the records, in the order of the cases.

    model: as behind `--model`, or what `load_model` gave; data: a benchmark's name, a file, a Hugging Face id, or rows
    (dicts, a data frame, `Case`s); out: the folder of the run, which the same call again goes on with (None: nothing is
    kept); recipes: to rewrite by what failed, () for none; prompt: "oneshot", "bare" or "direct" (None: the model's
    own); limit: of rows; mapping: {"code": "solution"} reads the field `code` from that column; drawn: a benchmark's
    size, length, depth and seed; cache: as `--cache`;
    settings: other fields of `runner.experiment.Settings`: max_tokens, mode, full, temperature, seeds, batch, …

    Raises InputError, in one line, for what `spellout run` refuses, and TypeError for a setting that there is not. Any:
    each setting has a type of its own. `runner.summary.summarize` makes the figures of the records.
    """
    name = str(data) if isinstance(data, str | Path) else MEMORY
    known = {"max_tokens": limit_of(name, prompt), **settings}
    asked = settled(Settings(recipes=tuple(dict.fromkeys(recipes)), **known), prompt)
    columns = tuple(f"{field}={column}" for field, column in (mapping or {}).items())
    sizes = dict(drawn or {})
    seed = sizes.pop("seed", 0)
    rows = name if isinstance(data, str | Path) else data
    found = load_cases(rows, list(columns), limit, seed=seed, drawn=sizes)
    backend = load_model(model) if isinstance(model, str) else model
    for reason in (*found.bad, *found.repeated):
        warn(error_console(), reason)
    order = Order(name, found, prompt, limit, columns, None if cache is None else Path(cache))
    with TemporaryDirectory() as nowhere:
        return conduct(backend, asked, order, Path(nowhere if out is None else out), "runner.evaluate")[0]


def conduct(
    backend: Backend, settings: Settings, order: Order, folder: Path, command: str
) -> tuple[list[Sample], RunInfo]:
    """The run, or the rest of it, with all that it writes to its folder. command: what made it, for the report.

    settings: as `settled` gives them. Raises InputError for a model that cannot be asked so, and for a folder that
    holds another run.
    """
    start = time.monotonic()
    check_askable(backend, settings.mode, order.prompt)
    cache = Cache(order.cache, backend) if order.cache else None
    with _in_form(backend, order.prompt), claimed(folder, _shape(order, settings, backend)) as file:
        if isinstance(backend, Replay):
            for bad in backend.bad:
                warn(error_console(), f"no recorded output: {bad.where}: {bad.reason}")
            backend.check(order.found.sharing(), order.found.places)
            backend.check_resumed(file.samples.values())
        with progress_bar() as progress:
            samples = Experiment(backend, settings, file, progress, cache).run(order.found.cases)
        info = _info(settings, order.found, backend, command, time.monotonic() - start)
        write_report(folder, samples, info)
    return samples, info


def limit_of(data: str, prompt: Form | None) -> int:
    """The paper's limit of new tokens for these programs, asked so."""
    return MAX_TOKENS if prompt == "direct" else token_limit(data)


@contextmanager
def _in_form(backend: Backend, prompt: Form | None) -> Iterator[None]:
    """The backend, asked in this form alone."""
    own = backend.forms
    backend.forms = (prompt,) if prompt else own
    try:
        yield
    finally:
        backend.forms = own


def _shape(order: Order, settings: Settings, backend: Backend) -> Shape:
    return Shape(
        benchmark=order.data,
        cases=order.found.digest,
        mapping=tuple(sorted(order.mapping)),
        limit=order.limit,
        model=backend.name,
        weights=backend.weights,
        prompt=order.prompt or "",
        max_tokens=settings.max_tokens,
        stop_after=settings.stop_after,
        decode=settings.decode,
        stop_at_divergence=settings.stop_at_divergence,
        recipes=settings.recipes,
        spellout=dict(_versions()).get("spellout", ""),
        full=settings.full,
        temperature=settings.temperature,
        seeds=settings.seeds,
        mode=settings.mode,
    )


def _info(settings: Settings, found: Cases, backend: Backend, command: str, seconds: float) -> RunInfo:
    return RunInfo(
        command=command,
        model=backend.name,
        max_tokens=settings.max_tokens,
        recipes=settings.recipes,
        versions=_versions(),
        seconds=seconds,
        mode=settings.mode,
        bad_rows=found.bad,
        repeated=found.repeated,
    )


def _versions() -> tuple[tuple[str, str], ...]:
    packages = ("spellout", "transformers", "torch")
    found = [(name, metadata.version(name)) for name in packages if _installed(name)]
    return (("Python", platform.python_version()), *found)


def _installed(name: str) -> bool:
    try:
        metadata.version(name)
    except metadata.PackageNotFoundError:
        return False
    return True
