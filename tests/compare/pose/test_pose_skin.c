/*
 * Skinned meshes of two poses. Four vertices: (-1, 0, 0) and (1, 0, 0) are held by `low`, (-1, 2, 0) and (1, 2, 0) by `high`,
 * where both bones stand still. The radius is half the diagonal of the box, sqrt(2).
 */
#include "compare/require_findings.h"
#include "compare/snapshot_builder.h"

struct quad {
    struct arena *arena;
    struct import_snapshot *import, *actual_import; /* NULL: not known; NULL: the same */
    struct pose_snapshot *golden, *actual;
    struct tolerance tolerance;
    struct findings findings;
    struct pose_errors errors;
    bool is_dual;
};

static const double radius = 1.4142135623730951;
static const vec3 corners[4] = {{-1, 0, 0}, {1, 0, 0}, {-1, 2, 0}, {1, 2, 0}};

static struct import_snapshot *quad_import(struct arena *arena)
{
    static const char *const names[] = {"low", "high"};
    struct import_snapshot *import = ARENA_NEW(arena, struct import_snapshot, 1);
    struct mesh_snapshot *mesh = import->meshes = ARENA_NEW(arena, struct mesh_snapshot, 1);
    *import = (struct import_snapshot){.model = "quad.glb", .up = "y", .mesh_count = 1, .meshes = mesh};
    *mesh = (struct mesh_snapshot){.name = "quad", .vertices = 4, .bone_count = 2, .min = {-1, 0, 0}, .max = {1, 2, 0}};
    mesh->bones = ARENA_NEW(arena, struct bone_snapshot, 2);
    for (int b = 0; b < 2; b++) {
        mesh->bones[b] = (struct bone_snapshot){.bone = names[b], .weights = 2, .sum = 2, .influence_radius = 2.25f};
        mesh->bones[b].centroid[1] = 2.0f * (float)b;
        place(mesh->bones[b].mesh_to_bone, 0, 0, 0, 0, 0);
    }
    return import;
}

static struct pose_snapshot *quad_pose(struct arena *arena)
{
    struct pose_snapshot *pose = ARENA_NEW(arena, struct pose_snapshot, 1);
    *pose = (struct pose_snapshot){
        .model = "quad.glb", .time = 0.25, .space = "scene", .node_count = 2, .palette_count = 2, .skin_count = 1};
    pose->nodes = ARENA_NEW(arena, struct pose_node_snapshot, 2);
    pose->palette = ARENA_NEW(arena, struct palette_snapshot, 2);
    pose->skin = ARENA_NEW(arena, struct skin_snapshot, 1);
    pose->skin[0] = (struct skin_snapshot){"quad", 4, {-1, 0, 0}, {1, 2, 0}, {0, 1, 0}};
    for (int b = 0; b < 2; b++) {
        pose->nodes[b].name = pose->palette[b].bone = b ? "high" : "low";
        pose->palette[b].mesh = "quad";
        place(pose->palette[b].mesh_to_scene, 0, 0, 0, 0, 0);
        place(pose->nodes[b].node_to_scene, 0, 0, 0, 0, 0);
        affine_to_transform(pose->nodes[b].node_to_scene, &pose->nodes[b].local);
    }
    return pose;
}

static struct quad two_quads(void)
{
    static struct arena *last;
    arena_destroy(last);
    struct arena *arena = last = arena_create((size_t)16 << 20, ANY_ERROR);
    return (struct quad){arena, quad_import(arena), NULL, quad_pose(arena), quad_pose(arena), tolerance_defaults};
}

static struct quad two;

static int set_up(void **state)
{
    two = two_quads();
    return 0;
}

#define QUAD_TEST(name) TEST_WITH(name, set_up, NULL)

/* Returns what is said of the skin: the only failing finding, NULL where there is none. */
static const struct finding *compare_them(void)
{
    const struct finding *found = NULL;
    two.findings = (struct findings){.arena = two.arena, .tolerance = &two.tolerance};
    compare_pose(two.golden, two.actual, two.import, two.actual_import, &two.findings, &two.errors);
    compare_skinned(two.golden, two.actual, two.import, two.actual_import, two.is_dual, &two.findings,
                    &two.errors);
    for (size_t i = 0; i < two.findings.count; i++) {
        const struct finding *finding = &two.findings.items[i];
        if (finding->stage != STAGE_SKIN || finding->benign)
            continue;
        assert_null(found);
        found = finding;
    }
    return found;
}

/* `high` and what it holds moves along z. */
static void lift(struct pose_snapshot *pose, float by)
{
    pose->palette[1].mesh_to_scene[3][2] = by;
    pose->skin[0].max[2] = by;
    pose->skin[0].centroid[2] = 0.5f * by;
}

static vec3 *give_vertices(struct pose_snapshot *pose)
{
    vec3 *points = ARENA_NEW(two.arena, vec3, 8);
    struct skin_snapshot *skin = &pose->skin[0];
    memcpy(points, corners, sizeof corners);
    for (int v = 4; v < 8; v++)
        points[v][2] = 1;
    skin->positions = (const vec3 *)points;
    skin->normals = (const vec3 *)points + 4;
    skin->position_count = skin->normal_count = 4;
    return points;
}

QUAD_TEST(boxes_and_centroids_are_compared)
{
    assert_null(compare_them());
    assert_float_equal(two.errors.worst[STAGE_SKIN], 0, 0);
    two.actual->skin[0].max[1] = 2.5f; /* a vertex that no matrix moves */
    const struct finding *finding = compare_them();
    assert_float_equal(finding->displacement, 0.5 / radius, 1e-6);
    assert_float_equal(finding->distance, 0.5, 1e-6);
    assert_float_equal(finding->measure, finding->displacement, 0);
    assert_float_equal(two.errors.worst[STAGE_SKIN], 0.5 / radius, 1e-6);
    assert_true(finding->explained == STAGE_NONE && !finding->unverified);
    assert_true(finding->tolerance == TOLERANCE_SKINNED && tolerance_stage(TOLERANCE_SKINNED) == STAGE_SKIN);
    assert_string_equal(finding->mesh, "quad");
    two = two_quads();
    two.actual->skin[0].min[0] = -1.125f;
    assert_float_equal(compare_them()->distance, 0.125, 1e-6);
    two = two_quads();
    two.actual->skin[0].centroid[0] = 0.25f; /* weights of another order, say */
    assert_float_equal(compare_them()->distance, 0.25, 1e-6);
    assert_true(compare_them()->explained == STAGE_NONE);
}

QUAD_TEST(the_limit_is_that_of_the_palette)
{
    two.actual->skin[0].max[1] += (float)(0.9e-5 * radius);
    assert_null(compare_them());
    two.actual->skin[0].max[1] += (float)(0.3e-5 * radius);
    assert_non_null(compare_them());
    two.tolerance.skin = 1; /* of the GPU against the CPU */
    assert_non_null(compare_them());
    two.tolerance.shell = 1e-4;
    assert_null(compare_them());
    assert_float_equal(two.findings.measured[TOLERANCE_SKINNED], 1.2e-5, 2e-7);
}

/* (sum_b sum_b M_b centroid_b) / n: half the way of what holds half. */
QUAD_TEST(what_the_palette_makes_of_it_is_explained)
{
    lift(two.actual, 1);
    const struct finding *finding = compare_them();
    assert_int_equal(finding->explained, STAGE_PALETTE);
    assert_float_equal(finding->distance, 1, 1e-6);
    two.actual->skin[0].centroid[2] = 0.25f; /* of theirs a bone holds half as much */
    finding = compare_them();
    assert_true(finding->explained == STAGE_NONE && !finding->unverified);
    lift(two.actual, 1);
    two.actual->skin[0].min[0] = -9; /* one vertex of many leaves the centroid where it is, and no matrix moves it there */
    finding = compare_them();
    assert_true(finding->explained == STAGE_NONE && !finding->unverified);
    assert_float_equal(finding->distance, 8, 1e-6);
}

/*
 * What a palette brings about passes when that does. A turn by t about (1, 1, 1) moves the points along the axes by which the
 * palette is judged by 2 sin(t / 2) sqrt(2 / 3) 2.25, and (-1, 2, 0) by 2 sin(t / 2) sqrt(14 / 3), which is 1.18 times more.
 */
QUAD_TEST(what_follows_passes_with_the_palette)
{
    struct transform turn = {{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};
    const double half = 0.005, entry = 2 * sin(half) * sqrt(2.0 / 3) * 2.25, vertex = 2 * sin(half) * sqrt(14.0 / 3);
    for (int k = 0; k < 3; k++)
        turn.rotation[k] = (float)(sin(half) / sqrt(3));
    turn.rotation[3] = (float)cos(half);
    affine_from_transform(&turn, two.actual->palette[1].mesh_to_scene);
    give_vertices(two.golden);
    vec3 *theirs = give_vertices(two.actual);
    for (int v = 2; v < 4; v++)
        for (int k = 0; k < 3; k++)
            theirs[v][k] = two.actual->palette[1].mesh_to_scene[0][k] * corners[v][0] +
                           two.actual->palette[1].mesh_to_scene[1][k] * corners[v][1];
    for (int k = 0; k < 3; k++)
        two.actual->skin[0].centroid[k] = (theirs[2][k] + theirs[3][k]) / 4;
    const struct finding *finding = compare_them();
    assert_int_equal(finding->explained, STAGE_PALETTE);
    assert_float_equal(finding->distance, vertex, 1e-6);
    assert_float_equal(finding->measure, entry / radius, 1e-6);
    two.tolerance.shell = 0.99 * entry / radius;
    assert_non_null(compare_them());
    two.tolerance.shell = 1.01 * entry / radius;
    assert_null(compare_them());
}

QUAD_TEST(without_an_import_it_is_not_verified)
{
    two.import = NULL;
    lift(two.actual, 1);
    assert_true(compare_them()->unverified);
    two = two_quads();
    two.import = NULL;
    two.actual->skin[0].max[1] = 2.5f; /* the palettes are equal: nothing can have brought it about */
    assert_false(compare_them()->unverified);
    two = two_quads(); /* where the golden is no linear skinning, of dual quaternions say */
    two.golden->skin[0].centroid[0] = two.actual->skin[0].centroid[0] = 0.25f;
    lift(two.actual, 1);
    assert_true(compare_them()->unverified && compare_them()->explained == STAGE_NONE);
}

QUAD_TEST(a_mesh_with_one_matrix_needs_no_import)
{
    two.import = NULL;
    two.golden->palette_count = two.actual->palette_count = 1;
    two.actual->palette[0].mesh_to_scene[3][0] = 1;
    for (int k = 0; k < 3; k++) {
        float *const members[] = {two.actual->skin[0].min, two.actual->skin[0].max, two.actual->skin[0].centroid};
        members[k][0] += 1;
    }
    assert_int_equal(compare_them()->explained, STAGE_PALETTE);
    two.actual->skin[0].centroid[0] -= 0.5f;
    assert_int_equal(compare_them()->explained, STAGE_NONE);
}

QUAD_TEST(another_import_explains_what_it_makes)
{
    two.actual_import = quad_import(two.arena);
    for (int b = 0; b < 2; b++) /* their mesh is one unit farther along x */
        two.actual_import->meshes[0].bones[b].centroid[0] = 1;
    two.actual->skin[0] = (struct skin_snapshot){"quad", 4, {0, 0, 0}, {2, 2, 0}, {1, 1, 0}};
    assert_int_equal(compare_them()->explained, STAGE_IMPORT);
    two.actual->skin[0].centroid[0] = 0.75f;
    assert_int_equal(compare_them()->explained, STAGE_NONE);
}

QUAD_TEST(other_morph_weights_leave_it_open)
{
    static const float weights[] = {0, 0.5f};
    for (int i = 0; i < 2; i++) {
        struct pose_snapshot *pose = i ? two.actual : two.golden;
        pose->morphs = ARENA_NEW(two.arena, struct morph_weights_snapshot, 1);
        pose->morphs[0] = (struct morph_weights_snapshot){"quad", "low", 1, &weights[i]};
        pose->morph_count = 1;
    }
    two.actual->skin[0].max[1] = 2.5f;
    assert_true(compare_them()->unverified);
    two.actual->morphs[0].weights = weights;
    assert_false(compare_them()->unverified);
}

/* A golden that is not what its own import gives differs for a reason of its own, whatever their import is. */
QUAD_TEST(another_import_leaves_the_golden_s_fault)
{
    two.actual_import = quad_import(two.arena);
    for (int b = 0; b < 2; b++)
        two.actual_import->meshes[0].bones[b].centroid[0] = 1;
    two.actual->skin[0] = (struct skin_snapshot){"quad", 4, {0, 0, 0}, {2, 2, 0}, {1, 1, 0}};
    two.golden->skin[0].centroid[2] = 0.5f;
    assert_int_equal(compare_them()->explained, STAGE_NONE);
    assert_false(compare_them()->unverified);
    two.is_dual = true; /* and theirs is not bent here */
    assert_true(compare_them()->unverified);
}

/* The quad without bones on `low`; a target moves its upper vertices by 1 along z, all of them by half of that in the mean. */
static void make_rigid(float weight_was, float weight_now)
{
    struct pose_snapshot *const poses[] = {two.golden, two.actual};
    two.actual_import = quad_import(two.arena);
    for (int i = 0; i < 2; i++) {
        struct mesh_snapshot *mesh = i ? two.actual_import->meshes : two.import->meshes;
        float *weight = ARENA_NEW(two.arena, float, 1);
        *weight = i ? weight_now : weight_was;
        mesh->bone_count = 0;
        mesh->positions.width = 3;
        mesh->morph_targets = mesh->target_count = 1;
        mesh->targets = ARENA_NEW(two.arena, struct target_snapshot, 1);
        mesh->targets[0] = (struct target_snapshot){.name = "bulge", .moved = 2, .largest = 1, .mean = {0, 0, 0.5f}};
        poses[i]->palette_count = 1;
        poses[i]->morphs = ARENA_NEW(two.arena, struct morph_weights_snapshot, 1);
        poses[i]->morphs[0] = (struct morph_weights_snapshot){"quad", "low", 1, weight};
        poses[i]->morph_count = 1;
        poses[i]->skin[0].max[2] = *weight;
        poses[i]->skin[0].centroid[2] = *weight / 2;
    }
}

QUAD_TEST(a_rigid_mesh_is_explained_by_its_vertices)
{
    make_rigid(0, 0);
    assert_null(compare_them());
    two.actual_import->meshes[0].max[0] = two.actual->skin[0].max[0] =
        3; /* a vertex is farther along x: half as much in the mean */
    two.actual->skin[0].centroid[0] = 0.5f;
    struct mesh_snapshot *theirs = two.actual_import->meshes; /* the middle of the box is at 1 */
    theirs->positions.moments[0] = -0.5f * 2 / sqrtf(16 + 4);
    assert_int_equal(compare_them()->explained, STAGE_IMPORT);
    two.actual->skin[0].centroid[0] = 1;
    assert_true(compare_them()->explained == STAGE_NONE && !compare_them()->unverified);
}

QUAD_TEST(morph_weights_explain_a_rigid_mesh)
{
    make_rigid(0.25f, 0.75f);
    const struct finding *finding = compare_them();
    assert_int_equal(finding->explained, STAGE_ANIMATE);
    assert_float_equal(finding->distance, 0.5, 1e-6);
    two.actual->skin[0].max[2] = 1;                                /* farther than the target moves a vertex */
    assert_int_equal(compare_them()->explained, STAGE_IMPORT); /* which has its own say */
    two.actual_import = NULL;
    assert_int_equal(compare_them()->explained, STAGE_NONE);
    two.actual->skin[0].centroid[2] = 0; /* not morphed at all */
    assert_true(compare_them()->explained == STAGE_NONE && !compare_them()->unverified);
}

QUAD_TEST(counts_are_compared)
{
    two.actual->skin[0].vertices = 5;
    two.actual->skin[0].centroid[0] = 0.25f; /* the mean of others */
    const struct finding *finding = compare_them();
    assert_true(finding->code == CODE_SKIN_COUNT && finding->now == 5 && finding->was == 4);
    assert_true(isinf(finding->measure) && finding->explained == STAGE_IMPORT);
    two = two_quads();
    two.actual->skin_count = 0;
    finding = compare_them();
    assert_int_equal(finding->code, CODE_SKIN_MESH);
    assert_string_equal(finding->part, "missing");
    two = two_quads();
    two.actual->skin[0].mesh = "quad-0"; /* an importer's part of it */
    assert_null(compare_them());
    assert_true(two.findings.count > 0);
}

QUAD_TEST(every_vertex_is_compared)
{
    give_vertices(two.golden);
    vec3 *theirs = give_vertices(two.actual);
    assert_null(compare_them());
    theirs[2][0] += 0.25f; /* inside the box, and the centroid is not theirs to say */
    const struct finding *finding = compare_them();
    assert_float_equal(finding->distance, 0.25, 1e-6);
    assert_true(finding->code == CODE_SKIN_VERTEX && finding->index == 2 && finding->count == 1 && finding->of == 4);
    memcpy(theirs, corners, sizeof corners);
    theirs[7][1] = (float)sin(12 * degree); /* a normal, turned by 12 degrees */
    theirs[7][2] = (float)cos(12 * degree);
    finding = compare_them();
    assert_float_equal(finding->degrees, 12, 1e-4);
    assert_float_equal(finding->measure, 0.012, 1e-6);
    assert_float_equal(finding->displacement, 0, 0);
    two.tolerance.shell = 0.013;
    assert_null(compare_them());
    two.tolerance.shell = 1e-5;
    theirs[7][1] = (float)sin(0.09 * degree);
    theirs[7][2] = 1;
    assert_null(compare_them());
}

/* Importers order and split vertices as they like: as sets they are the same. */
QUAD_TEST(another_order_is_no_difference)
{
    give_vertices(two.golden);
    vec3 *theirs = give_vertices(two.actual);
    for (int v = 0; v < 4; v++)
        memcpy(theirs[v], corners[3 - v], sizeof(vec3));
    theirs[5][2] = -1;
    assert_null(compare_them());
    assert_true(require_code(&two.findings, CODE_SKIN_ORDER, "quad")->benign);
    theirs[5][2] = 1;
    two.actual->skin[0].is_in_order = true; /* as was seen at another time: they are where others belong */
    assert_int_equal(compare_them()->code, CODE_SKIN_VERTEX);
    two.actual->skin[0].is_in_order = false;
    theirs[1][1] += 0.5f;
    assert_non_null(compare_them());
    two.actual->skin[0].position_count = 3; /* as a set: of the golden's the fourth is 2 away, along x or y */
    memcpy(theirs, corners, sizeof corners);
    assert_float_equal(compare_them()->distance, 2, 1e-6);
    two.actual->skin[0].position_count = 4;
    two.golden->skin[0].position_count = 3;
    assert_float_equal(compare_them()->distance, 2, 1e-6);
}

QUAD_TEST(a_side_without_vertices_is_compared_by_its_box)
{
    give_vertices(two.golden);
    assert_null(compare_them());
    assert_string_equal(require_code(&two.findings, CODE_SKIN_POSITIONS, "quad")->part, "the golden");
    two.actual->skin[0].max[1] = 2.5f;
    assert_non_null(compare_them());
}
