# Everything deskcheck does with itself. Needs python3 (3.11 or newer, with venv), make, a C compiler; no more.
# Each target sets up what it needs in .venv, once per change of the files that say what to install.

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
DIST := $(VENV)/dist
PIP_INSTALL := -m pip install -qq --disable-pip-version-check -c constraints.txt
INPUTS := pyproject.toml setup.py constraints.txt $(shell find src -name "*.[ch]")
# The extras train and downstream are installed where the pinned torch is: on 3.11. Elsewhere its tests are skipped and say so.
TRAIN := $(shell $(PYTHON) -c 'import sys; print("train,downstream," * (sys.version_info < (3, 12)))')
# Under PYTHONDONTWRITEBYTECODE imports of big libraries take seconds; some libraries ship files that don't compile.
COMPILE := -m compileall -qq -j 0
# Nor are the tests compiled again at each run.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help setup run run-long quick test whole check bench slow dist docs clean

help:  ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' Makefile

setup: $(VENV)/.eval  ## .venv with deskcheck[eval], installed editable and byte-compiled

run: $(VENV)/.eval  ## the shipped model executes programs and is scored: minutes on two cores
	@PATH="$(CURDIR)/$(BIN):$$PATH" measurements/run.sh

run-long: $(VENV)/.eval  ## what `make run` leaves out: every strategy on everything, no cap
	@PATH="$(CURDIR)/$(BIN):$$PATH" measurements/run.sh --long

check: $(VENV)/.dev  ## format, lint, types, layers, words, bars: under a minute
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy
	$(BIN)/python -m pytest -q --every-test tests/test_layers.py tests/test_imports.py tests/test_cli_start.py tests/test_words.py tests/test_plugin_names.py \
		tests/test_paths.py tests/test_new.py tests/test_names.py tests/tracing/test_headers.py
	$(BIN)/python -m pytest -q -s -m '' tests/test_bars.py

# What needs no sandbox, model or browser.
QUICK := format grading report states statistics test_layers.py test_words.py test_plugin_names.py
quick: $(VENV)/.dev  ## tests that answer in under a minute
	$(BIN)/python -m tests.timed $(VENV)/quick.json $(BIN)/python -m pytest -q -n 2 --dist loadfile --every-test --ignore tests/report/test_browser.py $(addprefix tests/,$(QUICK))

# A test that hangs costs five minutes, not the run: it fails with the stacks of all threads. Three workers for two
# processors, because tests wait for clocks, servers and browsers in a sixth of their time.
WHOLE := -q -n 3 --dist loadfile --rerun-sandbox --timeout 300

# The sandbox's tests run real programs against real clocks: on a busy machine one can lose. They alone run again
# when they fail, and the summary names them (RERUN): such a name is a test to mend.
# The wheel is built beside the first tests. Its own tests come late, and wait for `built` or `failed`.
test: $(VENV)/.train  ## the whole suite, the built wheel in an empty environment included
	@rm -rf $(DIST)
	@(mkdir -p $(DIST) && make -s dist > $(VENV)/make-dist.log 2>&1 && touch $(DIST)/built || touch $(DIST)/failed) & \
		DESKCHECK_DIST=$(CURDIR)/$(DIST) $(BIN)/python -m pytest $(WHOLE); code=$$?; wait; exit $$code

# Minutes of each fuzzing: of the tracers against each other, and of what reads foreign bytes.
MINUTES ?= 60

# The suite on another Python: make whole PYTHON=python3.12 VENV=.venv-3.12
whole: $(VENV)/.dev
	$(BIN)/python -m pytest $(WHOLE) -p no:cacheprovider

slow: $(VENV)/.train $(VENV)/.docs  ## the tests that take minutes to hours, and fuzzing: make slow MINUTES=60
	HYPOTHESIS_PROFILE=explore $(BIN)/python -m pytest -m slow
	$(BIN)/python -m tests.mutants
	$(BIN)/python -m tests.tracing.fuzz --minutes $(MINUTES) --seed $$(date +%j) --workers 1 --out $(VENV)/fuzz
	@$(BIN)/python -c 'import atheris' 2> /dev/null || $(BIN)/python -m pip install -qq --disable-pip-version-check atheris \
		|| echo 'atheris cannot be installed here (it needs Linux and a Python that it has a wheel for): the decoders are not fuzzed'
	@! $(BIN)/python -c 'import atheris' 2> /dev/null \
		|| $(BIN)/python -m tests.fuzz.decoders all --minutes $(MINUTES) --corpus $(VENV)/fuzz/corpus

bench: $(VENV)/.eval  ## the measurements; what each says stands in measurements/README.md
	@for file in measurements/*.py; do echo "== $$file"; $(BIN)/python $$file || exit 1; done

docs: $(VENV)/.docs  ## the documentation site in build/site/html; a broken link ends it
	$(BIN)/python docs/make_site.py

# The wheel is built from the sdist, so that both are complete; a third copy is built with no compiler at hand.
dist: $(VENV)/.train
	@rm -rf $(DIST) && mkdir -p $(DIST)
	@$(BIN)/python -m build --outdir $(DIST) . > $(VENV)/dist.log 2>&1 || { cat $(VENV)/dist.log; exit 1; }
	@$(PYTHON) -m venv $(DIST)/env
	@$(DIST)/env/bin/python $(PIP_INSTALL) $(DIST)/*.whl
	@$(DIST)/env/bin/python $(COMPILE) $(DIST)/env/lib || true
	@CC=false $(DIST)/env/bin/python $(PIP_INSTALL) --no-cache-dir --no-deps --target $(DIST)/no-compiler $(DIST)/*.tar.gz

clean:  ## remove what the targets above made
	rm -rf .venv .venv-* build dist src/*.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find src -name '*.so' -delete

$(VENV)/.eval: $(INPUTS)
	$(call install,[eval],.eval)
$(VENV)/.dev: $(INPUTS)
	$(call install,[eval$(,)dev],.eval .dev)
$(VENV)/.docs: $(INPUTS)
	$(call install,[docs],.docs)
$(VENV)/.train: $(INPUTS)
	$(call install,[$(TRAIN)eval$(,)dev],.eval .dev .train)

, := ,
define install
	@$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit("deskcheck needs Python 3.11 or newer; $(PYTHON) is " + sys.version.split()[0] + "; name another: make PYTHON=python3.12")'
	@echo "setting up $(VENV) with deskcheck$(1): minutes the first time"
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python $(PIP_INSTALL) -e '.$(1)'
	@$(BIN)/python $(COMPILE) $(VENV)/lib src || true
	@cd $(VENV) && touch $(2)
endef
