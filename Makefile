# Needs Python >= 3.10 with venv and pip, and make. Another interpreter: make test PYTHON=python3.12
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Read by the tests for its robot files only: its own dependencies (torch among them) stay out.
MJLAB := mjlab==1.6.0

# What the machine's environment says about Python does not reach the virtual environment.
unexport PYTHONPATH PYTHONHOME PYTHONSTARTUP PYTHONUSERBASE VIRTUAL_ENV MYPYPATH PYTEST_ADDOPTS
export PYTHONNOUSERSITE := 1
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: demo test quick lint clean

demo: $(VENV)/installed
	$(BIN)/sesshoku demo

test: lint
	$(BIN)/python -m pytest -n 2

quick: $(VENV)/tested
	$(BIN)/python -m pytest -n 2 -m "not slow"

lint: $(VENV)/tested
	$(BIN)/ruff check src tests
	$(BIN)/ruff format --check src tests
	$(BIN)/mypy

clean:
	rm -rf $(VENV) out dist .pytest_cache .mypy_cache .ruff_cache

# Stamps: installed again when the project's metadata changes.
$(VENV)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10) and "Sesshoku needs Python >= 3.10: make PYTHON=...")'
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/installed: $(VENV)/python pyproject.toml
	$(BIN)/python -m pip install --quiet --editable .
	@touch $@

$(VENV)/tested: $(VENV)/python pyproject.toml
	$(BIN)/python -m pip install --quiet --editable '.[test]'
	$(BIN)/python -m pip install --quiet --no-deps '$(MJLAB)'
	@touch $(VENV)/installed $@
