"""Sources of nondeterminism of a program: `random` is seeded and the clock is real, or all of them are simulated.

A simulated environment has a clock that starts at a given time and advances by one tick per reading, seeded randomness
of the operating system, a given process number, and another memory layout. It replaces functions of the standard
library in the program's own process. Its purpose is to find out what a result depends on, not to confine the program.

Keys of an environment: `start` (seconds since 1970), `tick` (seconds per reading), `chance` (seed), `pid`, `padding`
(number of objects to allocate first).
"""

from __future__ import annotations

import ctypes
import datetime
import os
import random
import time
from _random import Random as _CRandom
from collections.abc import Callable, Mapping
from typing import Any

_Random, _DATETIME, _DATE = random.Random, datetime.datetime, datetime.date
_chance: Any = vars(random)["_inst"]
_seed = _CRandom.seed  # does what `random.seed` does for an int, at half the cost
_put = ctypes.memmove
_localtime, _gmtime, _strftime = time.localtime, time.gmtime, time.strftime
_padding: list[object] = []


def _seed_and_locate() -> tuple[int, bytes]:
    """Seed `random`; return the address of its state and the seeded state.

    Copying the state back costs a tenth of seeding, which would be a sixth of a short call.
    """
    _seed(_chance, 0)
    head = object.__basicsize__
    return id(_chance) + head, ctypes.string_at(id(_chance) + head, _CRandom.__basicsize__ - head)


_PLACE, _STATE = _seed_and_locate()
_SIZE = len(_STATE)


def set_up_environment(environment: Mapping[str, float]) -> None:
    """Set up the environment of the next call of the program in this process.

    Empty: the real clock, `random` seeded with 0.
    """
    _chance.gauss_next = None
    if not environment:
        _put(_PLACE, _STATE, _SIZE)
        return
    _seed(_chance, int(environment["chance"]))
    _padding[:] = [object() for _ in range(int(environment["padding"]))]
    _set_clock(environment["start"], environment["tick"])
    pid, chance = int(environment["pid"]), _Random(int(environment["chance"]))
    vars(os).update(getpid=lambda: pid, urandom=chance.randbytes)
    vars(random).update(_urandom=chance.randbytes)


def _set_clock(start: float, tick: float) -> None:
    readings = [0]

    def now() -> float:
        readings[0] += 1
        return start + readings[0] * tick

    def nanoseconds() -> int:
        return int(now() * 1e9)

    for name in ("time", "monotonic", "perf_counter", "process_time", "thread_time"):
        vars(time).update({name: now, f"{name}_ns": nanoseconds})
    vars(time).update(localtime=_default_to_now(_localtime, now), gmtime=_default_to_now(_gmtime, now))
    vars(time).update(clock_gettime=lambda clock: now(), clock_gettime_ns=lambda clock: nanoseconds())
    vars(time).update(strftime=lambda form, *moment: _strftime(form, *(moment or (_localtime(now()),))))
    vars(time).update(ctime=lambda *seconds: _strftime("%a %b %e %H:%M:%S %Y", _localtime(*(seconds or (now(),)))))
    vars(datetime).update(datetime=_simulated_class(now, _DATETIME), date=_simulated_class(now, _DATE))


def _default_to_now(function: Callable[[float], Any], now: Callable[[], float]) -> Callable[..., Any]:
    return lambda seconds=None: function(now() if seconds is None else seconds)


class _DateTimeMeta(type):
    """Treats instances of the real class as instances of the simulated one."""

    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, cls.__base__ or object)

    def __subclasscheck__(cls, subclass: type) -> bool:
        return issubclass(subclass, cls.__base__ or object)


def _simulated_class(now: Callable[[], float], base: type) -> type:
    """`datetime` or `date` with the simulated clock, under its own name so that its repr stays the same."""
    methods: dict[str, Any] = {"today": classmethod(lambda cls: cls.fromtimestamp(now()))}
    if base is _DATETIME:
        methods["now"] = classmethod(lambda cls, tz=None: cls.fromtimestamp(now(), tz))
        methods["utcnow"] = classmethod(lambda cls: cls.fromtimestamp(now()))  # the worker's time zone is UTC
    return _DateTimeMeta(base.__name__, (base,), {**methods, "__module__": "datetime", "__qualname__": base.__name__})
