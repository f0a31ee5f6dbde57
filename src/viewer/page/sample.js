/* Clip and time -> local pose -> globals -> palette, as animate/ and palette/ of the program have it (animate/tracks.h). */

const PARTS = [['translation', 0, 3], ['rotation', 3, 4], ['scale', 7, 3]]; /* name, place in a transform, width */
const STEP_SLACK = 2 ** -23; /* a key of floats may lie so much of its time beside the one that was meant */

function prepareKeys(buffer, keys, width) {
    const times = readArray(buffer, keys.times), values = Float64Array.from(readArray(buffer, keys.values));
    const cubic = keys.interpolation === 'cubic', stride = cubic ? 3 * width : width;
    for (let k = 0; width === 4 && k < times.length; k++) {
        const at = k * stride + (cubic ? width : 0);
        if (keys.form !== 'weights')
            normalizeQuaternion(values, at);
    }
    return {times, values, width, stride, cubic, step: keys.interpolation === 'step'};
}

/* The last of several channels of a node counts; those without keys move nothing. */
function prepareClip(buffer, clip) {
    const byNode = new Map();
    for (const channel of clip.channels) {
        const parts = PARTS.map(([name, , width]) => channel[name] ? prepareKeys(buffer, channel[name], width) : null);
        if (parts.some(Boolean))
            byNode.set(channel.node, {node: channel.node, parts, before: channel.before, after: channel.after});
    }
    const morphs = clip.morphs.filter((morph) => morph.weights).map((morph) => ({
        node: morph.node, count: morph.targets, before: 'hold', after: 'hold',
        keys: prepareKeys(buffer, {...morph.weights, form: 'weights'}, morph.targets)}));
    return {name: clip.name, duration: clip.duration, channels: [...byNode.values()], morphs};
}

function wrapTime(time, duration, loops) {
    const slack = Math.max(1e-6 * duration, 5e-7);
    if (!(duration > 0) || !Number.isFinite(time))
        return 0;
    if (time >= -slack && time <= duration + slack)
        return clamp(time, 0, duration);
    if (!loops)
        return time < 0 ? 0 : duration;
    const rest = time % duration;
    return rest < 0 ? rest + duration : Math.abs(rest);
}

/* Counts the keys that stand at or before the time. */
function keysUntil(times, time) {
    let low = 0, high = times.length;
    while (low < high) {
        const middle = (low + high) >> 1;
        if (times[middle] <= time)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Writes keys.width numbers into out from k on. */
function sampleKeys(keys, time, before, after, isRotation, out, k) {
    const {times, values, width, stride, cubic, step} = keys, last = times.length - 1, middle = cubic ? width : 0;
    const outside = time < times[0] ? before : time > times[last] ? after : null;
    const mix = (key, u) => {
        const a = key * stride + middle, b = a + stride;
        if (isRotation)
            slerp(values, a, values, b, u, out, k);
        else
            for (let i = 0; i < width; i++)
                out[k + i] = values[a + i] + u * (values[b + i] - values[a + i]);
    };
    if (outside === 'repeat' && times[last] > times[0])
        time = times[0] + wrapTime(time - times[0], times[last] - times[0], true);
    const edge = time < times[0] ? 0 : last - 1;
    if (outside === 'linear' && last > 0 && !step && times[edge + 1] > times[edge]) {
        mix(edge, (time - times[edge]) / (times[edge + 1] - times[edge]));
        return;
    }
    const passed = keysUntil(times, step ? time + Math.abs(time) * STEP_SLACK : time), key = Math.max(passed - 1, 0);
    if (passed === 0 || key === last || step || time === times[key]) {
        for (let i = 0; i < width; i++)
            out[k + i] = values[key * stride + middle + i];
        return;
    }
    const interval = times[key + 1] - times[key], u = (time - times[key]) / interval, v = 1 - u;
    if (!cubic) {
        mix(key, u);
        return;
    }
    const a = key * stride, b = a + stride; /* in-tangent, value, out-tangent */
    for (let i = 0; i < width; i++)
        out[k + i] = (1 + 2 * u) * v * v * values[a + width + i] + u * v * v * interval * values[a + 2 * width + i] +
            u * u * (3 - 2 * u) * values[b + width + i] - u * u * v * interval * values[b + i];
    if (isRotation)
        normalizeQuaternion(out, k);
}

/* The rest pose. */
function createPose(model) {
    const weights = new Float32Array(model.weightCount);
    for (const instance of model.instances)
        weights.set(instance.weights, instance.first_weight);
    return {
        local: model.nodes.rest.slice(), matrices: model.nodes.restMatrices.slice(), weights,
        globals: new Float64Array(16 * model.nodes.count), palette: new Float64Array(16 * model.bindingNodes.length),
    };
}

function sampleClip(model, clip, seconds, loops) {
    const pose = createPose(model), time = clip ? wrapTime(seconds, clip.duration, loops) : 0;
    for (const channel of clip ? clip.channels : []) {
        PARTS.forEach(([, place], i) => {
            if (channel.parts[i])
                sampleKeys(channel.parts[i], time, channel.before, channel.after, i === 1, pose.local, 10 * channel.node + place);
        });
        composeTransform(pose.local, 10 * channel.node, pose.matrices, 16 * channel.node);
    }
    for (const morph of clip ? clip.morphs : []) {
        const values = new Float64Array(morph.count);
        sampleKeys(morph.keys, time, 'hold', 'hold', false, values, 0);
        for (const instance of model.instances)
            for (let t = 0; instance.node === morph.node && t < instance.weights.length && t < morph.count; t++)
                pose.weights[instance.first_weight + t] = values[t];
    }
    return pose;
}

/* Node by node: the mean of translation and scale, slerp of the rotation; what is equal in both stays as it is. */
function blendPoses(a, b, share) {
    const out = {...a, local: a.local.slice(), matrices: a.matrices.slice(), weights: a.weights.slice()};
    for (let n = 0; n < a.matrices.length / 16; n++) {
        const at = 10 * n;
        let equal = true;
        for (let i = 16 * n; i < 16 * n + 16 && equal; i++)
            equal = a.matrices[i] === b.matrices[i];
        if (equal)
            continue;
        for (const i of [0, 1, 2, 7, 8, 9])
            out.local[at + i] = a.local[at + i] + share * (b.local[at + i] - a.local[at + i]);
        slerp(a.local, at + 3, b.local, at + 3, share, out.local, at + 3);
        composeTransform(out.local, at, out.matrices, 16 * n);
    }
    for (let i = 0; i < out.weights.length; i++)
        out.weights[i] = a.weights[i] + share * (b.weights[i] - a.weights[i]);
    return out;
}

/* Fills globals and palette. */
function resolvePose(model, pose) {
    const {parents, count} = model.nodes;
    for (let n = 0; n < count; n++)
        if (parents[n] < 0)
            pose.globals.set(pose.matrices.subarray(16 * n, 16 * n + 16), 16 * n);
        else
            multiplyAffine(pose.globals, 16 * parents[n], pose.matrices, 16 * n, pose.globals, 16 * n);
    for (let b = 0; b < model.bindingNodes.length; b++)
        multiplyAffine(pose.globals, 16 * model.bindingNodes[b], model.offsets, 16 * b, pose.palette, 16 * b);
    return pose;
}

/* One thing is played: {clip, time, loops, other, share} with clips or null for the rest pose. */
function poseModel(model, play) {
    const first = sampleClip(model, play.clip, play.time, play.loops);
    const pose = play.other !== undefined && play.share > 0
        ? blendPoses(first, sampleClip(model, play.other, play.time, play.loops), play.share) : first;
    model.morphed.forEach((weight, at) => { pose.weights[at] = weight; });
    return resolvePose(model, pose);
}
