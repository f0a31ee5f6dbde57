#!/usr/bin/env bash
# Holds what the program writes against docs/schemas, and the schemas against broken documents.
#   tests/schemas.sh ROOT RIGPROOF EVIDENCE_FILE RESULTS_FILE
# A further format is a line at the end and a function that prints documents of it, one after the other.
set -euo pipefail
root=$1
rigproof=$2
snapshot_file=$3 # prints samples that have every member there is, and reads
results_file=$4  # the same for results.json
fixtures=$root/fixtures
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

models=(walker/walker.glb walker/walker.fbx walker/walker.dae strip/strip.gltf strip/morph.gltf shapes/shapes.gltf crowd/crowd.glb
        twins/twins.gltf maps/maps.gltf pieces/body.glb pieces/steps.glb ticks/ticks.x limb/limb.mdl)

import_documents() {
    local model
    "$snapshot_file" print import.json
    for model in "${models[@]}"; do
        "$rigproof" inspect --json "$fixtures/$model"
    done
    "$rigproof" inspect --json --clips-from "$fixtures/pieces/steps.glb" "$fixtures/pieces/body.glb"
    "$rigproof" inspect --json "$fixtures/broken/missing-texture.gltf"
    "$rigproof" inspect --json "$fixtures/broken/unweighted.gltf"
}

# Clips of a model by their names, one a line.
clips_of() {
    "$rigproof" inspect --json "$1" | "$python" -c 'import json, sys
for clip in json.load(sys.stdin)["clips"]: print(clip["name"])'
}

pose_documents() {
    local model clip
    "$snapshot_file" print pose.json
    for model in "${models[@]}"; do
        "$rigproof" dump --format json --clip none --time 0 "$fixtures/$model"
        while IFS= read -r clip; do
            "$rigproof" dump --format jsonl --clip "$clip" --times auto --samples 3 "$fixtures/$model"
        done < <(clips_of "$fixtures/$model")
    done
    "$rigproof" dump --format json --clips-from "$fixtures/pieces/steps.glb" --time 0.5 --space root \
        "$fixtures/pieces/body.glb"
    "$rigproof" dump --format jsonl --frames 0..3 --velocities --vertices "$fixtures/strip/strip.gltf"
}

pose_part_documents() {
    local stage
    for stage in local global palette skin global,palette,skin; do
        "$rigproof" dump --format jsonl --frames 0..2 --stage "$stage" "$fixtures/twins/twins.gltf"
    done
    "$rigproof" dump --format json --bone '*_L' --velocities --time 0.1,0.2 --stage local,global -o "$scratch/{time}.json" \
        "$fixtures/walker/walker.glb"
    cat "$scratch"/0.?00.json
    "$rigproof" dump --format json --vertices --stage skin "$fixtures/strip/strip.gltf"
}

bones_documents() {
    local model
    for model in "${models[@]}"; do
        "$rigproof" inspect --bones --json "$fixtures/$model"
    done
}

brief_documents() {
    "$rigproof" inspect --brief --json "${models[@]/#/$fixtures/}" | sed -e '/^[][]$/d' -e 's/,$//'
}

# Exit code 1: models that do not survive, which is what the findings are about.
survival_documents() {
    "$rigproof" inspect --for all --json "${models[@]/#/$fixtures/}" "$fixtures/broken/no-inverse-bind.gltf" |
        sed -e '1d;$d' -e 's/^},$/}/' || [ "${PIPESTATUS[0]}" = 1 ]
}

results_documents() {
    "$results_file" print
}

list_documents() {
    "$rigproof" check --list --json "$root/golden/suite.yaml"
    "$rigproof" check --list --json "$scratch/list.yaml"
}
cp "$fixtures/strip/strip.gltf" "$scratch"
echo 'version: 1
cases:
- {name: a, model: strip.gltf, stages: [palette, draw], tags: [x, y], clips-from: strip.gltf}
- {name: gone, model: gone.glb}
- {name: later, model: strip.gltf, skip: true, reason: slow}
- {name: same, model: strip.gltf, agrees_with: a}' >"$scratch/list.yaml"

camera_documents() {
    local camera
    for camera in yaw=20 ortho=2 eye=0:1:5,target=0:1:0; do
        "$rigproof" render "$fixtures/walker/walker.glb" --size 8x8 --camera "$camera" --save-camera - -o "$scratch/picture.png"
    done
}

# What agrees, what has a cause, and what has none.
diagnosis_documents() {
    local time
    "$rigproof" dump "$fixtures/walker/walker.glb" --clip walk --time 0.25 --stage palette --json -o "$scratch/theirs.json"
    for time in 0.25 0.5; do
        "$rigproof" diagnose "$fixtures/walker/walker.glb" --clip walk --time "$time" "$scratch/theirs.json" --json || true
    done
    "$rigproof" diagnose "$fixtures/walker/walker.glb" --clip wave --time 0 "$scratch/theirs.json" --json || true
}

# Whoever reads a suite reads the cameras that it names.
read_camera='cat >"$1/camera.json"; "$2" check --list "$1/camera.yaml" >"$1/listed" && ! grep -q "cannot run" "$1/listed"'
touch "$scratch/model.glb"
echo 'version: 1
cases: [{name: a, model: model.glb, camera: {saved: camera.json}}]' >"$scratch/camera.yaml"

recorded_documents() {
    cat "$root"/golden/*/recorded.json
}

# The python3 that is found first need not be the one the distribution's packages are for.
for python in python3 /usr/bin/python3; do
    "$python" -c 'import jsonschema; jsonschema.Draft202012Validator' 2>/dev/null && break
    python=
done
if [ -z "$python" ]; then
    echo "schemas: skipped, no python3 with jsonschema 4 (Debian: python3-jsonschema)"
    exit 77
fi

# Members that a document may lack (any other must be missed when it is taken away) and lists of numbers of any length,
# both as ends of paths. READER answers with its exit code whether it takes what comes on stdin; it may be left out.
hold() { # NAME in docs/schemas/NAME.schema.json, function that prints documents, members, lists, READER...
    "$2" >"$scratch/$1.json"
    "$python" "$root/tests/schemas.py" "$root/docs/schemas/$1.schema.json" "$root/docs/formats.md" "$scratch/$1.json" \
        "${@:3}"
}

hold import import_documents \
    "cameras,repairs,warnings,meshes[].moments,meshes[].targets,targets[].normal,moments.position,moments.face,moments.normal,\
moments.uv,moments.color,moments.tangent,bones[].reach,bones[].follows_mesh_node,materials[].wrap,materials[].unlit,\
materials[].factors,materials[].maps,maps[].texture,maps[].strength,maps[].uv,maps[].offset,maps[].scale,maps[].rotation,maps[].wrap,\
maps[].min_filter,maps[].mag_filter,textures[].hash,textures[].moments,channels[].t,\
channels[].r,channels[].s,channels[].unmatched,\
channels[].repair,morphs[].weights,samples,times" \
    "meshes[].influences,factors[].value,weights.mean,weights.rms,samples,times" \
    "$snapshot_file" read import.json
velocities=nodes[].local_velocity,nodes[].local_angular_velocity,nodes[].velocity,nodes[].angular_velocity
hold pose pose_documents "morphs,palette,skin,$velocities,skin[].positions,skin[].normals" "morphs[].weights,positions,normals" "$snapshot_file" read pose.json
hold pose-part pose_part_documents "model,clip,time,space,matrices,nodes[].parent,nodes[].local,palette[].mesh,\
skin[].vertices,skin[].min,skin[].max,skin[].centroid,nodes,morphs,palette,skin,nodes[].t,nodes[].r,nodes[].s,nodes[].global,$velocities,\
skin[].positions,skin[].normals" "morphs[].weights,positions,normals"
hold bones bones_documents "meshes[].influences,meshes[].most_influences,meshes[].least_sum,meshes[].largest_sum" "influences"
hold brief brief_documents "" ""
hold diagnosis diagnosis_documents "tells,causes[].detail,causes[].factor,causes[].seconds,causes[].count,causes[].rate" ""
hold survival survival_documents "" ""
hold results results_documents \
    "partition,cost,import_cost,prune,judged,curve,curve.lines,curve.line_note,lines[].keys,viewer,viewer_note,causes,causes_of_golden,causes.detail,causes[].detail,shader_warnings,needed,tolerance.influences,tolerance.keys,measured.influences,measured.keys,vacuity,passes_from,facts,facts.not_sampled,tolerance.framing,measured.framing,levels,by,explained,remaining,image.displacement,remaining.displacement,findings[].kind,findings[].tolerance,findings[].measure,fingerprint.renderer,fingerprint.mesa,golden.renderer,golden.mesa,actual.renderer,actual.mesa" \
    "over_time,lines[].keys" \
    "$results_file" read
settings=$("$rigproof" check --list --json "$scratch/list.yaml" | "$python" -c 'import json, sys
print(*("settings." + name for name in json.load(sys.stdin)["cases"][0]["settings"]), sep=",")')
hold list list_documents "$settings" "times"
hold recorded recorded_documents "bounds,options.shader-map,options.range,options.place,options.clips-from,options.clips-scale,options.clips-prefix,import,import_file,library,library.assimp-file,library.assimp-soname,library.assimp-build-id,frames[].pose,frames[].camera" ""
hold camera camera_documents "format" "" bash -c "$read_camera" read_camera "$scratch" "$rigproof"
