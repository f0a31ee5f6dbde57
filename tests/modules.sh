#!/usr/bin/env bash
# Fails when a source of src/ has no entry in ARCHITECTURE.md.
set -euo pipefail
root=${1:-$(dirname "$0")/..}
cd "$root"
bad=0
for name in $(find src -name '*.[ch]' -printf '%f\n' | sed 's/\.[ch]$//' | sort -u); do
    grep -qE "\`$name(\.[ch])?\`" ARCHITECTURE.md || {
        echo "ARCHITECTURE.md has no entry for $name"
        bad=1
    }
done
[ "$bad" = 0 ] && echo "modules: every source has an entry"
exit "$bad"
