/* The poses that are shown: of each side what plays or the nearest of its own poses, skinned, and what it is compared with. */

function createSides(gpu, content, changed) {
    const models = new Map(content.models.map((model) => [model, createGpuModel(gpu, model, changed)]));
    return content.sides.map((side) => {
        const gpuModel = models.get(side.model);
        return {...side, gpuModel, skinned: createSkinned(gpu, gpuModel), extra: null, extraOf: '', pose: null,
                shown: shownNodes(side.model)};
    });
}

/* Without what exporters put before and behind it: "walk" of "Armature|rig|walk|BaseLayer". */
const shortClipName = (name) => name.replace(/\|BaseLayer$/, '').replace(/^[^]*[|:]/, '');

/* By name; of several models the clip that is called so, else the only one. */
function clipOf(side, name) {
    if (name === null || name === undefined)
        return null;
    const {clips} = side.model;
    return clips.find((clip) => clip.name === name) || clips.find((clip) => shortClipName(clip.name) === shortClipName(name)) ||
        (clips.length === 1 ? clips[0] : null);
}

function nearestPose(side, time) {
    return side.poses.reduce((best, pose) => !best || Math.abs(pose.time - time) < Math.abs(best.time - time) ? pose : best, null);
}

function poseSide(side, state, loops, time = state.time) {
    if (side.poses.length > 0)
        return nearestPose(side, time);
    return poseModel(side.model, {clip: clipOf(side, state.clip), time, loops, share: state.share,
                                  other: state.blend === undefined ? undefined : clipOf(side, state.blend)});
}

/* Poses and skins a side where something changed. */
function updateSide(gpu, side, state, loops) {
    const pose = poseSide(side, state, loops);
    if (side.pose === pose)
        return;
    side.pose = placePose(side, pose);
    skinPose(gpu, side.skinned, pose);
}

/* The pose is drawn in the first side's axes and unit. Its numbers stay the file's. */
function placePose(side, pose) {
    if (!side.place)
        return pose;
    const placed = (matrices) => {
        const out = new Float64Array(matrices.length);
        for (let i = 0; i < matrices.length; i += 16)
            multiplyAffine(side.place, 0, matrices, i, out, i);
        return out;
    };
    return Object.assign(pose, {placedGlobals: placed(pose.globals), placedPalette: placed(pose.palette)});
}

/* Buffers of the side in another pose: at rest, or a little earlier for its speed. */
function extraPose(gpu, side, kind, state, loops) {
    const key = kind === 'rest' ? kind : kind + [state.clip, state.time, state.blend, state.share];
    side.extra = side.extra || createSkinned(gpu, side.gpuModel);
    if (side.extraOf !== key)
        skinPose(gpu, side.extra, placePose(side, kind === 'rest' ? resolvePose(side.model, createPose(side.model))
                                                                  : poseSide(side, state, loops, state.time + speedStep(state))));
    side.extraOf = key;
    return side.extra;
}

/* Seconds between the two poses whose distance is the speed: backwards, but for the beginning. */
const speedStep = (state) => state.time < 1e-3 ? 1e-3 : -1e-3;

/* Returns whether vertices of two sides are the same ones. */
function areComparable(a, b) {
    const counts = (side) => JSON.stringify(side.gpuModel.meshes.map(({mesh}) => mesh.vertexCount));
    return counts(a) === counts(b);
}

/* Returns the buffers that a side's vertices are held against in a view, or null. */
function otherOf(gpu, sides, i, state, loops) {
    const partner = sides.length > 1 ? sides[1 - i] : null;
    if (state.view === 'displacement' && partner)
        return areComparable(sides[i], partner) ? partner.skinned : sides[i].skinned;
    if (state.view === 'displacement' || state.view === 'stretch')
        return extraPose(gpu, sides[i], 'rest', state, loops);
    return state.view === 'speed' ? extraPose(gpu, sides[i], 'before', state, loops) : null;
}

/* The box of what the sides show, and the largest distance between two sets of buffers. */
function measureBox(gpu, sides) {
    let min = [Infinity, Infinity, Infinity], max = [-Infinity, -Infinity, -Infinity];
    const take = (x, y, z) => {
        if (Number.isFinite(x + y + z)) {
            min = [Math.min(min[0], x), Math.min(min[1], y), Math.min(min[2], z)];
            max = [Math.max(max[0], x), Math.max(max[1], y), Math.max(max[2], z)];
        }
    };
    for (const side of sides) {
        side.gpuModel.meshes.forEach((_, i) => {
            const vertices = readSkinned(gpu, side.skinned, i);
            for (let v = 0; v < vertices.length; v += SKINNED)
                take(vertices[v], vertices[v + 1], vertices[v + 2]);
        });
        for (let n = 0; side.gpuModel.meshes.length === 0 && n < side.model.nodes.count; n++)
            take(...nodePlace(side.pose, n));
    }
    return min[0] <= max[0] ? {min, max} : null;
}

function largestDistance(gpu, a, b) {
    let most = 0;
    a.gpuModel.meshes.forEach((_, i) => {
        const p = readSkinned(gpu, a, i), q = readSkinned(gpu, b, i);
        for (let v = 0; v < p.length; v += SKINNED)
            most = Math.max(most, Math.hypot(p[v] - q[v], p[v + 1] - q[v + 1], p[v + 2] - q[v + 2]) || 0);
    });
    return most;
}

/* A round number at or above, as pictures have it (pipeline/view_values.c). */
function roundUp(value) {
    if (!(value > 0))
        return 0;
    const power = 10 ** Math.floor(Math.log10(value) + 1e-9);
    return power * [1, 1.2, 1.6, 2, 2.4, 3.2, 4, 5, 6, 8, 10].find((step) => step >= 10 || step * power * (1 + 1e-5) >= value);
}
