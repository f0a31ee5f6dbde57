/* Says who holds what: gathered, as a table for people, and as rigproof.bones/1, a node or a mesh a line. */
#include "data/record/bones.h"

#include <float.h>
#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/utf8.h"
#include "data/json_fields.h"
#include "data/vector.h"

/* Rows of all nodes, with room for what they hold; returns which of them belong to the skeleton. */
static bool *fill_rows(const struct scene *scene, const struct import_snapshot *snapshot, struct bone_row *rows,
                       struct arena *arena)
{
    bool *shown = ARENA_NEW(arena, bool, scene->node_count);
    bool *bone_above = ARENA_NEW(arena, bool, scene->node_count),
         *bone_below = ARENA_NEW(arena, bool, scene->node_count);
    uint32_t *entries = ARENA_NEW(arena, uint32_t, scene->node_count);
    for (uint32_t i = 0; i < scene->binding_count; i++)
        entries[scene->bindings[i].node]++;
    for (uint32_t i = 0; i < scene->node_count; i++) {
        const struct node *node = &scene->nodes[i];
        size_t length = strlen(node->name);
        rows[i] = (struct bone_row){
            .depth = node->parent == NO_INDEX ? 0 : rows[node->parent].depth + 1,
            .name = snapshot->nodes[i].name,
            .parent = snapshot->nodes[i].parent,
            .is_bone = node->is_bone,
            .is_end = length > 4 && strcasecmp(node->name + length - 4, "_end") == 0,
            .holds = ARENA_NEW(arena, struct bone_hold, entries[i]),
        };
        bone_above[i] = node->parent != NO_INDEX && (bone_above[node->parent] || rows[node->parent].is_bone);
        shown[i] = node->is_bone || entries[i] > 0 || (bone_above[i] && rows[i].is_end);
    }
    for (uint32_t i = scene->node_count; i-- > 0;) {
        int32_t parent = scene->nodes[i].parent;
        rows[i].is_leaf = rows[i].is_bone && !bone_below[i];
        if (parent == NO_INDEX)
            continue;
        shown[parent] = shown[parent] || shown[i];
        bone_below[parent] = bone_below[parent] || bone_below[i] || rows[i].is_bone;
    }
    return shown;
}

/* One for each palette entry, in their order. */
static void add_holds(const struct scene *scene, const struct import_snapshot *snapshot, struct bone_row *rows,
                      struct arena *arena)
{
    for (uint32_t i = 0; i < scene->instance_count; i++) {
        const struct instance *instance = &scene->instances[i];
        const struct mesh *mesh = &scene->meshes[instance->mesh];
        const struct mesh_snapshot *statistics = &snapshot->meshes[instance->mesh];
        float *largest = ARENA_NEW(arena, float, mesh->bone_count);
        double all = 0.0;
        for (uint32_t b = 0; b < mesh->bone_count; b++)
            all += (double)statistics->bones[b].sum;
        for (uint32_t k = 0; mesh->bone_count > 0 && k < mesh->influence_first[mesh->vertex_count]; k++) {
            const struct influence *influence = &mesh->influences[k];
            largest[influence->bone] = fmaxf(largest[influence->bone], influence->weight);
        }
        for (uint32_t b = 0; b < instance->binding_count; b++) {
            uint32_t palette = instance->first_binding + b;
            struct bone_row *row = &rows[scene->bindings[palette].node];
            struct bone_hold *hold = &row->holds[row->hold_count++];
            *hold = (struct bone_hold){.palette = palette, .mesh = statistics->name, .label = mesh->label};
            if (mesh->bone_count == 0) { /* its node holds all */
                double farthest = 0.0;
                for (uint32_t v = 0; v < mesh->vertex_count; v++)
                    farthest = fmax(farthest, vec3_length(mesh->positions[v]));
                hold->vertices = mesh->vertex_count;
                hold->sum = (float)mesh->vertex_count;
                hold->largest = hold->share = mesh->vertex_count ? 1.0f : 0.0f;
                hold->influence_radius = (float)fmin(farthest, (double)FLT_MAX);
                continue;
            }
            hold->vertices = statistics->bones[b].weights;
            hold->sum = statistics->bones[b].sum;
            hold->largest = largest[b];
            hold->share = all > 0.0 ? (float)((double)hold->sum / all) : 0.0f;
            hold->influence_radius = statistics->bones[b].influence_radius;
        }
    }
}

struct bone_account *bones_gather(const struct scene *scene, struct arena *arena)
{
    struct bone_account *out = ARENA_NEW(arena, struct bone_account, 1);
    const struct import_snapshot *snapshot = import_snapshot_gather(scene, arena);
    struct bone_row *rows = ARENA_NEW(arena, struct bone_row, scene->node_count);
    const bool *shown = fill_rows(scene, snapshot, rows, arena);
    uint8_t(*colors)[3] = arena_alloc(arena, scene->node_count, sizeof *colors);
    bone_colors(scene, colors); /* as the view `bones` has them */
    add_holds(scene, snapshot, rows, arena);
    *out = (struct bone_account){.model = snapshot->model,
                                 .assimp_version = scene->assimp_version,
                                 .palette_count = scene->binding_count,
                                 .rows = rows,
                                 .mesh_count = scene->mesh_count,
                                 .meshes = ARENA_NEW(arena, struct mesh_weights, scene->mesh_count)};
    for (uint32_t i = 0; i < scene->node_count; i++) {
        if (!shown[i])
            continue;
        if (rows[i].hold_count > 0)
            rows[i].color = arena_printf(arena, "#%02x%02x%02x", colors[i][0], colors[i][1], colors[i][2]);
        out->bone_count += rows[i].is_bone;
        rows[out->row_count++] = rows[i];
    }
    for (uint32_t i = 0; i < scene->mesh_count; i++) {
        const struct mesh *mesh = &scene->meshes[i];
        struct mesh_weights *to = &out->meshes[i];
        *to = (struct mesh_weights){.name = snapshot->meshes[i].name,
                                    .label = mesh->label,
                                    .vertices = mesh->vertex_count,
                                    .bones = mesh->bone_count,
                                    .influence_slots = snapshot->meshes[i].influence_slots,
                                    .influences = snapshot->meshes[i].influences};
        for (uint32_t v = 0; mesh->bone_count > 0 && v < mesh->vertex_count; v++) {
            double sum = 0.0;
            uint32_t first = mesh->influence_first[v], end = mesh->influence_first[v + 1];
            for (uint32_t k = first; k < end; k++)
                sum += (double)mesh->influences[k].weight;
            to->most_influences = end - first > to->most_influences ? end - first : to->most_influences;
            to->least_sum = v == 0 ? (float)sum : fminf(to->least_sum, (float)sum);
            to->largest_sum = v == 0 ? (float)sum : fmaxf(to->largest_sum, (float)sum);
        }
    }
    return out;
}

/* Characters as shown, not bytes, of which UTF-8 has up to four. */
static int characters(const char *name)
{
    SCOPED(text) shown = {0};
    text_add_name(&shown, name);
    return (int)utf8_count(text_string(&shown));
}

/* Rows are indented up to that depth; longer names push their line to the right. */
enum { DEEPEST = 20, WIDEST = 48 };

static int larger(int a, int b)
{
    return a > b ? a : b;
}

static void write_row(const struct bone_row *row, int name_width, int mesh_width, struct text *out)
{
    int indent = 2 * (int)(row->depth < DEEPEST ? row->depth : DEEPEST);
    int written = indent + characters(row->name) + (row->is_bone ? 0 : 2);
    bool holds = false;
    for (uint32_t h = 0; h < row->hold_count; h++)
        holds = holds || row->holds[h].vertices > 0;
    text_addf(out, "  %*s%s", indent, "", row->is_bone ? "" : "(");
    text_add_name(out, row->name);
    text_addf(out, "%s%*s  %-7s", row->is_bone ? "" : ")", larger(name_width - written, 0), "",
              row->color ? row->color : "");
    for (uint32_t h = 0; h < row->hold_count || h == 0; h++) {
        const struct bone_hold *hold = &row->holds[h];
        if (h > 0)
            text_addf(out, "\n%*s", name_width + 11, "");
        if (h < row->hold_count) {
            text_addf(out, "  %7u  ", hold->palette);
            text_add_name(out, hold->label);
            text_addf(out, "%*s  %8u", larger(mesh_width - characters(hold->label), 0), "", hold->vertices);
            if (hold->vertices > 0)
                text_addf(out, "  %10.3f  %7.4f  %6.2f%%  %10.4f", (double)hold->sum, (double)hold->largest,
                          100.0 * (double)hold->share, (double)hold->influence_radius);
            else
                text_addf(out, "  %10s  %7s  %6s   %10s", "-", "-", "-", "-");
        }
        if (h == 0)
            text_addf(out, "%s%s%s", row->is_leaf ? "  leaf" : "", row->is_end ? "  end" : "",
                      row->is_bone && !holds ? "  no weights" : "");
    }
    while (out->data[out->size - 1] == ' ')
        out->data[--out->size] = '\0';
    text_add(out, "\n");
}

void bones_write_text(const struct scene *scene, struct text *out)
{
    SCOPED_ARENA arena = arena_require(snapshot_bytes(scene));
    const struct bone_account *account = bones_gather(scene, arena);
    int name_width = 4, mesh_width = 4;
    for (uint32_t i = 0; i < account->row_count; i++) {
        const struct bone_row *row = &account->rows[i];
        int indent = 2 * (int)(row->depth < DEEPEST ? row->depth : DEEPEST);
        int length = characters(row->name) + (row->is_bone ? 0 : 2);
        name_width = larger(name_width, indent + (length < WIDEST ? length : WIDEST));
        for (uint32_t h = 0; h < row->hold_count; h++) {
            length = characters(row->holds[h].label);
            mesh_width = larger(mesh_width, length < WIDEST ? length : WIDEST);
        }
    }
    text_add_named(out, "%s (Assimp %s)\n%u bone%s, %u palette entr%s; nodes in parentheses are no bones\n\n",
                   account->model, account->assimp_version, account->bone_count, account->bone_count == 1 ? "" : "s",
                   account->palette_count, account->palette_count == 1 ? "y" : "ies");
    text_addf(out, "  %-*s  colour   palette  %-*s  vertices         sum  largest    share       reach\n", name_width,
              "node", mesh_width, "mesh");
    for (uint32_t i = 0; i < account->row_count; i++)
        write_row(&account->rows[i], name_width, mesh_width, out);
    text_addf(out, "\nmeshes: %u\n", account->mesh_count);
    for (uint32_t i = 0; i < account->mesh_count; i++) {
        const struct mesh_weights *mesh = &account->meshes[i];
        text_add_named(out, "  %s: %u vertices, ", mesh->label, mesh->vertices);
        text_add(out, mesh->bones == 0 ? "rigid\n" : "");
        if (mesh->bones == 0)
            continue;
        influences_write_text(mesh->bones, mesh->influences, mesh->influence_slots, out);
        text_addf(out, ";  at most %u\n      weights of a vertex add up to: ", mesh->most_influences);
        text_add_float(out, mesh->least_sum);
        text_add(out, mesh->largest_sum > mesh->least_sum ? " to " : "");
        if (mesh->largest_sum > mesh->least_sum)
            text_add_float(out, mesh->largest_sum);
        text_add(out, "\n");
    }
}

static bool has_bones(const void *mesh, const struct json_place *at)
{
    (void)at;
    return ((const struct mesh_weights *)mesh)->bones > 0;
}

// clang-format off
#define HOLD(member) FIELD_MEMBER(struct bone_hold, member)
static const struct fields holds_table = FIELD_TABLE(struct bone_hold, JSON_INLINE,
    {"palette", FIELD_COUNT, HOLD(palette)},
    {"mesh", FIELD_TEXT, HOLD(mesh)},
    {"vertices", FIELD_COUNT, HOLD(vertices)},
    {"sum", FIELD_FLOAT, HOLD(sum)},
    {"largest", FIELD_FLOAT, HOLD(largest)},
    {"share", FIELD_FLOAT, HOLD(share)},
    {"reach", FIELD_FLOAT, HOLD(influence_radius)},
);

#define ROW(member) FIELD_MEMBER(struct bone_row, member)
static const struct fields rows_table = FIELD_TABLE(struct bone_row, JSON_INLINE,
    {"name", FIELD_TEXT, ROW(name)},
    {"parent", FIELD_TEXT_OR_NULL, ROW(parent)},
    {"depth", FIELD_COUNT, ROW(depth)},
    {"bone", FIELD_BOOL, ROW(is_bone)},
    {"leaf", FIELD_BOOL, ROW(is_leaf)},
    {"end", FIELD_BOOL, ROW(is_end)},
    {"color", FIELD_TEXT_OR_NULL, ROW(color)},
    {"holds", FIELD_ITEMS(struct bone_row, holds, hold_count, holds_table)},
);
#define MESH(member) FIELD_MEMBER(struct mesh_weights, member)
static const struct fields meshes_table = FIELD_TABLE(struct mesh_weights, JSON_INLINE,
    {"name", FIELD_TEXT, MESH(name)},
    {"vertices", FIELD_COUNT, MESH(vertices)},
    {"bones", FIELD_COUNT, MESH(bones)},
    {"influences", FIELD_ITEMS(struct mesh_weights, influences, influence_slots, fields_of_count, .when = has_bones)},
    {"most_influences", FIELD_COUNT, MESH(most_influences), .when = has_bones},
    {"least_sum", FIELD_FLOAT, MESH(least_sum), .when = has_bones},
    {"largest_sum", FIELD_FLOAT, MESH(largest_sum), .when = has_bones},
);

#define ACCOUNT(member) FIELD_MEMBER(struct bone_account, member)
static const struct fields account_table = FIELD_TABLE(struct bone_account, JSON_LINES,
    {"model", FIELD_TEXT, ACCOUNT(model)},
    {"palette", FIELD_COUNT, ACCOUNT(palette_count)},
    {"nodes", FIELD_ITEMS(struct bone_account, rows, row_count, rows_table, .layout = JSON_LINES)},
    {"meshes", FIELD_ITEMS(struct bone_account, meshes, mesh_count, meshes_table, .layout = JSON_LINES)},
);
// clang-format on

void bones_write_json(const struct scene *scene, struct text *out)
{
    SCOPED_ARENA arena = arena_require(snapshot_bytes(scene));
    fields_write_document(BONES_FORMAT, &account_table, JSON_LINES, bones_gather(scene, arena), out);
}
