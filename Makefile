# The commands of the house. `make demo` and `make test` each set up what they need; nothing has to be run before.
PYTHON ?= $(firstword $(shell command -v python3.11) $(wildcard $(HOME)/.pyenv/versions/3.11.*/bin/python3.11) python3)
# Other interpreters are used where they are found; a version that is missing is named and skipped.
find = $(firstword $(wildcard $(HOME)/.pyenv/versions/$(1).*/bin/python$(1)) $(shell python$(1) -c 'import sys; print(sys.executable)' 2>/dev/null))
PIP = -m pip install --quiet --disable-pip-version-check -c constraints.txt

.PHONY: demo test test-3.11 test-3.12 test-3.13 test-stdlib test-stdlib-3.11 test-stdlib-3.12 test-stdlib-3.13 test-packages lint bench clean

.venv/.ready: pyproject.toml constraints.txt
	@echo "setting up .venv (torch and transformers are the large part; a few minutes once)"
	@$(PYTHON) -m venv .venv
	@.venv/bin/python $(PIP) torch
	@.venv/bin/python $(PIP) -e '.[model,datasets,dev]'
	@touch $@

.venv-%/.ready: pyproject.toml constraints.txt
	@echo "setting up .venv-$*"
	@$(call find,$*) -m venv .venv-$*
	@.venv-$*/bin/python $(PIP) -e '.[datasets,dev]'
	@touch $@

demo: .venv/.ready
	@.venv/bin/spellout run demo --model pocket --max-tokens 640 --out runs/demo

test: test-3.11 test-3.12 test-3.13

test-3.11: .venv/.ready
	.venv/bin/python -m pytest -n 2

test-3.12 test-3.13: test-%:
	@if [ -n "$(call find,$*)" ]; then $(MAKE) --no-print-directory .venv-$*/.ready && \
	  .venv-$*/bin/python -m pytest -n 2 -m 'not model' --ignore tests/runner; \
	else echo "no Python $* found: its tests are skipped"; fi

# The standard library rewritten, and CPython's own test suite run against it: about ten minutes a version.
test-stdlib: test-stdlib-3.11 test-stdlib-3.12 test-stdlib-3.13

test-stdlib-3.11: .venv/.ready
	.venv/bin/python -m tests.stdlib.suite

test-stdlib-3.12 test-stdlib-3.13: test-stdlib-%: .venv-%/.ready
	.venv-$*/bin/python -m tests.stdlib.suite

# Packages of others rewritten whole, and their own tests: fetched from the package index, so not part of `test`.
test-packages: .venv/.ready
	.venv/bin/python -m tests.packages.suite

lint: .venv/.ready
	.venv/bin/ruff check . && .venv/bin/ruff format --check . && .venv/bin/mypy

bench: .venv/.ready
	@for file in bench/bench_*.py; do .venv/bin/python $$file || exit 1; done

clean:
	rm -rf .venv .venv-3.* .mypy_cache .pytest_cache .ruff_cache
