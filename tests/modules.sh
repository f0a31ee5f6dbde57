#!/usr/bin/env bash
# Fails when a source of src/ has no entry in ARCHITECTURE.md.
# Also when two sources have one name, or a folder more than 20.
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
for name in $(find src -name '*.[ch]' -printf '%P\n' | sed 's/\.[ch]$//' | sort -u | sed 's|.*/||' | sort | uniq -d); do
    echo "two sources of src/ are called $name"
    bad=1
done
while read -r count folder; do
    [ "$count" -le 20 ] || {
        echo "$folder has $count sources: give a topic of theirs a folder"
        bad=1
    }
done < <(find src -name '*.c' -printf '%h\n' | sort | uniq -c)
[ "$bad" = 0 ] && echo "modules: every source has an entry"
exit "$bad"
