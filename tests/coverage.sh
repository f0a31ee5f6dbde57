#!/usr/bin/env bash
# Holds docs/coverage.md against the project: tests, cases and mutants that it names must exist, and its commands work.
#   tests/coverage.sh ROOT RIGPROOF        the names
#   tests/coverage.sh ROOT RIGPROOF I/N    runs the I-th of N parts of its commands
set -euo pipefail
root=$(cd "$1" && pwd)
rigproof=$(realpath "$2")
part=0 parts=1
[ $# -lt 3 ] || part=${3%/*} parts=${3#*/}
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
        [ -n "$(find "$root/tests/${name%%_*}" -name "test_${name#*_}.c" -o -name "${name#*_}.js")" ] || complain "no test \`$name\`"
    done
    for name in $(named cases "$1"); do
        grep -qE "name: $name(,|[[:space:]]|$)" "$root/golden/suite.yaml" || complain "no case \`$name\`"
    done
    for name in $(named mutants "$1"); do
        grep -qx "name: $name" "$root"/tests/mutants/*.txt || complain "no mutant \`$name\`"
    done
    [ -n "$(named tests "$1")" ] || complain "nothing guards: $1"
}

# Of "| technique | L O".
check_texts() { # the row without its last cells
    [[ $1 =~ ^'| '[^|]+' '('| '[LOGMT]( [LOGMT])*' ')?$ ]] || complain "no text of those below: $1"
}

# In small, since what is drawn is not looked at here.
run() { # command
    local line=${1#build/release/rigproof }
    [ "$line" != "$1" ] || complain "no command of rigproof's: $1"
    case $line in
    render* | turntable* | sheet*) line+=" --size 48x48" ;;
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
    if [ "$part" = 0 ]; then
        cell=${line%" |"}
        check_names "${cell##*| }"
        check_texts "${line%%'| `build'*}"
    elif [ $((rows % parts)) = $((part - 1)) ]; then
        run "$command"
    fi
done < <(sed '/^## What is not here/,$d' "$page" | grep -E '^\|' | grep -vE '^\|(---| technique | what )' || true)
[ "$rows" -ge 70 ] || complain "only $rows rows"
if [ "$part" = 0 ]; then
    while IFS= read -r line; do
        check_texts "${line%|*|}"
    done < <(sed '1,/^## What is not here/d;/^## The texts/,$d' "$page" | grep -E '^\|' | grep -vE '^\|(---| technique )')
fi
[ "$bad" = 0 ] && echo "coverage: $rows rows hold"
exit "$bad"
