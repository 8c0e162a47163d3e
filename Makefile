# Berth: every target works in a fresh clone; `make` alone lists them.

PORT     ?= 8080
BASE     ?= /
FUZZTIME ?= 10s
BENCH    ?= .
RELEASE  ?= .release
QUALITY  ?= 1
# make kube-oracle asks about so many cases, by default others every day.
CASES    ?= 500
SEED     ?= $$(date +%Y%m%d)00000
# make release builds the command line for these, and the module for notebooks for js/wasm.
PLATFORMS ?= linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64 js/wasm

GO      := go
JS      := GOOS=js GOARCH=wasm
# What was compiled in one folder serves another: programs do not have its path.
export GOFLAGS := -trimpath $(filter-out -trimpath,$(GOFLAGS))
# make lint vets the tests, too.
TEST    := $(GO) test -vet=off
NODE    := web/node_modules/.package-lock.json
RUNNER  := $(CURDIR)/.bin/wasmtest
STEP    := $(CURDIR)/.bin/check
# Tests that draw cases take others for each commit.
export BERTH_COMMIT := $(shell git rev-parse HEAD 2>/dev/null)
export BERTH_PACKAGES := $(CURDIR)/web/node_modules

# The end-to-end tests have a target of their own; ./... leaves out folders with _ before their names.
NATIVE   = $$($(GO) list ./... | grep -v '/web/e2e$$') ./web/docs/_crossvalidate
# Packages that start goroutines. The engine starts none, as a test checks, and its tests
# are ten times as fast without the race detector.
RACING   = $$(git grep -lE '^[[:space:]]*go (func|[a-z])|\.(Go|Async)\(' -- 'app/*.go' 'wasm/*.go' 'engine/cmd/*.go' 'engine/runs/*.go' 'web/site/*.go' ':!*_js.go' ':!*/testdata/*' ':!*_test.go' | xargs -n 1 dirname | sort -u | sed 's|^|./|')
# Packages that are compiled for the browser, those with tests, those with
# files for the browser alone, and those whose tests use it.
PAGE     = $$($(JS) $(GO) list ./app/... ./engine/... ./wasm/... | grep -v '/engine/cmd/')
BROWSER  = $$($(JS) $(GO) list -f '{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}{{end}}' $(PAGE))
ONLYJS   = $$({ git ls-files '*_js.go' '*_js_test.go'; git grep -lE '^//go:build js' -- '*.go'; } | xargs -n 1 dirname | sort -u | grep -v testdata | sed 's|^|./|')
USING    = $$(git ls-files '*_js_test.go' '*_browser_test.go' | xargs -n 1 dirname | sort -u | sed 's|^|./|')

DEEP := deep-native deep-race deep-browser deep-e2e deep-arm64 deep-fuzz deep-oracle

.DEFAULT_GOAL := help
.PHONY: help run site quick-site release image test test-native test-race test-same test-browser test-e2e begin deep deep-begin $(DEEP) deep-tools bench fuzz kube-oracle cross-validation lint clean needs tools

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: quick-site ## build the site and serve it on http://localhost:8080 (PORT=)
	$(GO) run ./web/site serve -dist dist -addr localhost:$(PORT)

site: $(NODE) ## build the static site in dist/, to be served at BASE (/)
	rm -f .bin/site_*
	$(GO) run ./web/site build -out dist -base '$(BASE)'

# What the site is made of.
SOURCES := $(shell find app engine wasm web examples Makefile go.mod go.sum netlify.toml -name node_modules -prune -o -type f ! -name '*_test.go' -print 2>/dev/null)
BUILT   := .bin/site$(subst /,_,$(BASE))$(QUALITY)

# Compresses fast, and builds only what changed. QUALITY=10 compresses nearly as make site.
quick-site: $(BUILT)

$(BUILT): $(SOURCES) $(NODE) $(if $(wildcard dist/index.html),,absent)
	rm -f .bin/site_*
	$(GO) run ./web/site build -out dist -quality $(QUALITY) -base '$(BASE)'
	@touch $@

.PHONY: absent
absent:

# No C compiler, no paths of this machine and no clock: the same commit gives the same
# bytes. Go records the version and the commit in the programs.
release: ## build the command line for every platform and the module for notebooks, with checksums, in .release/
	rm -rf '$(RELEASE)' && mkdir -p '$(RELEASE)'
	@for platform in $(PLATFORMS); do \
		system=$${platform%/*} processor=$${platform#*/} suffix=; \
		if [ "$$platform" = js/wasm ]; then \
			echo "$(RELEASE)/berth-module.zip"; \
			$(GO) run ./web/site module -out '$(RELEASE)/berth-module.zip' || exit 1; continue; \
		fi; \
		[ "$$system" != windows ] || suffix=.exe; \
		program="$(RELEASE)/berth-$$system-$$processor$$suffix"; echo "$$program"; \
		GOOS=$$system GOARCH=$$processor CGO_ENABLED=0 $(GO) build -trimpath -ldflags='-s -w' -o "$$program" ./engine/cmd/berth || exit 1; \
	done
	cd '$(RELEASE)' && { command -v sha256sum >/dev/null && sha256sum berth-* || shasum -a 256 berth-*; } >SHA256SUMS

image: ## build the container image berth: the command line for Linux on this processor
	$(MAKE) release PLATFORMS="linux/$$($(GO) env GOARCH)"
	docker build --file .github/Dockerfile --tag berth '$(RELEASE)'

# With -short tests leave to make deep what takes long.
test: tools $(STEP) begin test-native test-race test-same test-browser test-e2e ## the tests of every change, in minutes: natively, in Chromium, end to end
	@$(STEP)

begin: $(RUNNER) | $(STEP)
	@rm -f .bin/steps.json
	@$(STEP) site $(MAKE) --no-print-directory quick-site

test-native: $(NODE) | $(STEP)
	$(STEP) native $(TEST) -short -timeout 20m $(NATIVE)

# Without tests in which one goroutine, or another program, does the work. Strategies run
# in parallel on what they share, too.
ALONE := 'TestExamplesRun|TestMemory|AsThePeersDo|AgainstTheScheduler|LargeInput|Aliases|Packed|Unpacks|InBrowser|Corpora|DropLines|TestPages|Parquet'

test-race: | $(STEP)
	$(STEP) race $(TEST) -race -short -timeout 20m -skip $(ALONE) $(RACING)
	$(STEP) race $(TEST) -race -short -timeout 20m -run 'Conform/.*/shape_[2-4]_' ./engine/placement

test-same: $(RUNNER) | $(STEP)
	$(STEP) same env $(JS) $(TEST) -short -exec '$(RUNNER)' ./engine/everywhere

test-browser: $(RUNNER) | $(STEP)
	$(STEP) browser env $(JS) $(TEST) -short -exec '$(RUNNER)' $(USING)

test-e2e: quick-site | $(STEP)
	BERTH_DIST='$(CURDIR)/dist' $(STEP) journeys $(TEST) -short -count=1 -timeout 40m ./web/e2e

# Each test is in make test, or here. Each part can be run alone.

deep: deep-begin $(DEEP) ## all other tests, at most two hours; the parts are deep-native -race -browser -e2e -arm64 -fuzz -oracle
	@$(STEP)

deep-begin: | $(STEP)
	@rm -f .bin/steps.json

# What takes long, all drawn cases, the whole gallery.
deep-native: deep-tools $(NODE) | $(STEP)
	$(STEP) deep-native $(TEST) -timeout 60m $(NATIVE)

deep-race: tools $(NODE) | $(STEP)
	$(STEP) deep-race $(TEST) -race -short -timeout 60m $(NATIVE)

# The packages of the engine and the page, in Chromium.
deep-browser: tools $(NODE) $(RUNNER) | $(STEP)
	$(STEP) deep-browser env $(JS) $(TEST) -short -timeout 30m -exec '$(RUNNER)' $(BROWSER)

# What the journeys of make test leave, and WebKit. The sizes of downloads are those of make site nearly.
deep-e2e: deep-tools | $(STEP)
	$(STEP) deep-site $(MAKE) --no-print-directory quick-site QUALITY=10
	BERTH_DIST='$(CURDIR)/dist' $(STEP) deep-e2e $(TEST) -count=1 -timeout 60m -skip '^TestJourney' ./web/e2e

deep-arm64: deep-tools | $(STEP)
	$(STEP) deep-arm64 env GOARCH=arm64 CGO_ENABLED=0 $(TEST) -exec "$$(command -v qemu-aarch64)" -timeout 30m ./engine/everywhere

deep-fuzz: | $(STEP)
	$(STEP) deep-fuzz $(MAKE) --no-print-directory fuzz

deep-oracle: | $(STEP)
	$(STEP) deep-oracle $(MAKE) --no-print-directory kube-oracle

bench: tools $(RUNNER) site ## benchmarks, natively and in Chromium (BENCH=regexp)
	$(GO) test -run '^$$' -bench '$(BENCH)' -benchmem $(NATIVE)
	$(JS) $(GO) test -exec '$(RUNNER)' -run '^$$' -bench '$(BENCH)' -benchmem $(BROWSER)
	BERTH_DIST='$(CURDIR)/dist' $(GO) test -run '^$$' -bench '$(BENCH)' ./web/e2e

# Before 1.27 Go may fail a target when its time is over, without an input (golang/go#75804).
fuzz: ## run each fuzz target for FUZZTIME (10s)
	@for package in $(NATIVE); do \
		for target in $$($(GO) test -list '^Fuzz' $$package | grep '^Fuzz'); do \
			echo "$$package $$target"; \
			out=$$($(GO) test -run '^$$' -fuzz "^$$target$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 1s $$package 2>&1) && continue; \
			echo "$$out"; \
			echo "$$out" | grep -q '^ *context deadline exceeded$$' && ! echo "$$out" | grep -q 'Failing input' || exit 1; \
		done; \
	done

kube-oracle: ## hold Berth to the real kube-scheduler and eviction API on CASES fresh random cases of each family from SEED on (builds it: minutes)
	@mkdir -p .bin
	cd engine/kube/manifest/_oracle && $(GO) mod download k8s.io/kubernetes && \
		echo "{\"Replace\": {\"$$PWD/eviction/eviction.go\": \"$$($(GO) list -m -f '{{.Dir}}' k8s.io/kubernetes)/pkg/registry/core/pod/storage/eviction.go\"}}" > '$(CURDIR)/.bin/overlay.json' && \
		$(TEST) -overlay '$(CURDIR)/.bin/overlay.json' . && \
		$(GO) build -overlay '$(CURDIR)/.bin/overlay.json' -o '$(CURDIR)/.bin/kube-oracle' .
	.bin/kube-oracle -cases $(CASES) -from $(SEED) | gzip -9 -n > .bin/cases.json.gz
	BERTH_CASES='$(CURDIR)/.bin/cases.json.gz' BERTH_ORACLE='$(CURDIR)/.bin/kube-oracle' $(TEST) -count=1 -timeout 60m -run '^(TestAgainstTheScheduler|TestAdviceHelps)$$' ./engine/cmd/berth

cross-validation: ## run simulators of others that are ready on this machine beside Berth (SIMULATORS=flags with their commands)
	$(GO) run ./web/docs/_crossvalidate -record web/docs/_crossvalidate/recorded.json $(SIMULATORS)
	$(TEST) -run '^TestPageShowsTheRecord$$' ./web/docs/_crossvalidate -update

lint: ## gofmt, vet and staticcheck, natively and for the browser; actionlint
	@unformatted=$$(gofmt -l $$(git ls-files '*.go')); \
		if [ -n "$$unformatted" ]; then echo "gofmt these:"; echo "$$unformatted"; exit 1; fi
	$(GO) vet ./...
	$(JS) $(GO) vet $(ONLYJS)
	$(GO) build -o .bin/staticcheck honnef.co/go/tools/cmd/staticcheck
	.bin/staticcheck ./...
	$(JS) .bin/staticcheck $(ONLYJS)
	$(GO) build -o .bin/actionlint github.com/rhysd/actionlint/cmd/actionlint
	.bin/actionlint .github/workflows/*.yml

clean: ## remove what was built
	rm -rf dist .bin .release web/node_modules

# npm ci writes its own copy of the lock file. If that is older than ours, the packages
# must be installed again.
$(NODE): web/package-lock.json | needs
	cd web && npm ci --ignore-scripts
	@touch $@

.PHONY: $(RUNNER) $(STEP)
$(RUNNER) $(STEP):
	$(GO) build -o $@ ./web/$(@F)

# Programs that every target needs. Prints on one line which are missing and where to get them.
needs:
	@missing=; need() { command -v $$1 >/dev/null || missing="$$missing$${missing:+, }$$1 ($$2)"; }; \
	need $(GO) "Go 1.26 or later: https://go.dev/dl"; \
	need npm "with Node.js 20 or later: https://nodejs.org"; \
	need git "https://git-scm.com"; \
	[ -z "$$missing" ] || { echo "Berth needs programs that are not installed: $$missing"; exit 1; }

# Programs that only tests need: a C compiler for the race detector, and browsers; for
# make deep, another browser and an emulator of arm64 on other processors.
tools: | needs
	@missing= others=; \
	command -v gcc >/dev/null || command -v clang >/dev/null || missing="$$missing gcc libc6-dev"; \
	[ -n "$$CHROMIUM" ] || command -v chromium >/dev/null || command -v google-chrome >/dev/null || missing="$$missing chromium"; \
	command -v firefox-esr >/dev/null || command -v firefox >/dev/null || others=firefox-esr; \
	$(INSTALL); \
	command -v chromium-headless-shell >/dev/null || ! $(APT) || apt-get install -y --no-install-recommends chromium-headless-shell || echo "Without the headless shell the tests take longer."

deep-tools: tools
	@missing= others=; \
	[ "$$(uname -sm)" != "Linux x86_64" ] || command -v qemu-aarch64 >/dev/null || missing=qemu-user; \
	command -v WebKitWebDriver >/dev/null || others="webkit2gtk-driver"; \
	command -v xvfb-run >/dev/null || others="$$others xvfb xauth"; \
	$(INSTALL)

APT     := { command -v apt-get >/dev/null && [ "$$(id -u)" = 0 ]; }
# Installs what is missing, and says what cannot be installed; tests go on without the others.
INSTALL := if [ -z "$$missing$$others" ]; then :; elif $(APT); then \
		export DEBIAN_FRONTEND=noninteractive; \
		apt-get update && apt-get install -y --no-install-recommends $$missing $$others || exit 1; \
	elif [ -z "$$missing" ]; then \
		echo "What needs these is skipped: $$others"; \
	else \
		echo "The tests need:$$missing. Install them with your package manager,"; \
		echo "or set CHROMIUM to the executable of a Chromium or Chrome that you have."; \
		exit 1; \
	fi
