/* Skeleton, box, axes, wireframe; names of bones on a canvas above. */

const AXIS_COLORS = [[0.90, 0.22, 0.21, 1], [0.26, 0.63, 0.28, 1], [0.13, 0.47, 0.90, 1]];
const CHOSEN_COLOR = [1, 0.16, 0.46, 1];

/* Joints, and what connects them. */
function shownNodes(model) {
    const {count, parents, isJoint} = model.nodes, above = new Array(count).fill(false), below = new Array(count).fill(false);
    for (let n = 0; n < count; n++)
        above[n] = parents[n] >= 0 && (above[parents[n]] || isJoint[parents[n]]);
    for (let n = count - 1; n >= 0; n--)
        if (parents[n] >= 0 && (below[n] || isJoint[n]))
            below[parents[n]] = true;
    return above.map((_, n) => isJoint[n] || (above[n] && below[n]));
}

function nodePlace(pose, node) {
    const globals = pose.placedGlobals || pose.globals;
    return [globals[16 * node + 12], globals[16 * node + 13], globals[16 * node + 14]];
}

/* Segments are [from, to, colour]. */
function skeletonLines(model, shown, pose, chosen, color) {
    const lines = [], joints = [];
    shown.forEach((isShown, n) => {
        const parent = model.nodes.parents[n], at = isShown ? nodePlace(pose, n) : null;
        if (isShown && parent >= 0 && shown[parent])
            lines.push([nodePlace(pose, parent), at, parent === chosen ? CHOSEN_COLOR : color]);
        if (isShown)
            joints.push([at, at, n === chosen ? CHOSEN_COLOR : [1, 0.69, 0.13, 1]]);
    });
    return {lines, joints};
}

function boxLines(box, color) {
    const corner = (i) => [0, 1, 2].map((c) => (i >> c & 1 ? box.max : box.min)[c]), lines = [];
    for (let i = 0; i < 8; i++)
        for (const bit of [1, 2, 4])
            if (!(i & bit))
                lines.push([corner(i), corner(i | bit), color]);
    return lines;
}

function axisLines(size, origin = [0, 0, 0], matrix = null) {
    return AXIS_COLORS.map((color, i) => {
        const direction = matrix ? normalize([matrix[4 * i], matrix[4 * i + 1], matrix[4 * i + 2]]) : [0, 1, 2].map((c) => Number(c === i));
        return [origin, add(origin, scale(direction, size)), color];
    });
}

/* A grid on the ground, around the model: lines fade outwards by their colours. */
function gridLines(sphere, axis, height, color) {
    const step = 10 ** Math.floor(Math.log10(Math.max(sphere.radius, 1e-12))), cells = 2 * Math.ceil(sphere.radius / step) + 2, lines = [];
    const [u, v] = [0, 1, 2].filter((c) => c !== axis), size = step * (cells > 12 ? 2 : 1);
    const middle = [u, v].map((c) => Math.round(sphere.center[c] / size) * size), reach = Math.ceil(1.6 * sphere.radius / size);
    const point = (a, b) => {
        const out = [0, 0, 0];
        out[axis] = height;
        out[u] = middle[0] + a * size;
        out[v] = middle[1] + b * size;
        return out;
    };
    for (let i = -reach; i <= reach; i++)
        for (let k = -reach; k < reach; k++) {
            const fade = Math.max(0, 1 - Math.hypot(i, k + 0.5) / reach);
            lines.push([point(i, k), point(i, k + 1), [...color.slice(0, 3), color[3] * fade]],
                       [point(k, i), point(k + 1, i), [...color.slice(0, 3), color[3] * fade]]);
        }
    return lines;
}

/* `width` in pixels of the canvas. What a surface hides is faint. */
function drawLines(gpu, camera, segments, width, size, {opacity = 1, hidden = 0} = {}) {
    const {gl, line} = gpu, data = new Float32Array(10 * segments.length);
    if (segments.length === 0)
        return;
    segments.forEach(([from, to, color], i) => data.set([...from, ...to, ...color], 10 * i));
    gl.useProgram(line.program);
    gl.uniformMatrix4fv(line.at.scene_to_clip, false, camera.sceneToClip);
    gl.uniform2f(line.at.viewport, size[0], size[1]);
    gl.uniform1f(line.at.width, width);
    bindAttribute(gl, LOCATIONS.corner, gpu.corners, 2);
    gl.bindBuffer(gl.ARRAY_BUFFER, gpu.lines);
    gl.bufferData(gl.ARRAY_BUFFER, data, gl.DYNAMIC_DRAW);
    [[LOCATIONS.from, 3, 0], [LOCATIONS.to, 3, 12], [LOCATIONS.line_color, 4, 24]].forEach(([location, count, offset]) => {
        bindAttribute(gl, location, gpu.lines, count, 40, offset);
        gl.vertexAttribDivisor(location, 1);
    });
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    gl.depthMask(false);
    if (hidden > 0) {
        gl.depthFunc(gl.GREATER);
        gl.uniform1f(line.at.opacity, hidden);
        gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, segments.length);
        gl.depthFunc(gl.LEQUAL);
    }
    gl.uniform1f(line.at.opacity, opacity);
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, segments.length);
    gl.depthFunc(gl.LESS);
    gl.depthMask(true);
    gl.disable(gl.BLEND);
    freeAttributes(gl);
}

/* Names at places of the picture, none over another: [[x, y, text, is chosen]], in the order in which they matter. */
function drawLabels(context, labels, ratio) {
    const taken = [];
    context.font = `${12 * ratio}px system-ui, sans-serif`;
    context.textBaseline = 'middle';
    context.lineJoin = 'round';
    for (const [x, y, text, isChosen] of labels) {
        const width = context.measureText(text).width, box = [x + 7 * ratio, y - 8 * ratio, x + 9 * ratio + width, y + 8 * ratio];
        if (taken.some((other) => box[0] < other[2] && box[2] > other[0] && box[1] < other[3] && box[3] > other[1]))
            continue;
        taken.push(box);
        context.lineWidth = 3 * ratio;
        context.strokeStyle = 'rgb(10 14 20 / .85)';
        context.strokeText(text, x + 8 * ratio, y);
        context.fillStyle = isChosen ? '#ff7aa8' : '#f4f6f8';
        context.fillText(text, x + 8 * ratio, y);
    }
}
