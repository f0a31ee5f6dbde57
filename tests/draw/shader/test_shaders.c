/* The user's shaders: what they are given, and what is said of those that do not keep to the contract. */
#include "draw/shader/own_shaders.h"

#include "base/embedded.h"
#include "data/vector.h"
#include "draw/busy_scene.h"

EMBEDDED(shader_source);

#define SHOWS_BONES                                                                                                    \
    VERSION IN_POSITION "layout(location = 4) in ivec4 ids;\nlayout(location = 6) in ivec4 more;\n"                    \
                        "layout(location = 7) in vec4 rest;\n" CAMERA OUTS "void main()\n{\n"                          \
                        "    skinned_position = vec3(ids.xyz);\n"                                                      \
                        "    skinned_normal = vec3(ids.w, more.x + more.y + more.z + more.w, dot(rest, vec4(1)));\n" PLACE "}\n"

/* By eights, sixteens and thirty-twos of bits; one bone more than half of what these hold takes more. */
SHADERS_TEST(unused_slots_are_minus_one)
{
    static const uint32_t counts[] = {5, 128, 129, 32768, 32769};
    static const unsigned bits[] = {8, 8, 16, 16, 32};
    struct shader_set *set = vertex_shader(*state, "ids", SHOWS_BONES);
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        HAND_SCENE hand = two_meshes(counts[i], 4);
        MODEL model = model_of(*state, &hand);
        draw_by(model, set);
        assert_int_equal(model->meshes[0].bone_size * 8, bits[i]);
        struct skinned *skinned = captured(*state, model, &hand);
        for (uint32_t v = 0; v < skinned[0].vertex_count; v++) {
            const float *p = skinned[0].positions[v], got[4] = {p[0], p[1], p[2], skinned[0].normals[v][0]};
            for (uint32_t k = 0; k < 4; k++) {
                float wanted = k <= v % 4 ? (float)(counts[i] - 1 - k) : -1.0f;
                if (got[k] != wanted)
                    fail_msg("%u bones, vertex %u, slot %u: %g, not %g", counts[i], v, k, (double)got[k],
                             (double)wanted);
            }
            assert_true(skinned[0].normals[v][1] == -4 && skinned[0].normals[v][2] == 0); /* no second set */
        }
        assert_true(skinned[1].positions[0][0] == 0 && skinned[1].positions[0][1] == -1); /* rigid */
        assert_true(skinned[1].positions[0][2] == -1 && skinned[1].normals[0][0] == -1);
    }
}

/* Vertices are shared by all programs of a mesh: they go back to what ours read. */
SHADERS_TEST(ours_read_theirs_again)
{
    HAND_SCENE hand = two_meshes(200, 4);
    struct shader_set *set = vertex_shader(*state, "ids", SHOWS_BONES);
    move_bindings(&hand);
    MODEL model = model_of(*state, &hand);
    struct skinned *before = captured(*state, model, &hand);
    draw_by(model, set);
    struct skinned *theirs = captured(*state, model, &hand);
    assert_true(theirs[0].positions[0][0] == 199);
    draw_by(model, NULL);
    struct skinned *after = captured(*state, model, &hand);
    for (int i = 0; i < 2; i++) {
        assert_positions_near(&before[i], &after[i], 0);
        assert_vectors_near("normal", before[i].normals, after[i].normals, before[i].vertex_count, 0);
    }
}

/* Of every instance its own bindings, columns as GL has them, by whatever --palette. */
SHADERS_TEST(arrays_of_matrices_are_filled)
{
    static const char *const names[] = {"bone_matrices", "finalBonesMatrices", "gBones"};
    for (int i = 0; i < 3; i++) {
        struct shader_set *set = vertex_shader(*state, at("m%d", i), at(
            VERSION IN_POSITION "layout(location = 4) in uvec4 ids;\nlayout(location = 5) in vec4 weights;\n" CAMERA OUTS
            "uniform mat4 %s[20];\nvoid main()\n{\n    mat4 m = mat4(0.0);\n    for (int i = 0; i < 4; i++)\n"
            "        m += weights[i] * %s[ids[i]];\n    skinned_position = (m * vec4(position, 1.0)).xyz;\n"
            "    skinned_normal = vec3(0.0);\n" PLACE "}\n", names[i], names[i]));
        HAND_SCENE hand = two_meshes(20, 4);
        move_bindings(&hand);
        MODEL model = model_of(*state, &hand);
        struct skinned *ours = captured(*state, model, &hand);
        for (int path = 0; path < PALETTE_SSBO; path++) {
            const struct upload_format upload_format = {.path = (enum palette_path)path,
                                                        .format = (enum palette_format)(path % 2)};
            assert_good(gpu_model_set_upload(model, &upload_format, set, err));
            struct skinned *theirs = captured(*state, model, &hand);
            for (int k = 0; k < 2; k++)
                assert_positions_near(&ours[k], &theirs[k], 1e-6f);
        }
    }
}

/* A folder with a copy of every file of ours. */
static const char *copies_of_ours(void)
{
    for (unsigned i = 0; i < shader_source_count; i++)
        folder_with("ours", shader_sources[i].name, shader_sources[i].text);
    return "ours";
}

/* Ours keep to the contract: taken for the user's they draw the same, and nothing is warned of. */
SHADERS_TEST(copies_of_ours_draw_the_same)
{
    HAND_SCENE hand = busy_scene();
    struct shader_set *set = shaders_of(*state, copies_of_ours());
    assert_int_equal(set->count, shader_source_count);
    MODEL model = model_of(*state, &hand);
    for (int view = 0; view < VIEW_COUNT; view++) {
        const struct upload_format upload_format = {.path = (enum palette_path)(view < PALETTE_PATH_COUNT ? view : 0),
                                                    .format = (enum palette_format)(view == 2),
                                                    .skinning = (enum skinning)(view == 1)};
        struct frame_settings frame_settings = hand_settings(48, 48, (enum view)view);
        frame_settings.overlays = OVERLAY_WIREFRAME | OVERLAY_AXES;
        frame_settings.shown_node = 1;
        if (!gpu_model_set_upload(model, &upload_format, NULL, ANY_ERROR)) /* no storage blocks here */
            continue;
        SCOPED(image) ours = {0}, theirs = {0};
        assert_good(draw_frame(*state, model, &hand.palette, &hand.pose, &frame_settings, &ours, err));
        assert_good(gpu_model_set_upload(model, &upload_format, set, err));
        assert_good(draw_frame(*state, model, &hand.palette, &hand.pose, &frame_settings, &theirs, err));
        assert_same_image(&ours, &theirs);
    }
    assert_int_equal(set->warnings.size, 0);
}

/* Tangents of a vertex shader of the user's are captured where it hands them on; of what type is looked at. */
SHADERS_TEST(tangents_are_captured_where_they_are_handed_on)
{
    static const char plain[] = VERSION IN_POSITION CAMERA OUTS
        "void main()\n{\n    skinned_position = position;\n    skinned_normal = vec3(0.0);\n" PLACE "}\n";
    static const char wrong[] = VERSION IN_POSITION CAMERA OUTS
        "out vec3 skinned_tangent;\nvoid main()\n{\n    skinned_position = skinned_normal = skinned_tangent = position;\n" PLACE "}\n";
    HAND_SCENE hand = two_meshes(5, 4);
    struct mesh *mesh = &hand.scene->meshes[0];
    mesh->tangents = ARENA_NEW(hand.scene->arena, vec4, mesh->vertex_count);
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        memcpy(mesh->tangents[v], (vec4){0.6f, 0.8f, 0, v % 2 ? 1 : -1}, sizeof(vec4));
    move_bindings(&hand);
    MODEL model = model_of(*state, &hand);
    struct skinned *ours = captured(*state, model, &hand), *theirs;
    assert_null(ours[1].tangents);
    draw_by(model, shaders_of(*state, copies_of_ours()));
    theirs = captured(*state, model, &hand);
    assert_memory_equal(theirs[0].tangents, ours[0].tangents, mesh->vertex_count * sizeof(vec4));
    assert_true(fabs(vec3_length(theirs[0].tangents[3]) - 1) < 1e-5);
    draw_by(model, vertex_shader(*state, "none", plain));
    assert_null(captured(*state, model, &hand)[0].tangents);
    draw_by(model, vertex_shader(*state, "vec3", wrong));
    theirs = skinned_create(hand.scene, hand.scene->arena);
    assert_refused(draw_capture(*state, model, &hand.palette, theirs, err),
                   "`skinned_tangent` is vec3; it must be `out vec4 skinned_tangent`");
}

#define PLAIN(color) VERSION "out vec4 pixel;\nvoid main() { pixel = vec4(" color ", 1.0); }\n"

/* The numbers come from our own skin.vert, and the model is drawn with the user's again. */
SHADERS_TEST(bones_are_told_whatever_is_drawn_with)
{
    HAND_SCENE hand = two_meshes(5, 4);
    struct shader_set *set = vertex_shader(*state, "ids", SHOWS_BONES);
    struct frame_settings frame_settings = hand_settings(8, 8, VIEW_LIT);
    uint32_t ours[64], theirs[64];
    MODEL model = model_of(*state, &hand);
    assert_good(draw_bone_identity(*state, model, &hand.palette, &frame_settings, ours, err));
    draw_by(model, set);
    assert_good(draw_bone_identity(*state, model, &hand.palette, &frame_settings, theirs, err));
    assert_memory_equal(ours, theirs, sizeof ours);
    assert_true(ours[27] > 0);
    assert_true(captured(*state, model, &hand)[0].positions[0][0] == 4);
}

/* What does not build or does not fit is reported when the upload format is set; nothing has changed then. */
SHADERS_TEST(contracts_that_are_not_kept)
{
#define MAIN(body) "void main()\n{\n" body PLACE "}\n"
#define HEAD VERSION IN_POSITION CAMERA
    static const struct {
        const char *source, *says;
        uint32_t influences;
        enum palette_path path;
    } rows[] = {
        {HEAD MAIN("    nothing();\n"), "/skin.vert does not compile: ", 4, PALETTE_TBO},
        {HEAD "uniform mat4 gBones[4];\nin uvec4 bones;\n" MAIN("    gl_PointSize = gBones[bones.x][0].x;\n"),
         "mesh \"mesh0\" has 5 bones, gBones of ", 4, PALETTE_TBO},
        {HEAD "uniform mat3 gBones[9];\nin uvec4 bones;\n" MAIN("    gl_PointSize = gBones[bones.x][0].x;\n"),
         "`gBones` is mat3; it must be mat4, mat4x3 or mat3x4", 4, PALETTE_TBO},
        {HEAD "uniform mat4 gBones[9];\nuniform mat4 bone_matrices[9];\nin uvec4 bones;\n"
         MAIN("    gl_PointSize = gBones[bones.x][0].x + bone_matrices[bones.x][0].x;\n"), "declare only one", 4, PALETTE_TBO},
        {HEAD "uniform uint first_binding;\n" MAIN("    gl_PointSize = float(first_binding);\n"),
         "the uniform `first_binding` is uint; it must be int", 4, PALETTE_TBO},
        {HEAD "layout(location = 5) in ivec4 ids;\n" MAIN("    gl_PointSize = float(ids.x);\n"),
         "attribute `ids` at location 5 is ivec4; rigproof has `weights` there: floats", 4, PALETTE_TBO},
        {HEAD "in uvec4 bones;\nin ivec4 more_bones;\n" MAIN("    gl_PointSize = float(int(bones.x) + more_bones.x);\n"),
         "both be ivec4 or both uvec4", 4, PALETTE_TBO},
        {HEAD "uniform samplerBuffer palette;\n" MAIN("    gl_PointSize = texelFetch(palette, 0).x;\n"),
         "--palette ubo: ", 4, PALETTE_UBO},
        {HEAD "uniform vec4 palette_rows[9];\nin uvec4 bones;\n" MAIN("    gl_PointSize = palette_rows[bones.x].x;\n"),
         "5 bones need 15 vec4, palette_rows of ", 4, PALETTE_UNIFORM},
        {HEAD "in uvec4 bones;\n" MAIN("    gl_PointSize = float(bones.x);\n"), "use --influences 4", 5, PALETTE_TBO},
        {HEAD "in uvec4 bones;\n" MAIN("    gl_PointSize = float(bones.x);\n"), "`influence_range`; use --influences 4", 9,
         PALETTE_TBO},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        HAND_SCENE hand = two_meshes(rows[i].influences > 5 ? rows[i].influences : 5, rows[i].influences);
        struct error err_1 = {0}, err_2 = {0};
        struct shader_set *set = vertex_shader(*state, at("bad%zu", i), rows[i].source);
        MODEL model = model_of(*state, &hand);
        assert_false(gpu_model_set_upload(model, &(struct upload_format){.path = rows[i].path}, set, &err_1));
        if (!strstr(err_1.text, rows[i].says) || err_1.exit_code != EXIT_CODE_USAGE)
            fail_msg("row %zu says: %s", i, err_1.text);
        assert_false(gpu_model_set_upload(model, &(struct upload_format){.path = rows[i].path}, set, &err_2));
        assert_string_equal(err_2.text, err_1.text);
        captured(*state, model, &hand); /* by ours */
    }
}

/* These are what our fragment shaders read, and a main() that sets it. */
#define SURFACE                                                                                                        \
    "out vec3 skinned_normal;\nout vec2 surface_uv;\nout vec4 surface_color;\nflat out float mirrored;\n",             \
        "    skinned_normal = vec3(0);\n    surface_uv = vec2(0);\n    surface_color = vec4(1);\n    mirrored = 1.0;\n"

SHADERS_TEST(outputs_that_are_missing)
{
    static const struct {
        const char *outs, *sets, *says;
        enum view view;
        unsigned overlays;
    } rows[] = {
        {"out vec2 surface_uv;\n", "    surface_uv = vec2(0);\n",
         "view lit: o0/skin.vert has no output `skinned_normal`, which lit.frag reads; declare `out vec3 skinned_normal` (shaders/README.md)", VIEW_LIT, 0},
        {"out vec3 skinned_normal;\nout vec2 surface_uv;\nout vec4 surface_color;\n",
         "    skinned_normal = vec3(0);\n    surface_uv = vec2(0);\n    surface_color = vec4(1);\n",
         "has no output `mirrored`, which normals.frag reads; declare `flat out float mirrored`", VIEW_NORMALS, 0},
        {"out vec4 skinned_normal;\nout vec2 surface_uv;\nout vec4 surface_color;\nflat out float mirrored;\n",
         "    skinned_normal = vec4(0);\n    surface_uv = vec2(0);\n    surface_color = vec4(1);\n    mirrored = 1.0;\n",
         "`skinned_normal` is vec4; it must be `out vec3 skinned_normal`", VIEW_LIT, 0},
        {SURFACE,
         "view bones: o3/skin.vert has no output `strongest_binding`, which bone_colors.frag reads; declare "
         "`flat out uint strongest_binding` where this is defined: STRONGEST_BINDING", VIEW_BONES, 0},
        {SURFACE,
         "has no output `skinned_position`, which the skin stage and the overlay wireframe read", VIEW_LIT, OVERLAY_WIREFRAME},
        {SURFACE, "",
         VIEW_LIT, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        HAND_SCENE hand = two_meshes(5, 4);
        struct image image;
        struct error err_1 = {0};
        struct frame_settings frame_settings = hand_settings(8, 8, rows[i].view);
        frame_settings.overlays = rows[i].overlays;
        struct shader_set *set = vertex_shader(*state, at("o%zu", i),
                                               at(HEAD "%s" MAIN("%s"), rows[i].outs, rows[i].sets));
        MODEL model = model_of(*state, &hand);
        draw_by(model, set);
        bool good = draw_frame(*state, model, &hand.palette, &hand.pose, &frame_settings, &image, &err_1);
        if (good != !*rows[i].says || !strstr(err_1.text, rows[i].says) || (!good && err_1.exit_code != EXIT_CODE_USAGE))
            fail_msg("row %zu says: %s", i, err_1.text);
        if (good)
            image_release(&image);
    }
}

/* What a shader declares that rigproof does not set reads the same whatever else is drawn; each is warned of once. */
SHADERS_TEST(what_is_not_set_reads_a_fallback)
{
#define IS_NOT_SET " of f/skin.vert is not one that rigproof sets: it "
    static const struct {
        const char *declared, *reads, *warning; /* the value is a float of `reads`; NULL: no warning */
        float value;
    } rows[] = {
        {"uniform float swell;\n", "swell", "uniform `swell` (float)" IS_NOT_SET "stays 0\n", 0},
        {"uniform float swell = 0.5;\n", "swell", NULL, 0.5f},
        {"uniform vec3 tints[4];\n", "tints[3].y", "uniform `tints` (vec3[4])" IS_NOT_SET "stays 0\n", 0},
        {"uniform mat4 view;\n", "view[1][1]", NULL, 1}, /* found by its words; the identity where vertices are captured */
        {"uniform mat2 view;\n", "view[1][1]", "uniform `view` (mat2)" IS_NOT_SET "stays 0\n", 0},
        {"uniform bool on;\n", "float(on)", "uniform `on` (bool)" IS_NOT_SET "stays 0\n", 0},
        {"uniform vec4 base_colour;\n", "base_colour.x",
         "uniform `base_colour` (vec4)" IS_NOT_SET "stays 0; did you mean `base_color`?\n", 0},
        {"struct Light { vec3 color; };\nuniform Light lights[2];\n", "lights[1].color.x",
         "uniform `lights[1].color` (vec3)" IS_NOT_SET "stays 0\n", 0},
        {"uniform Frame { vec4 fog; float far[4]; };\n", "fog.x + far[3]",
         "uniform block `Frame`" IS_NOT_SET "stays 0\n", 0},
        {"uniform sampler1D s;\n", "texture(s, 0.7).x", "uniform `s` (sampler1D)" IS_NOT_SET "reads mid-grey\n", 128 / 255.0f},
        {"uniform sampler2D s;\n", "texture(s, vec2(9)).y", "uniform `s` (sampler2D)" IS_NOT_SET "reads mid-grey\n", 128 / 255.0f},
        {"uniform sampler2D s;\n", "texture(s, vec2(0)).w", "mid-grey", 1},
        {"uniform sampler2D s[3];\n", "texture(s[2], vec2(0)).z", "uniform `s` (sampler2D[3])", 128 / 255.0f},
        {"uniform sampler3D s;\n", "texture(s, vec3(0)).x", "(sampler3D)", 128 / 255.0f},
        {"uniform samplerCube s;\n", "texture(s, vec3(0, -1, 0)).x", "(samplerCube)", 128 / 255.0f},
        {"uniform sampler2DArray s;\n", "texture(s, vec3(0)).x", "(sampler2DArray)", 128 / 255.0f},
        {"uniform sampler1DArray s;\n", "texture(s, vec2(0)).x", "(sampler1DArray)", 128 / 255.0f},
        {"uniform sampler2DRect s;\n", "texture(s, vec2(0)).x", "(sampler2DRect)", 128 / 255.0f},
        {"uniform samplerBuffer s;\n", "texelFetch(s, 0).x", "(samplerBuffer)", 128 / 255.0f},
        {"uniform isampler2D s;\n", "float(texture(s, vec2(0)).x)", "reads 128 128 128 255", 128},
        {"uniform usamplerCube s;\n", "float(texture(s, vec3(1)).w)", "(usamplerCube)", 255},
        {"uniform usamplerBuffer s;\n", "float(texelFetch(s, 0).y)", "(usamplerBuffer)", 128},
        {"uniform sampler2DShadow s;\n", "texture(s, vec3(0.5, 0.5, 0.4))", "reads a depth of 0.5", 1},
        {"uniform sampler2DShadow s;\n", "texture(s, vec3(0.5, 0.5, 0.6))", "reads a depth of 0.5", 0},
        {"uniform samplerCubeShadow s;\n", "texture(s, vec4(1, 0, 0, 0.4))", "(samplerCubeShadow)", 1},
        {"uniform sampler2DMS s;\n", "min(texelFetch(s, ivec2(0), 0).x, 0.0)", "reads no texture", 0},
        {"uniform sampler2D a;\nuniform samplerCube b;\nuniform sampler2DMS c;\nuniform sampler2D base_texture;\n",
         "texture(a, vec2(0)).x + texture(b, vec3(1)).x + min(texelFetch(c, ivec2(0), 0).x, 0.0) + texture(base_texture, vec2(0)).x",
         "`b` (samplerCube)", 1 + 256 / 255.0f},
        {"uniform sampler2D base_texture;\n", "texture(base_texture, vec2(0)).x", NULL, 1}, /* the material has none */
        {"uniform sampler2D s;\n", "1.0", NULL, 1},                                          /* not read */
        {"in vec4 tangent;\n", "tangent.x + tangent.w", NULL, 2}, /* of a mesh without: 1 0 0 1 */
        {"in vec3 bitangent;\n", "bitangent.z", /* not the normal, which nothing reads here */
         "attribute `bitangent` (vec3) of f/skin.vert is not one that rigproof gives: it is 0 0 0 1 at every vertex\n", 0},
        {"in vec3 bitangent;\nin vec3 normal;\nin mat3 frame;\n", "normal.z + bitangent.z + frame[2].z", "`frame` (mat3) of f/skin.vert is not one that rigproof gives: it is the identity", 2},
        {"in mat4 a;\nin vec2 b;\nin vec3 c[2];\nin vec2 uv;\n", "uv.x + a[3].z + b.y + c[1].z", "attribute `c` (vec3)", 0},
        {"layout(location = 9) in vec4 more;\n", "more.w", "attribute `more` (vec4)", 1},
        {"layout(location = 1) in vec3 my_normal;\n", "my_normal.z", NULL, 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        HAND_SCENE hand = two_meshes(5, 4);
        close_renderer(state); /* which knows a folder by its name */
        open_renderer(state);
        struct shader_set *set = vertex_shader(*state, "f", at(
            HEAD OUTS "%sin uvec4 bones;\n" MAIN("    skinned_position = vec3(float(bones.x), %s, 0);\n    skinned_normal = vec3(0);\n"),
            rows[i].declared, rows[i].reads));
        MODEL model = model_of(*state, &hand);
        draw_by(model, set);
        float value = captured(*state, model, &hand)[0].positions[0][1];
        const char *warnings = text_string(&set->warnings);
        if (!(fabsf(value - rows[i].value) < 1e-6f) || (rows[i].warning ? !strstr(warnings, rows[i].warning) : *warnings))
            fail_msg("row %zu reads %g and says: %s", i, (double)value, warnings);
        const char *first = strstr(warnings, "`s`");
        assert_true(!first || !strstr(first + 1, "`s`")); /* each once, though there are several programs */
    }
}

/* A picture is what location 0 gets. */
SHADERS_TEST(outputs_that_are_not_drawn)
{
    static const struct {
        const char *source, *warnings;
    } rows[] = {
        {"out vec4 pixel;\nvoid main() { pixel = vec4(1); }\n", ""},
        {"layout(location = 0) out vec4 pixel;\nlayout(location = 1) out vec2 motion;\n"
         "void main() { pixel = vec4(1); motion = vec2(1); }\n",
         "output `motion` (vec2) of f/lit.frag, location 1, is not drawn: the picture is what location 0 gets\n"},
        {"layout(location = 1) out vec4 pixel;\nvoid main() { pixel = vec4(1); gl_FragDepth = 0.5; }\n",
         "output `pixel` (vec4) of f/lit.frag, location 1, is not drawn: the picture is what location 0 gets\n"
         "f/lit.frag writes nothing to location 0: the picture stays empty\n"},
        {"out vec4 pixels[2];\nvoid main() { pixels[0] = pixels[1] = vec4(1); }\n",
         "output `pixels` of f/lit.frag: only its first element is drawn\n"},
    };
    if (!gl->GetProgramInterfaceiv)
        skip();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        HAND_SCENE hand = two_meshes(5, 4);
        SCOPED(image) image;
        struct frame_settings frame_settings = hand_settings(8, 8, VIEW_LIT);
        close_renderer(state);
        open_renderer(state);
        struct shader_set *set = shaders_of(*state, folder_with("f", "lit.frag", at(VERSION "%s", rows[i].source)));
        MODEL model = model_of(*state, &hand);
        draw_by(model, set);
        assert_good(draw_frame(*state, model, &hand.palette, &hand.pose, &frame_settings, &image, err));
        assert_string_equal(text_string(&set->warnings), rows[i].warnings);
    }
}

/* GL without blending writes the colour, whatever the alpha; a blended surface is composited: premultiplied, over 0x80. */
SHADERS_TEST(opaque_surfaces_have_no_alpha)
{
    static const struct {
        enum alpha_mode mode;
        uint8_t seen[4];
    } rows[] = {{ALPHA_OPAQUE, {102, 51, 204, 255}}, {ALPHA_MASK, {102, 51, 204, 255}}, {ALPHA_BLEND, {179, 128, 255, 255}}};
    struct shader_set *set = shaders_of(*state, folder_with("alpha", "unlit.frag",
        VERSION "out vec4 pixel;\nvoid main() { pixel = vec4(0.4, 0.2, 0.8, 0.4); }\n"));
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct frame_settings settings = hand_settings_on(8, 8, VIEW_UNLIT, 0x80, 0x80, 0x80, 0xff);
        SCOPED(image) image;
        HAND_SCENE hand = hand_card();
        hand.scene->materials[0].alpha_mode = rows[i].mode;
        MODEL model = model_of(*state, &hand);
        draw_by(model, set);
        assert_good(draw_frame(*state, model, &hand.palette, &hand.pose, &settings, &image, err));
        const uint8_t *seen = rows[i].seen;
        assert_pixel(&image, 4, 4, seen[0], seen[1], seen[2], seen[3], 1);
    }
}

static const char *shaders_hash(struct renderer *renderer, struct shader_set *set, struct arena *arena)
{
    struct fingerprint fingerprint;
    renderer_fingerprint(renderer_info(renderer), set, arena, &fingerprint);
    return fingerprint_find(&fingerprint, "shaders");
}

SHADERS_TEST(the_fingerprint_is_of_what_is_in_effect)
{
    SCOPED_ARENA arena = arena_create(1 << 20, ANY_ERROR);
    const char *ours = shaders_hash(*state, NULL, arena);
    const char *red = shaders_hash(*state, shaders_of(*state, folder_with("red", "lit.frag", PLAIN("1.0, 0.0, 0.0"))), arena);
    folder_with("rouge", "idle.glsl", "// takes no part\n");
    const char *same = shaders_hash(*state, shaders_of(*state, folder_with("rouge", "lit.frag", PLAIN("1.0, 0.0, 0.0"))), arena);
    assert_string_equal(shaders_hash(*state, shaders_of(*state, copies_of_ours()), arena), ours);
    assert_string_not_equal(red, ours);
    assert_string_equal(red, same);
}
