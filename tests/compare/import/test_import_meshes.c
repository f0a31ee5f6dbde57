/* Meshes of two imports, their attributes, materials and textures: each sentence. */
#include "compare/import_findings.h"

static struct mesh_snapshot *with_targets(struct import_snapshot *import)
{
    struct mesh_snapshot *body = import->meshes;
    body->morph_targets = body->target_count = 2;
    body->targets = ARENA_NEW(two.arena, struct target_snapshot, 2);
    body->targets[0] = (struct target_snapshot){"smile", 0, 40, 0.02f, {0, 0.001f, 0}, true, {0.1f, 0, 0}};
    body->targets[1] = (struct target_snapshot){"blink", 0.5f, 20, 0.01f, {0, 0, 0}, false, {0, 0, 0}};
    return body;
}

IMPORT_TEST(targets_in_words)
{
    struct target_snapshot *targets = with_targets(two.actual)->targets;
    with_targets(two.golden);
    targets[0].moved = 39;
    targets[0].largest = 0.03f;
    targets[0].normal[0] = 0.2f;
    targets[1].name = "wink";
    targets[1].weight = 0;
    targets[1].has_normals = true;
    FINDS("morph target 1 (`blink`) of mesh `body` is `wink` now",
          "morph target 0 (`smile`) of mesh `body` moves 39 vertices, were 40",
          "morph target 0 (`smile`) of mesh `body` changes normals by (0.2, 0, 0) on average, was (0.1, 0, 0)",
          "morph target 1 (`blink`) of mesh `body` has normals now",
          "morph target 1 (`blink`) of mesh `body` rests at weight 0, was 0.5",
          "morph target 0 (`smile`) of mesh `body` moves vertices by up to 3 cm, was 2 cm");
    targets = with_targets(two.actual)->targets;
    with_targets(two.golden);
    targets[0].mean[1] = -0.001f;
    FINDS("morph target 0 (`smile`) of mesh `body` moves vertices by (0, -0.001, 0) on average, was (0, 0.001, 0)");
    targets = with_targets(two.actual)->targets;
    targets[0].name = with_targets(two.golden)->targets[0].name = "";
    targets[0].mean[1] = -0.001f;
    FINDS("morph target 0 of mesh `body` moves vertices by (0, -0.001, 0) on average, was (0, 0.001, 0)");
    /* a file that counts them and says no more */
    with_targets(two.actual);
    with_targets(two.golden)->target_count = 0;
    FINDS_NOTHING();
}

IMPORT_TEST(meshes_in_words)
{
    struct mesh_snapshot *body = two.actual->meshes;
    body->vertices = 1858;
    body->triangles = 3000;
    body->morph_targets = 3;
    body->has_uvs = false;
    FINDS("mesh `body`: 1858 vertices, were 2000; 3000 triangles, were 3200", "mesh `body`: 3 morph targets, were 0",
          "texture coordinates of mesh `body` are lost");
    two.golden->meshes[0].has_uvs = false;
    two.actual->meshes[0].triangles = 3199;
    FINDS("mesh `body`: 3199 triangles, were 3200", "texture coordinates of mesh `body` are new");
    two.actual->meshes[0].material = "cloth";
    two.actual->meshes[0].nodes[0] = "hips";
    FINDS("the material of mesh `body` is `cloth`, was `skin`", "mesh `body` hangs on `hips` now, was on `rig`");
    two.actual->meshes[0].node_count = 0;
    FINDS("mesh `body` hangs on no node now, was on `rig`");
}

IMPORT_TEST(meshes_that_come_and_go)
{
    struct mesh_snapshot *twice = ARENA_NEW(two.arena, struct mesh_snapshot, 2);
    twice[0] = twice[1] = two.actual->meshes[0];
    two.actual->meshes = twice;
    two.actual->mesh_count = 2;
    FINDS("mesh `body` #1 is new");
    two.actual->mesh_count = 0;
    FINDS("mesh `body` is gone");
    two.actual->meshes[0].name = "Body";
    FINDS("mesh `body` is named `Body` now");
    two.actual->meshes[0].name = "Body";
    two.actual->meshes[0].vertices = 3;
    FINDS("mesh `body` is gone", "mesh `Body` is new");
    /* Meshes split by material have one name: the material tells them apart. */
    for (int side = 0; side < 2; side++) {
        struct mesh_snapshot *meshes = ARENA_NEW(two.arena, struct mesh_snapshot, 2);
        meshes[side] = meshes[1 - side] = two.both[side]->meshes[0];
        meshes[1 - side].material = "cloth";
        meshes[1 - side].vertices = 5;
        two.both[side]->meshes = meshes;
        two.both[side]->mesh_count = 2;
    }
    FINDS("~the meshes come in another order: `body` before `body`");
}

static void scale_box(struct mesh_snapshot *mesh, float factor)
{
    for (int k = 0; k < 3; k++) {
        mesh->min[k] *= factor;
        mesh->max[k] *= factor;
    }
}

IMPORT_TEST(bounds_in_words)
{
    scale_box(two.actual->meshes, 100);
    FINDS("mesh `body` is 100 times larger");
    scale_box(two.actual->meshes, 0.01f);
    FINDS("mesh `body` is 100 times smaller");
    two.actual->meshes[0].min[1] += 0.03f;
    two.actual->meshes[0].max[1] += 0.03f;
    FINDS("mesh `body` is moved by 3 cm along y");
    memcpy(two.golden->meshes[0].min, (vec3){-1, -2, -3}, sizeof(vec3));
    memcpy(two.golden->meshes[0].max, (vec3){1, 2, 4}, sizeof(vec3));
    memcpy(two.actual->meshes[0].min, (vec3){-1, -3, -2}, sizeof(vec3));
    memcpy(two.actual->meshes[0].max, (vec3){1, 4, 2}, sizeof(vec3));
    FINDS("mesh `body` is turned -90.0° about x");
    memcpy(two.golden->meshes[0].min, (vec3){-1, 0, -1}, sizeof(vec3));
    memcpy(two.golden->meshes[0].max, (vec3){1, 2, 1}, sizeof(vec3));
    memcpy(two.actual->meshes[0].min, (vec3){-1, 0, -1}, sizeof(vec3));
    memcpy(two.actual->meshes[0].max, (vec3){1.25f, 2, 1}, sizeof(vec3));
    FINDS("bounds of mesh `body` differ by 25 cm: (-1, 0, -1) to (1.25, 2, 1), were (-1, 0, -1) to (1, 2, 1)");
}

IMPORT_TEST(influences_in_words)
{
    two.actual->meshes[0].influences[0] = 12;
    FINDS("mesh `body`: 12 vertices lost their weights");
    two.golden->meshes[0].influences[0] = 1;
    two.actual->meshes[0].influences[0] = 12;
    FINDS("mesh `body`: 12 vertices without any weight, were 1");
    two.actual->meshes[0].influence_slots = 3;
    FINDS("vertices of mesh `body` have at most 2 influences, had at most 3");
    two.actual->meshes[0].influences[1] = 995;
    two.actual->meshes[0].influences[2] = 806;
    FINDS("mesh `body`: 806 vertices with 2 influences, were 800");
}

/* Bounds of a cube do not tell how it was turned; the weighted centres of its bones do, and are not told again. */
IMPORT_TEST(meshes_that_went_as_a_whole_take_their_bones_along)
{
    struct mesh_snapshot *body = two.actual->meshes;
    mat4 turn;
    place(turn, 0, 0, 0, 0, 90);
    for (int i = 0; i < 4; i++)
        affine_point(turn, body->bones[i].centroid, body->bones[i].centroid);
    memcpy(body->min, (vec3){body->min[0], -body->max[2], two.golden->meshes[0].min[1]}, sizeof(vec3));
    memcpy(body->max, (vec3){body->max[0], body->max[2], two.golden->meshes[0].max[1]}, sizeof(vec3));
    FINDS("mesh `body` is turned 90.0° about x");
    scale_box(two.actual->meshes, 100);
    for (int i = 0; i < 4; i++)
        scale_vector(two.actual->meshes[0].bones[i].centroid, 100);
    two.actual->meshes[0].bones[2].centroid[0] += 25; /* this one did something of its own as well */
    FINDS("mesh `body` is 100 times larger", "bone `hand.L` (mesh `body`): weighted centre moved by 25 m");
}

/* A quantiser makes vertices whole numbers in a space of their own, 1e-4 beside their places. One bone that does not
 * undo that is no quantiser's. */
IMPORT_TEST(a_space_that_inverse_bind_matrices_undo_moves_nothing)
{
    for (int other = 0; other < 2; other++) {
        struct mesh_snapshot *body = two.actual->meshes;
        mat4 undo = {{0.5f, 0, 0, 0}, {0, 0.5f, 0, 0}, {0, 0, 0.5f, 0}, {0, 1, 0, 1}};
        for (int i = 0; i < 4; i++) {
            struct bone_snapshot *bone = &body->bones[i];
            affine_mul(bone->mesh_to_bone, undo, bone->mesh_to_bone);
            for (int k = 0; k < 3; k++)
                bone->centroid[k] = 2 * (bone->centroid[k] - (float)(k == 1));
        }
        for (int k = 0; k < 3; k++) {
            body->min[k] = 2 * (body->min[k] - (float)(k == 1)) + 2e-4f;
            body->max[k] = 2 * (body->max[k] - (float)(k == 1)) - 3e-4f;
        }
        body->bones[2].mesh_to_bone[3][0] += other ? 0.1f : 0;
        compare_them();
        const struct finding *placed = &two.findings.items[0];
        for (size_t i = 0; i < two.findings.count; i++)
            placed = two.findings.items[i].code == CODE_MESH_PLACED ? &two.findings.items[i] : placed;
        assert_int_equal(two.findings.count == 1, !other);
        assert_int_equal(placed->code == CODE_MESH_PLACED && placed->displacement == 0, !other);
        assert_false(placed->benign);
        begin_again();
    }
}

/* Moments of positions, faces, a normal, texture coordinates and a colour, all different. */
static void add_attributes(struct mesh_snapshot *mesh)
{
    mesh->positions.width = mesh->faces.width = mesh->normals.width = 3;
    mesh->uvs.width = 2;
    mesh->colors.width = mesh->tangents.width = 4;
    for (int i = 0; i < 16; i++) {
        mesh->positions.moments[i] = i < 12 ? 0.07f * (float)(i - 4) : 0;
        mesh->faces.moments[i] = i < 12 ? 0.06f * (float)(i - 3) : 0;
        mesh->normals.moments[i] = i < 12 ? 0.1f * (float)(i - 5) : 0;
        mesh->uvs.moments[i] = i < 8 ? 0.3f - 0.05f * (float)i : 0;
        mesh->colors.moments[i] = 0.02f * (float)(i * i);
        mesh->tangents.moments[i] = 0.03f * (float)(i + 2);
    }
}

static void add_attributes_to_both(void)
{
    add_attributes(two.golden->meshes);
    add_attributes(two.actual->meshes);
}

/* A vertex that moves takes its normal, its coordinates and its triangles along: that it moved is all there is to say. */
IMPORT_TEST(moved_vertices_are_said_once)
{
    begin_with(add_attributes_to_both);
    struct mesh_snapshot *mesh = two.actual->meshes;
    mesh->positions.moments[0] += 0.003f; /* half diagonals */
    mesh->positions.moments[8] -= 0.004f;
    mesh->faces.moments[1] += 0.1f;
    mesh->normals.moments[2] += 0.1f;
    mesh->uvs.moments[3] += 0.1f;
    double size[3], half = 0;
    for (int k = 0; k < 3; k++) {
        size[k] = (double)mesh->max[k] - (double)mesh->min[k];
        half += 0.25 * size[k] * size[k];
    }
    char text[80];
    snprintf(text, sizeof text, "vertices of mesh `body` moved, their mean by %.3g mm", 5.0 * sqrt(half));
    FINDS(text);
    two.actual->meshes[0].positions.moments[1] += 0.003f;
    FINDS("vertices of mesh `body` moved");
}

IMPORT_TEST(attributes_in_words)
{
    begin_with(add_attributes_to_both);
    FINDS_NOTHING();
    for (int i = 0; i < 12; i++)
        two.actual->meshes[0].normals.moments[i] *= -1;
    FINDS("normals of mesh `body` point the other way");
    two.actual->meshes[0].normals.moments[0] += 0.25f;
    FINDS("normals of mesh `body` have another mean: (-0.25, -0.1, 0.3), was (-0.5, -0.1, 0.3)");
    two.actual->meshes[0].normals.moments[2] += 0.25f;
    FINDS("normals of mesh `body` are distributed over the mesh in another way");
    two.actual->meshes[0].uvs.moments[4] = 1 - two.actual->meshes[0].uvs.moments[4];
    two.actual->meshes[0].uvs.moments[6] += 0.2f;
    FINDS("texture coordinates of mesh `body` are upside down: v is 1 - v now");
    float keep[4];
    memcpy(keep, two.actual->meshes[0].uvs.moments, sizeof keep);
    memcpy(two.actual->meshes[0].uvs.moments, two.actual->meshes[0].uvs.moments + 4, sizeof keep);
    memcpy(two.actual->meshes[0].uvs.moments + 4, keep, sizeof keep);
    FINDS("texture coordinates of mesh `body` are exchanged, u for v");
    memcpy(keep, two.actual->meshes[0].colors.moments, sizeof keep);
    memcpy(two.actual->meshes[0].colors.moments, two.actual->meshes[0].colors.moments + 8, sizeof keep);
    memcpy(two.actual->meshes[0].colors.moments + 8, keep, sizeof keep);
    FINDS("colours of mesh `body` are exchanged, red for blue");
    for (int i = 0; i < 12; i++)
        two.actual->meshes[0].tangents.moments[i] *= -1;
    FINDS("tangents of mesh `body` point the other way");
    two.actual->meshes[0].tangents.moments[12] *= -1; /* of w */
    FINDS("tangents of mesh `body` have another mean: (0.06, 0.18, 0.3, -0.42), was (0.06, 0.18, 0.3, 0.42)");
    two.actual->meshes[0].tangents.width = 0; /* not asked for */
    FINDS_NOTHING();
    two.actual->meshes[0].colors.width = 0;
    FINDS("colours of mesh `body` are lost");
    for (int i = 0; i < 12; i++)
        two.actual->meshes[0].faces.moments[i] *= -1;
    FINDS("triangles of mesh `body` are wound the other way");
    two.actual->meshes[0].faces.moments[7] += 0.01f;
    FINDS("triangles of mesh `body` join other vertices");
    /* Files that are older than the moments, and meshes of other vertices, have none to compare. */
    two.golden->meshes->positions.width = two.golden->meshes->faces.width = two.golden->meshes->normals.width = 0;
    two.golden->meshes->uvs.width = two.golden->meshes->colors.width = two.golden->meshes->tangents.width = 0;
    FINDS_NOTHING();
    two.actual->meshes[0].vertices = 2001;
    two.actual->meshes[0].normals.moments[0] = 1;
    FINDS("mesh `body`: 2001 vertices, were 2000");
}

IMPORT_TEST(materials_and_textures_in_words)
{
    struct material_snapshot *skin = two.actual->materials;
    skin->base_color[1] = 0.1f;
    skin->base_texture = NULL;
    skin->alpha = "blend";
    skin->two_sided = true;
    FINDS("base colour of material `skin` is (0.8, 0.1, 0.5, 1), was (0.8, 0.6, 0.5, 1)",
          "the texture of material `skin` is gone, was `skin.png`", "material `skin` is blended by alpha, was opaque",
          "material `skin` is two-sided now");
    two.golden->materials[0].alpha = two.actual->materials[0].alpha = "mask";
    two.golden->materials[0].cutoff = 0.5f;
    two.actual->materials[0].cutoff = 0.25f;
    two.golden->materials[0].wrap[0] = two.golden->materials[0].wrap[1] = "repeat";
    two.actual->materials[0].wrap[0] = "clamp";
    two.actual->materials[0].wrap[1] = "mirror";
    FINDS("the texture of material `skin` is clamped along u, was repeated",
          "the texture of material `skin` is mirrored along v, was repeated",
          "material `skin` is cut out at an alpha of 0.25, was at 0.5");
    two.actual->materials[0].name = "cloth";
    two.actual->meshes[0].material = "cloth";
    FINDS("material `skin` is named `cloth` now");
    two.actual->textures[0].name = "cloth.png";
    two.actual->materials[0].base_texture = "cloth.png";
    FINDS("texture `skin.png` is named `cloth.png` now");
    two.actual->textures[0].missing = true;
    FINDS("texture `skin.png` cannot be read");
    struct note_snapshot told = {"texture", "texture \"skin.png\" cannot be read, a checker stands for it: it is a pointer"};
    two.actual->warnings = &told;
    two.golden->warning_count = 0;
    two.actual->warning_count = 1;
    two.actual->textures[0].missing = true;
    FINDS("texture `skin.png` cannot be read, a checker stands for it: it is a pointer",
          "~warning `texture` is new: texture \"skin.png\" cannot be read, a checker stands for it: it is a pointer");
    two.golden->textures[0].missing = true;
    FINDS("texture `skin.png` can be read now");
    two.actual->textures[0].width = 128;
    FINDS("texture `skin.png` is 128x64, was 64x64");
}

/* A picture that is lighter above and to the left, and redder. */
static void give_picture(struct import_snapshot *import)
{
    static const float moments[] = {0.8f, 0.1f, -0.2f, 0.6f, 0.05f, -0.1f, 0.4f, 0.02f, -0.15f, 1, 0, 0};
    import->textures[0].has_moments = true;
    memcpy(import->textures[0].moments, moments, sizeof moments);
}

static void give_pictures(void)
{
    give_picture(two.golden);
    give_picture(two.actual);
}

IMPORT_TEST(pictures_in_words)
{
    begin_with(give_pictures);
    float *moments = two.actual->textures[0].moments, blue[3];
    moments[4] += 0.0005f; /* of a decoder */
    FINDS_NOTHING();
    moments = two.actual->textures[0].moments;
    moments[0] = 0.5f;
    FINDS("texture `skin.png` shows another picture: its mean colour is (0.5, 0.6, 0.4, 1), was (0.8, 0.6, 0.4, 1)");
    moments = two.actual->textures[0].moments;
    for (int channel = 0; channel < 4; channel++)
        moments[3 * channel + 2] *= -1;
    FINDS("texture `skin.png` is upside down");
    /* One within the model's file has no name: whose it is says more. */
    two.golden->textures[0].name = two.golden->materials[0].base_texture = "*0";
    two.actual->textures[0].name = two.actual->materials[0].base_texture = "*0";
    two.actual->textures[0].moments[0] = 0.5f;
    FINDS("texture of material `skin` shows another picture: its mean colour is (0.5, 0.6, 0.4, 1), was (0.8, 0.6, 0.4, 1)");
    for (int side = 0; side < 2; side++) {
        struct import_snapshot *import = side ? two.actual : two.golden;
        import->textures[0].name = "*0";
        import->materials[0].maps = ARENA_NEW(two.arena, struct map_snapshot, 1);
        import->materials[0].maps[0] = (struct map_snapshot){.name = "occlusion", .texture = "*0"};
        import->materials[0].map_count = 1;
    }
    two.actual->textures[0].moments[0] = 0.5f;
    FINDS("texture of the occlusion map of material `skin` shows another picture: its mean colour is (0.5, 0.6, 0.4, 1), was "
          "(0.8, 0.6, 0.4, 1)");
    for (int channel = 0; channel < 4; channel++)
        two.actual->textures[0].moments[3 * channel + 2] *= -1;
    FINDS("texture `skin.png` is upside down");
    moments = two.actual->textures[0].moments;
    for (int channel = 0; channel < 4; channel++)
        moments[3 * channel + 1] *= -1;
    FINDS("texture `skin.png` is mirrored");
    moments = two.actual->textures[0].moments;
    memcpy(blue, moments + 6, sizeof blue);
    memcpy(moments + 6, moments, sizeof blue);
    memcpy(moments, blue, sizeof blue);
    FINDS("texture `skin.png` has red for blue");
    two.golden->textures[0].has_moments = false; /* an older file */
    two.actual->textures[0].moments[0] = 0.5f;
    FINDS_NOTHING();
}

/* Another texture of the same size is no new name of the old one. */
IMPORT_TEST(another_picture_is_another_texture)
{
    begin_with(give_pictures);
    two.actual->textures[0].name = two.actual->materials[0].base_texture = "cloth.png";
    FINDS("texture `skin.png` is named `cloth.png` now");
    two.actual->textures[0].name = two.actual->materials[0].base_texture = "cloth.png";
    two.actual->textures[0].moments[0] = 0.5f;
    FINDS("the texture of material `skin` is `cloth.png`, was `skin.png`", "texture `skin.png` is gone",
          "texture `cloth.png` is new");
}
