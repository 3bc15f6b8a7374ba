"""The self-check runs once per machine and version, and again when what the layers depend on changes."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from corpora.errors import UnavailableError
from corpora.execute import isolation, run_call
from corpora.program import Isolation
from corpora.sandbox.confinement.layers import Confinement
from corpora.sandbox.workers import confirmations, isolation_levels, pool, selfcheck, worker


@pytest.fixture(autouse=True)
def checks(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[list[Isolation]]:
    """The levels that were checked in an empty cache folder, by the real self-check."""
    checked: list[Isolation] = []
    check = selfcheck.check_confinement

    def counted(confinement: Confinement) -> None:
        checked.append(confinement.level)
        check(confinement)

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(selfcheck, "check_confinement", counted)
    isolation_levels.force_level(None)
    if isolation()[0] not in confirmations.REMEMBERED:
        pytest.skip("the level of this machine is checked in every process")
    isolation_levels.force_level(None)
    checked.clear()
    yield checked
    isolation_levels.force_level(None)


@pytest.mark.medium
def test_a_level_is_checked_once(checks: list[Isolation]) -> None:
    before = isolation()
    isolation_levels.force_level(None)  # as in the next process
    assert isolation() == before
    assert checks == []


@pytest.mark.medium
@pytest.mark.parametrize("change", ["kernel", "interpreter", "limits", "the cache folder", "a damaged file"])
def test_it_is_checked_again_if_something_changed(
    change: str, checks: list[Isolation], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    if change == "kernel":
        another = os.uname_result((*os.uname()[:2], "9.9", *os.uname()[3:]))
        monkeypatch.setattr(os, "uname", lambda: another)
    elif change == "interpreter":
        monkeypatch.setattr(sys, "version", "3.99")
    elif change == "limits":
        monkeypatch.setattr(confirmations, "_OWN_LIMITS", ("Pid",))
    elif change == "the cache folder":
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "other"))
    else:
        (tmp_path / "cache" / "spellout" / f"isolation-{isolation()[0]}").write_bytes(b"\xff")
        isolation_levels.force_level(None)
    level, _ = isolation()
    assert checks == [level]


@pytest.mark.medium
def test_a_changed_file_of_the_sandbox_is_noticed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(confirmations, "_SANDBOX", tmp_path)
    confinement = Confinement.for_level(isolation()[0])
    (tmp_path / "a.py").write_text("1")
    confirmations.remember(confinement)
    assert confirmations.is_confirmed(confinement)
    (tmp_path / "a.py").write_text("12")
    assert not confirmations.is_confirmed(confinement)


@pytest.mark.medium
def test_fewer_layers_are_another_level() -> None:
    level = isolation()[0]
    assert confirmations.is_confirmed(Confinement.for_level(level))
    assert not confirmations.is_confirmed(Confinement.for_level(level, without={"seccomp"}))


@pytest.mark.medium
def test_level_c_is_never_remembered() -> None:
    weak = Confinement.for_level("C")
    confirmations.remember(weak)
    assert not confirmations.is_confirmed(weak)


@pytest.mark.medium
def test_a_forced_level_is_always_checked(checks: list[Isolation]) -> None:
    level = isolation()[0]
    for _ in range(2):
        isolation_levels.force_level(level)
        isolation()
    assert checks == [level, level]


@pytest.mark.medium
def test_a_level_that_does_not_hold_is_not_remembered(checks: list[Isolation], monkeypatch: pytest.MonkeyPatch) -> None:
    confirmations.forget(Confinement.for_level(isolation()[0]))
    monkeypatch.setattr(selfcheck, "_is_killed_in_time", lambda worker: False)
    for _ in range(2):
        isolation_levels.force_level(None)
        with pytest.raises(selfcheck.IsolationError):
            isolation()
    assert len(checks) == 2


@pytest.mark.medium
def test_without_a_cache_folder_every_process_checks(checks: list[Isolation], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "/dev/null")
    for _ in range(2):
        isolation_levels.force_level(None)
        isolation()
    assert len(checks) == 2


@pytest.mark.medium
def test_it_is_checked_again_after_a_worker_did_not_start(
    checks: list[Isolation], monkeypatch: pytest.MonkeyPatch
) -> None:
    pool.close_idle()
    with monkeypatch.context() as broken:
        broken.setattr(worker, "worker_command", lambda *_: ["/bin/false"])
        with pytest.raises(UnavailableError, match="no sandbox worker can be started"):
            run_call("def f(): return 1", "f()")
    isolation_levels.force_level(None)
    assert run_call("def f(): return 1", "f()").value == "1"
    assert len(checks) == 1
