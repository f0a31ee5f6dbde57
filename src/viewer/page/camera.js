/*
 * The camera: an orbit around a target (yaw, pitch in degrees, distance), as draw/frame/camera.h has it; or one that a film or
 * an option puts somewhere, until a person takes hold of it.
 */

const RADIANS = Math.PI / 180;

/* Right, up and back at yaw 0 and pitch 0. */
function frontAxes(axis, sign) {
    const up = [0, 0, 0];
    up[axis] = sign < 0 ? -1 : 1;
    const back = axis === 2 ? [0, -1, 0] : [0, 0, 1];
    return {up, back, right: cross(up, back)};
}

/* [centre, radius] of a box; of nothing a unit box. */
function sphereAround(box) {
    const half = box ? scale(subtract(box.max, box.min), 0.5) : [0, 0, 0], radius = length(half);
    return {center: box ? add(box.min, half) : [0, 0, 0], radius: radius > 0 ? radius : Math.sqrt(0.75)};
}

/* An orbit that shows the sphere; of `zoom` beyond 1 the angle is narrower, as the program has it. */
function fitOrbit(sphere, [yaw, pitch, zoom, fov, orthoHeight], aspect) {
    if (!(fov > 0))
        return {yaw, pitch, target: sphere.center, fov: 0, distance: 2 * sphere.radius,
                height: (orthoHeight > 0 ? orthoHeight : sphere.radius / Math.min(1, aspect)) / zoom};
    const half = 0.5 * fov * RADIANS, narrow = aspect < 1 ? Math.atan(Math.tan(half) * aspect) : half;
    return {yaw, pitch, target: sphere.center, height: 0, fov: 2 * Math.atan(Math.tan(half) / Math.max(zoom, 1)) / RADIANS,
            distance: sphere.radius / Math.sin(narrow) / Math.min(zoom, 1)};
}

function orbitVectors(orbit, axes) {
    const yaw = orbit.yaw * RADIANS, pitch = orbit.pitch * RADIANS;
    const level = add(scale(axes.back, Math.cos(yaw)), scale(axes.right, Math.sin(yaw)));
    const back = add(scale(level, Math.cos(pitch)), scale(axes.up, Math.sin(pitch)));
    const up = subtract(scale(axes.up, Math.cos(pitch)), scale(level, Math.sin(pitch)));
    return {back, up, right: cross(up, back)};
}

/* {eye, target, up, fov (radians), height} of an orbit, and the other way round. */
function orbitCamera(orbit, axes) {
    const {back, up} = orbitVectors(orbit, axes);
    return {eye: add(orbit.target, scale(back, orbit.distance)), target: orbit.target, up, fov: orbit.fov * RADIANS, height: orbit.height};
}

function cameraOrbit(camera, axes, sphere) {
    const back = normalize(subtract(camera.eye, camera.target)), rise = clamp(dot(back, axes.up), -1, 1);
    const distance = dot(subtract(camera.eye, sphere.center), back);
    const ahead = distance > 0.05 * sphere.radius ? distance : length(subtract(camera.eye, camera.target));
    return {
        yaw: Math.atan2(dot(back, axes.right), dot(back, axes.back)) / RADIANS, pitch: Math.asin(rise) / RADIANS,
        distance: ahead, target: subtract(camera.eye, scale(back, ahead)), fov: camera.fov / RADIANS, height: camera.height,
    };
}

function viewMatrix(camera) {
    const back = normalize(subtract(camera.eye, camera.target));
    let right = normalize(cross(camera.up, back));
    if (length(right) === 0)
        right = normalize(cross(Math.abs(back[0]) < 0.9 ? [1, 0, 0] : [0, 1, 0], back));
    const up = cross(back, right), view = new Float64Array(16);
    [right, up, back].forEach((row, r) => {
        for (let c = 0; c < 3; c++)
            view[4 * c + r] = row[c];
        view[12 + r] = -dot(row, camera.eye);
    });
    view[15] = 1;
    return view;
}

function projectionMatrix(camera, aspect, near, far) {
    const out = new Float64Array(16);
    if (camera.fov > 0) {
        const f = 1 / Math.tan(0.5 * camera.fov);
        out.set([f / aspect, 0, 0, 0, 0, f, 0, 0, 0, 0, (far + near) / (near - far), -1, 0, 0, 2 * far * near / (near - far), 0]);
    } else {
        const half = camera.height > 0 ? camera.height : 1;
        out.set([1 / (half * aspect), 0, 0, 0, 0, 1 / half, 0, 0, 0, 0, 2 / (near - far), 0, 0, 0, (far + near) / (near - far), 1]);
    }
    return out;
}

/* The lights of lit.frag as the camera sees them: to the right, up, towards it. */
const LIGHTS = [[-0.4867, 0.6489, 0.5840], [0.7809, 0.0976, 0.6169], [0.5571, 0.4642, -0.6886], [0, 1, 0]];

/* The studio's lights turn about the scene's up with the camera: draw/frame/studio.c. */
function studioRig(view, up) {
    const level = (row) => {
        const v = [view[row], view[4 + row], view[8 + row]];
        return subtract(v, scale(up, dot(v, up)));
    };
    const right = normalize(length(level(0)) > 1e-3 ? level(0) : level(2));
    return [right, up, cross(right, up)];
}

/* All that drawing needs. `sphere` is what is to be seen at its depth. */
function resolveCamera(camera, sphere, aspect, axes) {
    const view = viewMatrix(camera), depth = -transform(view, sphere.center)[2], reach = 2 * sphere.radius;
    const far = Math.max(depth + 2 * reach, 0.1 * reach);
    const near = camera.fov > 0 ? Math.max(depth - 2 * reach, 0.002 * far) : depth - 2 * reach;
    const first = Math.max(depth - sphere.radius, near), by = 1 / Math.max(depth + sphere.radius - first, 1e-9 * reach);
    const sceneToClip = multiply(projectionMatrix(camera, aspect, near, far), view);
    return {
        camera, view, aspect, rig: studioRig(view, axes.up), eye: camera.fov > 0 ? [...camera.eye, 1] : [view[2], view[6], view[10], 0], sceneToClip: Float32Array.from(sceneToClip),
        lights: Float32Array.from(LIGHTS.flatMap((light) => [0, 1, 2].map((c) =>
            view[4 * c] * light[0] + view[4 * c + 1] * light[1] + view[4 * c + 2] * light[2]))),
        nearness: Float32Array.from([view[2] * by, view[6] * by, view[10] * by, (depth + sphere.radius + view[14]) * by]),
    };
}

/* Returns where a point is on a picture of that size, from its upper left corner; null behind the camera. */
function projectPoint(resolved, point, width, height) {
    const clip = transform(resolved.sceneToClip, point);
    if (!(clip[3] > 1e-6))
        return null;
    return [(clip[0] / clip[3] + 1) * width / 2, (1 - clip[1] / clip[3]) * height / 2];
}

/* ---- a person's hand ---- */

function turnOrbit(orbit, dx, dy) {
    return {...orbit, yaw: orbit.yaw - 0.4 * dx, pitch: clamp(orbit.pitch + 0.4 * dy, -89.9, 89.9)};
}

/* By pixels of a picture of that height. */
function panOrbit(orbit, axes, dx, dy, height) {
    const {right, up} = orbitVectors(orbit, axes);
    const unit = (orbit.fov > 0 ? 2 * orbit.distance * Math.tan(0.5 * orbit.fov * RADIANS) : 2 * orbit.height) / height;
    return {...orbit, target: add(orbit.target, add(scale(right, -dx * unit), scale(up, dy * unit)))};
}

function zoomOrbit(orbit, factor, sphere) {
    const bound = (value) => clamp(value * factor, 0.002 * sphere.radius, 200 * sphere.radius);
    return orbit.fov > 0 ? {...orbit, distance: bound(orbit.distance)} : {...orbit, height: bound(orbit.height)};
}
