"""Rewrites the standard library of the running interpreter and runs CPython's own tests against it.

    python -m tests.stdlib.suite [--recipe decompose] [--folder build/stdlib-3.11] [TEST ...]

Every module but the tests is rewritten into a folder that comes first on the path; the interpreter is started with
`-X frozen_modules=off` and without old bytecode. A check asks the import system where each rewritten module comes from.
Each test module runs against the original and the rewritten library, in processes of their own; one that passes before
must pass after, but for those in `EXPECTED`, each with its reason. Without TEST, all of `MODULES`.

Does not fetch anything: an interpreter without the `test` package is named and skipped.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from rewrite import rewrite_source

LEFT_OUT = {"test", "tests", "idlelib", "lib2to3", "site-packages", "ensurepip", "turtledemo", "__pycache__"}
# Tests that look at layout, line numbers, object lifetime or reflection, each with its reason: found so far.
EXPECTED = {
    "test_contextlib": "test_exit_exception_traceback compares the source lines that a traceback shows",
}
MODULES = (
    "test_argparse test_ast test_base64 test_bisect test_calendar test_cmd test_collections test_colorsys "
    "test_configparser test_contextlib test_copy test_csv test_dataclasses test_datetime test_decimal "
    "test_difflib test_enum test_fileinput test_fnmatch test_fractions test_functools test_genericpath "
    "test_getopt test_glob test_graphlib test_hashlib test_heapq test_hmac test_html test_imghdr "
    "test_ipaddress test_json test_keyword test_linecache test_locale test_mailcap test_mimetypes "
    "test_netrc test_numbers test_operator test_optparse test_ordered_dict test_pathlib test_pickle "
    "test_plistlib test_posixpath test_pprint test_pyclbr test_queue test_quopri test_random test_re "
    "test_reprlib test_sched test_shelve test_shlex test_shutil test_statistics test_string "
    "test_stringprep test_struct test_tempfile test_textwrap test_timeit test_tokenize test_types "
    "test_typing test_unittest test_urlparse test_uuid test_weakref test_xml_etree test_zipfile"
)
# What every `make test` runs: the tests, and the modules they look at.
SMALL = {"test_textwrap": "textwrap", "test_heapq": "heapq", "test_bisect": "bisect", "test_colorsys": "colorsys"}


def modules(folder: Path) -> Iterator[Path]:
    """The modules of a library, relative to its folder."""
    for path in sorted(folder.rglob("*.py")):
        relative = path.relative_to(folder)
        if not LEFT_OUT & set(relative.parts) and not relative.parts[0].startswith("config-"):
            yield relative


def rewrite_module(task: tuple[Path, Path, str]) -> None:
    """Rewrite one file: where it is, where to, by which recipe."""
    before, after, recipe = task
    after.parent.mkdir(parents=True, exist_ok=True)
    source = before.read_text(encoding="utf-8")
    result = rewrite_source(source, recipe, filename=str(before))
    after.write_text(result.source, encoding="utf-8")


def rewrite_library(folder: Path, recipe: str, only: Sequence[str] = ()) -> list[Path]:
    """Write the rewritten library into `folder`; gives the modules written. only: top-level names."""
    library = Path(sysconfig.get_path("stdlib"))
    shutil.rmtree(folder, ignore_errors=True)
    chosen = [path for path in modules(library) if not only or path.parts[0].removesuffix(".py") in only]
    tasks = [(library / path, folder / path, recipe) for path in chosen]
    if len(tasks) < 20:
        for task in tasks:
            rewrite_module(task)
    else:
        with ProcessPoolExecutor() as pool:
            list(pool.map(rewrite_module, tasks, chunksize=4))
    for path in tasks:  # what a package reads beside its modules
        for extra in path[0].parent.glob("*.txt"):
            shutil.copy(extra, path[1].parent)
    return chosen


def imported_elsewhere(folder: Path, chosen: Sequence[Path]) -> list[str]:
    """The rewritten modules that the interpreter would import from somewhere else."""
    names = [".".join(path.with_suffix("").parts).removesuffix(".__init__") for path in chosen]
    names = [name for name in names if "." not in name and name not in ("__main__", "antigravity", "this")]
    script = (
        "import sys,importlib.util as u\nfor n in sys.argv[1:]:\n    print(n, getattr(u.find_spec(n),'origin',None))"
    )
    done = subprocess.run(
        [*interpreter(), "-c", script, *names], env=environment(folder), capture_output=True, text=True
    )
    found = dict(line.split(" ", 1) for line in done.stdout.splitlines())
    return [name for name in names if not found.get(name, done.stderr).startswith(str(folder))]


def interpreter() -> list[str]:
    return [sys.executable, "-X", "frozen_modules=off", "-B"]


def environment(folder: Path | None) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return kept | ({"PYTHONPATH": str(folder)} if folder else {})


def passes(tests: Sequence[str], folder: Path | None, seconds: int = 600) -> tuple[bool, str]:
    """Whether modules of CPython's test suite pass, and the end of what they said."""
    command = [*interpreter(), "-m", "test", "--timeout", str(seconds), *tests]
    try:
        done = subprocess.run(command, env=environment(folder), capture_output=True, text=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        return False, "no end within the time limit"
    return done.returncode == 0, (done.stdout + done.stderr)[-1500:]


def main(argv: Sequence[str] | None = None) -> int:
    """0 if every test that passes before passes after (or is expected not to), else 1."""
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tests", nargs="*", metavar="TEST")
    parser.add_argument("--recipe", default="decompose")
    parser.add_argument("--folder", type=Path, default=Path("build") / f"stdlib-{version}")
    arguments = parser.parse_args(argv)
    if importlib.util.find_spec("test") is None or importlib.util.find_spec("test.libregrtest") is None:
        sys.stdout.write(f"this Python {version} has no test suite of its own: skipped\n")
        return 0
    folder = arguments.folder.resolve()
    chosen = rewrite_library(folder, arguments.recipe)
    elsewhere = imported_elsewhere(folder, chosen)
    sys.stdout.write(f"{len(chosen)} modules rewritten; imported from elsewhere: {', '.join(elsewhere) or 'none'}\n")
    worse = 0
    for test in arguments.tests or MODULES.split():
        before, after = passes([test], None)[0], passes([test], folder)
        verdict = "same" if before == after[0] else "better" if after[0] else "WORSE"
        if verdict == "WORSE" and test in EXPECTED:
            verdict = f"expected: {EXPECTED[test]}"
        worse += verdict == "WORSE"
        sys.stdout.write(f"{test}: {'passes' if before else 'fails'} before, {verdict} after\n")
        if verdict == "WORSE":
            sys.stdout.write(after[1] + "\n")
        sys.stdout.flush()
    return int(worse > 0)


if __name__ == "__main__":
    raise SystemExit(main())
