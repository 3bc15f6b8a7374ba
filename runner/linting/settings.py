"""The settings of `spellout audit` for a project: the table `[tool.spellout.audit]` in pyproject.toml, and profiles.

The keys have the names of the options: tokenizer, profile, context, select, ignore, per-file-ignores, fail-on, exclude.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from analyze.auditing.suppressions import CODE_UNUSED
from analyze.hazards.base import all_hazards
from analyze.tokens.contexts import CONTEXTS
from analyze.tokens.tokenizer import load_tokenizer
from corpora.errors import InputError, did_you_mean
from runner.inputs.project_table import anchored, find_table

ALL = "ALL"
PROFILES: Mapping[str, tuple[str, str, str]] = {
    "cwm": ("llama-3", "cwm", ""),
    "llama-3": ("llama-3", "llama-3", ""),
    "qwen2.5": ("Qwen/Qwen2.5-7B", "qwen2.5", "hf download Qwen/Qwen2.5-7B tokenizer.json"),
    "gpt-4o": ("o200k_base", "o200k", "python -c \"import tiktoken; tiktoken.get_encoding('o200k_base')\""),
}
"""Profile: the tokenizer, the family of models whose measured effects decide what is a warning
(`analyze.hazards.measured_effects`), and the command that downloads the vocabulary if Spellout does not install it.
"""
CUSTOM = "custom"
DEFAULT_FAMILY = "cwm"
KEYS = ("tokenizer", "profile", "context", "select", "ignore", "per-file-ignores", "fail-on", "exclude")


@dataclass(frozen=True)
class AuditSettings:
    """The settings of a project.

    Attributes:
        values: The values of the keys that are strings: tokenizer, profile and context.
        select: Classes that are checked; empty for all.
        ignore: Classes that are not checked.
        exceptions: Pairs of an absolute glob pattern, or the pattern of a file name, and classes.
        fail_on: Conditions of a gate.
        exclude: Glob patterns of files that are skipped in folders; paths are absolute.
    """

    values: Mapping[str, str] = field(default_factory=dict)
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    exceptions: tuple[tuple[str, tuple[str, ...]], ...] = ()
    fail_on: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()


def read_audit_settings(names: Sequence[str]) -> AuditSettings:
    """Reads the settings from the nearest pyproject.toml at or above the first of the given files and folders.

    Raises:
        InputError: If the file cannot be read, or has an unknown key or an invalid value.
    """
    file, table = find_table(names)
    table = table.get("audit", {})
    where = f"{file}: [tool.spellout.audit]"
    if not isinstance(table, dict):
        raise InputError("must be a table", where=where)
    for key in table:
        if key not in KEYS:
            raise InputError(f"unknown key {key!r}{did_you_mean(key, KEYS)}; known are {', '.join(KEYS)}", where=where)
    strings: tuple[str, ...] = ("tokenizer", "profile", "context")
    values = {key: table[key] for key in strings if key in table}
    for key, value in values.items():
        allowed = {"profile": (*PROFILES, CUSTOM), "context": (*CONTEXTS, "all")}.get(key)
        if not isinstance(value, str) or (allowed and value not in allowed):
            raise InputError(
                f"{key} must be {'a string' if not allowed else 'one of ' + ', '.join(allowed)}", where=where
            )
    ignores = table.get("per-file-ignores", {})
    if not isinstance(ignores, dict):
        raise InputError("per-file-ignores must be a table of patterns and lists of classes", where=where)
    return AuditSettings(
        values,
        select=check_codes(_strings(table, "select", where), where),
        ignore=check_codes(_strings(table, "ignore", where), where),
        exceptions=per_file(((name, _strings(ignores, name, where)) for name in ignores), file.parent, where),
        fail_on=_strings(table, "fail-on", where),
        exclude=anchored(_strings(table, "exclude", where), file.parent),
    )


def _strings(table: Mapping[str, Any], key: str, where: str) -> tuple[str, ...]:
    value = table.get(key, [])
    value = [value] if isinstance(value, str | int | float) and key == "fail-on" else value
    if not isinstance(value, list) or not all(isinstance(one, str | int | float) for one in value):
        raise InputError(f"{key} must be a list of strings", where=where)
    return tuple(map(str, value))


def per_file(
    pairs: Iterable[tuple[str, Sequence[str]]], root: Path, where: str
) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Returns exceptions by file. As in ruff, a pattern is that of a file name, or of a path relative to `root`."""
    found = []
    for pattern, codes in pairs:
        classes = check_codes(codes, where)
        found += [(pattern, classes), (str(root.absolute() / pattern), classes)]
    return tuple(found)


def check_codes(codes: Iterable[str], where: str) -> tuple[str, ...]:
    """Returns the codes, with ALL replaced by every class.

    Raises:
        InputError: If there is no such class.
    """
    known = tuple(kind.name for kind in all_hazards())
    found: list[str] = []
    for code in codes:
        if code != ALL and code not in known and code != CODE_UNUSED:
            raise InputError(f"no such class {code!r}{did_you_mean(code, known)}; see `--explain ALL`", where=where)
        found += known if code == ALL else [code]
    return tuple(dict.fromkeys(found))


def checked_codes(select: Sequence[str], ignore: Sequence[str]) -> tuple[str, ...] | None:
    """Returns the classes to check: those selected, or all, without those ignored. None if that is every class."""
    known = tuple(kind.name for kind in all_hazards())
    chosen = tuple(code for code in known if (not select or code in select) and code not in ignore)
    return None if chosen == known else chosen


def profile_tokenizer(profile: str, tokenizer: str | None) -> str:
    """Returns the name of the tokenizer of a profile.

    Raises:
        InputError: If the vocabulary of the profile cannot be loaded, with what to do; or if the profile `custom` has
            no tokenizer, or another profile has one.
    """
    if profile == CUSTOM:
        if tokenizer is None:
            raise InputError("needs --tokenizer T, the tokenizer of your model", where=f"--profile {CUSTOM}")
        return tokenizer
    if tokenizer is not None:
        raise InputError(
            f"has its own tokenizer: remove --tokenizer, or use --profile {CUSTOM}", where=f"--profile {profile}"
        )
    name, _, remedy = PROFILES[profile]
    try:
        load_tokenizer(name)
    except InputError as error:
        if not remedy:
            raise
        message = (
            f"its vocabulary is not on this machine ({error.message}); download it once with `{remedy}`, or name a "
            f"file with --profile {CUSTOM} --tokenizer FILE"
        )
        raise InputError(message, where=f"--profile {profile}") from None
    return name


def profile_family(profile: str | None) -> str:
    """Returns the family of models of a profile: CWM without one; "" for `custom`, which has the panel's effects."""
    if profile is None:
        return DEFAULT_FAMILY
    return "" if profile == CUSTOM else PROFILES[profile][1]
