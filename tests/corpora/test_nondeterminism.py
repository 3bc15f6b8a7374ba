"""What a result depends on: programs that depend on nothing first."""

import random

import pytest

from corpora import run_call, run_calls
from corpora.nondeterminism import dependences, find_dependences
from corpora.sandbox.workers import pool

NOTHING = [
    pytest.param("def f(): return sorted({'a', 'b', 'c', 'd'})", id="a sorted set"),
    pytest.param("import random\ndef f():\n    random.seed(7)\n    return random.random()", id="a seed of its own"),
    pytest.param("def f(): return {1, 2, 30, 4}", id="a set of small numbers"),
    pytest.param("def f(): return object()", id="an object, shown without its address"),
    pytest.param("import time\ndef f():\n    time.time()\n    return 1", id="a clock that is looked at and not used"),
    pytest.param(
        "import datetime as d\ndef f():\n    x = d.datetime(2020, 1, 2)\n"
        "    return x, isinstance(x, d.date), x + d.timedelta(1)",
        id="dates that are only data",
    ),
    pytest.param("def f(): raise ValueError('always')", id="an exception"),
    pytest.param(
        "import threading\ndef f():\n    x = []\n    t = threading.Thread(target=x.append, args=(1,))\n"
        "    t.start()\n    t.join()\n    return x",
        id="a thread that is waited for",
    ),
]

SOMETHING = [
    pytest.param("import random\ndef f(): return random.random()", "random", id="random"),
    pytest.param("import os\ndef f(): return os.urandom(4)", "random", id="the system's randomness"),
    pytest.param("import secrets\ndef f(): return secrets.token_hex(4)", "random", id="secrets"),
    pytest.param("import uuid\ndef f(): return str(uuid.uuid4())", "random", id="a random uuid"),
    pytest.param("import time\ndef f(): return time.time()", "time", id="the time"),
    pytest.param("import time\ndef f(): return time.strftime('%Y')", "time", id="the year"),
    pytest.param("import datetime\ndef f(): return datetime.date.today().year", "time", id="today's year"),
    pytest.param("from datetime import datetime\ndef f(): return str(datetime.now())", "time", id="now"),
    pytest.param(
        "import time\ndef f():\n    a = time.perf_counter()\n    return time.perf_counter() - a",
        "time",
        id="time spent",
    ),
    pytest.param("def f(): return id(f) % 2**40", "identity", id="an address"),
    pytest.param("def f(): return hash(object())", "identity", id="a hash of an object"),
    pytest.param("import os\ndef f(): return os.getpid()", "identity", id="a process number"),
    pytest.param("def f(): return list({'a', 'b', 'c', 'd', 'e'})", "hash order", id="the order of a set of strings"),
    pytest.param("def f(): return hash('a')", "hash order", id="a hash of a string"),
    pytest.param("def f(): print({'a', 'b', 'c', 'd', 'e'})", "hash order", id="a set of strings printed"),
]


@pytest.mark.parametrize("source", NOTHING)
def test_a_deterministic_program_depends_on_nothing(source: str) -> None:
    assert dependences(source, "f()") == ()


@pytest.mark.parametrize(("source", "expected"), SOMETHING)
def test_what_a_result_depends_on_is_named(source: str, expected: str) -> None:
    assert dependences(source, "f()") == (expected,)


@pytest.mark.medium
def test_a_race_is_told_from_the_rest() -> None:
    # the thread counts for about a second; how far it has come is another number at every run
    source = (
        "import threading\ndef f():\n    seen = [0]\n    def count():\n        while seen[0] < 3_000_000:\n"
        "            seen[0] += 1\n    threading.Thread(target=count, daemon=True).start()\n    return seen[0]"
    )
    assert dependences(source, "f()") == ("threads",)


@pytest.mark.medium
@pytest.mark.parametrize("left", range(12))
def test_a_worker_that_is_renewed_in_between_is_no_dependence(left: int) -> None:
    source = "def f(): return id(f)"
    dependences(source, "f()")
    for worker in [worker for idle in pool._idle.values() for worker in idle]:
        worker.jobs = pool.JOBS_PER_WORKER - left
    assert dependences(source, "f()") == ("identity",)


def test_two_dependences_are_both_named() -> None:
    source = "import random, time\ndef f(): return random.random(), time.time()"
    assert dependences(source, "f()") == ("random", "time")


@pytest.mark.medium
def test_of_many_calls_only_those_that_depend_on_something_are_named() -> None:
    source = "import os, time\ndef f(x): return [x, time.time(), os.getpid(), list({'a', 'b', 'c', 'd'})][x]"
    calls = ["f(0)", "f(1)", "f(2)", "f(3)", "f(4)", "while"]
    assert find_dependences(source, calls) == {"f(1)": ("time",), "f(2)": ("identity",), "f(3)": ("hash order",)}


@pytest.mark.medium
def test_known_outcomes_spare_runs_and_change_nothing() -> None:
    source = "import time\ndef f(x): return x and time.time()"
    calls = ["f(0)", "f(1)", "g()"]
    known = dict(zip(calls, run_calls(source, calls), strict=True))
    assert find_dependences(source, calls, known=known) == find_dependences(source, calls) == {"f(1)": ("time",)}
    assert find_dependences(source, [], known=known) == {}


def test_what_does_not_matter_to_the_caller_is_no_dependence() -> None:
    source = "def f(): return {'a', 'b', 'c', 'd', 'e'}"
    assert find_dependences(source, ["f()"]) == {"f()": ("hash order",)}
    assert find_dependences(source, ["f()"], same=lambda one, other: one.snapshot == other.snapshot) == {}


def test_a_call_that_is_stopped_from_outside_is_not_judged() -> None:
    source = "import time\ndef f():\n    while True: print(time.time())"
    assert find_dependences(source, ["f()"], seconds=0.3) == {}


def test_every_call_finds_random_as_after_seed_0_whatever_a_call_before_did_with_it() -> None:
    source = (
        "import random\ndef draw(): return random.random(), random.gauss(0, 1), random.getrandbits(70)\n"
        "def seed(): random.seed('other'); return draw()\ndef put(): random.setstate(random.Random(5).getstate())\n"
        "def many(): return [random.random() for _ in range(312)][-1]"
    )
    fresh = random.Random(0)
    expected = repr((fresh.random(), fresh.gauss(0, 1), fresh.getrandbits(70)))
    outcomes = run_calls(source, ["draw()", "draw()", "seed()", "draw()", "put()", "draw()", "many()", "draw()"])
    assert [outcome.value for outcome in outcomes[1::2]] == [expected] * 4
    assert outcomes[0].value == expected != outcomes[2].value


def test_usual_runs_repeat_whatever_ran_before() -> None:
    calls = [("import random\ndef f(): return random.random(), hash('a'), list({'a', 'b', 'c'})", "f()")] * 2
    first, second = (run_call(source, call) for source, call in calls)
    run_call("import random\nrandom.seed(99)\ndef f(): return random.random()", "f()")
    assert first == second == run_call(*calls[0])
