#include "import/scene/convert.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libdeflate.h>

#include "import/assimp/library.h"
#include "import/dae/dae_file.h"
#include "import/fbx/fbx_file.h"

static bool blob_contains(const struct blob *file, const char *pattern)
{
    return memmem(file->data, file->size, pattern, strlen(pattern)) != NULL;
}

/* From 5.4.0 on a bone's offset is of where the mesh is now, unless repair "fbx-offsets" takes the file's. */
static void warn_fbx_skin(struct conversion *c, const struct mesh *mesh, int32_t node, enum fbx_offsets offsets)
{
    const struct scene *scene = c->scene;
    const bool is_bound = offsets == FBX_OFFSETS_BOUND || (c->repairs & REPAIR_FBX_OFFSETS);
    bool moved = false;
    if (offsets == FBX_OFFSETS_UNKNOWN)
        warn(c, "fbx-offsets",
             "what Assimp %s makes bone offsets of is not known: those of mesh %s are taken as they come",
             scene->assimp_version, mesh->quoted);
    for (; node != NO_INDEX; node = scene->nodes[node].parent) {
        for (uint32_t i = 0; i < scene->clip_count && !is_bound; i++)
            for (uint32_t k = 0; k < scene->clips[i].channel_count; k++)
                moved = moved || (scene->clips[i].channels[k].node == node && !scene->clips[i].channels[k].is_repair);
    }
    if (moved)
        warn(c, "fbx-moved-mesh",
             "mesh %s is skinned and its node is animated: if it has moved since it was bound, Assimp %s gets the bone "
             "offsets wrong",
             mesh->quoted, scene->assimp_version);
}

/* Smoothness above 1, as modelling tools write it where they show a mesh subdivided. */
static bool is_subdivided(const struct fbx_file *file, uint32_t geometry)
{
    int64_t smoothness = 0, levels = 0;
    const uint32_t elements[] = {fbx_child(file, geometry, "Smoothness"),
                                 fbx_child(file, geometry, "PreviewDivisionLevels")};
    return elements[0] && fbx_integer(file, elements[0], 0, &smoothness) && smoothness > 1 && elements[1] &&
           fbx_integer(file, elements[1], 0, &levels) && levels > 0;
}

/* Returns whether a curve of an AnimationCurveNode has two values. */
static bool has_motion(const struct fbx_file *file, int64_t node)
{
    uint32_t curves, count = 0;
    const struct fbx_connection *list = fbx_connections(file, file->by_parent, node, &curves);
    bool moves = false;
    for (uint32_t i = 0; i < curves && !moves; i++) {
        const uint32_t curve = fbx_find(file, list[i].other, "AnimationCurve");
        const uint32_t keys = curve ? fbx_child(file, curve, "KeyValueFloat") : 0;
        FREED double *values = keys ? fbx_array(file, keys, &count) : NULL;
        for (uint32_t k = 1; values && k < count; k++)
            moves = moves || values[k] != values[0];
    }
    return moves;
}

/* Curves of other properties than a transform, a blend shape's or a layer's weight, and surfaces that are no meshes. */
static void warn_fbx_lost(struct conversion *c, const struct fbx_file *file)
{
    enum { LISTED = 8 };
    SCOPED(text) channels = {0}, geometries = {0};
    uint32_t lost = 0, others = 0;
    for (uint32_t i = 0, e; (e = fbx_next(file, &i, "Geometry")) != 0;) {
        struct slice type;
        if (fbx_string(file, e, 2, &type) && !slice_is(type, "Mesh") && !slice_is(type, "Shape") &&
            !slice_is(type, "Line"))
            list_name(&geometries, others++, LISTED, "", type);
    }
    for (uint32_t i = 0; fbx_next(file, &i, "AnimationCurveNode") != 0;) {
        const int64_t id = file->objects[i - 1].id;
        uint32_t count = 0;
        const struct fbx_connection *to =
            has_motion(file, id) ? fbx_connections(file, file->by_child, id, &count) : NULL;
        for (uint32_t k = 0; k < count; k++) {
            const struct slice property = to[k].property;
            const bool is_transform = property.length > 4 && memcmp(property.data, "Lcl ", 4) == 0;
            const bool is_shape = fbx_find(file, to[k].other, "Deformer") || fbx_find(file, to[k].other, "Geometry");
            if (property.length > 0 && !is_transform && !is_shape && !slice_is(property, "Weight"))
                list_name(&channels, lost++, LISTED, "", property);
        }
    }
    if (lost > 0)
        warn(c, "fbx-channels", "%u channels move what is not played: %s", lost, text_string(&channels));
    if (others > 0)
        warn(c, "fbx-geometries", "%u geometries are not meshes and are not drawn: %s", others,
             text_string(&geometries));
}

/* Meshes that Assimp leaves out where it does not understand a list in one. */
static void warn_fbx_lost_meshes(struct conversion *c, const struct fbx_file *file)
{
    enum { LISTED = 8 };
    SCOPED(text) names = {0};
    uint32_t lost = 0;
    for (uint32_t i = 0, e; (e = fbx_next(file, &i, "Geometry")) != 0;) {
        const uint32_t lists[] = {fbx_child(file, e, "Vertices"), fbx_child(file, e, "PolygonVertexIndex")};
        uint32_t count = 0, parents = 0;
        for (int k = 0; k < 2 && (k == 0 || count > 0); k++) {
            count = 0;
            free(lists[k] ? fbx_array(file, lists[k], &count) : NULL);
        }
        const struct fbx_connection *to = fbx_connections(file, file->by_child, file->objects[i - 1].id, &parents);
        for (uint32_t k = 0; k < parents && count > 0; k++) {
            const uint32_t model = fbx_find(file, to[k].other, "Model");
            const char *name = model ? copy_name(c, fbx_object_name(file, model)) : "";
            size_t nodes;
            const struct named_node *named = nodes_named(c, name, &nodes);
            if (model && nodes == 1 && c->nodes[named->node]->mNumMeshes == 0)
                list_name(&names, lost++, LISTED, "\"", slice_of(fbx_name_of(c, name)));
        }
    }
    if (lost > 0)
        warn(c, "fbx-geometries", "Assimp %s leaves out the meshes of %u nodes, which are not drawn: %s",
             c->scene->assimp_version, lost, text_string(&names));
}

/* Nodes with meshes that the file hides, themselves or by a parent. Of a name that several nodes have, none is told. */
static void warn_fbx_hidden(struct conversion *c, const struct fbx_file *file)
{
    enum { LISTED = 8, OWN = 1, ALONE = 2 };
    const struct scene *scene = c->scene;
    SCOPED(text) names = {0};
    uint32_t count = 0;
    unsigned char *seen = memory_new(scene->node_count, 1); /* what a node's own properties say */
    for (uint32_t i = 0, e; (e = fbx_next(file, &i, "Model")) != 0;) {
        size_t k;
        const struct named_node *named = nodes_named(c, copy_name(c, fbx_object_name(file, e)), &k);
        if (k == 1)
            seen[named->node] = (fbx_model_number(file, e, "Visibility", 1) <= 0 ? OWN : 0) |
                                (fbx_model_number(file, e, "Visibility Inheritance", 1) <= 0 ? ALONE : 0);
    }
    for (uint32_t n = 0; n < scene->node_count; n++) {
        const int32_t parent = scene->nodes[n].parent;
        if (parent != NO_INDEX && !(seen[n] & ALONE))
            seen[n] |= seen[parent] & OWN;
        if (seen[n] & OWN && c->nodes[n]->mNumMeshes > 0)
            list_name(&names, count++, LISTED, "\"", slice_of(scene->nodes[n].name));
    }
    if (count > 0)
        warn(c, "fbx-hidden", "%u nodes are hidden in the file (Visibility) and are drawn: %s", count,
             text_string(&names));
    free(seen);
}

/* A skin that blends is linear where a vertex's weight is 0, as programs write it for all. */
static void warn_fbx_skinning(struct conversion *c, const struct fbx_file *file)
{
    bool is_dual = false, is_blended = false;
    struct slice type;
    for (uint32_t i = 0, e; (e = fbx_next(file, &i, "Deformer")) != 0;) {
        const uint32_t way = fbx_child(file, e, "SkinningType"), list = fbx_child(file, e, "BlendWeights");
        uint32_t count = 0;
        if (!way || !fbx_string(file, way, 0, &type))
            continue;
        is_dual = is_dual || slice_is(type, "DualQuaternion");
        double *weights = list && slice_is(type, "Blend") ? fbx_array(file, list, &count) : NULL;
        for (uint32_t k = 0; weights && k < count; k++)
            is_blended = is_blended || weights[k] != 0;
        free(weights);
    }
    if (is_dual || is_blended)
        warn(c, "fbx-dual-quaternion",
             is_blended ? "a skin of the file means a blend of linear and dual-quaternion skinning: Assimp hands it "
                          "over as linear"
                        : "a skin of the file means dual-quaternion skinning: Assimp hands it over as linear "
                          "(--skinning dual-quaternion plays it)");
}

/* Warns of what the file's objects show: caches, subdivided meshes. */
static void warn_fbx(struct conversion *c, const struct blob *content)
{
    (void)content;
    const struct fbx_file *file = fbx_of(c);
    bool has_cache = false;
    struct slice type;
    uint32_t subdivided = 0, levels = 0, inner_shapes = 0;
    if (!file)
        return;
    for (uint32_t i = 0, e; (e = fbx_next(file, &i, "Geometry")) != 0;) {
        subdivided += is_subdivided(file, e);
        inner_shapes += fbx_child(file, e, "Shape") != 0;
    }
    for (uint32_t i = 0, e; (e = fbx_next(file, &i, "Deformer")) != 0;)
        has_cache = has_cache || (fbx_string(file, e, 2, &type) && slice_is(type, "VertexCacheDeformer"));
    for (uint32_t i = 0, e; (e = fbx_next(file, &i, "Model")) != 0;)
        levels += fbx_string(file, e, 2, &type) && slice_is(type, "LodGroup");
    warn_fbx_skinning(c, file);
    warn_fbx_lost(c, file);
    if (!(assimp_flags_effects(c->flags) & (CHANGES_NODES | CHANGES_MESHES)))
        warn_fbx_lost_meshes(c, file);
    warn_fbx_hidden(c, file);
    if (levels > 0)
        warn(c, "fbx-levels", "%u groups of levels of detail: all levels are drawn at once", levels);
    if (inner_shapes > 0)
        warn(c, "fbx-shapes",
             "the blend shapes of %u meshes are written in the mesh, as before FBX 7.2: Assimp leaves them out",
             inner_shapes);
    if (subdivided > 0)
        warn(c, "fbx-subdivision",
             "%u meshes of the file are subdivision surfaces (Smoothness): their control meshes are drawn", subdivided);
    if (has_cache)
        warn(c, "fbx-vertex-cache",
             "meshes of the file are animated by a geometry cache, which Assimp leaves out: they stay as they rest");
}

/* A mesh that Assimp makes of the nodes where a file has none. COLLADA's own meshes have names, and may leave
 * materials. Of B3D it makes none. */
static bool is_made_of_nodes(const struct conversion *c)
{
    const struct scene *scene = c->scene;
    return scene->mesh_count == 1 && c->mesh_node[0] == 0 && scene->meshes[0].bone_count > 0 && !is_format(c, "b3d") &&
           (scene->meshes[0].bone_count >= scene->node_count ||
            strcmp(scene->materials[0].name, "SkeletonMaterial") == 0 ||
            (is_format(c, "dae") && c->source->mMeshes[0]->mName.length == 0));
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
        warn(c, "iqm-skeleton", "the file has %u joints and %u clips: Assimp reads the mesh of an IQM file only",
             joints, clips);
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
            warn(c, "frame-animation", "%u frames of vertex animation are not imported; only frame 0", frames);
    }
}

/* Returns what gzip made small, malloc'd, of the size that its last four bytes say; none where it is not that. */
static struct blob unpacked(const struct blob *file)
{
    enum { MOST_RATIO = 1032 }; /* of deflate */
    struct blob out = {.data = NULL};
    const uint32_t size = file->size >= 18 && file->data[0] == 0x1f && file->data[1] == 0x8b
                              ? number_at(file, file->size - 4)
                              : 0;
    if (size == 0 || size / MOST_RATIO > file->size)
        return out;
    struct libdeflate_decompressor *decompressor = libdeflate_alloc_decompressor();
    out.data = memory_new(size, 1);
    if (decompressor && libdeflate_gzip_decompress(decompressor, file->data, file->size, out.data, size, NULL) ==
                            LIBDEFLATE_SUCCESS)
        out.size = size;
    libdeflate_free_decompressor(decompressor);
    return out;
}

/* Blocks: a code, the size, a pointer and two numbers; the head says how wide a pointer is and which byte comes
 * first. */
static void warn_blend(struct conversion *c, const struct blob *bytes)
{
    static const char codes[][5] = {"AR\0", "AC\0", "KE\0"};
    uint32_t found[3] = {0};
    struct blob packed = unpacked(bytes);
    const struct blob *file = packed.size > 0 ? &packed : bytes;
    const size_t head = 16 + (file->size > 8 && file->data[7] == '-' ? 8 : 4);
    for (size_t at = 12; at + head <= file->size && memcmp(file->data, "BLENDER", 7) == 0;) {
        const uint32_t number = number_at(file, at + 4),
                       size = file->data[8] == 'v' ? number : __builtin_bswap32(number);
        for (int i = 0; i < 3; i++)
            found[i] += memcmp(file->data + at, codes[i], 4) == 0;
        at += head + size;
    }
    if (found[0] + found[1] + found[2] > 0)
        warn(c, "blend-rig",
             "armatures of the file: %u, actions: %u, sets of shape keys: %u. Assimp reads the meshes of a .blend file "
             "only: export it as glTF",
             found[0], found[1], found[2]);
    free(packed.data);
}

/* The name of the skeleton that Ogre's mesh asks for, of which Assimp makes nodes where it finds the file. */
static void warn_ogre_skeleton(struct conversion *c, const char *name, const char *end, const char *stop)
{
    const char *behind = name ? memchr(name, *stop, (size_t)(end - name)) : NULL;
    if (behind && c->scene->node_count <= 1)
        warn(c, "ogre-skeleton",
             "the mesh has no bones and no clips: its skeleton \"%s\" is not beside it, or Assimp %s cannot read it",
             copy_name(c, (struct slice){name, (size_t)(behind - name)}), c->scene->assimp_version);
}

/* Chunks of a number of 16 bits and a size, which counts both; those of the mesh follow a byte. */
static void warn_ogre(struct conversion *c, const struct blob *file)
{
    static const char link[] = "<skeletonlink name=\"";
    enum { HEAD = 6, MESH = 0x3000, SKELETON = 0x6000, POSES = 0xC000, ANIMATIONS = 0xD000 };
    const char *name = memchr(file->data, '\n', file->size), *end = (const char *)file->data + file->size;
    const char *linked = memmem(file->data, file->size, link, sizeof link - 1);
    bool has[2] = {blob_contains(file, "<pose "),
                   blob_contains(file, "<animations") && !blob_contains(file, "<skeleton")};
    for (size_t at = name ? (size_t)(name + 1 - (const char *)file->data) : file->size;
         is_format(c, "mesh") && at + HEAD <= file->size;) {
        const unsigned id = file->data[at] | (unsigned)file->data[at + 1] << 8;
        const uint32_t size = number_at(file, at + 2);
        has[0] = has[0] || id == POSES;
        has[1] = has[1] || id == ANIMATIONS;
        if (id == SKELETON)
            warn_ogre_skeleton(c, (const char *)file->data + at + HEAD, end, "\n");
        at += id == MESH ? HEAD + 1 : size < HEAD ? file->size : size;
    }
    if (is_format(c, "xml"))
        warn_ogre_skeleton(c, linked ? linked + sizeof link - 1 : NULL, end, "\"");
    if (has[0] || has[1])
        warn(c, "ogre-vertices", "the mesh has %s%s%s, which Assimp does not read",
             has[0] ? "poses (morph targets)" : "", has[0] && has[1] ? " and " : "",
             has[1] ? "animations of vertices" : "");
}

/* Nodes by what they draw, and the files that they name. */
static void warn_irr(struct conversion *c, const struct blob *file)
{
    static const char *const drawn[] = {"mesh", "animatedMesh", "octTree", "cube", "sphere", "terrain", "skyBox"};
    enum { LISTED = 8 };
    struct dae_file tree;
    SCOPED(text) names = {0};
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
        warn(c, "irr-nodes", "nodes of the scene that draw: %u, of which Assimp %s makes %u meshes%s%s", nodes,
             c->scene->assimp_version, c->scene->instance_count, text_string(&names), files > LISTED ? ", ..." : "");
}

/* LightWave's envelopes: a line for each key with its value, its time and how the span before it goes (3: straight),
 * and one that says what comes before the first key and after the last (1: it is held). Before version 3 a motion is
 * numbers alone: how many channels, and of each its keys; in version 1 how many keys, and of each its channels. */
static void warn_lws(struct conversion *c, const struct blob *file)
{
    const char *line = (const char *)file->data, *end = line + file->size;
    uint32_t keys = 0, curved = 0, moving = 0, version = 3, misread = 0, numbers = 0;
    bool in_motion = false;
    sscanf(line, "LWSC %u", &version);
    for (const char *next; line < end; line = next + 1) {
        char text[128], shape[8], before[8], after[8];
        uint32_t number;
        next = memchr(line, '\n', (size_t)(end - line));
        next = next ? next : end;
        snprintf(text, sizeof text, "%.*s", (int)(next - line < 127 ? next - line : 127), line);
        if (version < 3 && text[0] > ' ') {
            in_motion = strstr(text, "Motion") != NULL;
            numbers = 0;
        } else if (in_motion && sscanf(text, "%u%7s", &number, shape) == 1)
            misread += numbers++ > 0 && (number > 1 || version == 1);
        else if (strstr(text, "{ Envelope"))
            keys = 0;
        else if (sscanf(text, " Key %*s %*s %7s", shape) == 1)
            curved += keys++ > 0 && strcmp(shape, "3") != 0;
        else if (sscanf(text, " Behaviors %7s %7s", before, after) == 2 && keys > 1)
            moving += strcmp(after, "1") != 0;
    }
    if (misread > 0)
        warn(c, "lws-version",
             "the scene is of version %u, of which Assimp %s misreads the keys: save it from LightWave 6 or later",
             version, c->scene->assimp_version);
    if (curved + moving > 0)
        warn(c, "lws-envelopes",
             "spans between keys that are not straight: %u, envelopes that go on behind their last key: %u. Assimp "
             "plays straight lines and holds the last key",
             curved, moving);
}

/* About faults that only the file's own bytes give a sign of. */
static const struct {
    const char *format;
    void (*add)(struct conversion *c, const struct blob *file);
} formats[] = {{"fbx", warn_fbx},    {"iqm", warn_iqm},    {"md2", warn_frames}, {"md3", warn_frames},
               {"mdc", warn_frames}, {"mdl", warn_frames}, {"irr", warn_irr},    {"blend", warn_blend},
               {"mesh", warn_ogre},  {"xml", warn_ogre},   {"lws", warn_lws}};

void add_warnings(struct conversion *c)
{
    for (uint32_t m = 0; m < c->scene->mesh_count;
         m++) { /* of several nodes that skin a mesh the last one's bones stay */
        const struct mesh *mesh = &c->scene->meshes[m];
        uint32_t references = 0;
        const bool is_split = (is_gltf(c) && (c->repairs & REPAIR_SHARED_SKIN)) ||
                              (is_format(c, "dae") && (c->repairs & REPAIR_DAE_INSTANCES)); /* the same bones */
        for (uint32_t n = 0; n < c->scene->node_count && mesh->bone_count > 0 && !is_split; n++)
            for (uint32_t i = 0; i < c->nodes[n]->mNumMeshes; i++)
                references += c->nodes[n]->mMeshes[i] == m;
        if (references > 1)
            warn(c, "shared-skin",
                 "mesh %s is skinned by %u nodes; Assimp keeps the bones of one of them, and the mesh is drawn once",
                 mesh->quoted, references);
    }
    for (uint32_t i = 0; i < c->scene->clip_count && i < c->source->mNumAnimations; i++)
        if (c->source->mAnimations[i]->mNumMeshChannels > 0)
            warn(c, "vertex-animation", "clip \"%s\" replaces whole meshes from key to key, which is not played",
                 c->scene->clips[i].name);
    for (uint32_t m = 0; m < c->scene->mesh_count && is_format(c, "fbx"); m++)
        if (c->scene->meshes[m].bone_count > 0 && c->mesh_node[m] != NO_INDEX)
            warn_fbx_skin(c, &c->scene->meshes[m], c->mesh_node[m], library_fbx()->offsets);
    /* Assimp drops keys that lie a rounding error beyond the end of the stack: the last frame of a baked clip stands
     * still. */
    for (uint32_t i = 0; i < c->scene->clip_count && is_format(c, "fbx"); i++) {
        const struct clip *clip = &c->scene->clips[i];
        double last = -INFINITY;
        bool baked = false; /* keys are a tick apart */
        for (uint32_t k = 0; k < clip->channel_count * COMPONENT_COUNT; k++) {
            const struct channel *channel = &clip->channels[k / COMPONENT_COUNT];
            const struct keys *keys = &channel->keys[k % COMPONENT_COUNT];
            if (keys->count < 3 || channel->is_repair)
                continue;
            double step = (keys->times[keys->count - 1] - keys->times[0]) / (keys->count - 1);
            baked = baked || fabs(step * clip->ticks_per_second - 1.0) < 0.01;
            last = fmax(last, keys->times[keys->count - 1]);
        }
        double missing = (clip->duration - last) * clip->ticks_per_second;
        if (baked && missing > 0.5 && missing < 1.5)
            warn(c, "fbx-last-frame", "clip \"%s\" has a key for every frame but the last: Assimp may have dropped it",
                 clip->name);
    }
    if (is_made_of_nodes(c))
        warn(c, "no-mesh",
             "the file has no mesh that Assimp %s reads: what is drawn is one that Assimp makes of the skeleton",
             c->scene->assimp_version);
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
        if (is_format(c, formats[i].format) && bytes_of(c))
            formats[i].add(c, &c->content);
}
