#define _GNU_SOURCE /* memmem */

#include "import/scene/convert.h"

#include <stdio.h>
#include <string.h>

#include "import/dae/dae_file.h"

bool blob_contains(const struct blob *file, const char *pattern)
{
    return memmem(file->data, file->size, pattern, strlen(pattern)) != NULL;
}

/* A 32-bit number of a header; 0 where the file ends before. */
static uint32_t number_at(const struct blob *file, size_t at)
{
    return at + 4 <= file->size ? (uint32_t)little_endian(file->data + at, 4) : 0;
}

/* The header: 16 bytes of magic, then numbers, among them those of joints (13), poses (15) and clips (17). */
static void warn_iqm(struct conversion *c, const struct blob *file)
{
    enum { MAGIC = 16, JOINTS = MAGIC + 4 * 13, CLIPS = MAGIC + 4 * 17 };
    uint32_t joints = number_at(file, JOINTS), clips = number_at(file, CLIPS);
    if (file->size >= CLIPS + 4 && (joints > 0 || clips > 0))
        scene_note(c->scene, NOTE_WARNING, "iqm-skeleton",
                   "the file has %u joints and %u clips: Assimp reads the mesh of an IQM file only", joints, clips);
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
        uint32_t frames = number_at(file, formats[i].at);
        if (frames > 1 && memcmp(file->data, formats[i].magic, 4) == 0)
            scene_note(c->scene, NOTE_WARNING, "frame-animation",
                       "%u frames of vertex animation are not imported; only frame 0", frames);
    }
}

/* Blocks: a code, the size, a pointer and two numbers; the head says how wide a pointer is and which byte comes first. */
static void warn_blend(struct conversion *c, const struct blob *file)
{
    static const char codes[][5] = {"AR\0", "AC\0", "KE\0"};
    uint32_t found[3] = {0};
    const size_t head = 16 + (file->size > 8 && file->data[7] == '-' ? 8 : 4);
    for (size_t at = 12; at + head <= file->size && memcmp(file->data, "BLENDER", 7) == 0;) {
        const uint32_t number = number_at(file, at + 4),
                       size = file->data[8] == 'v' ? number : __builtin_bswap32(number);
        for (int i = 0; i < 3; i++)
            found[i] += memcmp(file->data + at, codes[i], 4) == 0;
        at += head + size;
    }
    if (found[0] + found[1] + found[2] > 0)
        scene_note(c->scene, NOTE_WARNING, "blend-rig",
                   "armatures of the file: %u, actions: %u, sets of shape keys: %u. Assimp reads the meshes of a "
                   ".blend file only: "
                   "export it as glTF",
                   found[0], found[1], found[2]);
}

/* Chunks of a number of 16 bits and a size, which counts both; those of the mesh follow a byte. */
static void warn_ogre(struct conversion *c, const struct blob *file)
{
    enum { HEAD = 6, MESH = 0x3000, POSES = 0xC000, ANIMATIONS = 0xD000 };
    const char *name = memchr(file->data, '\n', file->size);
    bool has[2] = {blob_contains(file, "<pose "), blob_contains(file, "<animations") && !blob_contains(file, "<skeleton")};
    for (size_t at = name ? (size_t)(name + 1 - (const char *)file->data) : file->size;
         is_format(c, "mesh") && at + HEAD <= file->size;) {
        const unsigned id = file->data[at] | (unsigned)file->data[at + 1] << 8;
        const uint32_t size = number_at(file, at + 2);
        has[0] = has[0] || id == POSES;
        has[1] = has[1] || id == ANIMATIONS;
        at += id == MESH ? HEAD + 1 : size < HEAD ? file->size : size;
    }
    if (has[0] || has[1])
        scene_note(c->scene, NOTE_WARNING, "ogre-vertices", "the mesh has %s%s%s, which Assimp does not read",
                   has[0] ? "poses (morph targets)" : "", has[0] && has[1] ? " and " : "",
                   has[1] ? "animations of vertices" : "");
}

/* Nodes by what they draw, and the files that they name. */
static void warn_irr(struct conversion *c, const struct blob *file)
{
    static const char *const drawn[] = {"mesh", "animatedMesh", "octTree", "cube", "sphere", "terrain", "skyBox"};
    enum { LISTED = 8 };
    struct dae_file tree;
    struct text names = {0};
    uint32_t nodes = 0, files = 0;
    dae_file_read(file, &tree);
    for (uint32_t e = 0; (e = dae_following(&tree, e, "node")) != 0;)
        for (size_t i = 0; i < sizeof drawn / sizeof drawn[0]; i++)
            nodes += slice_is(dae_attribute(&tree, e, "type"), drawn[i]);
    for (uint32_t e = 0; (e = dae_following(&tree, e, "string")) != 0;) {
        const struct slice value = dae_attribute(&tree, e, "value");
        char name[256];
        snprintf(name, sizeof name, "%.*s", (int)value.length, value.data ? value.data : "");
        if (name[0] && slice_is(dae_attribute(&tree, e, "name"), "Mesh") && !strstr(text_string(&names), name) &&
            files++ < LISTED)
            text_addf(&names, "%s%s", files > 1 ? ", " : ". Give the models that it names: ", name);
    }
    dae_file_close(&tree);
    if (nodes > c->scene->instance_count)
        scene_note(c->scene, NOTE_WARNING, "irr-nodes",
                   "nodes of the scene that draw: %u, of which Assimp %s makes %u meshes%s%s", nodes,
                   c->scene->assimp_version, c->scene->instance_count, text_string(&names),
                   files > LISTED ? ", ..." : "");
    text_release(&names);
}

void add_file_warnings(struct conversion *c)
{
    static const struct {
        const char *format;
        void (*warn)(struct conversion *c, const struct blob *file);
    } formats[] = {{"iqm", warn_iqm},     {"md2", warn_frames}, {"md3", warn_frames},
                   {"mdc", warn_frames},  {"mdl", warn_frames}, {"irr", warn_irr},
                   {"blend", warn_blend}, {"mesh", warn_ogre},  {"xml", warn_ogre}};
    struct blob file;
    if (is_format(c, "fbx") && fbx_of(c))
        warn_fbx(c, fbx_of(c));
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
        if (is_format(c, formats[i].format) && read_again(c->scene, &file, &(struct error){0})) {
            formats[i].warn(c, &file);
            blob_release(&file);
        }
}
