"""What a program finds of chance and time: by default `random` seeded and the real clock; on request, all of it ours.

A made world has a clock that starts where it is told and ticks at every look, operating-system randomness from a
seed, a process number, and memory that lies elsewhere. It is made by replacing what the standard library offers, in
the program's own process: for finding out what a result depends on, not for confinement.

Keys of a made world: `start` (seconds since 1970), `tick` (seconds a look), `chance` (a seed), `pid`, `padding`
(a number of objects).
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
_seed = _CRandom.seed  # what `random.seed` does for an int, at half its price
_put = ctypes.memmove
_localtime, _gmtime, _strftime = time.localtime, time.gmtime, time.strftime
_padding: list[object] = []


def _seeded() -> tuple[int, bytes]:
    """Where `random` keeps its state (plain numbers behind the object's head), and what they are once it is seeded.

    To copy them back costs a tenth of seeding, which would be a sixth of a short call.
    """
    _seed(_chance, 0)
    head = object.__basicsize__
    return id(_chance) + head, ctypes.string_at(id(_chance) + head, _CRandom.__basicsize__ - head)


_PLACE, _STATE = _seeded()
_SIZE = len(_STATE)


def arrange(world: Mapping[str, float]) -> None:
    """Set the world up for the next call of the program, in this process."""
    _chance.gauss_next = None
    if not world:
        _put(_PLACE, _STATE, _SIZE)
        return
    _seed(_chance, int(world["chance"]))
    _padding[:] = [object() for _ in range(int(world["padding"]))]
    _set_clock(world["start"], world["tick"])
    pid, chance = int(world["pid"]), _Random(int(world["chance"]))
    vars(os).update(getpid=lambda: pid, urandom=chance.randbytes)
    vars(random).update(_urandom=chance.randbytes)


def _set_clock(start: float, tick: float) -> None:
    looks = [0]

    def now() -> float:
        looks[0] += 1
        return start + looks[0] * tick

    def nanoseconds() -> int:
        return int(now() * 1e9)

    for name in ("time", "monotonic", "perf_counter", "process_time", "thread_time"):
        vars(time).update({name: now, f"{name}_ns": nanoseconds})
    vars(time).update(localtime=_defaulting(_localtime, now), gmtime=_defaulting(_gmtime, now))
    vars(time).update(clock_gettime=lambda clock: now(), clock_gettime_ns=lambda clock: nanoseconds())
    vars(time).update(strftime=lambda form, *moment: _strftime(form, *(moment or (_localtime(now()),))))
    vars(time).update(ctime=lambda *seconds: _strftime("%a %b %e %H:%M:%S %Y", _localtime(*(seconds or (now(),)))))
    vars(datetime).update(datetime=_dated(now, _DATETIME), date=_dated(now, _DATE))


def _defaulting(function: Callable[[float], Any], now: Callable[[], float]) -> Callable[..., Any]:
    return lambda seconds=None: function(now() if seconds is None else seconds)


class _Dated(type):
    """So that values made by the real classes are still instances of ours."""

    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, cls.__base__ or object)

    def __subclasscheck__(cls, subclass: type) -> bool:
        return issubclass(subclass, cls.__base__ or object)


def _dated(now: Callable[[], float], base: type) -> type:
    """`datetime` or `date` with our clock, under its own name, so that its repr stays."""
    made: dict[str, Any] = {"today": classmethod(lambda cls: cls.fromtimestamp(now()))}
    if base is _DATETIME:
        made["now"] = classmethod(lambda cls, tz=None: cls.fromtimestamp(now(), tz))
        made["utcnow"] = classmethod(lambda cls: cls.fromtimestamp(now()))  # the worker's time zone is UTC
    return _Dated(base.__name__, (base,), {**made, "__module__": "datetime", "__qualname__": base.__name__})
