# make demo: set everything up and run the main job.   make test: run every check.
# make test-all: the checks that take minutes, too.   make docs: the documentation as a site.
PYTHON ?= python3
BIN := .venv/bin
RUN := $(BIN)/gafreecell

.PHONY: demo test test-all reference docs bench results rivals fc-solve proved cells trainers rules million thoughtful man-machine pyramid hidden rating splits licences clean

demo: .venv/installed
	rm -rf out/demo
	$(RUN) evolve runs/demo.toml --out out/demo
	$(RUN) plot out/demo -o out/demo/progress.png
	$(RUN) plot out/demo --kind fitness -o out/demo/fitness.png
	$(RUN) plot out/demo --kind weights -o out/demo/weights.png
	$(RUN) export out/demo -o out/demo/weights.json
	$(RUN) evaluate out/demo/weights.json hsdh-same-search --deals 50001-50400 --nodes 100000 \
		-o out/demo/evaluation.csv > out/demo/evaluation.md
	$(RUN) plot out/demo/weights.json hsdh-same-search --kind cactus --deals 50001-50400 \
		-o out/demo/cactus.png
	@echo
	@cat out/demo/evaluation.md
	@echo
	@echo "Open out/demo/progress.png first: the evolved weights on deals they never trained on, beside"
	@echo "published heuristics. The table above compares them with HSDH on other deals."
	@echo "Solve one with them: $(RUN) solve 617 --weights out/demo/weights.json"

test: .venv/tested
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/pytest -n 2

test-all: test
	$(BIN)/pytest -m long

reference: .venv/installed
	$(BIN)/python benchmarks/reference.py

docs: .venv/documented
	rm -rf out/site
	$(BIN)/sphinx-build -q -W --keep-going -b html docs out/site
	@echo "Open out/site/index.html"

bench: .venv/installed
	$(BIN)/python benchmarks/bench.py

results: .venv/installed
	$(BIN)/python benchmarks/results.py

rivals: .venv/installed
	$(BIN)/python benchmarks/rivals.py

fc-solve: .venv/installed
	$(BIN)/python benchmarks/fc_solve.py

proved: .venv/installed
	$(BIN)/python benchmarks/proved.py

cells: .venv/installed
	$(BIN)/python benchmarks/cells.py

million: .venv/installed
	$(BIN)/python benchmarks/million.py

thoughtful: .venv/installed
	$(BIN)/python benchmarks/thoughtful.py

hidden: .venv/installed
	$(BIN)/python benchmarks/hidden.py

trainers: .venv/installed
	$(BIN)/python benchmarks/trainers.py

rules: .venv/installed
	$(BIN)/python benchmarks/rules.py

man-machine: .venv/installed
	$(BIN)/python benchmarks/man_machine.py

pyramid: .venv/installed
	$(BIN)/python benchmarks/pyramid.py

rating: .venv/installed
	$(BIN)/python benchmarks/rating.py

splits: .venv/installed
	$(BIN)/python benchmarks/splits.py

licences: .venv/tested .venv/documented
	$(BIN)/python benchmarks/licences.py

clean:
	rm -rf .venv out build *.egg-info

.venv/installed: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install -q --disable-pip-version-check -c constraints.txt -e .
	@touch $@

.venv/tested: .venv/installed
	$(BIN)/python -m pip install -q --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $@

.venv/documented: .venv/installed
	$(BIN)/python -m pip install -q --disable-pip-version-check -c constraints.txt -e '.[docs]'
	@touch $@
