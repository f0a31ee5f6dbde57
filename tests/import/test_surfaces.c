/* Surfaces: what a renderer wants of a material and its mesh. Numbers are the files', specifications', or computed by hand. */
#include "import/import_fixture.h"

#include "data/image/image.h"
#include "data/scene/surface.h"

static struct scene *load_surfaces(const char *path, bool tangents)
{
    struct import_options options = import_defaults;
    options.surfaces = true;
    options.tangents = tangents;
    return assert_good(import_scene(path, &options, err));
}

static struct surface surface_named(const struct scene *scene, const char *name)
{
    struct surface surface;
    for (uint32_t i = 0; i < scene->material_count; i++)
        if (strcmp(scene->materials[i].name, name) == 0) {
            surface_of(scene, &scene->materials[i], &surface);
            return surface;
        }
    fail_msg("there is no material %s", name);
    return surface;
}

static void assert_at(const struct surface_map *map, float u, float v, float to_u, float to_v)
{
    const float out[2] = {map->to_texture[0][0] * u + map->to_texture[0][1] * v + map->to_texture[0][2],
                          map->to_texture[1][0] * u + map->to_texture[1][1] * v + map->to_texture[1][2]};
    ASSERT_NEAR(out, (const float[]){to_u, to_v}, 2, 2e-6f);
}

TEST(metallic_roughness)
{
    SCENE *scene = load_surfaces(FIXTURES "/maps/maps.gltf", false);
    struct surface paint = surface_named(scene, "paint"), varnish = surface_named(scene, "varnish");
    const struct surface_map *normal = &paint.maps[SURFACE_NORMAL], *base = &paint.maps[SURFACE_BASE];
    assert_true(paint.metallic == 0.2f && paint.roughness == 0.6f && !paint.is_specular_glossy && !paint.unlit);
    ASSERT_NEAR(paint.emissive, (float[]){4, 2, 1}, 3, 1e-6f); /* 4 times 1 0.5 0.25 */
    ASSERT_NEAR(paint.specular, (float[]){0.04f, 0.04f, 0.04f}, 3, 1e-6f);
    assert_string_equal(scene->textures[normal->texture].name, "paint_n.png");
    assert_non_null(scene->textures[normal->texture].rgba);
    assert_true(normal->uv == 1 && normal->strength == 0.5f);
    assert_true(normal->wrap[0] == WRAP_CLAMP && normal->wrap[1] == WRAP_MIRROR);
    assert_at(normal, 0.25f, 0.75f, 0.25f, 0.75f);
    /* Offset 0.5 0.25, rotation 0.5, scale 2 3: (1, 0) goes to (0.5 + 2 cos, 0.25 - 2 sin), (0, 1) to (0.5 + 3 sin, ...). */
    assert_true(base->uv == 0);
    assert_at(base, 0, 0, 0.5f, 0.25f);
    assert_at(base, 1, 0, 2.2551651f, -0.7088511f);
    assert_at(base, 0, 1, 1.9382766f, 2.8827477f);
    assert_int_equal(paint.maps[SURFACE_OCCLUSION].texture, paint.maps[SURFACE_METALLIC_ROUGHNESS].texture);
    assert_true(paint.maps[SURFACE_OCCLUSION].strength == 0.75f);
    assert_int_equal(paint.maps[SURFACE_SPECULAR].texture, NO_INDEX);
    assert_true(varnish.metallic == 1 && varnish.roughness == 1);
    /* KHR_materials_ior: ((1.33 - 1) / (1.33 + 1))^2 = 0.020059; times 0.45 times 0.5 0.6 0.7 */
    ASSERT_NEAR(varnish.specular, (float[]){0.00451331f, 0.00541598f, 0.00631864f}, 3, 1e-7f);
    assert_int_equal(varnish.maps[SURFACE_NORMAL].texture, NO_INDEX);
    assert_true(varnish.coat == 0.7f && varnish.coat_roughness == 0.3f && paint.coat == 0);
    assert_true(varnish.maps[SURFACE_COAT_NORMAL].strength == 0.25f);
    assert_string_equal(scene->textures[varnish.maps[SURFACE_COAT_NORMAL].texture].name, "paint_n.png");
    assert_true(surface_named(scene, "flat").unlit);
}

/* Assimp's, v up: rotation about the centre. 3ds Max's picture of these numbers has the texture's centre at u 0.191, v 0.449 and at
 * 0.667, 0.294 (UVTransform_ScaleUV1-2_OffsetUV0-0.9_Rotate-72 of Assimp's reference images). */
TEST(transforms_of_other_formats)
{
    struct material_map map = {.name = "base colour",
                               .texture = NO_INDEX,
                               .strength = 1,
                               .offset = {0, 0.9f},
                               .scale = {1, 2},
                               .rotation = -1.25663706f};
    struct texture texture = {.rgba = (uint8_t[4]){0}, .width = 1, .height = 1};
    struct material material = {.base_texture = 0, .map_count = 1, .maps = &map};
    struct scene scene = {.format = "ase", .textures = &texture, .texture_count = 1};
    struct surface surface;
    surface_of(&scene, &material, &surface);
    assert_at(&surface.maps[SURFACE_BASE], 0.1909830f, 1 - 0.4489435f, -0.5f,
              0.5f); /* a whole number away from 0.5 0.5 */
    assert_at(&surface.maps[SURFACE_BASE], 0.6665113f, 1 - 0.2944350f, -0.5f, 1.5f);
    scene.format = "fbx";
    map = (struct material_map){.name = "base colour", .texture = NO_INDEX, .offset = {0.25f, 0.125f}, .scale = {2, 4}};
    surface_of(&scene, &material, &surface);
    assert_at(&surface.maps[SURFACE_BASE], 0, 1, 0.25f, 1 - 0.125f);
    assert_at(&surface.maps[SURFACE_BASE], 1, 0, 2.25f, 1 - 4.125f);
    map = (struct material_map){.name = "base colour", .texture = NO_INDEX, .scale = {1, 1}, .rotation = 1.57079633f};
    surface_of(&scene, &material, &surface);
    assert_at(&surface.maps[SURFACE_BASE], 1, 0.5f, 0.5f, 0);
}

TEST(specular_glossiness)
{
    SCENE *scene = load_surfaces(FIXTURES "/maps/maps.gltf", false);
    struct surface gloss = surface_named(scene, "gloss");
    assert_true(gloss.is_specular_glossy);
    ASSERT_NEAR(gloss.base_color, (float[]){0.9f, 0.8f, 0.7f, 1}, 4, 1e-6f);
    ASSERT_NEAR(gloss.specular, (float[]){0.3f, 0.2f, 0.1f}, 3, 1e-6f);
    ASSERT_NEAR(&gloss.roughness, (float[]){0.15f}, 1, 1e-6f);
    assert_string_equal(scene->textures[gloss.maps[SURFACE_SPECULAR].texture].name, "glow.png");
    assert_int_not_equal(gloss.maps[SURFACE_BASE].texture, NO_INDEX);
    assert_int_equal(gloss.maps[SURFACE_METALLIC_ROUGHNESS].texture, NO_INDEX);
}

/* What nothing asks for costs nothing. */
TEST(plain_imports_have_base_textures_alone)
{
    SCENE *scene = load("maps/maps.gltf");
    struct surface paint = surface_named(scene, "paint");
    for (int i = 0; i < SURFACE_SLOTS; i++)
        assert_true((paint.maps[i].texture != NO_INDEX) == (i == SURFACE_BASE));
    for (uint32_t i = 0; i < scene->mesh_count; i++)
        assert_true(!scene->meshes[i].more_uvs && !scene->meshes[i].tangents);
}

/* A quad and, turned away from the viewer in its texture, another, with a material of these lines; n.png is two texels. */
static struct scene *load_obj(const char *geometry, const char *lines, const uint8_t texels[8], bool tangents)
{
    const TEMPORARY model = temporary_make("a.obj", geometry, strlen(geometry));
    const struct image image = {2, 1, (uint8_t *)texels};
    assert_true(file_write(beside(&model, "a.mtl"), lines, strlen(lines), ANY_ERROR));
    assert_true(image_write_png(&image, beside(&model, "n.png"), PNG_OUTPUT, ANY_ERROR));
    return load_surfaces(model.path, tangents);
}

static const uint8_t normals[8] = {128, 128, 255, 255, 120, 130, 250, 255};
static const uint8_t heights[8] = {0, 0, 0, 255, 200, 200, 200, 255};

static const char quads[] = "mtllib a.mtl\nusemtl m\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 2 0 0\nv 2 1 0\n"
                            "vt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nvn 0 0 1\nvn 0.6 0 0.8\n"
                            "f 1/1/1 2/2/1 3/3/1 4/4/1\nf 2/2/1 5/1/1 6/4/1 3/3/1\n";

static void assert_tangent_at(const struct scene *scene, float x, const float expected[4])
{
    uint32_t count = 0;
    for (uint32_t v = 0; v < scene->meshes[0].vertex_count; v++)
        if (scene->meshes[0].positions[v][0] == x) {
            ASSERT_NEAR(scene->meshes[0].tangents[v], expected, 4, 1e-6f);
            count++;
        }
    assert_true(count > 0);
}

/* The right quad is the left one's mirror image, and so is its texture. */
TEST(tangents_point_along_u_and_say_what_is_mirrored)
{
    SCENE *scene = load_obj(quads, "newmtl m\nnorm n.png\n", normals, false);
    const struct mesh *mesh = &scene->meshes[0];
    assert_non_null(mesh->tangents);
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        if (mesh->positions[v][0] != 1)
            ASSERT_NEAR(mesh->tangents[v],
                        mesh->positions[v][0] < 1 ? (float[]){1, 0, 0, 1} : (float[]){-1, 0, 0, -1}, 4, 1e-6f);
    /* A texture on its side, u up: and one with v down the surface, which mirrors. */
#define TRIANGLE "mtllib a.mtl\nusemtl m\nv 0 0 0\nv 1 0 0\nv 1 1 0\n"
#define FACE "f 1/1/1 2/2/1 3/3/1\n"
    ANOTHER(scene,
            load_obj(TRIANGLE "vt 0 1\nvt 0 0\nvt 1 0\nvn 0 0 1\n" FACE, "newmtl m\nnorm n.png\n", normals, false));
    assert_tangent_at(scene, 0, (float[]){0, 1, 0, 1});
    /* On the plane of a normal that leans: (1 0 0) less 0.6 of (0.6 0 0.8), as a unit vector. */
    ANOTHER(scene,
            load_obj(TRIANGLE "vt 0 0\nvt 1 0\nvt 1 1\nvn 0.6 0 0.8\n" FACE, "newmtl m\nnorm n.png\n", normals, false));
    assert_tangent_at(scene, 0, (float[]){0.8f, 0, -0.6f, 1});
}

/* At a vertex of two triangles that lie differently in the texture: by their angles, 90 and 45 degrees. */
TEST(tangents_are_weighted_by_angles)
{
    SCENE *scene = load_obj("mtllib a.mtl\nusemtl m\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv -1 1 0\n"
                                   "vt 0 0\nvt 1 0\nvt 0 1\nvt 1 1\nvn 0 0 1\n"
                                   "f 1/1/1 2/2/1 3/3/1\nf 1/1/1 3/3/1 4/1/1\nf 1/1/1 3/2/1 4/4/1\n",
                                   "newmtl m\nnorm n.png\n", normals, false);
    /* Of the second triangle the texture has no area, of the third u is up: 90 (1 0) + 45 (0 1), as a unit vector. */
    assert_tangent_at(scene, 1, (float[]){1, 0, 0, 1});
    for (uint32_t v = 0; v < scene->meshes[0].vertex_count; v++) {
        const float *p = scene->meshes[0].positions[v];
        if (p[0] == 0 && p[1] == 0)
            ASSERT_NEAR(scene->meshes[0].tangents[v], (float[]){0.894427f, 0.447214f, 0, 1}, 4, 1e-6f);
    }
}

/* A plain and a mirrored triangle: what both have says nothing of itself. */
TEST(triangles_of_both_kinds_may_share_vertices)
{
    static const char ply[] = "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n"
                              "property float nx\nproperty float ny\nproperty float nz\nproperty float s\nproperty float t\n"
                              "element face 2\nproperty list uchar int vertex_indices\nend_header\n"
                              "0 0 0 0 0 1 0 0\n1 0 0 0 0 1 1 0\n1 1 0 0 0 1 1 1\n2 0 0 0 0 1 0 0\n3 0 1 2\n3 1 3 2\n";
    const TEMPORARY model = temporary_make("a.ply", ply, sizeof ply - 1);
    SCENE *scene = load_surfaces(model.path, true);
    const struct mesh *mesh = &scene->meshes[0];
    assert_int_equal(mesh->vertex_count, 4);
    for (uint32_t v = 0; v < 4; v++) {
        const float x = mesh->positions[v][0];
        ASSERT_NEAR(mesh->tangents[v], x == 2 ? (float[]){-1, 0, 0, -1} : (float[]){1, 0, 0, x == 0}, 4, 1e-6f);
    }
}

/* fixtures/emboss/README.md says what they are. */
TEST(tangents_of_a_fixture)
{
    static const char *const names[] = {"strip", "brushed", "charm", "card"};
    SCENE *scene = load_surfaces(FIXTURES "/emboss/emboss.gltf", false);
    assert_int_equal(scene->mesh_count, 4);
    for (uint32_t m = 0; m < 4; m++) {
        const struct mesh *mesh = &scene->meshes[m];
        assert_string_equal(mesh->name, names[m]);
        assert_true((mesh->more_uvs != NULL) == (m == 3));
        for (uint32_t v = 0; v < mesh->vertex_count; v++) {
            const bool right = v >= 32; /* columns come one after the other */
            const vec4 expected[4] = {{right ? -1 : 1, 0, 0, right ? -1 : 1},
                                      {0.8401681f, 0.4850713f, 0.2425356f, 1},
                                      {1, 0, 0, 1},
                                      {0, -1, 0, -1}};
            ASSERT_NEAR(mesh->tangents[v], expected[m], 4, 1e-6f);
        }
    }
}

TEST(phong_becomes_metallic_roughness)
{
    struct scene *scene =
        load_obj(quads, "newmtl m\nKd 0.5 0.5 0.5\nKs 0.5 0.25 1\nNs 30\nKe 0.5 0 0\n", normals, false);
    struct surface m = surface_named(scene, "m");
    assert_null(scene->meshes[0].tangents);
    assert_true(m.metallic == 0);
    ASSERT_NEAR(&m.roughness, (float[]){0.5f}, 1, 1e-6f); /* (2 / 32)^(1/4) */
    ASSERT_NEAR(m.specular, (float[]){0.04f, 0.02f, 0.08f}, 3, 1e-6f);
    ASSERT_NEAR(m.emissive, (float[]){0.21404114f, 0, 0}, 3, 1e-6f);
    scene_free(scene);
    scene = load_obj(quads, "newmtl m\nKd 0 0 0\nKs 1 1 0.5\nNs 30\n", normals, false);
    m = surface_named(scene, "m");
    assert_true(m.metallic == 1); /* nothing but a metal reflects that much and scatters nothing */
    ASSERT_NEAR(m.base_color, (float[]){1, 1, 0.21404114f, 1}, 4, 1e-6f);
    scene_free(scene);
}

/* A roughness map alone makes no metal; beside a metallic one both are one picture. */
TEST(maps_of_their_own_are_joined)
{
    static const uint8_t greys[8] = {100, 100, 100, 255, 200, 200, 200, 255};
    SCENE *scene = load_obj(quads, "newmtl m\nmap_Pr n.png\n", greys, false);
    struct surface m = surface_named(scene, "m");
    const struct texture *texture = &scene->textures[m.maps[SURFACE_METALLIC_ROUGHNESS].texture];
    assert_true(m.metallic == 0 && m.roughness == 1);
    assert_memory_equal(texture->rgba, ((const uint8_t[8]){100, 100, 255, 255, 200, 200, 255, 255}), 8);
    ANOTHER(scene, load_obj(quads, "newmtl m\nPm 0.5\nmap_Pr n.png\nmap_Pm gone.png\n", greys, false));
    m = surface_named(scene, "m");
    assert_true(m.metallic == 0.5f || m.metallic == 0); /* what is lost is no metal, unless a factor says so */
}

TEST(a_bump_map_that_is_a_normal_map_is_one)
{
    SCENE *scene = load_obj(quads, "newmtl m\nmap_Bump n.png\n", normals, false);
    assert_int_not_equal(surface_named(scene, "m").maps[SURFACE_NORMAL].texture, NO_INDEX);
    assert_non_null(scene->meshes[0].tangents);
    ANOTHER(scene, load_obj(quads, "newmtl m\nmap_Bump n.png\n", heights, false));
    assert_int_equal(surface_named(scene, "m").maps[SURFACE_NORMAL].texture, NO_INDEX);
    assert_null(scene->meshes[0].tangents);
    ANOTHER(scene, load_obj(quads, "newmtl m\n", heights, true));
    assert_non_null(scene->meshes[0].tangents); /* asked for by themselves */
}
