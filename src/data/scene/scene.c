#include "data/scene/scene.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file/file.h"
#include "base/memory.h"
#include "base/names.h"
#include "base/sort.h"
#include "base/text.h"

uint32_t component_width(enum component component)
{
    return component == COMPONENT_ROTATION ? 4 : 3;
}

const float *component_of(const struct transform *transform, enum component component)
{
    return component == COMPONENT_TRANSLATION ? transform->translation
           : component == COMPONENT_ROTATION  ? transform->rotation
                                              : transform->scale;
}

void component_set(struct transform *transform, enum component component, const float *values)
{
    memcpy((float *)component_of(transform, component), values, component_width(component) * sizeof *values);
}

uint32_t keys_count_until(const struct keys *keys, double time)
{
    return first_greater(keys->times, 0, keys->count, time);
}

void scene_free(struct scene *scene)
{
    if (scene)
        arena_destroy(scene->arena);
}

void scene_bind(struct scene *scene)
{
    scene->weight_count = scene->binding_count = 0;
    for (uint32_t i = 0; i < scene->instance_count; i++) {
        struct instance *instance = &scene->instances[i];
        const struct mesh *mesh = &scene->meshes[instance->mesh];
        instance->first_weight = scene->weight_count;
        instance->first_binding = scene->binding_count;
        instance->binding_count = mesh->bone_count ? mesh->bone_count : 1;
        scene->weight_count += mesh->target_count;
        scene->binding_count += instance->binding_count;
    }
    scene->bindings = ARENA_NEW(scene->arena, struct binding, scene->binding_count);
    for (uint32_t i = 0; i < scene->instance_count; i++) {
        const struct instance *instance = &scene->instances[i];
        const struct mesh *mesh = &scene->meshes[instance->mesh];
        struct binding *bindings = scene->bindings + instance->first_binding;
        bindings[0] = (struct binding){i, instance->node, mat4_identity};
        for (uint32_t b = 0; b < mesh->bone_count; b++) {
            const struct bone *bone = &mesh->bones[b];
            bindings[b] = (struct binding){i, bone->node, (const vec4 *)bone->mesh_to_bone};
            if (!bone->follows_mesh_node)
                scene->nodes[bone->node].is_bone = true;
        }
    }
}

void scene_joints(const struct scene *scene, bool *joint)
{
    bool any = false;
    for (uint32_t n = 0; n < scene->node_count; n++) {
        joint[n] = scene->nodes[n].is_bone;
        any = any || joint[n];
    }
    for (uint32_t b = 0; b < scene->binding_count && !any; b++)
        joint[scene->bindings[b].node] = true;
    bool is_marked = any || scene->binding_count > 0;
    any = is_marked;
    for (uint32_t c = 0; c < scene->clip_count && !is_marked; c++)
        for (uint32_t i = 0; i < scene->clips[c].channel_count; i++)
            if (scene->clips[c].channels[i].node != NO_INDEX)
                any = joint[scene->clips[c].channels[i].node] = true;
    for (uint32_t n = 0; n < scene->node_count && !any; n++)
        joint[n] = true;
}

void scene_add_file(struct scene *scene, const char *path)
{
    if (NAMED(scene->files, scene->file_count, path))
        return;
    scene->files = arena_room(scene->arena, scene->files, scene->file_count, sizeof *scene->files);
    scene->files[scene->file_count++] = arena_string(scene->arena, path);
}

bool scene_is_gltf(const struct scene *scene)
{
    return strcmp(scene->format, "gltf") == 0 || strcmp(scene->format, "glb") == 0;
}

const char *scene_find_note(const struct scene *scene, const char *id)
{
    for (uint32_t i = 0; i < scene->note_count; i++)
        if (strcmp(scene->notes[i].id, id) == 0)
            return scene->notes[i].text;
    return NULL;
}

void scene_note(struct scene *scene, enum note_kind kind, const char *id, const char *format, ...)
{
    char raw[1024];
    SCOPED(text) text = {0};
    va_list args;
    va_start(args, format);
    vsnprintf(raw, sizeof raw, format, args);
    va_end(args);
    text_add_name(&text, raw);
    bool is_known = false;
    for (uint32_t i = 0; i < scene->note_count; i++)
        is_known |= strcmp(scene->notes[i].id, id) == 0 && strcmp(scene->notes[i].text, text_string(&text)) == 0;
    if (!is_known) {
        scene->notes = arena_room(scene->arena, scene->notes, scene->note_count, sizeof *scene->notes);
        scene->notes[scene->note_count++] =
            (struct note){kind, arena_string(scene->arena, id), arena_string(scene->arena, text_string(&text))};
    }
}

void scene_label_meshes(struct scene *scene)
{
    const char **labels = ARENA_NEW(scene->arena, const char *, scene->mesh_count);
    for (uint32_t i = 0; i < scene->mesh_count; i++)
        labels[i] = scene->meshes[i].name;
    names_number(labels, scene->mesh_count, scene->arena);
    for (uint32_t i = 0; i < scene->mesh_count; i++) {
        scene->meshes[i].label = labels[i];
        scene->meshes[i].quoted = name_quoted(labels[i], '"', scene->arena);
    }
}

void scene_limit_influences(struct scene *scene, uint32_t limit)
{
    for (uint32_t m = 0; limit > 0 && m < scene->mesh_count; m++) {
        struct mesh *mesh = &scene->meshes[m];
        const uint32_t *first = mesh->influence_first, most = mesh_most_influences(mesh);
        uint32_t vertices = 0;
        float worst = 0;
        if (most <= limit)
            continue;
        uint32_t *new_first = ARENA_NEW(scene->arena, uint32_t, (size_t)mesh->vertex_count + 1);
        struct influence *influences = ARENA_NEW(scene->arena, struct influence, (size_t)mesh->vertex_count * limit);
        for (uint32_t v = 0; v < mesh->vertex_count; v++) { /* the largest come first, scaled to the former sum */
            const struct influence *in = mesh->influences + first[v];
            struct influence *out = influences + new_first[v];
            uint32_t count = first[v + 1] - first[v];
            float all = 0.0f, kept = 0.0f;
            vertices += count > limit;
            new_first[v + 1] = new_first[v] + (count < limit ? count : limit);
            for (uint32_t i = 0; i < count; i++) {
                all += in[i].weight;
                if (i < limit) {
                    out[i] = in[i];
                    kept += in[i].weight;
                }
            }
            for (uint32_t i = 0; i < limit && count > limit && kept > 0.0f; i++)
                out[i].weight = out[i].weight * (all / kept);
            if (count > limit && all > 0.0f && 1.0f - kept / all > worst)
                worst = 1.0f - kept / all;
        }
        mesh->influence_first = new_first;
        mesh->influences = influences;
        scene_note(
            scene, NOTE_WARNING, "influences-dropped",
            "mesh %s: %u of %u vertices have more than %u influences (up to %u); the smallest were dropped, up to "
            "%.3g%% of a vertex's weight (--influences all keeps them)",
            name_quoted(mesh->label, '`', scene->arena), vertices, mesh->vertex_count, limit, most,
            100.0 * (double)worst);
    }
}

/*
 * From the hash FNV-1a, http://www.isthe.com/chongo/tech/comp/fnv/; low bits mixed with high ones, which vary more.
 * Hue, saturation and value in whole numbers: six ramps around the circle, each 256 steps.
 */
static void color_of_name(const char *name, uint32_t attempt, uint8_t out[3])
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (const char *c = name; *c; c++)
        hash = (hash ^ (uint8_t)*c) * 0x100000001b3u;
    hash = (hash ^ attempt) * 0x100000001b3u;
    hash ^= hash >> 29;
    hash *= 0xbf58476d1ce4e5b9u;
    hash ^= hash >> 32;
    uint32_t hue = (uint32_t)(hash % (6 * 256));
    uint32_t most = 110 + (uint32_t)(hash >> 16) % 146;           /* of 255 */
    uint32_t least = most * (uint32_t)((hash >> 32) % 128) / 256; /* below half of it */
    uint32_t ramp = hue % 256, sector = hue / 256;
    uint32_t between = least + (most - least) * (sector % 2 ? 255 - ramp : ramp) / 255;
    const uint32_t levels[6][3] = {{most, between, least}, {between, most, least}, {least, most, between},
                                   {least, between, most}, {between, least, most}, {most, least, between}};
    for (int c = 0; c < 3; c++)
        out[c] = (uint8_t)levels[sector][c];
}

void bone_colors(const struct scene *scene, uint8_t (*colors)[3])
{
    enum { ALL = 1 << 24, MOST_ATTEMPTS = 1000 }; /* a scene of a million nodes may run out of colours */
    FREED uint8_t *taken = memory_new(ALL / 8, 1);      /* a bit a colour */
    for (uint32_t n = 0; n < scene->node_count; n++) {
        uint32_t number = 0;
        for (uint32_t attempt = 0; attempt == 0 || ((taken[number / 8] >> number % 8 & 1) && attempt < MOST_ATTEMPTS);
             attempt++) {
            color_of_name(scene->nodes[n].name, attempt, colors[n]);
            number = colors[n][0] | (uint32_t)colors[n][1] << 8 | (uint32_t)colors[n][2] << 16;
        }
        taken[number / 8] |= (uint8_t)(1u << number % 8);
    }
}

int32_t scene_find_node(const struct scene *scene, const char *name)
{
    return scene_find_node_behind(scene, "", name);
}

int32_t scene_find_node_behind(const struct scene *scene, const char *prefix, const char *name)
{
    size_t length = strlen(prefix);
    int32_t found = NO_INDEX;
    for (uint32_t n = 0; n < scene->node_count; n++) {
        if (strncmp(scene->nodes[n].name, prefix, length) != 0 || strcmp(scene->nodes[n].name + length, name) != 0)
            continue;
        if (scene->nodes[n].is_bone)
            return (int32_t)n;
        found = found == NO_INDEX ? (int32_t)n : found;
    }
    return found;
}

/* Returns false. */
static bool explain_no_node(const struct scene *scene, const char *glob, struct error *err)
{
    SCOPED(text) near = {0};
    FREED const char **names = memory_new(scene->node_count, sizeof *names);
    for (uint32_t n = 0; n < scene->node_count; n++)
        names[n] = scene->nodes[n].name;
    if (glob_suggest(glob, names, scene->node_count, &near))
        error_set(err, "--bone: no node of %s is called `%s`; did you mean `%s`?", path_base(scene->path), glob,
                  text_string(&near));
    else
        error_set(err, "--bone: no node of %s is called `%s`; rigproof inspect lists them", path_base(scene->path),
                  glob);
    return false;
}

bool *scene_match_nodes(const struct scene *scene, const char *const *globs, size_t count, struct error *err)
{
    bool *matched = memory_new(scene->node_count, sizeof *matched), good = true;
    for (size_t g = 0; g < count && good; g++) {
        bool any = false;
        for (uint32_t n = 0; n < scene->node_count; n++)
            if (strcmp(globs[g], scene->nodes[n].name) == 0 || fnmatch(globs[g], scene->nodes[n].name, 0) == 0)
                any = matched[n] = true;
        good = any || explain_no_node(scene, globs[g], err);
    }
    if (good)
        return matched;
    free(matched);
    return NULL;
}

int32_t scene_find_bone(const struct scene *scene, const char *name, struct error *err)
{
    const char *near[2] = {0}; /* bone, node */
    int32_t found = scene_find_node(scene, name);
    if (found != NO_INDEX)
        return found;
    for (uint32_t n = 0; n < scene->node_count; n++) {
        const char **best = &near[!scene->nodes[n].is_bone], *candidate = scene->nodes[n].name;
        if (name_nearest(name, &candidate, 1) &&
            (!*best || name_distance(name, candidate) < name_distance(name, *best)))
            *best = candidate;
    }
    if (near[0] || near[1])
        error_set(err, "%s has no bone `%s`; did you mean `%s`? `rigproof inspect` lists them", scene->path, name,
                  near[0] ? near[0] : near[1]);
    else
        error_set(err, "%s has no bone `%s`; `rigproof inspect` lists them", scene->path, name);
    return NO_INDEX;
}

/*
 * Exporters put before a clip's name what it moves: Blender's FBX `rig|walk`, once more at each trip through FBX
 * (`Armature|rig|walk`), Maya's name spaces `rig:walk`; and FBX importers put the layer behind it,
 * `rig|walk|BaseLayer`. Other signs, `Robot_Walk`, `animation.model.walk`, are parts of names as often as not.
 */
static const char *next_part(const char *name)
{
    const char *sign = strpbrk(name, "|:");
    return sign && sign[1] ? sign + 1 : NULL;
}

/* The end of the name without the layer. */
static const char *layer_of(const char *clip)
{
    static const char *const layers[] = {"BaseLayer", "Base Layer", "Layer0"};
    const char *bar = strrchr(clip, '|'), *end = clip + strlen(clip);
    for (size_t i = 0; bar && bar > clip && i < sizeof layers / sizeof layers[0]; i++)
        if (strcmp(bar + 1, layers[i]) == 0)
            end = bar;
    return end;
}

char *clip_short_name(const char *clip, struct arena *arena)
{
    const char *end = layer_of(clip), *last = clip;
    for (const char *part = clip; part && part < end; part = next_part(part))
        last = part;
    return arena_printf(arena, "%.*s", (int)(end - last), last);
}

static bool answers_to(const char *clip, const char *name)
{
    const char *end = layer_of(clip);
    size_t length = strlen(name);
    for (const char *part = clip; part && length > 0; part = next_part(part))
        if (strcmp(part, name) == 0 || (part + length == end && strncmp(part, name, length) == 0))
            return true;
    return false;
}

/* A dozen names, or fewer when they are long: one line has to hold them. The nearest is of names in full and short
 * forms. */
static void explain(const struct scene *scene, const char *name, bool is_ambiguous, struct error *err)
{
    enum { LISTED = 12, LONGEST = 500 };
    uint32_t listed = 0, more = 0;
    SCOPED(text) list = {0};
    const char *near = NULL;
    for (uint32_t i = 0; i < scene->clip_count; i++) {
        const char *clip = scene->clips[i].name;
        for (const char *part = clip; part; part = next_part(part))
            if (name_nearest(name, &part, 1) && (!near || name_distance(name, part) < name_distance(name, near)))
                near = part;
        if (is_ambiguous && !answers_to(clip, name))
            continue;
        if (more > 0 || listed == LISTED || list.size + strlen(clip) > LONGEST) {
            more++;
            continue;
        }
        text_addf(&list, "%s%s", listed++ ? ", " : "", clip);
        if (is_ambiguous)
            text_addf(&list, " (%u)", i);
    }
    if (more > 0)
        text_addf(&list, "%s%u more", listed ? " and " : "", more);
    if (is_ambiguous)
        error_set(err, "%s: several clips answer to `%s`; give the whole name or the number: %s", scene->path, name,
                  text_string(&list));
    else if (scene->clip_count == 0)
        error_set(err, "%s has no clip `%s`: it has no clips at all", scene->path, name);
    else if (near)
        error_set(err, "%s has no clip `%s`; did you mean `%s`? It has: %s", scene->path, name, near,
                  text_string(&list));
    else
        error_set(err, "%s has no clip `%s`; it has: %s", scene->path, name, text_string(&list));
}

const struct clip *scene_find_clip(const struct scene *scene, const char *name, struct error *err)
{
    const struct clip *found = NAMED(scene->clips, scene->clip_count, name);
    if (found)
        return found;
    for (uint32_t i = 0; i < scene->clip_count; i++) {
        const struct clip *clip = &scene->clips[i];
        if (!answers_to(clip->name, name))
            continue;
        if (found && strcmp(clip->name, found->name) != 0) { /* of one name: one answer, the first */
            explain(scene, name, true, err);
            return NULL;
        }
        found = found ? found : clip;
    }
    /* The other way: `walk` of this file is what another exporter calls `rig|walk`. */
    for (const char *part = next_part(name); part && !found; part = next_part(part))
        found = NAMED(scene->clips, scene->clip_count, part);
    if (!found && isdigit((unsigned char)name[0])) {
        char *end = NULL;
        unsigned long index = strtoul(name, &end, 10);
        found = *end == '\0' && index < scene->clip_count ? &scene->clips[index] : NULL;
    }
    if (!found)
        explain(scene, name, false, err);
    return found;
}

uint32_t mesh_most_influences(const struct mesh *mesh)
{
    uint32_t most = 0, count;
    for (uint32_t v = 0; mesh->influence_first && v < mesh->vertex_count; v++) {
        mesh_influences(mesh, v, &count);
        most = count > most ? count : most;
    }
    return most;
}
