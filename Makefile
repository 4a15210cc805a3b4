# All commands; CI calls the same ones. `make help` lists them.

PYTHON ?= python3
BIN := .venv/bin
# Created when the environment is complete, so that an interrupted installation is repeated.
READY := .venv/.ready
DEMO_READY := .venv/.demo
CODE := $(wildcard metrics/[a-z]*/[a-z]*.py) answer_metrics scripts examples tests $(wildcard spaces benchmarks)

export PIP_DISABLE_PIP_VERSION_CHECK := 1
export HF_UPDATE_DOWNLOAD_COUNTS := 0
export GRADIO_ANALYTICS_ENABLED := False
export HF_HUB_DISABLE_TELEMETRY := 1
# Each of the many processes that the tests start would otherwise compile everything again.
export PYTHONDONTWRITEBYTECODE :=

.DEFAULT_GOAL := help
.PHONY: help agreement demo test format lint bench simulations cards build new-metric publish space integration matrix \
  fuzz coverage clean clients wheel

help: ## List the commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# Create .venv and install a dependency group.
define install
@$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed, this is " + sys.version.split()[0] \
  + "; name another with PYTHON=python3.12" if sys.version_info < (3, 11) else 0)'
@echo "Setting up .venv ($2) ..."
@test -x $(BIN)/python || $(PYTHON) -m venv .venv
@$(BIN)/python -m pip install --quiet "pip>=25.1"
@$(BIN)/python -m pip install --quiet --constraint constraints.txt --group $1
@$(BIN)/python -m pip install --quiet --no-deps --editable .
@touch $@
endef

$(READY): pyproject.toml constraints.txt
	$(call install,dev,about a minute)
	@touch $(DEMO_READY)

$(DEMO_READY): pyproject.toml constraints.txt
	$(call install,demo,half a minute)

demo: $(DEMO_READY) ## Score the sample data with every metric, offline and without a key
	@$(BIN)/python examples/quickstart.py

# A process more than cores, since some tests wait for servers, but at most 8: each loads all metrics.
JOBS ?= $(shell $(PYTHON) -c 'import os; print(min(8, os.cpu_count() + 1))')

test: $(READY) ## Run all but the integration tests
	@$(BIN)/python -m pytest -q -n $(JOBS) -m "not integration"

matrix: ## Run the tests on every installed Python, and with the lowest library versions: [ONLY=3.12] [TESTS=path]
	@$(PYTHON) -m scripts.matrix $(if $(ONLY),--python $(ONLY)) -- -n $(JOBS) $(TESTS)

format: $(READY) ## Format the code and fix what can be fixed
	@$(BIN)/python -m ruff check --quiet --fix-only .
	@$(BIN)/python -m ruff format .

lint: $(READY) ## Check style, types and the tables of the cards
	@$(BIN)/python -m scripts.document --check
	@$(BIN)/python -m ruff check .
	@$(BIN)/python -m ruff format --check .
	@$(BIN)/python -m mypy $(CODE)

bench: $(READY) ## Measure speed against peers, and scaling (about 20 minutes)
	@$(BIN)/python -m benchmarks.growth
	@$(BIN)/python -m benchmarks.run

agreement: $(READY) ## Compare accuracy with human judgments: DATA=evouna-nq.json or a folder; without, the grids
	@$(BIN)/python -m benchmarks.agreement "$(DATA)"

simulations: $(READY) ## Simulate intervals and comparisons (a few minutes), or human labels: [DATA=evouna-nq.json]
	@$(if $(DATA),$(BIN)/python -m benchmarks.simulations labels "$(DATA)", \
	  $(BIN)/python -m benchmarks.simulations intervals && $(BIN)/python -m benchmarks.simulations comparisons \
  && $(BIN)/python -m benchmarks.simulations corrections && $(BIN)/python -m benchmarks.simulations samples \
  && $(BIN)/python -m benchmarks.simulations planning)

cards: $(READY) ## Update the tables of the cards
	@$(BIN)/python -m scripts.document

build: $(READY) ## Write self-contained directories to build/spaces: [METRIC=accuracy]
	@$(BIN)/python -m spaces.build $(METRIC)

new-metric: $(READY) ## Create a directory for a new metric: NAME=token_overlap
	@$(BIN)/python -m scripts.new_metric "$(NAME)"

wheel: $(READY) ## Build the package answer_metrics: dist/answer_metrics-*.whl
	@$(BIN)/python -m pip wheel --quiet --no-deps --wheel-dir dist .
	@ls dist/*.whl

SPACE_READY := .venv/.space

$(SPACE_READY): $(READY)
	@echo "Adding Gradio to .venv (once) ..."
	@$(BIN)/python -m pip install --quiet --constraint constraints.txt --group space
	@touch $@

# Options that decide what is overwritten are accepted on the command line only, not from environment variables.
given = $(if $(filter command,$(origin $1)),$($1))

publish: $(SPACE_READY) ## Publish Spaces: ORG=me [METRIC=..] [DRY_RUN=1] [FREE=1] [SDK=static] [FORCE=1] [REPOSITORY=url]
	@$(BIN)/python -m spaces.publish "$(call given,ORG)" $(call given,METRIC) $(if $(filter-out 0,$(DRY_RUN)),--dry-run) \
	  $(if $(call given,SDK),--sdk $(call given,SDK)) $(if $(filter-out 0,$(call given,FREE)),--free) \
	  $(if $(call given,REPOSITORY),--repository "$(call given,REPOSITORY)") \
	  $(if $(filter-out 0,$(call given,FORCE)),--force)

space: $(SPACE_READY) ## Run the Space of a metric locally: METRIC=accuracy, or METRIC=gallery for all metrics on one page
	@test -n "$(METRIC)" || { echo "Name a metric, as in: make space METRIC=accuracy"; exit 2; }
	@$(BIN)/python -m spaces.build $(if $(filter gallery,$(METRIC)),,"$(METRIC)") >/dev/null
	@cd "build/spaces/$(METRIC)" && "$(CURDIR)/$(BIN)/python" app.py

integration: .venvs/integration/.ready .venvs/evals/.ready ## Run the integration tests: processes, servers, a browser, torch, Ray: [TESTS=path]
	@.venvs/integration/bin/python -m pytest -q -n 2 --dist loadfile -m integration $(TESTS)

clients: .venvs/lighteval/.ready .venvs/promptfoo/.ready ## Install LightEval and promptfoo, whose recipes are tested then

# Without our pins, which exclude them.
.venvs/evals/.ready .venvs/lighteval/.ready: .venvs/%/.ready: pyproject.toml
	@echo "Setting up .venvs/$* ..."
	@$(PYTHON) -m venv .venvs/$*
	@.venvs/$*/bin/python -m pip install --quiet "pip>=25.1"
	@.venvs/$*/bin/python -m pip install --quiet --group $*
	@touch $@

.venvs/promptfoo/.ready:
	@npm install --silent --prefix .venvs/promptfoo promptfoo@0.121.20
	@touch $@

# The environment of a dependency group.
.venvs/%/.ready: pyproject.toml constraints.txt
	@echo "Setting up .venvs/$* ..."
	@$(PYTHON) -m venv .venvs/$*
	@.venvs/$*/bin/python -m pip install --quiet "pip>=25.1"
	@.venvs/$*/bin/python -m pip install --quiet --constraint constraints.txt --group $*
	@.venvs/$*/bin/python -m pip install --quiet --no-deps --editable .
	@touch $@

fuzz: $(READY) ## Run the property tests on new random inputs: [EXAMPLES=2000] for each
	@FUZZ_EXAMPLES=$(or $(EXAMPLES),2000) $(BIN)/python -m pytest -q -n $(JOBS) -m hypothesis --hypothesis-profile=fuzz \
	  tests/unit tests/properties

COVERAGE_READY := .venv/.coverage

$(COVERAGE_READY): $(READY)
	@echo "Adding coverage to .venv (once) ..."
	@$(BIN)/python -m pip install --quiet --group coverage
	@touch $@

coverage: $(COVERAGE_READY) ## Run the tests and report what they do not run; fails below a floor: [TESTS=path]
	@$(BIN)/python -m coverage erase
	@$(BIN)/python -m coverage run -m pytest -q -n $(JOBS) -m "not integration" $(TESTS)
	@$(BIN)/python -m coverage combine --quiet
	@$(BIN)/python -m scripts.credit_cached
	@$(BIN)/python -m coverage report $(if $(TESTS),--fail-under=0)

clean: ## Remove everything that these commands created
	@rm -rf .venv .venvs build dist build .cache .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage .coverage.*
	@find . -name __pycache__ -prune -exec rm -rf {} + -o -name .gradio -prune -exec rm -rf {} +
