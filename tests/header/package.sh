#!/usr/bin/env bash
# Installs rigproof_subject.h and builds examples/subject with it, as an engine would: find_package, then pkg-config.
set -euo pipefail
source=$1 build=$2 work=$3
rm -rf "$work"
mkdir -p "$work"
cmake --install "$build" --component subject --prefix "$work/prefix" >"$work/log"
cmake -S "$source/examples/subject" -B "$work/example" -DCMAKE_PREFIX_PATH="$work/prefix" >>"$work/log"
cmake --build "$work/example" >>"$work/log"
export PKG_CONFIG_PATH=$work/prefix/share/pkgconfig
# shellcheck disable=SC2046
cc -std=c99 "$source/examples/subject/subject.c" $(pkg-config --cflags --libs rigproof-subject assimp) -o "$work/by-pkg-config"
hello='{"request": "hello", "protocol": "rigproof.subject/1"}'
for program in "$work/example/subject_example" "$work/by-pkg-config"; do
    answer=$("$program" <<<"$hello")
    [[ $answer == *'"name": "example.c"'* ]] || {
        echo "$program says: $answer"
        exit 1
    }
done
echo "package: examples/subject builds with find_package and with pkg-config"
