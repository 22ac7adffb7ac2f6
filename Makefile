# Everything a newcomer or contributor runs. Each target sets up what it needs in .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
NATIVE := $(shell find native -type f 2>/dev/null) CMakeLists.txt pyproject.toml

.PHONY: demo test test-data bench lint sanitize clean

demo: $(VENV)/.installed
	@$(BIN)/python examples/demo.py

test: $(VENV)/.installed
	$(BIN)/python -m pytest -q

test-data: $(VENV)/.installed
	$(BIN)/python -m pytest -q -m data

bench: $(VENV)/.installed
	$(BIN)/python benchmarks/inference.py

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# The tests under AddressSanitizer and UndefinedBehaviorSanitizer, in an environment of their own.
sanitize: .venv-sanitize/.installed
	ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1 \
	LD_PRELOAD="$$(g++ -print-file-name=libasan.so) $$(g++ -print-file-name=libubsan.so)" \
	.venv-sanitize/bin/python -m pytest -q -x -p no:cacheprovider

clean:
	rm -rf $(VENV) .venv-sanitize build

.PHONY: toolchain
toolchain:
	@command -v $(PYTHON) >/dev/null || { echo "treaty: no $(PYTHON) found. Install Python 3.11 or newer (Debian: apt-get install python3 python3-venv python3-dev)."; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "treaty: $(PYTHON) is older than 3.11. Install a newer Python and run: make PYTHON=python3.11 $(MAKECMDGOALS)"; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { echo "treaty: $(PYTHON) has no venv module. Install it (Debian: apt-get install python3-venv)."; exit 1; }
	@command -v $${CXX:-g++} >/dev/null || { echo "treaty: no C++ compiler found. Install g++ 11 or newer (Debian: apt-get install g++; Fedora: dnf install gcc-c++)."; exit 1; }

$(VENV)/.installed: $(NATIVE) | toolchain
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q --disable-pip-version-check -e '.[test]'
	@touch $@

$(VENV)/.dev: $(VENV)/.installed
	$(BIN)/python -m pip install -q --disable-pip-version-check -e '.[dev]'
	@touch $@

.venv-sanitize/.installed: $(NATIVE) | toolchain
	@test -x .venv-sanitize/bin/python || $(PYTHON) -m venv .venv-sanitize
	.venv-sanitize/bin/python -m pip install -q --disable-pip-version-check -e '.[test]' \
	  -C cmake.define.TREATY_SANITIZE=ON -C cmake.build-type=Debug -C build-dir=build/sanitize
	@touch $@
