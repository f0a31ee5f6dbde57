#!/usr/bin/env bash
# Fails when a folder of src/ includes what the table in ARCHITECTURE.md forbids, or folders at any depth include each other in
# a circle: stages share nouns, not code.
set -euo pipefail
root=${1:-$(dirname "$0")/..}
cd "$root/src"

declare -A may=(
    [base]="base"
    [data]="base data"
    [import]="base data import"
    [animate]="base data animate"
    [palette]="base data palette"
    [draw]="base data draw"
    [diagnose]="base data animate palette diagnose"
    [survival]="base data animate palette diagnose survival"
    [compare]="base data compare"
    [viewer]="base data viewer"
    [report]="base data viewer report"
    [subject]="base data subject"
    [plot]="base report plot"
    [options]="base data import animate palette draw plot options"
    [suite]="base data compare report subject options pipeline suite"
    [pipeline]="base data import animate palette draw compare plot subject options pipeline"
    [foreign]="base data animate palette diagnose compare subject options pipeline foreign"
    [golden]="base data report options suite pipeline golden"
    [case]="base data import animate palette draw compare viewer report subject options suite pipeline foreign golden case"
    [diff]="base data import compare report subject options pipeline foreign golden case run diff"
    [run]="base data import animate palette draw report subject options suite pipeline golden case run"
    [accept]="base data report options suite golden case accept"
    [review]="base data report suite golden accept review"
    [generate]="base data generate"
    [conform]="base data diagnose report suite case run generate conform"
    [reduce]="base data import draw report subject suite pipeline case generate reduce"
    [cli]="base data import animate palette diagnose draw compare report subject plot options suite pipeline foreign golden case
           diff run accept survival review viewer generate conform reduce cli"
)
bad=0

complain() { # file, line, why
    echo "$1:$2: $3"
    bad=1
}

for file in $(find . -name '*.[ch]' -printf '%P\n' | sort); do
    folder=${file%%/*}
    allowed=${may[$folder]-}
    [ -n "$allowed" ] || { complain "$file" 1 "the folder src/$folder has no row in tests/layers.sh"; continue; }
    while IFS=: read -r line name; do
        case $name in
        */*) ;;
        *) continue ;;
        esac
        target=${name%%/*}
        if [ -n "${may[$target]-}" ]; then
            case " $allowed " in
            *" $target "*) ;;
            *) complain "$file" "$line" "src/$folder may not include \"$name\"" ;;
            esac
        fi
        case $name in
        assimp/*) [ "$folder" = import ] || complain "$file" "$line" "only src/import includes Assimp" ;;
        GL/* | EGL/* | GLES*/* | KHR/*) [ "$folder" = draw ] || complain "$file" "$line" "only src/draw includes GL" ;;
        esac
    done < <(sed -nE 's/^[[:space:]]*#[[:space:]]*include[[:space:]]*["<]([^">]+)[">].*/\1/;T;=;p' "$file" | paste -d: - -)
done
# tsort names the folders of each loop on stderr.
circles=$(grep -rHoE '^#include "[^"]+/[^/"]+"' --include='*.[ch]' . | sed -E 's|^\./([^:]*)/[^/:]*:#include "(.*)/[^/]*"$|\1 \2|' |
    awk '$1 != $2' | sort -u | tsort 2>&1 >/dev/null | sed -n 's/^tsort: //p' | grep -v 'input contains a loop' || true)
[ -z "$circles" ] || { echo "these folders include each other in a circle:" $circles; bad=1; }
[ "$bad" = 0 ] && echo "layers: every include keeps to its folder's rule"
exit "$bad"
