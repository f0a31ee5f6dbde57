#!/usr/bin/env bash
# Every page of tests/guides/wrong must fail, in the words of its first line; the one that is right must not.
#   tests/guides/wrong.sh ROOT RIGPROOF
set -euo pipefail
bad=0
for page in "$1"/tests/guides/wrong/*.md; do
    want=$(sed -n '1s/^<!-- must fail: \(.*\) -->$/\1/p' "$page")
    if said=$("$1/tests/guides/run.py" "$1" "$2" "$page" 2>&1); then
        [ -n "$want" ] || continue
        echo "wrong: $page did not fail"
        bad=1
    elif [ -z "$want" ] || [[ $said != *"$want"* ]]; then
        printf 'wrong: %s said instead of "%s":\n%s\n' "$page" "$want" "$said"
        bad=1
    fi
done
exit "$bad"
