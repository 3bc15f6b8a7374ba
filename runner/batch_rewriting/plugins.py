"""The option `--plugin`: interventions from modules outside of this package."""

from __future__ import annotations

import argparse
from collections.abc import Iterable

from rewrite.pipeline.registration import load_plugin


def add_plugin_option(parser: argparse.ArgumentParser) -> None:
    """Adds `--plugin`; `load_plugins` imports what it names."""
    parser.add_argument(
        "--plugin",
        action="append",
        default=[],
        metavar="MODULE",
        help="module or Python file whose interventions become recipes (@spellout.intervention); repeatable",
    )


def load_plugins(modules: Iterable[str]) -> None:
    """Imports the modules of `--plugin`. Raises InputError for one that fails or registers nothing."""
    for module in modules:
        load_plugin(module)
