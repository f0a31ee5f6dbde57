/* import.json: what the importer produced, as lines a person can review in `git diff`. A new member is a row here. */
#include <string.h>

#include "data/json_fields.h"
#include "data/record/snapshot.h"

static void check_reach(const struct json_place *at, const char *key, const void *bone)
{
    double reach = (double)((const struct bone_snapshot *)bone)->influence_radius;
    if (reach < 0.0)
        json_complain(at, key, "must not be negative, found %.9g", reach);
}

static void check_bounds(const struct json_place *at, const char *key, const void *owner)
{
    const struct mesh_snapshot *mesh = owner;
    for (int k = 0; k < 3; k++)
        if (mesh->min[k] > mesh->max[k])
            json_complain(at, "min", "is greater than %s", key);
}

/* A skinned mesh has influences and bones. */
static bool is_skinned(const void *mesh, const struct json_place *at)
{
    return at ? json_has(at, "bones") || json_has(at, "influences")
              : ((const struct mesh_snapshot *)mesh)->bone_count > 0;
}

static bool is_masked(const void *material, const struct json_place *at)
{
    (void)at;
    return strcmp(((const struct material_snapshot *)material)->alpha, alpha_words[ALPHA_MASK]) == 0;
}

static void check_value(const struct json_place *at, const char *key, const void *factor)
{
    if (((const struct factor_snapshot *)factor)->width == 0)
        json_complain(at, key, "expected at least one number");
}

static void check_keys(const struct json_place *at, const char *key, const void *keys)
{
    if (((const struct keys_snapshot *)keys)->count == 0)
        json_complain(at, key, "expected at least one");
}

// clang-format off
#define NODE(member) FIELD_MEMBER(struct node_snapshot, member)
static const struct fields nodes = FIELD_TABLE(struct node_snapshot, JSON_INLINE,
    {"name", FIELD_TEXT, NODE(name)},
    {"parent", FIELD_TEXT_OR_NULL, NODE(parent)},
    {"bone", FIELD_BOOL, NODE(is_bone)},
    {"local", FIELD_AFFINE, NODE(local_to_parent)},
);

#define BONE(member) FIELD_MEMBER(struct bone_snapshot, member)
static const struct fields bones = FIELD_TABLE(struct bone_snapshot, JSON_INLINE,
    {"bone", FIELD_TEXT, BONE(bone)},
    {"weights", FIELD_COUNT, BONE(weights)},
    {"sum", FIELD_FLOAT, BONE(sum)},
    {"centroid", FIELD_FLOATS, BONE(centroid), .width = 3},
    {"reach", FIELD_FLOAT, BONE(influence_radius), .flags = FIELD_OPTIONAL, .check = check_reach},
    {"offset", FIELD_AFFINE, BONE(mesh_to_bone)},
    {"follows_mesh_node", FIELD_BOOL, BONE(follows_mesh_node), .flags = FIELD_OMITTED},
);

#define TARGET(member) FIELD_MEMBER(struct target_snapshot, member)
static const struct fields targets = FIELD_TABLE(struct target_snapshot, JSON_INLINE,
    {"name", FIELD_TEXT, TARGET(name)},
    {"weight", FIELD_FLOAT, TARGET(weight)},
    {"moved", FIELD_COUNT, TARGET(moved)},
    {"largest", FIELD_FLOAT, TARGET(largest)},
    {"mean", FIELD_FLOATS, TARGET(mean), .width = 3},
    {"normal", FIELD_FLOATS, TARGET(normal), FIELD_COUNTER(struct target_snapshot, has_normals), .width = 3,
     .flags = FIELD_OMITTED},
);

/* Left out: the mesh has no such attribute. */
#define ATTRIBUTE(key, attribute, components)                                                                          \
    {key, FIELD_FLOATS, FIELD_MEMBER(struct mesh_snapshot, attribute.moments),                                         \
     FIELD_COUNTER(struct mesh_snapshot, attribute.width), .width = components, .depth = MOMENTS, .flags = \
         FIELD_OMITTED}
static const struct fields moments = FIELD_TABLE(struct mesh_snapshot, JSON_LINES,
    ATTRIBUTE("position", positions, 3), ATTRIBUTE("face", faces, 3),   ATTRIBUTE("normal", normals, 3),
    ATTRIBUTE("uv", uvs, 2),             ATTRIBUTE("color", colors, 4),
    ATTRIBUTE("tangent", tangents, 4),
);

#define MESH(member) FIELD_MEMBER(struct mesh_snapshot, member)
static const struct fields meshes = FIELD_TABLE(struct mesh_snapshot, JSON_LINES,
    {"name", FIELD_TEXT, MESH(name)},
    {"nodes", FIELD_ITEMS(struct mesh_snapshot, nodes, node_count, fields_of_text)},
    {"material", FIELD_TEXT, MESH(material)},
    {"vertices", FIELD_COUNT, MESH(vertices)},
    {"triangles", FIELD_COUNT, MESH(triangles)},
    {"min", FIELD_FLOATS, MESH(min), .width = 3},
    {"max", FIELD_FLOATS, MESH(max), .width = 3, .check = check_bounds},
    {"uvs", FIELD_BOOL, MESH(has_uvs)},
    {"morph_targets", FIELD_COUNT, MESH(morph_targets)},
    {"targets", FIELD_ITEMS(struct mesh_snapshot, targets, target_count, targets, .layout = JSON_LINES),
     .flags = FIELD_OMITTED},
    {"moments", FIELD_OBJECT, .fields = &moments, .flags = FIELD_OPTIONAL},
    {"influences", FIELD_ITEMS(struct mesh_snapshot, influences, influence_slots, fields_of_count, .when = is_skinned)},
    {"bones", FIELD_ITEMS(struct mesh_snapshot, bones, bone_count, bones, .layout = JSON_LINES, .when = is_skinned)},
);

static const struct fields wraps = FIELD_TABLE(const char *, JSON_INLINE,
    {NULL, FIELD_WORD, .size = sizeof(char *), .words = wrap_words, .word_count = WRAP_WORDS},
);

/* Values that are the default are left out. */
static const float one = 1, ones[2] = {1, 1};
static const char *const repeats[2] = {"repeat", "repeat"}, *const none = "none";
#define MAP(member) FIELD_MEMBER(struct map_snapshot, member)
static const struct fields maps = FIELD_TABLE(struct map_snapshot, JSON_INLINE,
    {"map", FIELD_TEXT, MAP(name)},
    {"texture", FIELD_TEXT, MAP(texture), .flags = FIELD_OMITTED},
    {"strength", FIELD_FLOAT, MAP(strength), FIELD_COUNTER(struct map_snapshot, has_strength), .flags = FIELD_OMITTED,
     .standard = &one},
    {"uv", FIELD_COUNT, MAP(uv), .flags = FIELD_OMITTED},
    {"offset", FIELD_FLOATS, MAP(offset), .width = 2, .flags = FIELD_OMITTED},
    {"scale", FIELD_FLOATS, MAP(scale), FIELD_COUNTER(struct map_snapshot, is_scaled), .width = 2, .flags =
     FIELD_OMITTED,
     .standard = ones},
    {"rotation", FIELD_FLOAT, MAP(rotation), .flags = FIELD_OMITTED},
    {"wrap", FIELD_ARRAY, MAP(wrap), .width = 2, .fields = &wraps, .flags = FIELD_OMITTED, .standard = repeats},
    {"min_filter", FIELD_TEXT, MAP(filter[0]), .flags = FIELD_OMITTED, .standard = &none},
    {"mag_filter", FIELD_TEXT, MAP(filter[1]), .flags = FIELD_OMITTED, .standard = &none},
);

#define FACTOR(member) FIELD_MEMBER(struct factor_snapshot, member)
static const struct fields factors = FIELD_TABLE(struct factor_snapshot, JSON_INLINE,
    {"factor", FIELD_TEXT, FACTOR(name)},
    {"value", FIELD_ITEMS(struct factor_snapshot, values, width, fields_of_float, .most = 4, .check = check_value)},
);

#define MATERIAL(member) FIELD_MEMBER(struct material_snapshot, member)
static const struct fields materials = FIELD_TABLE(struct material_snapshot, JSON_INLINE,
    {"name", FIELD_TEXT, MATERIAL(name)},
    {"base_color", FIELD_FLOATS, MATERIAL(base_color), .width = 4},
    {"base_texture", FIELD_TEXT_OR_NULL, MATERIAL(base_texture)},
    {"wrap", FIELD_ARRAY, MATERIAL(wrap), .width = 2, .fields = &wraps, .flags = FIELD_OMITTED},
    {"alpha", FIELD_WORD, MATERIAL(alpha), .words = alpha_words, .word_count = ALPHA_WORDS},
    {"cutoff", FIELD_FLOAT, MATERIAL(cutoff), .when = is_masked},
    {"two_sided", FIELD_BOOL, MATERIAL(two_sided)},
    {"unlit", FIELD_BOOL, MATERIAL(unlit), .flags = FIELD_OMITTED},
    {"factors", FIELD_ITEMS(struct material_snapshot, factors, factor_count, factors, .flags = FIELD_OMITTED)},
    {"maps", FIELD_ITEMS(struct material_snapshot, maps, map_count, maps, .flags = FIELD_OPTIONAL)},
);

#define TEXTURE(member) FIELD_MEMBER(struct texture_snapshot, member)
static const struct fields textures = FIELD_TABLE(struct texture_snapshot, JSON_INLINE,
    {"name", FIELD_TEXT, TEXTURE(name)},
    {"width", FIELD_COUNT, TEXTURE(width)},
    {"height", FIELD_COUNT, TEXTURE(height)},
    {"missing", FIELD_BOOL, TEXTURE(missing)},
    {"hash", FIELD_TEXT, TEXTURE(hash), .flags = FIELD_OMITTED},
    {"moments", FIELD_FLOATS, TEXTURE(moments), FIELD_COUNTER(struct texture_snapshot, has_moments),
     .width = 4 * TEXTURE_MOMENTS, .flags = FIELD_OMITTED},
);

/* By the number of components; last those without statistics. */
#define KEYS(member) FIELD_MEMBER(struct keys_snapshot, member)
#define KEYS_NUMBERS(key, list, counter, limit)                                                                        \
    {key, FIELD_ITEMS(struct keys_snapshot, list, counter, fields_of_float, .most = (limit), .flags = FIELD_OMITTED)}
#define KEYS_ROWS(components)                                                                                          \
    {{"keys", FIELD_COUNT, KEYS(count), .check = check_keys},                                                          \
     {"first", FIELD_DOUBLE, KEYS(first)},                                                                             \
     {"last", FIELD_DOUBLE, KEYS(last)},                                                                               \
     {"interpolation", FIELD_WORD, KEYS(interpolation), .words = interpolation_words, .word_count = \
      INTERPOLATION_WORDS}, \
     {"mean", FIELD_FLOATS, KEYS(mean), FIELD_COUNTER(struct keys_snapshot, width), .width = (components)},            \
     {"rms", FIELD_FLOATS, KEYS(rms), .width = (components)},                                                          \
     KEYS_NUMBERS("times", times, time_count, SAMPLES_MOST),                                                           \
     KEYS_NUMBERS("samples", samples, sample_count, SAMPLES_MOST * KEYS_SNAPSHOT_WIDTH)}
static const struct field keys_rows[][8] = {KEYS_ROWS(0), KEYS_ROWS(1), KEYS_ROWS(2), KEYS_ROWS(3), KEYS_ROWS(4)};
static const struct fields keys_by_width[] = {
    FIELDS(struct keys_snapshot, keys_rows[0]), FIELDS(struct keys_snapshot, keys_rows[1]),
    FIELDS(struct keys_snapshot, keys_rows[2]), FIELDS(struct keys_snapshot, keys_rows[3]),
    FIELDS(struct keys_snapshot, keys_rows[4]), {keys_rows[0], 4, sizeof(struct keys_snapshot)}};

static const struct fields *keys_of_morph(const void *morph)
{
    uint32_t width = ((const struct morph_snapshot *)morph)->targets;
    return &keys_by_width[width <= KEYS_SNAPSHOT_WIDTH ? width : KEYS_SNAPSHOT_WIDTH + 1];
}

/* A component without keys is left out. */
#define COMPONENT(key, component, components)                                                                          \
    {key, FIELD_OBJECT, FIELD_MEMBER(struct channel_snapshot, keys[component]),                                        \
     FIELD_COUNTER(struct channel_snapshot, keys[component].count), .fields = &keys_by_width[components],              \
     .flags = FIELD_OMITTED}
#define CHANNEL(member) FIELD_MEMBER(struct channel_snapshot, member)
static const struct fields channels = FIELD_TABLE(struct channel_snapshot, JSON_LINES,
    {"node", FIELD_TEXT, CHANNEL(node)},
    {"unmatched", FIELD_BOOL, CHANNEL(unmatched), .flags = FIELD_OMITTED},
    {"repair", FIELD_BOOL, CHANNEL(is_repair), .flags = FIELD_OMITTED},
    COMPONENT("t", COMPONENT_TRANSLATION, 3),
    COMPONENT("r", COMPONENT_ROTATION, 4),
    COMPONENT("s", COMPONENT_SCALE, 3),
);

#define MORPH(member) FIELD_MEMBER(struct morph_snapshot, member)
static const struct fields morphs = FIELD_TABLE(struct morph_snapshot, JSON_LINES,
    {"node", FIELD_TEXT, MORPH(node)},
    {"targets", FIELD_COUNT, MORPH(targets)},
    {"weights", FIELD_OBJECT, MORPH(weights), FIELD_COUNTER(struct morph_snapshot, weights.count), .choose =
     keys_of_morph,
     .flags = FIELD_OMITTED},
);

#define CLIP(member) FIELD_MEMBER(struct clip_snapshot, member)
static const struct fields clips = FIELD_TABLE(struct clip_snapshot, JSON_LINES,
    {"name", FIELD_TEXT, CLIP(name)},
    {"duration", FIELD_DOUBLE, CLIP(duration)},
    {"ticks_per_second", FIELD_DOUBLE, CLIP(ticks_per_second)},
    {"channels", FIELD_ITEMS(struct clip_snapshot, channels, channel_count, channels, .layout = JSON_LINES)},
    {"morphs", FIELD_ITEMS(struct clip_snapshot, morphs, morph_count, morphs, .layout = JSON_LINES)},
);

#define CAMERA(member) FIELD_MEMBER(struct camera_snapshot, member)
static const struct fields cameras = FIELD_TABLE(struct camera_snapshot, JSON_INLINE,
    {"name", FIELD_TEXT, CAMERA(name)},
    {"node", FIELD_TEXT_OR_NULL, CAMERA(node)},
    {"fov_y", FIELD_FLOAT, CAMERA(fov_y)},
    {"ortho_height", FIELD_FLOAT, CAMERA(ortho_height)},
);

static const struct fields notes = FIELD_TABLE(struct note_snapshot, JSON_INLINE,
    {"id", FIELD_TEXT, FIELD_MEMBER(struct note_snapshot, id)},
    {"text", FIELD_TEXT, FIELD_MEMBER(struct note_snapshot, text)},
);

#define IMPORT(member) FIELD_MEMBER(struct import_snapshot, member)
#define LINES_OF(member, counter, table, ...)                                                                          \
    FIELD_ITEMS(struct import_snapshot, member, counter, table, .layout = JSON_LINES, __VA_ARGS__)
const struct fields import_snapshot_fields = FIELD_TABLE(struct import_snapshot, JSON_LINES,
    {"model", FIELD_TEXT, IMPORT(model)},
    {"up", FIELD_WORD, IMPORT(up), .words = up_words, .word_count = UP_WORDS},
    {"unit_meters", FIELD_DOUBLE, IMPORT(unit_meters)},
    {"nodes", LINES_OF(nodes, node_count, nodes)},
    {"meshes", LINES_OF(meshes, mesh_count, meshes)},
    {"materials", LINES_OF(materials, material_count, materials)},
    {"textures", LINES_OF(textures, texture_count, textures)},
    {"samples", FIELD_COUNT, IMPORT(samples), .most = SAMPLES_MOST, .flags = FIELD_OMITTED},
    {"clips", LINES_OF(clips, clip_count, clips)},
    {"cameras", LINES_OF(cameras, camera_count, cameras, .flags = FIELD_OPTIONAL)},
    {"repairs", LINES_OF(repairs, repair_count, notes, .flags = FIELD_OPTIONAL)},
    {"warnings", LINES_OF(warnings, warning_count, notes, .flags = FIELD_OPTIONAL)},
);
// clang-format on

void import_snapshot_write(const struct import_snapshot *snapshot, struct text *out)
{
    fields_write_document(IMPORT_FORMAT, &import_snapshot_fields, JSON_LINES, snapshot, out);
}

struct import_snapshot *import_snapshot_read(const void *data, size_t size, const char *name, struct arena *arena,
                                             struct error *err)
{
    return fields_read_document(data, size, name, IMPORT_FORMAT, &import_snapshot_fields, arena, err);
}

void scene_write_json(const struct scene *scene, struct text *out)
{
    SCOPED_ARENA arena = arena_require(snapshot_bytes(scene));
    import_snapshot_write(import_snapshot_gather(scene, arena), out);
}
