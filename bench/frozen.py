"""Records hashes of what rewriting and analysis say about many programs, and reports which changed since.

    python bench/frozen.py frozen.jsonl               writes the hashes of this version
    python bench/frozen.py frozen.jsonl --check       compares: which programs differ, under which settings
    python bench/frozen.py frozen.jsonl --every 20    only every twentieth program (the same ones with --check)
    python bench/frozen.py frozen.jsonl --check --setting expressions --setting decompose --setting strings

For refactoring, these stay byte-identical: what a recipe returns (source, positions, changes, rejected candidates), a
plan with its reasons, the assessed risk of a call, audit findings, generated calls, and the diagnosis of an output. The
programs: HumanEval's solutions, CruxEval's even half and MBPP's even tasks with their first call, the published
failures with their outputs, and the standard library of the running interpreter for recipes without calls. Exits with
status 1 if any differs. If both `decompose` and `strings` are compared, programs that differ only under `decompose`
are counted: there, no intervention on strings is the cause. Whether a rewrite is correct is checked elsewhere
(`rewrite.equivalence.check`, `tests/stdlib`).
"""

from __future__ import annotations

import ast
import hashlib
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from harness import command, measured, population
from left_alone import standard_library

from analyze import assess, default_tokenizer
from analyze.auditing.audit import AuditScope, audit_rows
from analyze.tokens.engines import engine_for
from corpora.errors import InputError
from corpora.rows import Row
from lab.exposure.operation_level import diagnose_operation
from lab.populations import CalledProgram
from lab.published_data import add_data_option
from rewrite import plan_rewrite, rewrite_source
from rewrite.equivalence.call_inputs import generate_calls

# Every recipe with its defaults, and every option at least once. Recipes for strings alone change few programs.
SETTINGS: dict[str, dict[str, Any]] = {
    "decompose": {},
    "expressions": {},
    "strings": {},
    "methods": {},
    "letters": {},
    "idioms": {},
    "elements": {},
    "paper": {},
    "decompose conditions": {"conditions": True},
    "decompose depth 2": {"depth": 2},
    "decompose threshold 2 readable": {"threshold": 2, "names": "readable"},
    "decompose release": {"release": True},
    "decompose calls only": {"kinds": ["call"]},
    "methods conditions release": {"conditions": True, "release": True},
}


def _recipe(setting: str, program: CalledProgram) -> object:
    result = rewrite_source(program.source, setting.partition(" ")[0], **SETTINGS[setting])
    return result.source, result.positions, result.changes, result.left


def _recipe_with_call(recipe: str, program: CalledProgram) -> object:
    result = rewrite_source(program.source, recipe, calls=program.call)
    return result.source, result.changes, result.left, result.assumes


def _plan(program: CalledProgram, *, failed: bool) -> object:
    plan = plan_rewrite(program.source, program.call, examples=0, failed=failed)
    return plan.source, plan.tokens, plan.risk, plan.choices, plan.left, plan.assumes, plan.notes


def _findings(program: CalledProgram) -> object:
    scope = AuditScope((engine_for(default_tokenizer()),))
    return audit_rows([Row(1, program.id, {"source": program.source, "call": program.call})], scope)[0]


def _assessment(program: CalledProgram) -> object:
    found = assess(program.source, program.call)
    return found.risk, found.steps, found.notes, found.patterns, found.string_operations


def _diagnosis(program: CalledProgram) -> object:
    return program.output and diagnose_operation(program.source, program.call, program.output)


def _generated_calls(program: CalledProgram) -> object:
    tree = ast.parse(program.source)
    return generate_calls(tree, tree, [program.call], 30)


# What takes a call. A plan is not compared on generated inputs here: that takes long, and `inputs` hashes them.
WITH_CALL: dict[str, Callable[[CalledProgram], object]] = {
    "placebo": partial(_recipe_with_call, "placebo"),
    "decompose with call": partial(_recipe_with_call, "decompose"),
    "methods with call": partial(_recipe_with_call, "methods"),
    "letters with call": partial(_recipe_with_call, "letters"),
    "idioms with call": partial(_recipe_with_call, "idioms"),
    "elements with call": partial(_recipe_with_call, "elements"),
    "plan": partial(_plan, failed=False),
    "repair": partial(_plan, failed=True),
    "risk": _assessment,
    "audit": _findings,
    "inputs": _generated_calls,
    "diagnosis": _diagnosis,
}
ALL_SETTINGS = (*SETTINGS, *WITH_CALL)


def main() -> int:
    parser = command(__doc__, add_data_option)
    parser.add_argument("file", type=Path, metavar="FILE", help="file of hashes, read with --check and written without")
    parser.add_argument("--check", action="store_true", help="compare with FILE instead of writing it")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="use only every Nth program (default: 1)")
    parser.add_argument(
        "--setting", action="append", choices=ALL_SETTINGS, metavar="S", help="only this one; may be repeated"
    )
    arguments = parser.parse_args()
    programs = list(_programs(arguments.data))[:: arguments.every]
    settings = tuple(arguments.setting or ALL_SETTINGS)
    made = measured(partial(frozen, settings=settings), programs, "programs")
    found = dict(zip((program.id for program in programs), made, strict=True))
    if not arguments.check:
        lines = (json.dumps({"program": name, **hashes}) + "\n" for name, hashes in found.items())
        arguments.file.write_text("".join(lines), encoding="utf-8")
        print(f"{len(found)} programs, {len(settings)} settings: {_whole(found)}")
        return 0
    rows = map(json.loads, arguments.file.read_text(encoding="utf-8").splitlines())
    known = {row.pop("program"): row for row in rows}
    return _compare({name: known[name] for name in found if name in known}, found, settings)


def _programs(data: Path) -> Iterator[CalledProgram]:
    """The programs, each with an id of its own."""
    for name in ("humaneval", "cruxeval", "mbpp", "failures"):
        yield from (replace(one, id=f"{name}-{one.id}") for one in population(name, data))
    for number, source in enumerate(standard_library()):
        yield CalledProgram(f"stdlib-{number}", source, "")


def frozen(program: CalledProgram, settings: Sequence[str] = ALL_SETTINGS) -> dict[str, str]:
    """By setting, the first sixteen digits of a SHA-256 over the complete result."""
    return {setting: _hash(program, setting) for setting in settings if program.call or setting in SETTINGS}


def _hash(program: CalledProgram, setting: str) -> str:
    try:
        said = repr(_recipe(setting, program) if setting in SETTINGS else WITH_CALL[setting](program))
    except (InputError, SyntaxError) as error:  # a source for a later version of Python, in the paper's recipe
        said = str(error)
    return hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _compare(known: dict[str, dict[str, str]], found: dict[str, dict[str, str]], settings: Sequence[str]) -> int:
    differing = [
        (name, setting)
        for name, hashes in known.items()
        for setting, said in found[name].items()
        if said != hashes.get(setting)
    ]
    for name, setting in differing:
        print(f"{name}: {setting}: differs")
    for setting in settings:
        print(f"{setting}: {sum(one == setting for _, one in differing)} of {len(known)} programs differ")
    if {"decompose", "strings"} <= {*settings}:
        alone = [name for name, one in differing if one == "decompose" and (name, "strings") not in differing]
        print(f"decompose differs where strings does not: {len(alone)}")
    print(f"{len(known)} programs, {len(settings)} settings: {len(differing)} differ; {_whole(found)}")
    return int(bool(differing) or not known)


def _whole(found: dict[str, dict[str, str]]) -> str:
    """One hash of all hashes."""
    return hashlib.sha256(json.dumps(found, sort_keys=True).encode()).hexdigest()[:16]


if __name__ == "__main__":
    sys.exit(main())
