#include "data/scene/scene.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/names.h"
#include "base/text.h"

uint32_t component_width(enum component component)
{
    return component == COMPONENT_ROTATION ? 4 : 3;
}

void scene_free(struct scene *scene)
{
    if (scene)
        arena_destroy(scene->arena);
}

int32_t scene_find_node(const struct scene *scene, const char *name)
{
    for (uint32_t i = 0; i < scene->node_count; i++)
        if (strcmp(scene->nodes[i].name, name) == 0)
            return (int32_t)i;
    return NO_INDEX;
}

static void bind_instance(struct scene *scene, uint32_t index, struct binding *bindings)
{
    const struct instance *instance = &scene->instances[index];
    const struct mesh *mesh = &scene->meshes[instance->mesh];
    if (mesh->bone_count == 0) {
        bindings[0].instance = index;
        bindings[0].node = instance->node;
        memcpy(bindings[0].mesh_to_bone, mat4_identity, sizeof mat4_identity);
    }
    for (uint32_t b = 0; b < mesh->bone_count; b++) {
        bindings[b].instance = index;
        bindings[b].node = mesh->bones[b].node;
        memcpy(bindings[b].mesh_to_bone, mesh->bones[b].mesh_to_bone, sizeof mat4_identity);
        if (!mesh->bones[b].follows_mesh_node)
            scene->nodes[mesh->bones[b].node].is_bone = true;
    }
}

void scene_bind(struct scene *scene)
{
    uint32_t count = 0;
    scene->weight_count = 0;
    for (uint32_t i = 0; i < scene->instance_count; i++) {
        struct instance *instance = &scene->instances[i];
        instance->first_weight = scene->weight_count;
        scene->weight_count += scene->meshes[instance->mesh].target_count;
        uint32_t bones = scene->meshes[instance->mesh].bone_count;
        instance->first_binding = count;
        instance->binding_count = bones ? bones : 1;
        count += instance->binding_count;
    }
    scene->binding_count = count;
    scene->bindings = ARENA_NEW(scene->arena, struct binding, count);
    for (uint32_t i = 0; i < scene->instance_count; i++)
        bind_instance(scene, i, scene->bindings + scene->instances[i].first_binding);
}

static bool has_note(const struct scene *scene, const char *id, const char *text)
{
    for (uint32_t i = 0; i < scene->note_count; i++)
        if (strcmp(scene->notes[i].id, id) == 0 && strcmp(scene->notes[i].text, text) == 0)
            return true;
    return false;
}

void scene_note(struct scene *scene, enum note_kind kind, const char *id, const char *format, ...)
{
    char raw[1024];
    struct text text = {0};
    va_list args;
    va_start(args, format);
    vsnprintf(raw, sizeof raw, format, args);
    va_end(args);
    text_add_name(&text, raw);
    if (!has_note(scene, id, text_string(&text))) {
        /* Notes are few; the array is copied for each, so that it can be plain and stay in the arena. */
        struct note *notes = ARENA_NEW(scene->arena, struct note, scene->note_count + 1);
        if (scene->note_count > 0)
            memcpy(notes, scene->notes, scene->note_count * sizeof *notes);
        notes[scene->note_count].kind = kind;
        notes[scene->note_count].id = arena_string(scene->arena, id);
        notes[scene->note_count].text = arena_string(scene->arena, text_string(&text));
        scene->notes = notes;
        scene->note_count++;
    }
    text_release(&text);
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
