#!/bin/sh
# usage: tests/engines.sh SOURCE RIGPROOF ENGINE
# An engine of subjects/, where it is installed, answers for the project's own fixtures what rigproof answers, or differs for a
# cause that is written down (scripts/engines.d/engines_known.py).
# Exit code: 0, 1, or 77 where the engine or NumPy is not installed.
set -u
source=$1 rigproof=$2 engine=$3
if ! /usr/bin/python3 -c 'import numpy' 2>/dev/null; then
    echo "no python3-numpy: skipped"
    exit 77
fi
if ! "$source/subjects/$engine/run" </dev/null >/dev/null 2>&1; then
    echo "$engine is not installed (subjects/$engine/install): skipped"
    exit 77
fi
# Small ones: starting Blender or reading many takes its time.
exec "$source/scripts/engines" --rigproof "$rigproof" --models "$source/fixtures" --engine "$engine" --no-install \
    --model limb/limb.gltf strip/strip.gltf stride/stride.gltf twins/twins.gltf walker/walker.glb walker/walker.dae sheaf/sheaf.x ticks/ticks.x
