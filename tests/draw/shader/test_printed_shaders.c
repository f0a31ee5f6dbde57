/* Vertex shaders of other programs: what their names stand for, in whatever types and places they declare it. */
#include "draw/shader/own_shaders.h"

#include "data/vector.h"
#include "draw/shader/meanings.h"

TEST(attributes_are_known_by_their_words)
{
    static const char *const words[ATTRIBUTE_COUNT][12] = {
        [ATTRIBUTE_POSITION] = {"pos", "Position", "vPosition", "attrPos", "aPos", "a_position", "inPosition", "in_pos",
                                "vertex_position", "POSITION"},
        [ATTRIBUTE_NORMAL] = {"norm", "Normal", "vNormal", "attrNorm", "aNormal", "a_normal", "NORMAL"},
        [ATTRIBUTE_UV] = {"tex", "TexCoord", "attrUV", "aTexCoords", "a_uv", "TEXCOORD_0", "vertex_texCoord0"},
        [ATTRIBUTE_COLOR] = {"aColor", "COLOR_0", "vertexColor"},
        [ATTRIBUTE_BONES] = {"boneIds", "BoneIDs", "vBoneIDs", "attrBonesIds", "JOINTS_0", "a_joints", "skinIndex",
                             "matricesIndices", "vertex_boneIndices", "aBoneIds"},
        [ATTRIBUTE_WEIGHTS] = {"weights", "Weights", "vWeights", "attrBonesWeights", "WEIGHTS_0", "a_weights", "skinWeight",
                               "matricesWeights", "vertex_boneWeights"},
        [ATTRIBUTE_MORE_BONES] = {"JOINTS_1", "matricesIndicesExtra", "aBoneIds2"},
        [ATTRIBUTE_MORE_WEIGHTS] = {"WEIGHTS_1", "a_weights1", "boneWeights2"},
        [ATTRIBUTE_TANGENT] = {"aTangent", "tangent", "TANGENT", "vTangent", "in_tangent"},
    };
    static const char *const none[] = {"bitangent", "uv2", "TEXCOORD_1", "JOINTS_3", "1", "instanceMatrix", "ids", "amount", "vigour", "", "_"};
    for (int i = 0; i < ATTRIBUTE_COUNT; i++)
        for (int k = 0; words[i][k]; k++)
            if (attribute_by_words(words[i][k]) != i)
                fail_msg("%s: %d", words[i][k], attribute_by_words(words[i][k]));
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
        assert_int_equal(attribute_by_words(none[i]), -1);
}

TEST(uniforms_are_known_by_their_words)
{
    static const struct {
        const char *name;
        enum meaning meaning;
    } rows[] = {
        {"projection", MEANING_PROJECTION}, {"scene.cameraToProjection", MEANING_PROJECTION}, {"u_projMatrix", MEANING_PROJECTION},
        {"view", MEANING_VIEW}, {"scene.worldToCamera", MEANING_VIEW}, {"uViewMatrix", MEANING_VIEW},
        {"model", MEANING_MODEL}, {"gWorld", MEANING_MODEL}, {"transform.localToWorld", MEANING_MODEL},
        {"gVP", MEANING_VIEW_PROJECTION}, {"u_viewProj", MEANING_VIEW_PROJECTION}, {"modelViewMatrix", MEANING_MODEL_VIEW},
        {"gWVP", MEANING_MODEL_VIEW_PROJECTION}, {"uModelViewProjection", MEANING_MODEL_VIEW_PROJECTION},
        {"MVP", MEANING_MODEL_VIEW_PROJECTION}, {"u_mvp", MEANING_MODEL_VIEW_PROJECTION},
        {"normalMatrix", MEANING_NORMAL_MATRIX}, {"viewPos", MEANING_CAMERA_POSITION}, {"gEyeWorldPos", MEANING_CAMERA_POSITION},
        {"uTime", MEANING_TIME}, {"uBoneCount", MEANING_BONE_COUNT},
        {"finalBonesMatrices", MEANING_BONES}, {"gBones", MEANING_BONES}, {"animation.palette", MEANING_BONES},
        {"bone_matrices", MEANING_BONES}, {"uBoneTransformTexture", MEANING_BONES}, {"u_jointMat", MEANING_BONES},
        {"globalBoneTransform", MEANING_BONES},
        {"texture_diffuse1", MEANING_TEXTURE}, {"gSampler", MEANING_TEXTURE}, {"gColorMap", MEANING_TEXTURE}, {"uAlbedo", MEANING_TEXTURE},
        {"tint", MEANING_NONE}, {"overview", MEANING_NONE}, {"lights[0].position", MEANING_NONE}, {"bones[0].m", MEANING_NONE}, {"scene_to_clip", MEANING_NONE},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (meaning_by_words(rows[i].name) != rows[i].meaning)
            fail_msg("%s: %d", rows[i].name, (int)meaning_by_words(rows[i].name));
}

#define SKIN                                                                                                           \
    "uniform mat4 gBones[20];\nout vec3 Normal0;\nvoid main()\n{\n    mat4 m = mat4(0.0);\n"                           \
    "    for (int i = 0; i < 4; i++)\n        m += float(Weights[i]) * WEIGHT * gBones[int(BoneIDs[i])];\n"            \
    "    gl_Position = 2.0 * m * vec4(Position, 1.0);\n    Normal0 = 3.0 * mat3(m) * Normal;\n}\n"

/* Locations of another program's order, or none; ids and weights in every type. Weights of a vertex are 1 or two halves. */
SHADERS_TEST(ids_and_weights_come_in_any_type)
{
    static const char *const ids[] = {"ivec4", "uvec4", "vec4"}, *const weights[] = {"vec4", "uvec4", "ivec4"};
    for (int n = 0; n < 18; n++) {
        const bool is_placed = n >= 9, is_whole = n % 3 > 0;
        static const char *const places[] = {"layout(location = 3) ", "layout(location = 5) ", "layout(location = 0) ", "layout(location = 2) "};
        const char *source = at(VERSION "#define WEIGHT %s\n%sin %s BoneIDs;\n%sin %s Weights;\n%sin vec3 Position;\n%sin vec3 Normal;\n" SKIN,
                                is_whole ? "(1.0 / 255.0)" : "1.0", is_placed ? places[0] : "", ids[n / 3 % 3], is_placed ? places[1] : "",
                                weights[n % 3], is_placed ? places[2] : "", is_placed ? places[3] : "");
        struct shader_set *set;
        const struct shader_map map = {1, {{"Normal0", "normal"}}};
        assert_good(renderer_shaders(*state, folder_with(at("t%d", n), "skin.vert", source), &map, &set, err));
        assert_skins_as_ours(*state, set, 2, is_whole ? 0.01f : 1e-5f);
        HAND_SCENE hand = two_meshes(20, 2);
        move_bindings(&hand);
        MODEL model = model_of(*state, &hand);
        draw_by(model, set);
        assert_int_equal(gpu_model_rounds_weights(model), is_whole);
        struct skinned *theirs = captured(*state, model, &hand);
        for (int k = 0; k < 2; k++)
            for (uint32_t v = 0; v < theirs[k].vertex_count; v++) /* unit vectors, though 3 times the blended matrix's */
                assert_true(fabs(vec3_length(theirs[k].normals[v]) - 1) < 1e-5);
        assert_int_equal(set->warnings.size, 0);
    }
}

/* Whatever it is called: an output is a normal where the map says so, and else is told not to be compared. */
SHADERS_TEST(no_name_makes_an_output_a_normal)
{
    static const char *const names[] = {"vNormal0", "normalOut", "second"};
    for (int i = 0; i < 6; i++) {
        const char *name = names[i / 2];
        const struct shader_map map = {i % 2, {{name, "normal"}}};
        struct shader_set *set;
        const char *source = at(VERSION "in vec3 pos, norm;\nuniform mat4 bones[20], mvp;\nin uvec4 boneIds;\nout vec3 FragPos, %s;\nvoid main() "
                                "{ gl_Position = mvp * bones[boneIds.x] * vec4(pos, 1.0); FragPos = pos; %s = norm; }\n", name, name);
        assert_good(renderer_shaders(*state, folder_with(at("n%d", i / 2), "skin.vert", source), &map, &set, err));
        HAND_SCENE hand = two_meshes(20, 1);
        MODEL model = model_of(*state, &hand);
        draw_by(model, set);
        struct skinned *skinned = captured(*state, model, &hand);
        assert_int_equal(skinned[0].normals != NULL, i % 2);
        assert_string_equal(text_string(&set->warnings), i % 2 ? "" : at(
            "n%d/skin.vert: normals are not compared; if `%s` is one, the map says so: `%s=normal`\n", i / 2, name, name));
    }
}

/* -1 where an ivec4 is compared with it, the first bone where it is not. */
SHADERS_TEST(unused_ids_are_what_the_shader_asks_for)
{
    static const struct {
        const char *compares;
        bool minus_one;
    } rows[] = {
        {"", false},
        {"    for (int i = 3; i >= 0; i--) gl_PointSize += 1.0;\n", false},
        {"    if (sum < 0.5) gl_PointSize = 2.0;\n", false},
        {"    // boneIds[0] == -1\n", false},
        {"    if (boneIds[1] == -1) gl_PointSize = 2.0;\n", true},
        {"    if (boneIds[1] < 0) gl_PointSize = 2.0;\n", true},
        {"    int id = boneIds[2];\n    if (id >= 0) gl_PointSize = 2.0;\n", true},
        {"    if (boneIds.x > - 1) gl_PointSize = 2.0;\n", true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct shader_set *set = vertex_shader(*state, at("u%zu", i), at(
            VERSION "in ivec4 boneIds;\nuniform mat4 projection;\nvoid main()\n{\n    float sum = 1.0;\n%s"
            "    gl_Position = projection * vec4(vec3(boneIds.yzw), 1.0);\n}\n", rows[i].compares));
        HAND_SCENE hand = two_meshes(9, 4);
        MODEL model = model_of(*state, &hand);
        draw_by(model, set);
        struct skinned *skinned = captured(*state, model, &hand);
        assert_null(skinned[0].normals); /* none is handed on */
        if ((skinned[0].positions[0][0] == -1) != rows[i].minus_one || (!rows[i].minus_one && skinned[0].positions[0][0] != 8))
            fail_msg("row %zu: %g", i, (double)skinned[0].positions[0][0]);
    }
}

#define POINT "in vec3 aPos;\nin vec4 aWeights;\nin uvec4 aBoneIds;\n"
#define BLEND(columns, last)                                                                                           \
    "void main()\n{\n    vec4 p = vec4(aPos, 1.0), q = vec4(0.0);\n    for (int i = 0; i < 4; i++)\n"                   \
    "        q += aWeights[i] * " columns ";\n    gl_Position = vec4(q.xyz, 1.0)" last ";\n}\n"

/* Uniforms, members of structs and blocks, storage blocks, buffer textures; mat4, mat4x3, mat3x4; either order of elements. */
SHADERS_TEST(matrices_are_held_in_any_way)
{
    static const char *const rows[] = {
        VERSION POINT "uniform mat4 bones[30];\n" BLEND("(bones[aBoneIds[i]] * p)", ""),
        VERSION POINT "uniform mat4x3 bones[30];\n" BLEND("vec4(bones[aBoneIds[i]] * p, 1.0)", ""),
        VERSION POINT "uniform mat3x4 bones[30];\n" BLEND("vec4(p * bones[aBoneIds[i]], 1.0)", ""),
        VERSION POINT "struct S { float other; mat4 palette[30]; };\nuniform S animation;\n" BLEND("(animation.palette[aBoneIds[i]] * p)", " * (1.0 + animation.other)"),
        VERSION POINT "layout(std140) uniform B { float other; mat4x3 bones[30]; vec4 end; };\n" BLEND("vec4(bones[aBoneIds[i]] * p, 1.0)", " + other + end"),
        VERSION POINT "layout(std140, row_major) uniform B { mat4x3 bones[30]; } block;\n" BLEND("vec4(block.bones[aBoneIds[i]] * p, 1.0)", ""),
        VERSION POINT "layout(std140, row_major) uniform B { mat4 bones[30]; mat4 view; };\n" BLEND("(bones[aBoneIds[i]] * p)", " * view[1][1]"),
        VERSION POINT "uniform B { mat3x4 bones[30]; };\n" BLEND("vec4(p * bones[aBoneIds[i]], 1.0)", ""),
        VERSION POINT "uniform samplerBuffer boneTexture;\nmat4x3 at(uint b) { int t = 3 * int(b); return transpose(mat3x4("
                      "texelFetch(boneTexture, t), texelFetch(boneTexture, t + 1), texelFetch(boneTexture, t + 2))); }\n"
                      BLEND("vec4(at(aBoneIds[i]) * p, 1.0)", ""),
        "#version 430 core\n" POINT "layout(std430, binding = 3) readonly buffer B { mat4x3 bones[]; };\n" BLEND("vec4(bones[aBoneIds[i]] * p, 1.0)", ""),
        "#version 430 core\n" POINT "layout(std430) readonly buffer B { vec4 head; layout(row_major) mat4x3 bones[]; };\n" BLEND("vec4(bones[aBoneIds[i]] * p, 1.0)", " + head"),
    };
    struct renderer *renderer = *state;
    for (size_t n = 0; n < sizeof rows / sizeof rows[0]; n++)
        if (strncmp(rows[n], "#version 430", 12) != 0 || renderer->palette.limits.rows[PALETTE_SSBO] > 0)
            assert_skins_as_ours(renderer, vertex_shader(renderer, at("m%zu", n), rows[n]), 4, 1e-5f);
}

/* Named by what they hold, by their block, or by its name in the shader alone; the camera's matrices are never an array. */
SHADERS_TEST(blocks_say_what_their_arrays_are)
{
    static const char *const rows[][2] = {
        {"layout(std140) uniform Bones { mat4 m[30]; } mine;\n", "mine.m"},
        {"layout(std140) uniform Skeleton { mat4x3 model[30]; };\n", "model"},
        {"layout(std430, binding = 1) readonly buffer BoneBuffer { mat4 data[]; };\n", "data"},
    };
    struct renderer *renderer = *state;
    for (size_t n = 0; n < sizeof rows / sizeof rows[0]; n++) {
        if (n == 2 && renderer->palette.limits.rows[PALETTE_SSBO] == 0)
            continue;
        const char *source = at("#version %s core\n" POINT "%suniform mat4 mvp;\nvoid main() { gl_Position = mvp * vec4(%s[aBoneIds.x] * vec4(aPos, aWeights.x)%s); }\n",
                                n == 2 ? "430" : "330", rows[n][0], rows[n][1], n == 1 ? ", 1.0" : ""); /* three rows */
        assert_skins_as_ours(renderer, vertex_shader(renderer, at("k%zu", n), source), 1, 1e-5f);
    }
}

/* Eight influences as two attributes, counted from 0 or from 1, or as arrays of two; and GLSL ES. */
SHADERS_TEST(second_sets_are_counted)
{
    static const char *const rows[][3] = {
        {VERSION "in uvec4 aBoneIds0, aBoneIds1;\nin vec4 aWeights0, aWeights1;\n", "aBoneIds0[i]", "aWeights0[i]"},
        {VERSION "in uvec4 aBoneIds1, aBoneIds2;\nin vec4 aWeights1, aWeights2;\n", "aBoneIds1[i]", "aWeights1[i]"},
        {VERSION "in uvec4 aBoneIds[2];\nin vec4 aWeights[2];\n", "aBoneIds[0][i]", "aWeights[0][i]"},
        {"#version 300 es\nprecision highp float;\nin uvec4 aBoneIds, aBoneIds2;\nin vec4 aWeights, aWeights2;\n", "aBoneIds[i]", "aWeights[i]"},
    };
    static const char *const second[][2] = {{"aBoneIds1[i]", "aWeights1[i]"}, {"aBoneIds2[i]", "aWeights2[i]"},
                                            {"aBoneIds[1][i]", "aWeights[1][i]"}, {"aBoneIds2[i]", "aWeights2[i]"}};
    for (size_t n = 0; n < sizeof rows / sizeof rows[0]; n++) {
        struct shader_set *set = vertex_shader(*state, at("s%zu", n), at(
            "%sin vec3 aPos;\nuniform mat4 bones[30];\nvoid main()\n{\n    mat4 m = mat4(0.0);\n    for (int i = 0; i < 4; i++)\n"
            "        m += %s * bones[%s] + %s * bones[%s];\n    gl_Position = m * vec4(aPos, 1.0);\n}\n",
            rows[n][0], rows[n][2], rows[n][1], second[n][1], second[n][0]));
        assert_skins_as_ours(*state, set, 8, 1e-5f);
        assert_int_equal(set->warnings.size, 0);
    }
}

/* Two texels a bone where the upload format is trs: a unit quaternion, then translation and scale. */
SHADERS_TEST(a_texture_holds_two_texels_a_bone)
{
    static const char source[] =
        VERSION POINT "uniform samplerBuffer boneTexture;\nvec4 moved(uint b, vec3 p) { vec4 q = texelFetch(boneTexture, 2 * int(b)), t = "
                      "texelFetch(boneTexture, 2 * int(b) + 1);\nreturn vec4(t.w * (p + 2.0 * cross(q.xyz, cross(q.xyz, p) + q.w * p)) + t.xyz, 1.0); }\n"
        BLEND("moved(aBoneIds[i], aPos)", "");
    HAND_SCENE hand = two_meshes(20, 4);
    for (uint32_t b = 0; b < hand.scene->binding_count; b++) {
        float angle = 0.2f * (float)b, c = 1.5f * cosf(angle), k = 1.5f * sinf(angle);
        const mat4 m = {{c, k, 0, 0}, {-k, c, 0, 0}, {0, 0, 1.5f, 0}, {0.1f * (float)b, -0.2f, 0.3f, 1}};
        memcpy(hand.palette.mesh_to_scene[b], m, sizeof(mat4));
    }
    MODEL model = model_of(*state, &hand);
    struct skinned *ours = captured(*state, model, &hand);
    assert_good(gpu_model_set_upload(model, &(struct upload_format){.format = PALETTE_TRS}, vertex_shader(*state, "trs", source), err));
    struct skinned *theirs = captured(*state, model, &hand);
    for (int k = 0; k < 2; k++)
        assert_positions_near(&ours[k], &theirs[k], 1e-4f);
}

/* The same silhouette, however the camera's matrices come. */
SHADERS_TEST(the_cameras_matrices_come_in_any_product)
{
    static const char *const rows[] = {
        "uniform mat4 projection, view, model;\nvec4 place(vec4 p) { return projection * view * model * p; }\n",
        "uniform mat4 gVP;\nvec4 place(vec4 p) { return gVP * p; }\n",
        "uniform mat4 gVP;\nin mat4 instanceMatrix;\nvec4 place(vec4 p) { return gVP * (instanceMatrix * p); }\n",
        "uniform mat4 uModelViewProjection;\nvec4 place(vec4 p) { return uModelViewProjection * p; }\n",
        "uniform mat4 modelViewMatrix, projectionMatrix;\nvec4 place(vec4 p) { return projectionMatrix * modelViewMatrix * p; }\n",
        "struct S { mat4 cameraToProjection, worldToCamera; };\nuniform S scene;\nvec4 place(vec4 p) { return scene.cameraToProjection * scene.worldToCamera * p; }\n",
        "layout(std140) uniform Camera { mat4 proj; mat4 view; };\nvec4 place(vec4 p) { return proj * view * p; }\n",
        "uniform mat4 projection;\nuniform mat3 view;\nuniform vec3 viewPos;\nvec4 place(vec4 p) { return projection * vec4(view * (p.xyz - viewPos), 1.0); }\n",
    };
    struct frame_settings settings = hand_settings(64, 64, VIEW_UNLIT);
    HAND_SCENE hand = hand_begin(1, 1, 1);
    hand_quad(&hand, 0, -0.5f, -0.25f, 0.75f, 0.5f, 0.25f);
    hand_end(&hand);
    SCOPED(image) ours = draw_hand(*state, &hand, &settings);
    MODEL model = model_of(*state, &hand);
    for (size_t n = 0; n < sizeof rows / sizeof rows[0]; n++) {
        SCOPED(image) image;
        size_t differ = 0;
        draw_by(model, vertex_shader(*state, at("c%zu", n), at(
            VERSION "in vec3 pos;\n%svoid main() { gl_Position = place(vec4(pos, 1.0)); }\n", rows[n])));
        assert_good(draw_frame(*state, model, &hand.palette, &hand.pose, &settings, &image, err));
        for (size_t i = 0; i < 64 * 64; i++)
            differ += memcmp(image.rgba + 4 * i, ours.rgba + 4 * i, 4) != 0;
        if (differ > 8)
            fail_msg("row %zu: %zu pixels differ", n, differ);
    }
}

/* A crowd's instances, each with its pose and place, by a count of bones between them. */
SHADERS_TEST(instances_are_counted_by_bones)
{
    static const char source[] =
        VERSION POINT "uniform samplerBuffer uBoneTransformTexture;\nuniform int uBoneCount;\n"
                      "mat4x3 at(uint b) { int t = (gl_InstanceID * uBoneCount + int(b)) * 3; return transpose(mat3x4(texelFetch("
                      "uBoneTransformTexture, t), texelFetch(uBoneTransformTexture, t + 1), texelFetch(uBoneTransformTexture, t + 2))); }\n"
        BLEND("vec4(at(aBoneIds[i]) * p, 1.0)", "");
    HAND_SCENE hand = two_meshes(20, 4);
    MODEL model = model_of(*state, &hand);
    struct palette first = palette_create(hand.scene, hand.scene->arena);
    memcpy(first.mesh_to_scene, hand.palette.mesh_to_scene, first.count * sizeof(mat4));
    move_bindings(&hand);
    const struct crowd_member members[2] = {{.palette = &first, .place = {3, 0, 0}}, {.palette = &hand.palette, .place = {0, -2, 5}}};
    const struct crowd crowd = {2, members, 0};
    struct skinned *a[2], *b[2];
    for (int i = 0; i < 2; i++) {
        a[i] = skinned_create(hand.scene, hand.scene->arena);
        b[i] = skinned_create(hand.scene, hand.scene->arena);
    }
    for (int k = 0; k < 2; k++) {
        struct skinned ours[2] = {a[0][k], a[1][k]}, theirs[2] = {b[0][k], b[1][k]};
        draw_by(model, NULL);
        assert_good(draw_crowd_capture(*state, model, &crowd, ours, err));
        draw_by(model, vertex_shader(*state, "crowd", source));
        assert_good(draw_crowd_capture(*state, model, &crowd, theirs, err));
        for (int m = 0; m < 2; m++)
            assert_positions_near(&ours[m], &theirs[m], 1e-5f);
    }
    struct image image;
    struct frame_settings settings = hand_settings(8, 8, VIEW_UNLIT);
    draw_by(model, shaders_of(*state, folder_with("array", "skin.vert",
        VERSION POINT "uniform mat4 bones[30];\nuniform int uBoneCount;\n" BLEND("(bones[gl_InstanceID * uBoneCount + int(aBoneIds[i])] * p)", ""))));
    assert_refused(draw_crowd(*state, model, &crowd, &settings, &image, err),
                   "--crowd: 2 instances of mesh \"mesh0\" need 40 matrices, bones of array/skin.vert holds 30");
}

/* What a map says goes before what words say. */
SHADERS_TEST(a_map_says_what_names_stand_for)
{
    static const char source[] =
        VERSION "in vec3 weights;\nuniform vec2 shift;\nuniform int count;\nuniform uint more;\nuniform float beat;\nuniform bool on;\n"
                "layout(std140) uniform Look { float pad; vec3 tint; };\n"
                "void main() { gl_Position = vec4(weights.x + shift.y, float(count) + float(more) + beat, on ? tint.z : -1.0, 1.0); }\n";
    const struct shader_map map = {6, {{"weights", "position"}, {"shift", "7:8"}, {"count", "-3"}, {"more", "5"}, {"beat", "time"}, {"tint", "1:2:9"}}};
    struct shader_set *set, *again, *other;
    folder_with("map", "skin.vert", source);
    assert_good(renderer_shaders(*state, "map", &map, &set, err));
    assert_good(renderer_shaders(*state, "map", &map, &again, err));
    assert_good(renderer_shaders(*state, "map", NULL, &other, err));
    assert_ptr_equal(set, again);
    assert_ptr_not_equal(set, other);
    HAND_SCENE hand = two_meshes(3, 1);
    MODEL model = model_of(*state, &hand);
    draw_by(model, set);
    struct skinned *skinned = skinned_create(hand.scene, hand.scene->arena);
    const struct crowd_member own = {.palette = &hand.palette};
    assert_good(draw_crowd_capture(*state, model, &(struct crowd){0, &own, 0.25}, &skinned[0], err));
    for (uint32_t v = 0; v < skinned[0].vertex_count; v++) {
        assert_true(fabsf(skinned[0].positions[v][0] - (0.1f * (float)v + 8)) < 1e-5f);
        assert_true(skinned[0].positions[v][1] == 2.25f && skinned[0].positions[v][2] == -1);
    }
    assert_string_equal(text_string(&set->warnings), "uniform `on` (bool) of map/skin.vert is not one that rigproof sets: it stays 0\n"
                                                     "uniform block `Look` of map/skin.vert is not one that rigproof sets: what else it has stays 0\n"
                                                     "map/skin.vert does not read `bones`: mesh \"mesh0\" does not follow them\n");
    const struct shader_map wrong = {1, {{"shift", "view"}}};
    assert_good(renderer_shaders(*state, "map", &wrong, &set, err));
    assert_refused(gpu_model_set_upload(model, &(struct upload_format){0}, set, err),
                   "map/skin.vert: `shift` is vec2; it must be of a type that can hold what it is given");
    assert_false(shader_map_check("bone", &(struct error){0}));
    assert_false(shader_map_check("1:", &(struct error){0}));
    assert_true(shader_map_check("1:-0.5", &(struct error){0}) && shader_map_check("base_color", &(struct error){0}));
}

/* Uniforms that stay 0 are why a picture is empty; where something is drawn, or none stays 0, nothing is said. */
SHADERS_TEST(an_empty_picture_has_a_reason)
{
    static const struct {
        const char *vertex, *why;
    } rows[] = {
        {"uniform mat4 camera_of_mine;\nin vec3 pos;\nvoid main() { gl_Position = camera_of_mine * vec4(pos, 1.0); }\n",
         "the uniform `camera_of_mine` (mat4) of e0/skin.vert stays 0"},
        {"uniform mat4 view_of_mine, MVP;\nin vec3 pos;\nvoid main() { gl_Position = MVP * vec4(pos, 1.0) + view_of_mine[0]; }\n", NULL},
        {"layout(std140) uniform Scene { mat4 camera_of_mine; };\nin vec3 pos;\nvoid main() { gl_Position = camera_of_mine * vec4(pos, 1.0); }\n",
         "the uniform block `Scene` of e2/skin.vert stays 0"},
        {"in vec3 pos;\nvoid main() { gl_Position = vec4(9.0 + pos, 1.0); }\n", NULL},
        {"#extension GL_ARB_shader_storage_buffer_object : require\nlayout(std430) readonly buffer Scene { vec4 rows[]; };\nin vec3 pos;\n"
         "void main() { gl_Position = rows[gl_VertexID] + 0.0 * pos.xyzz; }\n",
         "the storage block `Scene` of e4/skin.vert stays 0"},
    };
    struct frame_settings settings = hand_settings(16, 16, VIEW_UNLIT);
    settings.overlays = OVERLAY_AXES;
    HAND_SCENE hand = hand_card();
    MODEL model = model_of(*state, &hand);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        SCOPED(image) image;
        draw_by(model, vertex_shader(*state, at("e%zu", i), at(VERSION "%s", rows[i].vertex)));
        assert_good(draw_frame(*state, model, &hand.palette, &hand.pose, &settings, &image, err));
        const char *why = renderer_why_empty(*state);
        if (rows[i].why ? !why || strcmp(why, rows[i].why) != 0 : why != NULL)
            fail_msg("row %zu: %s", i, why ? why : "nothing");
    }
    draw_by(model, shaders_of(*state, "e0"));
    settings.framed = (struct bounds){{99, 0, 0}, {100, 1, 1}}; /* beside the picture: the camera looks elsewhere */
    SCOPED(image) image;
    assert_good(draw_frame(*state, model, &hand.palette, &hand.pose, &settings, &image, err));
    assert_null(renderer_why_empty(*state));
}

SHADERS_TEST(faults_are_told)
{
    static const struct {
        const char *source, *says;
    } rows[] = {
        {"#version 990 core\nvoid main() {}\n", "skin.vert asks for GLSL 9.90, and the GL context here has "},
        {VERSION "in vec3 pos;\nin vec3 aPosition;\nvoid main() { gl_Position = vec4(pos + aPosition, 1.0); }\n",
         "` seems to be `position`, and another attribute too; say with --shader-map "},
        {VERSION "in ivec2 boneIds;\nvoid main() { gl_Position = vec4(boneIds, 0, 1); }\n",
         "mesh \"mesh0\" has 4 influences a vertex, f2/skin.vert reads 2; use --influences 1"},
        {VERSION POINT "struct S { mat4 palette[4]; };\nuniform S animation;\n" BLEND("(animation.palette[aBoneIds[i]] * p)", ""),
         "mesh \"mesh0\" has 5 bones, animation.palette of f3/skin.vert holds 4"},
        {VERSION POINT "uniform B { mat4 joints[4]; };\n" BLEND("(joints[aBoneIds[i]] * p)", ""),
         "mesh \"mesh0\" has 5 bones, joints of f4/skin.vert holds 4"},
        {VERSION "layout(location = 3) in ivec4 aBoneIds;\nlayout(location = 3) in vec4 aWeights;\nvoid main() { gl_Position = aWeights + vec4(aBoneIds); }\n",
         "are both at location 3"},
        {VERSION "in vec3 pos;\nin vec4 weights[3];\nvoid main() { gl_Position = vec4(pos, 1.0) + weights[2]; }\n",
         "attribute `weights` is an array of 3"},
        {VERSION POINT "struct Bone { mat4 now; };\nuniform Bone bones[9];\n" BLEND("(bones[aBoneIds[i]].now * p)", ""),
         "f7/skin.vert: `bones[0].now` is in an array of structs, which rigproof does not fill"},
        {VERSION POINT "struct Bone { mat4 now; };\nlayout(std140) uniform B { Bone joints[9]; };\n" BLEND("(joints[aBoneIds[i]].now * p)", ""),
         "joints[0].now` is in an array of structs"},
        {VERSION POINT "uniform sampler2D boneTexture;\n" BLEND("(texelFetch(boneTexture, ivec2(aBoneIds[i], 0), 0) * p)", ""),
         "f9/skin.vert: `boneTexture` is sampler2D; it must be mat4, mat4x3 or mat3x4, or samplerBuffer"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct error why = {0};
        HAND_SCENE hand = two_meshes(5, 4);
        MODEL model = model_of(*state, &hand);
        struct shader_set *set = vertex_shader(*state, at("f%zu", i), rows[i].source);
        assert_false(gpu_model_set_upload(model, &(struct upload_format){0}, set, &why));
        if (!strstr(why.text, rows[i].says) || why.exit_code != EXIT_CODE_USAGE)
            fail_msg("row %zu says: %s", i, why.text);
    }
}

/* A program's own files: its only vertex shader and its only fragment shader, whatever they are called. */
SHADERS_TEST(a_programs_own_names_are_taken)
{
    SCOPED(image) image;
    struct frame_settings settings = hand_settings(8, 8, VIEW_LIT);
    folder_with("theirs", "anim_model.vs", VERSION "in vec3 aPos;\nin vec2 aTexCoords;\nout vec2 TexCoords;\nuniform mat4 mvp;\n"
                                                   "void main() { gl_Position = mvp * vec4(aPos, 1.0); TexCoords = aTexCoords; }\n");
    folder_with("theirs", "anim_model.fs", VERSION "in vec2 TexCoords;\nuniform sampler2D texture_diffuse1;\nout vec4 FragColor;\n"
                                                   "void main() { FragColor = texture(texture_diffuse1, TexCoords) * vec4(0.0, 1.0, 0.0, 1.0); }\n");
    HAND_SCENE hand = hand_card();
    MODEL model = model_of(*state, &hand);
    struct shader_set *set = shaders_of(*state, "theirs");
    draw_by(model, set);
    assert_good(draw_frame(*state, model, &hand.palette, &hand.pose, &settings, &image, err));
    assert_pixel(&image, 4, 4, 0, 255, 0, 255, 0);
    assert_int_equal(set->warnings.size, 0);
}

/* Ours are fitted to what it hands on. */
SHADERS_TEST(views_read_outputs_of_other_names)
{
    static const char source[] = VERSION "in vec3 Position;\nin vec3 Normal;\nin vec2 TexCoord;\nuniform mat4 gWVP;\n"
                                         "out vec3 Normal0;\nout vec3 WorldPos0;\nout vec2 TexCoord0;\nvoid main() {\n"
                                         "gl_Position = gWVP * vec4(Position, 1.0);\nNormal0 = Normal;\nWorldPos0 = Position;\nTexCoord0 = TexCoord; }\n";
    static const enum view views[] = {VIEW_LIT, VIEW_UNLIT, VIEW_NORMALS, VIEW_UV, VIEW_DEPTH};
    HAND_SCENE hand = hand_card();
    MODEL model = model_of(*state, &hand);
    struct shader_set *set = vertex_shader(*state, "fit", source);
    for (size_t i = 0; i < sizeof views / sizeof views[0]; i++) {
        struct frame_settings settings = hand_settings(16, 16, views[i]);
        SCOPED(image) ours = draw_hand(*state, &hand, &settings), theirs;
        draw_by(model, set);
        assert_good(draw_frame(*state, model, &hand.palette, &hand.pose, &settings, &theirs, err));
        assert_same_image(&ours, &theirs);
    }
    assert_int_equal(set->warnings.size, 0);
    struct frame_settings settings = hand_settings(16, 16, VIEW_BONES);
    SCOPED(image) image;
    assert_refused(draw_frame(*state, model, &hand.palette, &hand.pose, &settings, &image, err),
                   "view bones: fit/skin.vert has no output `strongest_binding`");
    settings = hand_settings(16, 16, VIEW_DEPTH);
    draw_by(model, vertex_shader(*state, "bare", VERSION "in vec3 pos;\nuniform mat4 mvp;\nvoid main() { gl_Position = mvp * vec4(pos, 1.0); }\n"));
    assert_refused(draw_frame(*state, model, &hand.palette, &hand.pose, &settings, &image, err),
                   "view depth: bare/skin.vert has no output `skinned_position`, which depth.frag reads");
    settings.view = VIEW_LIT;
    assert_good(draw_frame(*state, model, &hand.palette, &hand.pose, &settings, &image, err));
}
