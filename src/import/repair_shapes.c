#define _GNU_SOURCE /* memmem */

#include "import/convert.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "import/file_reader.h"

/*
 * FBX blend shapes at rest. Assimp gives a shape that is alone in its channel the weight 1, whatever the file says, so
 * a face at rest would smile, frown and blink at once. The file's DeformPercent is searched for by the channel's name,
 * which exporters give the shape too; a shape whose channel is not found rests at 0.
 */

enum { NAME_MAX_BYTES = 256 };

struct shape_channel {
    char name[NAME_MAX_BYTES];
    double percent;
    bool is_uneven; /* full weights other than 100 */
};

/* Moves behind the next channel's name, before its properties. */
static bool next_text(struct reader *r, struct shape_channel *out)
{
    while (reader_seek(r, "\"SubDeformer::", 14)) {
        const char *name = (const char *)r->data + r->at; /* a NUL stands behind the file */
        size_t length = strcspn(name, "\"\n");
        r->at += length;
        if (length >= sizeof out->name || strncmp(name + length, "\", \"BlendShapeChannel\"", 22) != 0)
            continue;
        memcpy(out->name, name, length);
        out->name[length] = '\0';
        return true;
    }
    return false;
}

/* The string that ends before `end`: behind the letter S and its length. */
static bool read_name_before(const struct reader *r, size_t end, struct shape_channel *out)
{
    static const size_t tail = 13; /* NUL, 1, SubDeformer */
    for (size_t length = 0; length < sizeof out->name && length + 5 <= end; length++) {
        struct reader head = {r->data, r->size, end - length - 5};
        uint32_t said;
        if (!reader_byte(&head, 'S') || !reader_u32(&head, &said) || said != length + tail)
            continue;
        memcpy(out->name, r->data + head.at, length);
        out->name[length] = '\0';
        return true;
    }
    return false;
}

static bool next_binary(struct reader *r, struct shape_channel *out)
{
    static const char mark[] = "\0\1SubDeformerS\x11\0\0\0" "BlendShapeChannel";
    while (reader_seek(r, mark, sizeof mark - 1))
        if (read_name_before(r, r->at - (sizeof mark - 1), out))
            return true;
    return false;
}

static bool is_full(double weight)
{
    return fabs(weight - 100.0) < 1e-3;
}

static void read_text(struct reader r, struct shape_channel *out)
{
    struct reader full = r;
    if (reader_seek(&r, "DeformPercent:", 14))
        out->percent = strtod((const char *)r.data + r.at, NULL);
    if (!reader_seek(&full, "FullWeights:", 12) || !reader_seek(&full, "a:", 2))
        return;
    const char *at = (const char *)full.data + full.at;
    for (char *end;; at = end + 1) {
        double weight = strtod(at, &end);
        if (end == at)
            return;
        out->is_uneven = out->is_uneven || !is_full(weight);
        if (*end != ',')
            return;
    }
}

/* Long lists are compressed: those are left alone. */
static void read_binary(struct reader r, struct shape_channel *out)
{
    struct reader full = r;
    uint32_t count, encoding, size;
    double weight;
    if (reader_seek(&r, "\rDeformPercentD", 15) && !reader_double(&r, &out->percent))
        out->percent = 0;
    if (!reader_seek(&full, "\vFullWeightsd", 13) || !reader_u32(&full, &count) || !reader_u32(&full, &encoding) ||
        !reader_u32(&full, &size) || encoding != 0)
        return;
    while (count-- > 0 && reader_double(&full, &weight))
        out->is_uneven = out->is_uneven || !is_full(weight);
}

/* The next channel of the file; its properties are looked for before the one after it. */
static bool next_channel(struct reader *r, bool is_binary, struct shape_channel *out)
{
    *out = (struct shape_channel){.percent = 0};
    if (!(is_binary ? next_binary(r, out) : next_text(r, out)))
        return false;
    struct shape_channel unused = {.percent = 0};
    struct reader ahead = *r;
    if (!(is_binary ? next_binary(&ahead, &unused) : next_text(&ahead, &unused)))
        ahead.at = ahead.size;
    struct reader own = {r->data, ahead.at, r->at};
    if (is_binary)
        read_binary(own, out);
    else
        read_text(own, out);
    if (!isfinite(out->percent) || fabs(out->percent) > 1e6)
        out->percent = 0;
    return true;
}

/* Assimp 5.3 and later put the channel's name and a dot before the shape's. */
static bool is_of(const struct morph_target *target, const struct shape_channel *channel)
{
    size_t length = strlen(channel->name);
    return strncmp(target->name, channel->name, length) == 0 &&
           (target->name[length] == '\0' || target->name[length] == '.');
}

static void set_weights(struct conversion *c, const struct shape_channel *channel)
{
    for (uint32_t m = 0; m < c->scene->mesh_count; m++)
        for (uint32_t t = 0; t < c->scene->meshes[m].target_count; t++)
            if (is_of(&c->scene->meshes[m].targets[t], channel))
                c->scene->meshes[m].targets[t].default_weight = (float)(channel->percent / 100.0);
}

static void read_channels(struct conversion *c, const struct blob *file)
{
    static const char magic[] = "Kaydara FBX Binary";
    bool is_binary = file->size > sizeof magic && memcmp(file->data, magic, sizeof magic - 1) == 0;
    struct reader reader = {file->data, file->size, 0};
    struct shape_channel channel;
    while (next_channel(&reader, is_binary, &channel)) {
        if (c->repairs & REPAIR_FBX_SHAPES)
            set_weights(c, &channel);
        if (channel.is_uneven)
            scene_note(c->scene, NOTE_WARNING, "fbx-full-weights",
                       "blend shape \"%s\" has a weight of its own for each vertex, or shapes on the way "
                       "(FullWeights): Assimp ignores that",
                       channel.name);
    }
}

/* All to 0 first: what the file says comes after. Returns how many there are. */
static uint32_t reset_weights(struct conversion *c)
{
    uint32_t count = 0;
    for (uint32_t m = 0; m < c->scene->mesh_count; m++) {
        struct mesh *mesh = &c->scene->meshes[m];
        for (uint32_t t = 0; t < mesh->target_count && (c->repairs & REPAIR_FBX_SHAPES); t++)
            mesh->targets[t].default_weight = 0;
        count += mesh->target_count;
    }
    return count;
}

void repair_fbx_shapes(struct conversion *c)
{
    enum { LARGEST = 1 << 28 };
    struct blob file;
    struct error ignored = {0};
    uint32_t count = is_format(c, "fbx") ? reset_weights(c) : 0;
    if (count == 0)
        return;
    if (c->repairs & REPAIR_FBX_SHAPES)
        scene_note(c->scene, NOTE_REPAIR, "fbx-shapes", "%u blend shape%s at rest as the file says, not at full weight",
                   count, count > 1 ? "s" : "");
    if (!file_read(c->scene->path, LARGEST, &file, &ignored))
        return;
    read_channels(c, &file);
    blob_release(&file);
}
