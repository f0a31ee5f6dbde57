#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/file/file.h"
#include "base/names.h"
#include "data/record/snapshot.h"

/* In (-180, 180], also after rounding to float and where a -0 made it -180. */
static float wrapped(double radians)
{
    float degrees = (float)(radians * (180.0 / acos(-1.0)));
    return degrees > 180.0f ? degrees - 360.0f : degrees <= -180.0f ? degrees + 360.0f : degrees;
}

void euler_degrees(const vec4 rotation, vec3 out)
{
    double x = rotation[0], y = rotation[1], z = rotation[2], w = rotation[3];
    double sine = 2.0 * (w * y - z * x);
    if (sine > 0.9999999 || sine < -0.9999999) { /* gimbal lock: only x and z together are known, z is set to 0 */
        out[0] = wrapped(2.0 * atan2(x, w));
        out[1] = sine > 0 ? 90.0f : -90.0f;
        out[2] = 0.0f;
        return;
    }
    out[0] = wrapped(atan2(2.0 * (w * x + y * z), 1.0 - 2.0 * (x * x + y * y)));
    out[1] = wrapped(asin(sine));
    out[2] = wrapped(atan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z)));
}

const char *pose_find_not_finite(const struct pose_record *record, char buffer[static 256])
{
    const struct scene *scene = record->scene;
    for (uint32_t i = 0; i < record->pose->node_count; i++)
        if (!affine_is_finite(record->pose->local_to_parent[i]) || !affine_is_finite(record->pose->node_to_scene[i])) {
            snprintf(buffer, 256, "transform of node `%s`", scene->nodes[i].name);
            return buffer;
        }
    for (uint32_t i = 0; i < record->pose->weight_count; i++)
        if (!isfinite(record->pose->morph_weights[i])) {
            snprintf(buffer, 256, "morph weight %u", i);
            return buffer;
        }
    for (uint32_t i = 0; i < record->palette->count; i++)
        if (!affine_is_finite(record->palette->mesh_to_scene[i])) {
            const struct binding *binding = &scene->bindings[i];
            snprintf(buffer, 256, "palette entry of bone `%s`, mesh %s", scene->nodes[binding->node].name,
                     name_quoted(scene->meshes[scene->instances[binding->instance].mesh].label, '`', scene->arena));
            return buffer;
        }
    return NULL;
}

/* Numbers in columns. Tables align on what people see, so a value of -0.0000 is written without its sign. */
static void write_numbers(struct text *out, const float *values, int count, int width, int decimals)
{
    for (int k = 0; k < count; k++)
        text_addf(out, " %*.*f", width, decimals,
                  fabs((double)values[k]) < 0.5 * pow(10, -decimals) ? 0.0 : (double)values[k]);
}

static void write_transform(struct text *out, const struct transform *t)
{
    vec3 euler;
    euler_degrees(t->rotation, euler);
    write_numbers(out, t->translation, 3, 11, 5);
    text_add(out, "  ");
    write_numbers(out, euler, 3, 8, 3);
    text_add(out, "  ");
    write_numbers(out, t->scale, 3, 8, 4);
}

/* The stage local or global of the wanted nodes. */
static void write_nodes(const struct pose_record *record, const struct pose_part *part, enum pose_stage stage,
                        struct text *out)
{
    const struct scene *scene = record->scene;
    const struct motion *motions = stage == POSE_LOCAL ? part->local : part->global;
    size_t width = 4;
    for (uint32_t i = 0; i < scene->node_count; i++)
        width = strlen(scene->nodes[i].name) > width ? strlen(scene->nodes[i].name) : width;
    width = width < 40 ? width : 40;
    text_addf(out, "\n%s (translation; Euler degrees, R = Rz Ry Rx; scale%s)\n",
              stage == POSE_LOCAL ? "local pose, to the parent" : "global pose, to the scene",
              motions ? "; units a second; degrees a second" : "");
    for (uint32_t i = 0; i < record->pose->node_count; i++) {
        struct transform transform = record->pose->local[i];
        if (!pose_part_has(part, i))
            continue;
        if (stage == POSE_GLOBAL)
            affine_to_transform(record->pose->node_to_scene[i], &transform);
        text_add(out, "  ");
        size_t begin = out->size;
        text_add_name(out, scene->nodes[i].name);
        while (out->size < begin + width)
            text_add(out, " ");
        write_transform(out, &transform);
        if (motions) {
            text_add(out, "  ");
            write_numbers(out, motions[i].linear, 3, 11, 5);
            text_add(out, "  ");
            write_numbers(out, motions[i].angular, 3, 9, 3);
        }
        text_add(out, "\n");
    }
}

static void write_morphs(const struct pose_record *record, struct text *out)
{
    const struct scene *scene = record->scene;
    if (record->pose->weight_count == 0)
        return;
    text_add(out, "\nmorph weights (mesh / node: weight of each target)\n");
    for (uint32_t i = 0; i < scene->instance_count; i++) {
        const struct instance *instance = &scene->instances[i];
        const struct mesh *mesh = &scene->meshes[instance->mesh];
        if (mesh->target_count > 0)
            text_add_named(out, "  %s / %s\n", mesh->label, scene->nodes[instance->node].name);
        for (uint32_t t = 0; t < mesh->target_count; t++) {
            text_add(out, "   ");
            write_numbers(out, &record->pose->morph_weights[instance->first_weight + t], 1, 9, 5);
            text_add_named(out, "  %s\n", mesh->targets[t].name);
        }
    }
}

static void write_palette(const struct pose_record *record, struct text *out)
{
    const struct scene *scene = record->scene;
    text_addf(out, "\npalette, mesh space to %s space (translation; Euler degrees; scale; then the 3x4, p' = M p)\n",
              space_words[record->space]);
    for (uint32_t i = 0; i < record->palette->count; i++) {
        const struct binding *binding = &scene->bindings[i];
        struct transform taken_apart;
        float rows[12];
        if (!pose_part_has(record->part, binding->node))
            continue;
        bool exact = affine_to_transform(record->palette->mesh_to_scene[i], &taken_apart);
        text_add_named(out, "  %s / %s\n   ", scene->meshes[scene->instances[binding->instance].mesh].label,
                       scene->nodes[binding->node].name);
        write_transform(out, &taken_apart);
        text_add(out, exact ? "\n" : "   (sheared: the matrix below is the whole truth)\n");
        affine_rows(record->palette->mesh_to_scene[i], rows);
        for (int row = 0; row < 3; row++) {
            text_add(out, "    [");
            write_numbers(out, rows + 4 * row, 4, 12, 6);
            text_add(out, " ]\n");
        }
    }
}

void pose_write_text(const struct pose_record *record, struct text *out)
{
    const struct pose_part part =
        record->part ? *record->part : (struct pose_part){.stages = POSE_LOCAL | POSE_PALETTE};
    const struct scene *scene = record->scene;
    text_add_named(out, "%s  clip %s  time ", path_base(scene->path), record->clip ? record->clip : "rest");
    text_add_double(out, record->time);
    text_add(out, " s\n");
    if (part.stages & POSE_LOCAL)
        write_nodes(record, &part, POSE_LOCAL, out);
    if (part.stages & POSE_LOCAL && !part.nodes)
        write_morphs(record, out);
    if (part.stages & POSE_GLOBAL)
        write_nodes(record, &part, POSE_GLOBAL, out);
    if (part.stages & POSE_PALETTE)
        write_palette(record, out);
    if (part.stages & POSE_SKIN)
        text_addf(out, "\nskin, in %s space (vertices; smallest, largest and mean position)\n",
                  space_words[record->space]);
    for (uint32_t i = 0; part.stages & POSE_SKIN && i < scene->instance_count; i++) {
        struct skin_snapshot summary = skin_summarise(&record->skinned[i]);
        const float *points[] = {summary.min, summary.max, summary.centroid};
        text_add_named(out, "  %s  %u", scene->meshes[scene->instances[i].mesh].name, record->skinned[i].vertex_count);
        for (int p = 0; p < 3; p++) {
            text_add(out, "  ");
            write_numbers(out, points[p], 3, 11, 5);
        }
        text_add(out, "\n");
    }
}
