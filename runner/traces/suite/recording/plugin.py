"""The pytest plugin: wraps the functions of a package when its modules are imported, and records their calls.

A call is recorded at the boundary: calls that a recorded function makes itself are not. The expression of a call is
written before the call, because the function may change its arguments. Each process writes lines of JSON to a file of
its own, in the folder that the environment names.
"""

from __future__ import annotations

import fnmatch
import functools
import importlib.abc
import importlib.machinery
import inspect
import json
import os
import sys
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from .value_expressions import ExpressionWriter, UnrebuildableError

SETTINGS = "SPELLOUT_RECORDING"
MAX_RESULT = 100_000
_TESTS = ("test_*.py", "*_test.py", "conftest.py")
_TEST_FOLDERS = ("tests", "test")


class CallRecorder:
    """Records calls.

    Args:
        folder: The folder of the package.
        functions: Patterns of `module.function`; empty for all that do not begin with an underscore.
        most: Calls that are recorded or skipped per function, at most.
        output: The folder of the recordings.
    """

    def __init__(self, folder: str, functions: Sequence[str], most: int, output: str) -> None:
        self._folder, self._functions, self._most = Path(folder), functions, most
        self._file = (Path(output) / f"calls-{os.getpid()}.jsonl").open("a", encoding="utf-8")
        self._seen: Counter[str] = Counter()
        self._calls: set[str] = set()
        self._local = threading.local()
        self._lock = threading.Lock()

    def is_own(self, module: str) -> bool:
        """Whether a module belongs to the package."""
        found = sys.modules.get(module)
        return found is not None and self.is_own_file(getattr(found, "__file__", None))

    def is_own_file(self, file: str | None) -> bool:
        """Whether a file belongs to the package and is no test."""
        if not file or not file.endswith(".py"):
            return False
        path = Path(file).resolve()
        if not path.is_relative_to(self._folder):
            return False
        inside = path.relative_to(self._folder)
        is_test = any(fnmatch.fnmatch(path.name, pattern) for pattern in _TESTS)
        hidden = any(part.startswith(".") or part in ("site-packages", *_TEST_FOLDERS) for part in inside.parts[:-1])
        return not is_test and not hidden

    def wrap_module(self, module: ModuleType) -> None:
        """Puts recording functions in place of the module's own."""
        for name, value in list(vars(module).items()):
            is_own = isinstance(value, FunctionType) and value.__module__ == module.__name__ and value.__name__ == name
            if is_own and self._is_chosen(module.__name__, name):
                setattr(module, name, self._wrapped(value))

    def _is_chosen(self, module: str, name: str) -> bool:
        if not self._functions:
            return not name.startswith("_")
        return any(fnmatch.fnmatch(f"{module}.{name}", pattern) or name == pattern for pattern in self._functions)

    def _wrapped(self, function: FunctionType) -> Callable[..., Any]:
        where = f"{function.__module__}.{function.__name__}"
        resumable = (inspect.isgeneratorfunction, inspect.iscoroutinefunction, inspect.isasyncgenfunction)
        reason = "it is a generator or coroutine function" if any(test(function) for test in resumable) else ""

        @functools.wraps(function)
        def recording(*arguments: Any, **keywords: Any) -> Any:
            if getattr(self._local, "inside", False) or self._seen[where] >= self._most:
                return function(*arguments, **keywords)
            self._local.inside = True
            record = self._begin(function, where, arguments, keywords, reason)
            try:
                result = function(*arguments, **keywords)
            except BaseException as error:
                self._end(record, exception=type(error).__name__)
                raise
            else:
                self._end(record, value=result)
                return result
            finally:
                self._local.inside = False

        return recording

    def _begin(
        self, function: FunctionType, where: str, arguments: Sequence[Any], keywords: dict[str, Any], reason: str
    ) -> dict[str, Any] | None:
        """The record of a call, without its result; None if the same call was recorded before."""
        code = function.__code__
        record: dict[str, Any] = {
            "module": function.__module__,
            "function": function.__name__,
            "file": code.co_filename,
            "line": code.co_firstlineno,
        }
        writer = ExpressionWriter(self.is_own)
        try:
            if reason:
                raise UnrebuildableError(reason)
            record["call"] = writer.call(function.__name__, arguments, keywords)
        except UnrebuildableError as error:
            record["skipped"] = str(error)
        except Exception as error:  # noqa: BLE001 - an argument's own __repr__, __eq__ or property may raise anything
            record["skipped"] = f"an argument raises {type(error).__name__} when it is read"
        record["imports"], record["names"] = sorted(writer.imports), sorted(writer.names)
        if "call" in record:
            key = f"{where}\0{record['call']}"
            if key in self._calls:
                return None
            self._calls.add(key)
        self._seen[where] += 1
        return record

    def _end(self, record: dict[str, Any] | None, *, value: Any = None, exception: str | None = None) -> None:
        if record is None:
            return
        if "call" in record:
            try:
                record["value"] = None if exception else repr(value)
                record["exception"] = exception
                if len(record["value"] or "") > MAX_RESULT:
                    record["skipped"] = "the result is too long"
            except Exception as error:  # noqa: BLE001 - the result's own __repr__
                record["skipped"] = f"the result's repr raises {type(error).__name__}"
        with self._lock:
            self._file.write(json.dumps(record) + "\n")
            self._file.flush()


class _RecordingFinder(importlib.abc.MetaPathFinder):
    """Finds the package's modules as the other finders do, and wraps their functions once they are loaded."""

    def __init__(self, recorder: CallRecorder) -> None:
        self._recorder = recorder

    def find_spec(self, name: str, path: Any, target: Any = None) -> importlib.machinery.ModuleSpec | None:
        for finder in sys.meta_path:
            find = getattr(finder, "find_spec", None)
            spec = None if finder is self or find is None else find(name, path, target)
            if spec is not None:
                if spec.loader is not None and self._recorder.is_own_file(spec.origin):
                    spec.loader = _RecordingLoader(spec.loader, self._recorder)
                return spec  # type: ignore[no-any-return]
        return None


class _RecordingLoader(importlib.abc.Loader):
    def __init__(self, loader: Any, recorder: CallRecorder) -> None:
        self._loader, self._recorder = loader, recorder

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType | None:
        return self._loader.create_module(spec)  # type: ignore[no-any-return]

    def exec_module(self, module: ModuleType) -> None:
        self._loader.exec_module(module)
        self._recorder.wrap_module(module)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loader, name)


if SETTINGS in os.environ:
    sys.meta_path.insert(0, _RecordingFinder(CallRecorder(**json.loads(os.environ[SETTINGS]))))
