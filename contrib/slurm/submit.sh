#!/bin/sh
# Checks a suite as a Slurm job array, a shard a task, and merges the reports in a job that waits for all of them.
#
#   contrib/slurm/submit.sh SUITE.yaml [--shards N] [-o DIR] [--balance RESULTS.json] [--wait] [-- SBATCH_OPTION...]
#
#   --shards N    tasks of the array (default 8)
#   -o DIR        a folder that all nodes see (default out/slurm): DIR/shard-I, DIR/merged and the jobs' logs
#   --balance F   results.json of an earlier run, such as DIR/merged/results.json: shards that cost the same
#   --wait        end with the merged report, and with its exit code: 0 good, 1 not
#
# RIGPROOF names the program (default rigproof), RIGPROOF_OPTIONS has options of `check` besides. What follows -- goes to sbatch:
# --partition, --cpus-per-task, --time ...
set -eu
fail() { echo "submit.sh: $*" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
suite= shards=8 out=out/slurm balance= wait=
while [ $# -gt 0 ]; do
    case $1 in
    --shards) shards=${2:?} && shift ;;
    -o) out=${2:?} && shift ;;
    --balance) balance=${2:?} && shift ;;
    --wait) wait=--wait ;;
    --) shift && break ;;
    -*) fail "unknown option $1" ;;
    *) [ -z "$suite" ] || fail "one suite at a time" && suite=$1 ;;
    esac
    shift
done
[ -f "$suite" ] || fail "the suite \`$suite\` is not there"

case $out in /*) ;; *) # a commit may have put a link there, which leads elsewhere
    part=$out
    while [ "$part" != . ]; do [ ! -h "$part" ] || fail "$part is a link"; part=$(dirname "$part"); done ;;
esac
mkdir -p "$out"
if [ -n "$balance" ]; then cp "$balance" "$out/balance.json"; else rm -f "$out/balance.json"; fi
rm -f "$out"/shard-*/results.json "$out/merged/results.json" "$out"/shard-*.log "$out/merge.log" # a shard that never runs must not be taken for an earlier one
export RIGPROOF_SUITE="$suite" RIGPROOF_OUT="$out" RIGPROOF="${RIGPROOF:-rigproof}" RIGPROOF_OPTIONS="${RIGPROOF_OPTIONS:-}"
array=$(sbatch --parsable --array="1-$shards" --requeue --open-mode=append -J "rigproof" -o "$out/shard-%a.log" "$@" "$here/shard.sh")
array=${array%%;*}
echo "job $array: $shards shards of $suite" >&2
code=0
[ -z "$wait" ] || echo "then the report in $out/merged" >&2
merge=$(sbatch $wait --parsable --dependency="afterany:$array" --open-mode=append -J "rigproof-merge" -o "$out/merge.log" "$@" "$here/merge.sh") || code=1
if [ -n "$wait" ]; then cat "$out/merge.log"; else echo "job ${merge%%;*}: the report in $out/merged, when they have ended" >&2; fi
exit $code
