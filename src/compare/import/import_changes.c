/* Changes of an import become findings, in which several of a kind are one. */
#include <float.h>
#include <math.h>

#include "base/format_number.h"
#include "base/names.h"
#include "compare/import/import_compare.h"

/* NAMES_ONLY: the head of the sentence says all. The last three are for the stages after the import, see struct
 * import_fault. */
enum { NAMES_ONLY = 1, BENIGN = 2, OF_CLIP = 4, UNSEEN = 8, IN_NUMBERS = 16 };

// clang-format off
static const unsigned traits[FINDING_CODE_COUNT] = {
    [CODE_GONE] = NAMES_ONLY, [CODE_NEW] = NAMES_ONLY, [CODE_NODE_PATTERN] = NAMES_ONLY, [CODE_NODE_BONE] = NAMES_ONLY,
    [CODE_CHANNEL_GONE] = NAMES_ONLY, [CODE_CHANNEL_NEW] = NAMES_ONLY, [CODE_MORPH_GONE] = NAMES_ONLY,
    [CODE_MORPH_NEW] = NAMES_ONLY, [CODE_KEYS_LOST] = NAMES_ONLY, [CODE_KEYS_GAINED] = NAMES_ONLY,
    [CODE_BONE_GONE] = NAMES_ONLY, [CODE_BONE_NEW] = NAMES_ONLY,
    [CODE_BONES_ORDER] = BENIGN | NAMES_ONLY, [CODE_ORDER] = BENIGN | NAMES_ONLY,
    [CODE_FIRST_CLIP] = BENIGN | NAMES_ONLY, [CODE_REPAIR_GONE] = BENIGN | NAMES_ONLY,
    [CODE_REPAIR_NEW] = BENIGN | NAMES_ONLY, [CODE_WARNING_GONE] = BENIGN | NAMES_ONLY,
    [CODE_WARNING_NEW] = BENIGN | NAMES_ONLY, [CODE_WARNING_LFS] = BENIGN | NAMES_ONLY,
    [CODE_CHANNEL_REPAIR] = BENIGN, [CODE_NOTE_TEXT] = BENIGN,
    [CODE_CLIP_SPEED] = OF_CLIP, [CODE_CLIP_CUT] = OF_CLIP, [CODE_CLIP_LENGTH] = OF_CLIP,
    [CODE_CLIPS_LENGTH] = OF_CLIP, [CODE_CLIP_TIMES] = OF_CLIP,
    [CODE_BONES_OFFSETS] = UNSEEN, [CODE_BONE_OFFSET] = UNSEEN, [CODE_MATERIAL_UNLIT] = UNSEEN,
    [CODE_MAP_GONE] = UNSEEN, [CODE_MAP_NEW] = UNSEEN, [CODE_MAP_TEXTURE] = UNSEEN, [CODE_MAP_CHANGED] = UNSEEN,
    [CODE_MATERIAL_FACTOR] = UNSEEN,
    [CODE_MATERIAL_COLOR] = IN_NUMBERS, [CODE_MATERIAL_WRAP] = IN_NUMBERS, [CODE_MATERIAL_ALPHA] = IN_NUMBERS,
    [CODE_MATERIAL_SIDES] = IN_NUMBERS,
};
// clang-format on

struct finding import_finding(const char *subject, const char *mesh)
{
    struct finding finding = finding_none;
    finding.stage = STAGE_IMPORT;
    finding.subject = subject;
    finding.mesh = mesh;
    return finding;
}

bool import_beyond(struct import_context *c, struct finding *finding, double measure)
{
    return import_beyond_limit(c, finding, TOLERANCE_IMPORT, measure);
}

bool import_beyond_limit(struct import_context *c, struct finding *finding, enum tolerance_key key, double measure)
{
    finding->tolerance = isfinite(measure) ? key : TOLERANCE_NONE;
    finding->measure = measure;
    if (!finding->benign && !c->scope.unplayed)
        findings_measure(c->out, key, measure);
    return !(measure <= tolerance_of(c->tolerance, key));
}

bool import_displaced(struct import_context *c, struct finding *finding, double distance)
{
    finding->distance = distance;
    finding->displacement = fmin(distance / c->radius, DBL_MAX);
    return import_beyond(c, finding, finding->displacement);
}

/* The part of the subject that a change of the code is about. */
static const char *part_of(const struct import_context *c, enum finding_code code)
{
    static const char *const keys_words[KEYS_KIND_COUNT] = {"", "translation", "rotation", "scale", "morph weight"};
    if (c->scope.keys != KEYS_NONE)
        return keys_words[c->scope.keys];
    if (code == CODE_GONE || code == CODE_NEW || code == CODE_RENAMED || code == CODE_ORDER)
        return noun_words[c->scope.noun][0];
    return code >= CODE_MAP_GONE && code <= CODE_MATERIAL_FACTOR ? c->scope.extra : NULL;
}

/* Returns where the texture is: of the first material that it colours, else of a map of one. Only of one within the
 * model's file, which has a number for a name: "*0". */
static const char *owner_of(const struct import_context *c, enum finding_code code, const char *texture)
{
    const struct import_snapshot *import = code == CODE_NEW ? c->actual : c->golden;
    const char *owner = NULL;
    for (uint32_t i = 0; c->scope.noun == NOUN_TEXTURE && *texture == '*' && i < import->material_count; i++) {
        const struct material_snapshot *material = &import->materials[i];
        if (names_equal(material->base_texture, texture))
            return arena_printf(c->arena, "of material `%s`", material->name);
        for (uint32_t m = 0; m < material->map_count && !owner; m++)
            if (names_equal(material->maps[m].texture, texture))
                owner = arena_printf(c->arena, "of the %s map of material `%s`", material->maps[m].name,
                                     material->name);
    }
    return owner;
}

struct change *import_change(struct import_context *c, enum finding_code code, const struct finding *finding,
                             const char *phrase, struct value now, struct value was)
{
    c->changes = arena_room(c->arena, c->changes, c->change_count, sizeof *c->changes);
    struct change *change = &c->changes[c->change_count++];
    *change = (struct change){*finding, c->scope};
    change->says = (struct import_change){.noun = c->scope.noun,
                                          .phrase = phrase,
                                          .now = now,
                                          .was = was,
                                          .extra = c->scope.extra,
                                          .axis = "",
                                          .unit_meters = c->unit_meters,
                                          .owner = owner_of(c, code, finding->subject),
                                          .unplayed = c->scope.unplayed,
                                          .is_bare = traits[code] & NAMES_ONLY};
    change->finding.code = code;
    change->finding.clip = c->scope.clip;
    change->finding.part = part_of(c, code);
    change->finding.benign = finding->benign || c->scope.unplayed || traits[code] & BENIGN;
    return change;
}

struct change *import_note(struct import_context *c, enum finding_code code, const char *subject, const char *mesh,
                           const char *phrase, struct value now, struct value was)
{
    const struct finding finding = import_finding(subject, mesh);
    return import_change(c, code, &finding, phrase, now, was);
}

void import_change_also(struct import_context *c, const char *phrase, struct value now, struct value was)
{
    struct import_change **also = &c->changes[c->change_count - 1].says.also;
    while (*also)
        also = &(*also)->also;
    *also = ARENA_NEW(c->arena, struct import_change, 1);
    **also = (struct import_change){.phrase = phrase, .now = now, .was = was, .unit_meters = c->unit_meters};
}

/* For the stages after the import. */
static void add_fault(struct import_context *c, const struct change *change)
{
    static const enum fault_subject subjects[NOUN_COUNT] = {FAULT_NODE, FAULT_TEXTURE, FAULT_MATERIAL, FAULT_MESH,
                                                            FAULT_CLIP, FAULT_OTHER,   FAULT_OTHER,    FAULT_OTHER};
    enum finding_code code = change->finding.code;
    bool is_renamed_mesh = code == CODE_RENAMED && change->scope.noun == NOUN_MESH;
    bool is_clip = traits[code] & OF_CLIP;
    struct import_fault fault = {
        .about = is_clip                  ? FAULT_CLIP
                 : code == CODE_NODE_BONE ? FAULT_BONE
                 : change->scope.clip     ? FAULT_CHANNEL
                                          : subjects[change->scope.noun],
        .unseen = is_renamed_mesh || traits[code] & UNSEEN,
        .in_numbers = traits[code] & IN_NUMBERS,
        .name = change->finding.mesh ? change->finding.mesh : change->finding.subject,
        .now = is_renamed_mesh ? renamed(&c->renames[NOUN_MESH], change->finding.subject) : NULL,
        .clip = change->scope.clip,
        .keys = (int)change->scope.keys - KEYS_TRANSLATION,
        .most = change->most > 0 ? change->most : INFINITY,
    };
    if ((fault.name || is_clip) && !change->finding.benign)
        findings_add_fault(c->out, &fault);
}

static bool are_together(const struct change *a, const struct change *b)
{
    return a->finding.code == b->finding.code && a->scope.noun == b->scope.noun && a->scope.clip == b->scope.clip &&
           a->scope.keys == b->scope.keys && a->scope.unplayed == b->scope.unplayed &&
           names_equal(a->scope.extra, b->scope.extra);
}

/* Changes with one of these differ alike: what several of a kind would be said to be. */
static const char *likeness_of(struct import_context *c, const struct change *change)
{
    static const char *const words[] = {[CHANGE_NOW] = "{now}", [CHANGE_WAS] = "{was}", [CHANGE_BY] = "{by}"};
    const struct finding *f = &change->finding;
    struct text text = {0};
    for (const struct import_change *part = &change->says; part; part = part->also) {
        const char *template = part->detail ? part->detail : part->phrase;
        text_addf(&text, "%s\n", template);
        for (int value = CHANGE_NOW; value <= CHANGE_BY; value++) {
            if (strstr(template, words[value]))
                import_change_add(part, (enum change_value)value, c->arena, &text);
            text_add(&text, "\n");
        }
        if (strstr(template, "{figures}"))
            change_describe(f->degrees, part->axis, f->translation, f->scale_percent, part->influence_radius,
                            f->distance, c->unit_meters, &text);
    }
    return arena_text(c->arena, &text);
}

/* Changes of one kind. */
struct group {
    size_t count;
    struct change **members;
};

/* Finds those that are not said yet; of those that differ alike `like`, where that is not NULL. */
static void find_group(const struct group *kind, bool benign, const char *like, struct group *out)
{
    out->count = 0;
    for (size_t i = 0; i < kind->count; i++) {
        struct change *change = kind->members[i];
        if (!change->said && change->finding.benign == benign && (!like || strcmp(change->alike, like) == 0))
            out->members[out->count++] = change;
    }
}

/* One finding for all members. Its figures are those of the largest displacement, or the first where there are none;
 * its measure is the largest. */
static void say_group(struct import_context *c, const struct group *group, bool is_alike, const char *mesh)
{
    const struct finding **all = ARENA_NEW(c->arena, const struct finding *, group->count);
    struct change *worst = group->members[0];
    for (size_t i = 1; i < group->count; i++) {
        double most = worst->finding.displacement, displacement = group->members[i]->finding.displacement;
        if (displacement > most || (isnan(most) && !isnan(displacement)))
            worst = group->members[i];
    }
    struct change said = *worst;
    for (size_t i = 0; i < group->count; i++) {
        const struct finding *member = all[i] = &group->members[i]->finding;
        group->members[i]->said = true;
        if (!(member->measure <= said.finding.measure)) {
            said.finding.tolerance = member->tolerance;
            said.finding.measure = member->measure;
        }
    }
    worst->says.count = (uint32_t)group->count;
    worst->says.all = all;
    worst->says.worst = is_alike || worst->says.is_bare ? NULL : &worst->finding;
    worst->says.mesh = mesh;
    findings_put(c->out, &said.finding);
}

/* Those that fail and those that do not, each for themselves: three that differ alike are one, else more than eight. */
static void say_kind(struct import_context *c, const struct group *kind)
{
    enum { FEWEST_ALIKE = 3, MOST_ALONE = 8, MOST_SEARCHED = 2000 }; /* beyond, all are one finding anyway */
    struct group group = {.members = ARENA_NEW(c->arena, struct change *, kind->count)};
    const char *mesh = kind->members[0]->finding.mesh;
    for (size_t i = 0; i < kind->count; i++) {
        struct change *change = kind->members[i];
        add_fault(c, change);
        if (mesh && (!change->finding.mesh || strcmp(change->finding.mesh, mesh) != 0))
            mesh = NULL;
        change->alike = change->says.is_bare ? NULL : likeness_of(c, change);
        change->finding.import = &change->says;
    }
    for (int benign = 0; benign <= 1; benign++) {
        for (size_t i = 0; i < kind->count && i < MOST_SEARCHED; i++) {
            const struct change *change = kind->members[i];
            if (change->said || change->finding.benign != benign || !change->alike)
                continue;
            find_group(kind, benign, change->alike, &group);
            if (group.count >= FEWEST_ALIKE)
                say_group(c, &group, true, mesh);
        }
        find_group(kind, benign, NULL, &group);
        if (group.count > MOST_ALONE)
            say_group(c, &group, false, mesh);
        for (size_t i = 0; i < group.count && group.count <= MOST_ALONE; i++) {
            group.members[i]->said = true;
            findings_put(c->out, &group.members[i]->finding);
        }
    }
}

/* Component by component, code by code, those of a scope together. */
void import_say(struct import_context *c)
{
    struct change *end = c->changes + c->change_count;
    for (int keys = KEYS_NONE; keys < KEYS_KIND_COUNT && c->change_count > 0; keys++)
        for (int code = 0; code < FINDING_CODE_COUNT; code++)
            for (struct change *first = c->changes; first < end; first++) {
                struct group kind = {0};
                if (first->said || (int)first->finding.code != code || (int)first->scope.keys != keys)
                    continue;
                for (struct change *change = first; change < end; change++)
                    if (!change->said && are_together(change, first)) {
                        kind.members = arena_room(c->arena, kind.members, kind.count, sizeof *kind.members);
                        kind.members[kind.count++] = change;
                    }
                say_kind(c, &kind);
            }
    c->changes = NULL; /* findings point at them */
    c->change_count = 0;
}
