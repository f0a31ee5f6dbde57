#define _GNU_SOURCE /* memmem */

#include "import/convert.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file/file.h"
#include "import/repair/file_reader.h"

/*
 * Some of what Assimp ignores leaves no trace in what it hands over. The file's bytes are searched for signs
 * of it: not parsed, and a sign alone is not enough where the scene shows that it cannot matter.
 */

static bool contains(const struct blob *file, const char *pattern)
{
    return memmem(file->data, file->size, pattern, strlen(pattern)) != NULL;
}

/* ---- FBX --------------------------------------------------------------------------------------------------------- */

struct fbx_probe {
    bool is_binary;
    bool componentwise_scale; /* InheritType RrSs */
    bool no_parent_scale;     /* InheritType Rrs */
};

/* P: "InheritType", "enum", "", "", 1 -- three strings behind the name, then the number. */
static bool read_enum(const struct fbx_probe *probe, struct reader *r, uint32_t *value)
{
    if (probe->is_binary) {
        for (int i = 0; i < 3; i++) {
            uint32_t length;
            if (!reader_byte(r, 'S') || !reader_u32(r, &length) || length > r->size - r->at)
                return false;
            r->at += length;
        }
        return reader_byte(r, 'I') && reader_u32(r, value);
    }
    for (int commas = 0; r->at < r->size && r->data[r->at] != '\n'; r->at++) {
        commas += r->data[r->at] == ',';
        if (commas == 4) {
            *value = (uint32_t)strtoul((const char *)r->data + r->at + 1, NULL, 10);
            return true;
        }
    }
    return false;
}

/* The values from `r` on; returns how many there were, the last one in `last`. */
static uint32_t find_inherit_types(struct fbx_probe *probe, struct reader r, uint32_t *last)
{
    static const char name[] = "InheritType";
    uint32_t count = 0;
    while (reader_seek(&r, name, sizeof name - 1)) {
        if (!probe->is_binary)
            r.at += r.at < r.size; /* the closing quote */
        if (!read_enum(probe, &r, last))
            continue;
        count++;
        probe->componentwise_scale = probe->componentwise_scale || *last == 0;
        probe->no_parent_scale = probe->no_parent_scale || *last == 2;
    }
    return count;
}

static uint32_t count_all(struct reader r, const char *pattern, size_t length)
{
    uint32_t count = 0;
    while (reader_seek(&r, pattern, length))
        count++;
    return count;
}

static uint32_t count_models(const struct fbx_probe *probe, struct reader r)
{
    return probe->is_binary ? count_all(r, "\0\1Model", 7) : count_all(r, "\"Model::", 8);
}

/* Pre-Extrapolation: { Type: R ... }: a letter, C for a curve that holds its first or last value. */
static bool goes_on_outside_keys(const struct fbx_probe *probe, struct reader r)
{
    static const char name[] = "-Extrapolation";
    static const char type[] = "Type";
    while (reader_seek(&r, name, sizeof name - 1)) {
        struct reader inside = r;
        if (!reader_seek(&inside, type, sizeof type - 1) || inside.at - r.at > 64)
            continue;
        if (probe->is_binary && !reader_byte(&inside, 'C')) /* the kind of the property */
            continue;
        while (!probe->is_binary && inside.at < inside.size && strchr(": \t", inside.data[inside.at]))
            inside.at++;
        if (inside.at < inside.size && inside.data[inside.at] != 'C')
            return true;
    }
    return false;
}

/* A node that does not say has the value of the template in front of the objects, which is RrSs unless that
 * says otherwise. */
static void find_scale_rules(struct fbx_probe *probe, const struct reader *objects)
{
    struct fbx_probe ignored = {.is_binary = probe->is_binary};
    uint32_t value = 0;
    find_inherit_types(&ignored, (struct reader){objects->data, objects->at, 0}, &value);
    uint32_t unused = 0;
    if (find_inherit_types(probe, *objects, &unused) >= count_models(probe, *objects))
        return;
    probe->componentwise_scale = probe->componentwise_scale || value == 0;
    probe->no_parent_scale = probe->no_parent_scale || value == 2;
}

static bool is_scaled(const float scale[3], bool only_unequal)
{
    const float tolerance = 1e-3f;
    for (int i = 0; i < 3; i++)
        if (fabsf(scale[i] - (only_unequal ? scale[0] : 1.0f)) > tolerance * fabsf(scale[0]))
            return true;
    return false;
}

static bool keys_are_scaled(const struct keys *keys, bool only_unequal)
{
    for (uint32_t k = 0; k < keys->count; k++)
        if (is_scaled(keys->values + (size_t)3 * k, only_unequal))
            return true;
    return false;
}

/* Whether any node above others is scaled, at rest or by a clip; with `only_unequal`, differently along its
 * axes. */
static bool has_scale(const struct scene *scene, bool only_unequal)
{
    bool *is_parent = scratch_alloc(scene->node_count, sizeof *is_parent);
    bool found = false;
    for (uint32_t n = 1; n < scene->node_count; n++)
        is_parent[scene->nodes[n].parent] = true;
    for (uint32_t n = 0; n < scene->node_count && !found; n++)
        found = is_parent[n] && is_scaled(scene->nodes[n].rest.scale, only_unequal);
    for (uint32_t i = 0; i < scene->clip_count; i++)
        for (uint32_t k = 0; k < scene->clips[i].channel_count && !found; k++) {
            const struct channel *channel = &scene->clips[i].channels[k];
            found = channel->node != NO_INDEX && is_parent[channel->node] &&
                    keys_are_scaled(&channel->keys[COMPONENT_SCALE], only_unequal);
        }
    free(is_parent);
    return found;
}

static void warn_fbx(struct conversion *c, const struct blob *file)
{
    static const char magic[] = "Kaydara FBX Binary";
    struct fbx_probe probe = {.is_binary = file->size > sizeof magic &&
                                           memcmp(file->data, magic, sizeof magic - 1) == 0};
    struct reader objects = {file->data, file->size, 0};
    if (!reader_seek(&objects,
              probe.is_binary ? "\x07Objects" : "Objects:", 8)) /* the templates before it are defaults */
        objects.at = 0;
    find_scale_rules(&probe, &objects);
    if ((probe.no_parent_scale && has_scale(c->scene, false)) ||
        (probe.componentwise_scale && has_scale(c->scene, true)))
        scene_note(
            c->scene, NOTE_WARNING, "fbx-inherit-type",
            "nodes that do not take over their parent's scale as usual (InheritType %s): Assimp ignores that",
            probe.no_parent_scale ? "Rrs" : "RrSs");
    if (c->scene->clip_count > 0 && goes_on_outside_keys(&probe, objects))
        scene_note(c->scene, NOTE_WARNING, "fbx-extrapolation",
                   "curves that go on before their first or after their last key (repeated, mirrored, "
                   "sloped): Assimp "
                   "holds the key's value there");
    if (contains(file, "DualQuaternion") || contains(file, "BlendWeights"))
        scene_note(c->scene, NOTE_WARNING, "fbx-dual-quaternion",
                   "a skin of the file means dual-quaternion skinning: Assimp hands it over as linear");
    if (reader_seek(&objects, "VertexCacheDeformer", 19))
        scene_note(c->scene, NOTE_WARNING, "fbx-vertex-cache",
                   "meshes of the file are animated by a geometry cache, which Assimp leaves out: they stay as they rest");
}

/* ---- other formats ----------------------------------------------------------------------------------------------- */

static void warn_dae(struct conversion *c, const struct blob *file)
{
    bool bezier = contains(file, "BEZIER");
    bool hermite = contains(file, "HERMITE");
    if (c->scene->clip_count > 0 && (bezier || hermite))
        scene_note(c->scene, NOTE_WARNING, "dae-curves", "%s curves: Assimp plays them as straight lines",
                   bezier && hermite ? "BEZIER and HERMITE"
                   : bezier          ? "BEZIER"
                                     : "HERMITE");
}

/* The header: 16 bytes of magic, then numbers, among them those of joints (13), poses (15) and clips (17). */
static void warn_iqm(struct conversion *c, const struct blob *file)
{
    struct reader r = {file->data, file->size, 16};
    uint32_t numbers[18] = {0};
    for (int i = 0; i < 18; i++)
        if (r.at > r.size || !reader_u32(&r, &numbers[i]))
            return;
    if (numbers[13] > 0 || numbers[17] > 0)
        scene_note(c->scene, NOTE_WARNING, "iqm-skeleton",
                   "the file has %u joints and %u clips: Assimp reads the mesh of an IQM file only",
                   numbers[13], numbers[17]);
}

/* Frames are vertices; where a header of 32-bit numbers says how many there are. */
static void warn_frames(struct conversion *c, const struct blob *file)
{
    static const struct {
        char magic[5];
        size_t at;
    } formats[] = {{"IDP2", 40}, {"IDP3", 76}, {"IDPC", 76}, {"IDPO", 68},
                   {"MDL2", 68}, {"MDL3", 68}, {"MDL4", 68}, {"MDL5", 68}};
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        struct reader r = {file->data, file->size, formats[i].at};
        uint32_t frames;
        if (file->size > formats[i].at && memcmp(file->data, formats[i].magic, 4) == 0 && reader_u32(&r, &frames) &&
            frames > 1)
            scene_note(c->scene, NOTE_WARNING, "frame-animation",
                       "%u frames of vertex animation are not imported; only frame 0", frames);
    }
}

void add_file_warnings(struct conversion *c)
{
    static const struct {
        const char *format;
        void (*warn)(struct conversion *c, const struct blob *file);
    } formats[] = {{"fbx", warn_fbx},    {"dae", warn_dae},    {"iqm", warn_iqm},   {"md2", warn_frames},
                   {"md3", warn_frames}, {"mdc", warn_frames}, {"mdl", warn_frames}};
    enum { LARGEST = 1 << 28 };
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        struct blob file;
        struct error ignored = {0};
        if (!is_format(c, formats[i].format) || !file_read(c->scene->path, LARGEST, &file, &ignored))
            continue;
        formats[i].warn(c, &file);
        blob_release(&file);
    }
}
