"""What processes of a pool do in tests. Each process imports this module, and pytest would take most of its time."""

import ast
import gc
import os
import signal
import sys
import time
from pathlib import Path

from corpora.process_pool import usable_cores


def cores_of(_: int) -> tuple[int, list[int]]:
    return os.getpid(), usable_cores()


def slow_first(number: int) -> int:
    time.sleep(0.2 if number == 0 else 0)
    return number


def switch_interval(_: int) -> float:
    return sys.getswitchinterval()


def parse_with_collections(_: int) -> int:
    gc.callbacks.append(lambda *_: [None for _ in range(50)])
    source = Path(ast.__file__).read_text(encoding="utf-8")
    sys.setswitchinterval(1e-6)
    return len([ast.parse(source) for _ in range(8)])


def killed_by_seven(number: int) -> int:
    if number % 10 == 7:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def summed(numbers: list[int]) -> int:
    return sum(map(killed_by_seven, numbers))


def raises(_: int) -> int:
    raise ZeroDivisionError("the job's own")
