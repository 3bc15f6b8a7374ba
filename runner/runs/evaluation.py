"""A run as a function: what `spellout run` asks and records, for the command line, for experiments and for Python.

`evaluate` is for Python; `conduct` is what all rest on. What cannot be asked so is refused before a model is loaded, or
before it is asked. What this does not do: print (`runner.reports.report`), or read the command line.
"""

from __future__ import annotations

import platform
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from importlib import metadata
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from corpora.errors import did_you_mean
from runner.asking.backend import Backend
from runner.asking.cache import Cache
from runner.asking.direct_prompts import MAX_TOKENS
from runner.asking.prompts import Form
from runner.backends import load_model
from runner.inputs.benchmarks import token_limit
from runner.records.run_folder import RunSettings, claimed
from runner.records.samples import Sample, case_key
from runner.reports.report import RunInfo, write_report
from runner.runs.cases import MEMORY, Cases, load_cases
from runner.runs.experiment import Run, Settings
from runner.runs.validation import check_askable, settled
from runner.terminal.console import error_console, progress_bar, warn


@dataclass(frozen=True)
class RunInput:
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
    recipes: str | Sequence[str] = ("decompose",),
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
    kept); recipes: one or several, to rewrite by what failed, () for none; prompt: "oneshot", "bare" or "direct" (None:
    the model's own); limit: of rows; mapping: {"code": "solution"} reads the field `code` from that column; drawn: a
    benchmark's size, length, depth and seed; cache: as `--cache`;
    settings: other fields of `runner.runs.experiment.Settings`: max_tokens, mode, full, temperature, seeds, batch, …

    Raises InputError, in one line, for what `spellout run` refuses, and TypeError for a setting that there is not. Any:
    each setting has a type of its own. `runner.statistics.summary.summarize` makes the figures of the records.
    """
    name = str(data) if isinstance(data, str | Path) else MEMORY
    names = [field.name for field in fields(Settings)]
    for setting in settings.keys() - set(names):
        close = did_you_mean(setting, names)
        raise TypeError(f"evaluate() got an unexpected keyword argument {setting!r}{close}")
    known = {"max_tokens": limit_of(name, prompt), **settings}
    several = (recipes,) if isinstance(recipes, str) else recipes
    asked = settled(Settings(recipes=tuple(dict.fromkeys(several)), **known), prompt)
    columns = tuple(f"{field}={column}" for field, column in (mapping or {}).items())
    sizes = dict(drawn or {})
    seed = sizes.pop("seed", 0)
    rows = name if isinstance(data, str | Path) else data
    found = load_cases(rows, list(columns), limit, seed=seed, drawn=sizes)
    backend = load_model(model) if isinstance(model, str) else model
    warn_of_rows(found)
    order = RunInput(name, found, prompt, limit, columns, None if cache is None else Path(cache))
    with TemporaryDirectory() as nowhere:
        return conduct(backend, asked, order, Path(nowhere if out is None else out), "runner.evaluate")[0]


def conduct(
    backend: Backend, settings: Settings, order: RunInput, folder: Path, command: str
) -> tuple[list[Sample], RunInfo]:
    """The run, or the rest of it, with all that it writes to its folder. command: what made it, for the report.

    settings: as `settled` gives them. Raises InputError for a model that cannot be asked so, and for a folder that
    holds another run.
    """
    start = time.monotonic()
    check_askable(backend, settings.mode, order.prompt)
    cache = Cache(order.cache, backend) if order.cache else None
    keys = list(dict.fromkeys(map(case_key, order.found.cases)))
    with _in_form(backend, order.prompt), claimed(folder, _shape(order, settings, backend), keys) as file:
        for warning in backend.check_cases(order.found.sharing(), order.found.places, file.samples.values()):
            warn(error_console(), warning)
        with progress_bar() as progress:
            samples = Run(backend, settings, file, progress, cache).run(order.found.cases)
        info = _info(settings, order.found, backend, command, time.monotonic() - start)
        write_report(folder, samples, info)
    return samples, info


def warn_of_rows(found: Cases) -> None:
    """Writes to standard error which rows cannot be read, and which repeat an earlier one."""
    for row in (*(f"skipped {bad}" for bad in found.bad), *found.repeated):
        warn(error_console(), row)


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


def _shape(order: RunInput, settings: Settings, backend: Backend) -> RunSettings:
    return RunSettings(
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
        num_samples=settings.num_samples,
        mode=settings.mode,
        reveal_every=settings.reveal_every,
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
