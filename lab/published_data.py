"""The folder of the published data that figures are made from: `--data DIR`, or the setting `SPELLOUT_DATA`.

The data is not part of Spellout. `docs/published_data.md` says where each file comes from.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from corpora.errors import InputError

SETTING = "SPELLOUT_DATA"
"""The environment variable that names the folder."""


def data_folder(option: Path | None = None) -> Path | None:
    """Returns the folder that an option or the setting names; None if neither does. Raises InputError if it is none."""
    setting = os.environ.get(SETTING)
    folder = option or (Path(setting) if setting else None)
    if folder is not None and not folder.is_dir():
        raise InputError("not a folder", where=str(folder))
    return folder


def add_data_option(parser: argparse.ArgumentParser) -> None:
    """Adds `--data`, which is required if the setting is not set."""
    setting = os.environ.get(SETTING)
    parser.add_argument(
        "--data",
        type=Path,
        default=setting and Path(setting),
        required=not setting,
        metavar="DIR",
        help=f"folder of the published data, see docs/published_data.md (default: ${SETTING})",
    )


def published_path(parser: argparse.ArgumentParser, given: str | None, name: str) -> Path:
    """The file that an optional argument names, or without one the published file of a name; ends without either.

    Args:
        parser: Of the command.
        given: The argument.
        name: Of the file in the folder.
    """
    folder = data_folder()
    if given is None and folder is None:
        parser.error(f"needs a file, or {SETTING} (docs/published_data.md)")
    return Path(given) if given is not None else Path(folder or "") / name
