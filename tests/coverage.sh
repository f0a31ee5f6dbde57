#!/usr/bin/env bash
# Holds docs/coverage.md against the project: tests, cases and mutants that it names must exist, and its commands work.
#   tests/coverage.sh ROOT RIGPROOF
set -euo pipefail
root=$(cd "$1" && pwd)
rigproof=$(realpath "$2")
page=$root/docs/coverage.md
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
bad=0
rows=0

complain() { # what
    echo "docs/coverage.md: $*"
    bad=1
}

# Of "tests `a` `b`; cases `c`; mutants `d`".
named() { # kind, cell
    grep -oE "(^|; )$1( \`[^\`]+\`)+" <<<"$2" | grep -oE '`[^`]+`' | tr -d '`' || true
}

check_names() { # cell
    local name
    for name in $(named tests "$1"); do
        [ -f "$root/tests/${name%%_*}/test_${name#*_}.c" ] || complain "no test \`$name\`"
    done
    for name in $(named cases "$1"); do
        grep -qE "name: $name(,|[[:space:]]|$)" "$root/golden/suite.yaml" || complain "no case \`$name\`"
    done
    for name in $(named mutants "$1"); do
        [ -f "$root/tests/mutants/$name.patch" ] || complain "no mutant \`$name\`"
    done
    [ -n "$(named tests "$1")" ] || complain "nothing guards: $1"
}

# In small, since what is drawn is not looked at here.
run() { # command
    local line=${1#build/release/rigproof }
    [ "$line" != "$1" ] || complain "no command of rigproof's: $1"
    case $line in
    render* | turntable*) line+=" --size 48x48" ;;
    esac
    eval "$(printf %q "$rigproof") $line" >"$scratch/out.txt" 2>"$scratch/err.txt" </dev/null ||
        complain "exit code $? of: $1: $(head -n 1 "$scratch/err.txt")"
}

mkdir "$scratch/project"
cd "$scratch/project"
ln -s "$root/fixtures" "$root/golden" "$root/tests" .
while IFS= read -r line; do
    command=$(grep -oE '`build/release/[^`]+`' <<<"$line" | tr -d '`') || true
    [ -n "$command" ] || {
        complain "a row without a command: $line"
        continue
    }
    rows=$((rows + 1))
    cell=${line%" |"}
    check_names "${cell##*| }"
    [[ ${line%%'| `build'*} =~ ^'| '[^|]+' '('| '[LOGMT]( [LOGMT])*' ')?$ ]] || complain "no text of those below: $line"
    run "$command"
done < <(sed '/^## The texts/,$d' "$page" | grep -E '^\|' | grep -vE '^\|(---| technique | what )' || true)
[ "$rows" -ge 50 ] || complain "only $rows rows"
[ "$bad" = 0 ] && echo "coverage: $rows rows hold"
exit "$bad"
