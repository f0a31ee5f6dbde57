#include "viewer/viewer.h"

#include <string.h>

#include "base/embedded.h"
#include "viewer/packer.h"

EMBEDDED(page_file);
EMBEDDED(shared_file);
EMBEDDED(shader_file);

static void pack_sides(struct packer *packer, const struct viewer_content *content)
{
    struct json_writer *json = &packer->json;
    const bool is_one = content->side_count > 1 && content->sides[0].scene == content->sides[1].scene;
    json_open_array(json, "models", JSON_LINES);
    for (uint32_t s = 0; s < content->side_count && !(s > 0 && is_one); s++) {
        packer->first = s > 0 ? content->sides[0].scene : NULL;
        pack_scene(packer, content->sides[s].scene,
                   content->sides[s].has_clips || (is_one && content->sides[1].has_clips));
    }
    json_close(json);
    json_open_array(json, "sides", JSON_LINES);
    for (uint32_t s = 0; s < content->side_count; s++) {
        const struct viewer_side *side = &content->sides[s];
        json_open_object(json, NULL, JSON_LINES);
        json_add_string(json, "label", side->label);
        json_add_int(json, "model", is_one ? 0 : s);
        if (side->place)
            pack_matrices(packer, "place", side->place, sizeof(mat4), 1);
        json_open_array(json, "poses", JSON_LINES);
        for (uint32_t p = 0; p < side->pose_count; p++) {
            const struct viewer_pose *pose = &side->poses[p];
            json_open_object(json, NULL, JSON_INLINE);
            json_add_double(json, "time", pose->time);
            pack_matrices(packer, "node_to_scene", pose->pose->node_to_scene, sizeof(mat4), pose->pose->node_count);
            pack_matrices(packer, "mesh_to_scene", pose->palette->mesh_to_scene, sizeof(mat4), pose->palette->count);
            pack_floats(packer, "weights", pose->palette->morph_weights, pose->palette->weight_count, 1, EXACT);
            json_close(json);
        }
        json_close(json);
        json_close(json);
    }
    json_close(json);
}

static void add_camera(struct json_writer *json, const char *key, const struct camera *camera)
{
    json_open_object(json, key, JSON_INLINE);
    json_add_floats(json, "eye", camera->eye, 3);
    json_add_floats(json, "target", camera->target, 3);
    json_add_floats(json, "up", camera->up, 3);
    json_add_float(json, "fov", camera->fov_y);
    json_add_float(json, "height", camera->ortho_height);
    json_close(json);
}

static void pack_start(struct packer *packer, const struct viewer_content *content)
{
    struct json_writer *json = &packer->json;
    json_open_object(json, "start", JSON_LINES);
    json_add_string(json, "clip", content->clip);
    json_add_double(json, "time", content->time);
    json_add_double(json, "fps", content->fps);
    json_add_bool(json, "loops", content->loops);
    json_add_int(json, "up_axis", content->up_axis);
    json_add_int(json, "up_sign", content->up_sign);
    json_add_string(json, "view", content->view == VIEW_BONE_WEIGHT ? "weight" : view_names[content->view]);
    json_open_array(json, "overlays", JSON_INLINE);
    for (int i = 0; i < OVERLAY_COUNT; i++)
        if (content->overlays >> i & 1)
            json_add_string(json, NULL, overlay_names[i]);
    json_close(json);
    json_add_string(json, "select", content->select);
    json_add_bool(json, "follows", content->follows);
    if (!bounds_is_empty(&content->framed)) {
        json_add_floats(json, "min", content->framed.min, 3);
        json_add_floats(json, "max", content->framed.max, 3);
    }
    const struct orbit *orbit = &content->orbit;
    json_add_floats(json, "orbit", (float[]){orbit->yaw, orbit->pitch, orbit->zoom, orbit->fov, orbit->ortho_height},
                    5);
    if (content->camera)
        add_camera(json, "camera", content->camera);
    json_open_array(json, "background", JSON_INLINE);
    for (int i = 0; i < 4; i++)
        json_add_int(json, NULL, content->background[i]);
    json_close(json);
    json_close(json);
}

static void pack_film(struct packer *packer, const struct viewer_film *film)
{
    struct json_writer *json = &packer->json;
    if (film->frame_count == 0)
        return;
    json_open_object(json, "film", JSON_LINES);
    json_add_double(json, "fps", film->fps);
    json_add_float(json, "aspect", film->aspect);
    json_open_array(json, "times", JSON_INLINE);
    for (uint32_t i = 0; i < film->frame_count; i++)
        json_add_double(json, NULL, film->times[i]);
    json_close(json);
    json_open_array(json, "cameras", JSON_LINES);
    for (uint32_t i = 0; i < film->frame_count; i++)
        add_camera(json, NULL, &film->cameras[i]);
    json_close(json);
    json_close(json);
}

enum { MOST_TEXELS = 2048, LEAST_TEXELS = 64 };

static void write_content(const struct viewer_content *content, enum viewer_form form, uint32_t most_texels,
                          struct text *out)
{
    static const char *const forms[] = {"whole", "untextured", "quantised"};
    struct packer packer = {.json = {.text = out}, .form = form, .most_texels = most_texels};
    SCOPED(text) base64 = {0};
    json_open_object(&packer.json, NULL, JSON_LINES);
    json_add_string(&packer.json, "format", "rigproof.viewer/1");
    json_add_string(&packer.json, "title", content->title);
    json_add_string(&packer.json, "form", forms[form]);
    pack_start(&packer, content);
    pack_film(&packer, &content->film);
    pack_sides(&packer, content);
    text_add_base64(&base64, packer.bytes.data, packer.bytes.size);
    json_add_string(&packer.json, "data", text_string(&base64));
    json_close(&packer.json);
    text_release(&packer.bytes);
}

void viewer_write(const struct viewer_content *content, enum viewer_form form, struct text *out)
{
    write_content(content, form, MOST_TEXELS, out);
}

/* Returns the larger of width and height of the largest texture. */
static uint32_t largest_texture(const struct viewer_content *content)
{
    uint32_t most = 0;
    for (uint32_t s = 0; s < content->side_count; s++)
        for (uint32_t t = 0; t < content->sides[s].scene->texture_count; t++) {
            const struct texture *texture = &content->sides[s].scene->textures[t];
            const uint32_t size = texture->width > texture->height ? texture->width : texture->height;
            most = texture->rgba && size > most ? size : most;
        }
    return most;
}

bool viewer_fit(const struct viewer_content *content, size_t most_bytes, const char **left_out, struct text *out,
                struct error *err)
{
    static const char *const without[] = {NULL, "without textures", "without textures, its numbers in 8 and 16 bits"};
    const uint32_t largest = largest_texture(content);
    SCOPED(text) text = {0};
    viewer_write(content, VIEWER_WHOLE, &text);
    *left_out = NULL;
    for (uint32_t texels = MOST_TEXELS / 2; text.size > most_bytes && texels >= LEAST_TEXELS; texels /= 2)
        if (texels < largest) {
            text_release(&text);
            write_content(content, VIEWER_WHOLE, texels, &text);
            *left_out = "with smaller textures";
        }
    for (int form = VIEWER_UNTEXTURED; text.size > most_bytes && form <= VIEWER_QUANTISED; form++) {
        text_release(&text);
        viewer_write(content, (enum viewer_form)form, &text);
        *left_out = without[form];
    }
    const size_t size = text.size;
    if (size <= most_bytes)
        text_add_bytes(out, text.data, size);
    return size <= most_bytes || error_set(err, "the model takes %.3g MiB at least, and there is room for %.3g",
                                           (double)size / 1048576, (double)most_bytes / 1048576);
}

static void add_files(const struct embedded_file *files, unsigned count, const char *ending, struct text *out)
{
    for (unsigned i = 0; i < count; i++)
        if (strcmp(strrchr(files[i].name, '.'), ending) == 0)
            text_add(out, files[i].text);
}

void page_script(struct text *out)
{
    add_files(shared_files, shared_file_count, ".js", out);
}

void page_style(struct text *out)
{
    add_files(shared_files, shared_file_count, ".css", out);
}

void viewer_script(struct text *out)
{
    text_add(out, "const modelViewer = (() => {\n'use strict';\nconst SHADERS = {");
    for (unsigned i = 0; i < shader_file_count; i++) {
        text_addf(out, "'%s': ", shader_files[i].name);
        text_add_quoted(out, shader_files[i].text);
        text_add(out, ",\n");
    }
    text_add(out, "};\n");
    add_files(page_files, page_file_count, ".js", out);
    text_add(out, "return {open: openViewer};\n})();\n");
}

void viewer_style(struct text *out)
{
    add_files(page_files, page_file_count, ".css", out);
}
