"""Evaluates a model on cases: the function behind `spellout run`, the experiments and the Python API.

`evaluate` is the Python API; `conduct` does the run. Invalid settings are reported before a model is loaded or asked.
`runner.reports.run_report` prints the results.
"""

from __future__ import annotations

import platform
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, fields, replace
from importlib import metadata
from pathlib import Path
from typing import Any

from corpora.errors import InputError, did_you_mean
from corpora.temporary_folders import temporary_folder
from rewrite.pipeline.registration import RecipeLike, recipe_name
from runner.asking.answer_cache import AnswerCache
from runner.asking.backend import Backend
from runner.asking.direct_prompts import MAX_TOKENS
from runner.asking.prompts import PromptFormat
from runner.backends import load_model
from runner.inputs.benchmarks import token_limit
from runner.records.run_folder import RunManifest, open_run
from runner.records.samples import Sample, case_key
from runner.reports.run_report import RunInfo, write_report
from runner.runs.cases import IN_MEMORY, Cases, load_cases
from runner.runs.defaults import NO_RECIPE
from runner.runs.evaluation_run import EvaluationRun, EvaluationSettings
from runner.runs.validation import check_backend, validated_settings
from runner.terminal.console import progress_bar, warn


@dataclass(frozen=True)
class RunInput:
    """The input of a run.

    Attributes:
        data: name of the benchmark or data set.
        cases: the cases.
        prompt: prompt format; None for the default of each case.
        limit: value of `--limit`, for `run.json`.
        mapping: values of `--column`, for `run.json`.
        cache: folder of answers that runs share; None for no cache.
        known: records of an earlier run of the same questions, which are kept.
    """

    data: str
    cases: Cases
    prompt: PromptFormat | None = None
    limit: int | None = None
    mapping: tuple[str, ...] = ()
    cache: Path | None = None
    known: Sequence[Sample] = ()


def evaluate(
    model: str | Backend,
    data: str | Path | Iterable[object],
    *,
    output: str | Path | None = None,
    recipes: RecipeLike = ("decompose",),
    prompt: PromptFormat | None = None,
    limit: int | None = None,
    mapping: Mapping[str, str] | None = None,
    generator_options: Mapping[str, int] | None = None,
    cache: str | Path | None = None,
    known: Sequence[Sample] = (),
    **settings: Any,
) -> list[Sample]:
    """Asks a model to predict programs, rewrites those it fails, and asks again.

    `runner.statistics.summary.summarize` computes accuracies and intervals from the records.

    Args:
        model: a value of `--model`, or a backend from `load_model`.
        data: a benchmark, a file, a Hugging Face id, or rows (dicts, a data frame, `Case` objects).
        output: folder of the run; the same call resumes (default: nothing is saved).
        recipes: one or more recipes for failed programs; "none" or `()` for none. An intervention, a LibCST codemod or
            a function from source to source is recorded under its name (`rewrite.pipeline.registration`).
        prompt: "oneshot", "bare" or "direct" (default: the one the model was trained on).
        limit: number of rows (default: all).
        mapping: column per field, such as {"code": "solution"}.
        generator_options: size, length, depth and seed of a generated benchmark.
        cache: folder of answers that runs share (default: no cache).
        known: records of an earlier run with the same settings: what they answer is not asked.
        **settings: other fields of `runner.runs.evaluation_run.EvaluationSettings`, such as max_tokens, mode or
            temperature.

    Returns:
        The records, in the order of `runner.records.run_folder.read_run`.

    Raises:
        InputError: invalid settings or data, with the message of `spellout run`.
        TypeError: a setting is unknown.
    """
    name = str(data) if isinstance(data, str | Path) else IN_MEMORY
    names = [field.name for field in fields(EvaluationSettings)]
    for setting in settings.keys() - set(names):
        close = did_you_mean(setting, names)
        raise TypeError(f"evaluate() got an unexpected keyword argument {setting!r}{close}")
    given = {"max_tokens": token_limit_for(name, prompt), **settings}
    several = recipes if isinstance(recipes, Sequence) and not isinstance(recipes, str) else (recipes,)
    chosen = () if tuple(several) == (NO_RECIPE,) else tuple(dict.fromkeys(map(recipe_name, several)))
    asked = validated_settings(EvaluationSettings(recipes=chosen, **given), prompt)
    columns = tuple(f"{field}={column}" for field, column in (mapping or {}).items())
    sizes = dict(generator_options or {})
    seed = sizes.pop("seed", 0)
    rows = name if isinstance(data, str | Path) else data
    found = load_cases(rows, list(columns), limit, seed=seed, generator_options=sizes)
    backend = load_model(model) if isinstance(model, str) else model
    warn_about_rows(found)
    shared = None if cache is None else Path(cache)
    run_input = RunInput(name, found, prompt, limit, columns, shared, known)
    with temporary_folder("run") as temporary:
        return conduct(backend, asked, run_input, temporary if output is None else Path(output), "runner.evaluate")[0]


def conduct(
    backend: Backend, settings: EvaluationSettings, run_input: RunInput, folder: Path, command: str
) -> tuple[list[Sample], RunInfo]:
    """Starts or resumes a run, and writes its records and report.

    Args:
        backend: the model.
        settings: settings from `validated_settings`.
        run_input: the input of the run.
        folder: folder of the run.
        command: the command line, for the report.

    Raises:
        InputError: the model does not support the settings, or the folder has another run.
    """
    start = time.monotonic()
    check_backend(backend, settings.mode, run_input.prompt)
    cache = AnswerCache(run_input.cache, backend) if run_input.cache else None
    found = run_input.cases
    keys = list(dict.fromkeys(map(case_key, found.cases)))
    with (
        _with_prompt_format(backend, run_input.prompt),
        open_run(folder, _manifest(run_input, settings, backend), keys) as file,
    ):
        for one in run_input.known:
            if one.temperature == settings.temperature and one.key not in file.samples:
                file.append(one)
        resumed = bool(file.samples)
        warn(*backend.check_cases(found.sharing_ids(), found.places, file.samples.values()))
        with progress_bar() as progress:
            samples = EvaluationRun(backend, settings, file, progress, cache).run(found.cases)
        info = replace(_info(settings, found, backend, command, time.monotonic() - start), resumed=resumed)
        write_report(folder, samples, info)
    return samples, info


def check_answered(samples: Iterable[Sample], model: str) -> None:
    """Raises InputError if the server of a run failed each question: there is no result, only a reason."""
    reasons: Counter[str] = Counter()
    for sample in samples:
        if sample.asked:
            return
        if sample.stopped == "failed":
            reasons[sample.reason] += 1
    for reason, _ in reasons.most_common(1):
        raise InputError(f"none of {reasons.total()} questions was answered ({reason})", where=f"--model {model}")


def warn_about_rows(found: Cases) -> None:
    """Warns on standard error about unreadable rows and duplicates."""
    warn(*(f"skipped {bad}" for bad in found.bad), *found.repeated)


def token_limit_for(data: str, prompt: PromptFormat | None) -> int:
    """The paper's limit of new tokens for a benchmark and prompt format."""
    return MAX_TOKENS if prompt == "direct" else token_limit(data)


@contextmanager
def _with_prompt_format(backend: Backend, prompt: PromptFormat | None) -> Iterator[None]:
    """Restricts the backend to one prompt format."""
    own = backend.prompt_formats
    backend.prompt_formats = (prompt,) if prompt else own
    try:
        yield
    finally:
        backend.prompt_formats = own


def _manifest(run_input: RunInput, settings: EvaluationSettings, backend: Backend) -> RunManifest:
    return RunManifest(
        benchmark=run_input.data,
        cases=run_input.cases.digest,
        mapping=tuple(sorted(run_input.mapping)),
        limit=run_input.limit,
        model=backend.name,
        weights=backend.weights,
        prompt=run_input.prompt or "",
        spellout=dict(_versions()).get("spellout", ""),
        **{name: value for name, value in vars(settings).items() if name != "batch_size"},
    )


def _info(settings: EvaluationSettings, found: Cases, backend: Backend, command: str, seconds: float) -> RunInfo:
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
    found = [("Python", platform.python_version())]
    for name in ("spellout", "transformers", "torch"):
        with suppress(metadata.PackageNotFoundError):
            found.append((name, metadata.version(name)))
    return tuple(found)
