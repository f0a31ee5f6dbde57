/* What a material has besides its base colour: what a file says is what comes out. */
#include "import/import_fixture.h"

#include "data/image/image.h"

static const struct material *material_of(const struct scene *scene, const char *name)
{
    for (uint32_t i = 0; i < scene->material_count; i++)
        if (strcmp(scene->materials[i].name, name) == 0)
            return &scene->materials[i];
    fail_msg("there is no material %s", name);
    return NULL;
}

static const struct material_map *map_of(const struct material *material, const char *name)
{
    for (uint32_t i = 0; i < material->map_count; i++)
        if (strcmp(material->maps[i].name, name) == 0)
            return &material->maps[i];
    return NULL;
}

/* A factor's values; NULL where it is the default. */
static const float *factor_of(const struct material *material, const char *name)
{
    for (uint32_t i = 0; i < material->factor_count; i++)
        if (strcmp(material->factors[i].name, name) == 0)
            return material->factors[i].values;
    return NULL;
}

static void assert_texture(const struct scene *scene, const struct material_map *map, const char *name, uint32_t width,
                           uint32_t height)
{
    assert_non_null(map);
    const struct texture *texture = &scene->textures[map->texture];
    assert_string_equal(texture->name, name);
    assert_int_equal(texture->width, width);
    assert_int_equal(texture->height, height);
    assert_null(texture->rgba); /* nothing draws it */
    assert_false(texture->missing);
    assert_int_equal(strlen(texture->hash), 16);
}

TEST(gltf_maps_are_the_files)
{
    SCENE *scene = load("maps/maps.gltf");
    const struct material *paint = material_of(scene, "paint");
    const struct material_map *base = map_of(paint, "base colour"), *normal = map_of(paint, "normal");
    assert_int_equal(paint->map_count, 5);
    assert_int_equal(base->texture, NO_INDEX);
    assert_non_null(scene->textures[paint->base_texture].rgba);
    ASSERT_NEAR(base->offset, (float[]){0.5f, 0.25f}, 2, 1e-6f);
    ASSERT_NEAR(base->scale, (float[]){2, 3}, 2, 1e-6f);
    ASSERT_NEAR(&base->rotation, (float[]){0.5f}, 1, 1e-6f);
    assert_string_equal(base->filter[0], "linear-mipmap-linear");
    assert_string_equal(base->filter[1], "linear");
    assert_texture(scene, normal, "paint_n.png", 4, 2);
    assert_true(normal->strength == 0.5f && normal->uv == 1);
    assert_true(normal->wrap[0] == WRAP_CLAMP && normal->wrap[1] == WRAP_MIRROR);
    assert_string_equal(normal->filter[0], "nearest-mipmap-linear");
    assert_string_equal(normal->filter[1], "nearest");
    ASSERT_NEAR(normal->offset, (float[]){0, 0}, 2, 0);
    assert_texture(scene, map_of(paint, "metallic-roughness"), "*1", 4, 4);
    assert_null(map_of(paint, "metallic"));
    assert_texture(scene, map_of(paint, "emissive"), "glow.png", 2, 2);
    assert_null(map_of(paint, "emissive")->filter[0]);
    assert_true(map_of(paint, "occlusion")->strength == 0.75f);
    assert_int_equal(map_of(paint, "occlusion")->texture, map_of(paint, "metallic-roughness")->texture);
    assert_string_not_equal(scene->textures[normal->texture].hash,
                            scene->textures[map_of(paint, "emissive")->texture].hash);
}

TEST(gltf_factors_are_the_files)
{
    static const struct {
        const char *material, *factor;
        uint32_t width;
        float values[4];
    } rows[] = {
        {"paint", "metallic factor", 1, {0.2f}},
        {"paint", "roughness factor", 1, {0.6f}},
        {"paint", "emissive colour", 3, {1, 0.5f, 0.25f}},
        {"paint", "emissive strength", 1, {4}},
        {"varnish", "clearcoat factor", 1, {0.7f}},
        {"varnish", "clearcoat roughness", 1, {0.3f}},
        {"varnish", "sheen colour", 3, {0.1f, 0.2f, 0.3f}},
        {"varnish", "sheen roughness", 1, {0.4f}},
        {"varnish", "transmission factor", 1, {0.35f}},
        {"varnish", "refractive index", 1, {1.33f}},
        {"varnish", "thickness", 1, {0.15f}},
        {"varnish", "attenuation distance", 1, {2.5f}},
        {"varnish", "attenuation colour", 3, {0.8f, 0.9f, 1}},
        {"varnish", "specular factor", 1, {0.45f}},
        {"varnish", "specular colour", 3, {0.5f, 0.6f, 0.7f}},
        {"varnish", "anisotropy", 1, {0.55f}},
        {"varnish", "anisotropy rotation", 1, {0.65f}},
        {"gloss", "specular colour", 3, {0.3f, 0.2f, 0.1f}},
        {"gloss", "glossiness factor", 1, {0.85f}},
    };
    SCENE *scene = load("maps/maps.gltf");
    const struct material *gloss = material_of(scene, "gloss"); /* its diffuse colour and texture, not the fallback's */
    uint32_t count = 0;
    ASSERT_NEAR(gloss->base_color, (float[]){0.9f, 0.8f, 0.7f, 1}, 4, 1e-6f);
    assert_string_equal(scene->textures[gloss->base_texture].name, "*0");
    assert_int_equal(gloss->shading, SHADING_SPECULAR_GLOSSINESS);
    assert_null(map_of(gloss, "metallic-roughness"));
    assert_non_null(note_of(scene, NOTE_REPAIR, "gltf-materials"));
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const float *values = factor_of(material_of(scene, rows[i].material), rows[i].factor);
        if (!values)
            fail_msg("%s has no %s", rows[i].material, rows[i].factor);
        ASSERT_NEAR(values, rows[i].values, rows[i].width, 1e-6f);
    }
    for (uint32_t i = 0; i < scene->material_count; i++) {
        count += scene->materials[i].factor_count;
        assert_int_equal(scene->materials[i].unlit, strcmp(scene->materials[i].name, "flat") == 0);
    }
    assert_int_equal(count, sizeof rows / sizeof rows[0]); /* and no more: defaults are left out */
    assert_texture(scene, map_of(material_of(scene, "gloss"), "specular"), "glow.png", 2, 2);
    assert_null(map_of(material_of(scene, "gloss"), "diffuse")); /* it is the base texture */
    assert_true(map_of(material_of(scene, "varnish"), "clearcoat normal")->strength == 0.25f);
    /* Anisotropy and others are the file's, where this Assimp does not read them. */
    ANOTHER(scene, load_with("maps/maps.gltf", ALL_BUT(GLTF_MATERIALS)));
    assert_null(note_of(scene, NOTE_REPAIR, "gltf-materials"));
    assert_non_null(factor_of(material_of(scene, "paint"), "metallic factor"));
}

static struct scene *import_obj(const char *material)
{
    static const char quad[] = "mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nusemtl m\nf 1 2 3 4\n";
    const TEMPORARY model = temporary_make("a.obj", quad, sizeof quad - 1);
    const struct image image = {2, 1, (uint8_t[]){128, 128, 255, 255, 120, 130, 250, 255}};
    assert_true(file_write(beside(&model, "a.mtl"), material, strlen(material), ANY_ERROR));
    assert_true(image_write_png(&image, beside(&model, "n.png"), PNG_OUTPUT, ANY_ERROR));
    return import_path(model.path, REPAIR_ALL);
}

TEST(phong_slots_of_obj)
{
    SCENE *scene = import_obj("newmtl m\nKd 1 1 1\nKs 0.25 0.5 0.75\nKe 0.5 0 0\nNs 32\nmap_Bump n.png\nmap_Ks n.png\n"
                              "map_d n.png\nmap_Ke gone.png\n");
    const struct material *m = material_of(scene, "m");
    assert_texture(scene, map_of(m, "bump"), "n.png", 2, 1);
    assert_texture(scene, map_of(m, "specular"), "n.png", 2, 1);
    assert_texture(scene, map_of(m, "opacity"), "n.png", 2, 1);
    assert_int_equal(m->map_count, 4);
    assert_int_equal(scene->texture_count, 2); /* each once */
    assert_int_equal(m->base_texture, NO_INDEX);
    ASSERT_NEAR(factor_of(m, "specular colour"), (float[]){0.25f, 0.5f, 0.75f}, 3, 1e-6f);
    ASSERT_NEAR(factor_of(m, "emissive colour"), (float[]){0.5f, 0, 0}, 3, 1e-6f);
    ASSERT_NEAR(factor_of(m, "shininess"), (float[]){32}, 1, 1e-6f);
    const struct texture *gone = &scene->textures[map_of(m, "emissive")->texture];
    assert_true(gone->missing && gone->width == 0 && !gone->rgba && !gone->hash);
    assert_contains(note_of(scene, NOTE_WARNING, "texture"), "\"gone.png\" cannot be read: there is no such file");
}

/* A map may be any file of the model's folder, and no other; numbers are finite. */
TEST(hostile_materials)
{
    SCENE *scene = import_obj("newmtl m\nKd 1 1 1\nKs nan inf 1e39\nNs inf\nmap_Bump ../../etc/passwd\nmap_Ks a.mtl\n");
    const struct material *m = material_of(scene, "m");
    assert_null(factor_of(m, "shininess"));
    assert_true(scene->textures[map_of(m, "bump")->texture].missing);
    assert_null(scene->textures[map_of(m, "bump")->texture].hash);
    const struct texture *text = &scene->textures[map_of(m, "specular")->texture]; /* no picture, but there */
    assert_true(!text->missing && text->width == 0 && text->hash);
}
