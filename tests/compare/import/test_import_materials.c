/* Materials and textures of two imports. */
#include "cmocka_setup.h"

#include "compare/import_findings.h"

/* ---- materials --------------------------------------------------------------------------------------------------- */

static void materials_in_words(void **state)
{
    (void)state;
    struct two_imports two = two_rigs();
    struct material_snapshot *skin = two.actual->materials;
    skin->base_color[1] = 0.1f;
    skin->base_texture = NULL;
    skin->alpha = "blend";
    skin->two_sided = true;
    FINDS(&two, "base colour of material `skin` is (0.8, 0.1, 0.5, 1), was (0.8, 0.6, 0.5, 1)",
          "material `skin` lost its texture `skin.png`", "material `skin` is blended by alpha now, was opaque",
          "material `skin` is two-sided now");
    two = two_rigs();
    two.golden->materials[0].alpha = two.actual->materials[0].alpha = "mask";
    two.golden->materials[0].cutoff = 0.5f;
    two.actual->materials[0].cutoff = 0.25f;
    two.golden->materials[0].wrap[0] = two.golden->materials[0].wrap[1] = "repeat";
    two.actual->materials[0].wrap[0] = "clamp";
    two.actual->materials[0].wrap[1] = "mirror";
    FINDS(&two, "the texture of material `skin` is clamped along u, was repeated",
          "the texture of material `skin` is mirrored along v, was repeated",
          "material `skin` is cut out at an alpha of 0.25, was at 0.5");
}

static void material_renames_are_said_once(void **state)
{
    (void)state;
    struct two_imports two = two_rigs();
    two.actual->materials[0].name = "cloth";
    two.actual->meshes[0].material = "cloth";
    FINDS(&two, "material `skin` is named `cloth` now");
    two = two_rigs();
    two.actual->textures[0].name = "cloth.png";
    two.actual->materials[0].base_texture = "cloth.png";
    FINDS(&two, "texture `skin.png` is named `cloth.png` now");
}

static void textures_in_words(void **state)
{
    (void)state;
    struct two_imports two = two_rigs();
    two.actual->textures[0].missing = true;
    FINDS(&two, "texture `skin.png` cannot be read: a checker stands in for it");
    two = two_rigs();
    two.golden->textures[0].missing = true;
    FINDS(&two, "texture `skin.png` can be read now: a checker stood in for it");
    two = two_rigs();
    two.actual->textures[0].width = 128;
    FINDS(&two, "texture `skin.png` is 128x64, was 64x64");
}

/* A picture that is lighter above and to the left, and redder. */
static void give_picture(struct import_snapshot *import)
{
    static const float moments[] = {0.8f, 0.1f, -0.2f, 0.6f, 0.05f, -0.1f, 0.4f, 0.02f, -0.15f, 1, 0, 0};
    import->textures[0].has_moments = true;
    memcpy(import->textures[0].moments, moments, sizeof moments);
}

static struct two_imports two_with_pictures(void)
{
    struct two_imports two = two_rigs();
    give_picture(two.golden);
    give_picture(two.actual);
    return two;
}

static void pictures_in_words(void **state)
{
    (void)state;
    struct two_imports two = two_with_pictures();
    float *moments = two.actual->textures[0].moments, blue[3];
    moments[4] += 0.0005f; /* of a decoder */
    FINDS_NOTHING(&two);
    two = two_with_pictures();
    moments = two.actual->textures[0].moments;
    moments[0] = 0.5f;
    FINDS(&two, "texture `skin.png` shows another picture: its mean colour is (0.5, 0.6, 0.4, 1), was (0.8, 0.6, 0.4, 1)");
    two = two_with_pictures();
    moments = two.actual->textures[0].moments;
    for (int channel = 0; channel < 4; channel++)
        moments[3 * channel + 2] *= -1;
    FINDS(&two, "texture `skin.png` is upside down");
    two = two_with_pictures();
    moments = two.actual->textures[0].moments;
    for (int channel = 0; channel < 4; channel++)
        moments[3 * channel + 1] *= -1;
    FINDS(&two, "texture `skin.png` is mirrored");
    two = two_with_pictures();
    moments = two.actual->textures[0].moments;
    memcpy(blue, moments + 6, sizeof blue);
    memcpy(moments + 6, moments, sizeof blue);
    memcpy(moments, blue, sizeof blue);
    FINDS(&two, "texture `skin.png` has red for blue");
    two = two_with_pictures();
    two.golden->textures[0].has_moments = false; /* an older file */
    two.actual->textures[0].moments[0] = 0.5f;
    FINDS_NOTHING(&two);
}

/* Another texture of the same size is no new name of the old one. */
static void another_picture_is_another_texture(void **state)
{
    (void)state;
    struct two_imports two = two_with_pictures();
    two.actual->textures[0].name = two.actual->materials[0].base_texture = "cloth.png";
    FINDS(&two, "texture `skin.png` is named `cloth.png` now");
    two = two_with_pictures();
    two.actual->textures[0].name = two.actual->materials[0].base_texture = "cloth.png";
    two.actual->textures[0].moments[0] = 0.5f;
    FINDS(&two, "material `skin` has the texture `cloth.png` now, had `skin.png`", "texture `skin.png` is gone",
          "texture `cloth.png` is new");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(materials_in_words),
        cmocka_unit_test(material_renames_are_said_once),
        cmocka_unit_test(textures_in_words),
        cmocka_unit_test(pictures_in_words),
        cmocka_unit_test(another_picture_is_another_texture),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
