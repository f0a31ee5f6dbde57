/* What is at a pixel: drawn once more into four numbers a pixel, and asked of the triangles there. */

function createPicking(gl) {
    const framebuffer = gl.createFramebuffer(), depth = gl.createRenderbuffer();
    gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
    [gl.COLOR_ATTACHMENT0, gl.COLOR_ATTACHMENT1].forEach((attachment) => {
        const target = gl.createRenderbuffer();
        gl.bindRenderbuffer(gl.RENDERBUFFER, target);
        gl.renderbufferStorage(gl.RENDERBUFFER, gl.RGBA32UI, 1, 1);
        gl.framebufferRenderbuffer(gl.FRAMEBUFFER, attachment, gl.RENDERBUFFER, target);
    });
    gl.bindRenderbuffer(gl.RENDERBUFFER, depth);
    gl.renderbufferStorage(gl.RENDERBUFFER, gl.DEPTH_COMPONENT24, 1, 1);
    gl.framebufferRenderbuffer(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.RENDERBUFFER, depth);
    gl.drawBuffers([gl.COLOR_ATTACHMENT0, gl.COLOR_ATTACHMENT1]);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    return framebuffer;
}

/* The camera's picture, of which one point (-1..1) fills everything. */
function narrowTo(camera, x, y, size) {
    const by = [size[0], size[1]], narrow = Float64Array.from([by[0], 0, 0, 0, 0, by[1], 0, 0, 0, 0, 1, 0, -x * by[0], -y * by[1], 0, 1]);
    return {...camera, sceneToClip: Float32Array.from(multiply(narrow, camera.sceneToClip))};
}

/* {instance, vertex, place} or null. `x` and `y` are -1..1 of the picture, up and to the right. */
function pickAt(gpu, skinned, camera, x, y, size) {
    const {gl, pick} = gpu, {model, meshes} = skinned.gpuModel, who = new Uint32Array(4), where = new Uint32Array(4);
    gpu.picking = gpu.picking || createPicking(gl);
    gl.bindFramebuffer(gl.FRAMEBUFFER, gpu.picking);
    gl.viewport(0, 0, 1, 1);
    gl.clearBufferuiv(gl.COLOR, 0, who);
    gl.clearBufferuiv(gl.COLOR, 1, where);
    gl.clearBufferfv(gl.DEPTH, 0, [1]);
    gl.useProgram(pick.program);
    setCamera(gl, pick.at, narrowTo(camera, x, y, size));
    gl.enable(gl.DEPTH_TEST);
    gl.disable(gl.BLEND);
    meshes.forEach(({mesh}, i) => {
        if (mesh.indices.length === 0)
            return;
        bindMesh(gl, skinned, i, {view: 'unlit'});
        setMaterial(gl, pick.at, skinned.gpuModel, model.materials[mesh.material], false);
        gl.uniform1ui(pick.at.instance, i);
        gl.drawElements(gl.TRIANGLES, mesh.indices.length, gl.UNSIGNED_INT, 0);
    });
    freeAttributes(gl);
    gl.readBuffer(gl.COLOR_ATTACHMENT0);
    gl.readPixels(0, 0, 1, 1, gl.RGBA_INTEGER, gl.UNSIGNED_INT, who);
    gl.readBuffer(gl.COLOR_ATTACHMENT1);
    gl.readPixels(0, 0, 1, 1, gl.RGBA_INTEGER, gl.UNSIGNED_INT, where);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    return who[0] === 0 ? null : {instance: who[0] - 1, vertex: who[1], place: [...new Float32Array(where.buffer, 0, 3)]};
}

/* Shares of a triangle's corners in a point, and how far it is off. */
function sharesOf(point, a, b, c) {
    const ab = subtract(b, a), ac = subtract(c, a), ap = subtract(point, a);
    const d00 = dot(ab, ab), d01 = dot(ab, ac), d11 = dot(ac, ac), d20 = dot(ap, ab), d21 = dot(ap, ac);
    const area = d00 * d11 - d01 * d01, v = area > 0 ? (d11 * d20 - d01 * d21) / area : 0, w = area > 0 ? (d00 * d21 - d01 * d20) / area : 0;
    const shares = [1 - v - w, v, w], off = subtract(ap, add(scale(ab, v), scale(ac, w)));
    return {shares, error: length(off) / Math.sqrt(Math.max(d00, d11, 1e-30)) + Math.max(0, ...shares.map((share) => -share))};
}

/*
 * Names what was picked: the mesh, its material, and the bones that hold the point, by the weights of the triangle's corners and
 * how near the point is to each: [{node, weight}], the largest first.
 */
function describePick(gpu, skinned, picked) {
    const {model, meshes} = skinned.gpuModel, {mesh, instance} = meshes[picked.instance];
    const vertices = readSkinned(gpu, skinned, picked.instance), at = (v) => [...vertices.subarray(SKINNED * v, SKINNED * v + 3)];
    let best = null;
    for (let t = 0; t < mesh.indices.length; t += 3) {
        if (mesh.indices[t + 2] !== picked.vertex)
            continue;
        const corners = [...mesh.indices.subarray(t, t + 3)], found = sharesOf(picked.place, ...corners.map(at));
        if (!best || found.error < best.error)
            best = {...found, corners, triangle: t / 3};
    }
    const weights = new Map();
    (best ? best.corners : [picked.vertex]).forEach((v, i) => {
        const share = best ? clamp(best.shares[i], 0, 1) : 1;
        if (!mesh.skin)
            weights.set(instance.node, (weights.get(instance.node) || 0) + share);
        for (let k = mesh.skin ? mesh.skin.first[v] : 0; mesh.skin && k < mesh.skin.first[v + 1]; k++) {
            const node = mesh.skin.nodes[mesh.skin.bones[k]];
            weights.set(node, (weights.get(node) || 0) + share * mesh.skin.weights[k]);
        }
    });
    const bones = [...weights].map(([node, weight]) => ({node, weight})).filter((bone) => bone.weight > 1e-6)
        .sort((a, b) => b.weight - a.weight || a.node - b.node);
    const nearest = best ? best.corners[best.shares.indexOf(Math.max(...best.shares))] : picked.vertex;
    return {instance: picked.instance, mesh: mesh.label, material: model.materials[mesh.material].name, vertex: nearest,
            triangle: best ? best.triangle : null, place: picked.place, bones};
}
