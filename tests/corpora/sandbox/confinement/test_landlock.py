"""Landlock rules as every version of the kernel's interface takes them, each tried in a process of its own."""

import os
from pathlib import Path

import pytest

from corpora.sandbox.confinement import landlock

VERSIONS = range(1, max(1, landlock.abi_version()) + 1)


def tried(version: int, forbidden: Path, allowed: Path) -> str:
    """What a child that restricts itself by the rules of `version` reports."""
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        landlock.abi_version = lambda: version
        report = []
        try:
            landlock.LandlockRuleset([allowed], [Path("/dev/null")]).restrict()
            report.append((allowed / "file").read_text())
            for act in (forbidden.read_text, forbidden.unlink, lambda: (allowed / "file").write_text("changed")):
                try:
                    act()
                    report.append("done")
                except PermissionError:
                    report.append("denied")
        except OSError as error:
            report.append(str(error))
        os.write(writer, " ".join(report).encode())
        os._exit(0)
    os.close(writer)
    os.waitpid(pid, 0)
    with os.fdopen(reader, "rb") as pipe:
        return pipe.read().decode()


@pytest.mark.skipif(landlock.abi_version() < 1, reason="this kernel has no Landlock")
@pytest.mark.parametrize("version", VERSIONS)
def test_only_what_is_readable_is_read_and_nothing_is_written(version: int, tmp_path: Path) -> None:
    allowed = tmp_path / "allowed"
    allowed.mkdir()
    (allowed / "file").write_text("seen")
    secret = tmp_path / "secret"
    secret.write_text("secret")
    assert tried(version, secret, allowed) == "seen denied denied denied"
    assert secret.read_text() == "secret"


def test_without_landlock_the_version_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    class Libc:
        def syscall(self, *_: object) -> int:
            return -1

    monkeypatch.setattr(landlock, "_libc", Libc)
    assert landlock.abi_version() == 0
