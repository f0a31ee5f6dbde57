/* The bind pose from offset matrices: made from a pose that the test knows, to be found again from them alone. */

#include "data/affine.h"
#include "data/scene/bind_pose.h"
#include "data/scene/upload_format.h"
#include "scene_builder.h"

enum { VERTICES = 6 };

static void make(float x, float y, float z, float degrees, float sx, float sy, float sz, mat4 out)
{
    struct transform t = {{x, y, z}, {sinf(degrees * 0.00872665f), 0, 0, cosf(degrees * 0.00872665f)}, {sx, sy, sz}};
    affine_from_transform(&t, out);
}

static void random_affine(uint64_t *seed, mat4 out)
{
    struct transform t;
    for (int i = 0; i < 3; i++) {
        t.translation[i] = (float)builder_random(seed, -3, 3);
        t.scale[i] = (float)builder_random(seed, 0.6, 1.6);
    }
    builder_random_rotation(seed, t.rotation);
    affine_from_transform(&t, out);
}

enum { NODES = 12, MESHES = 4, BONES = 5 };

struct known {
    struct scene *scene;
    mat4 bind[NODES]; /* globals */
    mat4 mesh_to_scene[MESHES];
};

static void set_offset(struct scene *scene, uint32_t mesh, uint32_t bone, const mat4 bone_to_scene,
                       const mat4 mesh_to_scene)
{
    mat4 back;
    assert_true(affine_inverse(bone_to_scene, back));
    affine_mul(back, mesh_to_scene, scene->meshes[mesh].bones[bone].mesh_to_bone);
}

/* Mesh m has the bones of nodes 2 m + 1 ... 2 m + 5: it shares three with the next. The last of each holds no vertex. */
static struct known make_known(uint64_t seed)
{
    static const struct influence influences[VERTICES * 2] = {{0, 0.5f}, {1, 0.5f}, {1, 0.75f}, {2, 0.25f},
                                                              {2, 0.5f}, {3, 0.5f}, {3, 0.75f}, {0, 0.25f},
                                                              {1, 0.5f}, {3, 0.5f}, {0, 1},     {2, 0}};
    struct known k = {.scene = builder_scene(NODES)};
    struct scene *scene = k.scene;
    struct mesh *meshes = ARENA_NEW(scene->arena, struct mesh, MESHES);
    struct instance *instances = ARENA_NEW(scene->arena, struct instance, MESHES);
    for (uint32_t n = 0; n < NODES; n++) {
        random_affine(&seed, k.bind[n]);
        random_affine(&seed, scene->nodes[n].local_to_parent);
        scene->nodes[n].parent = n == 0 ? NO_INDEX : (int32_t)builder_random_index(&seed, n);
        affine_to_transform(scene->nodes[n].local_to_parent, &scene->nodes[n].rest);
    }
    for (uint32_t m = 0; m < MESHES; m++) {
        meshes[m] = *builder_mesh(scene, 0, VERTICES, BONES);
        meshes[m].name = arena_printf(scene->arena, "mesh%u", m);
        builder_influences(scene, &meshes[m], 2, influences);
        random_affine(&seed, k.mesh_to_scene[m]);
        for (uint32_t v = 0; v < VERTICES; v++)
            for (int i = 0; i < 3; i++)
                meshes[m].positions[v][i] = (float)builder_random(&seed, -1, 1);
        instances[m] = (struct instance){.mesh = m};
    }
    scene->meshes = meshes;
    scene->instances = instances;
    scene->mesh_count = scene->instance_count = MESHES;
    scene_label_meshes(scene);
    for (uint32_t m = 0; m < MESHES; m++)
        for (uint32_t b = 0; b < BONES; b++) {
            meshes[m].bones[b].node = 2 * m + 1 + b;
            set_offset(scene, m, b, k.bind[2 * m + 1 + b], k.mesh_to_scene[m]);
        }
    return k;
}

static void drop_known(struct known *k)
{
    scene_free(k->scene);
}
#define KNOWN RELEASED_BY(drop_known) struct known

static double apart(const mat4 a, const mat4 b)
{
    double worst = 0;
    for (int i = 0; i < 16; i++)
        worst = fmax(worst, fabs((double)a[i / 4][i % 4] - (double)b[i / 4][i % 4]));
    return worst;
}

static void entry(const struct scene *scene, const struct pose *pose, uint32_t mesh, uint32_t bone, mat4 out)
{
    const struct bone *b = &scene->meshes[mesh].bones[bone];
    affine_mul(pose->node_to_scene[b->node], b->mesh_to_bone, out);
}

/* One transform for each mesh, all of which stand to each other as in the pose that the offsets were made from. */
TEST(every_mesh_is_undeformed)
{
    for (uint64_t seed = 1; seed <= 50; seed++) {
        KNOWN k = make_known(seed);
        struct bind_pose bind;
        mat4 first, back, from_known, want, got;
        scene_bind(k.scene);
        assert_true(bind_pose_solve(k.scene, k.scene->arena, &bind, ANY_ERROR));
        assert_true(!bind.is_rest && bind.displacement > 0.01);
        entry(k.scene, &bind.pose, 0, 0, first);
        assert_true(affine_inverse(k.mesh_to_scene[0], back));
        affine_mul(first, back, from_known);
        for (uint32_t m = 0; m < MESHES; m++)
            for (uint32_t b = 0; b < BONES; b++) {
                affine_mul(from_known, k.mesh_to_scene[m], want);
                entry(k.scene, &bind.pose, m, b, got);
                if (!(apart(got, want) < 2e-3))
                    fail_msg("seed %d, mesh %u, bone %u: %.3g off", (int)seed, m, b, apart(got, want));
            }
        for (uint32_t n = 1; n < NODES; n++) { /* locals are those globals */
            affine_mul(bind.pose.node_to_scene[k.scene->nodes[n].parent], bind.pose.local_to_parent[n], got);
            assert_true(apart(got, bind.pose.node_to_scene[n]) == 0);
        }
    }
}

TEST(a_rest_pose_that_is_one_stays_as_it_is)
{
    KNOWN k = make_known(7);
    struct bind_pose bind;
    mat4 globals[NODES];
    struct pose rest = pose_create(k.scene, k.scene->arena);
    for (uint32_t n = 0; n < NODES; n++)
        if (n == 0)
            memcpy(globals[n], rest.local_to_parent[n], sizeof(mat4));
        else
            affine_mul(globals[k.scene->nodes[n].parent], rest.local_to_parent[n], globals[n]);
    for (uint32_t m = 0; m < MESHES; m++)
        for (uint32_t b = 0; b < BONES; b++)
            set_offset(k.scene, m, b, globals[2 * m + 1 + b], k.mesh_to_scene[m]);
    scene_bind(k.scene);
    assert_true(bind_pose_solve(k.scene, k.scene->arena, &bind, ANY_ERROR));
    assert_true(bind.is_rest && bind.displacement == 0);
    assert_memory_equal(bind.pose.local_to_parent, rest.local_to_parent, NODES * sizeof(mat4));
}

static void is_refused(struct known *k, const char *why)
{
    struct bind_pose bind;
    scene_bind(k->scene);
    assert_refused(bind_pose_solve(k->scene, k->scene->arena, &bind, err), why);
    scene_free(k->scene);
}

TEST(contradictions_are_named)
{
    mat4 turn;
    struct known k = make_known(3);
    make(0, 0, 0, 40, 1, 1, 1, turn);
    affine_mul(turn, k.scene->meshes[1].bones[2].mesh_to_bone, k.scene->meshes[1].bones[2].mesh_to_bone);
    is_refused(
        &k,
        "meshes `mesh1` and `mesh2` contradict each other: where they agree on bone `node5`, others are off by a share of "
        "the model's radius: `node6` (");
    k = make_known(3); /* a bone without vertices contradicts nothing */
    memset(k.scene->meshes[1].bones[4].mesh_to_bone, 0, 3 * sizeof(vec4));
    struct bind_pose bind;
    scene_bind(k.scene);
    assert_true(bind_pose_solve(k.scene, k.scene->arena, &bind, ANY_ERROR));
    scene_free(k.scene);
    k = make_known(3);
    memset(k.scene->meshes[0].bones[1].mesh_to_bone, 0, 3 * sizeof(vec4));
    is_refused(&k, "the offset matrix of bone `node2` of mesh `mesh0` has no inverse");
    k = make_known(3);
    k.scene->meshes[0].bones[1].node = 1;
    is_refused(&k, "a bone is there twice, off by a share of the model's radius: `node1` (");
}

/*
 * root > mesh node, root > armature > hips > leg; a mesh on hips and leg. `armature` is where its skeleton was modelled;
 * at rest the hips are turned by 20 degrees about x, the leg by 60 more.
 */
static struct scene *figure(const mat4 root, const mat4 mesh_node, const mat4 armature, const mat4 mesh_to_scene)
{
    static const struct influence influences[VERTICES] = {{0, 1}, {1, 1}, {0, 1}, {1, 1}, {0, 1}, {1, 1}};
    struct scene *scene = builder_scene(5);
    struct mesh *mesh = builder_mesh(scene, 1, VERTICES, 2);
    mat4 hips, leg, to_scene;
    builder_influences(scene, mesh, 1, influences);
    for (int v = 0; v < VERTICES; v++)
        memcpy(mesh->positions[v], (vec3){(float)(v % 2), (float)v, (float)(v % 3)}, sizeof(vec3));
    scene->nodes[2].parent = 0;
    memcpy(scene->nodes[0].local_to_parent, root, sizeof(mat4));
    memcpy(scene->nodes[1].local_to_parent, mesh_node, sizeof(mat4));
    memcpy(scene->nodes[2].local_to_parent, armature, sizeof(mat4));
    make(0, 1, 0, 0, 1, 1, 1, hips);
    make(0, -0.5f, 0, 0, 1, 1, 1, leg);
    affine_mul(root, armature, to_scene);
    affine_mul(to_scene, hips, to_scene);
    mesh->bones[0].node = 3;
    mesh->bones[1].node = 4;
    set_offset(scene, 0, 0, to_scene, mesh_to_scene);
    affine_mul(to_scene, leg, to_scene);
    set_offset(scene, 0, 1, to_scene, mesh_to_scene);
    make(0, 1, 0.25f, 20, 1, 1, 1, scene->nodes[3].local_to_parent);
    make(0, -0.5f, 0, 60, 1, 1, 1, scene->nodes[4].local_to_parent);
    for (int n = 0; n < 5; n++)
        affine_to_transform(scene->nodes[n].local_to_parent, &scene->nodes[n].rest);
    scene_bind(scene);
    return scene;
}

static void stands_at(struct scene *scene, const mat4 want)
{
    struct bind_pose bind;
    mat4 got;
    assert_true(bind_pose_solve(scene, scene->arena, &bind, ANY_ERROR));
    for (uint32_t b = 0; b < 2; b++) {
        entry(scene, &bind.pose, 0, b, got);
        if (!(apart(got, want) < 1e-5))
            fail_msg("bone %u: %.3g off", b, apart(got, want));
    }
    scene_free(scene);
}

TEST(a_model_stands_where_it_was_modelled)
{
    mat4 identity, root, armature, far, both;
    affine_from_transform(&transform_identity, identity);
    make(0, 0, 0, -90, 1, 1, 1, root);
    make(0.5f, 0, 0, 30, 0.01f, 0.01f, 0.01f, armature);
    make(7, 0, -7, 80, 1, 1, 1, far);
    affine_mul(root, armature, both);
    mat4 stretched;
    make(0, 0, 0, 0, 12, 6, 8, stretched);
    affine_mul(root, stretched, both);
    stands_at(figure(root, stretched, identity, both), both);          /* stretched itself */
    affine_mul(root, armature, both);
    stands_at(figure(root, identity, identity, root), root);         /* the mesh node's */
    stands_at(figure(root, armature, armature, both), both);         /* with a unit of its own */
    stands_at(figure(root, far, identity, root), root);              /* glTF: a mesh node of no meaning */
    stands_at(figure(root, far, armature, both), both);              /* as the armature has it */
    stands_at(figure(root, armature, armature, root), root);         /* COLLADA: as the root has it */
    struct scene *lies = figure(identity, identity, identity, root); /* none of them: the hips stay */
    mat4 hips;
    affine_mul(lies->nodes[3].local_to_parent, lies->meshes[0].bones[0].mesh_to_bone, hips);
    stands_at(lies, hips);
    lies = figure(identity, identity, identity, root); /* nor are they stretched with it */
    lies->nodes[3].local_to_parent[1][1] *= 8;
    lies->nodes[3].local_to_parent[1][2] *= 8;
    mat4 doubled;
    make(0, 0, 0, 20 - 90, 2, 2, 2, doubled);
    affine_inverse(lies->meshes[0].bones[0].mesh_to_bone, hips);
    vec3 at;
    affine_point(doubled, hips[3], at);
    for (int i = 0; i < 3; i++)
        doubled[3][i] = lies->nodes[3].local_to_parent[3][i] - at[i];
    stands_at(lies, doubled);
}

static bool from_rows(const float *rows, struct similarity *out, const char **why)
{
    mat4 matrix;
    affine_from_rows(rows, matrix);
    return similarity_from_affine(matrix, out, why);
}

TEST(parts_are_found)
{
    static const struct {
        float rows[12];
        struct similarity expected;
    } rows[] = {
        {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}, {{0, 0, 0, 1}, {0, 0, 0}, 1}},
        {{0, -2, 0, 5, 2, 0, 0, 6, 0, 0, 2, 7}, {{0, 0, 0.70710678f, 0.70710678f}, {5, 6, 7}, 2}},
        {{-1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 1, 0}, {{0, 0, 1, 0}, {0, 0, 0}, 1}},   /* half turns */
        {{-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1, 0}, {{0, 1, 0, 0}, {0, 0, 0}, 1}},
        {{1, 0, 0, 0, 0, -1, 0, 0, 0, 0, -1, 0}, {{1, 0, 0, 0}, {0, 0, 0}, 1}},
        {{0, 0, 0.5f, 0, 0.5f, 0, 0, 0, 0, 0.5f, 0, 0}, {{0.5f, 0.5f, 0.5f, 0.5f}, {0, 0, 0}, 0.5f}},
        {{0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3}, {{0, 0, 0, 1}, {1, 2, 3}, 0}},
        {{1e-20f, 0, 0, 0, 0, 1e-20f, 0, 0, 0, 0, 1e-20f, 0}, {{0, 0, 0, 1}, {0, 0, 0}, 1e-20f}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct similarity got;
        const char *why = "";
        if (!from_rows(rows[i].rows, &got, &why))
            fail_msg("row %zu %s", i, why);
        ASSERT_NEAR(got.rotation, rows[i].expected.rotation, 4, 1e-6);
        assert_memory_equal(got.translation, rows[i].expected.translation, sizeof got.translation);
        assert_true(fabsf(got.scale - rows[i].expected.scale) <= 1e-6f * rows[i].expected.scale);
    }
}

/* Just within and just beyond 1e-5 of the scale. */
TEST(the_tolerance_is_the_stated)
{
    struct similarity got;
    const char *why = "";
    assert_true(from_rows((float[]){3, 0, 0, 0, 0, 3, 0, 0, 0, 0, 3.00003f, 0}, &got, &why));
    assert_false(from_rows((float[]){3, 0, 0, 0, 0, 3, 0, 0, 0, 0, 3.0001f, 0}, &got, &why));
    assert_string_equal(why, "has a scale that is not uniform");
}

TEST(what_is_none_says_why)
{
    static const struct {
        float rows[12];
        const char *why;
    } rows[] = {
        {{1, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1, 0}, "has a scale that is not uniform"},
        {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0}, "has a scale that is not uniform"},
        {{-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}, "is mirrored"},
        {{-3, 0, 0, 0, 0, -3, 0, 0, 0, 0, -3, 0}, "is mirrored"},
        {{1, 0.6f, 0, 0, 0, 0.8f, 0, 0, 0, 0, 1, 0}, "has shear"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct similarity got;
        const char *why = "";
        assert_false(from_rows(rows[i].rows, &got, &why));
        assert_string_equal(why, rows[i].why);
    }
}
