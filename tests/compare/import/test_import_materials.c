/* Maps and factors of materials in words. */
#include "compare/import_findings.h"

enum { NORMAL, GLOW, MAPS };

/* Two maps, two factors, and the textures of the maps behind that of the base colour. */
static void give_maps(struct import_snapshot *import)
{
    struct material_snapshot *skin = import->materials;
    struct texture_snapshot *textures = ARENA_NEW(two.arena, struct texture_snapshot, 3);
    float *values = ARENA_NEW(two.arena, float, 4);
    skin->map_count = MAPS;
    skin->maps = ARENA_NEW(two.arena, struct map_snapshot, 3);
    skin->maps[NORMAL] = (struct map_snapshot){.name = "normal", .texture = "n.png"};
    skin->maps[GLOW] = (struct map_snapshot){.name = "emissive", .texture = "glow.png"};
    skin->factor_count = 2;
    skin->factors = ARENA_NEW(two.arena, struct factor_snapshot, 2);
    memcpy(values, (float[]){0.2f, 1, 0.5f, 0.25f}, 4 * sizeof *values);
    skin->factors[0] = (struct factor_snapshot){"metallic factor", 1, values};
    skin->factors[1] = (struct factor_snapshot){"emissive colour", 3, values + 1};
    textures[0] = import->textures[0];
    textures[1] = (struct texture_snapshot){.name = "n.png", .width = 8, .height = 8, .hash = "1111"};
    textures[2] = (struct texture_snapshot){.name = "glow.png", .width = 8, .height = 8, .hash = "2222"};
    import->texture_count = 3;
    import->textures = textures;
}

static struct material_snapshot *with_maps(void)
{
    give_maps(two.golden);
    give_maps(two.actual);
    return two.actual->materials;
}

IMPORT_TEST(maps_in_words)
{
    with_maps();
    FINDS_NOTHING();
    struct material_snapshot *skin = with_maps();
    skin->maps[NORMAL] = skin->maps[GLOW];
    skin->map_count = 1;
    FINDS("material `skin` lost its normal map `n.png`");
    with_maps();
    two.golden->materials->map_count = 1;
    FINDS("material `skin` has the emissive map `glow.png` now");
    with_maps()->maps[GLOW].texture = "n.png";
    FINDS("the emissive map of material `skin` is `n.png`, was `glow.png`");
    struct map_snapshot *normal = &with_maps()->maps[NORMAL];
    normal->wrap[0] = "clamp";
    normal->wrap[1] = "repeat"; /* said or not */
    normal->has_strength = true;
    normal->strength = 0.5f;
    normal->uv = 1;
    normal->offset[0] = 0.5f;
    normal->is_scaled = true;
    normal->scale[0] = normal->scale[1] = 2;
    normal->rotation = 0.5f;
    normal->filter[0] = "nearest";
    FINDS("the normal map of material `skin` is clamped along u, was repeated",
          "the normal map of material `skin` has the strength 0.5, had 1",
          "the normal map of material `skin` has the UV set 1, had 0",
          "the normal map of material `skin` has the UV offset (0.5, 0), had (0, 0)",
          "the normal map of material `skin` has the UV scale (2, 2), had (1, 1)",
          "the normal map of material `skin` has a UV rotation of 28.6°, had 0°",
          "the normal map of material `skin` has the min filter nearest, had none");
}

IMPORT_TEST(base_colours_have_maps_where_they_say_more)
{
    struct material_snapshot *skin = with_maps();
    skin->maps[MAPS] = (struct map_snapshot){.name = "base colour", .offset = {0.5f, 0}};
    skin->map_count = MAPS + 1;
    FINDS("the base colour map of material `skin` has the UV offset (0.5, 0), had (0, 0)");
    skin = with_maps(); /* of a texture that is gone nothing else is said */
    two.golden->materials->maps[MAPS] = (struct map_snapshot){.name = "base colour", .offset = {0.5f, 0}};
    two.golden->materials->map_count = MAPS + 1;
    skin->base_texture = NULL;
    FINDS("the texture of material `skin` is gone, was `skin.png`");
}

IMPORT_TEST(factors_in_words)
{
    with_maps()->factors[0].values[0] = 0.9f;
    FINDS("metallic factor of material `skin` is 0.9, was 0.2");
    with_maps()->factors[0].values[0] += 5e-6f; /* of an exporter */
    FINDS_NOTHING();
    with_maps()->factors[1].values[1] = 0;
    FINDS("emissive colour of material `skin` is (1, 0, 0.25), was (1, 0.5, 0.25)");
    with_maps()->factor_count = 1;
    FINDS("emissive colour of material `skin` is the default, was (1, 0.5, 0.25)");
    with_maps();
    two.golden->materials->factor_count = 0;
    two.golden->materials->unlit = true;
    FINDS("material `skin` is lit now", "metallic factor of material `skin` is 0.2, was the default",
          "emissive colour of material `skin` is (1, 0.5, 0.25), was the default");
}

IMPORT_TEST(textures_that_are_not_drawn)
{
    with_maps();
    two.actual->textures[1].hash = "3333";
    FINDS("texture `n.png` is another file: its bytes changed");
    with_maps()->maps[NORMAL].texture = "m.png";
    two.actual->textures[1].name = "m.png";
    FINDS("texture `n.png` is named `m.png` now");
    with_maps()->maps[NORMAL].texture = "m.png"; /* another picture is no rename */
    two.actual->textures[1].name = "m.png";
    two.actual->textures[1].hash = "3333";
    FINDS("the normal map of material `skin` is `m.png`, was `n.png`", "texture `n.png` is gone",
          "texture `m.png` is new");
}

IMPORT_TEST(many_are_one_finding)
{
    enum { MANY = 12 };
    with_maps();
    for (int i = 0; i < 2; i++) {
        struct material_snapshot *materials = ARENA_NEW(two.arena, struct material_snapshot, MANY);
        for (int m = 0; m < MANY; m++) {
            materials[m] = two.both[i]->materials[0];
            materials[m].name = arena_printf(two.arena, "skin %d", m);
            materials[m].maps = ARENA_NEW(two.arena, struct map_snapshot, 1);
            materials[m].maps[0] = (struct map_snapshot){arena_string(two.arena, "normal"), "n.png"};
            materials[m].map_count = i == 0;
        }
        two.both[i]->materials = materials;
        two.both[i]->material_count = MANY;
        two.both[i]->meshes[0].material = "skin 0";
    }
    assert_int_equal(compare_them(), 1);
    assert_non_null(strstr(two.findings.items[0].text, "12 materials lost their normal maps"));
}
