#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <cglm/types.h>

#include "base/error.h"
#include "base/text.h"
#include "data/bounds.h"

/* Says how a frame is to look: what a person chooses on the command line or in a suite. */

enum view {
    VIEW_LIT,
    VIEW_STUDIO,      /* materials as their file means them, on a ground with a shadow */
    VIEW_UNLIT,
    VIEW_NORMALS,
    VIEW_WEIGHTS,     /* the largest weight of a vertex */
    VIEW_BONES,       /* the bone of that weight, by its colour of bone_colors() */
    VIEW_DEPTH,
    VIEW_UV,
    VIEW_INFLUENCES,  /* how many bones hold a vertex */
    VIEW_TANGENTS,
    VIEW_WEIGHT_SUM,  /* these four on a scale of colours: color_scale.h */
    VIEW_DISPLACEMENT, /* of a vertex from another pose */
    VIEW_STRETCH,     /* the area of a triangle against its area at rest */
    VIEW_SPEED,       /* of a vertex */
    VIEW_BONE_WEIGHT, /* the weight of shown_node */
    VIEW_COUNT,
};

/* "lit", "unlit", ...; the last, "weight:BONE", stands for a bone's name. */
extern const char *const view_names[VIEW_COUNT];

/* Bits of frame_settings.overlays. */
enum overlay {
    OVERLAY_SKELETON = 1 << 0,
    OVERLAY_WIREFRAME = 1 << 1,
    OVERLAY_BOUNDS = 1 << 2,
    OVERLAY_AXES = 1 << 3,
    OVERLAY_LABEL = 1 << 4,
    OVERLAY_LEGEND = 1 << 5, /* the scale of a view that has one */
    OVERLAY_NAMES = 1 << 6,  /* of bones */
};

/* Says how long each of OVERLAY_AXES is, in scene units; radius of the box that was framed, 0: there is none. */
#define AXES_LENGTH(radius) ((radius) > 0 ? 0.5f * (radius) : 1)

/* Names of the bits, from the lowest. */
enum { OVERLAY_COUNT = 7 };
extern const char *const overlay_names[OVERLAY_COUNT];

enum profile {
    PROFILE_PORTABLE, /* same pixels on other machines: no MSAA, 2x2 supersampling resolved in integers */
    PROFILE_NATIVE,   /* MSAA where the driver has it */
};

/* An orbit around the bounds of the sequence, or another point. Degrees. yaw 0 looks at the front: along -Z when Y is
 * up, along +Y when Z is up. */
struct orbit {
    float yaw;
    float pitch; /* positive looks down */
    float zoom;  /* 1 fits the bounding sphere */
    float fov;   /* vertical, degrees; 0 is orthographic */
    float ortho_height; /* orthographic: half the height seen at zoom 1, scene units; 0: fits the bounding sphere */
    vec3 target;        /* what it goes around, scene space; without has_target the middle of the bounds */
    float near_plane;   /* from the eye, scene units; without has_near, has_far around the bounds */
    float far_plane;
    bool has_target, has_near, has_far;
};

/* A camera in scene space, ready to draw with. */
struct camera {
    vec3 eye;
    vec3 target;
    vec3 up;
    float fov_y;        /* radians; 0 for orthographic */
    float ortho_height; /* half the height of the view in scene units, orthographic only */
    float near_plane, far_plane;
};

/* The numbers at the ends of a view's scale of colours. */
struct value_range {
    float least, most;
};

struct frame_settings {
    uint32_t width, height;
    uint8_t background[4]; /* sRGB, straight alpha */
    enum view view;
    unsigned overlays; /* enum overlay */
    enum profile profile;
    int32_t selected_node; /* marked in the skeleton overlay; NO_INDEX for none */
    int32_t shown_node;    /* of VIEW_BONE_WEIGHT */
    struct bounds framed;  /* what the camera was made for: the range of VIEW_DEPTH, the box of OVERLAY_BOUNDS, the
                              ground of VIEW_STUDIO */
    int up_axis, up_sign;  /* of VIEW_STUDIO; sign 0: the scene's */
    char label[128];       /* of OVERLAY_LABEL, lines parted by '\n' */
    struct value_range range; /* of a view with a scale of colours */
    char legend[96];       /* of OVERLAY_LEGEND: what the numbers are, lines parted by '\n' */
    struct camera camera;
};

enum { FRAME_MAX_SIZE = 8192 };

/*
 * A camera in a file of its own, "rigproof.camera/1", and as a member of others. Floats read back bit by bit, so a
 * saved camera draws the picture it was saved from.
 */
struct fields;
struct json_place;
extern const struct fields camera_fields;
void camera_file_write(const struct camera *camera, struct text *out);

/*
 * Reads such a file, the camera object of a recorded.json alone, or a whole recorded.json, of which it is the first
 * frame's. False with err set for what no camera can be: near not before far or, in perspective, not before the eye, an
 * angle of 180 degrees or more, eye and target the same. `name` is for messages.
 */
bool camera_file_read(const void *data, size_t size, const char *name, struct camera *out, struct error *err);

/* Complains at the place about what no camera can be. */
void camera_check(const struct json_place *at, const struct camera *camera);
