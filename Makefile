# Run `make` for the list of targets.

program := vitrine
built := .build/debug/$(program)
released := .build/dist/$(program)
# The benchmarks link the program like the deployed one.
as_deployed := STATIC_SWIFT=1 swift build --configuration release
# The scripts that are written in Python.
python := api-docs check-prose check-words mutate read-routes test

ONLY :=
SECONDS := 60
MINUTES := 10
EXAMPLES := 200
CLIENTS := 1000000
PROXY := varnish
SWITCH :=

.DEFAULT_GOAL := help
.PHONY: help dev test contract lint format bench soak cache stress fuzz sanitize mutate release docs clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-9s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

dev: ## Install missing packages, build, and run everything until Ctrl-C
	@scripts/install-packages run build
	@swift build --product $(program)
	@$(built) dev

test: ## Install missing packages and run the tests [ONLY=pattern]
	@scripts/install-packages run build test
	@scripts/test $(ONLY)

contract: ## Test the API with generated clients and requests [EXAMPLES=200]
	@scripts/install-packages run build contract
	swift build --product $(program)
	scripts/generate-clients $(built)
	scripts/try-api $(built) $(EXAMPLES)

lint: ## Check format, target graph, fuzz targets, scripts and prose
	@scripts/install-packages run build test
	swift format lint --strict --recursive Package.swift Sources Tests
	scripts/check-graph
	scripts/embedded
	scripts/fuzz --check
	scripts/mutate --check
	shellcheck .ci/run Tests/stub-program config/compose/make-secrets $(filter-out $(addprefix scripts/,$(python)),$(wildcard scripts/*))
	python3 -c 'import ast, pathlib, sys; [ast.parse(pathlib.Path("scripts", name).read_text()) for name in sys.argv[1:]]' $(python)
	scripts/check-prose
	scripts/check-words docs help api code tests sql scripts identifiers wire commits
	scripts/api-docs --check

format: ## Format the sources in place
	swift format --in-place --recursive Package.swift Sources Tests

bench: ## Run the benchmarks and write .build/bench.json [ONLY=http,pages] [SIZE=items] [BEFORE=path]
	@scripts/install-packages run build bench
	$(as_deployed) --product $(program)
	$(as_deployed) --product Benchmarks
	.build/release/Benchmarks --json .build/bench.json $(if $(ONLY),--only $(ONLY))

soak: ## Run the server under load with misbehaving clients [MINUTES=10]
	@scripts/install-packages run build bench
	$(as_deployed) --product $(program)
	$(as_deployed) --product Benchmarks
	.build/release/Benchmarks soak $(MINUTES)

cache: ## Test shared pages in caches [CLIENTS=1000000] [PROXY=nginx] [SWITCH=runs] [HEADERS_ONLY=1] [PROGRAM=path]
	@scripts/install-packages run build test bench
	$(as_deployed) --product $(program)
	$(as_deployed) --product Benchmarks
	.build/release/Benchmarks cache --json .build/cache.json $(if $(SWITCH),--switches $(SWITCH) $(if $(REMOVE_STALE),--remove-stale),--clients $(CLIENTS) --proxy $(PROXY) $(if $(HEADERS_ONLY),--headers-only)) $(if $(PROGRAM),--program $(PROGRAM))

stress: ## Test sync clients while servers are killed and restarted [MINUTES=10]
	@scripts/install-packages run build test
	$(as_deployed) --product $(program)
	swift build --build-tests
	STRESS_MINUTES=$(MINUTES) TESTED_PROGRAM=.build/release/$(program) swift test --skip-build --disable-xctest --filter StressTests

fuzz: ## Fuzz the parsers [ONLY=name] [SECONDS=60]
	scripts/fuzz $(ONLY) $(SECONDS)

sanitize: ## Run the tests of the C wrappers under sanitizers [ONLY="address HTTPTests"]
	@scripts/install-packages run build test
	scripts/sanitize $(ONLY)

mutate: ## Apply each mutation and fail if no test notices it [ONLY=name]
	@scripts/install-packages run build test
	scripts/mutate $(ONLY)

release: ## Build the stripped program with the Swift library, .build/dist/vitrine
	@scripts/release $(program) $(released)

docs: ## Write the reference of all modules to .build/docs
	@scripts/docs

clean: ## Remove build products and keep the data in .vitrine
	rm -rf .build
	@if [ -d .vitrine ]; then echo "Kept the data in .vitrine. Delete it to start again."; fi
