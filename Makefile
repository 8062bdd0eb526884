# make demo: set everything up and run the main job.   make test: run every check.
# make test-all: also the checks that take long.   make docs: the documentation as a site.
# make dist: the package.
PYTHON ?= python3
BIN := .venv/bin
# Python compiles the modules that it imports; pip would compile all, which takes twenty seconds.
# Modules that stay compiled halve the time of a start, so Python may keep them.
PIP_OPTIONS := -q --disable-pip-version-check --no-compile
unexport PYTHONDONTWRITEBYTECODE
INSTALL := PYTHONWARNINGS=ignore $(BIN)/python -m pip install $(PIP_OPTIONS) -c constraints.txt -e
RUN := $(BIN)/gafreecell

demo: .venv/installed
	$(RUN) demo

# The checks of the text use one core, so they run beside the start of the tests.
test: .venv/tested
	$(MAKE) -j 2 text tests

.PHONY: text tests
text: .venv/tested
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

tests: .venv/tested
	$(BIN)/pytest -n 2 --dist worksteal

test-all: test oldest newest
	$(BIN)/pytest -m long

# The checks with the oldest and the newest versions of the dependencies that pyproject.toml allows.
oldest: OPTIONS = -c constraints-oldest.txt
oldest newest:
	$(PYTHON) -m venv out/$@
	out/$@/bin/python -m pip install $(PIP_OPTIONS) $(OPTIONS) -U --upgrade-strategy eager -e '.[dev]'
	GAFREECELL_CACHE=$(CURDIR)/out/$@/cache out/$@/bin/pytest -n 2

# The package, as the index of packages would get it.
dist: .venv/tested
	rm -rf build dist
	$(BIN)/python -m build -q --no-isolation
	@ls dist

docs: .venv/documented
	rm -rf out/site
	$(BIN)/sphinx-build -q -W --keep-going -b html docs out/site
	@echo "Open out/site/index.html"

# Each makes a study, or a table of the docs, with the program of its name.
TABLES := reference bench results paper coevolution printed rivals fc-solve proved cells million \
	fewest-moves nine-random thoughtful hidden calibration judgement own-game klondike-best klondike-rules \
	trainers rules features-alone portfolios solvitaire winnable man-machine pyramid rating splits workers
.PHONY: demo test test-all oldest newest dist docs optimisers lists survey-scale \
	serving licences replay-speed screenshots clean $(TABLES)
$(TABLES): .venv/installed
	$(BIN)/python benchmarks/$(subst -,_,$@).py

optimisers: .venv/installed
	$(BIN)/python -m pip install $(PIP_OPTIONS) -r benchmarks/optimisers.txt
	$(BIN)/python benchmarks/optimisers.py

# Each list by one command, which continues after an interruption; see docs/solve/lists.md for what they cost.
PYSOLS = 1-110022 200002-211079
SURVEY = $(RUN) survey --check 200
KLONDIKE = $(SURVEY) $(PYSOLS) --game klondike --grades --nodes 1000000000 --memory 4G --shard 10000
# Deals on which nothing was trained. Few nodes decide most; the lists tell how many of the others can be won.
SAMPLE = $(SURVEY) --game klondike --verdicts --nodes 300000 --memory 1G --shard 10000
# Status 1 says that some deal is open.
lists: .venv/installed
	$(SURVEY) 1-100000 --game pyramid --grades --shard 10000 -o lists/pyramid
	$(BIN)/python benchmarks/cells.py
	$(SURVEY) 1-1000000 --grades -o lists/freecell
	$(SURVEY) 1-100000000 --verdicts --weights fastest --nodes 1000000000 --memory 9G --shard 1000000 \
		-o lists/freecell-verdicts || test $$? = 1
	$(KLONDIKE) -o lists/klondike-draw-3 || test $$? = 1
	$(KLONDIKE) --variant draw=1 -o lists/klondike-draw-1 || test $$? = 1
	$(SAMPLE) 3000001-3830000 -o lists/klondike-sample-3 || test $$? = 1
	$(SAMPLE) 3000001-3460000 --variant draw=1 -o lists/klondike-sample-1 || test $$? = 1
	$(BIN)/python benchmarks/lists.py

survey-scale: .venv/installed
	$(RUN) survey 1-1000000 -o out/million
	$(BIN)/python benchmarks/survey_scale.py

serving: .venv/tested
	$(BIN)/python benchmarks/serving.py

licences: .venv/tested .venv/documented
	$(BIN)/python benchmarks/licences.py

# These two need Chromium: apt-get install chromium.
replay-speed: .venv/tested
	$(BIN)/python benchmarks/replay_speed.py

screenshots: .venv/tested
	$(BIN)/python benchmarks/screenshots.py

clean:
	rm -rf .venv out build *.egg-info

# The pip that comes with Python 3.11 takes twice as long as this one.
.venv/bin/python:
	$(PYTHON) -m venv .venv
	$@ -m pip install $(PIP_OPTIONS) -c constraints.txt -U pip

.venv/installed: pyproject.toml constraints.txt | .venv/bin/python
	$(INSTALL) .
	@touch $@

.venv/tested: pyproject.toml constraints.txt | .venv/bin/python
	$(INSTALL) '.[dev]'
	@touch .venv/installed $@

.venv/documented: pyproject.toml constraints.txt | .venv/bin/python
	$(INSTALL) '.[docs]'
	@touch .venv/installed $@
