# Every target works from a bare machine with git, make and Python >= 3.11.
PYTHON ?= python3
BIN := .venv/bin

# Tests start many processes: where bytecode is not kept, each compiles all modules again.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: play test check fix words commands pictures readme-pictures bench strength chaos cluster lock audit clean

play: .venv/run        ## start the bot in a Discord of its own on this machine
	$(BIN)/python -m bot $(ARGS)

test: .venv/dev        ## run every test
	$(BIN)/python -m pytest -n auto --dist worksteal $(ARGS)

check: .venv/dev       ## lint, format, types, and the directions of the imports
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

fix: .venv/dev         ## mend what can be mended by machine
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

words: .venv/run       ## bring the catalogues up to date with the sources; ARGS=da begins a language
	$(BIN)/python -m bot.i18n.extraction $(ARGS)

pictures: .venv/dev    ## paint all boards and cards on one page, to look at; ARGS="thaayam --theme night"
	$(BIN)/python -m tests.gallery $(ARGS)

readme-pictures: .venv/dev  ## draw the pictures of the README again; needs Chromium
	$(BIN)/python -m tests.readme_pictures

commands: .venv/run    ## write docs/commands.md from the commands
	$(BIN)/python -m bot.interactions.command_page

bench: .venv/dev       ## measure; BENCHMARKS.md says what the figures mean
	$(BIN)/python -m bench $(ARGS)

strength: .venv/strength  ## let the computer's levels play each other; takes hours, ARGS="tablut --jobs 2"
	$(BIN)/python -m ai strength --write $(ARGS)

chaos: .venv/dev       ## kill the bot, let Discord fail, press at random; ARGS="--kills 50 --seed 2"
	$(BIN)/python -m tests.chaos $(ARGS)

cluster: .venv/dev     ## kill, suspend and replace several processes while people play; ARGS="--kills 50 --seed 2"
	$(BIN)/python -m tests.cluster $(ARGS)

lock:                  ## pin requirements/*.in again, with hashes and without addresses
	$(PYTHON) -m venv .venv/lock && .venv/lock/bin/pip install --quiet uv
	cd requirements && for f in gateway run strength dev; do ../.venv/lock/bin/uv pip compile --quiet --universal \
	  --python-version 3.11 --generate-hashes --no-emit-index-url --upgrade \
	  --custom-compile-command "make lock" --output-file $$f.txt $$f.in; done

audit:                 ## look for known vulnerabilities in what is pinned
	$(PYTHON) -m venv .venv/audit && .venv/audit/bin/pip install --quiet pip-audit
	for f in gateway run strength dev; do .venv/audit/bin/pip-audit --require-hashes --disable-pip \
	  --requirement requirements/$$f.txt || exit 1; done

clean:
	rm -rf .venv .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache

.venv/%: requirements/%.txt
	@test -x $(BIN)/python || { echo "Setting up in .venv, once:"; $(PYTHON) -m venv .venv; }
	@requirements/install $(BIN)/python $<
	@touch $@
