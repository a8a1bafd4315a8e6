# The entry point for all tasks. Every target sets up what it needs; `make help` lists the targets.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.NOTPARALLEL:

JOBS ?= $(shell nproc)
FUZZ_SECONDS ?= 60
PROPERTY_CASES ?= 30000
CRASH_POINTS ?= 1000
CROSSCHECK ?= 3000 300 2
NOISE_DRAWS ?= 100000000
SECONDS ?= 600
pictured_run = --sampling-rate 0.01 --noise-multiplier 1.1 --steps 10000 --delta 1e-5
pictured_noise = 0.8,1.1,1.5,2,4
readme_run = --dataset-size 60000 --batch-size 256 --epochs 60 --noise-multiplier 1.1 --delta 1e-5
LIMIT ?= 300
CONFIGURATIONS ?= 1000000
CALLS ?= 1000000
CLASS_CALLS ?= 100000

# $(call build,PRESET,TARGETS) configures if necessary, then builds.
build_dir = $(if $(filter release,$(1)),build,build/$(1))
configure = [[ $(build_dir)/build.ninja -nt CMakePresets.json ]] || cmake --preset $(1)
build = { $(configure); } && cmake --build --preset $(1) -j $(JOBS) $(if $(2),--target $(2))
run_tests = ctest --preset $(1) -j $(JOBS)
# Sanitizers expect memory at fixed addresses, so address randomisation is switched off where the system allows it.
fixed_addresses = $(shell setarch -R true 2>/dev/null && echo setarch -R)

.PHONY: help run build docs site python source wheel deb try-deb release test bless test-times gate-times test-peers test-opacus wasm test-wasm web serve test-web bench-web bench-server check alone consumer sanitize fuzz property faults machine-crashes crosscheck histograms replay secrets noise-timing-check soak bench bench-peers bench-micro bench-sweep bench-instructions bench-filter bench-matrix bench-noise bench-noise-timing lint format clean

help:  ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-18s %s\n", $$1, $$2 }' Makefile

run: build  ## a privacy report of a DP-SGD run
	@build/bin/renyi epsilon --dataset-size 60000 --batch-size 256 --epochs 60 --noise-multiplier 1.1 --delta 1e-5

build:  ## the library and the command, build/bin/renyi
	@tools/setup build
	@$(call build,release,renyi renyi_cli renyi_shell_files)

docs: build  ## what programs make: docs/mechanisms.md, structs and classes of mechanisms, docs/pictures, docs/benchmarks.md
	@tools/setup plot
	@build/bin/renyi mechanisms --markdown >docs/mechanisms.md
	@tools/generate-mechanisms build/bin/renyi
	@for kind in profile steps outcomes; do \
	  build/bin/renyi plot $$kind $(pictured_run) --out docs/pictures/$$kind.svg; done
	@build/bin/renyi plot loss --noise-multiplier 1 --delta 0.05 --out docs/pictures/loss.svg
	@build/bin/renyi plot steps $(subst 1.1,$(pictured_noise),$(pictured_run)) --out docs/pictures/overlay.svg
	@build/bin/renyi sweep docs/pictures/heat.json --plot docs/pictures/heat.svg >/dev/null
	@build/bin/renyi plot epochs $(readme_run) --size 800px,420px --font-size 12 \
	  --title 'The same training, a smaller ε: δ = 10⁻⁵, noise multiplier σ = 1.1' --out docs/pictures/readme.svg 2>/dev/null
	@/usr/bin/python3 bench/report/report.py

site: python  ## the documentation site, in build/site; MkDocs from PyPI
	@tools/setup build venv
	@$(call build,release,renyi_cli)
	@tools/venv build/venv/site --system 'mkdocs==1.6.1' 'mkdocs-material==9.8.1' 'pymdown-extensions==12.3' \
	  'Markdown==3.11.3' 'Pygments==2.21.0' 'Jinja2==3.1.6'
	@NO_MKDOCS_2_WARNING=1 PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=build/python build/venv/site/bin/mkdocs build --quiet --strict \
	  --config-file site/mkdocs.yml
	@/usr/bin/python3 -B site/check.py build/site

python:  ## the Python package, in build/python
	@tools/setup build python
	@$(call build,release,renyi_python)

source:  ## the source archive, build/source/renyi-VERSION.tar.gz; it builds without git
	@tools/source-archive

wheel: web  ## wheels for every CPython at hand (PYTHONS), in build/wheel, each tried in a fresh environment from PyPI
	@tools/setup build venv
	@JOBS=$(JOBS) tools/wheel $(PYTHONS)

deb: web  ## the Debian packages, in build/deb
	@tools/setup build deb
	@JOBS=$(JOBS) tools/deb

try-deb:  ## the packages of build/deb, tried in a minimal Debian 12; needs root
	@tools/setup deb
	@tools/try-deb

release:  ## the checklist of a release: all artefacts with checksums, in build/release
	@tools/release

test:  ## everything a change must pass
	@tools/setup build python plot postgres bench
	@tools/postgresql fetch
	@$(call build,release)
	@$(call run_tests,release)

bless:  ## rewrite transcripts and documents from what is printed now; NUMBERS=1 lets numbers change, FILES="..." only these
	@tools/setup build python plot
	@$(call build,release,renyi renyi_cli)
	@failed=0; \
	$(if $(FILES),,/usr/bin/python3 -B tests/bless/bless.py $(if $(filter 1,$(NUMBERS)),--numbers) generated build || failed=1;) \
	$(call build,release,cli_tests renyi_python); \
	/usr/bin/python3 -B tests/bless/bless.py --jobs $(JOBS) $(if $(filter 1,$(NUMBERS)),--numbers) exchanges build $(FILES) || failed=1; \
	exit $$failed

test-peers: python  ## against dp-accounting from PyPI: random events and plans
	@tools/setup venv
	@tools/venv build/venv/peers 'dp-accounting==0.6.0' 'pytest>=7' 'hypothesis>=6'
	@PYTHONPATH=build/python build/venv/peers/bin/python -m pytest -q -s tests/peers
	@PYTHONPATH=build/python build/venv/peers/bin/python -m pytest -q \
	  tests/python/test_{questions,agreement,divergence}.py   # the same extension module with NumPy from PyPI

test-opacus: python  ## a real Opacus training with our accountant; Debian's torch
	@tools/setup venv torch
	@tools/venv build/venv/opacus --system --no-deps 'opacus==1.4.0' 'opt-einsum==3.4.0'
	@PYTHONPATH=build/python build/venv/opacus/bin/python -m pytest -q tests/opacus tests/python/test_examples.py

wasm:  ## the engine in WebAssembly with its package @renyi/engine, in build/wasm/engine
	@tools/setup build wasm
	@$(call build,wasm)

test-wasm: wasm  ## the engine in WebAssembly beside the native command, by Node's own test runner
	@$(call build,release,renyi_cli)
	@node --test web/engine/test/

web: wasm  ## the page as static files, in build/web, from npm's packages
	@tools/setup npm
	@tools/node-modules
	@cd web && npm run --silent build

test-web: web test-wasm  ## the engine in WebAssembly, then the page: its modules in Node, and all of it in Chromium
	@tools/setup browser
	@cd web && node --test tests/unit/*.test.mjs tests/browser/*.test.mjs

serve: web build  ## the page, questions and an example ledger on 127.0.0.1:8080
	@build/bin/renyi serve --demo

bench-server: python  ## a server under load: 64 clients for 60 s, beside a Python service around dp-accounting
	@tools/setup venv load
	@$(call build,release,renyi_cli)
	@tools/venv build/venv/race 'dp-accounting==0.6.0' 'prv-accountant==0.2.0'
	@/usr/bin/python3 bench/server/load.py build bench/results/server.json --peer build/venv/race/bin/python
	@/usr/bin/python3 bench/server/attacks.py build --out bench/results/server.json
	@/usr/bin/python3 bench/report/report.py

bench-web: web  ## frame times and the delay of the number while a slider of the page is dragged
	@tools/setup browser
	@cd web && node bench/drag.mjs

test-times:  ## the slowest 30 tests of the last `make test`, in seconds of wall time
	@tools/test-times build/Testing/Temporary/LastTest.log 30

gate-times:  ## what each part of the gate takes from nothing, in CPU seconds, written into CONTRIBUTING.md: PARTS='make lint'
	@tools/gate-times $(if $(PARTS),'$(PARTS)')

check: test alone consumer sanitize fuzz property machine-crashes crosscheck histograms secrets noise-timing-check  ## test, every file by itself, sanitizers, a minute of fuzzing a target (FUZZ_SECONDS), large random runs

alone:
	@tools/setup build python
	@$(call build,alone)
	@$(call build,alone,bench_programs)

consumer:
	@tools/setup build
	@cmake -G Ninja -S tests/consumer/add_subdirectory -B build/consumer -DRENYI_SOURCE_DIR=$(CURDIR)
	@cmake --build build/consumer -j $(JOBS)
	@build/consumer/consumer

sanitize:
	@tools/setup build postgres
	@tools/postgresql fetch
	@for preset in asan tsan; do $(fixed_addresses) $(MAKE) --no-print-directory sanitize-$$preset; done

sanitize-%:
	@$(call build,$*)
	@$(call run_tests,$*)

fuzz:
	@tools/setup build clang
	@$(call build,fuzz)
	@$(fixed_addresses) tools/fuzz $(FUZZ_SECONDS)

property:
	@tools/setup build
	@$(call build,release,property_tests contract_tests)
	@RENYI_PROPERTY_CASES=$(PROPERTY_CASES) ctest --preset release -j $(JOBS) -L property
	@RENYI_SWEEP=full ctest --preset release -j $(JOBS) -R LargeLossLaws

machine-crashes:
	@tools/setup build
	@$(call build,release,ledger_tests)
	@RENYI_CRASH_POINTS=$(CRASH_POINTS) ctest --preset release -j $(JOBS) -R 'ledger/(MachineCrash|SqliteFaults)'

crosscheck:  ## fast answers against certified ones: CROSSCHECK="POINTS PLANS SEED"
	@tools/setup build
	@$(call build,release,crosscheck)
	@JOBS=$(JOBS) tools/crosscheck $(CROSSCHECK)

histograms:  ## histograms of noise against exact probabilities, NOISE_DRAWS=100000000 draws each
	@tools/setup build
	@$(call build,release,noise_tests)
	@RENYI_NOISE_DRAWS=$(NOISE_DRAWS) ctest --preset release -j $(JOBS) -R noise/Histograms

replay:  ## 2,000 recorded answers beside those of a build: BUILD=path of another renyi, REPLAY="--drop note --overlap"
	@tools/setup build
	@$(if $(BUILD),,$(call build,release,renyi_cli))
	@tools/replay $(REPLAY) $(if $(BUILD),'$(BUILD)')

faults:  ## the ledger under 2,000 kills, crashes of the machine, restarts of PostgreSQL, and every tampering
	@tools/setup build postgres
	@tools/postgresql fetch
	@$(call build,release,ledger_tests)
	@RENYI_FAULTS=full RENYI_CRASH_POINTS=$(CRASH_POINTS) ctest --preset release -j $(JOBS) -L ledger

secrets:  ## the shipped samplers under valgrind: no branch or address on secrets, equal numbers of instructions
	@tools/setup build bench
	@$(call build,release,secrets)
	@tests/noise/secrets/watch.sh build/tests/noise/secrets/secrets

noise-timing-check:  ## whether single calls of the samplers tell inputs or outcomes apart: CLASS_CALLS=100000 of each class
	@tools/setup build
	@$(call build,release,bench_noise_timing)
	@build/bench/noise_timing --check $(CLASS_CALLS)

soak:  ## fuzzing, property tests, cross-checks and histograms of noise with fresh seeds, for SECONDS=600
	@tools/setup build clang
	@$(call build,fuzz)
	@$(call build,release,property_tests noise_tests crosscheck)
	@$(fixed_addresses) tools/soak $(SECONDS)

bench:  ## every performance claim, measured
	@tools/setup build python
	@$(call build,release,bench_programs)
	@for program in build/bench/*; do if [[ -f $$program && -x $$program ]]; then $$program; fi; done

bench-peers: python  ## the race against other accountants, from PyPI; what takes longer than LIMIT=300 is stopped
	@tools/setup venv torch
	@$(call build,release,bench_race)
	@tools/venv build/venv/race 'dp-accounting==0.6.0' 'prv-accountant==0.2.0'
	@tools/venv build/venv/autodp 'autodp==0.2.3.1' 'numpy==1.23.5' 'scipy==1.9.3'   # a newer SciPy breaks its searches
	@tools/venv build/venv/opacus --system --no-deps 'opacus==1.4.0' 'opt-einsum==3.4.0'
	@/usr/bin/python3 bench/peers/race.py build bench/results/peers.json --limit $(LIMIT)
	@/usr/bin/python3 bench/report/report.py

bench-micro:  ## single pieces, by Google Benchmark, and what a call takes beside what it needs
	@tools/setup build
	@$(call build,release,bench_micro bench_roofline)
	@/usr/bin/python3 bench/report/micro.py build bench/results/micro.json
	@build/bench/roofline >bench/results/roofline.json
	@/usr/bin/python3 bench/report/report.py

bench-sweep:  ## a sweep of CONFIGURATIONS=1000000 on one core and on two
	@tools/setup build
	@$(call build,release,bench_sweep renyi_cli)
	@build/bench/sweep $(CONFIGURATIONS) >bench/results/sweep.json
	@/usr/bin/python3 bench/report/report.py

bench-instructions:  ## instructions of each question, by callgrind
	@tools/setup build bench
	@$(call build,release,bench_race)
	@/usr/bin/python3 bench/report/instructions.py build bench/results/instructions.json
	@/usr/bin/python3 bench/report/report.py

# A library that cannot be installed is reported as such.
bench-filter:  ## what a verdict of a filter costs, and a step of individual accounts
	@tools/setup build bench
	@$(call build,release,bench_may_run bench_individual_filter)
	@build/bench/may_run
	@build/bench/individual_filter

bench-matrix:  ## banded matrices over a million rounds
	@tools/setup build bench
	@$(call build,release,bench_matrix)
	@build/bench/matrix

bench-noise:  ## what exact noise costs, beside OpenDP, diffprivlib, python-dp and NumPy
	@tools/setup build venv
	@$(call build,release,bench_noise)
	@tools/venv build/venv/opendp 'opendp==0.16.0' || true
	@tools/venv build/venv/diffprivlib 'diffprivlib==0.6.6' 'scikit-learn==1.6.1' || true   # a newer one it cannot import
	@tools/venv build/venv/python-dp 'python-dp==1.1.5' || true
	@/usr/bin/python3 bench/peers/noise.py build bench/results/noise.json
	@/usr/bin/python3 bench/report/report.py

bench-noise-timing:  ## whether the time of a call says anything about its noise: CALLS=1000000, beside OpenDP
	@tools/setup build venv
	@$(call build,release,bench_noise_timing)
	@tools/venv build/venv/opendp 'opendp==0.16.0' || true
	@/usr/bin/python3 bench/peers/noise_timing.py build bench/results/noise_timing.json --calls $(CALLS)
	@/usr/bin/python3 bench/report/report.py

lint:  ## clang-format, clang-tidy, layers, names and spelling; BASE=main looks only at the files changed since then
	@tools/setup build clang spelling
	@$(call configure,release)
	@$(call configure,alone)
	@tools/lint $(JOBS) $(BASE)

format:  ## rewrite the sources in the project's style
	@tools/setup clang
	@tools/sources | xargs -0 clang-format-14 -i

clean:  ## remove what was built
	@rm -rf build
