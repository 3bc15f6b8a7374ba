"""What commands read alike: one program (a file or standard input), and the renaming of a data set's columns.

Data sets are read by `corpora.dataset`.
"""

from __future__ import annotations

import ast
import io

from corpora.errors import InputError
from runner.inputs.source_files import read_source


def read_program(name: str) -> str:
    """The source in a file (as Python reads it), or on standard input for "-".

    Raises InputError with file and line.
    """
    shown = "standard input" if name == "-" else name
    source = io.StringIO(read_source(name).text, newline=None).read()  # every line ends with \n
    try:
        ast.parse(source)
    except SyntaxError as error:
        place = f":{error.lineno}:{error.offset}" if error.lineno else ""  # a null byte has none
        raise InputError(f"does not parse: {error.msg}", where=shown + place) from error
    except (ValueError, RecursionError, MemoryError) as error:  # a null byte; nested deeper than the parser goes
        raise InputError(f"does not parse: {error}", where=shown) from error
    return source


def column_mapping(options: list[str]) -> dict[str, str]:
    """FIELD=COLUMN options as {field: column}. Raises InputError for one of another form."""
    pairs = [option.partition("=") for option in options]
    for field, equals, column in pairs:
        if not (field and equals and column):
            raise InputError("is not FIELD=COLUMN", where=f"--column {field}{equals}{column}")
    return {field: column for field, _, column in pairs}
