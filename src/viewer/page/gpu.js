/* Programs, meshes and skinned vertices lie in the GPU's memory. */

function buildProgram(gl, vertex, fragment, varyings) {
    const program = gl.createProgram();
    for (const [type, source] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
        const shader = gl.createShader(type);
        gl.shaderSource(shader, source);
        gl.compileShader(shader);
        if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS) && !gl.isContextLost())
            throw new Error('a shader does not build: ' + gl.getShaderInfoLog(shader));
        gl.attachShader(program, shader);
    }
    for (const [name, location] of Object.entries(LOCATIONS))
        gl.bindAttribLocation(program, location, name);
    if (varyings)
        gl.transformFeedbackVaryings(program, varyings, gl.INTERLEAVED_ATTRIBS);
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS) && !gl.isContextLost())
        throw new Error('a program does not link: ' + gl.getProgramInfoLog(program));
    const at = {};
    for (let i = 0; i < gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS); i++) {
        const name = gl.getActiveUniform(program, i).name;
        at[name.replace('[0]', '')] = gl.getUniformLocation(program, name);
    }
    return {program, at};
}

function createGpu(canvas) {
    const gl = canvas.getContext('webgl2', {antialias: true, alpha: true, premultipliedAlpha: true, preserveDrawingBuffer: true});
    if (!gl)
        throw new Error('this browser has no WebGL 2');
    const gpu = {
        gl, feedback: gl.createTransformFeedback(), arrays: gl.createVertexArray(), /* for skinning, whose output is input of all else */
        skin: buildProgram(gl, SKIN_VERTEX, EMPTY_FRAGMENT, ['skinned_position', 'skinned_normal', 'skinned_tangent', 'mirrored']),
        surfaces: new Map(), white: createNumbers(gl, [1, 1, 1, 1], 4), /* no ambient occlusion */
        lines: gl.createBuffer(), corners: createBuffer(gl, new Float32Array([-1, -1, -1, 1, 1, -1, 1, 1])),
    };
    const later = {line: [LINE_VERTEX, LINE_FRAGMENT], wire: [WIRE_VERTEX, WIRE_FRAGMENT]};
    for (const [name, sources] of Object.entries(later)) /* built when they are needed first */
        Object.defineProperty(gpu, name, {configurable: true, get() {
            const program = buildProgram(gl, ...sources);
            Object.defineProperty(gpu, name, {value: program});
            return program;
        }});
    return gpu;
}

function createBuffer(gl, data, target = gl.ARRAY_BUFFER) {
    const buffer = gl.createBuffer();
    gl.bindBuffer(target, buffer);
    gl.bufferData(target, data, gl.STATIC_DRAW);
    return buffer;
}

/* Numbers as texels, `width` (2, 3 or 4) each; TEXELS in a row. */
function createNumbers(gl, data, width) {
    const texture = gl.createTexture();
    writeNumbers(gl, texture, data, width);
    return texture;
}

function writeNumbers(gl, texture, data, width) {
    const formats = {2: [gl.RG32F, gl.RG], 3: [gl.RGB32F, gl.RGB], 4: [gl.RGBA32F, gl.RGBA]}[width];
    const rows = Math.max(1, Math.ceil(data.length / width / TEXELS)), whole = new Float32Array(rows * TEXELS * width);
    whole.set(data);
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 4);
    gl.texImage2D(gl.TEXTURE_2D, 0, formats[0], TEXELS, rows, 0, formats[1], gl.FLOAT, whole);
    for (const name of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER])
        gl.texParameteri(gl.TEXTURE_2D, name, gl.NEAREST);
}

/* Notes of each vertex its largest weight, the sum, the colour of the bone that has the largest, how many. */
function measureWeights(model, mesh, instance) {
    const out = {largest: new Float32Array(mesh.vertexCount), sum: new Float32Array(mesh.vertexCount).fill(1),
                 bones: new Uint8Array(4 * mesh.vertexCount), counts: new Uint8Array(4 * mesh.vertexCount)};
    const paint = (v, node) => out.bones.set([...model.nodes.colors.subarray(3 * node, 3 * node + 3), 255], 4 * v);
    for (let v = 0; v < mesh.vertexCount; v++) {
        if (!mesh.skin) {
            out.largest[v] = 1;
            out.counts[4 * v] = 1;
            paint(v, instance.node);
            continue;
        }
        const {first, bones, weights, nodes} = mesh.skin;
        let best = -1;
        out.sum[v] = 0;
        for (let i = first[v]; i < first[v + 1]; i++) {
            out.sum[v] += weights[i];
            if (best < 0 || weights[i] > weights[best])
                best = i;
        }
        out.counts[4 * v] = Math.min(first[v + 1] - first[v], 255);
        if (best >= 0) {
            out.largest[v] = weights[best];
            paint(v, nodes[bones[best]]);
        }
    }
    return out;
}

function createMesh(gl, model, instance) {
    const mesh = model.meshes[instance.mesh], count = mesh.vertexCount, measured = measureWeights(model, mesh, instance);
    const out = {
        mesh, instance, positions: createBuffer(gl, mesh.positions), normals: createBuffer(gl, mesh.normals),
        uvs: mesh.uvs ? createBuffer(gl, mesh.uvs) : null, moreUvs: mesh.moreUvs ? createBuffer(gl, mesh.moreUvs) : null,
        tangents: mesh.tangents ? createBuffer(gl, mesh.tangents) : null, colors: mesh.colors ? createBuffer(gl, mesh.colors) : null,
        indices: createBuffer(gl, mesh.indices, gl.ELEMENT_ARRAY_BUFFER), edges: null, edgeCount: 0,
        largest: createBuffer(gl, measured.largest), sum: createBuffer(gl, measured.sum), bones: createBuffer(gl, measured.bones),
        counts: createBuffer(gl, measured.counts), chosen: gl.createBuffer(), chosenNode: null,
        farFromOne: measured.sum.reduce((most, sum) => Math.max(most, Math.abs(sum - 1)), 0),
        influences: null, ranges: null, deltas: null, morphs: gl.createTexture(),
    };
    const {skin, targets} = mesh;
    const pairs = new Float32Array(skin ? 2 * skin.bones.length : 2), ranges = new Uint32Array(2 * count);
    for (let i = 0; skin && i < skin.bones.length; i++)
        pairs.set([skin.bones[i], skin.weights[i]], 2 * i);
    for (let v = 0; skin && v < count; v++)
        ranges.set([skin.first[v], skin.first[v + 1] - skin.first[v]], 2 * v);
    out.influences = createNumbers(gl, pairs, 2);
    out.ranges = createBuffer(gl, ranges);
    const deltas = new Float32Array(Math.max(6 * count * targets.length, 3));
    targets.forEach((target, t) => {
        deltas.set(target.positions, 6 * count * t);
        if (target.normals)
            deltas.set(target.normals, 6 * count * t + 3 * count);
    });
    out.deltas = createNumbers(gl, deltas, 3);
    return out;
}

/* Each edge once, as pairs of vertices. */
function findEdges(gl, gpuMesh) {
    const {indices, vertexCount} = gpuMesh.mesh, seen = new Set(), edges = [];
    for (let i = 0; i < indices.length; i++) {
        const a = indices[i], b = indices[i % 3 === 2 ? i - 2 : i + 1], key = Math.min(a, b) * vertexCount + Math.max(a, b);
        if (!seen.has(key)) {
            seen.add(key);
            edges.push(a, b);
        }
    }
    gpuMesh.edges = createBuffer(gl, Uint32Array.from(edges), gl.ELEMENT_ARRAY_BUFFER);
    gpuMesh.edgeCount = edges.length;
}

/* Makes a texture of a data URI; none where the picture is broken. */
async function loadTexture(gl, source) {
    const [, type, data] = /^data:([^;]*);base64,(.*)$/.exec(source);
    const image = await createImageBitmap(new Blob([decodeBase64(data)], {type}),
        {imageOrientation: 'none', premultiplyAlpha: 'none', colorSpaceConversion: 'none'}).catch(() => null);
    if (!image || gl.isContextLost())
        return null;
    const texture = gl.createTexture();
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, image);
    gl.generateMipmap(gl.TEXTURE_2D);
    return {texture, image};
}

/* `changed` is called when the textures have come: all at once, for each set of maps is another program. */
function createGpuModel(gpu, model, changed) {
    const out = {model, meshes: model.instances.map((instance) => createMesh(gpu.gl, model, instance)), textures: []};
    const loading = model.textures.map((source) => source ? loadTexture(gpu.gl, source) : null);
    out.loaded = Promise.all(loading).then((textures) => {
        out.textures = textures;
        changed();
    });
    return out;
}

/* A pose of a model in buffers: SKINNED floats a vertex. */
function createSkinned(gpu, gpuModel) {
    const gl = gpu.gl;
    return {gpuModel, palette: gl.createTexture(), buffers: gpuModel.meshes.map(({mesh}) => {
        const buffer = gl.createBuffer();
        gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
        gl.bufferData(gl.ARRAY_BUFFER, 4 * SKINNED * mesh.vertexCount, gl.DYNAMIC_COPY);
        return buffer;
    })};
}

function bindAttribute(gl, location, buffer, size, stride = 0, offset = 0, type = gl.FLOAT) {
    if (!buffer) {
        gl.disableVertexAttribArray(location);
        return;
    }
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.enableVertexAttribArray(location);
    gl.vertexAttribPointer(location, size, type, type !== gl.FLOAT, stride, offset);
    gl.vertexAttribDivisor(location, 0);
}

function freeAttributes(gl) {
    for (const location of Object.values(LOCATIONS)) {
        gl.disableVertexAttribArray(location);
        gl.vertexAttribDivisor(location, 0);
    }
}

function bindTextures(gl, at, textures) {
    Object.entries(textures).forEach(([name, texture], unit) => {
        gl.activeTexture(gl.TEXTURE0 + unit);
        gl.bindTexture(gl.TEXTURE_2D, texture);
        gl.uniform1i(at[name], unit);
    });
    gl.activeTexture(gl.TEXTURE0);
}

/* The matrices' upper three rows. */
function paletteRows(palette) {
    const rows = new Float32Array(palette.length / 16 * 12);
    for (let i = 0; i < rows.length; i++)
        rows[i] = palette[16 * Math.floor(i / 12) + 4 * (i % 4) + (i >> 2) % 3];
    return rows;
}

function skinMesh(gpu, skinned, pose, i) {
    const {gl, skin} = gpu, gpuMesh = skinned.gpuModel.meshes[i], {mesh, instance} = gpuMesh, active = [];
    for (let t = 0; t < mesh.targets.length; t++)
        if (pose.weights[instance.first_weight + t] !== 0)
            active.push(t, pose.weights[instance.first_weight + t]);
    if (mesh.vertexCount === 0)
        return;
    writeNumbers(gl, gpuMesh.morphs, Float32Array.from(active), 2);
    bindTextures(gl, skin.at, {palette: skinned.palette, influences: gpuMesh.influences, deltas: gpuMesh.deltas, morphs: gpuMesh.morphs});
    gl.uniform1i(skin.at.first_binding, instance.first_binding);
    gl.uniform1i(skin.at.morph_count, active.length / 2);
    gl.uniform1i(skin.at.vertex_count, mesh.vertexCount);
    gl.uniform1i(skin.at.is_skinned, Number(Boolean(mesh.skin)));
    bindAttribute(gl, LOCATIONS.position, gpuMesh.positions, 3);
    bindAttribute(gl, LOCATIONS.normal, gpuMesh.normals, 3);
    gl.vertexAttrib4f(LOCATIONS.tangent, 0, 0, 0, 1);
    bindAttribute(gl, LOCATIONS.tangent, gpuMesh.tangents, 4);
    gl.bindBuffer(gl.ARRAY_BUFFER, gpuMesh.ranges);
    gl.enableVertexAttribArray(LOCATIONS.range);
    gl.vertexAttribIPointer(LOCATIONS.range, 2, gl.UNSIGNED_INT, 0, 0);
    gl.bindBuffer(gl.ARRAY_BUFFER, null);
    gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, 0, skinned.buffers[i]);
    gl.beginTransformFeedback(gl.POINTS);
    gl.drawArrays(gl.POINTS, 0, mesh.vertexCount);
    gl.endTransformFeedback();
    gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, 0, null);
}

function skinPose(gpu, skinned, pose) {
    const gl = gpu.gl;
    writeNumbers(gl, skinned.palette, paletteRows(pose.placedPalette || pose.palette), 4);
    gl.useProgram(gpu.skin.program);
    gl.enable(gl.RASTERIZER_DISCARD);
    gl.bindTransformFeedback(gl.TRANSFORM_FEEDBACK, gpu.feedback);
    gl.bindVertexArray(gpu.arrays);
    skinned.buffers.forEach((_, i) => skinMesh(gpu, skinned, pose, i));
    gl.bindTransformFeedback(gl.TRANSFORM_FEEDBACK, null);
    gl.bindVertexArray(null);
    gl.disable(gl.RASTERIZER_DISCARD);
}

/* Skinned vertices of an instance, from the GPU: SKINNED floats each. */
function readSkinned(gpu, skinned, i) {
    const gl = gpu.gl, out = new Float32Array(SKINNED * skinned.gpuModel.meshes[i].mesh.vertexCount);
    gl.bindBuffer(gl.ARRAY_BUFFER, skinned.buffers[i]);
    gl.getBufferSubData(gl.ARRAY_BUFFER, 0, out);
    gl.bindBuffer(gl.ARRAY_BUFFER, null);
    return out;
}

/* enum surface_slot */
const SLOTS = ['base', 'metallic_roughness', 'specular', 'normal', 'occlusion', 'emissive', 'coat', 'coat_roughness',
               'coat_normal'];
const PLAIN = [1, 0, 0, 0, 1, 0];

/* The maps that are there: all views but studio draw the base texture plainly, clay only for its holes. */
function mapsOf(gpuModel, material, view) {
    const maps = view === 'studio' ? SLOTS.map((slot) => material.maps[slot])
        : view === 'clay' && material.alpha !== 'mask' ? [] : [{...material, uv: 0}];
    return SLOTS.map((_, i) => maps[i] && gpuModel.textures[maps[i].texture] ? maps[i] : null);
}

function bindMap(gl, texture, map, unit) {
    const wraps = {repeat: gl.REPEAT, clamp: gl.CLAMP_TO_EDGE, mirror: gl.MIRRORED_REPEAT};
    gl.activeTexture(gl.TEXTURE0 + unit);
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, wraps[map.wrap_u]);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, wraps[map.wrap_v]);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR);
}

/* The program that draws such a material in a view, built when it is needed first. */
function surfaceProgram(gpu, material, view, maps, hasNode) {
    const bits = maps.reduce((sum, map, i) => sum | (map ? 1 << i : 0), 0);
    const alpha = ['opaque', 'mask', 'blend'].indexOf(material.alpha);
    const defines = {TEXTURED: bits & 1, TWO_SIDED: Number(material.two_sided), ALPHA: view === 'clay' ? alpha % 2 : alpha,
                     MAPS: bits, COAT: Number(material.coat > 0 && !material.unlit), TANGENTS: 1, MORE_UV: 1,
                     SHOWN_WEIGHT: view === 'weight' && hasNode ? 2 : 1};
    const fragment = fragmentOf(view, defines);
    if (!gpu.surfaces.has(fragment))
        gpu.surfaces.set(fragment, buildProgram(gpu.gl, DRAW_VERTEX, fragment));
    return gpu.surfaces.get(fragment);
}

function setMaterial(gpu, at, gpuModel, material, maps, look) {
    const {gl} = gpu, strength = (slot) => material.maps[slot] ? material.maps[slot].strength : 1;
    const rows = maps.flatMap((map) => {
        const [a, b, c, d, e, f] = (map && map.to_texture) || PLAIN, uv = map ? map.uv : 0;
        return [a, b, c, uv, d, e, f, uv];
    });
    maps.forEach((map, i) => {
        gl.uniform1i(at[SLOTS[i] + '_texture'], i);
        if (map)
            bindMap(gl, gpuModel.textures[map.texture].texture, map, i);
    });
    gl.uniform1i(at.ambient_occlusion, SLOTS.length);
    gl.activeTexture(gl.TEXTURE0 + SLOTS.length);
    gl.bindTexture(gl.TEXTURE_2D, gpu.white);
    gl.activeTexture(gl.TEXTURE0);
    gl.uniform4fv(at.map_rows, rows);
    gl.uniform4fv(at.base_color, look.ghost ? look.ghost.color
                                            : look.view === 'studio' ? material.surface_color : material.color);
    gl.uniform1f(at.alpha_cutoff, material.cutoff);
    gl.uniform4f(at.material_factors, material.metallic, material.roughness, strength('normal'), strength('occlusion'));
    gl.uniform4f(at.specular_factor, ...material.specular, Number(material.is_specular_glossy));
    gl.uniform4f(at.emissive_factor, ...material.emissive, Number(material.unlit));
    gl.uniform3f(at.coat_factors, material.coat, material.coat_roughness, strength('coat_normal'));
}

/* Fills the mesh's `chosen`: how much the node holds of each vertex. */
function chooseWeights(gl, gpuMesh, node) {
    const {mesh, instance} = gpuMesh;
    if (gpuMesh.chosenNode === node)
        return;
    const values = new Float32Array(mesh.vertexCount).fill(!mesh.skin && instance.node === node ? 1 : 0);
    for (let v = 0; mesh.skin && v < mesh.vertexCount; v++)
        for (let i = mesh.skin.first[v]; i < mesh.skin.first[v + 1]; i++)
            if (mesh.skin.nodes[mesh.skin.bones[i]] === node)
                values[v] += mesh.skin.weights[i];
    gl.bindBuffer(gl.ARRAY_BUFFER, gpuMesh.chosen);
    gl.bufferData(gl.ARRAY_BUFFER, values, gl.DYNAMIC_DRAW);
    gpuMesh.chosenNode = node;
}

/* `look`: {view, node, other (skinned or null)}. */
function bindMesh(gl, skinned, i, look) {
    const gpuMesh = skinned.gpuModel.meshes[i], stride = 4 * SKINNED, buffer = skinned.buffers[i];
    const other = look.other && look.other.buffers[i] ? look.other.buffers[i] : buffer;
    if (look.view === 'weight')
        chooseWeights(gl, gpuMesh, look.node);
    bindAttribute(gl, LOCATIONS.position, buffer, 3, stride, 0);
    bindAttribute(gl, LOCATIONS.normal, buffer, 3, stride, 12);
    bindAttribute(gl, LOCATIONS.tangent, buffer, 4, stride, 24);
    bindAttribute(gl, LOCATIONS.turned, buffer, 1, stride, 40);
    bindAttribute(gl, LOCATIONS.other, other, 3, stride, 0);
    bindAttribute(gl, LOCATIONS.uv, gpuMesh.uvs, 2);
    bindAttribute(gl, LOCATIONS.more_uv, gpuMesh.moreUvs, 2);
    gl.vertexAttrib4f(LOCATIONS.color, 1, 1, 1, 1);
    bindAttribute(gl, LOCATIONS.color, gpuMesh.colors, 4);
    bindAttribute(gl, LOCATIONS.tint, look.view === 'influences' ? gpuMesh.counts : gpuMesh.bones, 4, 0, 0, gl.UNSIGNED_BYTE);
    bindAttribute(gl, LOCATIONS.value, {weight: gpuMesh.chosen, 'weight-sum': gpuMesh.sum}[look.view] || gpuMesh.largest, 1);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gpuMesh.indices);
}

function setCamera(gl, at, camera) {
    gl.uniformMatrix4fv(at.scene_to_clip, false, camera.sceneToClip);
    ['key', 'fill', 'rim', 'sky'].forEach((name, i) =>
        gl.uniform3fv(at[name + '_direction'], camera.lights.subarray(3 * i, 3 * i + 3)));
    gl.uniform4fv(at.nearness, camera.nearness);
    gl.uniform4fv(at.eye, camera.eye);
    ['rig_right', 'rig_up', 'rig_front'].forEach((name, i) => gl.uniform3fv(at[name], camera.rig[i]));
}

/* Depth of the middle of an instance's box as its first binding poses it: enough to sort what is blended. */
function depthOf(skinned, pose, i, camera) {
    const {mesh, instance} = skinned.gpuModel.meshes[i], middle = [0, 0, 0], count = Math.max(mesh.vertexCount, 1);
    for (let v = 0; v < mesh.positions.length; v++)
        middle[v % 3] += mesh.positions[v] / count;
    const entry = (pose.placedPalette || pose.palette).subarray(16 * instance.first_binding, 16 * instance.first_binding + 16);
    return transform(camera.sceneToClip, transform(entry, middle))[3];
}

/* The far side of what is blended before the near one. Of a ghost what is nearest alone, so that it is no X-ray. */
function drawBlended(gl, count, isGhost) {
    if (isGhost) {
        gl.colorMask(false, false, false, false);
        gl.drawElements(gl.TRIANGLES, count, gl.UNSIGNED_INT, 0);
        gl.colorMask(true, true, true, true);
        gl.depthFunc(gl.LEQUAL);
    }
    gl.enable(gl.BLEND);
    gl.depthMask(false);
    gl.enable(gl.CULL_FACE);
    gl.cullFace(gl.FRONT);
    gl.drawElements(gl.TRIANGLES, count, gl.UNSIGNED_INT, 0);
    gl.cullFace(gl.BACK);
}

/*
 * Opaque surfaces first, blended ones from back to front. `look` is {view, node, other, range, ghost: {color, opacity} or
 * nothing}. A ghost lies a little deeper than it is: where both poses have the same surface they would fight for each pixel.
 */
function drawSkinned(gpu, skinned, pose, camera, look) {
    const {gl} = gpu, {gpuModel} = skinned, {model, meshes} = gpuModel, {ghost, view} = look;
    const materialOf = (i) => model.materials[meshes[i].mesh.material];
    const isBlended = (i) =>
        Boolean(ghost) || (materialOf(i).alpha === 'blend' && VIEWS.indexOf(view) <= VIEWS.indexOf('unlit'));
    const order = meshes.map((_, i) => i).filter((i) => meshes[i].mesh.indices.length > 0)
        .map((i) => ({i, blended: isBlended(i), depth: isBlended(i) ? depthOf(skinned, pose, i, camera) : 0}))
        .sort((a, b) => a.blended - b.blended || b.depth - a.depth || a.i - b.i);
    gl.enable(gl.DEPTH_TEST);
    gl.blendColor(0, 0, 0, ghost ? ghost.opacity : 1);
    gl.blendFunc(ghost ? gl.CONSTANT_ALPHA : gl.ONE, ghost ? gl.ONE_MINUS_CONSTANT_ALPHA : gl.ONE_MINUS_SRC_ALPHA);
    gl[ghost ? 'enable' : 'disable'](gl.POLYGON_OFFSET_FILL);
    gl.polygonOffset(2, 16);
    const scale = view === 'stretch' || view === 'weight-sum' ? DIVERGING : GROWING;
    const colors = scale.flat().map((byte) => byte / 255);
    for (const {i, blended} of order) {
        const material = materialOf(i), maps = mapsOf(gpuModel, material, view), count = meshes[i].mesh.indices.length;
        const {program, at} = surfaceProgram(gpu, material, view, maps, look.node >= 0);
        gl.useProgram(program);
        setCamera(gl, at, camera);
        setMaterial(gpu, at, gpuModel, material, maps, look);
        gl.uniform1i(at.value_is_distance, Number(view === 'displacement' || view === 'speed'));
        gl.uniform3fv(at.value_range, look.range || [0, 0.5, 1]);
        gl.uniform3fv(at.value_colors, colors);
        bindMesh(gl, skinned, i, look);
        gl.disable(gl.BLEND);
        gl.depthMask(true);
        if (blended)
            drawBlended(gl, count, Boolean(ghost));
        gl.drawElements(gl.TRIANGLES, count, gl.UNSIGNED_INT, 0);
        gl.disable(gl.CULL_FACE);
        gl.depthFunc(gl.LESS);
    }
    gl.depthMask(true);
    gl.disable(gl.POLYGON_OFFSET_FILL);
    freeAttributes(gl);
}

function drawWireframe(gpu, skinned, camera, color) {
    const {gl, wire} = gpu;
    gl.useProgram(wire.program);
    gl.uniformMatrix4fv(wire.at.scene_to_clip, false, camera.sceneToClip);
    gl.uniform4fv(wire.at.clay, color);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    skinned.gpuModel.meshes.forEach((gpuMesh, i) => {
        if (!gpuMesh.edges)
            findEdges(gl, gpuMesh);
        bindAttribute(gl, LOCATIONS.position, skinned.buffers[i], 3, 4 * SKINNED, 0);
        gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gpuMesh.edges);
        gl.drawElements(gl.LINES, gpuMesh.edgeCount, gl.UNSIGNED_INT, 0);
    });
    gl.disable(gl.BLEND);
    freeAttributes(gl);
}
