#!/bin/sh
# After all tasks have ended, however they did: one report. It is red where a shard is missing, and names its cases.
set -eu
exec "$RIGPROOF" report "$RIGPROOF_OUT"/shard-*/results.json -o "$RIGPROOF_OUT/merged"
