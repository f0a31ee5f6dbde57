#include "draw/rendering.h"

#include "draw/frame/studio.h"

/* A square before the camera whose material is metallic-roughness, as an import with import_options.surfaces has it. */
static struct hand card(float metallic, float roughness)
{
    struct hand hand = hand_begin(1, 1, 1);
    struct material *material = &hand.scene->materials[0];
    hand.scene->format = "gltf";
    hand_quad(&hand, 0, -1, -1, 1, 1, 0);
    material->shading = SHADING_METALLIC_ROUGHNESS;
    material->factors = ARENA_NEW(hand.scene->arena, struct factor, 8);
    material->factors[0] = (struct factor){"metallic factor", 1, {metallic}};
    material->factors[1] = (struct factor){"roughness factor", 1, {roughness}};
    material->factor_count = 2;
    memcpy(material->base_color, (vec4){0.5f, 0.4f, 0.3f, 1}, sizeof(vec4));
    return hand;
}

static void add_factor(struct hand *hand, const char *name, uint32_t width, float x, float y, float z)
{
    struct material *material = &hand->scene->materials[0];
    material->factors[material->factor_count++] = (struct factor){name, width, {x, y, z}};
}

/* A map of one texel, or of two beside each other. */
static struct material_map *add_map(struct hand *hand, const char *name, const uint8_t left[4], const uint8_t right[4])
{
    struct material *material = &hand->scene->materials[0];
    struct texture *texture = hand_texture(hand, 2, 1);
    memcpy(texture->rgba, left, 4);
    memcpy(texture->rgba + 4, right ? right : left, 4);
    material->maps = ARENA_NEW(hand->scene->arena, struct material_map, 1);
    material->map_count = 1;
    material->maps[0] =
        (struct material_map){.name = name, .strength = 1, .scale = {1, 1}, .wrap = {WRAP_REPEAT, WRAP_REPEAT}};
    return material->maps;
}

enum { SIZE = 32 };

static struct image drawn(void **state, struct hand *hand)
{
    struct frame_settings settings = hand_settings(SIZE, SIZE, VIEW_STUDIO);
    hand_end(hand);
    return draw_hand(*state, hand, &settings);
}

/* Two squares, each a picture: nearly the same. */
static void draw_alike(void **state, struct hand *a, struct hand *b, int tolerance)
{
    SCOPED(image) one = drawn(state, a), other = drawn(state, b);
    assert_near_image(&one, &other, tolerance);
}

/* Of the middle of a square's picture. */
static int drawn_middle(void **state, struct hand *hand, int channel)
{
    SCOPED(image) image = drawn(state, hand);
    return pixel_at(&image, SIZE / 2, SIZE / 2)[channel];
}

/* The colours that the file says, whatever the light. */
TEST(unlit_is_as_it_is)
{
    HAND_SCENE hand = card(0, 1);
    hand.scene->materials[0].unlit = true;
    SCOPED(image) image = drawn(state, &hand);
    assert_pixel(&image, 5, 20, encoded(0.5), encoded(0.4), encoded(0.3), 255, 1);
}

/* Light of its own goes through the film alone; next to nothing else is seen of a rough black metal from the front. */
TEST(emissive_is_exposed)
{
    HAND_SCENE hand = card(1, 1);
    const double x = 0.55 * 2, film = x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14);
    memset(hand.scene->materials[0].base_color, 0, sizeof(vec3));
    add_factor(&hand, "emissive colour", 3, 0.5f, 0.5f, 0.5f);
    add_factor(&hand, "emissive strength", 1, 4, 0, 0);
    SCOPED(image) image = drawn(state, &hand);
    assert_pixel(&image, 16, 16, encoded(film), encoded(film), encoded(film), 255, 2);
}

/* KHR_texture_transform: half a texture to the right swaps the columns; the second set of coordinates has them swapped too. */
TEST(maps_lie_as_the_material_says)
{
    for (int variant = 0; variant < 2; variant++) {
        HAND_SCENE hand = card(0, 1);
        struct material_map *map =
            add_map(&hand, "base colour", (uint8_t[4]){255, 0, 0, 255}, (uint8_t[4]){0, 0, 255, 255});
        hand.scene->materials[0].base_texture = 0;
        hand.scene->materials[0].unlit = true;
        memcpy(hand.scene->materials[0].base_color, (vec4){1, 1, 1, 1}, sizeof(vec4));
        map->offset[0] = variant == 1 ? 0.5f : 0;
        SCOPED(image) image = drawn(state, &hand);
        const uint8_t red = variant == 1 ? 0 : 255;
        assert_pixel(&image, SIZE / 4, 16, red, 0, 255 - red, 255, 12);
        assert_pixel(&image, 3 * SIZE / 4, 16, 255 - red, 0, red, 255, 12);
    }
    HAND_SCENE hand = card(0, 1);
    struct mesh *mesh = &hand.scene->meshes[0];
    struct material_map *map = add_map(&hand, "emissive", (uint8_t[4]){255, 255, 255, 255}, (uint8_t[4]){0, 0, 0, 255});
    map->uv = 1;
    add_factor(&hand, "emissive colour", 3, 1, 1, 1);
    memset(hand.scene->materials[0].base_color, 0, sizeof(vec3));
    mesh->more_uvs = ARENA_NEW(hand.scene->arena, vec2, 4);
    for (int v = 0; v < 4; v++)
        mesh->more_uvs[v][0] = 1 - mesh->uvs[v][0];
    SCOPED(image) image = drawn(state, &hand);
    assert_true(pixel_at(&image, 3 * SIZE / 4, 16)[2] > pixel_at(&image, SIZE / 4, 16)[2] + 60);
}

/* What a map multiplies a factor by is what a smaller factor is. */
TEST(maps_multiply_factors)
{
    HAND_SCENE mapped = card(1, 1), plain = card(102 / 255.0f, 51 / 255.0f);
    add_map(&mapped, "metallic-roughness", (uint8_t[4]){0, 51, 102, 255}, NULL);
    draw_alike(state, &mapped, &plain, 1);
    HAND_SCENE emissive = card(0, 0.7f), dimmer = card(0, 0.7f);
    add_map(&emissive, "emissive", (uint8_t[4]){188, 188, 188, 255}, NULL); /* sRGB: 0.503 */
    add_factor(&emissive, "emissive colour", 3, 1, 1, 1);
    add_factor(&dimmer, "emissive colour", 3, 0.503f, 0.503f, 0.503f);
    draw_alike(state, &emissive, &dimmer, 1);
}

/* A surface that is no metal has a diffuse colour: it is what is not reflected at normal incidence, 0.04. */
TEST(specular_glossiness_is_the_other_one_said_otherwise)
{
    HAND_SCENE metallic = card(0, 0.4f), glossy = card(0, 0);
    struct material *material = &glossy.scene->materials[0];
    material->shading = SHADING_SPECULAR_GLOSSINESS;
    material->factor_count = 0;
    add_factor(&glossy, "diffuse colour", 4, 0.5f / 0.96f, 0.4f / 0.96f, 0.3f / 0.96f);
    material->factors[0].values[3] = 1;
    add_factor(&glossy, "specular colour", 3, 0.04f, 0.04f, 0.04f);
    add_factor(&glossy, "glossiness factor", 1, 0.6f, 0, 0);
    draw_alike(state, &metallic, &glossy, 1);
}

/* A plate of metal from the front and from ten degrees above, which then reflects what is below the camera; beside white
 * that scatters. */
TEST(metal_that_faces_the_camera_is_not_dark)
{
    static const float slopes[] = {0, 0.1763f};
    for (int rough = 0; rough < 3; rough++)
        for (int tilt = 0; tilt < 2; tilt++) {
            HAND_SCENE metal = card(1, 0.5f * (float)rough), white = card(0, 1);
            for (int i = 0; i < 2; i++) {
                struct hand *hand = i ? &white : &metal;
                memcpy(hand->scene->materials[0].base_color, (vec4){0.8f, 0.8f, 0.8f, 1}, sizeof(vec4));
                for (int v = 0; v < 4; v++)
                    memcpy(hand->scene->meshes[0].normals[v], (vec3){0, -0.5f * slopes[tilt], 1}, sizeof(vec3));
            }
            const int is = drawn_middle(state, &metal, 1), light = drawn_middle(state, &white, 1);
            if (is < light - 60 || is > light + 12)
                fail_msg("roughness %g, slope %g: %d beside %d", 0.5 * rough, (double)slopes[tilt], is, light);
        }
}

/* A clear coat adds what it reflects to a black surface and takes it from an emissive one, seen along it; its maps are
 * factors. */
TEST(a_clear_coat_reflects_and_takes_light)
{
    int black[3], glowing[3];
    for (int coat = 0; coat < 3; coat++) {
        HAND_SCENE dark = card(0, 1), bright = card(0, 1);
        memset(dark.scene->materials[0].base_color, 0, sizeof(vec3));
        memset(bright.scene->materials[0].base_color, 0, sizeof(vec3));
        add_factor(&dark, "specular factor", 1, 0, 0, 0);
        add_factor(&bright, "emissive colour", 3, 3, 3, 3);
        for (int v = 0; v < 4; v++)
            memcpy(bright.scene->meshes[0].normals[v], (vec3){-0.97f, 0, 0.243f}, sizeof(vec3));
        for (int i = 0; i < 2; i++)
            add_factor(i ? &bright : &dark, "clearcoat factor", 1, 0.5f * (float)coat, 0, 0);
        black[coat] = drawn_middle(state, &dark, 1);
        glowing[coat] = drawn_middle(state, &bright, 1);
    }
    assert_true(black[0] < 10 && black[1] > black[0] + 8 && black[2] > black[1] + 4);
    assert_true(glowing[2] < glowing[1] - 1 && glowing[1] < glowing[0] - 1);
    static const struct {
        const char *map;
        uint8_t texel[4];
        float coat, roughness; /* that give the same without the map */
    } maps[] = {{"clearcoat", {51, 0, 0, 255}, 0.2f, 0.4f}, {"clearcoat roughness", {0, 102, 0, 255}, 1, 0.16f}};
    for (int i = 0; i < 2; i++) {
        HAND_SCENE mapped = card(0, 1), plain = card(0, 1);
        add_map(&mapped, maps[i].map, maps[i].texel, NULL);
        add_factor(&mapped, "clearcoat factor", 1, 1, 0, 0);
        add_factor(&mapped, "clearcoat roughness", 1, 0.4f, 0, 0);
        add_factor(&plain, "clearcoat factor", 1, maps[i].coat, 0, 0);
        add_factor(&plain, "clearcoat roughness", 1, maps[i].roughness, 0, 0);
        draw_alike(state, &mapped, &plain, 1);
    }
}

TEST(occlusion_takes_light_away)
{
    int seen[3];
    for (int variant = 0; variant < 3; variant++) { /* none, half of it, all */
        HAND_SCENE hand = card(0, 1);
        if (variant > 0)
            add_map(&hand, "occlusion", (uint8_t[4]){0, 255, 255, 255}, NULL)->strength = 0.5f * (float)variant;
        seen[variant] = drawn_middle(state, &hand, 0);
    }
    assert_true(seen[0] > seen[1] + 20 && seen[1] > seen[2] + 20 && seen[2] < 40);
}

/* A tilted normal out of a map is one of the mesh. Tangents along u, turned and mirrored. */
TEST(normal_maps_tilt_normals)
{
    static const struct {
        vec4 tangent;
        float tilt[2]; /* of the map, to get a normal of 0.5 0.25 */
    } cases[] = {{{1, 0, 0, 1}, {0.5f, 0.25f}}, {{0, 1, 0, 1}, {0.25f, -0.5f}}, {{1, 0, 0, -1}, {0.5f, -0.25f}}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        HAND_SCENE mapped = card(0.3f, 0.5f), tilted = card(0.3f, 0.5f);
        const float z = sqrtf(1 - 0.25f - 0.0625f);
        const uint8_t texel[4] = {(uint8_t)lroundf(128 + 127 * cases[i].tilt[0]),
                                  (uint8_t)lroundf(128 + 127 * cases[i].tilt[1]), (uint8_t)lroundf(128 + 127 * z), 255};
        struct mesh *mesh = &mapped.scene->meshes[0];
        add_map(&mapped, "normal", texel, NULL);
        mesh->tangents = ARENA_NEW(mapped.scene->arena, vec4, 4);
        for (int v = 0; v < 4; v++) {
            memcpy(mesh->tangents[v], cases[i].tangent, sizeof(vec4));
            memcpy(tilted.scene->meshes[0].normals[v], (vec3){0.5f, 0.25f, z}, sizeof(vec3));
        }
        draw_alike(state, &mapped, &tilted, 2);
    }
}

/* ---- ground ------------------------------------------------------------------------------------------------------ */

/* A board over the ground, seen from above in a picture without background. */
static struct image over_ground(void **state, struct hand *hand, float height, float eye_y, bool draws_all,
                                uint32_t tile)
{
    struct renderer *renderer = *state;
    struct frame_settings settings = hand_settings(64, 64, VIEW_STUDIO);
    struct mesh *mesh = hand_quad(hand, 0, -0.4f, -0.4f, 0.4f, 0.4f, 0);
    for (int v = 0; v < 4; v++) {
        mesh->positions[v][2] = -mesh->positions[v][1];
        mesh->positions[v][1] = height;
        memcpy(mesh->normals[v], (vec3){0, 1, 0}, sizeof(vec3));
    }
    hand_end(hand);
    settings.camera = (struct camera){.eye = {0, eye_y, 3}, .target = {0, 0.3f, 0}, .up = {0, 1, 0}, .fov_y = 0.7f,
                                      .near_plane = 0.1f, .far_plane = 20};
    settings.framed = (struct bounds){{-0.4f, 0, -0.4f}, {0.4f, 0.6f, 0.4f}};
    renderer->draws_all = draws_all;
    renderer->tile = tile;
    struct image image = draw_hand(renderer, hand, &settings);
    renderer->draws_all = false;
    renderer->tile = RENDERER_TILE;
    return image;
}

static uint32_t shadow_of(const struct image *image)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < image->width * image->height; i++) {
        const uint8_t *p = image->rgba + 4 * (size_t)i;
        most = p[3] < 255 && p[3] > most ? p[3] : most;
        if (p[3] < 255 && p[3] > 0 && p[0] + p[1] + p[2] > 0 && p[3] < 120)
            assert_true(p[0] > 0); /* an edge of the board; elsewhere a shadow is black */
    }
    return most;
}

TEST(the_ground_is_seen_from_above_alone)
{
    HAND_SCENE above = hand_begin(1, 1, 1), below = hand_begin(1, 1, 1);
    SCOPED(image) one = over_ground(state, &above, 0.2f, 1.2f, false, RENDERER_TILE);
    SCOPED(image) other = over_ground(state, &below, 0.2f, -1.2f, false, RENDERER_TILE);
    assert_true(shadow_of(&one) > 60);
    uint32_t there = 0, clear = 0;
    for (uint32_t i = 0; i < 64 * 64; i++) {
        there += one.rgba[4 * i + 3] > 0 && one.rgba[4 * i + 3] < 255 && one.rgba[4 * i] == 0;
        clear += other.rgba[4 * i + 3] > 0 && other.rgba[4 * i + 3] < 255 && other.rgba[4 * i] == 0;
    }
    assert_true(there > 300);
    assert_int_equal(clear, 0);
    assert_int_equal(pixel_at(&one, 0, 0)[3], 0);
    assert_int_equal(pixel_at(&one, 63, 0)[3], 0);
}

TEST(tiles_and_what_is_spared_change_no_pixel)
{
    HAND_SCENE first = hand_begin(1, 1, 1);
    SCOPED(image) one = over_ground(state, &first, 0.1f, 1.2f, false, RENDERER_TILE);
    for (int i = 0; i < 2; i++) {
        HAND_SCENE hand = hand_begin(1, 1, 1);
        SCOPED(image) other = over_ground(state, &hand, 0.1f, 1.2f, i == 0, i == 1 ? 16 : RENDERER_TILE);
        assert_same_image(&one, &other);
    }
}

/* A disc of that radius at that height, in texels. */
static const uint8_t *shadow_of_disc(double radius, double height)
{
    const double most = 100, middle = GROUND_SIZE / 2 - 0.5;
    static uint16_t heights[GROUND_SIZE * GROUND_SIZE];
    static uint8_t shadow[GROUND_SIZE * GROUND_SIZE];
    for (int i = 0; i < GROUND_SIZE * GROUND_SIZE; i++) {
        double x = i % GROUND_SIZE - middle, y = i / GROUND_SIZE - middle; // NOLINT(bugprone-integer-division)
        heights[i] = x * x + y * y <= radius * radius ? (uint16_t)(height / most * 65535) : NO_HEIGHT;
    }
    ground_shadow(heights, most, shadow);
    return shadow;
}

/* Below its middle a disc hides r^2 / (r^2 + h^2) of the sky, weighted by the cosine (form factor of coaxial discs). */
TEST(a_disc_hides_its_part_of_the_sky)
{
    static const double cases[][2] = {{30, 0}, {30, 6}, {20, 14}, {30, 30}, {12, 30}, {40, 14}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const double r = cases[i][0], h = cases[i][1], hidden = r * r / (r * r + h * h);
        const uint8_t *shadow = shadow_of_disc(r, h);
        const double left = 1 - shadow[GROUND_SIZE / 2 * GROUND_SIZE + GROUND_SIZE / 2] / 255.0;
        if (fabs((1 - left * left) / 0.92 - hidden) > 0.15)
            fail_msg("radius %g, height %g: %g hidden, not %g", r, h, (1 - left * left) / 0.92, hidden);
        for (int x = GROUND_SIZE / 2; x + 1 < GROUND_SIZE; x++) /* falls to the edge, where it is nothing, alike on all sides */
            assert_true(shadow[128 * GROUND_SIZE + x] >= shadow[128 * GROUND_SIZE + x + 1]);
        for (int x = 0; x < GROUND_SIZE; x++) {
            assert_int_equal(shadow[x], 0);
            assert_true(abs(shadow[128 * GROUND_SIZE + x] - shadow[x * GROUND_SIZE + 128]) <= 1);
            assert_int_equal(shadow[128 * GROUND_SIZE + x], shadow[128 * GROUND_SIZE + GROUND_SIZE - 1 - x]);
        }
    }
}

/* ---- ambient occlusion ------------------------------------------------------------------------------------------- */

/* Distances of a surface z = f(x); light[x] of the middle row. */
static void occlusion_of(float (*surface)(float x), bool perspective, uint8_t light[64])
{
    enum { WIDTH = 64, HEIGHT = 24, MARGIN = 12, STRIDE = WIDTH + 2 * MARGIN };
    static float distances[STRIDE * (HEIGHT + 2 * MARGIN)];
    uint8_t all[WIDTH * HEIGHT];
    for (int i = 0; i < STRIDE * (HEIGHT + 2 * MARGIN); i++)
        distances[i] = surface((float)(i % STRIDE - MARGIN) - 31.5f);
    const struct distances d = {WIDTH, HEIGHT, MARGIN, distances, perspective ? 0.01f : 1, perspective, 50};
    ambient_occlusion(&d, all);
    memcpy(light, all + HEIGHT / 2 * WIDTH, WIDTH);
}

static float slope(float x)
{
    return 100 + 0.6f * x;
}

static float groove(float x)
{
    return 100 - fabsf(x);
}

static float ridge(float x)
{
    return 100 + fabsf(x);
}

static float step(float x)
{
    return x < 0 ? 50 : 100; /* far before it: another thing */
}

TEST(crevices_are_dark_and_slopes_are_not)
{
    uint8_t light[64];
    for (int perspective = 0; perspective < 2; perspective++) {
        occlusion_of(slope, perspective, light);
        for (int x = 0; x < 64; x++)
            assert_int_equal(light[x], 255);
        occlusion_of(ridge, perspective, light);
        for (int x = 0; x < 64; x++)
            assert_int_equal(light[x], 255);
        occlusion_of(groove, perspective, light);
        assert_true(light[31] < 130 && light[31] == light[32] && light[20] > light[28] && light[5] == 255);
    }
    occlusion_of(step, false, light);
    for (int x = 0; x < 64; x++)
        assert_int_equal(light[x], 255);
}

GROUP(open_renderer, close_renderer)
