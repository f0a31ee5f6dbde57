#include "import/scene/convert.h"

#include <stdlib.h>
#include <string.h>

/*
 * Blitz3D's B3D: chunks of a tag, the size of what follows, and that. BB3D holds TEXS, BRUS and the root NODE; a NODE
 * its name, ten numbers, then MESH (VRTS, TRIS) or BONE, KEYS, ANIM and NODE. The vertices that a BONE names are those
 * of the MESH before it. Assimp takes them for the file's, plays a clip only where there is one ANIM, finds nodes by
 * names that repeat where each mesh has bones of its own, forgets the brush of a MESH, and refuses a file whose brushes
 * name textures that TEXS does not have. So it is given the file written anew.
 */
struct b3d {
    const unsigned char *data;
    struct text *out;
    uint32_t nodes, roots, meshes, bones, anims, keys, layouts, colors;
    uint32_t vertices, first_vertex; /* of all meshes; those before the last mesh */
    uint32_t brush;                  /* of the last mesh */
    uint32_t layout[3];              /* of the last vertices */
    uint32_t moved;                  /* vertices of bones, and lists of triangles, that Assimp would take for others */
    uint32_t frames, last_key, rate; /* the most of an ANIM; the bits of the first rate above 0 */
    unsigned char *influences;       /* [vertices] */
    uint32_t lost;
    uint32_t textures, absent; /* of TEXS; those that brushes name beyond them */
};

enum { HEADER = 8, MOST_INFLUENCES = 4, NO_BRUSH = -1 };

/* Before a node's name, so that names do not repeat: its number. */
#define NUMBER_FORMAT "%08x:"
enum { NUMBER_LENGTH = 9 };

static uint32_t number_in(const struct b3d *b, size_t at)
{
    return (uint32_t)little_endian(b->data + at, 4);
}

static void count_vertices(struct b3d *b, size_t at, size_t end)
{
    const uint32_t layout[3] = {number_in(b, at), number_in(b, at + 4), number_in(b, at + 8)};
    const uint32_t size = 12 + (layout[0] & 1) * 12 + (layout[0] & 2) * 8 + (layout[1] & 15) * (layout[2] & 15) * 4;
    const uint32_t count = (uint32_t)((end - at - 12) / size);
    b->layouts += b->layouts == 0 || memcmp(layout, b->layout, sizeof layout) != 0;
    b->colors += layout[0] / 2 % 2;
    memcpy(b->layout, layout, sizeof layout);
    b->influences = memory_grow(b->influences, b->vertices + count + 1, 1);
    memset(b->influences + b->vertices, 0, count);
    b->vertices += count;
}

/* A texture or a brush is a name and numbers of this size; a brush has the numbers of its textures besides. */
enum { TEXTURE_NUMBERS = 28, BRUSH_NUMBERS = 28 };

static void count_textures(struct b3d *b, size_t at, size_t end)
{
    for (size_t size; at < end; at += size) {
        size = strnlen((const char *)b->data + at, end - at) + 1 + TEXTURE_NUMBERS;
        if (size > end - at)
            return;
        b->textures++;
    }
}

/* Adds brushes without the textures that there are not. Returns where what is no brush begins. */
static size_t copy_brushes(struct b3d *b, size_t at, size_t end)
{
    enum { MOST_TEXTURES = 8 };
    const uint32_t textures = number_in(b, at);
    if (textures > MOST_TEXTURES)
        return at;
    add_little_endian(b->out, textures, 4);
    for (at += 4; at < end;) {
        const size_t size = strnlen((const char *)b->data + at, end - at) + 1 + BRUSH_NUMBERS;
        if (size + 4 * textures > end - at)
            break;
        text_add_bytes(b->out, b->data + at, size);
        at += size;
        for (uint32_t i = 0; i < textures; i++, at += 4) {
            const uint32_t texture = number_in(b, at);
            const bool is_absent = texture <= INT32_MAX && texture >= b->textures;
            b->absent += is_absent;
            add_little_endian(b->out, is_absent ? UINT32_MAX : texture, 4);
        }
    }
    return at;
}

/* Adds what of a chunk is written otherwise. Returns where the rest of it begins. */
static size_t copy_numbers(struct b3d *b, const void *tag, size_t at, size_t end)
{
    const size_t size = end - at;
    if (memcmp(tag, "VRTS", 4) == 0 && size >= 12) {
        count_vertices(b, at, end);
    } else if (memcmp(tag, "TEXS", 4) == 0) {
        count_textures(b, at, end);
    } else if (memcmp(tag, "BRUS", 4) == 0 && size >= 4) {
        return copy_brushes(b, at, end);
    } else if (memcmp(tag, "TRIS", 4) == 0 && size >= 4 && number_in(b, at) == (uint32_t)NO_BRUSH) {
        b->moved += b->brush + 1 > 1; /* Assimp takes brush 0 */
        add_little_endian(b->out, b->brush, 4);
        return at + 4;
    } else if (memcmp(tag, "BONE", 4) == 0) {
        for (b->bones++; end - at >= 8; at += 8) {
            const uint32_t vertex = number_in(b, at) + b->first_vertex, weight = number_in(b, at + 4);
            if (vertex < b->vertices && weight << 1 != 0)
                b->lost += b->influences[vertex] == MOST_INFLUENCES || ++b->influences[vertex] == 0;
            b->moved += b->first_vertex > 0;
            add_little_endian(b->out, vertex, 4);
            add_little_endian(b->out, weight, 4);
        }
    } else if (memcmp(tag, "KEYS", 4) == 0 && size >= 8) {
        b->keys++;
        const uint32_t flags = number_in(b, at), step = 4 + (flags & 1) * 12 + (flags & 2) * 6 + (flags & 4) * 4;
        for (size_t key = at + 4; end - key >= step; key += step)
            b->last_key = number_in(b, key) > b->last_key ? number_in(b, key) : b->last_key;
    } else if (memcmp(tag, "ANIM", 4) == 0 && size >= 12) { /* one for all comes last in the root */
        const uint32_t frames = number_in(b, at + 4), rate = number_in(b, at + 8);
        b->anims++;
        b->frames = frames <= INT32_MAX && frames > b->frames ? frames : b->frames;
        b->rate = b->rate != 0 || rate > INT32_MAX ? b->rate : rate;
        b->out->size -= HEADER;
        return end;
    }
    return at;
}

/* The chunks from `at` to `end`. False: the file is damaged. */
static bool copy_chunks(struct b3d *b, size_t at, size_t end, unsigned depth)
{
    enum { NODE_NUMBERS = 40, DEEPEST = 256 };
    for (size_t next; end - at >= HEADER; at = next) {
        const char *tag = (const char *)b->data + at;
        const bool is_file = memcmp(tag, "BB3D", 4) == 0, is_node = memcmp(tag, "NODE", 4) == 0;
        const bool is_mesh = memcmp(tag, "MESH", 4) == 0, is_first = is_node && b->nodes == 0;
        const bool is_list = is_file || is_node || is_mesh;
        const uint32_t size = number_in(b, at + 4), begin = (uint32_t)b->out->size, anims = b->anims;
        size_t head = is_file || is_mesh ? 4 : 0;
        next = at += HEADER;
        if (size > end - at || depth > DEEPEST)
            return false;
        next += size;
        text_add_bytes(b->out, tag, HEADER);
        if (is_node) {
            text_addf(b->out, NUMBER_FORMAT, b->nodes++);
            b->roots += depth == 1;
            head = strnlen((const char *)b->data + at, size) + 1 + NODE_NUMBERS;
        }
        if (head > size)
            return false;
        text_add_bytes(b->out, b->data + at, head);
        if (is_mesh) {
            b->meshes++;
            b->first_vertex = b->vertices;
            b->brush = number_in(b, at);
        }
        if (is_list) {
            if (!copy_chunks(b, at + head, next, depth + 1))
                return false;
        } else {
            head = copy_numbers(b, tag, at, next) - at;
            text_add_bytes(b->out, b->data + at + head, size - head);
        }
        if (is_first && b->keys > 0) {
            text_add_bytes(b->out, "ANIM\14\0\0\0\0\0\0\0", HEADER + 4);
            add_little_endian(b->out, b->frames > 0 ? b->frames : b->last_key, 4);
            add_little_endian(b->out, b->rate, 4);
        }
        if (is_list || b->anims == anims)
            put_little_endian(b->out->data + begin + 4, (uint32_t)b->out->size - begin - HEADER, 4);
    }
    return true;
}

void b3d_rewrite(struct conversion *c, struct text *out)
{
    enum { MOST_NODES = 256 };
    const struct blob *file = bytes_of(c);
    if (!file)
        return;
    struct b3d b = {.data = file->data, .out = out};
    const bool good = copy_chunks(&b, 0, file->size, 0);
    const struct {
        uint32_t count, least;
        const char *what;
    } left_out[] = {{b.lost, 1, "influences of a vertex beyond the first four"},
                    {b.bones ? b.nodes : 0, MOST_NODES + 1, "nodes: bones past the 256th take the weights of others"},
                    {b.roots, 2, "root nodes: only the first is read"},
                    {b.colors, 1, "meshes have colours at their vertices, which are not read"},
                    {b.layouts, 2, "kinds of vertices (normals, texture coordinates) are all read as the last one"}};
    SCOPED(text) list = {0};
    for (size_t i = 0; i < sizeof left_out / sizeof left_out[0] && good; i++)
        if (left_out[i].count >= left_out[i].least)
            text_addf(&list, "%s%u %s", list.size ? "; " : "", left_out[i].count, left_out[i].what);
    if (list.size)
        warn(c, "b3d-left-out", "%s", list.data);
    const bool has_others = (b.keys > 0 && (b.anims != 1 || b.frames == 0)) || b.moved > 0,
               is_needed = good && (has_others || b.absent > 0);
    c->is_numbered = is_needed && (c->repairs & REPAIR_B3D_MESHES);
    if (c->is_numbered && b.absent > 0)
        repaired(c, "b3d-meshes", "%u textures of brushes are not in the file, which Assimp refuses for that",
                 b.absent);
    if (c->is_numbered && has_others)
        repaired(c, "b3d-meshes",
                 "of %u meshes each has its own weights and brush, and the keys of %u ANIM are one clip", b.meshes,
                 b.anims);
    else if (good && has_others && !c->is_numbered)
        warn(c, "b3d-meshes",
             "%u meshes, %u ANIM: Assimp takes weights for those of other meshes, and plays a clip only where there is "
             "one ANIM (the repair is off)",
             b.meshes, b.anims);
    if (!c->is_numbered)
        text_release(out);
    free(b.influences);
}

static const char *without_number(const char *name)
{
    return strnlen(name, NUMBER_LENGTH) == NUMBER_LENGTH && name[NUMBER_LENGTH - 1] == ':' ? name + NUMBER_LENGTH
                                                                                           : name;
}

void b3d_finish(struct conversion *c)
{
    struct scene *scene = c->scene;
    for (uint32_t n = 0; n < scene->node_count && c->is_numbered; n++)
        scene->nodes[n].name = without_number(scene->nodes[n].name);
    for (uint32_t i = 0; i < scene->clip_count && c->is_numbered; i++)
        for (uint32_t k = 0; k < scene->clips[i].channel_count; k++)
            scene->clips[i].channels[k].node_name = without_number(scene->clips[i].channels[k].node_name);
    /* Assimp's offsets are from scene space, and vertices are in that of their node. */
    for (uint32_t m = 0; m < scene->mesh_count && (c->repairs & REPAIR_B3D_MESHES); m++) {
        struct mesh *mesh = &scene->meshes[m];
        mat4 to_scene;
        affine_from_transform(&transform_identity, to_scene);
        for (int32_t n = c->mesh_node[m]; n != NO_INDEX; n = scene->nodes[n].parent)
            affine_mul(scene->nodes[n].local_to_parent, to_scene, to_scene);
        if (mesh->bone_count == 0 || affine_is_identity(to_scene, 1e-6f))
            continue;
        for (uint32_t i = 0; i < mesh->bone_count; i++)
            affine_mul(mesh->bones[i].mesh_to_bone, to_scene, mesh->bones[i].mesh_to_bone);
        repaired(c, "b3d-meshes", "mesh %s is where its node is, which is not at the origin", mesh->quoted);
    }
}
