"""The options of a rewrite: which values are materialized, how far, under which names, and how long temporaries live.

This module validates what the caller passes; each option takes effect where it is used.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields

import libcst as cst

from corpora.errors import InputError, did_you_mean

KINDS: dict[str, tuple[type[cst.BaseExpression], ...]] = {
    "operator": (cst.BinaryOperation, cst.UnaryOperation, cst.BooleanOperation, cst.IfExp),
    "comparison": (cst.Comparison,),
    "call": (cst.Call, cst.Await, cst.Yield),
    "attribute": (cst.Attribute,),
    "subscript": (cst.Subscript,),
    "display": (cst.Tuple, cst.List, cst.Set, cst.Dict),
    "comprehension": (cst.ListComp, cst.SetComp, cst.DictComp),
    "fstring": (cst.FormattedString, cst.ConcatenatedString),
    "walrus": (cst.NamedExpr,),
}
NAMES = ("short", "readable")
COMMON_OPTIONS = ("names", "release")
"""The options that every recipe of interventions takes; all others belong to single interventions."""


@dataclass(frozen=True)
class RewriteOptions:
    """Options of `rewrite_source` beyond source and recipe.

    Attributes:
        threshold: the number of operations that an operand must hold to be extracted (1: any operand that is an
            operation).
        kinds: the kinds of node that are extracted, names of `KINDS`.
        depth: how many operations may nest in a statement afterwards (1: no nesting; with 2,
            `sorted(list(set(str(x))))` becomes `_t0 = set(str(x))` and `sorted(list(_t0))`).
        conditions: whether to materialize also the comparison or `not` that an `if` or `while` tests, and the `range`
            of a loop.
        names: "short" (`_t0`) or "readable" (`text_count`).
        release: whether to delete every temporary after its last use, so that it keeps no object alive.
    """

    threshold: int = 1
    kinds: tuple[str, ...] = tuple(KINDS)
    depth: int = 1
    conditions: bool = False
    names: str = "short"
    release: bool = False


DEFAULT_OPTIONS = RewriteOptions()
OPTION_NAMES = tuple(field.name for field in fields(RewriteOptions))


def read_options(given: Mapping[str, object], taken: frozenset[str]) -> RewriteOptions:
    """Validate options.

    Args:
        given: the options, by name.
        taken: the names that the recipe takes.

    Raises:
        InputError: for an option that is unknown, that the recipe does not take, or that has an invalid value.

    Example:
        >>> read_options({"depth": 2, "kinds": ["call"]}, frozenset({"depth", "kinds"})).kinds
        ('call',)
    """
    reject_unknown_options(given, OPTION_NAMES)
    for name in given:
        if name not in taken:
            raise InputError(f"this recipe takes no option {name!r}: it takes {', '.join(sorted(taken)) or 'none'}")
    return RewriteOptions(**{name: _CHECKS[name](name, value) for name, value in given.items()})  # type: ignore[arg-type]


def reject_unknown_options(
    options: Iterable[str], known: Iterable[str], parameters: Mapping[str, object] | None = None
) -> None:
    """Raise InputError for the first unknown option, and suggest a similar name.

    Args:
        options: the names to check.
        known: the known options.
        parameters: names of parameters that are not options but may have been meant.
    """
    known = list(known)
    for name in options:
        if name not in known:
            meant = did_you_mean(name, [*known, *(parameters or {})])
            raise InputError(f"unknown option {name!r}{meant}: the options are {', '.join(known)}")


def _number(name: str, value: object) -> int:
    if type(value) is not int or value < 1:
        raise InputError(f"{name} must be an integer >= 1, not {value!r}")
    return value


def _truth(name: str, value: object) -> bool:
    if not isinstance(value, bool):
        raise InputError(f"{name} must be True or False, not {value!r}")
    return value


def _kinds(name: str, value: object) -> tuple[str, ...]:
    if not isinstance(value, (tuple, list, set, frozenset)) or not value:
        raise InputError(f"{name} must be a selection of {', '.join(KINDS)}, not {value!r}")
    unknown = next((kind for kind in map(str, value) if kind not in KINDS), None)
    if unknown is not None:
        raise InputError(
            f"unknown kind of operand {unknown!r}{did_you_mean(unknown, KINDS)}; known are {', '.join(KINDS)}"
        )
    return tuple(kind for kind in KINDS if kind in value)


def _names(name: str, value: object) -> str:
    if value not in NAMES:
        raise InputError(f"{name} must be {' or '.join(NAMES)}, not {value!r}")
    return str(value)


_CHECKS = {
    "threshold": _number,
    "kinds": _kinds,
    "depth": _number,
    "conditions": _truth,
    "names": _names,
    "release": _truth,
}
