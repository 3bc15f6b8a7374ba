"""The folder of a run: what shapes its figures, written down once, and one process at a time.

`run.json` holds everything that a figure depends on beside the records. The same run started again must agree with it;
records of two settings never stand in one folder. The file is also the lock: the system lets go of it however a
process ends. What the records are is said in `runner.records.samples`.
"""

from __future__ import annotations

import fcntl
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any

from corpora.errors import InputError
from runner.records.samples import CONTROLS, ORIGINAL, VERSION, Sample, SampleFile, drop_cut_line, read_samples

RUN, SAMPLES = "run.json", "samples.jsonl"
ORDER = "order"
"""The key in `run.json` of the cases' order, which is no setting."""
ELSEWHERE = "take another folder with --output"


@dataclass(frozen=True)
class RunSettings:
    """Everything that shapes the figures of a run.

    cases: a digest of their content and order; weights: what identifies the model's parameters beside its name;
    prompt: the form asked for, or "" for the model's own; mapping: the columns that were renamed.
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


_SHOWN = {
    "cases": "the rows of the data set",
    "mapping": "--column",
    "limit": "--limit",
    "model": "--model",
    "weights": "the model's weights",
    "prompt": "--prompt",
    "max_tokens": "--max-tokens",
    "stop_after": "--stop-after",
    "decode": "--decode",
    "stop_at_divergence": "--stop-at-divergence",
    "recipes": "--recipe",
    "full": "--full",
    "temperature": "--temperature",
    "num_samples": "--num-samples",
    "mode": "--mode",
    "reveal_every": "the spacing of states",
    "spellout": "the version of Spellout",
}


@contextmanager
def claimed(folder: Path, shape: RunSettings, order: Sequence[str]) -> Iterator[SampleFile]:
    """The records of the run in this folder, which is made if need be, for this process alone.

    order: the key of each case, in the order of the data (`runner.records.samples.case_key`).

    Raises InputError where another process holds it, where it holds a run of another shape or an earlier version, and
    where it cannot be written.
    """
    with _locked(folder) as file:
        _agree(folder, file, shape, order)
        yield SampleFile(folder / SAMPLES)


def mend(folder: Path) -> None:
    """Drop a last record that an interruption cut off. Where a run holds the folder, or it is read-only, nothing."""
    try:
        with (folder / RUN).open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            drop_cut_line(folder / SAMPLES)
    except (OSError, InputError):
        return  # who reads the records passes over the cut line


def read_run(folder: Path | str) -> list[Sample]:
    """The records of a run, mended first where an interruption cut the last one off, in the order of `evaluate`.

    That is: originals, then each recipe, then the control; each in the order of the data. Without a readable `run.json`
    they stay in the order in which answers came.

    Raises InputError for a folder that holds no run, and for one without a record yet.
    """
    path = Path(folder) / SAMPLES
    if not path.is_file():
        raise InputError("no samples.jsonl there: not the folder of a run", where=str(folder))
    mend(Path(folder))
    samples = read_samples(path)
    if not samples:
        raise InputError("the run has no records yet", where=str(path))
    return _in_order(samples, _said(Path(folder)))


def _in_order(samples: list[Sample], said: Mapping[str, Any]) -> list[Sample]:
    cases = {key: place for place, key in enumerate(said.get(ORDER, ()))}
    attempts = {name: place for place, name in enumerate((ORIGINAL, *said.get("recipes", ()), *CONTROLS))}
    if any(sample.case_key not in cases or sample.attempt not in attempts for sample in samples):
        return samples
    return sorted(samples, key=lambda one: (attempts[one.attempt], cases[one.case_key], one.answer_index or 0))


def read_settings(folder: Path) -> dict[str, Any]:
    """The settings in `run.json`; none of a run that has no such file, or a damaged one."""
    return {name: value for name, value in _said(folder).items() if name != ORDER}


def _said(folder: Path) -> dict[str, Any]:
    try:
        found = json.loads((folder / RUN).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def differences(there: Path, here: Path) -> list[str] | None:
    """In which settings two runs differ, a phrase each ("--limit: 1, here 2"); None without `run.json`."""
    try:
        then, now = (json.loads((folder / RUN).read_text(encoding="utf-8")) for folder in (there, here))
        found = list(_unequal(then, {name: now.get(name) for name in _SHOWN}))
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return None
    return [shown if opaque else f"{shown}: {_told(old)}, here {_told(new)}" for shown, old, new, opaque in found]


@contextmanager
def _locked(folder: Path) -> Iterator[IO[str]]:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file = (folder / RUN).open("a+", encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot be the folder of a run: {error.strerror}", where=str(folder)) from error
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise InputError(
                f"another process is running in it; wait for it, or {ELSEWHERE}", where=str(folder)
            ) from None
        except OSError as error:
            raise InputError(f"cannot be locked: {error.strerror}", where=str(folder)) from error
        yield file


def _agree(folder: Path, file: IO[str], shape: RunSettings, order: Sequence[str]) -> None:
    """Writes the shape down where there are no records yet; else compares, and names every difference."""
    records = folder / SAMPLES
    if not records.exists() or not records.stat().st_size:
        _write(folder, file, {"version": VERSION, **asdict(shape), ORDER: list(order)})
        return
    file.seek(0)
    try:
        then = json.loads(file.read())
        version = then.pop("version")
    except (ValueError, AttributeError, KeyError):
        reason = "its records are of an earlier version of Spellout, or its run.json is damaged: they say too little"
        raise InputError(f"{reason} to go on; `spellout report` reads them; {ELSEWHERE}", where=str(folder)) from None
    if version != VERSION:
        reason = f"its records are of version {version}, and this Spellout writes {VERSION}"
        raise InputError(f"{reason}; `spellout report` reads older ones; {ELSEWHERE}", where=str(folder))
    differences = list(_differences(then, json.loads(json.dumps(asdict(shape)))))
    if differences:
        raise InputError(f"holds a run with {'; '.join(differences)}; {ELSEWHERE}", where=str(folder))


def _write(folder: Path, file: IO[str], content: Mapping[str, object]) -> None:
    try:
        file.truncate(0)
        file.write(json.dumps(content, indent=2) + "\n")
        file.flush()
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", where=str(folder / RUN)) from error


def _differences(then: Mapping[str, object], now: Mapping[str, object]) -> Iterator[str]:
    for shown, old, new, opaque in _unequal(then, now):
        yield f"other {shown.removeprefix('the ')}" if opaque else f"{shown} {_told(old)}, not {_told(new)}"


def _unequal(then: Mapping[str, object], now: Mapping[str, object]) -> Iterator[tuple[str, object, object, bool]]:
    """What a setting is called, its two values, and whether they say nothing to people, as digests do."""
    same_cases = then.get("cases") == now["cases"]  # however they were named
    for name, value in now.items():
        known = then.get(name)
        if known != value and not (name == "benchmark" and same_cases):
            yield _SHOWN.get(name, name), known, value, name in {"cases", "weights"}


def _told(value: object) -> str:
    if isinstance(value, list):
        return " ".join(map(str, value)) or "none"
    if isinstance(value, bool):
        return "on" if value else "off"
    return "none" if value in {None, ""} else str(value)
