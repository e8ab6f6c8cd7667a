# make setup                             the environment in .venv, which the others make, too
# make crawl [CORPUS=DIR]                the main job, on the bundled sample web
# make crawl SEEDS=FILE USER_AGENT="mybot/1.0 (+https://bot.your-domain/)"   the same on the web, from your own seeds
# make test                              format, lint, types, import contracts; beside them the quick tests
# make test-slow                         tests that take seconds of a processor: whole crawls, fleets, kills, reports
# make bench [BENCH=name] [ARGS=--quick] the benchmarks
# make train DATA=DIR [SETS="a b"]       trains the cleaners on gold pages; with SETS the default one alone, on those sets
# make test-long                         kill matrices, fuzzing and properties on many more examples, by hand

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
CORPUS ?= corpus
SEEDS ?=
USER_AGENT ?=
BENCH ?= *
ARGS ?=
SAMPLE := $(CORPUS)/sampleweb

.PHONY: train crawl test checks tests kernels test-slow test-long bench setup setup-dev clean

# Where the environment keeps Python from writing compiled modules, every command compiles ours again.
export PYTHONDONTWRITEBYTECODE :=

setup: $(VENV)/.run
setup-dev: $(VENV)/.dev

# Debian's Python comes without ensurepip: its pip, if there is one, then fills the environment.
$(BIN)/python:
	$(PYTHON) -m venv $(VENV) 2>/dev/null >&2 \
	  || { $(PYTHON) -m venv --clear --without-pip $(VENV) && $(PYTHON) -m pip --python $@ install --quiet pip; } \
	  || { rm -rf $(VENV); echo "make: $(PYTHON) makes no environment; install python3-venv, or name another Python 3.11 or newer: make PYTHON=..." >&2; exit 1; }
# pip before 24 takes the same extra, spelled by two distributions in two ways, for two.
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade 'pip>=24'

$(VENV)/.run: pyproject.toml constraints.txt | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e .
	touch $@

$(VENV)/.dev: pyproject.toml constraints.txt | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	touch $@ $(VENV)/.run

ifeq ($(SEEDS),)
crawl: $(VENV)/.run
	SCRAPY_PROJECT=local $(BIN)/scrapy sampleweb --folder $(SAMPLE) -- \
	  $(BIN)/scrapy crawl odp -a seeds=$(SAMPLE)/seeds.rdf -s CORPUS_DIR=$(CORPUS) -s HOSTS_FILE=$(SAMPLE)/hosts.tsv --nolog
	$(BIN)/scrapy pagerank --corpus $(CORPUS)
	$(BIN)/scrapy sampleweb --folder $(SAMPLE) --check $(CORPUS)
	@echo "The corpus is in $(abspath $(CORPUS))"
else
crawl: $(VENV)/.run
	$(BIN)/scrapy crawl odp -a seeds=$(SEEDS) -s CORPUS_DIR=$(CORPUS) --nolog $(if $(USER_AGENT),-s 'USER_AGENT=$(USER_AGENT)')
	$(BIN)/scrapy pagerank --corpus $(CORPUS)
	@echo "The corpus is in $(abspath $(CORPUS))"
endif

test: $(VENV)/.dev
	$(MAKE) --jobs 2 checks tests

checks: $(VENV)/.dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# Five workers for two cores: each waits, for servers, delays and time-outs, in two fifths of its time, measured; and
# takes seven seconds to collect the tests. Files in the order of tests/conftest.py. What is compiled is kept: each
# process compiles all modules otherwise.
tests test-slow: $(VENV)/.dev kernels
	PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -m "not long and $(if $(filter tests,$@),not )slow" \
	  -n 5 --dist loadfile --no-loadscope-reorder

# Before the tests, not in each of their workers; a crawl sees to it by itself.
kernels: $(VENV)/.run
	$(BIN)/python -m crawler.rehearsal > /dev/null

test-long: $(VENV)/.dev
	$(BIN)/python -m pytest -m "long or hypothesis" --hypothesis-profile=many

bench: $(VENV)/.dev
	@for file in tests/benchmarks/bench_$(BENCH).py; do $(BIN)/python -m tests.benchmarks.$$(basename $$file .py) $(ARGS) || exit 1; done

train: $(VENV)/.dev
	$(BIN)/python -m pipelines.evaluation.training.winnow --data $(DATA) $(if $(SETS),--sets $(SETS))
	$(if $(SETS),,for method in subtrees ncleaner max_subsequence victor; do $(BIN)/python -m pipelines.evaluation.training.$$method $(DATA) || exit 1; done)

clean:
	rm -rf $(VENV) build *.egg-info .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
