# Berth: every target works in a fresh clone; `make` alone lists them.

PORT     ?= 8080
BASE     ?= /
FUZZTIME ?= 10s
BENCH    ?= .
RELEASE  ?= .release
QUALITY  ?= 10
# make kube-oracle asks about so many cases, by default others every day.
CASES    ?= 500
SEED     ?= $$(date +%Y%m%d)00000
# make release builds the command line for these.
PLATFORMS ?= linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64

GO      := go
JS      := GOOS=js GOARCH=wasm
# make lint vets the tests, too.
TEST    := $(GO) test -vet=off
NODE    := web/node_modules/.package-lock.json
RUNNER  := $(CURDIR)/.bin/wasmtest

# The end-to-end tests have a target of their own.
NATIVE   = $$($(GO) list ./... | grep -v '/web/e2e$$')
# The engine and the examples start no goroutine, as a test checks, and their tests are
# ten times as fast without the race detector. The other packages, which run the engine
# concurrently, have the detector; so has the suite that runs all strategies in parallel.
ENGINE   = $$($(GO) list ./engine/... | grep -v '/engine/cmd/') ./examples/...
BESIDE   = ./engine/cmd/... ./app/... ./wasm/... $$($(GO) list ./web/... | grep -v '/web/e2e$$')
# Packages that are compiled for the browser, and those with tests: the engine must
# compute the same there as natively.
PAGE     = $$($(JS) $(GO) list ./app/... ./engine/... ./wasm/... | grep -v '/engine/cmd/')
BROWSER  = $$($(JS) $(GO) list -f '{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}{{end}}' $(PAGE))

.DEFAULT_GOAL := help
.PHONY: help run site quick-site release image test test-native test-browser test-e2e bench fuzz kube-oracle cross-validation lint clean needs tools

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: quick-site ## build the site and serve it on http://localhost:8080 (PORT=)
	$(GO) run ./web/site serve -dist dist -addr localhost:$(PORT)

site: $(NODE) ## build the static site in dist/, to be served at BASE (/)
	$(GO) run ./web/site build -out dist -base '$(BASE)'

# Compresses a little less: builds in a third of the time, and downloads are a twentieth
# larger.
quick-site: $(NODE)
	$(GO) run ./web/site build -out dist -quality $(QUALITY) -base '$(BASE)'

# No C compiler, no paths of this machine and no clock: the same commit gives the same
# bytes. Go records the version and the commit in the programs.
release: ## build the command line for every platform, with checksums, in .release/
	rm -rf '$(RELEASE)' && mkdir -p '$(RELEASE)'
	@for platform in $(PLATFORMS); do \
		system=$${platform%/*} processor=$${platform#*/} suffix=; \
		[ "$$system" != windows ] || suffix=.exe; \
		program="$(RELEASE)/berth-$$system-$$processor$$suffix"; echo "$$program"; \
		GOOS=$$system GOARCH=$$processor CGO_ENABLED=0 $(GO) build -trimpath -ldflags='-s -w' -o "$$program" ./engine/cmd/berth || exit 1; \
	done
	cd '$(RELEASE)' && { command -v sha256sum >/dev/null && sha256sum berth-* || shasum -a 256 berth-*; } >SHA256SUMS

image: ## build the container image berth: the command line for Linux on this processor
	$(MAKE) release PLATFORMS="linux/$$($(GO) env GOARCH)"
	docker build --file .github/Dockerfile --tag berth '$(RELEASE)'

test: test-native test-browser test-e2e ## run every test: natively, in Chromium, end to end

test-native: tools $(NODE) ## native tests, with the race detector where anything runs concurrently
	BERTH_PACKAGES='$(CURDIR)/web/node_modules' $(TEST) -timeout 20m $(ENGINE)
	$(TEST) -race -timeout 20m $(BESIDE)
	$(TEST) -race -timeout 20m -run 'Conform/.*/shape_[2-4]_' ./engine/placement

# -short skips tests that take long and give the same natively.
test-browser: tools $(NODE) $(RUNNER) ## tests of the wasm packages, in Chromium
	$(JS) $(TEST) -short -exec '$(RUNNER)' $(BROWSER)

test-e2e: tools quick-site ## test the built site in Chromium, and a journey in Firefox and WebKit
	BERTH_DIST='$(CURDIR)/dist' $(TEST) -count=1 -timeout 40m ./web/e2e

bench: tools $(RUNNER) site ## benchmarks, natively and in Chromium (BENCH=regexp)
	BERTH_PACKAGES='$(CURDIR)/web/node_modules' $(GO) test -run '^$$' -bench '$(BENCH)' -benchmem $(NATIVE)
	$(JS) $(GO) test -exec '$(RUNNER)' -run '^$$' -bench '$(BENCH)' -benchmem $(BROWSER)
	BERTH_DIST='$(CURDIR)/dist' $(GO) test -run '^$$' -bench '$(BENCH)' ./web/e2e

fuzz: ## run each fuzz target for FUZZTIME (10s)
	@for package in $(NATIVE); do \
		for target in $$($(GO) test -list '^Fuzz' $$package | grep '^Fuzz'); do \
			echo "$$package $$target"; \
			$(GO) test -run '^$$' -fuzz "^$$target$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 1s $$package || exit 1; \
		done; \
	done

kube-oracle: ## hold Berth to the real kube-scheduler on CASES fresh random cases from SEED on (builds it: minutes)
	cd engine/kubernetes/_oracle && $(GO) build -o '$(CURDIR)/.bin/kube-oracle' .
	.bin/kube-oracle -cases $(CASES) -from $(SEED) | gzip -9 -n > .bin/cases.json.gz
	BERTH_CASES='$(CURDIR)/.bin/cases.json.gz' $(TEST) -count=1 -run '^TestAgainstTheScheduler$$' ./engine/cmd/berth

cross-validation: ## run simulators of others that are ready on this machine beside Berth (SIMULATORS=flags with their commands)
	$(GO) run ./engine/cmd/crossvalidate -record engine/cmd/crossvalidate/recorded.json $(SIMULATORS)
	$(TEST) -run '^TestPageShowsTheRecord$$' ./engine/cmd/crossvalidate -update

lint: ## gofmt, vet and staticcheck, natively and for the browser; actionlint
	@unformatted=$$(gofmt -l $$(git ls-files '*.go')); \
		if [ -n "$$unformatted" ]; then echo "gofmt these:"; echo "$$unformatted"; exit 1; fi
	$(GO) vet ./...
	$(JS) $(GO) vet $(PAGE)
	$(GO) build -o .bin/staticcheck honnef.co/go/tools/cmd/staticcheck
	.bin/staticcheck ./...
	$(JS) .bin/staticcheck $(PAGE)
	$(GO) build -o .bin/actionlint github.com/rhysd/actionlint/cmd/actionlint
	.bin/actionlint .github/workflows/*.yml

clean: ## remove what was built
	rm -rf dist .bin .release web/node_modules

# npm ci writes its own copy of the lock file. If that is older than ours, the packages
# must be installed again.
$(NODE): web/package-lock.json | needs
	cd web && npm ci --ignore-scripts
	@touch $@

.PHONY: $(RUNNER)
$(RUNNER):
	$(GO) build -o $@ ./web/wasmtest

# Programs that every target needs. Prints on one line which are missing and where to get them.
needs:
	@missing=; need() { command -v $$1 >/dev/null || missing="$$missing$${missing:+, }$$1 ($$2)"; }; \
	need $(GO) "Go 1.26 or later: https://go.dev/dl"; \
	need npm "with Node.js 20 or later: https://nodejs.org"; \
	need git "https://git-scm.com"; \
	[ -z "$$missing" ] || { echo "Berth needs programs that are not installed: $$missing"; exit 1; }

# Programs that only the tests need: a C compiler for the race detector, browsers, and an
# emulator of arm64 on other processors.
tools: | needs
	@missing=; \
	command -v gcc >/dev/null || command -v clang >/dev/null || missing="$$missing gcc libc6-dev"; \
	[ -n "$$CHROMIUM" ] || command -v chromium >/dev/null || command -v google-chrome >/dev/null || missing="$$missing chromium"; \
	[ "$$(uname -sm)" != "Linux x86_64" ] || ! command -v apt-get >/dev/null || command -v qemu-aarch64 >/dev/null || missing="$$missing qemu-user"; \
	others=; \
	command -v firefox-esr >/dev/null || command -v firefox >/dev/null || others="$$others firefox-esr"; \
	command -v WebKitWebDriver >/dev/null || others="$$others webkit2gtk-driver"; \
	command -v xvfb-run >/dev/null || others="$$others xvfb xauth"; \
	[ -z "$$missing$$others" ] && exit 0; \
	if command -v apt-get >/dev/null && [ "$$(id -u)" = 0 ]; then \
		export DEBIAN_FRONTEND=noninteractive; \
		apt-get update && apt-get install -y --no-install-recommends $$missing $$others || exit 1; \
		apt-get install -y --no-install-recommends chromium-headless-shell || echo "Without the headless shell the tests take longer."; \
	elif [ -z "$$missing" ]; then \
		echo "The journeys in Firefox and WebKit are skipped, because these are missing:$$others"; \
	else \
		echo "The tests need:$$missing. Install them with your package manager,"; \
		echo "or set CHROMIUM to the executable of a Chromium or Chrome that you have."; \
		exit 1; \
	fi
