# The commands of the project. `make demo` and `make test` set up what they need.
PYTHON ?= $(firstword $(shell command -v python3.11) $(wildcard $(HOME)/.pyenv/versions/3.11.*/bin/python3.11) python3)
# Other interpreters are used where they are found; a version that is missing is named and skipped.
find = $(firstword $(wildcard $(HOME)/.pyenv/versions/$(1).*/bin/python$(1)) $(shell python$(1) -c 'import sys; print(sys.executable)' 2>/dev/null))
PIP = -m pip install --quiet --disable-pip-version-check -c constraints.txt

.PHONY: demo test test-all test-slow test-3.12 test-3.13 fuzz test-stdlib test-stdlib-3.11 test-stdlib-3.12 test-stdlib-3.13 test-packages coverage lint figures bench gpu-check clean

.venv/.ready: pyproject.toml constraints.txt
	@echo "setting up .venv (torch and transformers are the large part; a few minutes once)"
	@$(PYTHON) -m venv .venv
	@.venv/bin/python $(PIP) torch
	@.venv/bin/python $(PIP) -e '.[model,datasets,plot,dev]'
	@touch $@

.venv-%/.ready: pyproject.toml constraints.txt
	@echo "setting up .venv-$*"
	@$(call find,$*) -m venv .venv-$*
	@.venv-$*/bin/python $(PIP) -e '.[datasets,dev]'
	@touch $@

# Other programs: make demo SEED=7
SEED ?= 0
DEMO = runs/demo$(if $(filter-out 0,$(SEED)),-$(SEED))

demo: .venv/.ready
	@.venv/bin/spellout run demo --model pocket --max-tokens 1024 --stop-after 1.25 --batch-size 64 --seed $(SEED) --output $(DEMO)
	@.venv/bin/python -m runner.pocket.results $(DEMO)

# What a change has to pass at once: one Python, without the tests that take long. About three minutes on two cores.
test: .venv/.ready
	.venv/bin/python -m pytest -n 2 -m 'not slow'

# Everything on Python 3.11, and all but the slow tests on every other Python that is found: half an hour on two cores.
test-all: test test-slow test-3.12 test-3.13

test-slow: .venv/.ready
	.venv/bin/python -m pytest -n 2 -m slow

test-3.12 test-3.13: test-%:
	@if [ -n "$(call find,$*)" ]; then $(MAKE) --no-print-directory .venv-$*/.ready && \
	  .venv-$*/bin/python -m pytest -n 2 -m 'not model and not slow' --ignore tests/runner; \
	else echo "no Python $* found: its tests are skipped"; fi

# The drawn tests with other examples every time; all other targets draw the same ones. A failure prints how to have it
# again.
fuzz: .venv/.ready
	SPELLOUT_PROFILE=fuzz .venv/bin/python -m pytest -n 2 -m hypothesis
	.venv/bin/python -m tests.rewrite.logged --seconds 120
	.venv/bin/python -m tests.rewrite.planned --seconds 120
	.venv/bin/python -m tests.rewrite.passes.campaign --seconds 120

# The standard library rewritten, and CPython's own test suite run against it: about ten minutes a version.
test-stdlib: test-stdlib-3.11 test-stdlib-3.12 test-stdlib-3.13

test-stdlib-3.11: .venv/.ready
	.venv/bin/python -m tests.stdlib.suite

test-stdlib-3.12 test-stdlib-3.13: test-stdlib-%: .venv-%/.ready
	.venv-$*/bin/python -m tests.stdlib.suite

# Packages of others rewritten whole, and their own tests: fetched from the package index, so not part of `test`.
test-packages: .venv/.ready
	.venv/bin/python -m tests.packages.suite

# Lines and branches that no quick test comes to, by file. What runs in processes of its own (programs, commands of the
# sandbox) is not counted.
coverage: .venv/.ready
	.venv/bin/python -m pytest -n 2 -m 'not slow' --cov --cov-report term

lint: .venv/.ready
	.venv/bin/ruff check . && .venv/bin/ruff format --check . && .venv/bin/mypy

# The figures of README and docs that shipped data (and ../shared/data, if it is there) can make: a few minutes.
figures: .venv/.ready
	.venv/bin/python bench/figures.py

bench: .venv/.ready
	@for file in bench/bench_*.py; do .venv/bin/python $$file || exit 1; done

# On a machine with one large GPU, with the Python that it has: what verifying and decoding cost there (or --small).
gpu-check:
	@PYTHONPATH=. python3 -m runner.backends.transformers.gpu_check

clean:
	rm -rf .venv .venv-3.* .mypy_cache .pytest_cache .ruff_cache
