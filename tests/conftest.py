"""Figures that tests measure are shown when the tests end: `record_property("figure", "...")`."""

import sys

import pytest


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """A line a figure, with the interpreter that it was measured on."""
    for report in terminalreporter.getreports("passed"):
        for name, value in report.user_properties:
            if name == "figure":
                terminalreporter.write_line(f"Python {sys.version_info.major}.{sys.version_info.minor}: {value}")
