/*
 * The soft shadow of the studio's ground: the model seen from below, darker the nearer it is, blurred. Two channels: what touches
 * the ground, and what is above it, wider and fainter.
 */

const SHADOW_SIZE = 256;

const SHADOW_VERTEX = HEAD + `
in vec3 position; uniform mat4 scene_to_clip; uniform vec4 height; out float v_height;
void main() {
    v_height = dot(height, vec4(position, 1.0));
    gl_Position = vec4((scene_to_clip * vec4(position, 1.0)).xy, 0.0, 1.0);
}`;

const SHADOW_FRAGMENT = HEAD + `
in float v_height; out vec4 pixel;
void main() {
    float above = 1.0 - clamp(v_height, 0.0, 1.0), touching = 1.0 - clamp(v_height * 8.0, 0.0, 1.0);
    pixel = vec4(touching * touching, above * above * above, 0.0, 1.0);
}`;

const GROUND_VERTEX = HEAD + `
in vec2 corner; uniform mat4 scene_to_clip; uniform vec3 middle, across, along; out vec2 v_corner;
void main() {
    v_corner = corner;
    gl_Position = scene_to_clip * vec4(middle + corner.x * across + corner.y * along, 1.0);
}`;

/* Smaller copies of the shadow are its blur: their texels, nine of them, smooth as the steps between are filtered. */
const GROUND_FRAGMENT = HEAD + `
in vec2 v_corner; uniform sampler2D shadow; out vec4 pixel;
float blurred(float level, int channel) {
    float sum = 0.0, step = exp2(level) / ${SHADOW_SIZE}.0;
    for (int i = 0; i < 9; i++) {
        vec2 at = vec2(i % 3 - 1, i / 3 - 1);
        sum += textureLod(shadow, v_corner * 0.5 + 0.5 + at * step, level)[channel] * exp2(-dot(at, at));
    }
    return sum / 4.0;
}
void main() {
    float hidden = 1.0 - (1.0 - 0.45 * blurred(1.5, 0)) * (1.0 - 0.40 * blurred(3.0, 1));
    pixel = vec4(0.0, 0.0, 0.0, hidden * clamp(2.0 - 2.0 * length(v_corner), 0.0, 1.0));
}`;

function createGround(gl) {
    const texture = gl.createTexture(), framebuffer = gl.createFramebuffer();
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texStorage2D(gl.TEXTURE_2D, 6, gl.RGBA8, SHADOW_SIZE, SHADOW_SIZE);
    for (const name of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T])
        gl.texParameteri(gl.TEXTURE_2D, name, gl.CLAMP_TO_EDGE);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR);
    gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    return {texture, framebuffer, cast: buildProgram(gl, SHADOW_VERTEX, SHADOW_FRAGMENT),
            draw: buildProgram(gl, GROUND_VERTEX, GROUND_FRAGMENT)};
}

/* Returns where the shadow lies: its middle on the ground, and two edges. */
function placeGround(axes, sphere, floor) {
    const half = 1.7 * sphere.radius, middle = subtract(sphere.center, scale(axes.up, dot(sphere.center, axes.up) - floor));
    return {middle, half, across: scale(axes.right, half), along: scale(axes.back, half)};
}

function castShadow(gpu, skinned, axes, sphere, place, floor) {
    const {gl, ground} = gpu, reach = 1.2 * sphere.radius, by = 1 / place.half, matrix = new Float32Array(16);
    [axes.right, axes.back].forEach((row, r) => {
        for (let c = 0; c < 3; c++)
            matrix[4 * c + r] = row[c] * by;
        matrix[12 + r] = -dot(row, place.middle) * by;
    });
    matrix[15] = 1;
    gl.bindFramebuffer(gl.FRAMEBUFFER, ground.framebuffer);
    gl.viewport(0, 0, SHADOW_SIZE, SHADOW_SIZE);
    gl.clearColor(0, 0, 0, 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.disable(gl.DEPTH_TEST);
    gl.enable(gl.BLEND);
    gl.blendEquation(gl.MAX);
    gl.useProgram(ground.cast.program);
    gl.uniformMatrix4fv(ground.cast.at.scene_to_clip, false, matrix);
    gl.uniform4f(ground.cast.at.height, ...scale(axes.up, 1 / reach), -floor / reach);
    skinned.gpuModel.meshes.forEach(({mesh, indices}, i) => {
        bindAttribute(gl, LOCATIONS.position, skinned.buffers[i], 3, 4 * SKINNED, 0);
        gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, indices);
        gl.drawElements(gl.TRIANGLES, mesh.indices.length, gl.UNSIGNED_INT, 0);
    });
    freeAttributes(gl);
    gl.blendEquation(gl.FUNC_ADD);
    gl.disable(gl.BLEND);
    gl.bindTexture(gl.TEXTURE_2D, ground.texture);
    gl.generateMipmap(gl.TEXTURE_2D);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
}

/* Nothing where the camera looks from below. `at` is the pane: x, y, width, height. */
function drawGround(gpu, skinned, camera, axes, sphere, floor, at) {
    const {gl} = gpu, place = placeGround(axes, sphere, floor), side = camera.eye[3] === 1 ? subtract(camera.eye, place.middle) : camera.eye;
    if (dot(side, axes.up) <= 0)
        return;
    gpu.ground = gpu.ground || createGround(gl);
    castShadow(gpu, skinned, axes, sphere, place, floor);
    gl.viewport(...at);
    gl.useProgram(gpu.ground.draw.program);
    gl.uniformMatrix4fv(gpu.ground.draw.at.scene_to_clip, false, camera.sceneToClip);
    ['middle', 'across', 'along'].forEach((name) => gl.uniform3fv(gpu.ground.draw.at[name], place[name]));
    bindTextures(gl, gpu.ground.draw.at, {shadow: gpu.ground.texture});
    bindAttribute(gl, LOCATIONS.corner, gpu.corners, 2);
    gl.enable(gl.DEPTH_TEST);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    gl.depthMask(false);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    gl.depthMask(true);
    gl.disable(gl.BLEND);
    freeAttributes(gl);
}
