#!/usr/bin/env bash
# Fails when a patch of tests/mutants/ no longer applies to the tree or its header is not in order. What they are for is in
# tests/mutants/README.md; scripts/mutants runs them.
set -euo pipefail
root=$(cd "${1:-$(dirname "$0")/..}" && pwd)
cd "$root/tests/mutants"
bad=0
count=0

complain() { # patch, why
    echo "tests/mutants/$1: $2"
    bad=1
}

header() { # patch, key
    sed -nE "/^diff /q; s/^$2: (.+)$/\1/p" "$1"
}

command -v patch >/dev/null || {
    echo "the program \`patch\` is missing"
    exit 1
}
for patch in *.patch; do
    [ -e "$patch" ] || break
    count=$((count + 1))
    stage=$(header "$patch" stage)
    case $stage in
    import | animate | palette | skin | draw) ;;
    *) complain "$patch" "stage: \`$stage\` is none of import, animate, palette, skin, draw" ;;
    esac
    [ "${patch%%-*}" = "$stage" ] || complain "$patch" "its name does not begin with its stage"
    [ "$(header "$patch" what | wc -l)" = 1 ] || complain "$patch" "one line \`what:\` is wanted"
    shows=$(header "$patch" shows)
    grep -qE "name: $shows(,|[[:space:]]|$)" "$root/golden/suite.yaml" ||
        complain "$patch" "shows: \`$shows\` is no case of golden/suite.yaml"
    if why=$(patch -p1 --dry-run --silent --force -d "$root" -i "$root/tests/mutants/$patch" 2>&1); then
        [ -z "$why" ] || complain "$patch" "$why"
    else
        complain "$patch" "does not apply: $why"
    fi
done
[ "$count" -ge 40 ] || complain "" "only $count patches, 40 are wanted"
[ "$bad" = 0 ] && echo "mutants: $count patches apply"
exit "$bad"
