# Everything sets itself up: a Python 3.11 or newer and make are enough.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
# As many as there are processors; no test is quicker for more than eight.
WORKERS ?= auto

.PHONY: demo validate test test-model lint lock clean

demo: $(READY)
	@$(BIN)/pae demo

validate: $(READY)
	$(BIN)/pae validate

test: $(READY) lint
	$(BIN)/pytest -n $(WORKERS) --maxprocesses 8

# Fetches a small model (530 MB) into the user's cache the first time.
test-model: $(READY)
	$(BIN)/pytest -m model tests/model

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# Newest versions for the verifier's image; the tool lives in a folder that goes again.
lock:
	@set -e; tool=$$(mktemp -d); trap 'rm -rf "$$tool"' EXIT; \
	$(PYTHON) -m venv "$$tool"; \
	"$$tool/bin/pip" install --quiet --disable-pip-version-check uv==0.13.9; \
	"$$tool/bin/uv" pip compile --quiet --universal --python-version 3.11 --upgrade \
		--generate-hashes --only-binary :all: --emit-build-options --no-annotate \
		--custom-compile-command 'make lock' -o verifiers/requirements.txt verifiers/requirements.in

$(READY): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Python 3.11 or newer is needed: make PYTHON=/path/to/python3.11"; exit 2; }
	@$(PYTHON) -m venv $(VENV) || \
		{ echo "$(PYTHON) cannot make a venv; on Debian and Ubuntu: apt install python3-venv"; exit 2; }
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis
