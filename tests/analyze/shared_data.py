"""Where the development data lies, which is no part of the project: tests that need it skip where it is missing."""

import json
from typing import Any

import pytest

from tests.places import DATA


def rows(name: str) -> list[dict[str, Any]]:
    """The rows of a JSONL file; skips the test, saying so, where the file is missing."""
    path = DATA / name
    if not path.is_file():
        pytest.skip(f"{path} is missing")
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
