#include "cli/sheet/sheet_axes.h"

#include <fnmatch.h>
#include <string.h>

#include "base/file/folder.h"
#include "data/image/words.h"
#include "data/scene/scene.h"
#include "suite/suite_expand.h"

static const char bone_prefix[] = "weight:";

/* "weight:*" stands for several. */
static bool is_bone_glob(const char *view)
{
    return strncmp(view, bone_prefix, strlen(bone_prefix)) == 0 && has_glob(view);
}

static bool is_clip_glob(const char *name)
{
    return strcmp(name, "all") == 0 || has_glob(name);
}

void sheet_request_complete(struct sheet_request *request, struct settings *settings)
{
    bool *varies = request->varies;
    const bool is_still = request->clips.count == 1 && !is_clip_glob(request->clips.items[0]);
    request->has_default_times = !settings->time_choices && !request->is_film;
    varies[AXIS_MODEL] = request->model_count > 1;
    varies[AXIS_VIEW] =
        request->views.count > 1 || (request->views.count == 1 && is_bone_glob(request->views.items[0]));
    varies[AXIS_CAMERA] = request->cameras.count > 1;
    varies[AXIS_STEP] = request->sweep[0] != NULL;
    varies[AXIS_SIDE] = request->before || request->build;
    const bool is_spread = varies[AXIS_VIEW] || varies[AXIS_CAMERA];
    const bool plays = request->clips.count > 0 || settings->mix_count > 0 || varies[AXIS_STEP];
    if (!plays && !is_spread && !varies[AXIS_MODEL])
        request->clips = (struct option_list){.items = {"all"}, .count = 1};
    if (!settings->time_choices && request->is_film)
        settings_set(settings, "play", "true", ERROR_IGNORED);
    else if (!settings->time_choices && varies[AXIS_STEP])
        settings_set(settings, "times", "even:3", ERROR_IGNORED);
    else if (!settings->time_choices && !is_spread && (plays || !varies[AXIS_MODEL]))
        settings_set(settings, "times", "even:6", ERROR_IGNORED);
    varies[AXIS_CLIP] = request->clips.count > 1 || (request->clips.count == 1 && !is_still);
    varies[AXIS_TIME] = request->is_film                        ? false
                        : settings->time_choice == TIMES_LIST   ? settings->time_count > 1
                        : settings->time_choice == TIMES_EVEN   ? settings->even > 1
                        : settings->time_choice == TIMES_FRAMES ? settings->last_frame > settings->first_frame
                                                                : true;
}

enum sheet_axis sheet_column_axis(const struct sheet_request *request)
{
    for (int axis = AXIS_COUNT - 1; axis >= 0; axis--)
        if (request->varies[axis])
            return (enum sheet_axis)axis;
    return AXIS_TIME;
}

static void add(struct sheet_axes *axes, enum sheet_axis axis, const char *label, const char *name, const char *value)
{
    axes->choices[axis][axes->count[axis]++] = (struct sheet_choice){.label = label, .set = {{name, value}}};
}

/* ---- clips ------------------------------------------------------------------------------------------------------- */

/* A clip by its name, or its index where the name means another. */
static void add_clip(struct sheet_axes *axes, const struct scene *scene, uint32_t index, struct arena *arena)
{
    const struct clip *clip = &scene->clips[index];
    add(axes, AXIS_CLIP, *clip->name ? clip->name : "(no name)", "clip",
        *clip->name ? suite_clip_key(scene, index, arena) : arena_printf(arena, "%u", index));
}

static bool matches(const char *pattern, const char *name, struct arena *arena)
{
    return strcmp(pattern, "all") == 0 || fnmatch(pattern, name, 0) == 0 ||
           fnmatch(pattern, clip_short_name(name, arena), 0) == 0;
}

static bool add_clips(const struct sheet_request *request, const struct scene *scene, struct arena *arena,
                      struct sheet_axes *axes, struct error *err)
{
    bool *taken = ARENA_NEW(arena, bool, scene->clip_count);
    axes->choices[AXIS_CLIP] = ARENA_NEW(arena, struct sheet_choice, scene->clip_count + request->clips.count + 1);
    for (size_t i = 0; i < request->clips.count; i++) {
        const char *pattern = request->clips.items[i];
        bool found = false;
        if (!is_clip_glob(pattern) || scene_find_clip(scene, pattern, ERROR_IGNORED)) { /* said as it is, also `rest` */
            add(axes, AXIS_CLIP, pattern, "clip", pattern);
            continue;
        }
        for (uint32_t k = 0; k < scene->clip_count; k++) {
            if (!matches(pattern, scene->clips[k].name, arena))
                continue;
            found = true;
            if (!taken[k] && axes->count[AXIS_CLIP] < request->most)
                add_clip(axes, scene, k, arena);
            else
                axes->left_out[AXIS_CLIP] += !taken[k];
            taken[k] = true;
        }
        if (!found && strcmp(pattern, "all") != 0)
            return error_set(err, "--clip: no clip of %s is called `%s`", scene->path, pattern);
    }
    return true;
}

/* ---- bones ------------------------------------------------------------------------------------------------------- */

/* The vertices that a node holds in all meshes. */
struct hold {
    uint32_t vertices;
    float largest;
};

static struct hold *find_holds(const struct scene *scene, struct arena *arena)
{
    struct hold *holds = ARENA_NEW(arena, struct hold, scene->node_count);
    for (uint32_t m = 0; m < scene->mesh_count; m++) {
        const struct mesh *mesh = &scene->meshes[m];
        const uint32_t count = mesh->influence_first ? mesh->influence_first[mesh->vertex_count] : 0;
        for (uint32_t i = 0; i < count; i++) {
            struct hold *hold = &holds[mesh->bones[mesh->influences[i].bone].node];
            hold->vertices += mesh->influences[i].weight > 0;
            hold->largest = mesh->influences[i].weight > hold->largest ? mesh->influences[i].weight : hold->largest;
        }
    }
    return holds;
}

/* The name, numbered where the font has no letters for most of it. */
static const char *bone_label(const char *name, uint32_t node, const struct hold *hold, struct arena *arena)
{
    const char *number = words_are_readable(name) ? "" : arena_printf(arena, "node %u ", node);
    return arena_printf(arena, "%s%s\n%u vert., max %.2f", number, name, hold->vertices, (double)hold->largest);
}

static bool add_bones(const struct sheet_request *request, const char *pattern, const struct scene *scene,
                      struct arena *arena, struct sheet_axes *axes, struct error *err)
{
    const struct hold *holds = find_holds(scene, arena);
    bool found = false;
    for (uint32_t n = 0; n < scene->node_count; n++)
        if (scene->nodes[n].is_bone)
            name_prefix_add(&axes->bones, scene->nodes[n].name);
    for (uint32_t n = 0; n < scene->node_count; n++) {
        const char *name = scene->nodes[n].name;
        const bool is_asked =
            holds[n].vertices > 0 && fnmatch(pattern, name, 0) == 0 &&
            scene_find_bone(scene, name, ERROR_IGNORED) == (int32_t)n; /* else its name is another's */
        found = found || is_asked;
        if (is_asked && axes->count[AXIS_VIEW] < request->most)
            add(axes, AXIS_VIEW, bone_label(name_without(&axes->bones, name), n, &holds[n], arena), "view",
                arena_printf(arena, "%s%s", bone_prefix, name));
        else
            axes->left_out[AXIS_VIEW] += is_asked;
    }
    return found || error_set(err, "--view %s%s: no bone of %s that holds vertices is called so", bone_prefix, pattern,
                              scene->path);
}

static bool add_views(const struct sheet_request *request, const struct scene *scene, struct arena *arena,
                      struct sheet_axes *axes, struct error *err)
{
    axes->choices[AXIS_VIEW] =
        ARENA_NEW(arena, struct sheet_choice, request->views.count + scene->node_count * request->views.count + 1);
    for (size_t i = 0; i < request->views.count; i++) {
        const char *view = request->views.items[i];
        if (!is_bone_glob(view))
            add(axes, AXIS_VIEW, view, "view", view);
        else if (!add_bones(request, view + strlen(bone_prefix), scene, arena, axes, err))
            return false;
    }
    return true;
}

/* ---- the others -------------------------------------------------------------------------------------------------- */

static void add_steps(const struct sheet_request *request, struct arena *arena, struct sheet_axes *axes)
{
    const char *const *clips = request->sweep;
    axes->choices[AXIS_STEP] = ARENA_NEW(arena, struct sheet_choice, request->steps + 1);
    for (size_t i = 0; clips[0] && i < request->steps; i++) {
        const double weight = request->steps > 1 ? (double)i / (double)(request->steps - 1) : 0.5;
        struct sheet_choice *choice = &axes->choices[AXIS_STEP][axes->count[AXIS_STEP]++];
        choice->label = arena_printf(arena, "%s %.2f", clips[1], weight);
        for (int k = 0; k < 2; k++) {
            struct text text = {0};
            text_addf(&text, "%s:", clips[k]);
            text_add_double(&text, k ? weight : 1 - weight);
            choice->set[k][0] = "blend";
            choice->set[k][1] = arena_text(arena, &text);
        }
    }
}

bool sheet_axes_make(const struct sheet_request *request, const struct scene *scene, struct arena *arena,
                     struct sheet_axes *out, struct error *err)
{
    *out = (struct sheet_axes){0};
    out->choices[AXIS_CAMERA] = ARENA_NEW(arena, struct sheet_choice, request->cameras.count + 1);
    for (size_t i = 0; i < request->cameras.count; i++)
        add(out, AXIS_CAMERA, request->cameras.items[i], "camera", request->cameras.items[i]);
    add_steps(request, arena, out);
    if (!add_clips(request, scene, arena, out, err) || !add_views(request, scene, arena, out, err))
        return false;
    for (int axis = 0; axis < AXIS_COUNT; axis++) /* one that is as the settings have it */
        if (out->count[axis] == 0 && out->choices[axis])
            out->count[axis] = 1;
    return true;
}
