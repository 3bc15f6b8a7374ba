"""`spellout example`: writes the files that README and docs use, so that their commands can be typed as they stand."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

SUMMARY = "write the example files that README and docs use"
EXAMPLES = """
  spellout example first-steps                      writes the files into this folder
  spellout example .                                into the current folder
An existing file with another content is not replaced.
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """The argument of `spellout example`."""
    parser.add_argument("folder", type=Path, metavar="DIR", help="folder to write into; created if it does not exist")


def run(arguments: argparse.Namespace) -> int:
    """Writes the files and lists them."""
    from runner.inputs.examples import CONTENT, write_examples

    for name in write_examples(arguments.folder):
        sys.stdout.write(f"{name:18} {CONTENT[name]}\n")
    folder = "" if arguments.folder == Path() else f"cd {arguments.folder}; "
    sys.stderr.write(f"try: {folder}spellout diagnose outputs.jsonl\n")
    return 0
