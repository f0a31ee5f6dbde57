// A photographer's studio without an image: a sky, a floor, three soft boxes and a screen behind the camera, in closed form at
// any roughness, and how surfaces reflect them. Products, quotients and square roots alone, which every CPU rounds alike.

uniform vec3 rig_right; // the studio turns with the camera, about the scene's up: the model turns as on a plate
uniform vec3 rig_up;
uniform vec3 rig_front; // towards the camera, level

const float pi = 3.14159265;

// Rises from 0 to 1 around 0, over a width of 1 or so, and comes to its ends slowly, as the lobe of GGX does.
float soft_step(float x)
{
    return 0.5 + 0.5 * x / sqrt(1.0 + x * x);
}

// max(x, 0), rounded off over a width.
float soft_max(float x, float width)
{
    return 0.5 * (x + sqrt(x * x + width * width));
}

// A rectangular light: `toward` its middle, `across` and `along` its edges, of half sizes as sines.
struct SoftBox {
    vec3 toward, across, along;
    vec2 size;
    vec3 radiance;
};

SoftBox key_box()
{
    return SoftBox(vec3(-0.5270, 0.6360, 0.5637), vec3(0.7305, 0.0, 0.6829), vec3(0.4343, 0.7717, -0.4646),
                   vec2(0.42, 0.42), vec3(6.10, 5.85, 5.55));
}

SoftBox fill_box()
{
    return SoftBox(vec3(0.8944, 0.2236, 0.3873), vec3(-0.3973, 0.0, 0.9177), vec3(-0.2052, 0.9747, -0.0888),
                   vec2(0.30, 0.62), vec3(1.30, 1.42, 1.60));
}

SoftBox rim_box()
{
    return SoftBox(vec3(0.4082, 0.5000, -0.7638), vec3(-0.8820, 0.0, -0.4714), vec3(-0.2357, 0.8660, 0.4410),
                   vec2(0.75, 0.22), vec3(3.40, 3.50, 3.70));
}

// What a lobe about d sees of a box. The box is blurred by the lobe's width, edge by edge, and keeps its power.
float seen(SoftBox box, vec3 d, float width)
{
    float by = 1.0 / width, x = dot(d, box.across), y = dot(d, box.along);
    return (soft_step((x + box.size.x) * by) - soft_step((x - box.size.x) * by)) *
           (soft_step((y + box.size.y) * by) - soft_step((y - box.size.y) * by)) * clamp(0.5 + dot(d, box.toward) * 1.5 * by, 0.0, 1.0);
}

// Irradiance over pi: the box as a light of its solid angle, with a terminator as soft as it is large.
vec3 lit_by(SoftBox box, vec3 normal, float reach)
{
    float solid_angle = 4.0 * box.size.x * box.size.y;
    return box.radiance * (solid_angle / pi * soft_max(dot(normal, box.toward), reach));
}

const vec3 sky_top = vec3(0.48, 0.50, 0.53);
const vec3 sky_side = vec3(0.195, 0.20, 0.21);
const vec3 floor_far = vec3(0.205, 0.20, 0.19);
const vec3 floor_below = vec3(0.26, 0.25, 0.235); // more than far away

// A round screen around the camera, lit softly: what faces the camera reflects it.
const vec3 screen_toward = vec3(0.0, 0.1386, 0.9903);
const vec3 screen_radiance = vec3(0.61, 0.60, 0.59);
const float screen_edge = 0.84; // a cosine

vec3 to_rig(vec3 d)
{
    return vec3(dot(d, rig_right), dot(d, rig_up), dot(d, rig_front));
}

// Radiance from direction d of the rig, seen by a lobe of that roughness, which is not far from 0.
vec3 environment(vec3 d, float roughness)
{
    float width = 0.03 + roughness * roughness * 1.1;
    vec3 above = mix(sky_side, sky_top, soft_step((d.y - 0.45) * 2.2 / (0.5 + width)));
    vec3 radiance = mix(floor_far - floor_below * d.y, above, soft_step(d.y / (0.06 + width)));
    SoftBox key = key_box(), fill = fill_box(), rim = rim_box();
    radiance += key.radiance * seen(key, d, width);
    radiance += fill.radiance * seen(fill, d, width);
    radiance += rim.radiance * seen(rim, d, width);
    return radiance + screen_radiance * soft_step((dot(d, screen_toward) - screen_edge) * 7.0 / (0.5 + 3.0 * width));
}

// Irradiance over pi on a surface of that normal, in the rig; `open`: how much of the sky is not hidden from it. Fitted to the
// integral of environment() at roughness 0.
vec3 irradiance(vec3 n, float open)
{
    float below = 0.46 - 0.36 * n.y;
    vec3 light = mix(floor_far, sky_side, 0.5 + 0.5 * n.y) + (sky_top - sky_side) * (0.28 + 0.36 * n.y) +
                 floor_below * (below * below) + screen_radiance * (0.27 * soft_max(dot(n, screen_toward), 0.3));
    vec3 boxes = lit_by(key_box(), n, 0.20) + lit_by(fill_box(), n, 0.28) + lit_by(rim_box(), n, 0.20);
    return light * open + boxes * (0.35 + 0.65 * open);
}

// What a surface reflects of the studio before its reflectance: a lobe about the mirrored eye that leans to the normal where
// it is wide. At roughness 1 it sees what diffuse light is made of. `around` is the irradiance.
vec3 reflected(vec3 mirrored_eye, vec3 normal, float roughness, float seen, vec3 around)
{
    float wide = roughness * roughness;
    return mix(environment(to_rig(mix(mirrored_eye, normal, wide)), roughness) * seen, around, wide * roughness);
}

// The split sum (Karis 2013) of GGX with Smith's height-correlated shadowing: the reflectance is f0 * (x - y) + f90 * y,
// where x is that of a perfect mirror's facets. Polynomials fitted to the integral over the hemisphere; 0.02 off on average, 0.07 at most.
vec2 split_sum(float cosine, float roughness)
{
    float x = cosine, r = roughness;
    float white = 0.9426 + r * (0.1391 + r * (0.3207 * r - 0.4476)) +
                  x * (0.0265 - r * (0.5245 + 1.18 * r) + x * (0.4348 + 1.065 * r - 0.4861 * x));
    float edge = (0.8684 - x * (1.9396 - 1.0237 * x) - r * (0.3708 - 0.6149 * x + 0.0962 * r)) /
                 (1.0 + x * (0.6251 + 12.8993 * x) + r * (13.2894 * r - 1.0857 - 8.914 * x));
    return vec2(white, max(edge, 0.0));
}

// Light of any strength to what a screen can show, by a film's curve with toe and shoulder (Narkowicz 2016): half of it each
// colour alone, which bleaches the brightest as film does, half all alike, which keeps the hue.
vec3 film(vec3 x)
{
    return x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14);
}

vec3 develop(vec3 light)
{
    vec3 exposed = 0.55 * light, each = film(exposed);
    float most = max(max(exposed.r, max(exposed.g, exposed.b)), 1e-6);
    vec3 alike = exposed * (film(vec3(most)).r / most);
    return mix(alike, each, 0.6);
}
