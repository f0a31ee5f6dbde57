/* A subject's numbers come back as the reference's whatever its conventions are; a mistake stays one. */
#include "cmocka_setup.h"

#include "base/arena.h"
#include "subject_pose.h"

/* What the subject does to the reference. */
struct engine {
    enum storage storage;
    struct map left, right;  /* of globals and palette: left * ours * inverse(right) */
    struct map palette_left; /* besides, of the palette */
    bool gives_nodes, gives_palette, gives_skin, gives_locals;
    const char *(*rename)(struct arena *arena, const char *name);
    bool is_flat, is_scene_list; /* palette without names; each bone once */
    int wrong_entry;             /* off by a unit; -1: none */
};

static const struct engine plain = {.storage = STORAGE_ROWS3X4,
                                    .left = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}},
                                    .right = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}},
                                    .palette_left = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}},
                                    .gives_nodes = true,
                                    .gives_palette = true,
                                    .wrong_entry = -1};

static const struct subject_spec spec = {.name = "test"};
static const char *const nameless[POSE_NODES_COUNT] = {"nodes[0]", "nodes[1]", "nodes[2]", "nodes[3]", "nodes[4]"};

static struct raw_matrix store(const struct map *map, enum storage storage)
{
    struct raw_matrix raw = {.count = storage == STORAGE_ROWS3X4 ? 12 : 16};
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 4; c++)
            raw.numbers[storage == STORAGE_COLUMNS ? 4 * c + r : 4 * r + c] = (float)map->m[r][c];
    if (raw.count == 16)
        raw.numbers[15] = 1;
    return raw;
}

static struct raw_matrix convert(const struct engine *e, const mat4 ours, bool of_palette)
{
    struct map back, map = map_from(ours);
    assert_true(map_inverse(&e->right, &back));
    map = map_mul(&e->left, &map);
    map = map_mul(&map, &back);
    if (of_palette)
        map = map_mul(&e->palette_left, &map);
    return store(&map, e->storage);
}

static struct subject_answer answer_of(const struct engine *e, const struct made *m, struct arena *arena)
{
    struct subject_answer a = {.has = (e->gives_nodes ? SUBJECT_NODES : 0) | (e->gives_palette ? SUBJECT_PALETTE : 0) |
                                      (e->gives_skin ? SUBJECT_SKIN : 0)};
    a.nodes = ARENA_NEW(arena, struct subject_node, POSE_NODES_COUNT);
    a.entries = ARENA_NEW(arena, struct subject_entry, POSE_ENTRIES);
    for (int i = 0; i < POSE_NODES_COUNT && e->gives_nodes; i++) {
        struct subject_node *node = &a.nodes[a.node_count++];
        node->name = e->rename ? e->rename(arena, m->nodes[i].name) : m->nodes[i].name;
        node->parent = i > 0 ? a.nodes[i - 1].name : NULL;
        node->transform = m->nodes[i].local;
        node->has_transform = e->gives_locals;
        if (!e->gives_locals)
            node->global = convert(e, m->nodes[i].node_to_scene, false);
    }
    for (int i = 0; i < POSE_ENTRIES && e->gives_palette; i++) {
        if (e->is_scene_list && i >= 4)
            break;
        struct subject_entry *entry = &a.entries[a.entry_count++];
        struct palette_snapshot was = m->palette[i];
        was.mesh_to_scene[3][0] += i == e->wrong_entry ? 1.0f : 0.0f;
        entry->matrix = convert(e, was.mesh_to_scene, true);
        if (!e->is_flat)
            entry->bone = e->rename ? e->rename(arena, was.bone) : was.bone;
        if (!e->is_flat && !e->is_scene_list)
            entry->mesh = was.mesh;
    }
    if (e->gives_skin) {
        vec3 *points = ARENA_NEW(arena, vec3, POSE_VERTICES);
        a.skin = ARENA_NEW(arena, struct skin_snapshot, a.skin_count = 1);
        for (int v = 0; v < POSE_VERTICES; v++)
            for (int r = 0; r < 3; r++)
                points[v][r] = (float)(e->left.m[r][0] * (double)m->positions[v][0] +
                                       e->left.m[r][1] * (double)m->positions[v][1] +
                                       e->left.m[r][2] * (double)m->positions[v][2] + e->left.m[r][3]);
        *a.skin = skin_summarise(&(struct skinned){0, POSE_VERTICES, points, NULL});
        a.skin->positions = (const vec3 *)points;
        a.skin->position_count = POSE_VERTICES;
    }
    return a;
}

/* The largest difference of a number, relative to what is there. */
static double difference_of(const struct pose_snapshot *a, const struct pose_snapshot *b, bool of_nodes)
{
    double worst = 0;
    assert_int_equal(a->node_count, b->node_count);
    for (uint32_t i = 0; i < a->node_count && of_nodes; i++)
        for (int k = 0; k < 16; k++)
            worst =
                fmax(worst,
                     fabs((double)(a->nodes[i].node_to_scene[k / 4][k % 4] - b->nodes[i].node_to_scene[k / 4][k % 4])));
    for (uint32_t i = 0; i < a->node_count && of_nodes; i++)
        for (int k = 0; k < 3; k++)
            worst = fmax(worst, fabs((double)(a->nodes[i].local.translation[k] - b->nodes[i].local.translation[k])));
    if (a->palette_count == b->palette_count && !of_nodes)
        for (uint32_t i = 0; i < a->palette_count; i++)
            for (int k = 0; k < 16; k++)
                worst = fmax(worst, fabs((double)(a->palette[i].mesh_to_scene[k / 4][k % 4] -
                                                  b->palette[i].mesh_to_scene[k / 4][k % 4])));
    return worst;
}

/* Solved at time 0, then held at time 1. */
struct outcome_of {
    struct made rest, later;
    struct normalised at_rest, after;
    struct subject_solution solution;
    char told[512];
};

static void run_engine(const struct engine *e, const struct engine *then, const struct subject_conventions *declared,
                       struct arena *arena, struct outcome_of *out)
{
    struct error err = {0};
    struct text text = {0};
    struct subject subject = {.spec = &spec};
    if (declared)
        subject.hello.conventions = *declared;
    made_pose(&out->rest, 0);
    made_pose(&out->later, 1);
    memset(&out->solution, 0, sizeof out->solution);
    struct subject_answer first = answer_of(e, &out->rest, arena), second = answer_of(then, &out->later, arena);
    if (!subject_normalise(&subject, &first, &out->rest.pose, &out->rest.import, &out->solution, arena, &out->at_rest,
                           &err) ||
        !subject_normalise(&subject, &second, &out->later.pose, &out->later.import, &out->solution, arena, &out->after,
                           &err))
        fail_msg("%s", err.text);
    subject_tell_solution(&out->solution, &text);
    snprintf(out->told, sizeof out->told, "%s", text_string(&text));
    text_release(&text);
}

static struct arena *arena;
static struct outcome_of o;

static int setup(void **state)
{
    arena = arena_require((size_t)1 << 28);
    return 0;
}

static int teardown(void **state)
{
    arena_destroy(arena);
    return 0;
}

static void assert_agrees(const struct engine *e, const struct subject_conventions *declared, const char *told)
{
    run_engine(e, e, declared, arena, &o);
    for (int later = 0; later < 2; later++) {
        const struct pose_snapshot *ours = later ? &o.later.pose : &o.rest.pose,
                                   *theirs = later ? o.after.pose : o.at_rest.pose;
        if (e->gives_nodes && difference_of(ours, theirs, true) > 2e-5)
            fail_msg("nodes differ by %g (%s)", difference_of(ours, theirs, true), o.told);
        assert_int_equal(theirs->palette_count, ours->palette_count);
        if (difference_of(ours, theirs, false) > 2e-5)
            fail_msg("palettes differ by %g (%s)", difference_of(ours, theirs, false), o.told);
        for (int v = 0; v < POSE_VERTICES && e->gives_skin; v++)
            for (int k = 0; k < 3; k++)
                assert_true(fabsf(theirs->skin[0].positions[v][k] - ours->skin[0].positions[v][k]) < 1e-4f);
    }
    assert_string_equal(o.told, told);
}

static void storage_is_seen(void **state)
{
    struct engine e = plain;
    assert_agrees(&e, NULL, "");
    e.storage = STORAGE_ROWS;
    assert_agrees(&e, NULL, "matrices are stored as rows");
    e.storage = STORAGE_COLUMNS;
    assert_agrees(&e, NULL, "matrices are stored as columns");
    assert_agrees(&e, &(struct subject_conventions){.storage = STORAGE_COLUMNS}, "");
}

/* 0.01 of the file's unit, z up to y up, mirrored: all data converted, or everything placed by one matrix. */
static void units_and_axes_are_solved(void **state)
{
    struct engine e = plain;
    for (int k = 0; k < 3; k++)
        e.left.m[k][k] = e.right.m[k][k] = 0.01;
    e.gives_skin = true;
    assert_agrees(&e, NULL, "nodes are converted: unit 0.01; palette matrices are converted: unit 0.01");
    const struct map turned = {{{2, 0, 0, 0}, {0, 0, 2, 0}, {0, -2, 0, 0}}};
    e.left = e.right = turned;
    assert_agrees(&e, NULL,
                  "nodes are converted: unit 2, axes x, z, -y; palette matrices are converted: "
                  "unit 2, axes x, z, -y");
    const struct map mirrored = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, -1, 0}}};
    e.left = e.right = mirrored;
    assert_agrees(&e, NULL,
                  "nodes are converted: axes x, y, -z; palette matrices are converted: "
                  "axes x, y, -z");
    e.left = turned;
    e.right = map_identity;
    assert_agrees(&e, NULL,
                  "nodes are placed: unit 2, axes x, z, -y; palette matrices are placed: unit 2, "
                  "axes x, z, -y");
}

static void roots_space_is_solved(void **state)
{
    struct engine e = plain;
    made_pose(&o.rest, 0);
    const struct map root = map_from(o.rest.nodes[0].node_to_scene);
    assert_true(map_inverse(&root, &e.palette_left));
    assert_agrees(&e, NULL, "palette matrices are in the root's space");
    assert_agrees(&e, &(struct subject_conventions){.has_space = true, .space = SPACE_ROOT}, "");
}

static const char *sanitised(struct arena *a, const char *name)
{
    char *copy = arena_string(a, name), *to = copy;
    for (const char *c = copy; *c; c++)
        if (*c != '.' && *c != ':')
            *to++ = *c;
    *to = '\0';
    return copy;
}

static const char *bare(struct arena *a, const char *name)
{
    return arena_string(a, strchr(name, ':') + 1);
}

static const char *suffixed(struct arena *a, const char *name)
{
    return arena_printf(a, "%s_joint", name);
}

static void names_are_matched(void **state)
{
    struct engine e = plain;
    const struct subject_conventions rows = {.storage = STORAGE_ROWS3X4};
    e.rename = sanitised;
    assert_agrees(&e, &rows, "4 names are matched without [ ] . : / and blanks");
    e.rename = bare;
    assert_agrees(&e, &rows, "4 names are matched without their namespace");
    e.rename = suffixed;
    assert_agrees(&e, &rows, "4 names are matched without `_joint`");
}

static void a_flat_palette_is_in_the_files_order(void **state)
{
    struct engine e = plain;
    const struct subject_conventions rows = {.storage = STORAGE_ROWS3X4};
    struct made m;
    struct error err = {0};
    struct subject subject = {.spec = &spec};
    struct subject_solution solution = {0};
    struct normalised out;
    e.is_flat = true;
    assert_agrees(&e, &rows, "");
    made_pose(&m, 0);
    struct subject_answer answer = answer_of(&e, &m, arena);
    answer.has = SUBJECT_PALETTE;
    answer.entry_count = 5;
    assert_false(subject_normalise(&subject, &answer, &m.pose, &m.import, &solution, arena, &out, &err));
    assert_string_equal(
        err.text, "test: its palette has 5 matrices without names; the model has 4 bones, in all meshes together 6 "
                  "(`bones` names them)");
}

/* Of a bone that two meshes bind the offset kept is the first's: right in one mesh, wrong in the other. */
static void one_list_for_the_scene_answers_for_all_meshes(void **state)
{
    struct engine e = plain;
    e.is_scene_list = true;
    run_engine(&e, &e, NULL, arena, &o);
    assert_int_equal(o.after.pose->palette_count, POSE_ENTRIES);
    assert_memory_equal(o.after.pose->palette[4].mesh_to_scene, o.after.pose->palette[0].mesh_to_scene, sizeof(mat4));
    assert_string_equal(o.told, "the palette is one list of 4 bones for the scene");
}

/* What is off in one bone is no convention; nor is what comes with time. */
static void a_mistake_stays_one(void **state)
{
    struct engine e = plain, then = plain;
    for (int k = 0; k < 3; k++)
        e.left.m[k][k] = e.right.m[k][k] = 0.01;
    e.wrong_entry = 2;
    run_engine(&e, &e, NULL, arena, &o);
    assert_true(fabs(difference_of(&o.later.pose, o.after.pose, false) - 1) < 1e-3);
    assert_true(o.solution.palette.is_solved);
    then.left.m[0][3] = 1; /* all of it, at the second time alone */
    run_engine(&plain, &then, NULL, arena, &o);
    assert_false(o.solution.palette.is_solved);
    assert_true(fabs(difference_of(&o.later.pose, o.after.pose, false) - 1) < 1e-3);
}

/* Locals alone: globals are their products, the palette what the file's offsets make of these. */
static void locals_alone_are_enough(void **state)
{
    struct engine e = plain;
    e.gives_locals = true;
    e.gives_palette = false;
    assert_agrees(&e, NULL, "");
    assert_int_equal(o.after.given, SUBJECT_NODES);
    assert_false(o.after.locals_derived);
}

static void bones_that_it_lacks_are_missing(void **state)
{
    struct made m;
    struct error err = {0};
    struct subject subject = {.spec = &spec};
    struct subject_solution solution = {0};
    struct normalised out;
    made_pose(&m, 0);
    struct subject_answer answer = answer_of(&plain, &m, arena);
    answer.nodes += 1; /* the root is no bone */
    answer.node_count -= 2;
    answer.entry_count -= 1;
    assert_true(subject_normalise(&subject, &answer, &m.pose, &m.import, &solution, arena, &out, &err));
    assert_int_equal(out.pose->node_count, POSE_NODES_COUNT - 1);
    assert_int_equal(out.pose->palette_count, POSE_ENTRIES);
    answer.entry_count = 3;
    memset(&solution, 0, sizeof solution);
    assert_true(subject_normalise(&subject, &answer, &m.pose, &m.import, &solution, arena, &out, &err));
    assert_int_equal(out.pose->palette_count, 4); /* hips in both meshes, spine, chest; head in neither */
}

/* A rigid mesh: engines have no palette for it. What its node does is not hidden by an entry of ours. */
static void a_rigid_mesh_follows_their_node(void **state)
{
    struct made m, moved;
    struct error err = {0};
    struct subject subject = {.spec = &spec};
    struct subject_solution solution = {0};
    struct normalised out;
    made_pose(&m, 0);
    made_pose(&moved, 0.3);
    m.bones[4].follows_mesh_node = m.bones[5].follows_mesh_node = true;
    struct subject_answer answer = answer_of(&plain, &moved, arena);
    answer.entry_count = 4;
    for (int i = 0; i < 4; i++)
        answer.entries[i].mesh = "body";
    assert_true(subject_normalise(&subject, &answer, &m.pose, &m.import, &solution, arena, &out, &err));
    assert_int_equal(out.pose->palette_count, POSE_ENTRIES);
    for (int i = 4; i < POSE_ENTRIES; i++)
        for (int k = 0; k < 12; k++)
            assert_float_equal(out.pose->palette[i].mesh_to_scene[k / 4][k % 4],
                               moved.palette[i].mesh_to_scene[k / 4][k % 4], 1e-5);
}

static const char *numbered(struct arena *a, const char *name)
{
    for (int i = 0; i < POSE_NODES_COUNT; i++)
        if (strcmp(name, nameless[i]) == 0)
            return arena_string(a, (const char *[]){"Root", "node_0", "node_1", "node_2", "node_3"}[i]);
    return name;
}

/* Nodes without a name are alike by their place in the tree, bones by these; where the trees differ nothing is. */
static void nodes_without_a_name_are_matched_by_place(void **state)
{
    struct made m;
    struct error err = {0};
    struct subject subject = {.spec = &spec};
    struct subject_solution solution = {0};
    struct normalised out;
    struct engine e = plain;
    made_pose(&m, 0);
    made_rename(&m, nameless);
    e.rename = numbered;
    struct subject_answer answer = answer_of(&e, &m, arena);
    assert_true(subject_normalise(&subject, &answer, &m.pose, &m.import, &solution, arena, &out, &err));
    assert_string_equal(solution.names, "5 nodes without a name are matched by place in the tree");
    assert_int_equal(out.pose->node_count, POSE_NODES_COUNT);
    assert_int_equal(out.pose->palette_count, POSE_ENTRIES);
    assert_true(difference_of(out.pose, &m.pose, true) < 1e-6);
    assert_true(difference_of(out.pose, &m.pose, false) < 1e-6);
    answer.nodes[4].parent = answer.nodes[1].name; /* head below the hips */
    memset(&solution, 0, sizeof solution);
    assert_false(subject_normalise(&subject, &answer, &m.pose, &m.import, &solution, arena, &out, &err));
    assert_non_null(strstr(err.text, "none of its 5 nodes is called like one of the model's 5"));
}

static void declared_storage_is_checked(void **state)
{
    struct made m;
    struct error err = {0};
    struct subject subject = {.spec = &spec, .hello.conventions.storage = STORAGE_COLUMNS};
    struct subject_solution solution = {0};
    struct normalised out;
    struct engine e = plain;
    e.storage = STORAGE_ROWS;
    made_pose(&m, 0);
    struct subject_answer answer = answer_of(&e, &m, arena);
    assert_false(subject_normalise(&subject, &answer, &m.pose, &m.import, &solution, arena, &out, &err));
    assert_non_null(strstr(err.text, "is no affine matrix stored as columns, as declared"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(storage_is_seen),
        cmocka_unit_test(units_and_axes_are_solved),
        cmocka_unit_test(roots_space_is_solved),
        cmocka_unit_test(names_are_matched),
        cmocka_unit_test(a_flat_palette_is_in_the_files_order),
        cmocka_unit_test(one_list_for_the_scene_answers_for_all_meshes),
        cmocka_unit_test(a_mistake_stays_one),
        cmocka_unit_test(locals_alone_are_enough),
        cmocka_unit_test(bones_that_it_lacks_are_missing),
        cmocka_unit_test(a_rigid_mesh_follows_their_node),
        cmocka_unit_test(nodes_without_a_name_are_matched_by_place),
        cmocka_unit_test(declared_storage_is_checked),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
