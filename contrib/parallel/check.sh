#!/bin/sh
# Checks a suite with GNU parallel, on this machine's cores or on several hosts, and merges the reports.
#
#   contrib/parallel/check.sh SUITE.yaml [--shards N] [-o DIR] [--balance RESULTS.json] [-- PARALLEL_OPTION...]
#
#   --shards N    parts (default the cores of this machine); each is one rigproof with one worker
#   -o DIR        DIR/shard-I and DIR/merged (default out/parallel)
#   --balance F   results.json of an earlier run: shards that cost the same
#
# RIGPROOF names the program (default rigproof). What follows -- goes to parallel. On other hosts, which have rigproof and see
# this folder under the same name (a network file system): -- --sshlogin 2/hostA,2/hostB --workdir .
# Exit code: that of the merged report, 0 good and 1 not; a part that did not come back is missing there.
set -eu
fail() { echo "check.sh: $*" >&2; exit 2; }
suite= shards=$(nproc) out=out/parallel balance= program=${RIGPROOF:-rigproof}
while [ $# -gt 0 ]; do
    case $1 in
    --shards) shards=${2:?} && shift ;;
    -o) out=${2:?} && shift ;;
    --balance) balance=${2:?} && shift ;;
    --) shift && break ;;
    -*) fail "unknown option $1" ;;
    *) [ -z "$suite" ] || fail "one suite at a time" && suite=$1 ;;
    esac
    shift
done
[ -f "$suite" ] || fail "the suite \`$suite\` is not there"
command -v parallel >/dev/null || fail "GNU parallel is not installed"

case $out in /*) ;; *) # a commit may have put a link there, which leads elsewhere
    part=$out
    while [ "$part" != . ]; do [ ! -h "$part" ] || fail "$part is a link"; part=$(dirname "$part"); done ;;
esac
mkdir -p "$out"
if [ -n "$balance" ]; then cp "$balance" "$out/balance.json"; balance="--balance $out/balance.json"; fi
rm -f "$out"/shard-*/results.json "$out/merged/results.json" # a part that never runs must not be taken for an earlier one
# a red part is no reason to stop, nor for another exit code than the merged report's; --retries is for hosts that are gone
seq "$shards" | parallel --quote "$@" "$program" check "$suite" --shard "{}/$shards" $balance -j 1 -o "$out/shard-{}" >"$out/log" 2>&1 || true
exec "$program" report "$out"/shard-*/results.json -o "$out/merged"
