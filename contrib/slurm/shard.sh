#!/bin/sh
# A task of the array: its shard of the suite. submit.sh starts it. A task that Slurm runs again writes over its own folder.
set -eu
balance=
[ ! -f "$RIGPROOF_OUT/balance.json" ] || balance="--balance $RIGPROOF_OUT/balance.json"
# exec: SIGTERM (scancel, the end of --time, a requeue) reaches rigproof, which then writes what has ended and names what has not
exec "$RIGPROOF" check "$RIGPROOF_SUITE" --shard auto $balance $RIGPROOF_OPTIONS -j "${SLURM_CPUS_PER_TASK:-1}" \
    -o "$RIGPROOF_OUT/shard-$SLURM_ARRAY_TASK_ID"
