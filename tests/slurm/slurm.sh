#!/bin/sh
# contrib/slurm on a real slurmctld and slurmd: slurm.sh SOURCE RIGPROOF. A node that is killed half way costs nothing; a task that
# never comes back makes the report red and is named with its cases. 77 where Slurm is not installed or nodes cannot be started.
set -eu
source=$1 RIGPROOF=$2
PATH=$PATH:/usr/sbin:/sbin
for program in slurmctld slurmd munged unshare; do
    command -v $program >/dev/null || { echo "$program is not installed"; exit 77; }
done
own=
[ "$(id -u)" = 0 ] || own='--user --map-current-user'
unshare $own --pid --fork --mount-proc true 2>/dev/null || { echo "this machine gives nodes no process numbers of their own"; exit 77; }

scratch=$(mktemp -d)
trap '"$source/contrib/slurm/cluster" stop "$scratch/cluster" 2>/dev/null || true; sleep 1; rm -rf "$scratch"' EXIT
trap 'exit 1' INT TERM
cd "$scratch"
cp -r "$source/fixtures" .
fail() { echo "FAILED: $*"; tail -n 20 out/*/*.log cluster/slurmctld.log 2>/dev/null; exit 1; }

{
    printf 'version: 1\ngoldens: golden\ndefaults: {size: [48, 48], times: [0.1]}\ncases:\n'
    for i in $(seq 60); do
        echo "  - {name: case-$i, model: fixtures/walker/walker.glb, clip: $((i % 3)), camera: {yaw: $i}}"
    done
} >suite.yaml
env -u CI "$RIGPROOF" accept suite.yaml -o out/accept >/dev/null

"$source/contrib/slurm/cluster" start cluster 2 >/dev/null || fail "no cluster"
export SLURM_CONF="$scratch/cluster/slurm.conf" RIGPROOF RIGPROOF_OPTIONS=--strict
submit="$source/contrib/slurm/submit.sh"

# A node dies with what it runs.
$submit suite.yaml --shards 3 -o out/killed --wait >killed.txt 2>&1 &
waiting=$!
for i in $(seq 100); do
    [ -z "$(squeue -h -t R -w node1 -n rigproof -o %i)" ] || break
    sleep 0.1
done
[ -n "$(squeue -h -t R -w node1 -n rigproof -o %i)" ] || fail "nothing ran on node1"
"$source/contrib/slurm/cluster" kill cluster node1
wait $waiting || fail "the run is red: $(cat killed.txt)"
grep -q '^60 cases, all good$' killed.txt || fail "$(cat killed.txt)"
grep -q 'Requeuing JobId' cluster/slurmctld.log || fail "nothing was requeued"
"$source/contrib/slurm/cluster" revive cluster node1

# A task that never comes back.
job=$($submit suite.yaml --shards 3 -o out/lost -- --begin=now+2 2>&1 | sed -n "s/^job \\([0-9]*\\): [0-9]* shards.*/\\1/p")
scancel "${job}_2"
for i in $(seq 600); do
    [ -n "$(squeue -h)" ] || break
    sleep 0.1
done
scontrol show job -o | grep -q 'JobName=rigproof-merge.*JobState=FAILED.*ExitCode=1:0' || fail "the merge is not red"
grep -q 'of 60 cases not run, shard 2 of 3 is missing' out/lost/merge.log || fail "$(cat out/lost/merge.log)"
"$RIGPROOF" check suite.yaml --list --shard 2/3 | cut -d' ' -f1 >expected.txt
sed -n '/^Not run:/,/^$/{/^  - /s///;/^Not/d;s/,/\n/g;s/ //g;p;}' out/lost/merge.log | sed 's/^ *-* *//;/^$/d' >named.txt
cmp expected.txt named.txt || fail "shard 2 has $(cat expected.txt), and named were $(cat named.txt)"
echo "good"
