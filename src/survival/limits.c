/* The checks that count bones, influences and keys. */
#include <math.h>
#include <string.h>

#include "data/scene/bind_pose.h"
#include "survival/checks.h"

/* ---- bones ----------------------------------------------------------------------------------------------------- */

static bool is_held(const struct mesh *mesh, uint32_t vertex)
{
    for (uint32_t i = mesh->influence_first[vertex]; i < mesh->influence_first[vertex + 1]; i++)
        if (is_own_bone(mesh, mesh->influences[i].bone))
            return true;
    return false;
}

JUDGE(judge_unskinned)
{
    const struct scene *scene = e->input->scene;
    uint32_t loose = 0, all = 0, meshes = 0;
    const char *name = NULL;
    for (uint32_t i = 0; i < scene->instance_count; i++) {
        const struct mesh *mesh = &scene->meshes[scene->instances[i].mesh];
        const uint32_t before = loose;
        for (uint32_t v = 0; v < mesh->vertex_count; v++)
            loose += !mesh->influence_first || !is_held(mesh, v);
        all += mesh->vertex_count;
        meshes += loose > before;
        name = !name && loose > before ? mesh->label : name;
    }
    return loose > 0 &&
           finding_say(e, out, EFFECT_CHANGES, loose, "vertices", 0,
                       "%u of %u vertices, of %u mesh%s such as `%s`, follow no bone: their weights add up to 0, and "
                       "they collapse into one point",
                       loose, all, meshes, meshes == 1 ? "" : "es", name);
}

/* Nobody computes their matrices, which stay what they were made as. */
JUDGE(judge_lost_bones)
{
    const char *text = scene_find_note(e->input->scene, "bone-without-node");
    return text && finding_say(e, out, EFFECT_CHANGES, 1, "meshes", 0, "%s; here their matrices are never set", text);
}

static uint32_t count_own_bones(const struct mesh *mesh)
{
    uint32_t count = 0;
    for (uint32_t b = 0; b < mesh->bone_count; b++)
        count += is_own_bone(mesh, b);
    return count;
}

/* Counts, in the clip that has most, channels that move a node which no mesh binds. */
static uint32_t count_missing_bones(const struct scene *scene, const char **clip, const char **node)
{
    uint32_t most = 0;
    for (uint32_t c = 0; c < scene->clip_count; c++) {
        uint32_t count = 0;
        const char *first = NULL;
        for (uint32_t i = 0; i < scene->clips[c].channel_count; i++) {
            const struct channel *channel = &scene->clips[c].channels[i];
            if (channel->is_repair || (channel->node != NO_INDEX && scene->nodes[channel->node].is_bone))
                continue;
            first = count++ == 0 ? channel->node_name : first;
        }
        if (count > most) {
            most = count;
            *clip = scene->clips[c].name;
            *node = first;
        }
    }
    return most;
}

static uint32_t count_scene_bones(const struct scene *scene)
{
    uint32_t count = 0;
    for (uint32_t n = 0; n < scene->node_count; n++)
        count += scene->nodes[n].is_bone;
    return count;
}

/* One list for the scene. */
JUDGE(judge_scene_bones)
{
    const uint32_t bones = count_scene_bones(e->input->scene), limit = (uint32_t)check->number;
    return bones > limit &&
           finding_say(e, out, EFFECT_BREAKS, bones, "bones", limit,
                       "%u bones in the scene, and its array has %u: %u matrices are written behind its end", bones,
                       limit, bones - limit);
}

/* LearnOpenGL's ReadMissingBones. */
JUDGE(judge_missing_bones)
{
    const char *clip = NULL, *node = NULL;
    const uint32_t bones = count_scene_bones(e->input->scene), limit = (uint32_t)check->number;
    const uint32_t missing = count_missing_bones(e->input->scene, &clip, &node), all = bones + missing;
    if (missing == 0 || bones == 0)
        return false;
    return finding_say(
        e, out, all > limit && bones <= limit ? EFFECT_BREAKS : EFFECT_NOTE, all, "bones", limit,
        "%u channel%s of `%s` move nodes that no mesh binds, such as `%s`: each takes one of the %u places, and %u "
        "bones become %u",
        missing, missing == 1 ? "" : "s", clip, node, limit, bones, all);
}

static const struct mesh *largest_skin(const struct scene *scene, uint32_t *bones)
{
    const struct mesh *largest = NULL;
    *bones = 0;
    for (uint32_t m = 0; m < scene->mesh_count; m++)
        if (count_own_bones(&scene->meshes[m]) > *bones) {
            largest = &scene->meshes[m];
            *bones = count_own_bones(largest);
        }
    return largest;
}

JUDGE(judge_mesh_bones)
{
    uint32_t bones, limit = (uint32_t)check->number;
    const struct mesh *mesh = largest_skin(e->input->scene, &bones);
    return bones > limit &&
           finding_say(e, out, EFFECT_BREAKS, bones, "bones", limit, "mesh `%s` has %u bones, and there is %s %u",
                       mesh->label, bones, check->what, limit);
}

/* Bones that a uniform array holds (`number`), and a block of 16 KB: 256 mat4, 341 of three rows. */
JUDGE(judge_uniforms)
{
    enum { BLOCK_MAT4 = 16384 / 64, BLOCK_ROWS = 16384 / 48 };
    uint32_t bones;
    const struct mesh *mesh = largest_skin(e->input->scene, &bones);
    return bones > (uint32_t)check->number && bones <= BLOCK_ROWS &&
           finding_say(e, out, EFFECT_NOTE, bones, "bones", check->number,
                       "mesh `%s` has %u bones: %s; a uniform block of 16 KB holds them as %s", mesh->label, bones,
                       check->what, bones <= BLOCK_MAT4 ? "mat4" : "three rows each, not as mat4");
}

/* Lists of bones that differ: with a list for the scene, or for one skin, bones change their numbers. */
JUDGE(judge_skins)
{
    const struct scene *scene = e->input->scene;
    uint32_t skins = 0;
    for (uint32_t m = 0; m < scene->mesh_count; m++) {
        const struct mesh *mesh = &scene->meshes[m];
        bool is_new = mesh->bone_count > 0;
        for (uint32_t k = 0; k < m && is_new; k++) {
            const struct mesh *other = &scene->meshes[k];
            bool same = other->bone_count == mesh->bone_count;
            for (uint32_t b = 0; same && b < mesh->bone_count; b++)
                same = other->bones[b].node == mesh->bones[b].node;
            is_new = !same;
        }
        skins += is_new;
    }
    return skins > 1 &&
           finding_say(e, out, EFFECT_NOTE, skins, "skins", 1,
                       "meshes have %u different lists of bones: one palette for the whole model needs one list",
                       skins);
}

/* ---- influences ------------------------------------------------------------------------------------------------ */

/* Counts vertices of meshes with bones. */
struct tally {
    uint32_t all, rich, most; /* rich: of more than four influences */
    uint32_t uneven;          /* of weights of another sum than 1 */
    double least_sum, largest_sum;
};

static struct tally tally_vertices(const struct scene *scene)
{
    struct tally tally = {.least_sum = 1, .largest_sum = 1};
    for (uint32_t m = 0; m < scene->mesh_count; m++) {
        const struct mesh *mesh = &scene->meshes[m];
        for (uint32_t v = 0; mesh->influence_first && v < mesh->vertex_count; v++) {
            const uint32_t count = mesh->influence_first[v + 1] - mesh->influence_first[v];
            const double sum = weight_sum(mesh, v);
            tally.all++;
            tally.most = count > tally.most ? count : tally.most;
            tally.rich += count > 4;
            tally.uneven += count > 0 && fabs(sum - 1) > WEIGHT_SUM_TOLERANCE;
            tally.least_sum = count > 0 ? fmin(tally.least_sum, sum) : tally.least_sum;
            tally.largest_sum = fmax(tally.largest_sum, sum);
        }
    }
    return tally;
}

JUDGE(judge_influences)
{
    const struct tally tally = tally_vertices(e->input->scene);
    const bool asserts = check->number == FIFTH_ASSERTS && tally.rich > 0;
    if (tally.rich == 0)
        return cost && check->change.value == KEEP_LARGE && finding_say_cost(e, out, cost, "%s", check->what);
    if (!cost && !asserts)
        return false;
    if (asserts) {
        out->effect = EFFECT_BREAKS;
        out->measure = tally.most;
        out->unit = "influences";
        out->limit = 4;
    }
    return finding_say_cost(e, out, cost, "%u of %u vertices have more than four influences (up to %u); %s", tally.rich,
                            tally.all, tally.most, check->what);
}

JUDGE(judge_weight_sums)
{
    if (!cost)
        return false;
    const struct tally tally = tally_vertices(e->input->raw);
    return finding_say_cost(e, out, cost, "weights of %u of %u vertices do not add up to 1, but to %.3g to %.3g",
                            tally.uneven, tally.all, tally.least_sum, tally.largest_sum);
}

/* ---- clips ----------------------------------------------------------------------------------------------------- */

/* Without a clip to play the bind pose is all there is. */
JUDGE(judge_rest_pose)
{
    struct bind_pose bind;
    struct error err = {0};
    const struct scene *scene = e->input->scene;
    if (count_scene_bones(scene) == 0 || !(e->radius > 0))
        return false;
    if (!bind_pose_solve(scene, e->arena, &bind, &err))
        return finding_say(e, out, EFFECT_NOTE, 0, "scene units", NAN, "%s", err.text);
    if (bind.is_rest)
        return false;
    const bool is_seen = scene->clip_count == 0 && bind.displacement >= SURVIVAL_VISIBLE;
    finding_say(e, out, is_seen ? EFFECT_CHANGES : EFFECT_NOTE, bind.displacement * e->radius, "scene units",
                SURVIVAL_VISIBLE * e->radius,
                "the rest pose is not the bind pose: without a clip it shows the mesh as it was bound, %.3g units "
                "(%.3g %% of the radius) from the rest pose at bone `%s`",
                bind.displacement * e->radius, 100 * bind.displacement, scene->nodes[bind.worst_node].name);
    out->share = bind.displacement;
    return true;
}

static const struct scene *importers(const struct examination *e)
{
    return e->input->raw ? e->input->raw : e->input->scene;
}

/* LearnOpenGL searches a later key than the time, and asserts that there is one. */
JUDGE(judge_early_end)
{
    const struct scene *scene = importers(e);
    uint32_t channels = 0;
    double earliest = 0;
    for (uint32_t c = 0; c < scene->clip_count; c++)
        for (uint32_t i = 0; i < scene->clips[c].channel_count; i++) {
            const struct channel *channel = &scene->clips[c].channels[i];
            double gap = 0;
            for (int k = 0; k < COMPONENT_COUNT && !channel->is_repair; k++)
                if (channel->keys[k].count > 1)
                    gap = fmax(gap, scene->clips[c].duration - channel->keys[k].times[channel->keys[k].count - 1]);
            if (!(gap > 1e-3))
                continue;
            channels++;
            if (gap > earliest) {
                earliest = gap;
                out->clip = scene->clips[c].name;
                out->time = scene->clips[c].duration - gap;
            }
        }
    return channels > 0 &&
           finding_say(e, out, EFFECT_BREAKS, earliest, "seconds", 0,
                       "%u channel%s the last key before the clip ends, by up to %.3g s (at %.4g s of `%s`): "
                       "it looks for a later key and asserts, or without asserts reads behind the keys",
                       channels, channels == 1 ? " has" : "s have", earliest, out->time, out->clip);
}

JUDGE(judge_absent_keys)
{
    const struct scene *scene = importers(e);
    uint32_t channels = 0, all = 0;
    const char *clip = NULL, *node = NULL;
    for (uint32_t c = 0; c < scene->clip_count; c++)
        for (uint32_t i = 0; i < scene->clips[c].channel_count; i++) {
            const struct channel *channel = &scene->clips[c].channels[i];
            bool lacks = false;
            for (int k = 0; k < COMPONENT_COUNT && !channel->is_repair; k++)
                lacks = lacks || channel->keys[k].count == 0;
            all++;
            channels += lacks;
            clip = lacks && !clip ? scene->clips[c].name : clip;
            node = lacks && !node ? channel->node_name : node;
        }
    return channels > 0 &&
           finding_say(e, out, EFFECT_BREAKS, channels, "channels", 0,
                       "of %u of %u channels a component has no keys, such as `%s` in `%s`: it reads the first of none",
                       channels, all, node, clip);
}

JUDGE(judge_pivots)
{
    uint32_t pivots = 0;
    for (uint32_t n = 0; n < e->input->scene->node_count; n++)
        pivots += strstr(e->input->scene->nodes[n].name, "$AssimpFbx$") != NULL;
    if (pivots > 0 && cost)
        return finding_say_cost(
            e, out, cost,
            "%u $AssimpFbx$ pivot nodes, of which some count twice, since the channels below hold them too", pivots);
    return pivots > 0 &&
           finding_say(
               e, out, EFFECT_NOTE, pivots, "nodes", 0,
               "%u $AssimpFbx$ pivot nodes stand between the bones: the hierarchy is longer, no vertex is elsewhere",
               pivots);
}

/* Without an uneven scale it is what every blend of rotations does, and no fault of the model. */
JUDGE(judge_normals)
{
    if (!cost || !(cost->degrees > 0.01))
        return false;
    const bool has_scale = has_uneven_scale(e->input->scene),
               is_seen = has_scale && cost->degrees >= SURVIVAL_VISIBLE_DEGREES;
    out->clip = cost->clip;
    out->time = cost->time;
    return finding_say(
        e, out, is_seen ? EFFECT_CHANGES : EFFECT_NOTE, cost->degrees, "degrees", SURVIVAL_VISIBLE_DEGREES,
        "%s: normals by the blended matrix, not its inverse transpose, are off by up to %.3g degrees, those of "
        "bone `%s` at %.4g s of `%s`",
        has_scale ? "scales that are not uniform" : "bones that turn against each other", cost->degrees,
        cost->bone ? cost->bone : "", cost->time, cost->clip ? cost->clip : "the rest pose");
}
