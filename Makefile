# Run `make` for the list of targets.

program := vitrine
built := .build/debug/$(program)
released := .build/dist/$(program)
# What is measured is linked as what is deployed.
as_deployed := STATIC_SWIFT=1 swift build --configuration release

ONLY :=
SECONDS := 60
MINUTES := 10
EXAMPLES := 200

.DEFAULT_GOAL := help
.PHONY: help dev test contract lint format bench soak stress fuzz sanitize mutate release docs clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-9s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

dev: ## Install what is missing, build, and run everything until Ctrl-C
	@scripts/install-packages run build
	@swift build --product $(program)
	@$(built) dev

test: ## Install what is missing and run every test
	@scripts/install-packages run build test
	@scripts/test $(ONLY)

contract: ## Try the API with requests made from its OpenAPI document [EXAMPLES=200]
	@scripts/install-packages run build contract
	swift build --product $(program)
	scripts/try-api $(built) $(EXAMPLES)

lint: ## Check format, target graph, what is embedded, scripts and prose
	@scripts/install-packages run build test
	swift format lint --strict --recursive Package.swift Sources Tests
	scripts/check-graph
	scripts/embedded
	scripts/mutate --check
	shellcheck .ci/run Tests/stub-program config/compose/make-secrets $(filter-out scripts/test scripts/check-words,$(wildcard scripts/*))
	python3 -c 'import ast, pathlib; [ast.parse(pathlib.Path("scripts", name).read_text()) for name in ("test", "check-words")]'
	scripts/check-prose
	scripts/check-words identifiers

format: ## Format the sources in place
	swift format --in-place --recursive Package.swift Sources Tests

bench: ## Measure, and write .build/bench.json [ONLY=name] [SIZE=items]
	@scripts/install-packages run build bench
	$(as_deployed) --product $(program)
	$(as_deployed) --product Benchmarks
	.build/release/Benchmarks --json .build/bench.json $(if $(ONLY),--only $(ONLY))

soak: ## Serve for minutes under load beside clients that misbehave [MINUTES=10]
	@scripts/install-packages run build bench
	$(as_deployed) --product $(program)
	$(as_deployed) --product Benchmarks
	.build/release/Benchmarks soak $(MINUTES)

stress: ## Follow with clients while everything is killed and restarted [MINUTES=10]
	@scripts/install-packages run build test
	$(as_deployed) --product $(program)
	swift build --build-tests
	STRESS_MINUTES=$(MINUTES) TESTED_PROGRAM=.build/release/$(program) swift test --skip-build --disable-xctest --filter StressTests

fuzz: ## Fuzz the parsers [ONLY=name] [SECONDS=60]
	scripts/fuzz $(ONLY) $(SECONDS)

sanitize: ## Run the tests of what wraps C under the address and thread sanitizers [ONLY="address HTTPTests"]
	@scripts/install-packages run build test
	scripts/sanitize $(ONLY)

mutate: ## Apply each mutation of Tests/Mutations, and fail on one that no test notices [ONLY=name]
	@scripts/install-packages run build test
	scripts/mutate $(ONLY)

release: ## Build the stripped program with Swift's library inside, at .build/dist/vitrine
	@scripts/release $(program) $(released)

docs: ## Write the reference of every module under .build/docs
	@scripts/docs

clean: ## Remove what was built; the data in .vitrine stays
	rm -rf .build
	@if [ -d .vitrine ]; then echo "The data in .vitrine stays; remove it by hand to start anew."; fi
