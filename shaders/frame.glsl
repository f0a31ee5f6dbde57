// What is the same for all of a frame: the camera, and what moves with it. LAYERED comes from the program's key:
//   0  a draw makes one frame, these are uniforms
//   1  each instance of a draw is a frame of a sequence, on a layer of its own; layer and frame have one number

#if LAYERED

struct Frame {
    mat4 scene_to_clip;
    vec4 key_direction;
    vec4 fill_direction;
    vec4 rim_direction;
    vec4 sky_direction;
    vec4 nearness;
};

layout(std140) uniform FrameBlock {
    Frame frames[MOST_LAYERS];
};

#define scene_to_clip frames[gl_Layer].scene_to_clip
#define key_direction frames[gl_Layer].key_direction.xyz
#define fill_direction frames[gl_Layer].fill_direction.xyz
#define rim_direction frames[gl_Layer].rim_direction.xyz
#define sky_direction frames[gl_Layer].sky_direction.xyz
#define nearness frames[gl_Layer].nearness

#else

uniform mat4 scene_to_clip;

// Directions in scene space: to the lights, and up on the picture. draw/viewpoint.c says where they are.
uniform vec3 key_direction;
uniform vec3 fill_direction;
uniform vec3 rim_direction;
uniform vec3 sky_direction;

uniform vec4 nearness; // of a point p: (p, 1) . nearness is 1 near, 0 far

#endif
