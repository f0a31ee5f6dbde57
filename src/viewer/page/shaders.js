/* GLSL. Vertices are skinned once for each pose into a buffer (transform feedback); everything is drawn from there. */

const TEXELS = 2048; /* width of the textures that hold numbers: any WebGL 2 has that */
const SKINNED = 11;  /* floats of a skinned vertex: position, normal, tangent, -1 where the bones turn triangles inside out */

const LOCATIONS = {position: 0, normal: 1, range: 2, mirrored: 3, uv: 4, color: 5, tint: 6, value: 7, other: 8,
                   more_uv: 9, tangent: 10,
                   corner: 11, from: 12, to: 13, line_color: 14};

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
    bool is_there = dot(along, along) > 2.5e-7 && dot(over, over) > 2.5e-5 * dot(along, along);
    skinned_tangent = is_there ? vec4(normalize(over), mirrored * tangent.w) : vec4(0.0);
    gl_Position = vec4(0.0, 0.0, 0.0, 1.0);
}`;

const EMPTY_FRAGMENT = HEAD + 'void main() {}';

const DRAW_VERTEX = HEAD + `
in vec3 position; in vec3 normal; in vec4 tangent; in float mirrored; in vec2 uv; in vec2 more_uv; in vec4 color;
in vec4 tint;  // a colour of the vertex's own
in float value;
in vec3 other; // where it is in the pose that this one is compared with
uniform mat4 scene_to_clip;
out vec3 v_position; out vec3 v_normal; out vec4 v_tangent; out vec2 v_uv; out vec2 v_more_uv; out vec4 v_color; out float v_value; out vec3 v_other;
flat out vec4 v_tint; flat out float v_mirrored; flat out uint v_vertex;
void main() {
    v_position = position; v_normal = normal; v_tangent = tangent; v_uv = uv; v_more_uv = more_uv; v_color = color; v_value = value; v_other = other;
    v_tint = tint; v_mirrored = mirrored; v_vertex = uint(gl_VertexID);
    gl_Position = scene_to_clip * vec4(position, 1.0);
}`;

/* As shaders/surface.glsl has it. */
const SURFACE = HEAD + `
in vec3 v_position; in vec3 v_normal; in vec4 v_tangent; in vec2 v_uv; in vec2 v_more_uv; in vec4 v_color; in float v_value; in vec3 v_other;
flat in vec4 v_tint; flat in float v_mirrored; flat in uint v_vertex;
uniform vec4 base_color; uniform sampler2D base_texture; uniform float alpha_cutoff;
uniform int textured, two_sided, alpha_mode; // 0 opaque, 1 mask, 2 blend
uniform vec3 lights[4]; // to the key, the fill and the rim light, and up on the picture
uniform vec4 map_rows[12]; // as shaders/maps.glsl has them
uniform int maps;          // a bit for each map that is there
vec2 map_uv(int slot) {
    vec3 at = vec3(map_rows[2 * slot].w > 0.5 ? v_more_uv : v_uv, 1.0);
    return vec2(dot(map_rows[2 * slot].xyz, at), dot(map_rows[2 * slot + 1].xyz, at));
}

vec3 srgb_decode(vec3 c) { return mix(c / 12.92, pow((c + 0.055) / 1.055, vec3(2.4)), step(0.04045, c)); }
vec3 srgb_encode(vec3 c) {
    vec3 v = clamp(c, 0.0, 1.0);
    return max(min(12.92 * v, 0.04045), 1.055 * pow(max(v, 1e-6), vec3(1.0 / 2.4)) - 0.055);
}
struct Surface { vec3 color; float alpha; vec3 normal; };
Surface surface_here() {
    vec4 color = base_color * v_color;
    if (textured == 1) {
        vec4 texel = texture(base_texture, map_uv(0));
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

const VIEWS = ['studio', 'lit', 'unlit', 'normals', 'weights', 'bones', 'influences', 'weight', 'depth', 'uv', 'tangents', 'weight-sum',
               'displacement', 'stretch', 'speed', 'clay'];
const viewNumber = (name) => VIEWS.indexOf(name);

/* As shaders/studio.frag has it; STUDIO is shaders/studio.glsl. */
const STUDIO_SURFACE = `
uniform vec4 eye, material_factors, specular_factor, emissive_factor;
uniform sampler2D metallic_roughness_texture, specular_texture, normal_texture, occlusion_texture, emissive_texture;
bool has_map(int slot) { return (maps >> slot & 1) == 1; }

vec3 mapped_normal(vec3 normal, inout float roughness) {
    vec3 texel = texture(normal_texture, map_uv(3)).xyz * (255.0 / 127.0) - 128.0 / 127.0;
    float size = dot(texel, texel), side = dot(normal, v_normal) < 0.0 ? -1.0 : 1.0;
    vec3 along = v_tangent.xyz - normal * dot(normal, v_tangent.xyz);
    float square = dot(along, along);
    if (!has_map(3) || square < 1e-12 || size < 1e-6) return normal;
    along *= inversesqrt(square);
    vec3 bitangent = cross(normal, along) * (v_tangent.w * side);
    vec2 slope = texel.xy * material_factors.z;
    vec3 result = along * slope.x + bitangent * slope.y + normal * max(texel.z, 0.05);
    float flat_size = min(sqrt(size), 1.0), variance = min((1.0 - flat_size) / flat_size * 0.5, 0.3);
    roughness = sqrt(sqrt(min(roughness * roughness * roughness * roughness + variance * variance, 1.0)));
    return normalize(result);
}

vec3 studio(Surface s) {
    float metallic = material_factors.x, roughness = material_factors.y, occlusion = 1.0;
    vec3 f0 = specular_factor.rgb, diffuse = s.color, emissive = emissive_factor.rgb;
    vec4 mixed = texture(metallic_roughness_texture, map_uv(1)), specular = texture(specular_texture, map_uv(2));
    vec3 closed = texture(occlusion_texture, map_uv(4)).rgb, glow = texture(emissive_texture, map_uv(5)).rgb;
    if (has_map(1)) { metallic *= mixed.b; roughness *= mixed.g; }
    if (has_map(2)) { f0 *= srgb_decode(specular.rgb); roughness = 1.0 - (1.0 - roughness) * specular.a; }
    if (has_map(4)) occlusion = 1.0 + material_factors.w * (closed.r - 1.0);
    if (has_map(5)) emissive *= srgb_decode(glow);
    if (specular_factor.w > 0.5) {
        diffuse *= 1.0 - max(f0.r, max(f0.g, f0.b));
    } else {
        diffuse *= 1.0 - metallic;
        f0 = mix(min(f0, vec3(1.0)), s.color, metallic);
    }
    vec3 to_eye = normalize(eye.xyz - eye.w * v_position);
    roughness = clamp(roughness, 0.045, 1.0);
    vec3 normal = mapped_normal(s.normal, roughness), mirrored_eye = 2.0 * dot(normal, to_eye) * normal - to_eye;
    vec2 sum = split_sum(abs(dot(normal, to_eye)), roughness);
    vec3 reflectance = (f0 * (sum.x - sum.y) + sum.y) * (1.0 + f0 * (1.0 / sum.x - 1.0));
    float horizon = clamp(1.0 + dot(mirrored_eye, s.normal), 0.0, 1.0), visible = mix(1.0, occlusion, 0.7) * horizon * horizon;
    vec3 light = diffuse * (1.0 - reflectance) * irradiance(to_rig(normal), 1.0) * occlusion;
    return develop(light + reflectance * environment(to_rig(mirrored_eye), roughness) * visible + emissive);
}
`;

/* data/image/color_scale.c has the colours. */
const GROWING = [[40, 26, 82], [50, 68, 142], [34, 112, 152], [32, 154, 138], [92, 192, 98], [180, 220, 62], [252, 236, 92]];
const DIVERGING = [[22, 60, 142], [66, 126, 200], [160, 200, 230], [238, 238, 234], [244, 186, 148], [214, 98, 72], [138, 18, 38]];
const glslColors = (colors) => `vec3[7](${colors.map((color) => `vec3(${color.join(', ')})`).join(', ')})`;

const DRAW_FRAGMENT = SURFACE + STUDIO + STUDIO_SURFACE + `
uniform int view; uniform vec4 nearness; uniform vec3 range; uniform vec4 clay; uniform float opacity; uniform int unlit;
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
vec3 ramp(float w) { // shaders/weights.frag: blue 0, cyan, green 1/2, yellow, red 1
    w = clamp(w, 0.0, 1.0);
    return clamp(vec3(4.0 * w - 2.0, 2.0 - abs(4.0 * w - 2.0), 2.0 - 4.0 * w), 0.0, 1.0);
}
const vec3 growing[7] = ${glslColors(GROWING)};
const vec3 diverging[7] = ${glslColors(DIVERGING)};
vec3 scale_color(float value, vec3 normal, bool diverges) { // shaders/scale.glsl
    float part = value < range.y ? 0.5 * (value - range.x) / (range.y - range.x) : 0.5 + 0.5 * (value - range.y) / (range.z - range.y);
    float at = 6.0 * clamp(part, 0.0, 1.0);
    int i = int(min(floor(at), 5.0));
    vec3 color = diverges ? mix(diverging[i], diverging[i + 1], at - float(i)) : mix(growing[i], growing[i + 1], at - float(i));
    return color / 255.0 * (0.6 + 0.4 * max(dot(normal, normalize(nearness.xyz)), 0.0));
}
const vec3 counts[10] = vec3[10](vec3(255, 0, 255), vec3(40, 60, 160), vec3(0, 150, 220), vec3(0, 190, 120), vec3(140, 210, 40),
    vec3(250, 220, 40), vec3(250, 150, 30), vec3(230, 80, 40), vec3(150, 20, 40), vec3(255, 255, 255));

vec3 numbers(Surface s) { // what is no colour of the material, sRGB-encoded
    vec3 now = cross(dFdx(v_position), dFdy(v_position)), rest = cross(dFdx(v_other), dFdy(v_other));
    switch (view) {
    case ${viewNumber('normals')}: return s.normal * 0.5 + 0.5;
    case ${viewNumber('weights')}: return ramp(v_value);
    case ${viewNumber('bones')}: return v_tint.rgb;
    case ${viewNumber('influences')}: return counts[min(int(v_tint.x * 255.0 + 0.5), 9)] / 255.0;
    case ${viewNumber('weight')}:
        return v_value == 0.0 ? vec3(0.36 + 0.10 * dot(s.normal, lights[0]) + 0.06 * dot(s.normal, lights[3])) : ramp(v_value);
    case ${viewNumber('depth')}: return vec3(clamp(dot(nearness, vec4(v_position, 1.0)), 0.0, 1.0));
    case ${viewNumber('uv')}: return vec3(fract(v_uv), 0.0);
    case ${viewNumber('tangents')}:
        return dot(v_tangent.xyz, v_tangent.xyz) > 0.0 ? (normalize(v_tangent.xyz) * 0.5 + 0.5) * (v_tangent.w < 0.0 ? 0.5 : 1.0) : vec3(0.0);
    case ${viewNumber('weight-sum')}: return scale_color(v_value, s.normal, true);
    case ${viewNumber('stretch')}: // the area of the triangle beside that at rest, to the base 2
        return dot(rest, rest) > 0.0 ? scale_color(0.5 * log2(max(dot(now, now), 1e-37) / dot(rest, rest)), s.normal, true) : vec3(1.0, 0.0, 1.0);
    default: return scale_color(length(v_position - v_other), s.normal, false); // displacement, speed
    }
}
void main() {
    Surface s = surface_here();
    if (view == ${viewNumber('clay')}) { // a pose beside another
        pixel = vec4(srgb_encode(lit(clay.rgb, s.normal)), 1.0) * opacity;
        return;
    }
    if (view > ${viewNumber('unlit')}) {
        pixel = vec4(numbers(s), 1.0) * opacity;
        return;
    }
    vec3 color = s.color;
    if (unlit == 0 && view == ${viewNumber('studio')}) color = studio(s);
    if (unlit == 0 && view == ${viewNumber('lit')}) color = lit(s.color, s.normal);
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
