/* A subject's numbers come back as the reference's whatever its conventions are; a mistake stays one. */
#include "cmocka_setup.h"

#include "base/arena.h"
#include "subject_pose.h"

/* The subject does this to the reference. */
struct engine {
    enum storage storage;
    struct affine_d left, right;  /* of globals and palette: left * ours * inverse(right) */
    struct affine_d palette_left, skin_left; /* besides, of the palette and of vertices */
    bool gives_nodes, gives_palette, gives_skin, gives_locals;
    const char *(*rename)(struct arena *arena, const char *name);
    bool is_flat, is_scene_list; /* palette without names; each bone once */
    bool is_backwards;           /* the last vertex comes first */
    int wrong_entry;             /* off by a unit; -1: none */
};

static const struct engine plain = {.storage = STORAGE_ROWS3X4,
                                    .left = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0}}},
                                    .right = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0}}},
                                    .palette_left = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0}}},
                                    .skin_left = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0}}},
                                    .gives_nodes = true,
                                    .gives_palette = true,
                                    .wrong_entry = -1};

static const struct subject_spec spec = {.name = "test"};

static struct raw_matrix store(const struct affine_d *map, enum storage storage)
{
    struct raw_matrix raw = {.count = storage == STORAGE_ROWS3X4 ? 12 : 16};
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 4; c++)
            raw.numbers[storage == STORAGE_COLUMNS ? 4 * c + r : 4 * r + c] = (float)map->column[c][r];
    if (raw.count == 16)
        raw.numbers[15] = 1;
    return raw;
}

static struct raw_matrix convert(const struct engine *e, const mat4 ours, bool of_palette)
{
    struct affine_d back, map = affine_d_from(ours);
    assert_true(affine_d_inverse(&e->right, &back));
    map = affine_d_mul(&e->left, &map);
    map = affine_d_mul(&map, &back);
    if (of_palette)
        map = affine_d_mul(&e->palette_left, &map);
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
        node->parent_index = NO_INDEX;
        node->transform = m->nodes[i].local;
        node->components = e->gives_locals ? 7 : 0;
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
        const struct affine_d map = affine_d_mul(&e->left, &e->skin_left);
        a.skin = ARENA_NEW(arena, struct skin_snapshot, a.skin_count = 1);
        for (int v = 0; v < POSE_VERTICES; v++) {
            double to[3];
            const float *at = m->positions[e->is_backwards ? POSE_VERTICES - 1 - v : v];
            affine_d_point(&map, (const double[]){at[0], at[1], at[2]}, to);
            for (int r = 0; r < 3; r++)
                points[v][r] = (float)to[r];
        }
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
            worst = fmax(worst, fabs((double)(a->nodes[i].node_to_scene[k / 4][k % 4] -
                                              b->nodes[i].node_to_scene[k / 4][k % 4])));
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
    struct resolved at_rest, after;
    struct subject_solution solution;
    char told[512];
};

static void run_engine(const struct engine *e, const struct engine *then, const struct subject_conventions *declared,
                       struct arena *arena, struct outcome_of *out)
{
    struct error err = {0};
    SCOPED(text) text = {0};
    struct subject subject = {.spec = &spec};
    if (declared)
        subject.hello.conventions = *declared;
    made_pose(&out->rest, 0);
    made_pose(&out->later, 1);
    memset(&out->solution, 0, sizeof out->solution);
    struct subject_answer first = answer_of(e, &out->rest, arena), second = answer_of(then, &out->later, arena);
    if (!subject_resolve(&subject, &first, &out->rest.pose, &out->rest.import, &out->solution, arena, &out->at_rest,
                           &err) ||
        !subject_resolve(&subject, &second, &out->later.pose, &out->later.import, &out->solution, arena, &out->after,
                           &err))
        fail_msg("%s", err.text);
    subject_describe_solution(&out->solution, &text);
    snprintf(out->told, sizeof out->told, "%s", text_string(&text));
}

GROUP_ARENA((size_t)1 << 28)
static struct outcome_of o;

/* One answer, at rest, to be changed and then understood. */
static struct {
    struct made m;
    struct subject subject;
    struct subject_solution solution;
    struct subject_answer answer;
    struct resolved out;
    struct error err;
} asked;

static void ask(const struct engine *e)
{
    memset(&asked, 0, sizeof asked);
    asked.subject.spec = &spec;
    made_pose(&asked.m, 0);
    asked.answer = answer_of(e, &asked.m, arena);
}

static bool is_understood(void)
{
    return subject_resolve(&asked.subject, &asked.answer, &asked.m.pose, &asked.m.import, &asked.solution, arena, &asked.out,
                           &asked.err);
}

/* Of what it converts, all is so many times larger. */
static void set_unit(struct engine *e, double unit)
{
    for (int k = 0; k < 3; k++)
        e->left.column[k][k] = e->right.column[k][k] = unit;
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
            ASSERT_NEAR(theirs->skin[0].positions[v], ours->skin[0].positions[v], 3, 1e-4);
    }
    assert_string_equal(o.told, told);
}

TEST(storage_is_seen)
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
TEST(units_and_axes_are_solved)
{
    struct engine e = plain;
    set_unit(&e, 0.01);
    e.gives_skin = true;
    assert_agrees(&e, NULL, "nodes are converted: unit 0.01; palette matrices are converted: unit 0.01");
    const struct affine_d turned = {{{2, 0, 0}, {0, 0, -2}, {0, 2, 0}, {0, 0, 0}}};
    e.left = e.right = turned;
    assert_agrees(&e, NULL,
                  "nodes are converted: unit 2, axes x, z, -y; palette matrices are converted: unit 2, axes x, z, -y");
    const struct affine_d mirrored = {{{1, 0, 0}, {0, 1, 0}, {0, 0, -1}, {0, 0, 0}}};
    e.left = e.right = mirrored;
    assert_agrees(&e, NULL, "nodes are converted: axes x, y, -z; palette matrices are converted: axes x, y, -z");
    e.left = turned;
    e.right = affine_d_identity;
    assert_agrees(&e, NULL,
                  "nodes are placed: unit 2, axes x, z, -y; palette matrices are placed: unit 2, axes x, z, -y");
}

static double moved_vertices(void)
{
    double worst = 0;
    for (int v = 0; v < POSE_VERTICES; v++)
        for (int k = 0; k < 3; k++)
            worst = fmax(worst, fabs((double)(o.after.pose->skin[0].positions[v][k] - o.later.pose.skin[0].positions[v][k])));
    return worst;
}

/* A palette alone may be in the root's space. Beside nodes that are not it is wrong, unless that is declared, or vertices show
 * that what is seen is right. */
TEST(roots_space_is_solved)
{
    static const char off[] = "its palette matrices are off by the inverse transform of `rig:root`, which is no convention "
                              "unless it is declared";
    struct engine e = plain;
    made_pose(&o.rest, 0);
    const struct affine_d root = affine_d_from(o.rest.nodes[0].node_to_scene);
    assert_true(affine_d_inverse(&root, &e.palette_left));
    assert_agrees(&e, &(struct subject_conventions){.has_space = true, .space = SPACE_ROOT}, "");
    e.gives_skin = true;
    assert_agrees(&e, NULL, "palette matrices are in the root's space");
    e.skin_left = e.palette_left;
    run_engine(&e, &e, NULL, arena, &o);
    assert_true(difference_of(&o.later.pose, o.after.pose, false) > 0.1 && moved_vertices() > 0.1);
    assert_string_equal(o.told, off);
    e.gives_nodes = false; /* both alike: but it is the root's inverse */
    run_engine(&e, &e, NULL, arena, &o);
    assert_true(difference_of(&o.later.pose, o.after.pose, false) > 0.1 && moved_vertices() > 0.1);
    assert_string_equal(o.told, off);
    e.gives_skin = false;
    assert_agrees(&e, NULL, "palette matrices are in the root's space");
}

/* What nodes and palette do not show is no convention of vertices. */
TEST(vertices_have_no_convention_of_their_own)
{
    struct engine e = plain;
    e.gives_skin = true;
    e.skin_left = (struct affine_d){{{0.01, 0, 0}, {0, 0, -0.01}, {0, 0.01, 0}, {0, 0, 0}}};
    for (int gives = 1; gives < 4; gives++) {
        e.gives_nodes = gives & 1;
        e.gives_palette = gives & 2;
        run_engine(&e, &e, NULL, arena, &o);
        assert_true(moved_vertices() > 1);
        assert_string_equal(o.told, "");
    }
}

/* The nodes' own factor, where it is a matrix of the file: the root is left out, or applied twice; with a unit besides. */
TEST(a_matrix_of_the_file_is_no_convention)
{
    for (int way = 0; way < 4; way++) {
        struct engine e = plain;
        struct affine_d back;
        made_pose(&o.rest, 0);
        const struct affine_d root = affine_d_from(o.rest.nodes[0].node_to_scene);
        assert_true(affine_d_inverse(&root, &back));
        e.left = way % 2 ? root : back;
        e.gives_skin = true;
        for (int k = 0; k < 12 && way > 1; k++) {
            e.left.column[k / 3][k % 3] *= 0.01;
            e.right.column[k / 3][k % 3] *= 0.01;
        }
        run_engine(&e, &e, NULL, arena, &o);
        assert_true(difference_of(&o.later.pose, o.after.pose, true) > 0.1);
        assert_string_equal(strstr(o.told, "its nodes"), way % 2 ? "its nodes are off by the transform of `rig:root`, which is no convention unless it is declared"
                                            : "its nodes are off by the inverse transform of `rig:root`, which is no convention unless it is declared");
        assert_int_equal(way > 1, strstr(o.told, "nodes are converted: unit 0.01;") != NULL);
    }
}

/* Vertices that were ours by number, as they are or mirrored, have no other order at another time. */
TEST(the_order_of_vertices_is_known)
{
    struct engine in_order = plain, backwards = plain;
    in_order.gives_skin = backwards.gives_skin = backwards.is_backwards = true;
    for (int i = 0; i < 4; i++) {
        in_order.skin_left.column[0][0] = i % 2 ? -1 : 1;
        run_engine(&in_order, i < 2 ? &in_order : &backwards, NULL, arena, &o);
        assert_true(o.after.pose->skin[0].is_in_order);
    }
    run_engine(&backwards, &backwards, NULL, arena, &o);
    assert_false(o.after.pose->skin[0].is_in_order);
}

/* A small turn of everything is a mistake; nor has each bone axes of its own then. */
TEST(noise_is_no_convention)
{
    static const float angles[] = {8e-5f, 2e-4f, 1e-3f};
    for (int i = 0; i < 6; i++) {
        struct engine e = plain;
        const struct transform tilt = {{0, 0, 0}, {angles[i / 2], 0, 0, 1}, {1, 1, 1}};
        e.left = affine_d_from_transform(&tilt);
        e.gives_palette = i % 2;
        run_engine(&e, &e, NULL, arena, &o);
        assert_string_equal(o.told, "");
        const double off = difference_of(&o.later.pose, o.after.pose, true);
        assert_true(off > angles[i / 2] && off < 40 * angles[i / 2]);
    }
}

/* Bones that are near each other show their unit less exactly than vertices do: a power of ten is meant. */
TEST(a_unit_is_a_round_one)
{
    static const struct {
        double scale;
        const char *told;
    } tries[] = {{0.00999972, "palette matrices are converted: unit 0.01"},
                 {99.996, "palette matrices are converted: unit 100"},
                 {0.00998, "palette matrices are converted: unit 0.00998"},
                 {2.54, "palette matrices are converted: unit 2.54"}};
    for (size_t i = 0; i < sizeof tries / sizeof tries[0]; i++) {
        struct engine e = plain;
        e.gives_nodes = false;
        set_unit(&e, tries[i].scale);
        run_engine(&e, &e, NULL, arena, &o);
        assert_string_equal(o.told, tries[i].told);
    }
}

/* In metres of a file in kilometres a translation is next to nothing, and still tells rows from columns. */
TEST(a_small_translation_shows_the_storage)
{
    struct engine e = plain;
    e.storage = STORAGE_ROWS;
    set_unit(&e, 1e-7);
    assert_agrees(&e, NULL, "matrices are stored as rows; nodes are converted: unit 1e-07; palette matrices are converted: unit 1e-07");
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

TEST(names_are_matched)
{
    struct engine e = plain;
    const struct subject_conventions rows = {.storage = STORAGE_ROWS3X4};
    e.rename = sanitised;
    assert_agrees(&e, &rows, "5 names are matched without [ ] . : / and blanks");
    e.rename = bare;
    assert_agrees(&e, &rows, "5 names are matched without their namespace");
    e.rename = suffixed;
    assert_agrees(&e, &rows, "5 names are matched without `_joint`");
}

TEST(a_flat_palette_is_in_the_files_order)
{
    struct engine e = plain;
    const struct subject_conventions rows = {.storage = STORAGE_ROWS3X4};
    e.is_flat = true;
    assert_agrees(&e, &rows, "");
    ask(&e);
    asked.answer.has = SUBJECT_PALETTE;
    asked.answer.entry_count = 5;
    assert_false(is_understood());
    assert_string_equal(
        asked.err.text, "test: its palette has 5 matrices without names; the model has 4 bones, in all meshes together 6 "
                  "(`bones` names them)");
}

/* Of a bone that two meshes bind the offset kept is the first's: right in one mesh, wrong in the other. */
TEST(one_list_for_the_scene_answers_for_all_meshes)
{
    struct engine e = plain;
    e.is_scene_list = true;
    run_engine(&e, &e, NULL, arena, &o);
    assert_int_equal(o.after.pose->palette_count, POSE_ENTRIES);
    assert_memory_equal(o.after.pose->palette[4].mesh_to_scene, o.after.pose->palette[0].mesh_to_scene, sizeof(mat4));
    assert_string_equal(o.told, "the palette is one list of 4 bones for the scene");
}

/* What is off in one bone is no convention; nor is what comes with time. */
TEST(a_mistake_stays_one)
{
    struct engine e = plain, then = plain;
    set_unit(&e, 0.01);
    e.wrong_entry = 2;
    run_engine(&e, &e, NULL, arena, &o);
    assert_true(fabs(difference_of(&o.later.pose, o.after.pose, false) - 1) < 1e-3);
    assert_true(o.solution.palette.is_solved);
    then.left.column[3][0] = 1; /* all of it, at the second time alone */
    run_engine(&plain, &then, NULL, arena, &o);
    assert_false(o.solution.palette.is_solved);
    assert_true(fabs(difference_of(&o.later.pose, o.after.pose, false) - 1) < 1e-3);
}

/* Locals alone: globals are their products, the palette what the file's offsets make of these. */
TEST(locals_alone_are_enough)
{
    struct engine e = plain;
    e.gives_locals = true;
    e.gives_palette = false;
    assert_agrees(&e, NULL, "");
    assert_int_equal(o.after.given, SUBJECT_NODES);
    assert_false(o.after.locals_derived);
}

TEST(bones_that_it_lacks_are_missing)
{
    ask(&plain);
    asked.answer.nodes += 1; /* the root is no bone */
    asked.answer.node_count -= 2;
    asked.answer.entry_count -= 1;
    assert_true(is_understood());
    assert_int_equal(asked.out.pose->node_count, POSE_NODES_COUNT - 1);
    assert_int_equal(asked.out.pose->palette_count,
                     POSE_ENTRIES - 1); /* of the hat's bones it gives one, of the head's none */
    asked.answer.entry_count = 3;
    memset(&asked.solution, 0, sizeof asked.solution);
    assert_true(is_understood());
    assert_int_equal(asked.out.pose->palette_count, 4); /* hips in both meshes, spine, chest; head in neither */
}

/* Part of a palette is no shorter list: bones that hold nothing are compared where they are given. */
TEST(what_is_given_is_compared)
{
    struct engine e = plain;
    e.gives_nodes = false;
    e.wrong_entry = 2;
    ask(&e);
    asked.m.bones[1].weights = asked.m.bones[2].weights = asked.m.bones[5].weights = 0;
    asked.answer.entry_count -= 1; /* the hat's head is not given, and holds nothing either */
    assert_true(is_understood());
    assert_float_equal(difference_of(asked.out.pose, &asked.m.pose, false), 1, 1e-3);
}

/* A rigid mesh: engines have no palette for it. What its node does is not hidden by an entry of ours. */
TEST(a_rigid_mesh_follows_their_node)
{
    struct made m, moved;
    struct subject subject = {.spec = &spec};
    struct subject_solution solution = {0};
    struct resolved out;
    made_pose(&m, 0);
    made_pose(&moved, 0.3);
    m.bones[4].follows_mesh_node = m.bones[5].follows_mesh_node = true;
    struct subject_answer answer = answer_of(&plain, &moved, arena);
    answer.entry_count = 4;
    for (int i = 0; i < 4; i++)
        answer.entries[i].mesh = "body";
    assert_true(subject_resolve(&subject, &answer, &m.pose, &m.import, &solution, arena, &out, ANY_ERROR));
    assert_int_equal(out.pose->palette_count, POSE_ENTRIES);
    for (int i = 4; i < POSE_ENTRIES; i++)
        ASSERT_NEAR(out.pose->palette[i].mesh_to_scene[0], moved.palette[i].mesh_to_scene[0], 12, 1e-5);
}

TEST(declared_storage_is_checked)
{
    struct engine e = plain;
    e.storage = STORAGE_ROWS;
    ask(&e);
    asked.subject.hello.conventions.storage = STORAGE_COLUMNS;
    assert_false(is_understood());
    assert_non_null(strstr(asked.err.text, "is no affine matrix stored as columns, as declared"));
}

/* Names that say nothing: the tree does, and in the palette what the nodes are. */
static const char *opaque(struct arena *a, const char *name)
{
    return arena_printf(a, "%zu#", strlen(name) * 7 + 13 * (size_t)name[5]);
}

TEST(nodes_without_names_are_matched_by_their_place)
{
    struct engine e = plain;
    e.rename = opaque;
    assert_agrees(&e, NULL, "5 nodes are matched by their place in the tree");
    e.gives_nodes = false;
    run_engine(&e, &e, NULL, arena, &o); /* a palette has no tree, but an order */
    assert_string_equal(o.told, "bones are matched by their order in the file");
    assert_true(difference_of(&o.later.pose, o.after.pose, false) < 1e-6);
}

/* An engine's own root above all, as gltfio's, is nobody's place. */
TEST(a_root_more_does_no_harm)
{
    struct subject_node nodes[POSE_NODES_COUNT + 1];
    struct engine e = plain;
    e.rename = opaque;
    e.gives_palette = false;
    ask(&e);
    memcpy(nodes + 1, asked.answer.nodes, sizeof nodes - sizeof nodes[0]);
    nodes[0] = (struct subject_node){.name = "scene", .parent_index = NO_INDEX, .components = 7, .transform = transform_identity};
    nodes[1].parent = "scene";
    asked.answer.nodes = nodes;
    asked.answer.node_count++;
    assert_true(is_understood());
    assert_int_equal(asked.out.pose->node_count, POSE_NODES_COUNT);
    assert_true(difference_of(asked.out.pose, &asked.m.pose, true) < 1e-6);
}

/* What the file has no name for is called as the engine likes; what it has one for is never guessed. */
TEST(a_node_that_the_file_does_not_name_is_found)
{
    for (int is_named = 0; is_named < 2; is_named++) {
        struct engine e = plain;
        e.gives_palette = false;
        ask(&e);
        asked.answer.nodes[2].name = asked.answer.nodes[3].parent = "joint_2";
        if (!is_named)
            asked.m.nodes[2].name = asked.m.nodes[3].parent = "nodes[2]";
        assert_true(is_understood());
        assert_int_equal(asked.out.pose->node_count, POSE_NODES_COUNT - is_named);
    }
}

/* Two nodes of one name are told apart by their parents. */
TEST(a_node_more_of_a_name_does_no_harm)
{
    struct engine e = plain;
    e.gives_palette = false;
    ask(&e);
    struct subject_node *nodes = ARENA_NEW(arena, struct subject_node, POSE_NODES_COUNT + 1);
    memcpy(nodes + 1, asked.answer.nodes, POSE_NODES_COUNT * sizeof *nodes);
    nodes[0] = (struct subject_node){.name = "rig:hips", .parent_index = NO_INDEX, .global = store(&affine_d_identity, STORAGE_ROWS3X4)};
    asked.answer.nodes = nodes;
    asked.answer.node_count++;
    assert_true(is_understood());
    assert_true(difference_of(&asked.m.pose, asked.out.pose, true) < 2e-5);
}

/* Of twins below twins, breadth first, a parent's name is not enough. */
TEST(a_parent_is_known_by_its_number)
{
    static const int order[] = {0, 1, 3, 2, 4}, above[] = {NO_INDEX, 0, 1, 0, 3}, parents[] = {NO_INDEX, 0, 0, 1, 2};
    for (int has_number = 0; has_number < 2; has_number++) {
        struct engine e = plain;
        struct subject_node was[POSE_NODES_COUNT];
        e.gives_palette = false;
        ask(&e);
        for (int i = 1; i < POSE_NODES_COUNT; i++) {
            asked.m.nodes[i].name = asked.answer.nodes[i].name = i % 2 ? "joint" : "end";
            asked.m.nodes[i].parent = asked.answer.nodes[i].parent = i % 2 ? asked.m.nodes[0].name : "joint";
            asked.m.nodes[i].parent_index = above[i];
        }
        memcpy(was, asked.answer.nodes, sizeof was);
        for (int i = 0; i < POSE_NODES_COUNT; i++) {
            asked.answer.nodes[i] = was[order[i]];
            asked.answer.nodes[i].parent_index = has_number ? parents[i] : NO_INDEX;
        }
        assert_true(is_understood());
        double worst = 0;
        for (int i = 0; i < POSE_NODES_COUNT; i++)
            worst = fmax(worst,
                         point_distance(asked.m.nodes[i].node_to_scene[3], asked.out.pose->nodes[i].node_to_scene[3]));
        assert_int_equal(worst < 2e-5, has_number);
    }
}

/* Blender's bones lie along their own y: each node is turned at rest, by the same at any time. */
TEST(axes_of_bones_are_told_and_undone)
{
    struct outcome_of *p = &o;
    struct subject subject = {.spec = &spec};
    SCOPED(text) text = {0};
    memset(p, 0, sizeof *p);
    made_pose(&p->rest, 0);
    made_pose(&p->later, 1);
    p->rest.pose.clip = NULL;
    for (int later = 0; later < 3; later++) { /* at last hips are turned by more */
        struct made *m = later ? &p->later : &p->rest;
        struct subject_answer answer = answer_of(&plain, m, arena);
        for (int i = 0; i < POSE_NODES_COUNT; i++) {
            const float angle = 0.3f + 0.4f * (float)i + (later == 2 && i == 1 ? 0.5f : 0.0f);
            const struct transform turn = {{0, 0, 0}, {sinf(angle), 0, 0, cosf(angle)}, {1, 1, 1}};
            const struct affine_d by = affine_d_from_transform(&turn), was = affine_d_from(m->nodes[i].node_to_scene);
            const struct affine_d turned = affine_d_mul(&was, &by);
            answer.nodes[i].global = store(&turned, STORAGE_ROWS3X4);
        }
        assert_true(
            subject_resolve(&subject, &answer, &m->pose, &m->import, &p->solution, arena, &p->after, ANY_ERROR));
        assert_int_equal(difference_of(&m->pose, p->after.pose, true) > 2e-5, later == 2);
    }
    subject_describe_solution(&p->solution, &text);
    assert_string_equal(text_string(&text), "5 nodes have axes of their own");
}

/* One node that is turned is a mistake, unless the palette shows that nothing hangs on it. */
TEST(axes_of_one_node_need_a_palette)
{
    for (int has_palette = 0; has_palette < 2; has_palette++) {
        SCOPED(text) text = {0};
        struct engine e = plain;
        const struct transform turn = {{0, 0, 0}, {0.6f, 0, 0, 0.8f}, {1, 1, 1}};
        const struct affine_d by = affine_d_from_transform(&turn);
        e.gives_palette = has_palette;
        ask(&e);
        const struct affine_d was = affine_d_from(asked.m.nodes[4].node_to_scene), turned = affine_d_mul(&was, &by);
        asked.answer.nodes[4].global = store(&turned, STORAGE_ROWS3X4);
        assert_true(is_understood());
        assert_int_equal(difference_of(&asked.m.pose, asked.out.pose, true) < 2e-5, has_palette);
        subject_describe_solution(&asked.solution, &text);
        assert_string_equal(text_string(&text), has_palette ? "1 node has axes of its own" : "");
    }
}

/* body and hat share a skin, the cape has offsets of its own: a list for each skin answers for both of the first. */
TEST(a_list_for_each_skin_is_found)
{
    struct made m;
    struct mesh_snapshot meshes[3];
    static const char *const names[] = {"body", "hat", "cape"};
    made_pose(&m, 0);
    for (int i = 0; i < POSE_ENTRIES; i++) {
        struct bone_snapshot *bone = &m.bones[i];
        if (i >= 2 && i < 4)
            *bone = m.bones[i - 2];
        m.palette[i].mesh = names[i / 2];
        m.palette[i].bone = bone->bone = made_names[1 + i % 2];
        affine_mul(m.nodes[1 + i % 2].node_to_scene, bone->mesh_to_bone, m.palette[i].mesh_to_scene);
        meshes[i / 2] = (struct mesh_snapshot){.name = names[i / 2], .bone_count = 2, .bones = &m.bones[i / 2 * 2]};
    }
    m.import.mesh_count = 3;
    m.import.meshes = meshes;
    for (int declared = BONES_UNKNOWN; declared < BONES_WORDS; declared++)
        for (int is_named = 0; is_named < 2; is_named++) {
            struct subject subject = {.spec = &spec, .hello.conventions.bones = declared};
            struct subject_solution solution = {0};
            struct resolved out;
            struct error err = {0};
            struct subject_answer answer = {.has = SUBJECT_PALETTE, .entry_count = 4};
            answer.entries = ARENA_NEW(arena, struct subject_entry, 4);
            for (int i = 0; i < 4; i++) {
                const struct affine_d matrix = affine_d_from(m.palette[i < 2 ? i : i + 2].mesh_to_scene);
                answer.entries[i].bone = is_named ? m.palette[i].bone : NULL;
                answer.entries[i].matrix = store(&matrix, STORAGE_ROWS3X4);
            }
            const bool good =
                subject_resolve(&subject, &answer, &m.pose, &m.import, &solution, arena, &out, &err);
            assert_int_equal(good, declared == BONES_UNKNOWN || declared == BONES_PER_SKIN);
            if (good)
                assert_true(difference_of(&m.pose, out.pose, false) < 1e-6);
            if (good)
                assert_int_equal(solution.notes[NOTE_BONES][0] != '\0', declared == BONES_UNKNOWN);
            else if (is_named)
                assert_non_null(strstr(err.text, "which its palette of 4 matrices is not"));
        }
}

TEST(what_is_declared_is_checked)
{
    static const struct {
        struct subject_conventions declared;
        double unit; /* that it really has */
        const char *says;
    } tries[] = {
        {{.unit = 0.01}, 0.01, NULL},
        {{.unit = 0.01}, 1, "the conventions that it declares do not fit: with these its nodes are converted: unit 100"},
        {{.has_space = true, .space = SPACE_SCENE}, 0.01, NULL}, /* what it does not declare is solved */
        {{.has_axes = true, .axes = {{0, 0, -1, 0}, {0, 1, 0, 0}, {1, 0, 0, 0}, {0, 0, 0, 1}}}, 1, "axes -z, y, x"},
    };
    for (size_t i = 0; i < sizeof tries / sizeof tries[0]; i++) {
        struct engine e = plain;
        set_unit(&e, tries[i].unit);
        e.gives_skin = true;
        ask(&e);
        asked.subject.hello.conventions = tries[i].declared;
        const bool good = is_understood();
        assert_int_equal(good, !tries[i].says);
        if (good)
            assert_true(difference_of(&asked.m.pose, asked.out.pose, true) < 2e-5 && difference_of(&asked.m.pose, asked.out.pose, false) < 2e-5);
        else if (!strstr(asked.err.text, tries[i].says))
            fail_msg("%s", asked.err.text);
    }
}

/* Vertices alone show unit and axes, too. */
TEST(vertices_alone_are_converted)
{
    struct engine e = plain;
    e.left = (struct affine_d){{{0.01, 0, 0}, {0, 0, -0.01}, {0, 0.01, 0}, {0, 0, 0}}};
    e.gives_nodes = e.gives_palette = false;
    e.gives_skin = true;
    assert_agrees(&e, NULL, "vertices are converted: unit 0.01, axes x, z, -y");
}

/* All bones are below the topmost, which turned and moved: the root, which did not, shows that the file is in its
 * place. */
TEST(a_turned_bone_is_no_place)
{
    struct engine e = plain;
    e.left = (struct affine_d){{{0.8, 0.6, 0}, {-0.6, 0.8, 0}, {0, 0, 1}, {0.2, 0, 0.1}}};
    ask(&e);
    assert_true(is_understood());
    assert_true(difference_of(&asked.m.pose, asked.out.pose, true) < 2e-5);
    ask(&e);
    asked.answer.nodes[0].global = convert(&plain, asked.m.nodes[0].node_to_scene, false);
    assert_true(is_understood());
    assert_true(difference_of(&asked.m.pose, asked.out.pose, true) > 0.1);
    assert_true(difference_of(&asked.m.pose, asked.out.pose, false) > 0.1);
}
