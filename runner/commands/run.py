"""`spellout run`: ask a model about a benchmark, rewrite what it failed, ask again, close with Table 1.

Reads the command line and ties the parts together; the work is in `runner.experiment`.
"""

from __future__ import annotations

import argparse
import platform
import shlex
import sys
import time
from collections.abc import Callable
from importlib import metadata
from pathlib import Path

from corpora.errors import InputError
from rewrite import recipe_names
from rewrite.placebo import PLACEBO
from runner.asking import DECODES
from runner.backends import Backend, backends, load_model
from runner.backends.replay import Replay
from runner.benchmarks import token_limit
from runner.cache import Cache
from runner.cases import Cases, load_cases
from runner.console import error_console, output_console, progress_bar, warn
from runner.datasets import DATA_HELP, add_data_options
from runner.experiment import Experiment, Settings
from runner.folder import Shape, claimed
from runner.options import factor, temperature, whole
from runner.prompts import FORMS, TRACE_TOKENS
from runner.prompts.direct import MAX_TOKENS
from runner.report import RunInfo, show, write_report
from runner.samples import MODES, Mode, Sample

DUPLICATES_SHOWN = 5
SUMMARY = "ask a code world model to predict programs, diagnose, rewrite what it failed, and ask again"
RUNS_PROGRAMS = True
NO_RECIPE = "none"
EXAMPLES = """
  spellout run demo --model pocket
  spellout run humaneval --model facebook/cwm --recipe expressions --recipe strings --out runs/humaneval
  spellout run humaneval --model facebook/cwm --recipe decompose --full --out runs/humaneval-full
  spellout run humaneval --model facebook/cwm --temperature 0.7 --seeds 5 --out runs/humaneval-sampled
  spellout run permutations --length 64 --size 10 --model facebook/cwm
  spellout run permutations --length 64 --size 10 --model facebook/cwm --mode forced-actions --out runs/forced
  spellout run cases.jsonl --map code=solution --model pocket --limit 100
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """The options of `spellout run`."""
    parser.add_argument("benchmark", metavar="BENCHMARK|DATASET", help=DATA_HELP)
    models = ", ".join(module.SPEC for module in backends().values())
    parser.add_argument("--model", default="pocket", help=f"{models} (pocket)")
    parser.add_argument("--recipe", action="append", metavar="R", help="rewrites to try on failures (decompose); none")
    parser.add_argument("--full", action="store_true", help="rewrite and ask all again, and all after a placebo too")
    parser.add_argument(
        "--prompt", choices=FORMS, help="the form to ask in (the model's own); direct: by chat, no trace"
    )
    parser.add_argument("--limit", type=whole(1), metavar="N", help="only the first N cases")
    parser.add_argument("--max-tokens", type=whole(1), metavar="N", help="new tokens (8192; composition 4096)")
    parser.add_argument(
        "--stop-after", type=factor, metavar="F", help="wait for no answer above F times its true trace (wait)"
    )
    parser.add_argument(
        "--decode",
        choices=DECODES,
        default=DECODES[0],
        help="verified: one pass over the true trace, token by token only where the model parts from it (verified)",
    )
    parser.add_argument(
        "--mode",
        choices=MODES,
        default=MODES[0],
        help="forced-actions: the true actions are injected, the model writes the states; forced: each prediction is "
        "judged alone, given the truth before it (free)",
    )
    parser.add_argument(
        "--stop-at-divergence", action="store_true", help="wait for no answer that can no longer be right"
    )
    parser.add_argument(
        "--temperature", type=temperature, default=0.0, metavar="T", help="sample answers; 0: greedy ones (0)"
    )
    parser.add_argument(
        "--seeds", type=whole(1), metavar="N", help="answers to each question, where they are sampled (1)"
    )
    parser.add_argument("--size", type=whole(), metavar="N", help="programs of a benchmark that is drawn, of each kind")
    parser.add_argument("--length", type=whole(), metavar="N", help="steps of each program (permutations)")
    parser.add_argument("--depth", type=whole(1), metavar="N", help="calls nested in each other (zoo, composition)")
    parser.add_argument("--seed", type=whole(), default=0, metavar="N", help="draws the programs anew (0)")
    parser.add_argument("--batch", type=whole(1), default=32, metavar="N", help="questions decoded together (32)")
    parser.add_argument("--cache", type=Path, metavar="DIR", help="keep answers there, and take those of other runs")
    add_data_options(parser)
    parser.add_argument("--out", type=Path, metavar="RUN", help="folder of the run (runs/BENCHMARK-MODEL)")


def run(arguments: argparse.Namespace) -> int:
    """Runs, or goes on with, the experiment; prints Table 1."""
    samples, info = conduct(arguments, load_model)
    show(output_console(), samples, info)
    folder = _folder(arguments)
    error_console().print(f"{folder}/samples.jsonl, summary.json, report.md ({info.seconds:.0f} s)", soft_wrap=True)
    return 0


def conduct(
    arguments: argparse.Namespace, load: Callable[[str], Backend], *, repeats: bool = True
) -> tuple[list[Sample], RunInfo]:
    """The run itself, with all that it writes to its folder.

    load: gives the backend behind `--model`; repeats: whether programs that are asked about again are told.
    """
    direct = arguments.prompt == "direct"
    arguments.max_tokens = arguments.max_tokens or (MAX_TOKENS if direct else token_limit(arguments.benchmark))
    start = time.monotonic()
    recipes = _recipes(arguments.recipe)
    settings = Settings(
        recipes=recipes,
        max_tokens=arguments.max_tokens,
        batch=arguments.batch,
        stop_after=arguments.stop_after,
        full=arguments.full,
        decode="plain" if direct else arguments.decode,  # there is no trace to draft from
        stop_at_divergence=arguments.stop_at_divergence,
        temperature=arguments.temperature,
        seeds=_seeds(arguments),
        mode=arguments.mode,
    )
    _check_mode(settings, direct=direct)
    drawn = {name: value for name in ("size", "length", "depth") if (value := getattr(arguments, name)) is not None}
    found = load_cases(
        arguments.benchmark, arguments.map, arguments.limit, arguments.max_bad, seed=arguments.seed, drawn=drawn
    )
    backend = load(arguments.model)
    _check_askable(backend, settings.mode, direct=direct)
    cache = Cache(arguments.cache, backend) if arguments.cache else None
    if arguments.prompt:
        if direct and "direct" not in backend.forms:
            reason = "this model does not chat (no chat template): take openai:NAME@URL"
            raise InputError(reason, where="--prompt direct")
        backend.forms = (arguments.prompt,)
    folder = _folder(arguments)
    errors = error_console()
    for row in found.bad:
        warn(errors, f"skipped {row}")
    for row in found.repeated:
        warn(errors, row)
    duplicates = found.duplicates()
    for duplicate in duplicates.listed[:DUPLICATES_SHOWN] if duplicates.inputs and repeats else ():
        warn(errors, str(duplicate))
    if duplicates.programs and repeats:
        errors.print(f"duplicates: {duplicates}")
    with claimed(folder, _shape(arguments, settings, found, backend)) as file:
        if isinstance(backend, Replay):
            for bad in backend.bad:
                warn(errors, f"no recorded output: {bad.where}: {bad.reason}")
            backend.check(found.sharing(), found.places)
            backend.check_resumed(file.samples.values())
        with progress_bar() as progress:
            samples = Experiment(backend, settings, file, progress, cache).run(found.cases)
        info = _info(settings, found, backend, time.monotonic() - start)
        write_report(folder, samples, info)
    return samples, info


def _folder(arguments: argparse.Namespace) -> Path:
    named: Path | None = arguments.out
    return named or Path("runs") / f"{_slug(arguments.benchmark) or 'rows'}-{_slug(arguments.model)}"


def _shape(arguments: argparse.Namespace, settings: Settings, found: Cases, backend: Backend) -> Shape:
    return Shape(
        benchmark=arguments.benchmark,
        cases=found.digest,
        mapping=tuple(sorted(arguments.map)),
        limit=arguments.limit,
        model=backend.name,
        weights=backend.weights,
        prompt=arguments.prompt or "",
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


def _seeds(arguments: argparse.Namespace) -> int:
    """The number of answers a question. Raises InputError for several greedy ones, which would be the same."""
    if arguments.seeds is not None and not arguments.temperature:
        raise InputError("means nothing for greedy answers: give a --temperature", where=f"--seeds {arguments.seeds}")
    return arguments.seeds or 1


def _check_mode(settings: Settings, *, direct: bool) -> None:
    if direct and (settings.mode != "free" or settings.stop_at_divergence or settings.stop_after):
        reason = "asks for no trace: --mode, --stop-after and --stop-at-divergence mean nothing with it"
        raise InputError(reason, where="--prompt direct")
    if settings.mode != "free" and settings.temperature:
        raise InputError("forced modes are asked greedily: leave it out", where=f"--temperature {settings.temperature}")
    if settings.mode == "forced" and settings.stop_at_divergence:
        reason = "means nothing with --mode forced: all predictions are judged, whatever becomes of one"
        raise InputError(reason, where="--stop-at-divergence")


def _check_askable(backend: Backend, mode: Mode, *, direct: bool) -> None:
    """Raises InputError for a backend that cannot be asked in this mode, or not for traces at all."""
    missing = [token for token in TRACE_TOKENS if token not in backend.tokenizer.special_tokens]
    if missing and not direct:
        reason = f"its vocabulary has no token {', '.join(missing)}, so it was taught no traces"
        raise InputError(
            f"{reason}: take a code world model, or ask with --prompt direct", where=f"--model {backend.name}"
        )
    if mode != "free" and isinstance(backend, Replay):
        raise InputError("a recording has whole answers alone: ask a model", where=f"--mode {mode}")
    if mode == "forced" and not backend.gives_ids:
        reason = "judges tokens, and this server answers in text: take vllm:NAME@URL, or weights"
        raise InputError(reason, where=f"--mode {mode}")


def _info(settings: Settings, found: Cases, backend: Backend, seconds: float) -> RunInfo:
    return RunInfo(
        command="spellout " + shlex.join(sys.argv[1:]),
        model=backend.name,
        max_tokens=settings.max_tokens,
        recipes=settings.recipes,
        versions=_versions(),
        seconds=seconds,
        mode=settings.mode,
        bad_rows=found.bad,
        repeated=found.repeated,
    )


def _recipes(chosen: list[str] | None) -> tuple[str, ...]:
    if chosen == [NO_RECIPE]:
        return ()
    for recipe in chosen or ():
        if recipe not in (*recipe_names(), PLACEBO):
            known = ", ".join((*recipe_names(), PLACEBO))
            raise InputError(f"unknown recipe; known are {known}", where=f"--recipe {recipe}")
    return tuple(dict.fromkeys(chosen or ("decompose",)))


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


def _slug(text: str) -> str:
    return "".join(char if char.isalnum() or char in "._-" else "-" for char in text).strip("-")
