"""What a command line of `spellout audit` asks for, with the project's settings."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from analyze.auditing.audit_folder import ROWS_PER_SHARD, AuditRequest
from analyze.auditing.findings_io import parquet_schema
from analyze.hazards.base import all_hazards
from analyze.hazards.class_levels import warning_codes
from analyze.tokens.contexts import CONTEXTS, as_context
from corpora.errors import InputError
from runner.inputs.program_files import column_mapping
from runner.inputs.python_files import is_python
from runner.linting.fail_conditions import Gate
from runner.linting.settings import (
    CUSTOM,
    AuditSettings,
    check_codes,
    checked_codes,
    per_file,
    profile_family,
    profile_tokenizer,
    read_audit_settings,
)

FILES_PER_SHARD = 20


@dataclass(frozen=True)
class AuditPlan:
    """What a command line asks for, with the project's settings.

    Attributes:
        request: The audit.
        gate: When it fails.
        selected: Classes that were selected by name.
        exclude: Patterns of files that are skipped.
        family: The family of models whose measured effects decide what is a warning; "" for all of them.
        unit: What a row is called, "row" or "file".
    """

    request: AuditRequest
    gate: Gate
    selected: tuple[str, ...]
    exclude: tuple[str, ...]
    family: str
    unit: str

    @property
    def sampled(self) -> frozenset[str]:
        """The classes of which only samples are kept in each shard, merged by string and operation."""
        if self.unit == "file" or not self.request.distinct:
            return frozenset()
        return frozenset(kind.name for kind in all_hazards()) - set(self.request.complete)


def plan_audit(arguments: argparse.Namespace) -> AuditPlan:
    """The audit of a command line. Options have precedence over the project's settings.

    Raises:
        InputError: If options contradict each other, or one of them or of the settings is wrong.
    """
    if not arguments.sources and not arguments.separators:
        raise InputError("audit needs Python files, a folder or a data set")
    settings = read_audit_settings(arguments.sources)
    conditions = tuple(arguments.fail_on) if arguments.fail_on is not None else settings.fail_on
    profile = chosen_profile(arguments, settings)
    family = profile_family(profile)
    gate = Gate.parse(conditions, warning_codes(family))
    if arguments.static and gate.labels:
        raise InputError("needs execution: remove --static", where="--fail-on labels")
    if arguments.format == "parquet" and not arguments.output:
        raise InputError("needs --output DIR", where="--format parquet")
    if arguments.format == "parquet":
        parquet_schema()
    if arguments.update_baseline and not arguments.baseline:
        raise InputError("needs --baseline FILE", where="--update-baseline")
    select, ignore = _codes(arguments.select, "--select"), _codes(arguments.ignore, "--ignore")
    select = settings.select if arguments.select is None else select
    ignore = settings.ignore if arguments.ignore is None else ignore
    context = arguments.context or settings.values.get("context", "trace")
    is_files = all(is_python(source) for source in arguments.sources)
    is_merged = not arguments.output and arguments.format != "jsonl"
    complete = tuple(sorted(gate.gated | set(select))) if arguments.baseline or is_files else select
    request = AuditRequest(
        source="\n".join(arguments.sources),
        mapping=tuple(column_mapping(arguments.column).items()),
        tokenizers=tuple(filter(None, (_tokenizer(arguments, settings.values, profile), arguments.against))),
        contexts=CONTEXTS if context == "all" else (as_context(context),),
        execute=not arguments.static,
        engine=arguments.engine,
        least=arguments.min_severity,
        format="parquet" if arguments.format == "parquet" else "jsonl",
        seconds=arguments.seconds,
        rows_per_shard=FILES_PER_SHARD if is_files else ROWS_PER_SHARD,
        weak_isolation=arguments.allow_weak_isolation,
        codes=checked_codes(select, ignore),
        exceptions=settings.exceptions + _per_file_ignores(arguments.per_file_ignores),
        distinct=is_merged,
        complete=complete if is_merged else (),
    )
    named = () if len(select) >= len(all_hazards()) else select
    unit = "file" if is_files else "row"
    return AuditPlan(request, gate, named, (*settings.exclude, *arguments.exclude), family, unit)


def chosen_profile(arguments: argparse.Namespace, settings: AuditSettings) -> str | None:
    """The profile of the options, else of the settings; `custom` with a tokenizer of its own."""
    profile: str | None = arguments.profile or (None if arguments.tokenizer else settings.values.get("profile"))
    if profile is None and (arguments.tokenizer or settings.values.get("tokenizer") or "llama-3") != "llama-3":
        return CUSTOM
    return profile


def _codes(values: list[str] | None, where: str) -> tuple[str, ...]:
    return check_codes([code.strip() for value in values or [] for code in value.split(",") if code.strip()], where)


def _per_file_ignores(values: Sequence[str]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    pairs = [value.rpartition(":") for value in values]
    for pattern, _, codes in pairs:
        if not pattern or not codes:
            raise InputError("is not of the form PATTERN:CODE", where=f"--per-file-ignores {pattern}{codes}")
    return per_file(((pattern, codes.split(",")) for pattern, _, codes in pairs), Path(), "--per-file-ignores")


def _tokenizer(arguments: argparse.Namespace, values: Mapping[str, str], profile: str | None) -> str:
    """The name of the tokenizer. Raises InputError if the vocabulary of the profile cannot be loaded."""
    given = arguments.tokenizer or (values.get("tokenizer") if profile == CUSTOM else None)
    return "llama-3" if profile is None else profile_tokenizer(profile, given)
