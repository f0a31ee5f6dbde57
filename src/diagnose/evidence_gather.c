/* Theirs, found in the scene: of equal names the k-th of theirs is the scene's k-th. */
#include <math.h>
#include <string.h>

#include "base/sort.h"
#include "data/record/matching.h"
#include "data/vector.h"
#include "diagnose/evidence.h"

enum { VERTICES_MOST = 1500, ORDER_SAMPLE = 40 }; /* of all instances together: spread evenly */

static bool is_finite(const struct matrix *m)
{
    bool finite = true;
    for (int i = 0; i < 16; i++)
        finite = finite && isfinite(m->at[i / 4][i % 4]);
    return finite;
}

static double scale_of(const struct matrix *m)
{
    double scale = cbrt(fabs(matrix_determinant(m)));
    return scale > 1e-12 && isfinite(scale) ? scale : 1;
}

/* The model at rest: half the diagonal of its vertices, or of its nodes. */
static double model_radius(const struct scene *scene, const struct replay *replay)
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY}, size = 0;
    for (uint32_t b = 0; b < scene->binding_count; b++) {
        const struct mesh *mesh = &scene->meshes[scene->instances[scene->bindings[b].instance].mesh];
        struct matrix offset = matrix_from(scene->bindings[b].mesh_to_bone);
        struct matrix entry = matrix_mul(replay_rest(replay, scene->bindings[b].node), &offset);
        uint32_t count = mesh->influence_first ? mesh->influence_first[mesh->vertex_count] : mesh->vertex_count;
        if (mesh->influence_first && b != scene->instances[scene->bindings[b].instance].first_binding)
            continue; /* a skinned mesh is placed by its first bone: near enough for a size */
        for (uint32_t v = 0; v < mesh->vertex_count && count > 0; v++)
            for (int k = 0; k < 3; k++) {
                const float *p = mesh->positions[v];
                double at = entry.at[0][k] * p[0] + entry.at[1][k] * p[1] + entry.at[2][k] * p[2] + entry.at[3][k];
                low[k] = fmin(low[k], at);
                high[k] = fmax(high[k], at);
            }
    }
    bool has_vertices = low[0] <= high[0];
    for (uint32_t n = 0; n < scene->node_count && !has_vertices; n++)
        for (int k = 0; k < 3; k++) {
            low[k] = fmin(low[k], replay_rest(replay, n)->at[3][k]);
            high[k] = fmax(high[k], replay_rest(replay, n)->at[3][k]);
        }
    for (int k = 0; k < 3; k++)
        size += (high[k] - low[k]) * (high[k] - low[k]);
    double radius = 0.5 * sqrt(size);
    return radius > 1e-9 && isfinite(radius) ? radius : 1e-9;
}

/* reach[binding_count]: in bone space, of the farthest vertex that the bone holds, at least 3 % of the model's
 * radius. */
static double *bone_reaches(const struct scene *scene, const struct replay *replay, double radius, struct arena *arena)
{
    double *reach = ARENA_NEW(arena, double, scene->binding_count);
    for (uint32_t i = 0; i < scene->instance_count; i++) {
        const struct instance *instance = &scene->instances[i];
        const struct mesh *mesh = &scene->meshes[instance->mesh];
        for (uint32_t v = 0; v < mesh->vertex_count && mesh->bone_count > 0; v++)
            for (uint32_t k = mesh->influence_first[v]; k < mesh->influence_first[v + 1]; k++) {
                uint32_t b = instance->first_binding + mesh->influences[k].bone;
                const vec4 *m = scene->bindings[b].mesh_to_bone;
                vec3 at;
                affine_point(m, mesh->positions[v], at);
                reach[b] = fmax(reach[b], vec3_length(at));
            }
    }
    for (uint32_t b = 0; b < scene->binding_count; b++) {
        double least = 0.03 * radius / scale_of(replay_rest(replay, scene->bindings[b].node));
        reach[b] = fmax(reach[b], least);
        reach[b] = isfinite(reach[b]) ? reach[b] : least;
    }
    return reach;
}

static void gather_nodes(struct evidence *e, const struct replay *replay, struct arena *arena)
{
    const struct scene *scene = e->input->scene;
    const struct pose_snapshot *theirs = e->input->theirs;
    const struct match_list nodes = MATCH_NAMES(scene->nodes, scene->node_count, arena),
                            named = MATCH_NAMES(theirs->nodes, theirs->node_count, arena);
    const int32_t *found = match_by_name(&nodes, &named, MATCH_NEED_CONTEXT, arena).to_golden;
    double *reach = ARENA_NEW(arena, double, scene->node_count);
    for (uint32_t b = 0; b < scene->binding_count; b++)
        reach[scene->bindings[b].node] = fmax(reach[scene->bindings[b].node], e->reaches[b]);
    e->locals = ARENA_NEW(arena, struct given_local, scene->node_count);
    e->globals = ARENA_NEW(arena, struct given_matrix, scene->node_count);
    for (uint32_t i = 0; i < theirs->node_count; i++) {
        const struct pose_node_snapshot *node = &theirs->nodes[i];
        unsigned left_out = node->left_out | theirs->left_out;
        const int32_t n = found[i];
        if (n == NO_INDEX || (left_out & POSE_NODES) == POSE_NODES)
            continue;
        int32_t parent = scene->nodes[n].parent;
        double above = parent == NO_INDEX ? 1 : scale_of(replay_rest(replay, (uint32_t)parent));
        double scale = scale_of(replay_rest(replay, (uint32_t)n));
        if (!(left_out & POSE_LOCAL)) {
            mat4 local;
            affine_from_transform(&node->local, local);
            e->locals[e->local_count++] = (struct given_local){
                (uint32_t)n, matrix_from((const float(*)[4])local), node->local, e->radius / scale, above};
        }
        if (!(left_out & POSE_GLOBAL)) {
            struct given_matrix *to = &e->globals[e->global_count++];
            *to = (struct given_matrix){(uint32_t)n, matrix_from((const float(*)[4])node->node_to_scene), {{0}}, 1};
            evidence_points((const double[3]){0, 0, 0}, fmax(reach[n], 0.03 * e->radius / scale), to->points);
        }
    }
}

static int compare_given(const void *a, const void *b)
{
    const struct given_matrix *x = a, *y = b;
    return (x->about > y->about) - (x->about < y->about);
}

/* Sets the points of an entry, in mesh space: around the bone's origin, as far as its vertices are. */
void evidence_entry_points(const struct evidence *e, struct given_matrix *entry)
{
    const struct scene *scene = e->input->scene;
    const uint32_t b = entry->about;
    struct matrix offset = matrix_from(scene->bindings[b].mesh_to_bone), back = matrix_inverse(&offset);
    const struct mesh *mesh = &scene->meshes[scene->instances[scene->bindings[b].instance].mesh];
    double center[3] = {0, 0, 0}, size = 0;
    for (uint32_t v = 0; v < mesh->vertex_count && (!is_finite(&back) || mesh->bone_count == 0); v++)
        size = fmax(size, vec3_length(mesh->positions[v]));
    for (int k = 0; k < 3 && is_finite(&back); k++)
        center[k] = back.at[3][k];
    evidence_points(center, size > 0 ? size : e->reaches[b] * scale_of(&back), entry->points);
}

static void gather_entries(struct evidence *e, struct arena *arena)
{
    const struct scene *scene = e->input->scene;
    const struct pose_snapshot *theirs = e->input->theirs;
    const struct match_list entries =
        MATCH_LIST(struct palette_snapshot, theirs->palette, theirs->palette_count, bone, mesh, arena);
    struct match_list bindings = match_list_create(scene->binding_count, arena);
    for (uint32_t b = 0; b < scene->binding_count; b++)
        bindings.keys[b] =
            (struct match_key){scene->nodes[scene->bindings[b].node].name,
                               scene->meshes[scene->instances[scene->bindings[b].instance].mesh].name, NULL};
    const int32_t *found = match_by_name(&bindings, &entries, MATCH_NEED_CONTEXT, arena).to_golden;
    e->entries = ARENA_NEW(arena, struct given_matrix, scene->binding_count);
    for (uint32_t i = 0; i < theirs->palette_count && !(theirs->left_out & POSE_PALETTE); i++) {
        if (found[i] == NO_INDEX || theirs->palette[i].is_ours)
            continue;
        struct given_matrix *to = &e->entries[e->entry_count++];
        *to = (struct given_matrix){
            (uint32_t)found[i], matrix_from((const float(*)[4])theirs->palette[i].mesh_to_scene), {{0}}, 1};
        evidence_entry_points(e, to);
    }
    sort_items(e->entries, e->entry_count, sizeof *e->entries, compare_given);
}

static void take_vertex(struct given_vertex *to, const float *position, const float *normal)
{
    memcpy(to->position, position, sizeof to->position);
    to->has_normal = normal;
    if (normal)
        memcpy(to->normal, normal, sizeof to->normal);
}

static void gather_vertices(struct evidence *e, struct arena *arena)
{
    const struct scene *scene = e->input->scene;
    const struct pose_snapshot *theirs = e->input->theirs;
    const struct match_list named = MATCH_NAMES(theirs->skin, theirs->skin_count, arena);
    struct match_list instances = match_list_create(scene->instance_count, arena);
    uint64_t all = 0;
    for (uint32_t i = 0; i < scene->instance_count; i++) {
        instances.keys[i].name = scene->meshes[scene->instances[i].mesh].name;
        all += scene->meshes[scene->instances[i].mesh].vertex_count;
    }
    const int32_t *found = match_by_name(&instances, &named, MATCH_NEED_CONTEXT, arena).to_golden;
    uint32_t stride = (uint32_t)(all / VERTICES_MOST) + 1;
    e->vertices = ARENA_NEW(arena, struct given_vertex, all / stride + scene->instance_count + 1);
    for (uint32_t i = 0; i < theirs->skin_count && !(theirs->left_out & POSE_SKIN); i++) {
        const struct skin_snapshot *skin = &theirs->skin[i];
        const int32_t instance = found[i];
        uint32_t count = instance == NO_INDEX ? 0 : scene->meshes[scene->instances[instance].mesh].vertex_count;
        for (uint32_t v = 0; v < count && skin->position_count > 0; v += stride) {
            struct given_vertex *to = &e->vertices[e->vertex_count++];
            /* of another number of vertices any, until they are in order */
            const uint32_t number = v % skin->position_count;
            *to = (struct given_vertex){.instance = (uint32_t)instance, .vertex = v};
            take_vertex(to, skin->positions[number],
                        skin->normal_count == skin->position_count ? skin->normals[number] : NULL);
        }
        e->is_unordered = e->is_unordered || (count > 0 && !skin->is_in_order);
    }
}

static bool unit_is_finite(const struct evidence *e, const struct unit *unit)
{
    bool finite = unit->local == NO_INDEX || is_finite(&e->locals[unit->local].theirs);
    finite = finite && (unit->global == NO_INDEX || is_finite(&e->globals[unit->global].theirs));
    for (uint32_t i = 0; i < unit->entry_count; i++)
        finite = finite && is_finite(&e->entries[unit->first_entry + i].theirs);
    if (unit->vertex != NO_INDEX) {
        const struct given_vertex *vertex = &e->vertices[unit->vertex];
        finite = vec3_is_finite(vertex->position) && (!vertex->has_normal || vec3_is_finite(vertex->normal));
    }
    return finite;
}

/* Measures what the reference is off by. */
static void measure_reference(struct evidence *e, struct replay *replay)
{
    e->is_finite = true;
    e->differ_count = 0;
    e->rounding = 0;
    replay_set(replay, &(struct variant){.list = NULL});
    for (uint32_t i = 0; i < e->unit_count; i++) {
        e->units[i].is_finite = unit_is_finite(e, &e->units[i]);
        e->is_finite = e->is_finite && e->units[i].is_finite;
        e->units[i].was = e->units[i].is_finite ? evidence_measure(e, replay, &e->units[i]) : 0;
        e->differ_count += e->units[i].was > e->tolerance;
        e->rounding += 2e-6 * fmin(e->units[i].was, 1e3) / e->unit_count;
    }
}

void evidence_index(struct evidence *e, struct replay *replay, struct arena *arena)
{
    const struct scene *scene = e->input->scene;
    int32_t *unit_of = ARENA_NEW(arena, int32_t, scene->node_count);
    struct unit *of_node = ARENA_NEW(arena, struct unit, scene->node_count);
    e->units = ARENA_NEW(arena, struct unit, (size_t)scene->node_count + e->vertex_count);
    e->unit_count = 0;
    for (uint32_t n = 0; n < scene->node_count; n++)
        of_node[n] = (struct unit){.node = n, .local = NO_INDEX, .global = NO_INDEX, .vertex = NO_INDEX};
    for (uint32_t i = 0; i < e->local_count; i++)
        of_node[e->locals[i].node].local = (int32_t)i;
    for (uint32_t i = 0; i < e->global_count; i++)
        of_node[e->globals[i].about].global = (int32_t)i;
    /* by node, so that a node's entries are in a row */
    struct given_matrix *sorted = ARENA_NEW(arena, struct given_matrix, e->entry_count);
    for (uint32_t i = 0; i < e->entry_count; i++)
        of_node[scene->bindings[e->entries[i].about].node].entry_count++;
    uint32_t first = 0;
    for (uint32_t n = 0; n < scene->node_count; n++) {
        of_node[n].first_entry = first;
        first += of_node[n].entry_count;
    }
    for (uint32_t i = 0; i < e->entry_count; i++) {
        uint32_t node = scene->bindings[e->entries[i].about].node;
        sorted[of_node[node].first_entry + (uint32_t)unit_of[node]++] = e->entries[i];
    }
    e->entries = sorted;
    for (uint32_t n = 0; n < scene->node_count; n++)
        if (of_node[n].local != NO_INDEX || of_node[n].global != NO_INDEX || of_node[n].entry_count > 0)
            e->units[e->unit_count++] = of_node[n];
    e->bone_units = e->unit_count;
    for (uint32_t v = 0; v < e->vertex_count; v++)
        e->units[e->unit_count++] = (struct unit){.local = NO_INDEX, .global = NO_INDEX, .vertex = (int32_t)v};
    measure_reference(e, replay);
}

struct evidence *evidence_only(const struct evidence *whole, enum evidence_kind kind, struct replay *replay,
                               struct arena *arena)
{
    struct evidence *e = ARENA_NEW(arena, struct evidence, 1);
    *e = *whole;
    e->units = ARENA_NEW(arena, struct unit, whole->unit_count);
    e->unit_count = e->bone_units = 0;
    e->is_strict = kind == EVIDENCE_LOCALS;
    e->local_count = kind == EVIDENCE_LOCALS ? e->local_count : 0;
    e->global_count = kind == EVIDENCE_GLOBALS ? e->global_count : 0;
    e->entry_count = kind == EVIDENCE_ENTRIES ? e->entry_count : 0;
    e->vertex_count = kind == EVIDENCE_VERTICES ? e->vertex_count : 0;
    for (uint32_t i = 0; i < whole->unit_count; i++) {
        struct unit unit = whole->units[i];
        unit.local = e->local_count > 0 ? unit.local : NO_INDEX;
        unit.global = e->global_count > 0 ? unit.global : NO_INDEX;
        unit.entry_count = e->entry_count > 0 ? unit.entry_count : 0;
        unit.vertex = e->vertex_count > 0 ? unit.vertex : NO_INDEX;
        if (unit.local == NO_INDEX && unit.global == NO_INDEX && unit.entry_count == 0 && unit.vertex == NO_INDEX)
            continue;
        e->units[e->unit_count++] = unit;
        e->bone_units += unit.vertex == NO_INDEX;
    }
    measure_reference(e, replay);
    return e;
}

struct evidence *evidence_components(const struct evidence *whole, unsigned components, struct replay *replay,
                                     struct arena *arena)
{
    struct evidence masked = *whole;
    masked.locals = ARENA_NEW(arena, struct given_local, whole->local_count);
    for (uint32_t i = 0; i < whole->local_count; i++) {
        masked.locals[i] = whole->locals[i];
        masked.locals[i].theirs = transform_components(&whole->locals[i].parts, components);
    }
    replay_keep_components(replay, components);
    return evidence_only(&masked, EVIDENCE_LOCALS, replay, arena);
}

struct evidence *evidence_gather(const struct diagnosis_input *input, struct replay *replay, struct arena *arena)
{
    struct evidence *e = ARENA_NEW(arena, struct evidence, 1);
    e->input = input;
    e->radius = model_radius(input->scene, replay);
    e->tolerance = input->tolerance > 0 ? input->tolerance : 1e-5;
    e->reaches = bone_reaches(input->scene, replay, e->radius, arena);
    gather_nodes(e, replay, arena);
    gather_entries(e, arena);
    gather_vertices(e, arena);
    evidence_index(e, replay, arena);
    return e;
}

/* One of theirs; all of them are sorted by x. */
struct placed {
    const float *point, *normal; /* or NULL */
    bool is_found;
};

static int compare_placed(const void *a, const void *b)
{
    const float x = ((const struct placed *)a)->point[0], y = ((const struct placed *)b)->point[0];
    return (x > y) - (x < y);
}

static void sort_theirs(struct evidence *e, struct arena *arena)
{
    const struct pose_snapshot *theirs = e->input->theirs;
    for (uint32_t i = 0; i < theirs->skin_count; i++)
        e->placed_count += theirs->skin[i].position_count;
    struct placed *to = e->placed = ARENA_NEW(arena, struct placed, e->placed_count);
    for (uint32_t i = 0; i < theirs->skin_count; i++)
        for (uint32_t v = 0; v < theirs->skin[i].position_count; v++)
            *to++ = (struct placed){theirs->skin[i].positions[v],
                                    v < theirs->skin[i].normal_count ? theirs->skin[i].normals[v] : NULL, false};
    sort_items(e->placed, e->placed_count, sizeof *to, compare_placed);
}

/* Theirs where the replay has a vertex, of several that with the nearest normal; NULL: there is none. */
static const struct placed *find_vertex(struct evidence *e, struct replay *replay, uint32_t instance, uint32_t vertex)
{
    double position[3], normal[3], least = INFINITY;
    const struct placed *best = NULL;
    if (!replay_vertex(replay, instance, vertex, position, normal))
        return NULL;
    const vec3 at = {(float)position[0], (float)position[1], (float)position[2]};
    const double within = e->tolerance * fmax(e->radius, 0.02 * vec3_length(at));
    const float first = nextafterf((float)(position[0] - within), -INFINITY); /* rounded away from the point */
    const struct placed key = {.point = &first};
    size_t low = lower_bound(&key, e->placed, e->placed_count, sizeof key, compare_placed);
    for (; low < e->placed_count && (double)e->placed[low].point[0] <= position[0] + within; low++) {
        struct placed *placed = &e->placed[low];
        double gap = vec3_distance(placed->point, at);
        if (gap > within)
            continue;
        placed->is_found = true;
        for (int k = 0; k < 3 && placed->normal; k++)
            gap += fabs(normal[k] - (double)placed->normal[k]);
        best = gap < least ? placed : best;
        least = fmin(least, gap);
    }
    return best;
}

bool evidence_order(struct evidence *e, struct replay *replay, const struct variant *variant, struct arena *arena)
{
    const struct scene *scene = e->input->scene;
    const uint32_t step = e->vertex_count / ORDER_SAMPLE + 1; /* a few first: most variants have another shape */
    if (!e->is_unordered)
        return false;
    if (!e->placed)
        sort_theirs(e, arena);
    replay_set(replay, variant);
    for (uint32_t i = 0; i < e->vertex_count; i += step)
        if (!find_vertex(e, replay, e->vertices[i].instance, e->vertices[i].vertex))
            return false;
    for (uint32_t i = 0; i < e->placed_count; i++)
        e->placed[i].is_found = false;
    for (uint32_t i = 0; i < e->vertex_count; i++) {
        const uint32_t instance = e->vertices[i].instance;
        const uint32_t count = scene->meshes[scene->instances[instance].mesh].vertex_count;
        for (uint32_t v = 0; v < count && (i == 0 || e->vertices[i - 1].instance != instance); v++)
            if (!find_vertex(e, replay, instance, v))
                return false;
    }
    for (uint32_t i = 0; i < e->placed_count; i++)
        if (!e->placed[i].is_found)
            return false;
    for (uint32_t i = 0; i < e->vertex_count; i++) {
        const struct placed *found = find_vertex(e, replay, e->vertices[i].instance, e->vertices[i].vertex);
        take_vertex(&e->vertices[i], found->point, found->normal);
    }
    e->is_unordered = false;
    evidence_index(e, replay, arena);
    return true;
}
