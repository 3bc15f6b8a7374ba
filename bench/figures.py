"""Regenerates the figures of README and docs from the data that is at hand, or checks that they are current.

    .venv/bin/python bench/figures.py            # make figures
    .venv/bin/python bench/figures.py --check    # exits with status 1 if a page is stale

Two kinds of figures: pages that one command prints (`PAGES`), and blocks of a page between `<!-- figures: COMMAND -->`
and `<!-- end of figures -->`, which hold what the command prints. Commands that read `../shared/data` are skipped if it
is missing; docs/differences.md says where that data comes from.
"""

from __future__ import annotations

import argparse
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGES = {
    "docs/hazards.md": "-m analyze.hazards.catalogue",
    "docs/interventions.md": "-m rewrite.pipeline.catalogue",
    "docs/records.md": "-m runner.records.schema_page",
}
DATA = "../shared/data"
_BLOCK = re.compile(
    r"(?<=<!-- figures: )(?P<command>.+?)(?P<open> -->\n)(?P<body>.*?)(?=<!-- end of figures -->)", re.S
)


def blocks(text: str) -> Iterator[str]:
    """The commands of the blocks of a page."""
    yield from (match["command"] for match in _BLOCK.finditer(text))


def regenerated(text: str, output: Callable[[str], str | None]) -> str:
    """The page with the output of its commands; a block stays where there is none.

    >>> regenerated("<!-- figures: x.py -->\\nold\\n<!-- end of figures -->", lambda command: "new")
    '<!-- figures: x.py -->\\nnew\\n<!-- end of figures -->'
    """

    def block(match: re.Match[str]) -> str:
        new = output(match["command"])
        body = match["body"] if new is None else new.strip("\n") + "\n"
        return match["command"] + match["open"] + body

    return _BLOCK.sub(block, text)


def output(command: str) -> str | None:
    """What a command of Python prints; None if its data is missing."""
    if DATA in command and not (ROOT / DATA).is_dir():
        print(f"{command}: skipped, since {DATA} is missing", file=sys.stderr)
        return None
    print(command, file=sys.stderr)
    done = subprocess.run(
        [sys.executable, *shlex.split(command)], cwd=ROOT, text=True, capture_output=True, check=False
    )
    if done.returncode:
        sys.exit(f"{command} failed:\n{done.stderr}")
    return done.stdout


def stale_pages(*, write: bool) -> Iterator[str]:
    """The pages whose text is not what their commands print; they are rewritten with `write`."""
    for path in sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]):
        name = path.relative_to(ROOT).as_posix()
        text = path.read_text(encoding="utf-8")
        new = (output(PAGES[name]) or text) if name in PAGES else regenerated(text, output)
        if new != text:
            yield name
            if write:
                path.write_text(new, encoding="utf-8")


def main() -> None:
    """Writes or checks all pages."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing, and exit with status 1 if a page is stale")
    check = parser.parse_args().check
    stale = list(stale_pages(write=not check))
    for name in stale:
        print(f"{name}: {'stale' if check else 'regenerated'}")
    sys.exit(1 if check and stale else 0)


if __name__ == "__main__":
    main()
