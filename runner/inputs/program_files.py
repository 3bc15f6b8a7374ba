"""Reads a program from a file or standard input, and a model's output from a file."""

from __future__ import annotations

import ast
import io
from pathlib import Path

from corpora.calls import MAX_LISTED
from corpora.errors import InputError, unreadable_reason
from runner.inputs.python_files import refuse_data_set
from runner.inputs.source_files import read_source


def read_program(name: str) -> str:
    """The source code in a file, or on standard input for "-", with line ends as Python reads them.

    Raises:
        InputError: the file cannot be read, is a data set, or does not parse; names file and line.
    """
    shown = "standard input" if name == "-" else name
    text = read_source(name).text
    refuse_data_set(name, text)
    source = io.StringIO(text, newline=None).read()  # normalizes line ends
    try:
        ast.parse(source)
    except SyntaxError as error:
        from rewrite.syntax.parsing import newer_syntax  # LibCST is slow to import

        place = f":{error.lineno}:{error.offset}" if error.lineno else ""  # None for a null byte
        raise InputError(f"does not parse: {error.msg}{newer_syntax(source)}", where=shown + place) from error
    except (ValueError, RecursionError, MemoryError) as error:  # a null byte, or nested too deeply for the parser
        raise InputError(f"does not parse: {error}", where=shown) from error
    return source


def read_output(path: Path) -> str:
    """A model's output in a text file.

    Raises:
        InputError: the file cannot be read.
    """
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(unreadable_reason(error), where=str(path)) from error


def missing_call(name: str) -> InputError:
    """The error for a program without a call, with the functions that it defines.

    Raises:
        InputError: the file cannot be read or does not parse.
    """
    functions = [node for node in ast.parse(read_program(name)).body if isinstance(node, ast.FunctionDef)]
    shown = [f"{node.name}({', '.join(arg.arg for arg in node.args.args)})" for node in functions]
    example = f"{functions[0].name}(…)" if functions else "f(1)"
    more = " …" if len(shown) > MAX_LISTED else ""
    defined = f"; it defines {', '.join(shown[:MAX_LISTED])}{more}" if shown else ""
    return InputError(f'a program needs a call, such as --call "{example}"{defined}', where=name)


def column_mapping(options: list[str]) -> dict[str, str]:
    """Options of the form FIELD=COLUMN as {field: column}. Raises InputError for a malformed one."""
    pairs = [option.partition("=") for option in options]
    for field, equals, column in pairs:
        if not (field and equals and column):
            raise InputError("is not of the form FIELD=COLUMN", where=f"--column {field}{equals}{column}")
    return {field: column for field, _, column in pairs}
