# Everything a newcomer needs; `make help` lists it. Cargo does the work.

export PATH := $(HOME)/.cargo/bin:$(PATH)

.DEFAULT_GOAL := help
.PHONY: help setup build demo test fmt lint doc tidy clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## install what this machine lacks (Debian, Ubuntu)
	@./scripts/setup

build: setup ## build the tool: target/release/indict
	cargo build --release --locked --package cli

demo: build ## show what the tool does, on the project in examples/ledger
	./scripts/demo

test: setup ## format, lints, documentation, all tests: what continuous integration runs
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --locked -- --deny warnings
	RUSTDOCFLAGS="--deny warnings" cargo doc --workspace --no-deps --document-private-items --locked --quiet
	./scripts/run-tests

fmt: ## format the code
	cargo fmt --all

lint: ## clippy and the rules of the house
	cargo clippy --workspace --all-targets --locked -- --deny warnings
	cargo x tidy

tidy: ## the rules of the house alone
	cargo x tidy

doc: ## the documentation of the code: target/doc
	cargo doc --workspace --no-deps --document-private-items --locked

clean: ## remove what was built
	cargo clean
