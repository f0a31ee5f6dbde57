#include "generate/generate.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "base/file/file_writer.h"
#include "base/file/folder.h"
#include "generate/gltf_write.h"
#include "generate/truth.h"

enum { LONGEST_GLOB = 128 };

/* The globs of a list "GLOB,GLOB", one after the other; false after the last. */
static bool next_glob(const char **list, char out[static LONGEST_GLOB])
{
    const size_t length = strcspn(*list, ",");
    snprintf(out, LONGEST_GLOB, "%.*s", (int)length, *list);
    *list += length + ((*list)[length] == ',');
    return length > 0;
}

static bool is_named(const char *glob)
{
    for (uint32_t i = 0; i < rule_count(); i++)
        if (fnmatch(glob, rule_at(i)->name, 0) == 0)
            return true;
    return strcmp(glob, "none") == 0;
}

bool generate_chooses(const struct generate_options *options, const struct rule *rule)
{
    char glob[LONGEST_GLOB];
    for (size_t i = 0; i < options->rule_count; i++)
        for (const char *list = options->rules[i]; next_glob(&list, glob);)
            if (fnmatch(glob, rule->name, 0) == 0)
                return true;
    return options->rule_count == 0;
}

bool generate_check(const struct generate_options *options, struct error *err)
{
    char glob[LONGEST_GLOB];
    for (size_t i = 0; i < options->rule_count; i++)
        for (const char *list = options->rules[i]; next_glob(&list, glob);)
            if (!is_named(glob))
                return error_set(err, "--rule %s: no rule has such a name; `rigproof generate --list` has all", glob);
    return true;
}

static unsigned mix_of(const struct generate_options *options)
{
    unsigned mix = 0;
    for (unsigned group = 0; group < RULE_GROUPS; group++)
        for (uint32_t i = 0; i < rule_groups[group]->count; i++)
            mix |= (unsigned)generate_chooses(options, &rule_groups[group]->rules[i]) << group;
    return mix;
}

static bool write_beside(const struct generate_options *options, const char *name, const char *suffix,
                         const struct text *content, struct error *err)
{
    SCOPED(text) path = {0};
    text_addf(&path, "%s%s", name, suffix);
    return file_write_below(options->folder, text_string(&path), content->data, content->size, err);
}

/* The clip is named by its number, since two clips may have one name; engines hold the last pose at the end, as glTF
 * does. */
static void add_case(const struct rig *rig, const struct rule *rule, const char *model, struct text *suite)
{
    text_addf(suite, "  - name: %s\n    model: %s\n    truth: %s.truth.json\n", rig->name, model, rig->name);
    if (rig->shown_clip >= 0)
        text_addf(suite, "    clip: %d\n    times: [", rig->shown_clip);
    else
        text_add(suite, "    clip: none\n    times: [");
    for (uint32_t i = 0; i < rig->time_count; i++) {
        text_add(suite, i > 0 ? ", " : "");
        text_add_double(suite, rig->times[i]);
    }
    text_add(suite, "]\n");
    if (rule)
        text_addf(suite, "    # %s (glTF 2.0, %s)\n", rule->sentence, rule->place);
}

static bool write_rig(const struct generate_options *options, const struct rig *rig, const struct rule *rule,
                      struct text *suite, struct error *err)
{
    SCOPED(text) model = {0}, truth = {0};
    const char *suffix = options->is_binary ? ".glb" : ".gltf";
    const char *name = arena_printf(rig->arena, "%s%s", rig->name, suffix);
    gltf_write(rig, options->is_binary, &model);
    truth_write(rig, name, &truth);
    add_case(rig, rule, name, suite);
    return write_beside(options, rig->name, suffix, &model, err) &&
           write_beside(options, rig->name, ".truth.json", &truth, err);
}

static const char suite_begin[] = "# rigs of `rigproof generate` with their poses by the glTF 2.0 specification:\n"
                                  "# rigproof check --subject PROGRAM suite.yaml\n"
                                  "version: 1\n"
                                  "defaults:\n"
                                  "  wrap: clamp\n"
                                  "  influences: all\n"
                                  "  stages: [animate, palette, skin]\n"
                                  "  tolerance: {shell: 0.0001}\n"
                                  "  allow: [blank, still, unskinned]\n"
                                  "cases:\n";

uint32_t generate_write(const struct generate_options *options, struct error *err)
{
    SCOPED(text) suite = {0};
    const uint32_t rules = options->has_rules ? rule_count() : 0;
    const unsigned mix = mix_of(options);
    uint32_t count = 0;
    text_add(&suite, suite_begin);
    if (!generate_check(options, err))
        return 0;
    if (!folder_make(options->folder, err))
        return error_prefix(err, "-o %s", options->folder);
    for (uint32_t i = 0; i < rules + options->count; i++) {
        const struct rule *rule = i < rules ? rule_at(i) : NULL;
        const uint32_t number = i - rules;
        struct rig rig;
        if (rule && !generate_chooses(options, rule))
            continue;
        SCOPED_ARENA arena = arena_create((size_t)1 << 32, err);
        if (arena && rule)
            rule_describe(rule, arena, &rig);
        else if (arena)
            rig_random(arena_printf(arena, "random-%llu-%u", (unsigned long long)options->seed, number + 1),
                       options->seed, number, options->size, mix, arena, &rig);
        if (!arena || !write_rig(options, &rig, rule, &suite, err))
            return 0;
        count++;
    }
    if (count == 0)
        error_set(err, "--rule: no rig is chosen");
    return count > 0 && write_beside(options, "suite", ".yaml", &suite, err) ? count : 0;
}
