/* The account of a model that `inspect` prints. */
#include <string.h>

#include "base/file/file.h"
#include "base/format_number.h"
#include "base/memory.h"
#include "data/scene/bind_pose.h"
#include "data/record/bones.h"

static void write_tree(const struct scene *scene, struct text *out)
{
    enum { DEEPEST_SHOWN = 40 }; /* long chains would run off any screen: deeper than this the depth is a number */
    FREED uint32_t *depth = memory_new(scene->node_count, sizeof *depth);
    uint32_t bones = 0;
    for (uint32_t i = 0; i < scene->node_count; i++)
        bones += scene->nodes[i].is_bone;
    text_addf(out, "\nnodes: %u, of which %u bone%s (*)\n", scene->node_count, bones, format_plural(bones));
    for (uint32_t i = 0; i < scene->node_count; i++) {
        const struct node *node = &scene->nodes[i];
        const char *mesh = NULL;
        for (uint32_t k = scene->instance_count; k-- > 0;)
            if (scene->instances[k].node == i)
                mesh = scene->meshes[scene->instances[k].mesh].label;
        depth[i] = node->parent == NO_INDEX ? 0 : depth[node->parent] + 1;
        for (uint32_t d = 0; d < depth[i] && d < DEEPEST_SHOWN; d++)
            text_add(out, "  ");
        if (depth[i] > DEEPEST_SHOWN)
            text_addf(out, "(depth %u) ", depth[i]);
        text_add_named(out, node->is_bone ? "  %s *" : "  %s", node->name);
        text_add_named(out, mesh ? "  [mesh %s]\n" : "\n", mesh);
    }
}

void influences_write_text(uint32_t bones, const uint32_t *counts, uint32_t slots, struct text *out)
{
    text_addf(out, "%u bone%s\n      influences per vertex:", bones, format_plural(bones));
    for (uint32_t i = 0; i < slots; i++)
        if (counts[i] > 0)
            text_addf(out, "  %u%s: %u", i, i == INFLUENCE_SLOTS - 1 ? "+" : "", counts[i]);
}

static void write_meshes(const struct scene *scene, struct text *out)
{
    enum { MOST_TARGETS = 16 };
    text_addf(out, "\nmeshes: %u\n", scene->mesh_count);
    for (uint32_t i = 0; i < scene->mesh_count; i++) {
        const struct mesh *mesh = &scene->meshes[i];
        text_add_named(out, "  %s: %u vertices, %u triangles, material %s", mesh->label, mesh->vertex_count,
                       mesh->triangle_count, scene->materials[mesh->material].name);
        if (mesh->target_count)
            text_addf(out, ", %u morph target%s", mesh->target_count, format_plural(mesh->target_count));
        uint32_t counts[INFLUENCE_SLOTS] = {0};
        text_add(out, mesh->bone_count > 0 ? ", " : ", rigid");
        if (mesh->bone_count > 0)
            influences_write_text(mesh->bone_count, counts, count_influences(mesh, counts), out);
        text_add(out, "\n");
        if (mesh->target_count == 0)
            continue;
        text_add(out, "      morph targets, weights at rest:");
        for (uint32_t t = 0; t < mesh->target_count && t < MOST_TARGETS; t++) {
            text_add_named(out, "  %s", mesh->targets[t].name);
            text_addf(out, ": %.4g", (double)mesh->targets[t].default_weight);
        }
        text_addf(out, "%s\n", mesh->target_count > MOST_TARGETS ? "  ..." : "");
    }
}

static void write_component(char name, const struct keys *keys, struct text *out)
{
    if (keys->count == 0)
        return;
    text_addf(out, "  %c: %u %s [%.4g..%.4g s]", name, keys->count, interpolation_words[keys->interpolation],
              keys->times[0], keys->times[keys->count - 1]);
}

static bool same_keys(const struct channel *a, const struct channel *b)
{
    bool same = a->is_repair == b->is_repair && (a->node == NO_INDEX) == (b->node == NO_INDEX);
    for (int c = 0; c < COMPONENT_COUNT && same; c++) {
        const struct keys *x = &a->keys[c], *y = &b->keys[c];
        same = x->count == y->count &&
               (x->count == 0 || (x->interpolation == y->interpolation && x->times[0] == y->times[0] &&
                                  x->times[x->count - 1] == y->times[y->count - 1]));
    }
    return same;
}

/* Channels whose keys are as many, of the same kinds and over the same time are one line. */
static void write_channels(const struct clip *clip, struct text *out)
{
    enum { NAMED = 3 };
    for (uint32_t i = 0, count; i < clip->channel_count; i += count) {
        const struct channel *channel = &clip->channels[i];
        for (count = 1; i + count < clip->channel_count && same_keys(channel, &clip->channels[i + count]);)
            count++;
        const uint32_t named = count <= NAMED + 1 ? count : NAMED;
        for (uint32_t k = 0; k < named; k++)
            text_add_named(out, k ? ", %s" : "      %s", channel[k].node_name);
        if (named < count)
            text_addf(out, " and %u more", count - named);
        text_addf(out, "%s%s:", channel->node == NO_INDEX ? " (no such node)" : "",
                  channel->is_repair ? " (held by a repair)" : "");
        for (int c = 0; c < COMPONENT_COUNT; c++)
            write_component("TRS"[c], &channel -> keys[c], out);
        text_add(out, "\n");
    }
}

static void write_clip(const struct scene *scene, uint32_t index, struct text *out)
{
    const struct clip *clip = &scene->clips[index];
    bool is_duplicate = false; /* of several with one name all but the first are found by their number only */
    for (uint32_t i = 0; i < index; i++)
        is_duplicate = is_duplicate || strcmp(scene->clips[i].name, clip->name) == 0;
    uint64_t keys = 0;
    for (uint32_t i = 0; i < clip->channel_count; i++)
        for (int c = 0; c < COMPONENT_COUNT; c++)
            keys += clip->channels[i].keys[c].count;
    text_add_named(out, is_duplicate ? "  %s (--clip %u)" : "  %s", clip->name, index);
    text_addf(out, ": %.7g s, %.6g ticks per second, %u channel%s, %llu keys", clip->duration, clip->ticks_per_second,
              clip->channel_count, format_plural(clip->channel_count), (unsigned long long)keys);
    if (clip->morph_count)
        text_addf(out, ", %u morph channel%s", clip->morph_count, format_plural(clip->morph_count));
    text_add(out, "\n");
    write_channels(clip, out);
    for (uint32_t i = 0; i < clip->morph_count; i++) {
        text_add_named(out, "      %s:  %u morph weight%s", clip->morphs[i].node_name, clip->morphs[i].target_count,
                       format_plural(clip->morphs[i].target_count));
        write_component('W', &clip->morphs[i].keys, out);
        text_add(out, "\n");
    }
}

/* Says whether the nodes' own transforms deform the meshes. */
static void write_poses(const struct scene *scene, struct text *out)
{
    struct bind_pose bind;
    struct error err = {0};
    bool has_bones = false;
    for (uint32_t i = 0; i < scene->mesh_count; i++)
        has_bones = has_bones || scene->meshes[i].bone_count > 0;
    if (!has_bones)
        return;
    SCOPED_ARENA arena =
        arena_require(((size_t)1 << 16) + (size_t)scene->node_count * 1024 + (size_t)scene->weight_count * 16);
    if (!bind_pose_solve(scene, arena, &bind, &err))
        text_addf(out, "\npose: %s\n", err.text);
    else if (bind.is_rest)
        text_add(out, "\npose: the rest pose is the bind pose\n");
    else
        text_addf(out,
                  "\npose: rest and bind pose differ, most by bone %s: a vertex by %.3g %% of the model's radius\n",
                  scene->nodes[bind.worst_node].name, 100 * bind.displacement);
}

static void add_texture(const char *before, const struct texture *t, struct text *out)
{
    if (t->name[0] == '*') /* the importer's number for one within the file */
        text_addf(out, "%s%s of the file", before, t->name + 1);
    else
        text_add_named(out, "%s%s", before, t->name);
    if (t->width > 0)
        text_addf(out, " (%s%ux%u)", t->missing ? "missing, checker " : "", t->width, t->height);
    else if (t->missing)
        text_add(out, " (missing)");
}

static void write_map(const struct scene *scene, const struct material_map *map, struct text *out)
{
    text_addf(out, "      %s map", map->name);
    if (map->texture != NO_INDEX)
        add_texture(" ", &scene->textures[map->texture], out);
    if (map->strength != 1)
        text_addf(out, ", strength %.4g", (double)map->strength);
    if (map->uv > 0)
        text_addf(out, ", UV set %u", map->uv);
    if (map->offset[0] != 0 || map->offset[1] != 0)
        text_addf(out, ", offset %.4g %.4g", (double)map->offset[0], (double)map->offset[1]);
    if (map->scale[0] != 1 || map->scale[1] != 1)
        text_addf(out, ", scale %.4g %.4g", (double)map->scale[0], (double)map->scale[1]);
    if (map->rotation != 0)
        text_addf(out, ", rotation %.4g rad", (double)map->rotation);
    if (map->wrap[0] != WRAP_REPEAT || map->wrap[1] != WRAP_REPEAT)
        text_addf(out, ", wrap %s %s", wrap_words[map->wrap[0]], wrap_words[map->wrap[1]]);
    if (map->filter[0] || map->filter[1])
        text_addf(out, ", filters %s %s", map->filter[0] ? map->filter[0] : "-", map->filter[1] ? map->filter[1] : "-");
    text_add(out, "\n");
}

static void write_materials(const struct scene *scene, struct text *out)
{
    static const char *const alpha_names[] = {"", ", alpha mask", ", alpha blend"};
    text_addf(out, "\nmaterials: %u\n", scene->material_count);
    for (uint32_t i = 0; i < scene->material_count; i++) {
        const struct material *m = &scene->materials[i];
        text_add_named(out, "  %s", m->name);
        text_addf(out, ": base colour %.3g %.3g %.3g %.3g", (double)m->base_color[0], (double)m->base_color[1],
                  (double)m->base_color[2], (double)m->base_color[3]);
        if (m->base_texture != NO_INDEX)
            add_texture(", texture ", &scene->textures[m->base_texture], out);
        text_addf(out, "%s%s%s\n", alpha_names[m->alpha_mode], m->two_sided ? ", two-sided" : "",
                  m->unlit ? ", unlit" : "");
        for (uint32_t k = 0; k < m->map_count; k++)
            write_map(scene, &m->maps[k], out);
        for (uint32_t k = 0; k < m->factor_count; k++) {
            const struct factor *factor = &m->factors[k];
            text_addf(out, "%s%s", k == 0 ? "      " : ", ", factor->name);
            for (uint32_t v = 0; v < factor->width; v++)
                text_addf(out, " %.4g", (double)factor->values[v]);
        }
        text_add(out, m->factor_count > 0 ? "\n" : "");
    }
}

void scene_write_text(const struct scene *scene, struct text *out)
{
    static const char *const axes[] = {"x", "y", "z"};
    static const enum note_kind kinds[] = {NOTE_REPAIR, NOTE_WARNING};
    text_add_named(out, "%s (Assimp %s)\n", path_base(scene->path), scene->assimp_version);
    text_addf(out, "up axis %s%s", scene->up_sign < 0 ? "-" : "", axes[scene->up_axis]);
    if (scene->unit_meters > 0)
        text_addf(out, ", one unit is %.6g m\n", scene->unit_meters);
    else
        text_add(out, ", unit not stated\n");
    write_tree(scene, out);
    write_meshes(scene, out);
    write_poses(scene, out);
    write_materials(scene, out);
    if (scene->camera_count) {
        text_addf(out, "\ncameras: %u\n", scene->camera_count);
        for (uint32_t i = 0; i < scene->camera_count; i++)
            text_add_named(out, "  %s\n", scene->cameras[i].name);
    }
    text_addf(out, "\nclips: %u\n", scene->clip_count);
    for (uint32_t i = 0; i < scene->clip_count; i++)
        write_clip(scene, i, out);
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        bool is_none = true;
        for (uint32_t i = 0; i < scene->note_count; i++)
            is_none = is_none && scene->notes[i].kind != kinds[k];
        text_addf(out, "\n%s: %s\n", kinds[k] == NOTE_REPAIR ? "repairs" : "warnings", is_none ? "none" : "");
        for (uint32_t i = 0; i < scene->note_count; i++)
            if (scene->notes[i].kind == kinds[k])
                text_addf(out, "  %s: %s\n", scene->notes[i].id, scene->notes[i].text);
    }
}
