"""One stage of an experiment: a folder with the cases as JSON lines and a run about them, resumed like any run.

The cases are written down before a model is asked, so that `spellout run DIR/STAGE/cases.jsonl` is the same run. What
was drawn otherwise the last time (another seed, other sizes) is refused, and so is, by the run, another setting.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

from corpora import Case
from corpora.errors import InputError
from corpora.records import case_line
from runner.backends import Backend, load_model
from runner.commands import run as run_command
from runner.experiments import Ask
from runner.samples import Sample

CASES = "cases.jsonl"


def stages(folder: Path, arguments: Sequence[str]) -> Ask:
    """Asks about cases in sub-folders of `folder`. arguments: options of `spellout run` for every stage.

    The model is loaded once, at the first question.
    """
    load = cache(load_model)

    def ask(stage: str, cases: Sequence[Case], max_tokens: int, *options: str) -> list[Sample]:
        given = [*_limit(arguments, max_tokens), *arguments, *options]
        if "forced" in options:  # which judges every prediction, whatever becomes of one
            given = [word for word in given if word != "--stop-at-divergence"]
        return _asked(folder / stage, cases, given, load)

    return ask


def _limit(arguments: Sequence[str], max_tokens: int) -> list[str]:
    return [] if "--max-tokens" in arguments else ["--max-tokens", str(max_tokens)]


def _asked(
    folder: Path, cases: Sequence[Case], arguments: Sequence[str], load: Callable[[str], Backend]
) -> list[Sample]:
    if not cases:
        return []
    path = folder / CASES
    written = "".join(map(case_line, cases))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        # Another set of cases is not written over the one that the records are about: the run refuses it.
        if not path.exists() or not (folder / "samples.jsonl").exists():
            _replace(path, written)
        elif path.read_text(encoding="utf-8") != written:
            reason = "holds records of other cases (other sizes, lengths, depths, seed or data)"
            raise InputError(f"{reason}; take another folder with --out", where=str(folder))
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", where=str(error.filename or path)) from error
    parser = argparse.ArgumentParser(prog="spellout run")
    run_command.configure(parser)
    given = parser.parse_args([str(path), *arguments, "--out", str(folder)])
    samples, _ = run_command.conduct(given, load, repeats=False)  # experiments repeat programs on purpose
    return samples


def _replace(path: Path, text: str) -> None:
    part = path.with_suffix(".part")
    part.write_text(text, encoding="utf-8")
    part.replace(path)
