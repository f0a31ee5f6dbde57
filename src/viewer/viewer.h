#pragma once

#include "data/image/frame_settings.h"
#include "data/scene/pose.h"

/*
 * A model to be turned around in a browser (WebGL 2, no network, no library): a content in JSON, and the script and the
 * style that show it. A page has scripts and styles once, and any number of contents:
 *
 *     <style>PAGE_STYLE VIEWER_STYLE</style>
 *     <script type="application/json" id="content-7">CONTENT, escaped for a script</script>
 *     <script>PAGE_SCRIPT</script> <script>VIEWER_SCRIPT</script>
 *     modelViewer.open(element, JSON.parse(document.getElementById('content-7').textContent))  when it is to be seen
 *
 * open() fills the element, which has a size of its own, and gives an object whose close() frees all of it: a browser
 * has sixteen contexts, so a page closes one before it opens another.
 *
 * The content is "rigproof.viewer/1". An array of numbers is [type, first byte, count] into `data`, which is base64 of
 * little-endian numbers: f4 and f8 floats, i1 to u4 integers. A quantised one is [type, first byte, count, offsets,
 * steps]: number i is offsets[i % width] + steps[i % width] * n. Matrices are three rows of four. `start` is what is
 * shown first; `film` the times and cameras of a film's frames; `models` have nodes, meshes, instances, materials,
 * textures as data URIs (a number: the first model's) and clips as raw keys; `sides`, one or two, have a label, the
 * index of a model, and poses that replace its clips.
 */

/* Another program's pose, a golden, what differs from the model's own. */
struct viewer_pose {
    double time;
    const struct pose *pose; /* with globals */
    const struct palette *palette;
};

/* One of two models, or of two poses of one. */
struct viewer_side {
    const char *label; /* "golden"; NULL: the model's name */
    const struct scene *scene;
    bool has_clips; /* plays the scene's clips */
    uint32_t pose_count;
    const struct viewer_pose *poses; /* where there are any the clips play no part: by time, the nearest is shown */
    const mat4 *place;               /* into the first side's axes and unit; NULL: as it is */
};

/* A film's: the camera of each frame. */
struct viewer_film {
    uint32_t frame_count; /* 0: none */
    const double *times;
    const struct camera *cameras;
    double fps;
    float aspect;
};

struct viewer_content {
    const char *title;
    uint32_t side_count; /* 1 or 2; of two with one scene that is there once */
    struct viewer_side sides[2];
    const char *clip; /* that plays first; NULL: the rest pose */
    double time;
    double fps;
    bool loops; /* else the clip's end is held */
    int up_axis, up_sign;
    enum view view;
    unsigned overlays;  /* enum overlay */
    const char *select; /* name of the selected bone; NULL */
    bool follows;       /* the camera goes where that bone goes */
    struct bounds framed;
    struct orbit orbit;
    const struct camera *camera; /* in place of the orbit; NULL */
    uint8_t background[4];       /* alpha 0: the page's own */
    struct viewer_film film;
};

/*
 * Says what of it is there. A quantised one has a third to a half of the bytes. It misses positions, morph targets,
 * texture coordinates and keys of places and scales by at most 1/131070 of the range that the numbers of that axis
 * have, weights by less than 1/255 (those of a vertex have the sum that they had, to 1/510), normals by half a degree,
 * keys of rotations by 1/65534 in each of the four. Nodes, offset matrices, poses, times and keys of cubic curves are
 * exact.
 */
enum viewer_form { VIEWER_WHOLE, VIEWER_UNTEXTURED, VIEWER_QUANTISED };

/* Appends the JSON. Textures are as they are stored where that is PNG or JPEG of at most 2048 pixels wide and high,
 * else PNG, halved until they are no larger. */
void viewer_write(const struct viewer_content *content, enum viewer_form form, struct text *out);

/*
 * The first form that is no larger than that; textures are halved before they are left out. NULL, or a literal that
 * says what was left out: "without textures". False with err set where none is, which says how small it can be;
 * nothing is appended then.
 */
bool viewer_fit(const struct viewer_content *content, size_t most_bytes, const char **left_out, struct text *out,
                struct error *err);

/* Appends what the report's page and the viewer share: elements, names, colours, the looks of buttons and dialogs. */
void page_script(struct text *out);
void page_style(struct text *out);

/* Script and style, appended. The script defines only `modelViewer`; rules begin with .model-viewer or .mv-. */
void viewer_script(struct text *out);
void viewer_style(struct text *out);
