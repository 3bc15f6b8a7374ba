"""The repr of a value as CPython 3.10 prints it on the machine that made the training data.

Memory addresses are dropped, iterators get 3.10's names, modules get 3.10's paths. No value is truncated. The order of
sets of strings is not reproduced, because the hash changed in 3.11 (`analyze.gold_trace.caveats` labels such traces).
Imports the standard library only, because it runs inside the sandbox.
"""

from __future__ import annotations

import re
import sys
from pathlib import PurePath

LIBRARY = "/usr/local/lib/python3.10/"
# Only parts in angle brackets are rewritten. The content of a string is kept, unless it looks exactly like an
# object's repr with a full address.
# "@" is what hashes write; ";", " to " and " (" follow in weak references.
_ADDRESS = re.compile(r" (?:at|@) 0x[0-9a-fA-F]{7,16}(?=[>,:;]| to | [(])")
_ITERATOR = re.compile(r"<str_ascii_iterator object(?=>| at 0x)")
_MODULE = re.compile(r"<module '([\w.]+)' (?:from '([^']*)'|\(frozen\))>")


def repr_310(value: object) -> str:
    """Returns the repr of a value as a state or a RETURN shows it.

    If the repr raises or is not a string, the object's default repr replaces it, as if its class had defined none.

    >>> repr_310(iter("abc"))
    '<str_iterator object>'
    """
    try:
        text = repr(value)
    except BaseException as error:  # noqa: BLE001 - a program's own __repr__ may raise anything; the trace continues
        text = fallback_repr(value, error)
    return convert_to_310(text) if "<" in text else text


def fallback_repr(value: object, error: BaseException) -> str:
    """Returns what replaces a repr that raised `error`; re-raises a KeyboardInterrupt, which is not the program's."""
    if isinstance(error, KeyboardInterrupt):
        raise error
    return _repr_of_long_ints(value) if _is_digit_limit(error) else object.__repr__(value)


def convert_to_310(text: str) -> str:
    """Returns a repr without memory addresses, with 3.10's iterator names and module paths."""
    if " 0x" in text:
        text = _ADDRESS.sub("", text)
    if "<str_ascii" in text:
        text = _ITERATOR.sub("<str_iterator object", text)
    if "<module '" in text:
        text = _MODULE.sub(_module_of_310, text)
    return text


def strip_addresses(text: str) -> str:
    """Returns a shown value without memory addresses and module paths, which no model can know.

    >>> strip_addresses("<function g at 0x7f2f6f8b8b80>")
    '<function g>'
    """
    if " 0x" in text:
        text = _ADDRESS.sub("", text)
    return _MODULE.sub(r"<module '\1'>", text) if "<module '" in text else text


def _is_digit_limit(error: BaseException) -> bool:
    return type(error) is ValueError and "integer string conversion" in str(error)


def _repr_of_long_ints(value: object) -> str:
    """Returns the repr with all digits of ints that exceed the interpreter's limit."""
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
