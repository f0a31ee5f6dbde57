#ifndef RIGPROOF_TESTS_DRAW_SKINNED_SCENE_H
#define RIGPROOF_TESTS_DRAW_SKINNED_SCENE_H

#include "rendering.h"

/* A rigid and two skinned meshes in random poses, and what skinning makes of them, written down here in double. */

HAND void random_matrix(uint32_t *seed, bool mirrored, bool uniform, mat4 out)
{
    struct transform t = transform_identity;
    double q[4], length = 0, scale = 0.5 + hand_random(seed);
    for (int i = 0; i < 4; i++) {
        q[i] = hand_random(seed) - 0.5;
        length += q[i] * q[i];
    }
    for (int i = 0; i < 4; i++)
        t.rotation[i] = (float)(q[i] / sqrt(length));
    for (int i = 0; i < 3; i++) {
        t.translation[i] = (float)(hand_random(seed) - 0.5);
        t.scale[i] = (float)(uniform ? scale : 0.5 + hand_random(seed));
    }
    if (mirrored)
        t.scale[1] = -t.scale[1];
    affine_from_transform(&t, out);
}

HAND void add_weights(struct mesh *mesh, uint32_t per_vertex, uint32_t *seed)
{
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        struct influence *influences = mesh->influences + (size_t)v * per_vertex;
        double total = 0;
        for (uint32_t i = 0; i < per_vertex; i++) {
            influences[i] = (struct influence){(uint32_t)(hand_random(seed) * mesh->bone_count),
                                               (float)(0.1 + hand_random(seed))};
            total += influences[i].weight;
        }
        for (uint32_t i = 0; i < per_vertex; i++)
            influences[i].weight = (float)(influences[i].weight / total);
    }
}

/* Rigid motions with one scale, matrices of any kind, every third bone mirrored. */
enum kind { SIMILAR, ANY, MIRRORED };

HAND void pose_by(struct palette *palette, enum kind kind, uint32_t *seed)
{
    for (uint32_t b = 0; b < palette->count; b++)
        random_matrix(seed, kind == MIRRORED && b % 3 == 0, kind == SIMILAR, palette->mesh_to_scene[b]);
}

/* A quad, a ball of `bones` bones and another of three, so that bindings begin at 0, 1 and bones + 1. */
HAND struct hand three_meshes(uint32_t bones, uint32_t per_vertex, enum kind kind)
{
    uint32_t seed = 17;
    struct hand hand = hand_begin(bones < 3 ? 3 : bones, 3, 1);
    hand_quad(&hand, 0, -1, -1, 1, 1, 0);
    struct mesh *large = hand_ball(&hand, 1, (vec3){0.2f, 0, 0}, (vec3){0.5f, 0.8f, 0.4f}, 12);
    struct mesh *small = hand_ball(&hand, 2, (vec3){-0.4f, 0, 0.4f}, (vec3){0.3f, 0.2f, 0.2f}, 6);
    hand_bones(&hand, large, bones, 0, per_vertex);
    hand_bones(&hand, small, 3, 0, 2);
    add_weights(large, per_vertex, &seed);
    add_weights(small, 2, &seed);
    small->target_count = 2; /* without weight, unless a test gives them some */
    small->targets = ARENA_NEW(hand.scene->arena, struct morph_target, 2);
    for (int t = 0; t < 2; t++) {
        vec3 *deltas = small->targets[t].position_deltas = ARENA_NEW(hand.scene->arena, vec3, small->vertex_count);
        for (uint32_t v = 0; v < small->vertex_count; v++)
            deltas[v][t] = small->positions[v][2];
    }
    hand_end(&hand);
    pose_by(&hand.palette, kind, &seed);
    return hand;
}

HAND double determinant(double m[3][4])
{
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
           m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

/* Inverse transpose by solving M^T x = n with Cramer's rule, normalised: another way than the shader's. */
HAND void expected_normal(double m[3][4], const float *normal, double out[3])
{
    double det = determinant(m), length = 0;
    for (int i = 0; i < 3; i++) {
        double replaced[3][4];
        memcpy(replaced, m, sizeof replaced);
        for (int c = 0; c < 3; c++)
            replaced[i][c] = normal[c];
        out[i] = determinant(replaced) / det;
        length += out[i] * out[i];
    }
    for (int i = 0; i < 3; i++)
        out[i] /= sqrt(length);
}

/*
 * The worst distance of an instance's vertices, held by `in_place` instead of their mesh's influences unless NULL; or a tenth
 * of that of their normals where the blend is not near singular.
 */
HAND double worst_of_instance(const struct hand *hand, const struct palette *palette, const struct skinned *got,
                                const struct influence *in_place)
{
    static const struct influence whole = {0, 1};
    const struct instance *where = &hand->scene->instances[got->instance];
    const struct mesh *mesh = &hand->scene->meshes[where->mesh];
    double worst = 0;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        uint32_t first = mesh->bone_count ? mesh->influence_first[v] : 0;
        uint32_t count = mesh->bone_count ? mesh->influence_first[v + 1] - first : 1;
        const struct influence *held = in_place ? in_place + first : mesh->bone_count ? mesh->influences + first : &whole;
        double m[3][4] = {{0}}, off = 0, turned = 0, normal[3];
        for (uint32_t i = 0; i < count; i++)
            for (int r = 0; r < 3; r++)
                for (int c = 0; c < 4; c++)
                    m[r][c] += (double)held[i].weight * palette->mesh_to_scene[where->first_binding + held[i].bone][c][r];
        for (int r = 0; r < 3; r++) {
            double p = m[r][3];
            for (int c = 0; c < 3; c++)
                p += m[r][c] * mesh->positions[v][c];
            off += (p - got->positions[v][r]) * (p - got->positions[v][r]);
        }
        worst = fmax(worst, sqrt(off));
        if (fabs(determinant(m)) < 0.02)
            continue;
        expected_normal(m, mesh->normals[v], normal);
        for (int r = 0; r < 3; r++)
            turned += (normal[r] - got->normals[v][r]) * (normal[r] - got->normals[v][r]);
        worst = fmax(worst, 0.1 * sqrt(turned));
    }
    return worst;
}

/* Of all instances; `in_place` of instance 1. */
HAND double worst_of(struct renderer *renderer, struct gpu_model *model, const struct hand *hand,
                       const struct influence *in_place)
{
    double worst = 0;
    for (uint32_t k = 0; k < hand->scene->instance_count; k++) {
        struct skinned *skinned = skinned_create(hand->scene, hand->scene->arena);
        memset(skinned[k].positions, 0xff, skinned[k].vertex_count * sizeof(vec3));
        assert_good(draw_capture(renderer, model, &hand->palette, &skinned[k], err));
        worst = fmax(worst, worst_of_instance(hand, &hand->palette, &skinned[k], k == 1 ? in_place : NULL));
    }
    assert_true(isfinite(worst));
    return worst;
}

#endif
