#version 330 core
// Nothing but the shadow: black over the background, fading out.

uniform sampler2D shadow_texture;

in vec2 ground_uv;

out vec4 pixel; // sRGB-encoded, premultiplied

void main()
{
    pixel = vec4(0.0, 0.0, 0.0, texture(shadow_texture, ground_uv).r);
}
