"""Regenerates the figures of README and docs from the data that is at hand, or checks that they are current.

    .venv/bin/python bench/figures.py                # make figures: about five minutes on two cores
    .venv/bin/python bench/figures.py --slow         # make figures-slow: the slow blocks alone
    .venv/bin/python bench/figures.py --check        # exits with status 1 if a page is stale
    .venv/bin/python bench/figures.py docs/risk.md   # these pages alone

Blocks of a page hold what a command prints; the pages in `PAGES` are printed by one command as a whole:

    <!-- figures: bench/planned.py --only failures | table 2 -->     (or: slow figures)
    <!-- end of figures -->

A command is a call of Python: a script or `-m MODULE`, with arguments. `| table N` selects the N-th Markdown table of
its output, `| messages` what it writes to standard error. A body in a code fence stays in it. A command runs once,
however many blocks hold its output. Commands that read published data are skipped without the setting `SPELLOUT_DATA`
(docs/published_data.md).
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from harness import command as command_line
from harness import tables

from lab.published_data import SETTING

ROOT = Path(__file__).resolve().parents[1]
PAGES = {"docs/findings.md": "bench/findings.py"}
_BLOCK = re.compile(
    r"(?P<open><!-- (?P<slow>slow )?figures: (?P<command>.+?)(?: \| (?P<part>table \d+|messages))? -->\n)"
    r"(?P<fence>```\w*\n)?(?P<body>.*?)(?P<close>(?(fence)(?<=\n)```\n))(?P<end><!-- end of figures -->)",
    re.S,
)


class Block(NamedTuple):
    """A block of a page.

    Attributes:
        command: What prints it.
        is_slow: Whether only `--slow` regenerates it.
        body: The text between the markers.
    """

    command: str
    is_slow: bool
    body: str


def blocks(text: str) -> Iterator[Block]:
    """The blocks of a page."""
    for match in _BLOCK.finditer(text):
        yield Block(match["command"], bool(match["slow"]), match["body"])


def regenerated(text: str, output: Callable[[str], str | None], *, slow: bool = False) -> str:
    """The page with the output of its commands; a block stays where there is none, or if it is of the other speed.

    >>> regenerated("<!-- figures: x.py -->\\nold\\n<!-- end of figures -->", lambda command: "new")
    '<!-- figures: x.py -->\\nnew\\n<!-- end of figures -->'
    """

    def block(match: re.Match[str]) -> str:
        part = match["part"] or ""
        asked = f"{match['command']} | {part}" if part == "messages" else match["command"]
        new = output(asked) if bool(match["slow"]) == slow else None
        if new is None:
            return match[0]
        if part.startswith("table"):
            new = "\n".join(tables(new)[int(part.removeprefix("table ")) - 1])
        return match["open"] + (match["fence"] or "") + new.strip("\n") + "\n" + (match["close"] or "") + match["end"]

    return _BLOCK.sub(block, text)


@cache
def output(command: str) -> str | None:
    """What a command prints, or with ` | messages` what it writes to standard error; None if its data is missing."""
    command, _, part = command.partition(" | ")
    start = time.monotonic()
    done = subprocess.run(
        [sys.executable, *shlex.split(command)], cwd=ROOT, text=True, capture_output=True, check=False
    )
    if done.returncode and any(words in done.stderr for words in ("required: --data", f"needs a file, or {SETTING}")):
        print(f"{command}: skipped, since {SETTING} is not set", file=sys.stderr)
        return None
    if done.returncode:
        sys.exit(f"{command} failed:\n{done.stderr}")
    print(f"{command}: {time.monotonic() - start:.0f} s", file=sys.stderr)
    return done.stderr if part else done.stdout


def pages() -> list[str]:
    """All pages, the README last: its figures are those of other pages."""
    found = [path.relative_to(ROOT).as_posix() for path in (*(ROOT / "docs").glob("*.md"), *ROOT.glob("*.md"))]
    return sorted(found, key=lambda name: (name == "README.md", name == "docs/differences.md", name))


def stale_pages(names: Iterable[str], *, write: bool, slow: bool = False) -> Iterator[str]:
    """The pages whose text is not what their commands print; they are rewritten with `write`."""
    for name in names:
        text = (ROOT / name).read_text(encoding="utf-8")
        page = output(PAGES[name]) if name in PAGES and not slow else None
        new = page or regenerated(text, output, slow=slow)
        if new != text:
            yield name
            if write:
                (ROOT / name).write_text(new, encoding="utf-8")


def main() -> None:
    """Writes or checks all pages."""
    parser = command_line(__doc__)
    parser.add_argument("pages", nargs="*", metavar="PAGE", help="pages to regenerate (default: all)")
    parser.add_argument("--slow", action="store_true", help="regenerate the slow blocks instead of the others")
    parser.add_argument("--check", action="store_true", help="write nothing, and exit with status 1 if a page is stale")
    options = parser.parse_args()
    stale = list(stale_pages(options.pages or pages(), write=not options.check, slow=options.slow))
    for name in stale:
        print(f"{name}: {'stale' if options.check else 'regenerated'}")
    sys.exit(1 if options.check and stale else 0)


if __name__ == "__main__":
    main()
