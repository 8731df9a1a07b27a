# Needs python3 (3.11 or later), make and a package index; every target sets up the rest by itself.

PYTHON  ?= python3
WORKERS ?= 2
ARGS    ?=

VENV      := .venv
BIN       := $(VENV)/bin
INSTALLED := $(VENV)/.installed
DOCS      := $(VENV)/.docs
PIP       := $(BIN)/python -m pip --quiet --disable-pip-version-check

# Without compiled bytecode every start takes three times as long.
unexport PYTHONDONTWRITEBYTECODE
# An active environment must not stand in for the project's own.
unexport VIRTUAL_ENV PYTHONHOME

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo test test-deep fuzz chromium lint bench docs constraints clean

help: ## Say what can be made
	@echo "make TARGET [PYTHON=python3] [WORKERS=2] [ARGS=...]"
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/  \1|\2/p' $(MAKEFILE_LIST) | \
		while IFS='|' read -r target text; do printf '%-14s %s\n' "$$target" "$$text"; done

demo: $(INSTALLED) ## Anonymize a generated hospital table, from start to report
	$(BIN)/unlinkable demo $(ARGS)

test: $(INSTALLED) chromium ## Run what every change must pass, the same in every run
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal $(ARGS)

test-deep: $(INSTALLED) chromium ## Try everything: all drawn examples, browser journeys and pairs (an hour or more)
	$(BIN)/python -m pytest --deep -n $(WORKERS) --dist worksteal $(ARGS)

fuzz: $(INSTALLED) ## Try random releases, tamperings, bad inputs and kills, and count what fails
	$(BIN)/python -m tools.fuzz --workers $(WORKERS) $(ARGS)

chromium: ## Install the browser that the studio is tested in, where it is missing
	@sh tools/chromium.sh

lint: $(INSTALLED) ## Check style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(INSTALLED) ## Print the table of ratios against other tools
	$(BIN)/python -m benchmarks $(ARGS)

docs: $(DOCS) ## Build the documentation into site/
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	@echo "open site/index.html"

pages: $(INSTALLED) ## Write the pages that follow from what is in the library
	for page in models_page metrics_page methods_page methods_and_models attacks_page rooms; do \
		$(BIN)/python -m tools.$$page || exit; done

constraints: $(DOCS) ## Look for newer versions of everything and pin them
	$(BIN)/python tools/constraints.py

clean: ## Remove all that was made, the environment included
	rm -rf $(VENV) site demo dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(INSTALLED): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "unlinkable needs Python 3.11 or later: name one with make PYTHON=..." >&2; exit 1; }
	@echo "setting up $(VENV) (once; a minute or two)"
	$(PYTHON) -m venv $(VENV)
	$(PIP) install --editable '.[dev]' --constraint constraints.txt
	@touch $@

$(DOCS): $(INSTALLED)
	$(PIP) install --editable '.[dev,docs]' --constraint constraints.txt
	@touch $@
