/* The content is packed by C (viewer/packer.h): JSON whose arrays of numbers lie in one run of bytes. */

const ARRAYS = {f4: Float32Array, f8: Float64Array, u1: Uint8Array, u2: Uint16Array, u4: Uint32Array, i1: Int8Array, i2: Int16Array};

/* [type, first byte, count], or of a quantised one [type, first byte, count, offsets, steps]. */
function readArray(buffer, place) {
    const [type, at, count, offsets, steps] = place;
    const raw = new ARRAYS[type](buffer, at, count);
    if (!steps)
        return raw;
    const out = new Float32Array(count), width = steps.length;
    for (let i = 0; i < count; i++)
        out[i] = offsets[i % width] + steps[i % width] * raw[i];
    return out;
}

/* Three rows of four become a matrix by columns. */
function readMatrices(buffer, place) {
    const rows = readArray(buffer, place), count = rows.length / 12, out = new Float64Array(16 * count);
    for (let m = 0; m < count; m++) {
        for (let i = 0; i < 12; i++)
            out[16 * m + 4 * (i % 4) + (i >> 2)] = rows[12 * m + i];
        out[16 * m + 15] = 1;
    }
    return out;
}

function readNodes(buffer, nodes) {
    const parents = Int32Array.from(readArray(buffer, nodes.parents), (parent) => parent - 1);
    const flags = readArray(buffer, nodes.flags), children = nodes.names.map(() => []), roots = [];
    parents.forEach((parent, n) => (parent < 0 ? roots : children[parent]).push(n));
    return {
        names: nodes.names, count: nodes.names.length, parents, children, roots,
        rest: Float64Array.from(readArray(buffer, nodes.rest)), restMatrices: readMatrices(buffer, nodes.local_to_parent),
        colors: readArray(buffer, nodes.colors),
        isJoint: Array.from(flags, (flag) => (flag & 1) !== 0), isBone: Array.from(flags, (flag) => (flag & 2) !== 0),
    };
}

function readSkin(buffer, skin) {
    const counts = readArray(buffer, skin.counts), first = new Uint32Array(counts.length + 1);
    counts.forEach((count, v) => { first[v + 1] = first[v] + count; });
    return {
        nodes: readArray(buffer, skin.nodes), offsets: readMatrices(buffer, skin.mesh_to_bone), first,
        bones: readArray(buffer, skin.bones),
        weights: skin.bytes ? Float32Array.from(readArray(buffer, skin.bytes), (byte) => byte / 255)
                            : readArray(buffer, skin.weights),
    };
}

function readMesh(buffer, mesh) {
    const read = (place) => place ? readArray(buffer, place) : null;
    return {
        label: mesh.label, material: mesh.material, positions: read(mesh.positions), normals: read(mesh.normals),
        uvs: read(mesh.uvs), moreUvs: read(mesh.more_uvs), tangents: read(mesh.tangents), colors: read(mesh.colors), indices: Uint32Array.from(read(mesh.indices)),
        vertexCount: mesh.positions[2] / 3, skin: mesh.skin ? readSkin(buffer, mesh.skin) : null,
        targets: mesh.targets.map((target) => ({name: target.name, positions: read(target.positions), normals: read(target.normals)})),
    };
}

/* A binding is a pair of mesh instance and bone: what a palette entry belongs to. */
function bind(model) {
    model.bindingNodes = [];
    model.weightCount = 0;
    const offsets = [];
    for (const instance of model.instances) {
        const mesh = model.meshes[instance.mesh];
        model.weightCount += mesh.targets.length;
        if (!mesh.skin) {
            model.bindingNodes.push(instance.node);
            offsets.push(...IDENTITY);
        }
        for (let b = 0; mesh.skin && b < mesh.skin.nodes.length; b++) {
            model.bindingNodes.push(mesh.skin.nodes[b]);
            offsets.push(...mesh.skin.offsets.subarray(16 * b, 16 * b + 16));
        }
    }
    model.offsets = Float64Array.from(offsets);
}

function readModel(buffer, model) {
    const out = {
        name: model.name, nodes: readNodes(buffer, model.nodes), meshes: model.meshes.map((mesh) => readMesh(buffer, mesh)),
        instances: model.instances, materials: model.materials, textures: model.textures,
    };
    out.prefix = commonPrefix(out.nodes.names.filter((_, n) => out.nodes.isBone[n])); /* said once, and left out of each */
    out.morphed = new Map(); /* what a person has set, in place of the clip's: index of a weight -> weight */
    bind(out);
    out.clips = model.clips.map((clip) => prepareClip(buffer, clip));
    return out;
}

/* Its locals are made of the globals: a pose may have been given without any. */
function readPose(buffer, pose, {parents, count}) {
    const globals = readMatrices(buffer, pose.node_to_scene), matrices = globals.slice();
    for (let n = 0; n < count; n++)
        if (parents[n] >= 0)
            multiplyAffine(invert(globals.subarray(16 * parents[n], 16 * parents[n] + 16)), 0, globals, 16 * n, matrices, 16 * n);
    return {
        time: pose.time, globals, matrices,
        palette: readMatrices(buffer, pose.mesh_to_scene), weights: Float32Array.from(readArray(buffer, pose.weights)),
    };
}

function readContent(json) {
    if (json.format !== 'rigproof.viewer/1')
        throw new Error('this is no content of rigproof.viewer/1');
    const buffer = decodeBase64(json.data).buffer, models = json.models.map((model) => readModel(buffer, model));
    for (const model of models) /* a number is a texture of the first */
        model.textures = model.textures.map((texture) => typeof texture === 'number' ? models[0].textures[texture] : texture);
    const sides = json.sides.map((side) => ({
        model: models[side.model], label: side.label || models[side.model].name,
        place: side.place ? readMatrices(buffer, side.place) : null,
        poses: side.poses.map((pose) => readPose(buffer, pose, models[side.model].nodes)),
    }));
    return {title: json.title, form: json.form, start: json.start, film: json.film || null, models, sides};
}
