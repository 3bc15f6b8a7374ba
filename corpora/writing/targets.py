"""The file that rows are written to: its format and compression by its name, and its atomic replacement.

What is written goes to a file beside the target, which takes its name at the end. A target that is not a regular file
(a pipe, `/dev/stdout`) is written to directly.
"""

from __future__ import annotations

import gzip
import importlib
import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkstemp
from typing import Any

from corpora.errors import InputError
from corpora.reading.streams import FORMS, PACKED, STANDARD_INPUT, Form

STANDARD_OUTPUT = STANDARD_INPUT
_KNOWN = f"{', '.join(FORMS)}, each also with {' or '.join(PACKED)}"


@dataclass(frozen=True)
class Target:
    """An opened target.

    Attributes:
        file: takes bytes, and compresses them if the name says so.
        form: the format of the rows.
        name: for error messages.
        folder: where temporary files belong; None: the system's.
    """

    file: Any  # what gzip and Zstandard return has no type in common
    form: Form
    name: str
    folder: Path | None = None


def target_of(target: str | Path) -> tuple[Form, str | None]:
    """Format and compression of a target by its name. Raises InputError for an extension that no reader takes."""
    path = Path(target)
    if str(target) == STANDARD_OUTPUT:
        return "JSON lines", None
    suffixes = [suffix.lower() for suffix in path.suffixes]
    packing = PACKED.get(suffixes[-1]) if suffixes else None
    last = suffixes[:-1] if packing else suffixes
    form = FORMS.get(last[-1]) if last else None
    if form is None and (last or not _is_special(path)):
        raise InputError(f"its extension names no format: there are {_KNOWN}", where=str(target))
    return form or "JSON lines", packing


@contextmanager
def opened_target(target: str | Path, form: Form, packing: str | None) -> Iterator[Target]:
    """The target to write to; an error in the block leaves the file as it was before."""
    path = Path(target)
    with ExitStack() as stack:
        if str(target) == STANDARD_OUTPUT:
            yield Target(stack.enter_context(_standard_output()), form, "standard output")
        elif _is_special(path):
            raw = stack.enter_context(path.open("wb"))
            yield Target(stack.enter_context(_packed(raw, packing, str(target))), form, str(target))
        else:
            whole = path.resolve()  # a link stays, and the file that it names is replaced
            raw = stack.enter_context(_replacing(whole))
            yield Target(stack.enter_context(_packed(raw, packing, str(target))), form, str(target), whole.parent)


def _is_special(path: Path) -> bool:
    return path.exists() and not path.is_file() and not path.is_dir()


@contextmanager
def _replacing(path: Path) -> Iterator[Any]:
    """A new file beside `path` that takes its place, with its mode, unless an error comes first."""
    if path.is_dir():
        raise InputError("is a directory", where=str(path))
    descriptor, made = mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(descriptor, "wb") as file:
            yield file
        Path(made).chmod(path.stat().st_mode if path.exists() else 0o666 & ~_umask())
        Path(made).replace(path)
    except BaseException:
        with suppress(OSError):
            Path(made).unlink(missing_ok=True)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


@contextmanager
def _packed(file: Any, packing: str | None, name: str) -> Iterator[Any]:
    if packing is None:
        yield file
    elif packing == "gzip":
        # Without name and time in its header, the same rows are the same bytes.
        with gzip.GzipFile("", "wb", fileobj=file, mtime=0) as packed:
            yield packed
    else:
        try:
            module = importlib.import_module("backports.zstd")
        except ImportError as error:
            raise InputError("needs the package backports.zstd: pip install backports.zstd", where=name) from error
        with module.ZstdFile(file, "w") as packed:
            yield packed


@contextmanager
def _standard_output() -> Iterator[Any]:
    """Standard output as a file of bytes; something in its place (a notebook, a test) takes only text."""
    yield _TextBytes()


class _TextBytes:
    def write(self, content: bytes) -> int:
        return sys.stdout.write(content.decode("utf-8"))
