# Every target works on a bare machine with git, make and Python >= 3.11.
PYTHON ?= python3
BIN := .venv/bin
TOOLS := .venv/tools/bin
LIST := PYTHONWARNINGS=ignore $(TOOLS)/cyclonedx-py requirements --pyproject pyproject.toml --output-reproducible

# Tests start many processes. Without stored bytecode, each would compile all modules again.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: play test check fix words commands pictures readme-pictures bench strength chaos cluster mutants lock audit release sbom clean

play: .venv/run        ## start the bot in its own Discord on this machine
	$(BIN)/python -m bot $(ARGS)

test: .venv/dev        ## run every test
	$(BIN)/python -m pytest -n auto --dist worksteal $(ARGS)

check: .venv/dev       ## lint, format, types, import directions
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

fix: .venv/dev         ## fix what can be fixed automatically
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

words: .venv/run       ## update the catalogues from the sources; ARGS=da starts a language
	$(BIN)/python -m bot.app.words.extraction $(ARGS)

pictures: .venv/dev    ## paint all boards and cards on one page; ARGS="thaayam --theme night"
	$(BIN)/python -m tests.gallery $(ARGS)

readme-pictures: .venv/dev  ## redraw the README's pictures; needs Chromium
	$(BIN)/python -m tests.readme_pictures

commands: .venv/run    ## regenerate docs/commands.md from the commands
	$(BIN)/python -m bot.app.words.command_page

bench: .venv/dev       ## measure; BENCHMARKS.md explains the figures
	$(BIN)/python -m bench $(ARGS)

strength: .venv/strength  ## play the computer's levels against each other; takes hours, ARGS="tablut --jobs 2"
	$(BIN)/python -m ai strength --write $(ARGS)

chaos: .venv/dev       ## kill the bot, make Discord fail, press at random; ARGS="--kills 50 --seed 2"
	$(BIN)/python -m tests.chaos $(ARGS)

cluster: .venv/dev     ## kill, suspend and replace several processes while people play; ARGS="--kills 50 --seed 2"
	$(BIN)/python -m tests.cluster $(ARGS)

mutants: .venv/dev .venv/mutants  ## change the pure rules bit by bit, and show what no test notices; ARGS="bot.play.delivery.plan*"
	$(BIN)/mutmut run $(ARGS)
	$(BIN)/mutmut results

lock: .venv/tools/ready   ## pin requirements/*.in again, with hashes and without addresses
	cd requirements && for f in gateway run strength dev mutants tools; do ../$(TOOLS)/uv pip compile --quiet --universal \
	  --python-version 3.11 --generate-hashes --no-emit-index-url --upgrade \
	  --custom-compile-command "make lock" --output-file $$f.txt $$f.in || exit 1; done

audit: .venv/tools/ready  ## look for known vulnerabilities in the pinned dependencies
	for f in gateway run strength dev mutants tools; do $(TOOLS)/pip-audit --strict --require-hashes --disable-pip \
	  --requirement requirements/$$f.txt || exit 1; done

release: .venv/dev     ## check that this commit can be released, and say what is left to do
	@$(BIN)/python -m tests.release

sbom: .venv/tools/ready   ## list what a gateway and a worker install, in var/*.cdx.json (CycloneDX)
	@mkdir -p var
	@$(LIST) --output-file var/gateway.cdx.json requirements/gateway.txt
	@$(LIST) --output-file var/worker.cdx.json requirements/run.txt

clean:
	rm -rf mutants .venv .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache

.venv/%: requirements/%.txt
	@$(BIN)/python -m pip --version >/dev/null 2>&1 || requirements/environment $(PYTHON)
	@requirements/install $(BIN)/python $<
	@touch $@

.venv/tools/ready: requirements/tools.txt
	@$(TOOLS)/python -m pip --version >/dev/null 2>&1 || requirements/environment $(PYTHON) .venv/tools
	@requirements/install $(TOOLS)/python $<
	@touch $@
