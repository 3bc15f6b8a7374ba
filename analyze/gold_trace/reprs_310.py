"""What a trace shows of a value: its repr, as CPython 3.10 on the machine of the training data would print it.

Memory addresses are dropped, iterators have 3.10's names, modules 3.10's paths. No value is cut short. What it does not
do: order sets of strings as 3.10 would (the hash changed in 3.11; `analyze.gold_trace.trace` labels such traces).
Standard library only: it is loaded inside the sandbox.
"""

from __future__ import annotations

import re
import sys
from pathlib import PurePath

LIBRARY = "/usr/local/lib/python3.10/"
# Everything that is rewritten stands between angle brackets; a text inside a string is left as it is, unless it looks
# exactly like an object's repr with a full address.
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]{7,16}(?=[>,:])")
_ITERATOR = re.compile(r"<str_ascii_iterator object(?=>| at 0x)")
_MODULE = re.compile(r"<module '([\w.]+)' (?:from '([^']*)'|\(frozen\))>")


def repr_310(value: object) -> str:
    """The repr of a value as a state or a RETURN shows it.

    A repr that raises or is no string is replaced by the object's plain one, as if its class had defined none.

    >>> repr_310(iter("abc"))
    '<str_iterator object>'
    """
    try:
        text = repr(value)
    except BaseException as error:  # noqa: BLE001 - a program's own __repr__ may raise anything; the trace goes on
        text = fallback_repr(value, error)
    return convert_to_310(text) if "<" in text else text


def fallback_repr(value: object, error: BaseException) -> str:
    """What stands for the repr that raised `error`. Raises a KeyboardInterrupt again: it is not the program's."""
    if isinstance(error, KeyboardInterrupt):
        raise error
    return _repr_of_long_ints(value) if _is_digit_limit(error) else object.__repr__(value)


def convert_to_310(text: str) -> str:
    """A repr's text without memory addresses, with 3.10's iterator names and module paths."""
    if " at 0x" in text:
        text = _ADDRESS.sub("", text)
    if "<str_ascii" in text:
        text = _ITERATOR.sub("<str_iterator object", text)
    if "<module '" in text:
        text = _MODULE.sub(_module_of_310, text)
    return text


def strip_addresses(text: str) -> str:
    """A shown text without memory addresses and without the paths of modules: what no model can know.

    >>> strip_addresses("<function g at 0x7f2f6f8b8b80>")
    '<function g>'
    """
    if " at 0x" in text:
        text = _ADDRESS.sub("", text)
    return _MODULE.sub(r"<module '\1'>", text) if "<module '" in text else text


def _is_digit_limit(error: BaseException) -> bool:
    return type(error) is ValueError and "integer string conversion" in str(error)


def _repr_of_long_ints(value: object) -> str:
    """The repr with all digits of ints that are over the interpreter's limit."""
    limit = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        return repr(value)
    finally:
        sys.set_int_max_str_digits(limit)


def _module_of_310(match: re.Match[str]) -> str:
    name, path = match[1], match[2]
    if path is None:
        path = f"{LIBRARY}{name.replace('.', '/')}.py"
    parts = PurePath(path).parts
    here = f"python{sys.version_info.major}.{sys.version_info.minor}"
    if here in parts:
        inside = "/".join(parts[parts.index(here) + 1 :])
        path = LIBRARY + inside.replace(f"cpython-{sys.version_info.major}{sys.version_info.minor}", "cpython-310")
    return f"<module '{name}' from '{path}'>"
