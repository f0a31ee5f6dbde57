#!/usr/bin/env bash
# Every check of src/survival/examine.c has a row in docs/survival.md, and every row a check.
#   tests/survival/documented.sh ROOT
set -euo pipefail
cd "$1"
in_table=$(sed -nE 's/^    \{"([a-z-]+)", [A-Z].*/\1/p' src/survival/examine.c | sort -u)
in_page=$(sed -n '/^## Checks/,/^## Where/p' docs/survival.md | sed -nE 's/^\| `([a-z-]+)` \| .*/\1/p' | sort -u)
[ -n "$in_table" ]
diff <(echo "$in_table") <(echo "$in_page")
