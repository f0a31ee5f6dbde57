/* Nodes and bones of two imports: which, their transforms and offset matrices, weights; patterns told once. */
#include "compare/import_findings.h"

static void put_pivot_above_hips(float scale)
{
    struct node_snapshot *nodes = ARENA_NEW(two.arena, struct node_snapshot, 6);
    memcpy(nodes, two.actual->nodes, sizeof *nodes);
    nodes[1] = (struct node_snapshot){.name = "pivot", .parent = "rig"};
    place(nodes[1].local_to_parent, 0, 0, 0, 0, 0);
    for (int k = 0; k < 3; k++)
        nodes[1].local_to_parent[k][k] = scale;
    memcpy(nodes + 2, two.actual->nodes + 1, 4 * sizeof *nodes);
    nodes[2].parent = "pivot";
    two.actual->nodes = nodes;
    two.actual->node_count = 6;
}

/* What moves the model leads; the name of what moves it does not. */
IMPORT_TEST(a_scale_leads)
{
    put_pivot_above_hips(100);
    compare_them();
    assert_int_equal(two.findings.items[0].code, CODE_NEW);
    assert_float_equal(two.findings.items[0].scale_percent, 9900, 1e-3);
    require_text(&two.findings, "node `pivot` is new, above `hips`: a scale of 100");
    begin_again();
    two.actual->nodes[0].name = two.actual->nodes[1].parent = two.actual->meshes[0].nodes[0] =
        two.actual->cameras[0].node = "root";
    for (int k = 0; k < 3; k++)
        two.actual->nodes[0].local_to_parent[k][k] = 100;
    compare_them();
    findings_sort(&two.findings);
    assert_int_equal(two.findings.items[0].code, CODE_NODE_LOCAL);
    require_text(&two.findings, "node `rig` is named `root` now");
}

/* A mesh's node has the name of a bone: another name of the bone is a rename all the same. */
IMPORT_TEST(of_two_of_a_name_one_is_renamed)
{
    for (int side = 0; side < 2; side++) {
        struct import_snapshot *import = side ? two.actual : two.golden;
        import->nodes[4] = (struct node_snapshot){.name = "spine", .parent = "rig"};
        place(import->nodes[4].local_to_parent, 0, 0, 0, 0, 0);
        import->meshes[0].bone_count = 3;
    }
    two.actual->nodes[2].name = two.actual->nodes[3].parent = two.actual->meshes[0].bones[1].bone = "chest";
    for (int i = 0; i < 2; i++)
        two.actual->clips[i].channels[1].node = "chest";
    FINDS("node `spine` is named `chest` now");
}

IMPORT_TEST(nodes_that_come_and_go)
{
    two.actual->nodes[2].parent = "rig";
    FINDS("node `spine` lost its parent `hips` (now under `rig`): it is off by 1 m");
    two.actual->nodes[2].parent = "rig";
    two.actual->nodes[2].local_to_parent[3][1] += 1;
    FINDS("node `spine` lost its parent `hips` (now under `rig`), but stands where it stood");
    two.actual->nodes[1].parent = NULL;
    FINDS("node `hips` lost its parent `rig` (it has none now), but stands where it stood");
    two.golden->nodes[1].parent = NULL;
    FINDS("node `hips` had no parent and is now under `rig`, but stands where it stood");
    put_pivot_above_hips(1);
    FINDS("node `pivot` is new, above `hips`",
          "node `hips` lost its parent `rig` (now under `pivot`, which is new), but stands where it stood");
    two.actual->node_count = 2;
    two.golden->mesh_count = two.actual->mesh_count = 0;
    two.golden->clip_count = two.actual->clip_count = 0;
    FINDS("node `spine` is gone, with 2 nodes below it");
    two.golden->node_count = 4;
    two.golden->meshes[0].bone_count = two.actual->meshes[0].bone_count = 3;
    FINDS("node `hand.R` is new");
}

/* Every name with another prefix, wherever it stands. */
static void change_prefixes(struct import_snapshot *import, const char *prefix)
{
    for (int i = 0; i < 5; i++) {
        struct node_snapshot *node = &import->nodes[i];
        node->name = arena_printf(two.arena, "%s%s", prefix, node->name);
        node->parent = node->parent ? arena_printf(two.arena, "%s%s", prefix, node->parent) : NULL;
        if (i > 0)
            import->meshes[0].bones[i - 1].bone = node->name;
    }
    for (int i = 0; i < 4; i++)
        import->clips[i / 2].channels[i % 2].node = import->nodes[1 + i % 2].name;
    import->meshes[0].nodes[0] = import->nodes[0].name;
    import->cameras[0].node = import->nodes[0].name;
}

IMPORT_TEST(common_prefix_is_said)
{
    change_prefixes(two.golden, "m:");
    FINDS("the names of 5 nodes lost the prefix `m:` (`m:hand.L`, `m:hand.R`, `m:hips` and 2 more)");
    change_prefixes(two.actual, "rig_");
    for (int i = 0; i < 5; i++) /* nothing but the names tells them */
        place(two.actual->nodes[i].local_to_parent, 0, 0, 0, 0, 0);
    compare_them();
    require_text(&two.findings,
                 "the names of 5 nodes gained the prefix `rig_` (`hand.L`, `hand.R`, `hips` and 2 more)");
    for (size_t i = 0; i < two.findings.count; i++)
        assert_null(strstr(two.findings.items[i].text, "gone"));
    begin_again();
    change_prefixes(two.golden, "mixamo:");
    change_prefixes(two.actual, "mixamo_");
    FINDS("the names of 5 nodes begin with `mixamo_` now, not with `mixamo:` (`mixamo:hand.L`, `mixamo:hand.R`, "
          "`mixamo:hips` and 2 more)");
}

IMPORT_TEST(renamed_node_is_said_once)
{
    two.actual->nodes[1].name = "pelvis";
    two.actual->nodes[2].parent = "pelvis";
    two.actual->meshes[0].bones[0].bone = "pelvis";
    for (int i = 0; i < 2; i++)
        two.actual->clips[i].channels[0].node = "pelvis";
    FINDS("node `hips` is named `pelvis` now");
    two.actual->nodes[0].name = "Armature"; /* the root is the root */
    two.actual->nodes[1].parent = "Armature";
    two.actual->nodes[0].local_to_parent[3][0] = 2;
    two.actual->meshes[0].nodes[0] = "Armature";
    two.actual->cameras[0].node = "Armature";
    FINDS("node `rig` is named `Armature` now", "local transform of node `rig`: 2 m");
    /* Two nodes that are alike to one another are no evident rename. */
    two.golden->mesh_count = two.actual->mesh_count = 0;
    two.actual->nodes[4].name = "claw";
    two.actual->nodes[4].local_to_parent[3][0] = 7;
    FINDS("node `hand.R` is gone", "node `claw` is new");
}

IMPORT_TEST(local_transforms_in_words)
{
    place(two.actual->nodes[1].local_to_parent, 0, 1, 3, 0, 12);
    FINDS("local transform of node `hips`: 12.0° about x and 3 m");
    two.golden->unit_meters = two.actual->unit_meters = 0;
    place(two.actual->nodes[1].local_to_parent, 0, 1, 3, 0, 12);
    FINDS("local transform of node `hips`: 12.0° about x and 3.00 units");
    affine_inverse(two.actual->nodes[3].local_to_parent, two.actual->nodes[3].local_to_parent);
    FINDS("local transform of node `hand.L` is the inverse of what it was");
    for (int i = 1; i < 5; i++)
        scale_vector(two.actual->nodes[i].local_to_parent[3], 100);
    FINDS("translations of 4 nodes are 100 times longer (`hips`, `spine`, `hand.L` and `hand.R`)");
    for (int i = 2; i < 5; i++)
        place(two.actual->nodes[i].local_to_parent, 0, 0, 0, 0, 0);
    FINDS("local transform of node `spine` is the identity now", "local transform of node `hand.L` is the identity now",
          "local transform of node `hand.R` is the identity now");
}

IMPORT_TEST(order_of_siblings_is_benign)
{
    struct node_snapshot keep = two.actual->nodes[3];
    two.actual->nodes[3] = two.actual->nodes[4];
    two.actual->nodes[4] = keep;
    FINDS("~nodes come in another order: `hand.R` before its sibling `hand.L`");
}

/* Two arms with nodes of the same names are told apart by what they hang on. */
IMPORT_TEST(duplicate_names_are_distinguished_by_their_parents)
{
    static const char *const names[] = {"root", "left", "arm", "hand", "right", "arm", "hand"};
    static const char *const parents[] = {NULL, "root", "left", "arm", "root", "right", "arm"};
    static const int swapped[] = {0, 4, 5, 6, 1, 2, 3};
    for (int side = 0; side < 2; side++) {
        struct node_snapshot *nodes = ARENA_NEW(two.arena, struct node_snapshot, 7);
        for (int i = 0; i < 7; i++) {
            int n = side ? swapped[i] : i;
            nodes[i] = (struct node_snapshot){.name = names[n], .parent = parents[n]};
            place(nodes[i].local_to_parent, (float)n, 0, 0, 0, 0);
        }
        *two.both[side] = (struct import_snapshot){.model = "", .up = "y", .nodes = nodes, .node_count = 7};
    }
    FINDS("~nodes come in another order: `right` before its sibling `left`");
}

IMPORT_TEST(bones_and_weights_in_words)
{
    two.actual->meshes[0].bone_count = 3;
    FINDS("mesh `body` no longer binds bone `hand.R`");
    two.golden->meshes[0].bone_count = 3;
    FINDS("mesh `body` binds bone `hand.R` now");
    two.actual->meshes[0].bone_count = 0;
    FINDS("mesh `body` is rigid now: it lost all its 4 bones");
    two.golden->meshes[0].bone_count = 0;
    FINDS("mesh `body` was rigid and is bound to 4 bones now");
    two.actual->meshes[0].bones[1].follows_mesh_node = true;
    FINDS("mesh `body`: 800 vertices lost their weights",
          "bone `spine` (mesh `body`) is not in the file any more: it holds vertices without weights");
    struct bone_snapshot keep = two.actual->meshes[0].bones[0];
    two.actual->meshes[0].bones[0] = two.actual->meshes[0].bones[3];
    two.actual->meshes[0].bones[3] = keep;
    FINDS("~the bones of mesh `body` come in another order: `spine` before `hips`");
    struct bone_snapshot *hand = &two.actual->meshes[0].bones[2];
    two.golden->meshes[0].bones[2].weights = 41;
    two.golden->meshes[0].bones[2].sum = 30.1f;
    hand->weights = 190;
    hand->sum = 12.5f;
    hand->centroid[0] += 0.03f;
    FINDS("bone `hand.L` (mesh `body`): 190 vertices, were 41; total weight 12.5, was 30.1; weighted centre "
          "moved by 3 cm");
    two.actual->meshes[0].bones[2].weights = 1;
    FINDS("bone `hand.L` (mesh `body`): 1 vertex, were 700");
    /* A sum that is nearly nothing says little about where its centre is. */
    two.golden->meshes[0].bones[2].sum = two.actual->meshes[0].bones[2].sum = 1e-3f;
    two.actual->meshes[0].bones[2].centroid[0] += 0.005f;
    FINDS_NOTHING();
    two.golden->meshes[0].bones[2].sum = two.actual->meshes[0].bones[2].sum = 0;
    two.actual->meshes[0].bones[2].centroid[0] += 5;
    FINDS_NOTHING();
}

IMPORT_TEST(a_bone_that_lost_its_vertices_leads_before_one_that_got_them)
{
    two.golden->meshes[0].bones[0].weights = two.actual->meshes[0].bones[2].weights = 0;
    two.golden->meshes[0].bones[0].sum = two.actual->meshes[0].bones[2].sum = 0;
    compare_them();
    findings_sort(&two.findings);
    assert_int_equal(two.findings.items[0].code, CODE_BONE_EMPTY);
    assert_int_equal(two.findings.items[1].code, CODE_BONE_FILLED);
    assert_string_equal(two.findings.items[1].subject, "hips");
}

/* The bone that lost all its vertices is the cause: it comes before how many influences vertices have, and those that got more. */
IMPORT_TEST(a_bone_without_vertices_leads)
{
    for (int side = 0; side < 2; side++) {
        struct mesh_snapshot *was = (side ? two.actual : two.golden)->meshes, *now = (side ? two.golden : two.actual)->meshes;
        now->bones[2].weights = 0;
        now->bones[2].sum = 0;
        memset(now->bones[2].centroid, 0, sizeof(vec3));
        now->bones[1].centroid[0] += 0.03f;
        now->influences[1] = was->influences[1] + 300;
        now->influences[2] = was->influences[2] - 300;
        compare_them();
        assert_true(two.findings.count == 3);
        assert_int_equal(two.findings.items[0].code, side ? CODE_BONE_FILLED : CODE_BONE_EMPTY);
        assert_string_equal(two.findings.items[0].subject, "hand.L");
        assert_true(isnan(two.findings.items[0].displacement));
        assert_float_equal(two.findings.items[0].measure, 700 / 2000.0, 1e-9);
        assert_int_equal(two.findings.items[1].code, CODE_MESH_INFLUENCES);
        assert_int_equal(two.findings.items[2].code, CODE_BONE_WEIGHTS);
        require_text(&two.findings, side ? "bone `hand.L` (mesh `body`) holds 700 vertices now, held none"
                                         : "bone `hand.L` (mesh `body`) holds no vertices any more, held 700");
        begin_again();
    }
}

static void take_vertices(struct bone_snapshot *bone, const struct bone_snapshot *from)
{
    bone->weights = from->weights;
    bone->sum = from->sum;
    memcpy(bone->centroid, from->centroid, sizeof(vec3));
}

/* Bone indices that are off by one. */
IMPORT_TEST(exchanged_vertices_are_recognised)
{
    for (int i = 0; i < 4; i++)
        take_vertices(&two.actual->meshes[0].bones[i], &two.golden->meshes[0].bones[(i + 1) % 4]);
    FINDS("bone `hips` (mesh `body`) holds the vertices that `spine` held",
          "bone `spine` (mesh `body`) holds the vertices that `hand.L` held",
          "bone `hand.L` (mesh `body`) holds the vertices that `hand.R` held",
          "bone `hand.R` (mesh `body`) holds the vertices that `hips` held");
}

static void transpose(mat4 m)
{
    mat4 copy;
    memcpy(copy, m, sizeof copy);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            m[i][k] = copy[k][i];
}

/* A turn of t of a bone with influence radius r moves its farthest vertex by 2 r sin(t / 2): closed form. */
IMPORT_TEST(offset_of_one_bone)
{
    struct bone_snapshot *hand = &two.actual->meshes[0].bones[2];
    mat4 turn;
    place(turn, 0, 0, 0, 2, 12);
    affine_mul(turn, hand->mesh_to_bone, hand->mesh_to_bone);
    compare_them();
    const struct finding *f = require_text(&two.findings, "offset matrix of `hand.L` (mesh `body`): 12.0°");
    assert_float_equal(f->distance, 2 * 0.3 * sin(6 * degree), 1e-6);
    assert_float_equal(f->displacement, f->distance, 1e-6);
    assert_float_equal(f->degrees, 12, 1e-4);
    assert_float_equal(f->translation, 0, 1e-6);
    assert_string_equal(f->subject, "hand.L");
    assert_string_equal(f->mesh, "body");
    assert_int_equal(two.findings.count, 1);
    begin_again();
    place(turn, 0.03f, 0, 0, 2, 12);
    hand = &two.actual->meshes[0].bones[2];
    affine_mul(turn, hand->mesh_to_bone, hand->mesh_to_bone);
    FINDS("offset matrix of `hand.L` (mesh `body`): 12.0° and 3 cm");
    transpose(two.actual->meshes[0].bones[2].mesh_to_bone);
    FINDS("offset matrix of `hand.L` (mesh `body`) is transposed");
}

IMPORT_TEST(patterns_of_all_bones_are_told_once)
{
    struct bone_snapshot *bones = two.actual->meshes[0].bones;
    for (int i = 0; i < 4; i++)
        transpose(bones[i].mesh_to_bone);
    FINDS(
        "offset matrices of 3 of the 4 bones of mesh `body` are transposed; `hand.L` is off most, by 71.9° and 2.04 m");
    bones = two.actual->meshes[0].bones;
    for (int i = 0; i < 4; i++)
        affine_inverse(bones[i].mesh_to_bone, bones[i].mesh_to_bone);
    FINDS("offset matrices of all 4 bones of mesh `body` are the inverse of what they were; `hand.L` is off most, by "
          "71.9° and 3.3 m");
    bones = two.actual->meshes[0].bones;
    for (int i = 0; i < 4; i++)
        place(bones[i].mesh_to_bone, 0, 0, 0, 0, 0);
    FINDS("offset matrices of all 4 bones of mesh `body` are the identity now; `hand.L` is off most, by 35.9° "
          "and 1.74 m");
    bones = two.actual->meshes[0].bones;
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++)
            bones[i].mesh_to_bone[3][k] = 0;
    FINDS("offset matrices of all 4 bones of mesh `body` have lost their translation; `hand.L` is off most, by 1.74 m");
    bones = two.actual->meshes[0].bones;
    for (int i = 0; i < 4; i++)
        scale_vector(bones[i].mesh_to_bone[3], 100);
    FINDS("offset matrices of all 4 bones of mesh `body` have translations that are 100 times longer; `hand.L` is off "
          "most, by 172 m");
}

IMPORT_TEST(one_transform_for_all_is_told_once)
{
    struct bone_snapshot *bones = two.actual->meshes[0].bones;
    mat4 turn;
    place(turn, 0, 0, 0, 0, 90);
    for (int i = 0; i < 4; i++)
        affine_mul(bones[i].mesh_to_bone, turn, bones[i].mesh_to_bone);
    FINDS(
        "offset matrices of all 4 bones of mesh `body` are multiplied by the same transform on the mesh's side (90.0° "
        "about x); `hand.L` is off most, by 90.0° and 2.39 m");
    bones = two.actual->meshes[0].bones;
    place(turn, 0, 0.03f, 0, 0, 90);
    for (int i = 1; i < 4; i++)
        affine_mul(turn, bones[i].mesh_to_bone, bones[i].mesh_to_bone);
    FINDS("offset matrices of 3 of the 4 bones of mesh `body` are multiplied by the same transform on the bones' side "
          "(90.0° about x, 3 cm along y); `spine` is off most, by 90.0° and 3 cm");
}

IMPORT_TEST(exchanged_matrices_are_recognised)
{
    struct bone_snapshot *now = two.actual->meshes[0].bones, *was = two.golden->meshes[0].bones;
    memcpy(now[2].mesh_to_bone, was[3].mesh_to_bone, sizeof(mat4));
    memcpy(now[3].mesh_to_bone, was[2].mesh_to_bone, sizeof(mat4));
    FINDS(
        "offset matrices of 2 of the 4 bones of mesh `body` are exchanged (`hand.L` has that of `hand.R`, `hand.R` has "
        "that of `hand.L`); `hand.L` is off most, by 60.0° and 80 cm");
}

/* A little noise beyond a strict limit is no transform for all. */
IMPORT_TEST(small_changes_and_singular_matrices)
{
    for (int i = 0; i < 4; i++)
        two.actual->meshes[0].bones[i].mesh_to_bone[3][i % 3] += 4e-5f;
    compare_them();
    assert_in_range(two.findings.count, 1, 4); /* some may be told together, being as far off */
    for (size_t i = 0; i < two.findings.count; i++)
        assert_null(strstr(two.findings.items[i].text, "same transform"));
    begin_again();
    /* Where the golden's matrix has no inverse, the mesh's corners judge. */
    memset(two.golden->meshes[0].bones[2].mesh_to_bone, 0, 3 * sizeof(vec4));
    memset(two.actual->meshes[0].bones[2].mesh_to_bone, 0, 3 * sizeof(vec4));
    two.actual->meshes[0].bones[2].mesh_to_bone[3][0] += 0.25f;
    assert_int_equal(compare_them(), 1);
    assert_float_equal(two.findings.items[0].distance, 0.25, 1e-6);
}

/* Twelve meshes with one fault are one sentence. */
IMPORT_TEST(many_meshes_with_one_fault_are_told_once)
{
    enum { COUNT = 12 };
    for (int side = 0; side < 2; side++) {
        struct mesh_snapshot *meshes = ARENA_NEW(two.arena, struct mesh_snapshot, COUNT);
        for (int i = 0; i < COUNT; i++) {
            meshes[i] = two.both[side]->meshes[0];
            meshes[i].name = arena_printf(two.arena, "m%d", i);
            meshes[i].has_uvs = side == 0;
        }
        two.both[side]->meshes = meshes;
        two.both[side]->mesh_count = COUNT;
    }
    for (int i = 0; i < 4; i++)
        transpose(two.actual->meshes[0].bones[i].mesh_to_bone); /* the bones are shared by all */
    FINDS("offset matrices of the bones of 12 meshes are transposed (`m0`, `m1`, `m2` and 9 more)",
          "texture coordinates of 12 meshes are lost (`m0`, `m1`, `m2` and 9 more)");
}
