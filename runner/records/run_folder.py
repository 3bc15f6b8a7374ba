"""The folder of a run: its settings in `run.json`, and a lock for one process at a time.

`run.json` has every setting that affects results. A resumed run must have the same settings, so that a folder never
mixes records of different settings. The file is also the lock, which the operating system releases when the process
ends. `runner.records.samples` defines the records.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields
from functools import cache
from pathlib import Path
from typing import IO, Any

import fastjsonschema

from corpora.errors import InputError
from corpora.writing.locks import locked, locked_folder
from runner.records.samples import CONTROLS, ORIGINAL, VERSION, Sample, SampleFile, drop_truncated_line, read_samples

RUN_FILE, SAMPLES_FILE = "run.json", "samples.jsonl"
ORDER = "order"
"""The key in `run.json` of the order of the cases, which is not a setting."""
ELSEWHERE = "use another folder (--output)"


@dataclass(frozen=True)
class RunManifest:
    """All settings that affect the results of a run, as `run.json` has them.

    Attributes:
        benchmark: name of the benchmark or data set.
        cases: digest of the content and order of the cases.
        mapping: renamed columns, as "FIELD=COLUMN".
        limit: number of rows; None for all.
        model: the value of `--model`.
        weights: identifies the parameters of the model.
        prompt: prompt format; "" for the default of each case.
        max_tokens: limit of new tokens per answer.
        stop_after: factor of `--stop-after`; None for no limit.
        decode: "verified" or "plain".
        stop_at_divergence: whether decoding stops if the answer can no longer be correct.
        recipes: recipes that rewrite failed programs.
        spellout: version of Spellout.
        full: whether correct answers are rewritten and asked again too.
        temperature: sampling temperature; 0 for greedy decoding.
        num_samples: sampled answers per question.
        mode: "free", "forced-actions" or "forced".
    """

    benchmark: str
    cases: str
    mapping: tuple[str, ...]
    limit: int | None
    model: str
    weights: str
    prompt: str
    max_tokens: int
    stop_after: float | None
    decode: str
    stop_at_divergence: bool
    recipes: tuple[str, ...]
    spellout: str
    full: bool = False
    temperature: float = 0.0
    num_samples: int = 1
    mode: str = "free"
    reveal_every: int = 1


_SETTINGS = (field.name for field in fields(RunManifest) if field.name not in ("benchmark", "spellout"))
_LABELS = {name: f"--{name.replace('_', '-')}" for name in _SETTINGS} | {
    "cases": "the rows of the data set",
    "mapping": "--column",
    "weights": "the model's weights",
    "recipes": "--recipe",
    "reveal_every": "the spacing of states",
    "spellout": "the version of Spellout",
}
"""What a setting is called in messages; `benchmark` by its own name."""


@contextmanager
def open_run(folder: Path, manifest: RunManifest, order: Sequence[str]) -> Iterator[SampleFile]:
    """Locks the folder of a run, creating it if needed, and opens its records.

    Args:
        folder: the folder.
        manifest: the settings of the run.
        order: the key of each case (`runner.records.samples.case_key`), in the order of the data.

    Raises:
        InputError: another process has locked the folder, it has a run with other settings or of another record
            version, or it cannot be written.
    """
    with locked_folder(folder, RUN_FILE, ELSEWHERE) as file:
        _agree(folder, file, manifest, order)
        yield SampleFile(folder / SAMPLES_FILE)


def repair(folder: Path) -> None:
    """Removes a truncated last record. Does nothing if a run has locked the folder, or if it is read-only."""
    try:
        with (folder / RUN_FILE).open(encoding="utf-8") as file, locked(file, str(folder), ELSEWHERE):
            drop_truncated_line(folder / SAMPLES_FILE)
    except (OSError, InputError):
        return  # readers ignore a truncated last line


def read_run(folder: Path | str) -> list[Sample]:
    """The records of a run: original programs first, then each recipe, then the control, each in the order of the data.

    A truncated last record is removed first. Without a readable `run.json`, the records are in the order of the file.

    Raises:
        InputError: the folder has no run, or no records yet.
    """
    path = Path(folder) / SAMPLES_FILE
    if not path.is_file():
        raise InputError("is not the folder of a run (no samples.jsonl)", where=str(folder))
    repair(Path(folder))
    samples = read_samples(path)
    if not samples:
        raise InputError("has no records yet", where=str(path))
    return _in_order(samples, read_run_content(Path(folder)))


def read_runs(folder: Path) -> dict[Path, list[Sample]]:
    """The records of a run, or of all runs in a folder, such as the stages of an experiment, by their folders.

    Raises:
        InputError: the folder has no run, a run has no records yet, or the runs have several modes.
    """
    inner = () if (folder / SAMPLES_FILE).exists() else sorted(file.parent for file in folder.glob(f"*/{SAMPLES_FILE}"))
    runs = {run: read_run(run) for run in inner or (folder,)}
    modes = {sample.mode for samples in runs.values() for sample in samples}
    if len(modes) > 1:
        folders = ", ".join(map(str, inner))
        raise InputError(
            f"has runs in several modes ({', '.join(sorted(modes))}); name one of {folders}", where=str(folder)
        )
    return runs


def _in_order(samples: list[Sample], content: Mapping[str, Any]) -> list[Sample]:
    cases = {key: place for place, key in enumerate(content.get(ORDER, ()))}
    attempts = {name: place for place, name in enumerate((ORIGINAL, *content.get("recipes", ()), *CONTROLS))}
    if any(sample.case_key not in cases or sample.attempt not in attempts for sample in samples):
        return samples
    return sorted(samples, key=lambda one: (attempts[one.attempt], cases[one.case_key], one.answer_index or 0))


def read_settings(folder: Path) -> dict[str, Any]:
    """The settings in `run.json`; empty if the file is missing or corrupt."""
    return {name: value for name, value in read_run_content(folder).items() if name != ORDER}


def read_run_content(folder: Path) -> dict[str, Any]:
    """The content of `run.json`; empty if the file is missing or corrupt."""
    try:
        found: dict[str, Any] = _validator()(json.loads((folder / RUN_FILE).read_bytes()))
    except (OSError, ValueError, RecursionError):  # JsonSchemaException is a ValueError
        return {}
    return found


@cache
def _validator() -> Callable[[Any], Any]:
    """Checks the types of what `run.json` has."""
    kinds = {"str": "string", "int": "integer", "float": "number", "bool": "boolean", "None": "null"}
    words = {"type": "array", "items": {"type": "string"}}
    settings: dict[str, Any] = {ORDER: words}
    for name, annotation in RunManifest.__annotations__.items():
        parts = annotation.split(" | ")
        settings[name] = words if "tuple" in annotation else {"type": [kinds[part] for part in parts]}
    checks: Callable[[Any], Any] = fastjsonschema.compile({"type": "object", "properties": settings})
    return checks


def setting_differences(there: Path, here: Path) -> list[str] | None:
    """The settings in which two runs differ, such as "--limit: 1, here 2"; None if a `run.json` is missing."""
    then, now = map(read_run_content, (there, here))
    if not then or not now:
        return None
    found = _unequal(then, {name: now.get(name) for name in _LABELS})
    return [
        shown if opaque else f"{shown}: {_format_setting(old)}, here {_format_setting(new)}"
        for shown, old, new, opaque in found
    ]


def _agree(folder: Path, file: IO[str], manifest: RunManifest, order: Sequence[str]) -> None:
    """Writes `run.json` if there are no records yet; otherwise raises InputError for settings that differ."""
    records = folder / SAMPLES_FILE
    if not records.exists() or not records.stat().st_size:
        _write(folder, file, {"version": VERSION, **asdict(manifest), ORDER: list(order)})
        return
    file.seek(0)
    try:
        then = json.loads(file.read())
        version = then.pop("version")
    except (ValueError, AttributeError, KeyError, RecursionError):
        reason = "has records, but its run.json is missing or corrupt, so the run cannot be resumed"
        raise InputError(f"{reason}; {ELSEWHERE}", where=str(folder)) from None
    if version != VERSION:
        raise InputError(f"has records of version {version}, not {VERSION}; {ELSEWHERE}", where=str(folder))
    differences = list(_differences(then, json.loads(json.dumps(asdict(manifest)))))
    if differences:
        raise InputError(f"has a run with {'; '.join(differences)}; {ELSEWHERE}", where=str(folder))


def _write(folder: Path, file: IO[str], content: Mapping[str, object]) -> None:
    try:
        file.truncate(0)
        file.write(json.dumps(content, indent=2) + "\n")
        file.flush()
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", where=str(folder / RUN_FILE)) from error


def _differences(then: Mapping[str, object], now: Mapping[str, object]) -> Iterator[str]:
    for shown, old, new, opaque in _unequal(then, now):
        yield (
            f"other {shown.removeprefix('the ')}"
            if opaque
            else f"{shown} {_format_setting(old)}, not {_format_setting(new)}"
        )


def _unequal(then: Mapping[str, object], now: Mapping[str, object]) -> Iterator[tuple[str, object, object, bool]]:
    """Label and two values of each setting that differs, and whether the values are digests."""
    same_cases = then.get("cases") == now["cases"]  # whatever the benchmark is called
    for name, value in now.items():
        known = then.get(name)
        if known != value and not (name == "benchmark" and same_cases):
            yield _LABELS.get(name, name), known, value, name in {"cases", "weights"}


def _format_setting(value: object) -> str:
    if isinstance(value, list):
        return " ".join(map(str, value)) or "none"
    if isinstance(value, bool):
        return "on" if value else "off"
    return "none" if value in {None, ""} else str(value)
