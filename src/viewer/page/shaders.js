/* GLSL. Vertices are skinned once for each pose into a buffer (transform feedback); everything is drawn from there. */

const TEXELS = 2048; /* width of the textures that hold numbers: any WebGL 2 has that */
const SKINNED = 11;  /* floats of a skinned vertex: position, normal, tangent, -1 where the bones turn triangles inside out */

const LOCATIONS = {position: 0, normal: 1, range: 2, turned: 3, uv: 4, color: 5, tint: 6, value: 7, other: 8, more_uv: 9,
                   tangent: 10, corner: 11, from: 12, to: 13, line_color: 14};

const HEAD = `#version 300 es
precision highp float; precision highp int; precision highp sampler2D;
`;

const SKIN_VERTEX = HEAD + `
in vec3 position; in vec3 normal; in vec4 tangent;
in uvec2 range;               // first influence, how many
uniform sampler2D palette;    // three texels a matrix: its rows
uniform sampler2D influences; // bone, weight
uniform sampler2D deltas;     // of target t: positions of all vertices, then normals
uniform sampler2D morphs;     // target, weight: those that are not 0
uniform int first_binding, morph_count, vertex_count, is_skinned;
out vec3 skinned_position; out vec3 skinned_normal; out vec4 skinned_tangent; out float mirrored;

vec4 at(sampler2D numbers, int i) { return texelFetch(numbers, ivec2(i % ${TEXELS}, i / ${TEXELS}), 0); }

vec3 unit_or_zero(vec3 v) {
    float size = max(abs(v.x), max(abs(v.y), abs(v.z)));
    return size > 0.0 ? normalize(v / size) : vec3(0.0);
}

void main() {
    vec3 p = position, n = normal;
    for (int m = 0; m < morph_count; m++) {
        vec4 used = at(morphs, m);
        int first = 2 * int(used.x) * vertex_count + gl_VertexID;
        p += used.y * at(deltas, first).xyz;
        n += used.y * at(deltas, first + vertex_count).xyz;
    }
    n = unit_or_zero(n);
    vec4 rows[3] = vec4[3](vec4(0.0), vec4(0.0), vec4(0.0));
    int count = is_skinned == 1 ? int(range.y) : 1;
    for (int i = 0; i < count; i++) {
        vec4 influence = is_skinned == 1 ? at(influences, int(range.x) + i) : vec4(0.0, 1.0, 0.0, 0.0);
        int entry = 3 * (first_binding + int(influence.x));
        for (int r = 0; r < 3; r++)
            rows[r] += influence.y * at(palette, entry + r);
    }
    skinned_position = vec3(dot(rows[0].xyz, p) + rows[0].w, dot(rows[1].xyz, p) + rows[1].w, dot(rows[2].xyz, p) + rows[2].w);
    vec3 x = vec3(rows[0].x, rows[1].x, rows[2].x), y = vec3(rows[0].y, rows[1].y, rows[2].y), z = vec3(rows[0].z, rows[1].z, rows[2].z);
    vec3 yz = cross(y, z); // the inverse transpose, but for a factor
    mirrored = dot(x, yz) < 0.0 ? -1.0 : 1.0;
    skinned_normal = mirrored * unit_or_zero(yz * n.x + cross(z, x) * n.y + cross(x, y) * n.z);
    float size = max(length(x), max(length(y), length(z)));
    vec3 along = size > 0.0 ? (x * tangent.x + y * tangent.y + z * tangent.z) / size : vec3(0.0);
    vec3 over = along - dot(along, skinned_normal) * skinned_normal;
    bool is_there = abs(tangent.w) > 0.5 && dot(along, along) > 2.5e-7 && dot(over, over) > 2.5e-5 * dot(along, along);
    skinned_tangent = is_there ? vec4(normalize(over), mirrored * tangent.w) : vec4(0.0);
    gl_Position = vec4(0.0, 0.0, 0.0, 1.0);
}`;

const EMPTY_FRAGMENT = HEAD + 'void main() {}';

/* For the fragment shaders of shaders/, which SHADERS has by their names. */
const DRAW_VERTEX = HEAD + `
in vec3 position; in vec3 normal; in vec4 tangent; in float turned; in vec2 uv; in vec2 more_uv; in vec4 color;
in vec4 tint;  // a colour of the vertex's own
in float value;
in vec3 other; // where it is in the pose that this one is compared with
uniform mat4 scene_to_clip; uniform int value_is_distance;
out vec3 skinned_position; out vec3 skinned_normal; out vec4 skinned_tangent; out vec2 surface_uv; out vec2 surface_more_uv;
out vec4 surface_color; out float shown_weight; out float shown_value; out vec3 other_position;
flat out float mirrored; flat out vec3 bone_color; flat out uint used_influences;
void main() {
    skinned_position = position; skinned_normal = normal; skinned_tangent = tangent; mirrored = turned;
    surface_uv = uv; surface_more_uv = more_uv; surface_color = color; other_position = other;
    shown_weight = value; shown_value = value_is_distance == 1 ? distance(position, other) : value;
    bone_color = tint.rgb; used_influences = uint(tint.x * 255.0 + 0.5);
    gl_Position = scene_to_clip * vec4(position, 1.0);
}`;

/* The views in the order of their keys; clay is a pose beside another. */
const VIEWS = ['studio', 'lit', 'unlit', 'normals', 'weights', 'bones', 'influences', 'weight', 'depth', 'uv', 'tangents',
               'weight-sum', 'displacement', 'stretch', 'speed', 'clay'];
const OF_VALUES = {displacement: 'values', speed: 'values', 'weight-sum': 'values', weight: 'weights', clay: 'lit'};

/* Views for which the program's own shaders need what WebGL 2 lacks. Stretch: the triangle's area beside that at rest. */
const OWN_VIEWS = {
    bones: `#include "surface.glsl"
flat in vec3 bone_color;
void main() { surface_here(); pixel = vec4(bone_color, 1.0); }`,
    stretch: `#include "scale.glsl"
in vec3 skinned_position; in vec3 other_position;
void main() {
    vec3 now = cross(dFdx(skinned_position), dFdy(skinned_position));
    vec3 rest = cross(dFdx(other_position), dFdy(other_position));
    float share = max(dot(now, now), 1e-37) / max(dot(rest, rest), 1e-37);
    write_value(dot(rest, rest) > 0.0 ? 0.5 * log2(share) : no_value, vec3(1.0, 0.0, 1.0));
}`,
};

/* A view's fragment shader with all that it includes, each file once. */
function fragmentOf(view, defines) {
    const done = new Set();
    const resolve = (text) => text.replace(/^#(?:version .*|include "(.*)")$/gm, (_, name) => {
        if (!name || done.has(name))
            return '';
        done.add(name);
        return resolve(SHADERS[name]);
    });
    return HEAD + Object.entries(defines).map(([name, value]) => `#define ${name} ${value}\n`).join('') +
        resolve(OWN_VIEWS[view] || SHADERS[(OF_VALUES[view] || view) + '.frag']);
}

/* weights.frag and data/image/color_scale.c have the colours. */
const RAINBOW = [[0, 0, 255], [0, 255, 255], [0, 255, 0], [255, 255, 0], [255, 0, 0]];
const GROWING = [[40, 26, 82], [50, 68, 142], [34, 112, 152], [32, 154, 138], [92, 192, 98], [180, 220, 62], [252, 236, 92]];
const DIVERGING = [[22, 60, 142], [66, 126, 200], [160, 200, 230], [238, 238, 234], [244, 186, 148], [214, 98, 72],
                   [138, 18, 38]];

/* A segment, some pixels wide; where both ends are one place, a disc. */
const LINE_VERTEX = HEAD + `
in vec2 corner; in vec3 from; in vec3 to; in vec4 line_color;
uniform mat4 scene_to_clip; uniform vec2 viewport; uniform float width;
out vec4 v_color; out vec2 v_disc;
void main() {
    vec4 a = scene_to_clip * vec4(from, 1.0), b = scene_to_clip * vec4(to, 1.0);
    bool is_disc = from == to;
    if (a.w < 1e-4 && b.w > a.w) a = mix(a, b, (1e-4 - a.w) / (b.w - a.w));
    if (b.w < 1e-4 && a.w > b.w) b = mix(b, a, (1e-4 - b.w) / (a.w - b.w));
    vec2 along = (b.xy / b.w - a.xy / a.w) * viewport;
    along = is_disc || dot(along, along) < 1e-12 ? vec2(1.0, 0.0) : normalize(along);
    vec2 across = vec2(-along.y, along.x);
    vec4 p = corner.x < 0.0 ? a : b;
    p.xy += (across * corner.y + along * (is_disc ? corner.x : 0.0)) * 2.0 * width / viewport * p.w;
    p.z -= 2e-4 * p.w;
    v_color = line_color;
    v_disc = is_disc ? corner : vec2(0.0, corner.y);
    gl_Position = p;
}`;

const LINE_FRAGMENT = HEAD + `
in vec4 v_color; in vec2 v_disc; uniform float opacity;
out vec4 pixel;
void main() {
    if (dot(v_disc, v_disc) > 1.0) discard;
    pixel = vec4(v_color.rgb, 1.0) * v_color.a * opacity;
}`;

const WIRE_VERTEX = HEAD + `
in vec3 position; uniform mat4 scene_to_clip;
void main() { gl_Position = scene_to_clip * vec4(position, 1.0); gl_Position.z -= 1e-4 * gl_Position.w; }`;

const WIRE_FRAGMENT = HEAD + 'uniform vec4 clay; out vec4 pixel; void main() { pixel = vec4(clay.rgb * clay.a, clay.a); }';
