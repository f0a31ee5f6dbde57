#version 330 core
// Three steps of light and a rim.
in vec3 Normal;
in vec3 FragPos;

uniform vec3 viewPos;
uniform vec4 base_color; // of the material: rigproof's own name for it
uniform vec3 lightDir = vec3(0.40, 0.80, 0.45);

out vec4 FragColor;

void main()
{
    vec3 normal = normalize(Normal);
    float light = dot(normal, normalize(lightDir));
    float steps = light > 0.6 ? 1.0 : light > 0.1 ? 0.65 : 0.35;
    float rim = dot(normal, normalize(viewPos - FragPos)) < 0.35 ? 0.15 : 0.0;
    FragColor = vec4(pow(base_color.rgb * steps + rim, vec3(1.0 / 2.2)), 1.0);
}
