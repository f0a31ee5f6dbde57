/* GLSL. Vertices are skinned once for each pose into a buffer (transform feedback); everything is drawn from there. */

const TEXELS = 2048; /* width of the textures that hold numbers: any WebGL 2 has that */
const SKINNED = 7;   /* floats of a skinned vertex: position, normal, -1 where the bones turn triangles inside out */

const LOCATIONS = {position: 0, normal: 1, range: 2, mirrored: 3, uv: 4, color: 5, tint: 6, value: 7, other: 8,
                   corner: 9, from: 10, to: 11, line_color: 12};

const HEAD = `#version 300 es
precision highp float; precision highp int; precision highp sampler2D;
`;

const SKIN_VERTEX = HEAD + `
in vec3 position; in vec3 normal;
in uvec2 range;               // first influence, how many
uniform sampler2D palette;    // three texels a matrix: its rows
uniform sampler2D influences; // bone, weight
uniform sampler2D deltas;     // of target t: positions of all vertices, then normals
uniform sampler2D morphs;     // target, weight: those that are not 0
uniform int first_binding, morph_count, vertex_count, is_skinned;
out vec3 skinned_position; out vec3 skinned_normal; out float mirrored;

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
    gl_Position = vec4(0.0, 0.0, 0.0, 1.0);
}`;

const EMPTY_FRAGMENT = HEAD + 'void main() {}';

const DRAW_VERTEX = HEAD + `
in vec3 position; in vec3 normal; in float mirrored; in vec2 uv; in vec4 color;
in vec4 tint;  // a colour of the vertex's own
in float value;
in vec3 other; // where it is in the pose that this one is compared with
uniform mat4 scene_to_clip;
out vec3 v_position; out vec3 v_normal; out vec2 v_uv; out vec4 v_color; out float v_value; out vec3 v_other;
flat out vec4 v_tint; flat out float v_mirrored; flat out uint v_vertex;
void main() {
    v_position = position; v_normal = normal; v_uv = uv; v_color = color; v_value = value; v_other = other;
    v_tint = tint; v_mirrored = mirrored; v_vertex = uint(gl_VertexID);
    gl_Position = scene_to_clip * vec4(position, 1.0);
}`;

/* As shaders/surface.glsl has it. */
const SURFACE = HEAD + `
in vec3 v_position; in vec3 v_normal; in vec2 v_uv; in vec4 v_color; in float v_value; in vec3 v_other;
flat in vec4 v_tint; flat in float v_mirrored; flat in uint v_vertex;
uniform vec4 base_color; uniform sampler2D base_texture; uniform float alpha_cutoff;
uniform int textured, two_sided, alpha_mode; // 0 opaque, 1 mask, 2 blend
uniform vec3 lights[4]; // to the key, the fill and the rim light, and up on the picture

vec3 srgb_decode(vec3 c) { return mix(c / 12.92, pow((c + 0.055) / 1.055, vec3(2.4)), step(0.04045, c)); }
vec3 srgb_encode(vec3 c) {
    vec3 v = clamp(c, 0.0, 1.0);
    return max(min(12.92 * v, 0.04045), 1.055 * pow(max(v, 1e-6), vec3(1.0 / 2.4)) - 0.055);
}
struct Surface { vec3 color; float alpha; vec3 normal; };
Surface surface_here() {
    vec4 color = base_color * v_color;
    if (textured == 1) {
        vec4 texel = texture(base_texture, v_uv);
        color *= vec4(srgb_decode(texel.rgb), texel.a);
    }
    bool front = (gl_FrontFacing ? v_mirrored : -v_mirrored) > 0.0;
    if (two_sided == 0 && !front) discard;
    if (alpha_mode == 0) color.a = 1.0;
    if (alpha_mode == 1) { if (color.a < alpha_cutoff) discard; color.a = 1.0; }
    float by = inversesqrt(max(dot(v_normal, v_normal), 1e-12));
    return Surface(color.rgb, clamp(color.a, 0.0, 1.0), (front ? by : -by) * v_normal);
}
`;

const VIEWS = ['lit', 'unlit', 'normals', 'weights', 'bones', 'depth', 'uv', 'influences', 'weight', 'weight-sum',
               'displacement', 'stretch', 'speed', 'clay'];

const DRAW_FRAGMENT = SURFACE + `
uniform int view; uniform vec4 nearness; uniform float range; uniform vec4 clay; uniform float opacity; uniform int unlit;
out vec4 pixel;

float wrapped(vec3 n, vec3 direction) {
    float w = max(dot(n, direction) * 0.74 + 0.26, 0.0);
    return w * (w * 0.65 + 0.35);
}
vec3 lit(vec3 color, vec3 n) { // shaders/lit.frag
    vec3 light = vec3(0.185, 0.19, 0.20) + vec3(0.075, 0.09, 0.11) * dot(n, lights[3]);
    light += vec3(0.72, 0.69, 0.65) * wrapped(n, lights[0]) + vec3(0.14, 0.16, 0.20) * wrapped(n, lights[1]);
    return color * (light + vec3(0.26, 0.27, 0.30) * max(dot(n, lights[2]), 0.0));
}
vec3 ramp(float w) { // blue 0, cyan, green 1/2, yellow, red 1
    w = clamp(w, 0.0, 1.0);
    return clamp(vec3(4.0 * w - 2.0, 2.0 - abs(4.0 * w - 2.0), 2.0 - 4.0 * w), 0.0, 1.0);
}
float shape(vec3 n) { return 0.36 + 0.10 * dot(n, lights[0]) + 0.06 * dot(n, lights[3]); }
const vec3 counts[10] = vec3[10](vec3(255, 0, 255), vec3(40, 60, 160), vec3(0, 150, 220), vec3(0, 190, 120), vec3(140, 210, 40),
    vec3(250, 220, 40), vec3(250, 150, 30), vec3(230, 80, 40), vec3(150, 20, 40), vec3(255, 255, 255));

vec3 numbers(Surface s) { // what is no colour of the material, sRGB-encoded
    if (view == 2) return s.normal * 0.5 + 0.5;
    if (view == 3) return ramp(v_value);
    if (view == 4) return v_tint.rgb;
    if (view == 5) return vec3(clamp(dot(nearness, vec4(v_position, 1.0)), 0.0, 1.0));
    if (view == 6) return vec3(fract(v_uv), 0.0);
    if (view == 7) return counts[min(int(v_tint.x * 255.0 + 0.5), 9)] / 255.0;
    if (view == 8) return v_value == 0.0 ? vec3(shape(s.normal)) : ramp(v_value);
    if (view == 9) { // white at 1, blue below, red above
        float off = clamp((v_value - 1.0) * 4.0, -1.0, 1.0);
        return mix(vec3(0.92), off < 0.0 ? vec3(0.10, 0.30, 0.95) : vec3(0.90, 0.15, 0.10), abs(off));
    }
    if (view == 11) { // the area of the triangle beside that at rest: white at 1, blue where it is half, red where it is double
        float now = length(cross(dFdx(v_position), dFdy(v_position))), rest = length(cross(dFdx(v_other), dFdy(v_other)));
        float off = rest > 0.0 ? clamp(log2(max(now, 1e-30) / rest), -1.0, 1.0) : 0.0;
        return mix(vec3(0.92), off < 0.0 ? vec3(0.10, 0.30, 0.95) : vec3(0.90, 0.15, 0.10), abs(off));
    }
    float moved = length(v_position - v_other) / range; // displacement, speed
    vec3 calm = vec3(1.35 * shape(s.normal));
    return moved < 1e-4 ? calm : mix(calm, ramp(moved), min(1.0, moved * 12.0));
}
void main() {
    Surface s = surface_here();
    if (view == 13) { // clay: a pose beside another
        pixel = vec4(srgb_encode(lit(clay.rgb, s.normal)), 1.0) * opacity;
        return;
    }
    if (view > 1) {
        pixel = vec4(numbers(s), 1.0) * opacity;
        return;
    }
    vec3 color = view == 1 || unlit == 1 ? s.color : lit(s.color, s.normal);
    float alpha = alpha_mode == 2 ? s.alpha : 1.0;
    pixel = vec4(srgb_encode(color) * alpha, alpha) * opacity;
}`;

/* What is at a pixel: instance, vertex (the last of its triangle) and place. */
const PICK_FRAGMENT = SURFACE + `
uniform uint instance;
layout(location = 0) out uvec4 who; layout(location = 1) out uvec4 where;
void main() {
    Surface s = surface_here();
    if (alpha_mode == 2 && s.alpha < 1.0 / 255.0) discard;
    who = uvec4(instance + 1u, v_vertex, 0u, 0u);
    where = uvec4(floatBitsToUint(v_position), 0u);
}`;

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
    p.xy += (across * corner.y + along * (is_disc ? corner.x : 0.0)) * width / viewport * p.w;
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
