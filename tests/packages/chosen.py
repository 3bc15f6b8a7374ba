"""The packages whose tests are run on rewritten sources, pinned, and their tests that may differ, each with its reason.

Chosen for being pure Python, under permissive licences, with their tests in the source distribution, and of three
kinds: attrs writes and compiles code and looks at signatures, annotations and slots; boltons is a broad collection of
helpers over the standard library; networkx is large, and full of loops, generators and numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Package:
    """A source distribution. `source`: the folder to put on the path; `tests`, `options`: what pytest is given."""

    name: str
    version: str
    sha256: str
    source: str
    tests: tuple[str, ...]
    expected: Mapping[str, str] = field(default_factory=dict)
    options: tuple[str, ...] = ()

    @property
    def folder(self) -> str:
        return f"{self.name}-{self.version}"


PACKAGES = (
    Package(
        "attrs",
        "26.1.0",
        "d03ceb89cb322a8fd706d4fb91940737b6642aa36998fe130a9bc96c985eff32",
        "src",
        ("tests",),
    ),
    Package(
        "boltons",
        "26.2.0",
        "d39cfd15c1a1c3bd4d705c82252fa9edb8e4f5e8cc039f8e39afac7b1b47e92c",
        ".",
        ("tests",),
    ),
    Package(
        "networkx",
        "3.6.1",
        "26b7c357accc0c8cde558ad486283728b65b6a95d85ee1cd66bafab4c8168509",
        ".",
        ("networkx",),
        options=("-o", "filterwarnings=default"),  # its own makes errors of what newer versions of pytest warn of
    ),
)
