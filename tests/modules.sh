#!/usr/bin/env bash
# Fails when two sources of src/ have one name, or a folder has more than 20.
set -euo pipefail
root=${1:-$(dirname "$0")/..}
cd "$root"
bad=0
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
[ "$bad" = 0 ] && echo "modules: no two sources of one name, no folder of more than 20"
exit "$bad"
