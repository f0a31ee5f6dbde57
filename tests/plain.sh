#!/usr/bin/env bash
# Fails when a build folder configured with nothing but `cmake -B build` does not compile the tests.
set -euo pipefail
root=$(cd "${1:-$(dirname "$0")/..}" && pwd)
command -v make >/dev/null || { echo "plain: make is missing"; exit 77; }
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
env -u CMAKE_BUILD_TYPE cmake -S "$root" -B "$build" -G "Unix Makefiles" >"$build/log" 2>&1 || { cat "$build/log"; exit 1; }
make -s -C "$build/tests/base" test_text.o
echo "plain: tests compile without a preset"
