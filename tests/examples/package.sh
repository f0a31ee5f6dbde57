#!/usr/bin/env bash
# The CMake package as other projects meet it: installed, moved, in the build folder, without the program; and what its tests do
# where a suite is broken or changes. ROOT BUILD PREFIX WORK
set -euo pipefail
source=$1 build=$2 prefix=$3 work=$4
unset CMAKE_PREFIX_PATH CI
rm -rf "$work"
mkdir -p "$work/models"
cp "$source/fixtures/ticks/ticks.x" "$work/models/" # the smallest
cd "$work"

fail() {
    echo "package: $*"
    exit 1
}

# The words that follow must be in what the command, given first, prints; it must end with the code given before it.
expect() { # CODE WORDS COMMAND...
    local code=0 words=$2 want=$1 output
    shift 2
    output=$("$@" 2>&1) || code=$?
    [ "$code" = "$want" ] || fail "exit code $code, not $want: $*"$'\n'"$output"
    tr -s ' \n' ' ' <<<"$output" | grep -qF -- "$words" || fail "not said: $words: $*"$'\n'"$output"
}

write_suite() {
    cat >suite.yaml <<SUITE
version: 1
goldens: goldens
defaults: {size: [64, 64]}
cases:
  - {name: one, model: models/ticks.x, times: [0, 0.5], tags: [quick, small]}
  - {name: two, model: models/ticks.x, times: {even: 2}, stages: [import, animate], tags: evenly}
$*
SUITE
}

write_suite
# No compiler, no library.
cat >CMakeLists.txt <<'CMAKE'
cmake_minimum_required(VERSION 3.18)
project(user NONE)
find_package(rigproof 0.1 REQUIRED COMPONENTS program)
enable_testing()
rigproof_add_suite(models suite.yaml GOLDENS "${CMAKE_CURRENT_BINARY_DIR}/my goldens" TIMEOUT 100 WORKING_DIRECTORY models LABELS art ARGS --strict --filter "!three")
CMAKE
tests() { ctest --test-dir "$@" --output-on-failure --no-tests=error; }

# Where it was installed. Without goldens each case fails by itself, and the accept target makes them.
cmake -S . -B build -DCMAKE_PREFIX_PATH="$prefix" >log
expect 8 "MISSING one: no golden" tests build
expect 8 "repeat rigproof check $work/suite.yaml --filter one --goldens '$work/build/my goldens'" tests build -R models.one
expect 8 "2 - models.one (Failed)" tests build -R models.one
expect 0 "accepted 2 cases" cmake --build build --target rigproof_accept_models
expect 0 "100% tests passed, 0 tests failed out of 3" tests build -j2
[ -e "build/my goldens/one/recorded.json" ] || fail "the goldens are elsewhere"
expect 0 "100% tests passed, 0 tests failed out of 2" tests build -L small # the fixture and the case
expect 0 "All Labels: art evenly quick small " ctest --test-dir build --print-labels

# Cases that come, go or cannot be read are known without another run of CMake.
write_suite "  - {name: three, model: models/ticks.x}
  - {name: four, model: models/ticks.x, skip: true, reason: 'some [day]; perhaps  3 times  odd'}"
expect 0 "4 - models.four (Skipped)" tests build
! ctest --test-dir build -N | grep -q models.three || fail "--filter does not count"
write_suite "  - {name: four, modell: models/ticks.x}"
expect 8 "unknown key \`modell\`" tests build -R models.one
write_suite

# What an earlier run left is no verdict.
mv "build/my goldens" goldens.away
cat >stops <<PROGRAM
#!/bin/sh
for word; do [ "\$word" != --list ] || exec "$prefix/bin/rigproof" "\$@"; done
exit 3
PROGRAM
chmod +x stops
cmake -S . -B build -DRIGPROOF_PROGRAM="$work/stops" >log
expect 8 "rigproof check ended with 3" tests build
expect 8 "2 - models.one (Not Run)" tests build
mv goldens.away "build/my goldens"

# Moved, in the build folder, with the program of PATH.
cp -r "$prefix" moved
cmake -S . -B build-moved -DCMAKE_PREFIX_PATH="$work/moved" >log
mv "build/my goldens" "build-moved/"
expect 0 "100% tests passed" tests build-moved
grep -q "$work/moved/bin/rigproof" build-moved/rigproof/models.cmake || fail "the moved package has another program"
cmake -S . -B build-tree -Drigproof_DIR="$build" >log
cp -r "build-moved/my goldens" build-tree/
expect 0 "100% tests passed" tests build-tree
grep -q "$build/rigproof" build-tree/rigproof/models.cmake || fail "the package of the build folder has another program"
rm moved/bin/rigproof
PATH=$prefix/bin:$PATH expect 0 "Generating done" cmake -S . -B build-path -DCMAKE_PREFIX_PATH="$work/moved"
grep -q "$prefix/bin/rigproof" build-path/rigproof/models.cmake || fail "the program of PATH is not taken"

# The header alone.
cmake --install "$build" --component subject --prefix header >log
expect 1 "the program is not in $work/header/bin nor in PATH" cmake -S . -B build-header -DCMAKE_PREFIX_PATH="$work/header" -DRIGPROOF_OF_PATH=NO
sed -i 's/ COMPONENTS program//' CMakeLists.txt
expect 1 "rigproof_add_suite(models): the program rigproof was not found" cmake -S . -B build-header \
    -DCMAKE_PREFIX_PATH="$work/header" -DRIGPROOF_OF_PATH=NO
sed -i 's/ TIMEOUT 100/ TIME_OUT 100/' CMakeLists.txt
expect 1 "rigproof_add_suite(models): cannot use \`TIME_OUT" cmake -S . -B build
if command -v pkg-config >/dev/null; then
    program=$(PKG_CONFIG_PATH=$prefix/share/pkgconfig pkg-config --variable=rigproof rigproof)
    [ "$program" -ef "$prefix/bin/rigproof" ] || fail "pkg-config says $program"
fi
echo "package: found installed, moved, in the build folder and by PATH"
