#!/usr/bin/env bash
# Uses the report's page in a headless Chromium: the page and a script of tests/html/ in one document, which says what
# it found in an element of its own.
#   tests/html.sh ROOT RIGPROOF RESULTS_FILE
set -euo pipefail
root=$1
rigproof=$2
results_file=$3 # makes results.json and pictures
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# A snap sees neither /tmp nor the build folder.
find_browser() {
    local name path
    for name in chromium chromium-browser google-chrome; do
        path=$(command -v "$name") || continue
        [[ $(readlink -f "$path") == */snap* ]] || grep -qs 'snap install\|/snap/bin' "$path" || echo "$path"
    done | head -n 1
}

browser=$(find_browser)
if [ -z "$browser" ]; then
    echo "html: no chromium here (Debian: the package chromium; Ubuntu has it as a snap only, which cannot be used)"
    [ "${CI-}" = true ] && grep -qs '^ID=debian' /etc/os-release && exit 1
    exit 77
fi

# make_report COUNT NAME: a report of so many cases, as a user makes it.
make_report() {
    "$results_file" folder "$scratch/$2" "$1"
    "$rigproof" report "$scratch/$2/results.json" --html "$scratch/$2/report.html" --quiet || [ $? = 1 ]
}

# The page with a script before its own and one after.
add_scripts() { # PAGE TEST
    local script
    while IFS= read -r line; do
        [ "$line" != "</body>" ] || for script in harness "$2"; do
            printf '<script nonce="rigproof">\n%s\n</script>\n' "$(<"$root/tests/html/$script.js")"
        done
        printf '%s\n' "$line"
        [ "$line" != "<head>" ] || printf '<script>\n%s\n</script>\n' "$(<"$root/tests/html/early.js")"
    done <"$1"
}

bad=0
drive() { # NAME [OPTION...]: the page driven.html of that folder
    local found
    timeout 300 "$browser" --headless --no-sandbox "${@:2}" --disable-dev-shm-usage --no-first-run \
        --user-data-dir="$scratch/profile" \
        --window-size=1400,1000 --virtual-time-budget=60000 --dump-dom "file://$scratch/$1/driven.html" \
        >"$scratch/$1/dom.html" 2>"$scratch/$1/log" || true
    found=$(sed -n '/<pre id="outcome">/,/<\/pre>/p' "$scratch/$1/dom.html" |
        sed 's/.*<pre id="outcome">//; s/<\/pre>.*//')
    printf '%s:\n%s\n' "$1" "$found"
    if ! grep -q '^done [1-9]' <<<"$found" || grep -q '^FAIL' <<<"$found"; then
        grep -v 'dbus\|gpu\|GPU\|vaapi' "$scratch/$1/log" | tail -n 20 || true
        bad=1
    fi
}

use() { # NAME: tests/html/NAME.js on the report of that name
    add_scripts "$scratch/$1/report.html" "$1" >"$scratch/$1/driven.html"
    drive "$@"
}

make_report 10 failing
make_report 1 green
make_report 500 many
for test in failing green many; do
    use "$test" --disable-gpu
done

# A case that fails, with its model.
"$rigproof" check "$root/golden/suite.yaml" --filter fbx-curves --repair none --quiet \
    -o "$scratch/model" >/dev/null 2>&1 || true
use model --use-gl=angle --use-angle=swiftshader --enable-unsafe-swiftshader

# The page of `check --watch` loads itself again, and stays where it was.
mkdir "$scratch/watched"
while IFS= read -r line; do
    [ "$line" != "</body>" ] || printf '<script nonce="rigproof">\n%s\n</script>\n' "$(<"$root/src/report/page/watch.js")"
    printf '%s\n' "$line"
done <"$scratch/many/report.html" >"$scratch/watched/driven.html"
cp "$root/tests/html/run.js" "$scratch/watched/run.js"
drive watched --disable-gpu
exit "$bad"
