"""The boundary around the work on one program."""

import pickle

import pytest

from corpora.deadline import OutOfTimeError
from corpora.errors import InputError, UnavailableError
from corpora.failures import (
    ForeignCodeError,
    WorkerError,
    WorkFailure,
    contain,
    contain_row,
    debugging,
    failure_reason,
    worker_error,
)
from corpora.rows import FailedRow, Row


def raising(error: BaseException) -> object:
    raise error


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (
            ValueError("zip() argument 2 is longer\nthan 1"),
            r"internal error: ValueError: zip() argument 2 is longer\nthan 1",
        ),
        (SyntaxError("newer"), "internal error: SyntaxError: newer"),
        (UnicodeEncodeError("utf-8", "\ud800", 0, 1, "no"), r"internal error: UnicodeEncodeError: 'utf-8' codec can't"),
        (KeyError("\x1b[2J"), r"internal error: KeyError: '\x1b[2J'"),
        (AssertionError(), "internal error: AssertionError"),
        (RecursionError("maximum"), "nested too deeply: RecursionError: maximum"),
        (MemoryError(), "memory ran out: MemoryError"),
        (ForeignCodeError("the recipe shout", KeyError("x")), "the recipe shout raised KeyError: 'x'"),
        (WorkerError("TypeError: no (a.py:1)", "trace"), "internal error: TypeError: no (a.py:1)"),
        (ValueError("x" * 5000), "internal error: ValueError: xxx"),
    ],
)
def test_every_exception_becomes_a_value_on_one_line(error: Exception, reason: str) -> None:
    found = contain(lambda: raising(error), "rows.jsonl:3")
    assert isinstance(found, WorkFailure)
    assert found.where == "rows.jsonl:3"
    assert found.reason.startswith(reason)
    assert found.is_unexpected
    assert "\n" not in found.reason
    assert "\x1b" not in found.reason
    assert len(found.reason) < 500


def test_code_that_ends_the_process_is_a_failure() -> None:
    assert contain(lambda: raising(SystemExit(3)), "a.py") == WorkFailure("a.py", "internal error: sys.exit(3)", True)


class _UnprintableError(Exception):
    def __str__(self) -> str:
        raise ValueError("no message")


def test_an_exception_without_a_message_is_a_failure() -> None:
    found = contain(lambda: raising(_UnprintableError()), "a.py")
    assert isinstance(found, WorkFailure)
    assert found.reason.startswith("internal error: _UnprintableError")


def test_a_mistake_of_the_user_keeps_its_message_and_place() -> None:
    assert contain(lambda: raising(InputError("no", where="a.py:3:1")), "a.py") == WorkFailure("a.py:3:1", "no")
    assert contain(lambda: raising(InputError("no")), "a.py") == WorkFailure("a.py", "no")


def test_what_concerns_every_program_and_an_interrupt_pass() -> None:
    with pytest.raises(UnavailableError):
        contain(lambda: raising(UnavailableError("no sandbox")))
    with pytest.raises(KeyboardInterrupt):
        contain(lambda: raising(KeyboardInterrupt()))


def test_a_row_says_where_in_its_program() -> None:
    row = Row(7, "rows.jsonl:7", {})
    error = InputError("does not parse: no", where="rows.jsonl:7:2:16")
    expected = FailedRow(7, "rows.jsonl:7", "at 2:16 of the program: does not parse: no")
    assert contain_row(lambda: raising(error), row) == expected
    assert contain_row(lambda: raising(InputError("no")), row) == FailedRow(7, "rows.jsonl:7", "no")
    assert contain_row(lambda: 1, row) == 1


def test_errors_of_another_process_keep_their_parts() -> None:
    error = pickle.loads(pickle.dumps(OutOfTimeError("no", where="a.py")))
    assert (type(error), str(error), error.message, error.where) == (OutOfTimeError, "a.py: no", "no", "a.py")
    try:
        raising(LookupError("there"))
    except LookupError as raised:
        sent = pickle.loads(pickle.dumps(worker_error(raised)))
    assert sent.description.startswith("LookupError: there (tests/corpora/test_failures.py:")
    assert "in raising" in sent.trace


def test_the_traceback_is_printed_only_for_debugging(capsys: pytest.CaptureFixture[str]) -> None:
    failure_reason(WorkerError("TypeError", "Traceback\nof the \x1b[2Jworker"))
    assert capsys.readouterr().err == ""
    with debugging(on=True):
        failure_reason(WorkerError("TypeError", "Traceback\nof the \x1b[2Jworker"))
    assert capsys.readouterr().err == "Traceback\nof the \\x1b[2Jworker\n"
