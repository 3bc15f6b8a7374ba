"""Programs sliced out of a package run by themselves; what they cannot have is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from corpora import run_call
from runner.traces.suite.program_slicing import PackageSlicer, UnsliceableError

MODULES = {
    "pkg.__init__": "from .text import shout\n",
    "pkg.text": (
        "from __future__ import annotations\nimport re as regex\nfrom os import path\nimport numpy\n"
        "from .base import Base, SIZE as LIMIT\nfrom . import base\n\n"
        "WORD = regex.compile(r'\\w+')\nEVEN, ODD = 0, 1\n\n"
        "try:\n    import json\nexcept ImportError:\n    json = None\n\n"
        "def shout(s):\n    # loud\n    return _upper(s) * EVEN or [w for w in WORD.findall(s)][:LIMIT]\n\n"
        "def _upper(s, depth=ODD):\n    return s.upper() if depth else shout(s)\n\n"
        "def array(x):\n    return numpy.array(x)\n\ndef through(x):\n    return base.SIZE\n\n"
        "@staticmethod\ndef decorated(x):\n    return x\n\n"
        "class Sub(Base):\n    size: int = LIMIT\n    def get(self):\n        return super().get() + self.size\n\n"
        "def made(n):\n    return Sub(n).get()\n\ndef dumped(x):\n    return json.dumps(x)\n\n"
        "def unknown(x):\n    return no_such_name\n"
    ),
    "pkg.base": "SIZE = 2\n\nclass Base:\n    def __init__(self, n):\n        self.n = n\n"
    "    def get(self):\n        return self.n\n\n"
    "def shout(s):\n    return s\n\ndef both(s):\n    from pkg import text\n    return shout(s)\n",
}


@pytest.fixture
def slicer(tmp_path: Path) -> PackageSlicer:
    files: dict[str, Path] = {}
    for name, source in MODULES.items():
        path = tmp_path / f"{name.replace('.', '/')}.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text(source)
        files[name.removesuffix(".__init__")] = path
    return PackageSlicer(files)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        pytest.param("array", "it imports numpy, which the sandbox lacks", id="another package"),
        pytest.param("through", "it uses the module pkg.base as an object", id="a module"),
        pytest.param("unknown", "pkg.text binds no_such_name in no top-level statement", id="an unknown name"),
        pytest.param("missing", "pkg.text binds missing in no top-level statement", id="no such function"),
    ],
)
def test_what_is_not_available_is_named(name: str, reason: str, slicer: PackageSlicer) -> None:
    with pytest.raises(UnsliceableError, match=reason):
        slicer.program("pkg.text", name)


def test_two_modules_that_bind_one_name_are_named(slicer: PackageSlicer) -> None:
    with pytest.raises(UnsliceableError, match=r"both bind shout"):
        slicer.program("pkg.text", "shout", also=[("pkg.base", "shout")])


@pytest.mark.parametrize(
    ("name", "call", "value"),
    [
        ("shout", "shout('a b c')", "['a', 'b']"),
        ("_upper", "_upper('ab')", "'AB'"),
        ("made", "made(3)", "5"),
        ("dumped", "dumped([1])", "'[1]'"),
    ],
)
def test_a_slice_runs_by_itself(name: str, call: str, value: str, slicer: PackageSlicer) -> None:
    assert run_call(slicer.program("pkg.text", name), call).value == value


def test_a_name_of_the_package_is_followed_to_where_it_is_bound(slicer: PackageSlicer) -> None:
    assert run_call(slicer.program("pkg", "shout"), "shout('a')").value == "['a']"


def test_a_slice_has_only_what_it_needs_as_it_is_written(slicer: PackageSlicer) -> None:
    program = slicer.program("pkg.text", "_upper")
    assert "    # loud\n" in program and "class Base" not in program and "os" not in program.split("def")[0]
