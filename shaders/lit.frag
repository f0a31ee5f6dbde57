#version 330 core
// A fixed rig that moves with the camera, so that a turntable stays readable from every side: a warm key from the upper
// left, a cool fill from the right, a rim from behind that parts the model from the background, and a soft sky.

uniform vec3 camera_right; // the camera's axes in scene space
uniform vec3 camera_up;
uniform vec3 camera_back;

// Directions to the lights: right, up, back.
const vec3 key = vec3(-0.4867, 0.6489, 0.5840);
const vec3 fill = vec3(0.7809, 0.0976, 0.6169);
const vec3 rim = vec3(0.5571, 0.4642, -0.6886);

const vec3 key_color = vec3(0.72, 0.69, 0.65);
const vec3 fill_color = vec3(0.14, 0.16, 0.20);
const vec3 rim_color = vec3(0.26, 0.27, 0.30);
const vec3 sky_color = vec3(0.26, 0.28, 0.31);
const vec3 ground_color = vec3(0.11, 0.10, 0.09);

// Lambert, led around the terminator by `softness` so that the shadow side keeps its shape.
float wrapped(vec3 normal, vec3 direction, float softness)
{
    float w = max((dot(normal, direction) + softness) / (1.0 + softness), 0.0);
    return w * w * (1.0 - softness) + w * softness;
}

void main()
{
    Surface s = surface_here();
    vec3 n = vec3(dot(s.normal, camera_right), dot(s.normal, camera_up), dot(s.normal, camera_back));
    vec3 light = mix(ground_color, sky_color, 0.5 + 0.5 * n.y);
    light += key_color * wrapped(n, key, 0.35);
    light += fill_color * wrapped(n, fill, 0.4);
    light += rim_color * max(dot(n, rim), 0.0);
    write_linear(s.color * light, s.alpha);
}
