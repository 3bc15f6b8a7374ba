"""The folder of the published data that figures are made from: `--data DIR`, or the setting `SPELLOUT_DATA`.

The data is not part of Spellout. `docs/published_data.md` says where each file comes from.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

SETTING = "SPELLOUT_DATA"
"""The environment variable that names the folder."""


def data_folder() -> Path | None:
    """Returns the folder that the setting names; None if it is not set."""
    folder = os.environ.get(SETTING)
    return Path(folder) if folder else None


def add_data_option(parser: argparse.ArgumentParser) -> None:
    """Adds `--data`, which is required if the setting is not set."""
    parser.add_argument(
        "--data",
        type=Path,
        default=data_folder(),
        required=data_folder() is None,
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
