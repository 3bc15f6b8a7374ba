"""Tests of `analyze.instrumentation`."""
