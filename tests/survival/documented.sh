#!/usr/bin/env bash
# Every check of src/survival/examine.c has a row in docs/survival.md, and every row a check; the causes there are those of diagnose.
#   tests/survival/documented.sh ROOT
set -euo pipefail
cd "$1"
in_table=$(sed -nE 's/^    \{"([a-z-]+)", [A-Z].*/\1/p' src/survival/examine.c | sort -u)
in_page=$(sed -n '/^## Checks/,/^## Where/p' docs/survival.md | sed -nE 's/^\| `([a-z-]+)` \| .*/\1/p' | sort -u)
[ -n "$in_table" ]
diff <(echo "$in_table") <(echo "$in_page")
bad=0
for name in $(sed -n '/^## What `diagnose`/,$p' docs/survival.md | sed -nE 's/^\| `[^|]*\| (.*) \|$/\1/p' | grep -oE '`[a-z-]+`' | tr -d '`'); do
    [ "$name" = name-clash ] || grep -q "{\"$name\", CAUSE_" src/diagnose/causes.c || { echo "diagnose has no cause $name"; bad=1; }
done
exit "$bad"
