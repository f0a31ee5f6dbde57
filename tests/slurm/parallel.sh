#!/bin/sh
# contrib/parallel: parallel.sh SOURCE RIGPROOF. Its exit code is the merged report's, and a part that never comes back is named.
set -eu
source=$1 binary=$2
command -v parallel >/dev/null || { echo "GNU parallel is not installed"; exit 77; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
cp -r "$source/fixtures" .
fail() { echo "FAILED: $*"; exit 1; }
{
    printf 'version: 1\ngoldens: golden\ndefaults: {size: [48, 48], times: [0.1]}\ncases:\n'
    for i in 1 2 3 4 5 6; do
        echo "  - {name: case-$i, model: fixtures/walker/walker.glb, clip: $((i % 3)), camera: {yaw: $((60 * i))}}"
    done
} >suite.yaml
env -u CI "$binary" accept suite.yaml >/dev/null
export RIGPROOF="$binary"
check="$source/contrib/parallel/check.sh"

$check suite.yaml --shards 3 >good.txt || fail "$(cat good.txt)"
grep -q '^6 cases, all good$' good.txt || fail "$(cat good.txt)"
$check suite.yaml --shards 2 --balance out/parallel/merged/results.json -- --jobs 1 >good.txt || fail "$(cat good.txt)"
[ "$(grep -c '"name": "case-' out/parallel/shard-1/results.json)" = 3 ] || fail "shards of equal cases are not equal"

# The second part dies before it has begun; what an earlier run left in its folder does not stand for it.
printf '#!/bin/sh\n[ "$4" != 2/2 ] || kill -9 $$\nexec "%s" "$@"\n' "$binary" >mortal
chmod +x mortal
code=0
RIGPROOF=$PWD/mortal $check suite.yaml --shards 2 >red.txt 2>&1 || code=$?
[ $code = 1 ] || fail "exit code $code"
grep -q '^3 of 6 cases not run, shard 2 of 2 is missing; 3 pass$' red.txt || fail "$(cat red.txt)"
grep -q '^  - case-., case-., case-.$' red.txt || fail "$(cat red.txt)"
echo "good"
