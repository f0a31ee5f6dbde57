/* Who holds what: gathered, and as rigproof.bones/1, a node or a mesh a line. */
#include "data/record/bones.h"

#include <float.h>
#include <math.h>
#include <string.h>
#include <strings.h>

#include "data/json_fields.h"
#include "data/scene/bone_colors.h"
#include "data/vector.h"

static bool ends_in_end(const char *name)
{
    size_t length = strlen(name);
    return length > 4 && strcasecmp(name + length - 4, "_end") == 0;
}

/* What is known of every node. */
struct facts {
    uint32_t holds; /* palette entries */
    bool bone_above;
    bool bone_below;
    bool shown;
    uint32_t depth;
};

static struct facts *learn(const struct scene *scene, struct arena *arena)
{
    struct facts *facts = ARENA_NEW(arena, struct facts, scene->node_count);
    for (uint32_t i = 0; i < scene->binding_count; i++)
        facts[scene->bindings[i].node].holds++;
    for (uint32_t i = 0; i < scene->node_count; i++) {
        int32_t parent = scene->nodes[i].parent;
        facts[i].depth = parent == NO_INDEX ? 0 : facts[parent].depth + 1;
        facts[i].bone_above = parent != NO_INDEX && (facts[parent].bone_above || scene->nodes[parent].is_bone);
        facts[i].shown =
            scene->nodes[i].is_bone || facts[i].holds > 0 || (facts[i].bone_above && ends_in_end(scene->nodes[i].name));
    }
    for (uint32_t i = scene->node_count; i-- > 0;) {
        int32_t parent = scene->nodes[i].parent;
        if (parent == NO_INDEX)
            continue;
        facts[parent].shown = facts[parent].shown || facts[i].shown;
        facts[parent].bone_below = facts[parent].bone_below || facts[i].bone_below || scene->nodes[i].is_bone;
    }
    return facts;
}

/* Of a mesh with bones: one for each of them. */
static void hold_by_weights(const struct mesh *mesh, const struct mesh_snapshot *snapshot, struct bone_hold *holds)
{
    double all = 0.0;
    for (uint32_t i = 0; i < mesh->influence_first[mesh->vertex_count]; i++) {
        const struct influence *influence = &mesh->influences[i];
        holds[influence->bone].largest = fmaxf(holds[influence->bone].largest, influence->weight);
    }
    for (uint32_t b = 0; b < mesh->bone_count; b++)
        all += (double)snapshot->bones[b].sum;
    for (uint32_t b = 0; b < mesh->bone_count; b++) {
        holds[b].vertices = snapshot->bones[b].weights;
        holds[b].sum = snapshot->bones[b].sum;
        holds[b].share = all > 0.0 ? (float)((double)holds[b].sum / all) : 0.0f;
        holds[b].influence_radius = snapshot->bones[b].influence_radius;
    }
}

/* Of a rigid mesh: one with everything. */
static void hold_all(const struct mesh *mesh, struct bone_hold *hold)
{
    double farthest = 0.0;
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        farthest = fmax(farthest, vec3_length(mesh->positions[v]));
    hold->vertices = mesh->vertex_count;
    hold->sum = (float)mesh->vertex_count;
    hold->largest = hold->share = mesh->vertex_count ? 1.0f : 0.0f;
    hold->influence_radius = (float)fmin(farthest, (double)FLT_MAX);
}

/* One for each palette entry. */
static struct bone_hold *gather_holds(const struct scene *scene, const struct import_snapshot *snapshot,
                                      struct arena *arena)
{
    struct bone_hold *holds = ARENA_NEW(arena, struct bone_hold, scene->binding_count);
    for (uint32_t i = 0; i < scene->instance_count; i++) {
        const struct instance *instance = &scene->instances[i];
        const struct mesh *mesh = &scene->meshes[instance->mesh];
        struct bone_hold *first = holds + instance->first_binding;
        for (uint32_t b = 0; b < instance->binding_count; b++) {
            first[b].palette = instance->first_binding + b;
            first[b].mesh = snapshot->meshes[instance->mesh].name;
            first[b].label = mesh->label;
        }
        if (mesh->bone_count > 0)
            hold_by_weights(mesh, &snapshot->meshes[instance->mesh], first);
        else
            hold_all(mesh, first);
    }
    return holds;
}

static void gather_mesh(const struct mesh *mesh, const struct mesh_snapshot *snapshot, struct mesh_weights *out)
{
    *out = (struct mesh_weights){
        .name = snapshot->name, .label = mesh->label, .vertices = mesh->vertex_count, .bones = mesh->bone_count};
    if (mesh->bone_count == 0)
        return;
    out->influence_slots = snapshot->influence_slots;
    out->influences = snapshot->influences;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        double sum = 0.0;
        uint32_t first = mesh->influence_first[v], end = mesh->influence_first[v + 1];
        for (uint32_t i = first; i < end; i++)
            sum += (double)mesh->influences[i].weight;
        out->most_influences = end - first > out->most_influences ? end - first : out->most_influences;
        out->least_sum = v == 0 ? (float)sum : fminf(out->least_sum, (float)sum);
        out->largest_sum = v == 0 ? (float)sum : fmaxf(out->largest_sum, (float)sum);
    }
}

struct bone_account *bones_gather(const struct scene *scene, struct arena *arena)
{
    struct bone_account *out = ARENA_NEW(arena, struct bone_account, 1);
    const struct import_snapshot *snapshot = import_snapshot_gather(scene, arena);
    const struct facts *facts = learn(scene, arena);
    const struct bone_hold *holds = gather_holds(scene, snapshot, arena);
    struct bone_row **row_of = ARENA_NEW(arena, struct bone_row *, scene->node_count);
    uint8_t(*colors)[3] = arena_alloc(arena, scene->node_count, sizeof *colors);
    bool has_colors = bone_colors(scene, colors); /* as the view `bones` has them; none when memory runs out */
    out->model = snapshot->model;
    out->assimp_version = scene->assimp_version;
    out->palette_count = scene->binding_count;
    out->rows = ARENA_NEW(arena, struct bone_row, scene->node_count);
    for (uint32_t i = 0; i < scene->node_count; i++) {
        const struct node *node = &scene->nodes[i];
        if (!facts[i].shown)
            continue;
        out->bone_count += node->is_bone;
        row_of[i] = &out->rows[out->row_count++];
        *row_of[i] = (struct bone_row){
            .depth = facts[i].depth,
            .name = snapshot->nodes[i].name,
            .parent = snapshot->nodes[i].parent,
            .is_bone = node->is_bone,
            .is_leaf = node->is_bone && !facts[i].bone_below,
            .is_end = ends_in_end(node->name),
            .holds = ARENA_NEW(arena, struct bone_hold, facts[i].holds),
        };
        if (has_colors && facts[i].holds > 0)
            row_of[i]->color = arena_printf(arena, "#%02x%02x%02x", colors[i][0], colors[i][1], colors[i][2]);
    }
    for (uint32_t i = 0; i < scene->binding_count; i++) {
        struct bone_row *row = row_of[scene->bindings[i].node];
        row->holds[row->hold_count++] = holds[i];
    }
    out->mesh_count = scene->mesh_count;
    out->meshes = ARENA_NEW(arena, struct mesh_weights, scene->mesh_count);
    for (uint32_t i = 0; i < scene->mesh_count; i++)
        gather_mesh(&scene->meshes[i], &snapshot->meshes[i], &out->meshes[i]);
    return out;
}

// clang-format off
#define HOLD(member) FIELD_MEMBER(struct bone_hold, member)
static const struct field hold_rows[] = {
    {"palette", FIELD_COUNT, HOLD(palette)},
    {"mesh", FIELD_TEXT, HOLD(mesh)},
    {"vertices", FIELD_COUNT, HOLD(vertices)},
    {"sum", FIELD_FLOAT, HOLD(sum)},
    {"largest", FIELD_FLOAT, HOLD(largest)},
    {"share", FIELD_FLOAT, HOLD(share)},
    {"reach", FIELD_FLOAT, HOLD(influence_radius)},
};
static const struct fields holds_table = FIELDS(struct bone_hold, hold_rows);

#define ROW(member) FIELD_MEMBER(struct bone_row, member)
static const struct field row_rows[] = {
    {"name", FIELD_TEXT, ROW(name)},
    {"parent", FIELD_TEXT_OR_NULL, ROW(parent)},
    {"depth", FIELD_COUNT, ROW(depth)},
    {"bone", FIELD_BOOL, ROW(is_bone)},
    {"leaf", FIELD_BOOL, ROW(is_leaf)},
    {"end", FIELD_BOOL, ROW(is_end)},
    {"color", FIELD_TEXT_OR_NULL, ROW(color)},
    {"holds", FIELD_LIST, ROW(holds), FIELD_COUNTER(struct bone_row, hold_count), .fields = &holds_table},
};
static const struct fields rows_table = FIELDS(struct bone_row, row_rows);
// clang-format on

static bool has_bones(const void *mesh, const struct json_place *at)
{
    (void)at;
    return ((const struct mesh_weights *)mesh)->bones > 0;
}

// clang-format off
#define MESH(member) FIELD_MEMBER(struct mesh_weights, member)
static const struct field mesh_rows[] = {
    {"name", FIELD_TEXT, MESH(name)},
    {"vertices", FIELD_COUNT, MESH(vertices)},
    {"bones", FIELD_COUNT, MESH(bones)},
    {"influences", FIELD_LIST, MESH(influences), FIELD_COUNTER(struct mesh_weights, influence_slots),
     .fields = &fields_of_count, .when = has_bones},
    {"most_influences", FIELD_COUNT, MESH(most_influences), .when = has_bones},
    {"least_sum", FIELD_FLOAT, MESH(least_sum), .when = has_bones},
    {"largest_sum", FIELD_FLOAT, MESH(largest_sum), .when = has_bones},
};
static const struct fields meshes_table = FIELDS(struct mesh_weights, mesh_rows);

#define ACCOUNT(member) FIELD_MEMBER(struct bone_account, member)
static const struct field account_rows[] = {
    {"model", FIELD_TEXT, ACCOUNT(model)},
    {"palette", FIELD_COUNT, ACCOUNT(palette_count)},
    {"nodes", FIELD_LIST, ACCOUNT(rows), FIELD_COUNTER(struct bone_account, row_count), .fields = &rows_table,
     .layout = JSON_LINES},
    {"meshes", FIELD_LIST, ACCOUNT(meshes), FIELD_COUNTER(struct bone_account, mesh_count), .fields = &meshes_table,
     .layout = JSON_LINES},
};
static const struct fields account_table = FIELDS(struct bone_account, account_rows, JSON_LINES);
// clang-format on

void bones_write_json(const struct scene *scene, struct text *out)
{
    struct arena *arena = arena_require(snapshot_bytes(scene));
    fields_write_document(BONES_FORMAT, &account_table, JSON_LINES, bones_gather(scene, arena), out);
    arena_destroy(arena);
}
