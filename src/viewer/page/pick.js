/* A point of the picture is looked up by a ray against the triangles as they are posed. */

/* Returns where a ray meets a triangle: the shares of its corners, and how far along (Moeller and Trumbore 1997); null: nowhere. */
function meet(from, direction, a, b, c) {
    const ab = subtract(b, a), ac = subtract(c, a), p = cross(direction, ac), det = dot(ab, p);
    const by = det !== 0 ? 1 / det : 0, to = subtract(from, a), q = cross(to, ab);
    const v = dot(to, p) * by, w = dot(direction, q) * by, at = dot(ac, q) * by;
    const isInside = by !== 0 && v >= 0 && w >= 0 && v + w <= 1 && at >= 0;
    return isInside ? {shares: [1 - v - w, v, w], at, isFront: det > 0} : null;
}

/* Reads a material's texture at a place of it, as it repeats. */
function alphaAt({image}, u, v) {
    const canvas = make('canvas', {width: 1, height: 1}), context = canvas.getContext('2d');
    const texel = (at, size) => Math.min(Math.floor((at - Math.floor(at)) * size), size - 1);
    context.drawImage(image, -texel(u, image.width), -texel(v, image.height));
    return context.getImageData(0, 0, 1, 1).data[3] / 255;
}

/* Returns whether the surface is there, or is cut out by its alpha. */
function isSolid({model, textures}, mesh, corners, shares) {
    const material = model.materials[mesh.material], texture = textures[material.texture];
    const mean = (numbers, width, c) => corners.reduce((sum, v, i) => sum + shares[i] * numbers[width * v + c], 0);
    if (material.alpha === 'opaque')
        return true;
    const alpha = material.color[3] * (mesh.colors ? mean(mesh.colors, 4, 3) : 1) *
        (texture && mesh.uvs ? alphaAt(texture, mean(mesh.uvs, 2, 0), mean(mesh.uvs, 2, 1)) : 1);
    return alpha >= (material.alpha === 'mask' ? material.cutoff : 1 / 255);
}

/* {instance, triangle, corners, shares, place} of what is nearest, or null. `x` and `y` are -1..1, up and to the right. */
function pickAt(gpu, skinned, camera, x, y) {
    const {gpuModel} = skinned, hits = [], toScene = invert(camera.sceneToClip);
    const [from, to] = [-1, 1].map((depth) => transform(toScene, [x, y, depth])).map((p) => scale(p, 1 / p[3]));
    const direction = subtract(to, from);
    gpuModel.meshes.forEach(({mesh}, instance) => {
        const vertices = readSkinned(gpu, skinned, instance), {indices} = mesh;
        const at = (v) => [vertices[SKINNED * v], vertices[SKINNED * v + 1], vertices[SKINNED * v + 2]];
        for (let t = 0; t < indices.length; t += 3) {
            const corners = [indices[t], indices[t + 1], indices[t + 2]];
            const hit = meet(from, direction, ...corners.map(at));
            const isFront = hit && hit.isFront === vertices[SKINNED * corners[2] + 10] > 0;
            if (hit && (isFront || gpuModel.model.materials[mesh.material].two_sided))
                hits.push({...hit, instance, triangle: t / 3, corners, place: add(from, scale(direction, hit.at))});
        }
    });
    return hits.sort((a, b) => a.at - b.at)
        .find((hit) => isSolid(gpuModel, gpuModel.meshes[hit.instance].mesh, hit.corners, hit.shares)) || null;
}

/*
 * Names what was picked: the mesh, its material, and the bones that hold the point, by the weights of the triangle's corners and
 * how near the point is to each: [{node, weight}], the largest first.
 */
function describePick(skinned, picked) {
    const {model, meshes} = skinned.gpuModel, {mesh, instance} = meshes[picked.instance], {corners, shares} = picked;
    const weights = new Map();
    corners.forEach((v, i) => {
        const share = clamp(shares[i], 0, 1);
        if (!mesh.skin)
            weights.set(instance.node, (weights.get(instance.node) || 0) + share);
        for (let k = mesh.skin ? mesh.skin.first[v] : 0; mesh.skin && k < mesh.skin.first[v + 1]; k++) {
            const node = mesh.skin.nodes[mesh.skin.bones[k]];
            weights.set(node, (weights.get(node) || 0) + share * mesh.skin.weights[k]);
        }
    });
    const bones = [...weights].map(([node, weight]) => ({node, weight})).filter((bone) => bone.weight > 1e-6)
        .sort((a, b) => b.weight - a.weight || a.node - b.node);
    return {...picked, mesh: mesh.label, material: model.materials[mesh.material].name, bones,
            vertex: corners[shares.indexOf(Math.max(...shares))]};
}
