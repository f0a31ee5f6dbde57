/* A page is given numbers: exact where it is whole, within the header's bounds where it is quantised. */
#include "cmocka_setup.h"

#include <jansson.h>

#include "base/memory.h"
#include "data/image/image.h"
#include "import/import.h"
#include "palette/palette_stage.h"
#include "viewer/viewer.h"

static struct scene *walker;

/* A content as the page reads it. */
static struct {
    json_t *json;
    uint8_t *bytes;
} packed;

static int release_packed(void **state)
{
    json_decref(packed.json);
    free(packed.bytes);
    packed.json = NULL;
    packed.bytes = NULL;
    return 0;
}

static void pack(const struct viewer_content *content, enum viewer_form form)
{
    SCOPED(text) text = {0};
    size_t size;
    release_packed(NULL);
    viewer_write(content, form, &text);
    packed.json = json_loads(text_string(&text), 0, NULL);
    assert_non_null(packed.json);
    const char *base64 = json_string_value(json_object_get(packed.json, "data"));
    packed.bytes = memory_new(strlen(base64), 1);
    assert_true(base64_decode(base64, strlen(base64), false, packed.bytes, &size));
}

/* Number i of an array, as the page has it. */
static double number(const json_t *place, size_t i)
{
    const char *type = json_string_value(json_array_get(place, 0));
    const uint8_t *at = packed.bytes + json_integer_value(json_array_get(place, 1));
    const json_t *offsets = json_array_get(place, 3), *steps = json_array_get(place, 4);
    double value = 0;
    assert_true(i < (size_t)json_integer_value(json_array_get(place, 2)));
    if (strcmp(type, "f4") == 0)
        value = ((const float *)(const void *)at)[i];
    else if (strcmp(type, "f8") == 0)
        value = ((const double *)(const void *)at)[i];
    else if (strcmp(type, "i1") == 0)
        value = ((const int8_t *)at)[i];
    else if (strcmp(type, "i2") == 0)
        value = ((const int16_t *)(const void *)at)[i];
    else if (strcmp(type, "u1") == 0)
        value = at[i];
    else if (strcmp(type, "u2") == 0)
        value = ((const uint16_t *)(const void *)at)[i];
    else
        value = ((const uint32_t *)(const void *)at)[i];
    if (!steps)
        return value;
    const size_t k = i % json_array_size(steps);
    return json_number_value(json_array_get(offsets, k)) + json_number_value(json_array_get(steps, k)) * value;
}

static const json_t *mesh_at(uint32_t m)
{
    return json_array_get(json_object_get(json_array_get(json_object_get(packed.json, "models"), 0), "meshes"), m);
}

static struct viewer_content content_of(const struct scene *scene)
{
    return (struct viewer_content){.title = "walker",
                                   .side_count = 1,
                                   .sides = {{.scene = scene, .has_clips = true}},
                                   .fps = 24,
                                   .up_axis = 1,
                                   .up_sign = 1,
                                   .framed = bounds_empty(),
                                   .orbit = {.zoom = 1, .fov = 30}};
}

TEST_WITH(a_whole_one_is_exact, NULL, release_packed)
{
    const struct viewer_content content = content_of(walker);
    pack(&content, VIEWER_WHOLE);
    for (uint32_t m = 0; m < walker->mesh_count; m++) {
        const struct mesh *mesh = &walker->meshes[m];
        const json_t *skin = json_object_get(mesh_at(m), "skin");
        for (size_t i = 0; i < 3 * (size_t)mesh->vertex_count; i++) {
            assert_true((float)number(json_object_get(mesh_at(m), "positions"), i) == mesh->positions[i / 3][i % 3]);
            assert_true((float)number(json_object_get(mesh_at(m), "normals"), i) == mesh->normals[i / 3][i % 3]);
        }
        for (size_t i = 0; i < 3 * (size_t)mesh->triangle_count; i++)
            assert_true(number(json_object_get(mesh_at(m), "indices"), i) == mesh->indices[i]);
        for (uint32_t i = 0; i < mesh->influence_first[mesh->vertex_count]; i++) {
            assert_true(number(json_object_get(skin, "bones"), i) == mesh->influences[i].bone);
            assert_true((float)number(json_object_get(skin, "weights"), i) == mesh->influences[i].weight);
        }
        for (uint32_t b = 0; b < 12 * mesh->bone_count; b++) {
            const uint32_t row = b % 12 / 4, column = b % 4;
            assert_true((float)number(json_object_get(skin, "mesh_to_bone"), b) ==
                        mesh->bones[b / 12].mesh_to_bone[column][row]);
        }
    }
}

/* Half a step of 16 bits over the axis's range. */
static void check_range(const json_t *place, const vec3 *values, size_t count)
{
    for (int c = 0; c < 3; c++) {
        double low = INFINITY, high = -INFINITY;
        for (size_t i = 0; i < count; i++) {
            low = fmin(low, (double)values[i][c]);
            high = fmax(high, (double)values[i][c]);
        }
        for (size_t i = 0; i < count; i++)
            assert_true(fabs(number(place, 3 * i + (size_t)c) - (double)values[i][c]) <=
                        (high - low) / 131070 * 1.001 + 1e-7 * fabs(high));
    }
}

TEST_WITH(a_quantised_one_is_near, NULL, release_packed)
{
    const struct viewer_content content = content_of(walker);
    pack(&content, VIEWER_QUANTISED);
    for (uint32_t m = 0; m < walker->mesh_count; m++) {
        const struct mesh *mesh = &walker->meshes[m];
        const json_t *normals = json_object_get(mesh_at(m), "normals"), *skin = json_object_get(mesh_at(m), "skin");
        size_t at = 0;
        check_range(json_object_get(mesh_at(m), "positions"), (const vec3 *)mesh->positions, mesh->vertex_count);
        for (uint32_t v = 0; v < mesh->vertex_count; v++) {
            double dot = 0, square = 0, sum = 0, wanted = 0;
            for (size_t c = 0; c < 3; c++) {
                const double n = number(normals, 3 * v + c);
                dot += n * (double)mesh->normals[v][c];
                square += n * n;
            }
            assert_true(dot / sqrt(square) > cos(0.5 * 3.14159265 / 180));
            uint32_t kept = (uint32_t)number(json_object_get(skin, "counts"), v);
            for (uint32_t i = mesh->influence_first[v]; i < mesh->influence_first[v + 1]; i++) {
                double weight = 0;
                wanted += (double)mesh->influences[i].weight;
                for (uint32_t k = 0; k < kept; k++)
                    if (number(json_object_get(skin, "bones"), at + k) == mesh->influences[i].bone)
                        weight += number(json_object_get(skin, "bytes"), at + k) / 255;
                assert_true(fabs(weight - (double)mesh->influences[i].weight) < 1.0 / 255);
                sum += weight;
            }
            assert_true(fabs(sum - wanted) <= 1.0 / 510 + 1e-9);
            at += kept;
        }
    }
}

TEST(what_does_not_fit_is_left_out)
{
    const struct viewer_content content = content_of(walker);
    size_t sizes[3];
    const char *left_out = "?";
    struct error err = {0};
    for (int form = 0; form < 3; form++) {
        SCOPED(text) text = {0};
        viewer_write(&content, (enum viewer_form)form, &text);
        sizes[form] = text.size;
    }
    assert_true(sizes[0] > sizes[1] && sizes[1] > sizes[2]);
    for (int form = 0; form < 3; form++) {
        SCOPED(text) text = {0};
        assert_true(viewer_fit(&content, sizes[form], &left_out, &text, ANY_ERROR));
        assert_int_equal(text.size, sizes[form]);
        assert_int_equal(left_out == NULL, form == 0);
    }
    struct text text = {0};
    assert_false(viewer_fit(&content, sizes[2] - 1, &left_out, &text, &err));
    assert_true(error_is_set(&err));
    assert_int_equal(text.size, 0);
}

/* Two poses of one scene: the scene is there once, and a pose is the one that was given. */
TEST_WITH(poses_of_one_scene, NULL, release_packed)
{
    SCOPED_ARENA arena = arena_require((size_t)1 << 26);
    struct pose pose = pose_create(walker, arena);
    struct palette palette = palette_create(walker, arena);
    pose.local_to_parent[3][3][1] += 0.25f;
    palette_globals(walker, &pose);
    palette_compute(walker, &pose, SPACE_SCENE, &palette);
    const struct viewer_pose one = {0.5, &pose, &palette};
    struct viewer_content content = content_of(walker);
    content.side_count = 2;
    content.sides[0].has_clips = false;
    content.sides[1] = (struct viewer_side){.label = "actual", .scene = walker, .pose_count = 1, .poses = &one};
    pack(&content, VIEWER_QUANTISED);
    assert_int_equal(json_array_size(json_object_get(packed.json, "models")), 1);
    assert_int_equal(
        json_array_size(json_object_get(json_array_get(json_object_get(packed.json, "models"), 0), "clips")), 0);
    const json_t *side = json_array_get(json_object_get(packed.json, "sides"), 1);
    const json_t *shown = json_array_get(json_object_get(side, "poses"), 0);
    for (uint32_t i = 0; i < 12 * palette.count; i++)
        assert_true((float)number(json_object_get(shown, "mesh_to_scene"), i) ==
                    palette.mesh_to_scene[i / 12][i % 4][i % 12 / 4]);
}

/* Made smaller by halves; a clear texel has no say in the colour. */
TEST_WITH(a_large_texture_is_halved, NULL, release_packed)
{
    static uint8_t texels[4096][2][4];
    struct scene scene = *walker;
    struct texture texture = {.name = "large", .width = 2, .height = 4096, .rgba = texels[0][0]};
    SCOPED(text) png = {0};
    SCOPED(image) image;
    for (int y = 0; y < 4096; y++)
        for (int x = 0; x < 2; x++)
            memcpy(texels[y][x], x == 0 ? (uint8_t[]){200, 100, 50, 255} : (uint8_t[]){0, 0, 0, 0}, 4);
    scene.texture_count = 1;
    scene.textures = &texture;
    struct viewer_content content = content_of(&scene);
    pack(&content, VIEWER_WHOLE);
    const json_t *list = json_object_get(json_array_get(json_object_get(packed.json, "models"), 0), "textures");
    const char *uri = json_string_value(json_array_get(list, 0)), *base64 = strchr(uri, ',') + 1;
    uint8_t *bytes = memory_new(strlen(base64), 1);
    size_t size;
    assert_true(base64_decode(base64, strlen(base64), false, bytes, &size));
    assert_true(image_decode(&image, bytes, size, "texture", ANY_ERROR));
    assert_int_equal(image.width, 1);
    assert_int_equal(image.height, 2048);
    for (int y = 0; y < 2048; y++)
        assert_memory_equal(image.rgba + 4 * y, ((uint8_t[]){200, 100, 50, 128}), 4);
    free(bytes);
}

static const char *texture_uri(void)
{
    const json_t *list = json_object_get(json_array_get(json_object_get(packed.json, "models"), 0), "textures");
    return json_string_value(json_array_get(list, 0));
}

/* A file that is small enough is handed on as it is, of whatever kind; one that is not is halved before it is left out. */
TEST_WITH(a_stored_texture_is_kept, NULL, release_packed)
{
    static uint8_t texels[256 * 256 * 4];
    struct scene scene = *walker;
    struct texture texture = {.name = "t", .width = 256, .height = 256, .rgba = texels,
                              .file = (const uint8_t *)"\xff\xd8\xff?", .file_size = 4};
    uint32_t noise = 1;
    for (size_t i = 0; i < sizeof texels; i++) { /* that no PNG makes small */
        noise = noise * 1664525u + 1013904223u;
        texels[i] = (uint8_t)(noise >> 24);
    }
    scene.texture_count = 1;
    scene.textures = &texture;
    const struct viewer_content content = content_of(&scene);
    SCOPED(text) whole = {0}, fitted = {0};
    const char *left_out = NULL;
    pack(&content, VIEWER_WHOLE);
    assert_string_equal(texture_uri(), "data:image/jpeg;base64,/9j/Pw==");
    texture.file = NULL;
    viewer_write(&content, VIEWER_WHOLE, &whole);
    assert_true(viewer_fit(&content, whole.size - 1, &left_out, &fitted, ANY_ERROR));
    assert_string_equal(left_out, "with smaller textures");
    assert_true(fitted.size < whole.size);
}

/* Of two models the second has the number of what the first has too, byte by byte. */
TEST_WITH(two_models_share_their_textures, NULL, release_packed)
{
    static uint8_t red[] = {255, 0, 0, 255}, blue[] = {0, 0, 255, 255}, wide[] = {255, 0, 0, 255, 0, 0, 0, 0};
    struct scene first = *walker, second = *walker;
    struct texture own[] = {{.name = "b", .width = 1, .height = 1, .rgba = blue}, {.name = "r", .width = 1, .height = 1, .rgba = red}};
    struct texture others[] = {own[1], {.name = "empty"}, {.name = "wide", .width = 2, .height = 1, .rgba = wide}};
    first.textures = own;
    first.texture_count = 2;
    second.textures = others;
    second.texture_count = 3;
    struct viewer_content content = content_of(&first);
    content.sides[1] = content.sides[0];
    content.sides[1].scene = &second;
    content.side_count = 2;
    pack(&content, VIEWER_WHOLE);
    const json_t *list = json_object_get(json_array_get(json_object_get(packed.json, "models"), 1), "textures");
    assert_non_null(texture_uri());
    assert_int_equal(json_array_size(list), 3);
    assert_true(json_is_integer(json_array_get(list, 0)) && json_integer_value(json_array_get(list, 0)) == 1);
    assert_true(json_is_null(json_array_get(list, 1)));
    assert_true(json_is_string(json_array_get(list, 2)));
}

/* Where surfaces are asked for the import keeps what it has decoded. */
TEST(the_import_keeps_files)
{
    struct import_options options = import_defaults;
    SCOPED(image) image;
    options.surfaces = true;
    SCENE *scene = assert_good(import_scene(FIXTURES "/walker/walker.glb", &options, err));
    const struct texture *texture = &scene->textures[0];
    assert_true(image_decode(&image, texture->file, texture->file_size, "texture", ANY_ERROR));
    assert_int_equal(image.width, texture->width);
    assert_memory_equal(image.rgba, texture->rgba, (size_t)4 * image.width * image.height);
    assert_null(walker->textures[0].file);
}

/* One closure, one name, and nothing that ends a script. */
TEST(the_script_is_a_script)
{
    SCOPED(text) script = {0}, style = {0};
    viewer_script(&script);
    viewer_style(&style);
    assert_memory_equal(script.data, "const modelViewer = ", 20);
    assert_null(strstr(script.data, "</"));
    assert_null(strstr(style.data, "</"));
    assert_null(strstr(script.data, "http"));
}

static int import_walker(void **state)
{
    walker = import_scene(FIXTURES "/walker/walker.glb", &import_defaults, ANY_ERROR);
    return walker ? 0 : -1;
}

GROUP(import_walker, NULL)
