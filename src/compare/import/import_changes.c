/* The sentences of what changed in an import: one table of them, in which several of a kind are said together. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/names.h"
#include "base/format_number.h"
#include "compare/import/import_compare.h"
#include "compare/match/matrix_change.h"

enum {
    MESHES = 1,
    PREDICATES = 2,
    BENIGN = 4,
    OF_MESH = 8,
    NAMES_ONLY = 16,
    FAULT_OF_CLIP = 32,
    UNSEEN = 64,
    IN_NUMBERS = 128
};

// clang-format off
/*
 * Templates: {s} is the subject, {m} its mesh, {c} the clip, quoted; {b} the subject in brackets, nothing where it has
 * no name; {d} the change's phrase, a template itself; {n} and {w} what it is now and was before, {e} what it differs
 * by; {f} the figures of the finding; {p} the plural of {n}; {i} the index; {k} the keys' component, {x} the extra,
 * {o} and {O} the noun and its plural.
 */
static const struct kind {
    const char *one;            /* the sentence of one change; "" where it has only its own words: {d} */
    const char *before, *after; /* of several, around their number */
    /* MESHES: names in lists are meshes; PREDICATES: details go on with the sentence; OF_MESH: " of mesh `body`" before
     * `after` where all are of one mesh; NAMES_ONLY: the head of the sentence says it all; FAULT_OF_CLIP, UNSEEN,
     * IN_NUMBERS: for the stages after the import, see struct import_fault */
    unsigned flags;
} kinds[FINDING_CODE_COUNT] = {
    [CODE_UP_AXIS] = {"the up axis is {d}", "", ""},
    [CODE_UNIT] = {"{d}", "", ""},
    [CODE_GONE] = {"{e}{o} {s} is gone{d}", "", " {O} are gone{x}", NAMES_ONLY},
    [CODE_NEW] = {"{e}{o} {s} is new{d}", "", " {O} are new{x}", NAMES_ONLY},
    [CODE_RENAMED] = {"{o} {s} is named {d}", "the names of ", " {O}{x}"},
    [CODE_NODE_PARENT] = {"node {s} {d}", "", " nodes have another parent"},
    [CODE_NODE_PATTERN] = {"local transform of node {s} {d}", "local transforms of ", " nodes {x}", NAMES_ONLY},
    [CODE_NODE_LONGER] = {"translation of node {s} is {e}", "translations of ", " nodes", PREDICATES},
    [CODE_NODE_LOCAL] = {"local transform of node {s}: {d}", "local transforms of ", " nodes differ"},
    [CODE_NODE_BONE] = {"bone {s} is {d}", "", " bones are other nodes of their names", NAMES_ONLY},
    [CODE_CLIP_SPEED] = {"clip {s} {d}", "the speed of ", " clips changed", FAULT_OF_CLIP},
    [CODE_CLIP_CUT] = {"clip {s} is cut: it lasts {d}", "", " clips are cut", FAULT_OF_CLIP},
    [CODE_CLIP_LENGTH] = {"clip {s} {d}", "", " clips last longer or shorter", FAULT_OF_CLIP},
    [CODE_CLIPS_LENGTH] = {"{n} clips {e}", "", "", FAULT_OF_CLIP},
    [CODE_CLIP_TIMES] = {"all keys of clip {s} come {e}: {d}", "the key times of ", " clips changed", FAULT_OF_CLIP},
    [CODE_CLIP_TICKS] = {"clip {s} has {d}", "ticks per second of ", " clips changed"},
    [CODE_CHANNEL_GONE] = {"the channel of {s} {n}is gone from clip {c}{w}", "",
         " channels of clip {c} are gone", NAMES_ONLY},
    [CODE_CHANNEL_NEW] = {"clip {c} has a channel of {s} now{n}{w}", "", " channels of clip {c} are new", NAMES_ONLY},
    [CODE_MORPH_GONE] = {"the morph weights of {s} are gone from clip {c}", "",
         " channels of clip {c} are gone", NAMES_ONLY},
    [CODE_MORPH_NEW] = {"clip {c} has morph weights of {s} now", "", " channels of clip {c} are new", NAMES_ONLY},
    [CODE_CHANNEL_UNMATCHED] = {"the channel of {s} (clip {c}) {d}", "", " channels of clip {c} changed"},
    [CODE_MORPH_TARGETS] = {"morph targets of {s} in clip {c}: {d}", "morph targets of ", " nodes changed (clip {c})"},
    [CODE_KEYS_LOST] = {"the {k} keys of {s} are gone (clip {c}){d}", "the {k} keys of ",
         " channels of clip {c} are gone",
                        NAMES_ONLY},
    [CODE_KEYS_GAINED] = {"{s} has {n} {k} key{p} now (clip {c}), had none{d}", "",
         " channels of clip {c} have {k} keys now",
                          NAMES_ONLY},
    [CODE_KEYS_INTERPOLATION] = {"{k} keys of {s} (clip {c}) are {d}", "{k} keys of ",
                                 " channels of clip {c} are interpolated in another way"},
    [CODE_KEYS_COUNTS] = {"{k} keys of {s} (clip {c}): {n}{d}", "{k} keys of ", " channels of clip {c} changed"},
    [CODE_KEYS_CHANGED] = {"{n} of {s}'s {k} in {c}{w} changed by {e}", "{k} keys of ",
         " channels of clip {c} changed"},
    [CODE_KEYS_VALUES] = {"values of the {k} keys of {s} (clip {c}): {d}", "values of the {k} keys of ",
                          " channels of clip {c} changed"},
    [CODE_CHANNEL_REPAIR] = {"the channel of {s} (clip {c}) is {d}", "",
         " channels of clip {c} come from elsewhere", BENIGN},
    [CODE_MESH_COUNTS] = {"mesh {m}: {d}", "counts of ", " meshes changed", MESHES},
    [CODE_MESH_UVS] = {"texture coordinates of mesh {m} {d}", "texture coordinates of ", " meshes",
         MESHES | PREDICATES},
    [CODE_MESH_TARGETS] = {"mesh {m}: {d}", "morph targets of ", " meshes changed", MESHES},
    [CODE_MESH_MATERIAL] = {"the material of mesh {m} is {d}", "materials of ", " meshes changed", MESHES},
    [CODE_MESH_NODES] = {"mesh {m} hangs on {d}", "nodes of ", " meshes changed", MESHES},
    [CODE_MESH_PLACED] = {"mesh {m} is {e}", "bounds of ", " meshes changed", MESHES},
    [CODE_MESH_BOUNDS] = {"bounds of mesh {m} differ by {e}: {d}", "bounds of ", " meshes changed", MESHES},
    [CODE_BONES_ALL] = {"mesh {m} {d}", "the bones of ", " meshes changed", MESHES},
    [CODE_BONE_GONE] = {"mesh {m} no longer binds bone {s}", "", " are no longer bound", OF_MESH | NAMES_ONLY},
    [CODE_BONE_NEW] = {"mesh {m} binds bone {s} now", "", " are bound that were not", OF_MESH | NAMES_ONLY},
    [CODE_BONE_EMPTY] = {"bone {s} (mesh {m}) {d}", "vertices of ", " are lost or found", OF_MESH},
    [CODE_MESH_INFLUENCES] = {"{d}", "influences in ", " meshes changed", MESHES},
    [CODE_BONES_OFFSETS] = {"{d}", "offset matrices of the bones of ", " meshes", MESHES | PREDICATES | UNSEEN},
    [CODE_BONE_OFFSET] = {"offset matrix of {s} (mesh {m}): {d}", "offset matrices of ", " differ", OF_MESH | UNSEEN},
    [CODE_BONE_EXCHANGED] = {"bone {s} (mesh {m}) holds the vertices that {n} held", "vertices of ",
         " are held by others", OF_MESH},
    [CODE_BONE_WEIGHTS] = {"bone {s} (mesh {m}): {n}", "weights of ", " differ", OF_MESH},
    [CODE_BONE_STANDS_IN] = {"bone {s} (mesh {m}) is {d}", "", " are in the file on one side only", OF_MESH},
    [CODE_BONES_ORDER] = {"the bones of mesh {m} come in another order: {d}", "the bones of ",
         " meshes come in another order",
                          MESHES | BENIGN | NAMES_ONLY},
    [CODE_MESH_VERTICES] = {"vertices of mesh {m} {d}", "vertices of ", " meshes", MESHES | PREDICATES},
    [CODE_MESH_FACES] = {"triangles of mesh {m} {d}", "triangles of ", " meshes", MESHES | PREDICATES},
    [CODE_MESH_NORMALS] = {"normals of mesh {m} {d}", "normals of ", " meshes", MESHES | PREDICATES},
    [CODE_MESH_UV_VALUES] = {"texture coordinates of mesh {m} {d}", "texture coordinates of ", " meshes",
         MESHES | PREDICATES},
    [CODE_MESH_COLORS] = {"colours of mesh {m} {d}", "colours of ", " meshes", MESHES | PREDICATES},
    [CODE_MESH_TANGENTS] = {"tangents of mesh {m} {d}", "tangents of ", " meshes", MESHES | PREDICATES},
    [CODE_MESH_HAS_COLORS] = {"colours of mesh {m} {d}", "colours of ", " meshes", MESHES | PREDICATES},
    [CODE_TARGET_NAME] = {"morph target {i}{b} of mesh {m} {d}", "names of ", " morph targets changed"},
    [CODE_TARGET_MOVED] = {"morph target {i}{b} of mesh {m} {d}", "vertices that ", " morph targets move changed"},
    [CODE_TARGET_DELTAS] = {"morph target {i}{b} of mesh {m} moves vertices by {d}", "deltas of ",
         " morph targets changed"},
    [CODE_TARGET_NORMALS] = {"morph target {i}{b} of mesh {m} {d}", "normals of ", " morph targets changed"},
    [CODE_TARGET_WEIGHT] = {"morph target {i}{b} of mesh {m} rests at weight {d}", "resting weights of ",
                            " morph targets changed"},
    [CODE_MATERIAL_COLOR] = {"base colour of material {s} is {d}", "base colours of ", " materials changed",
         IN_NUMBERS},
    [CODE_MATERIAL_TEXTURE] = {"the texture of material {s} is {d}", "textures of ", " materials changed"},
    [CODE_MATERIAL_WRAP] = {"the texture of material {s} is {d}", "wrapping of the textures of ", " materials changed",
                            IN_NUMBERS},
    [CODE_MATERIAL_ALPHA] = {"material {s} is {d}", "alpha of ", " materials changed", IN_NUMBERS},
    [CODE_MATERIAL_SIDES] = {"material {s} is {d}", "sides of ", " materials changed", IN_NUMBERS},
    [CODE_MATERIAL_UNLIT] = {"material {s} is {d}", "lighting of ", " materials changed", UNSEEN},
    [CODE_MAP_GONE] = {"material {s} lost its {x} map {d}", "", " materials lost their {x} maps", UNSEEN},
    [CODE_MAP_NEW] = {"material {s} has the {x} map {d} now", "", " materials have {x} maps now", UNSEEN},
    [CODE_MAP_TEXTURE] = {"the {x} map of material {s} is {d}", "{x} maps of ", " materials changed", UNSEEN},
    [CODE_MAP_CHANGED] = {"the {x} map of material {s} has {d}", "{x} maps of ", " materials changed", UNSEEN},
    [CODE_MATERIAL_FACTOR] = {"{x} of material {s} is {d}", "{x} of ", " materials changed", UNSEEN},
    [CODE_TEXTURE_MISSING] = {"texture {s} {d}", "", " textures changed"},
    [CODE_TEXTURE_SIZE] = {"texture {s} is {d}", "sizes of ", " textures changed"},
    [CODE_TEXTURE_PICTURE] = {"texture {s} {d}", "pictures of ", " textures changed"},
    [CODE_CAMERA_CHANGE] = {"camera {s} {d}", "", " cameras changed"},
    [CODE_REPAIR_GONE] = {"repair {s} is no longer needed; it said: {n}", "", " repairs are no longer needed",
                          BENIGN | NAMES_ONLY},
    [CODE_REPAIR_NEW] = {"repair {s} is new: {n}", "", " repairs are new", BENIGN | NAMES_ONLY},
    [CODE_WARNING_GONE] = {"warning {s} is gone; it said: {n}", "", " warnings are gone", BENIGN | NAMES_ONLY},
    [CODE_WARNING_NEW] = {"warning {s} is new: {n}", "", " warnings are new", BENIGN | NAMES_ONLY},
    [CODE_WARNING_LFS] = {"warning {s} is new: {n}", "", " warnings are new", BENIGN | NAMES_ONLY},
    [CODE_NOTE_TEXT] = {"{o} {s} says: {d}", "", " {O} say something else", BENIGN},
    [CODE_ORDER] = {"{e}{O} come in another order: {s} before {n}", "", "", BENIGN | NAMES_ONLY},
    [CODE_FIRST_CLIP] = {"the first clip is {n} now, was {s}: a run that names no clip plays another one now", "", "",
                         BENIGN | NAMES_ONLY},
};
// clang-format on

static const struct {
    const char *one, *many;
} nouns[NOUN_COUNT] = {{"node", "nodes"}, {"texture", "textures"}, {"material", "materials"}, {"mesh", "meshes"},
                       {"clip", "clips"}, {"camera", "cameras"},   {"repair", "repairs"},     {"warning", "warnings"}};

static const char *const keys_words[KEYS_KIND_COUNT] = {"", "translation", "rotation", "scale", "morph weight"};

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

struct value value_numbers(const float *numbers, uint32_t width)
{
    struct value value = {VALUE_NUMBERS, .number = (double)numbers[0], .width = width};
    memcpy(value.vector, numbers, width * sizeof *numbers);
    return value;
}

/* The part of the subject that a change of the code is about. */
static const char *part_of(const struct import_context *c, enum finding_code code)
{
    if (c->scope.keys != KEYS_NONE)
        return keys_words[c->scope.keys];
    if (code == CODE_GONE || code == CODE_NEW || code == CODE_RENAMED || code == CODE_ORDER)
        return nouns[c->scope.noun].one;
    return code >= CODE_MAP_GONE && code <= CODE_MATERIAL_FACTOR ? c->scope.extra : NULL;
}

struct change *import_change(struct import_context *c, enum finding_code code, const struct finding *finding,
                             const char *phrase, struct value now, struct value was)
{
    if (c->change_count == c->change_capacity) {
        struct change *grown = ARENA_NEW(c->arena, struct change, 2 * c->change_capacity + 16);
        if (c->change_count > 0)
            memcpy(grown, c->changes, c->change_count * sizeof *grown);
        c->changes = grown;
        c->change_capacity = 2 * c->change_capacity + 16;
    }
    struct change *change = &c->changes[c->change_count++];
    *change = (struct change){*finding, c->scope, .phrase = phrase, .now = now, .was = was, .axis = ""};
    change->finding.code = code;
    change->finding.clip = c->scope.clip;
    change->finding.part = part_of(c, code);
    change->finding.benign = finding->benign || c->scope.unplayed || kinds[code].flags & BENIGN;
    return change;
}

const char *import_text(struct import_context *c, struct text *text)
{
    const char *copy = arena_string(c->arena, text_string(text));
    text_release(text);
    return copy;
}

/* Adds what it is now or was; a number with so many digits that it differs from the other. */
static void add_value(const struct import_context *c, const struct value *now, const struct value *was, bool is_now,
                      struct text *out)
{
    const struct value *value = is_now ? now : was;
    bool is_vector = now->width > 1 || was->width > 1;
    uint32_t width = now->width == 0 || (was->width > 0 && was->width < now->width) ? was->width : now->width;
    struct formatted_pair pair = value->unit == VALUE_SECONDS ? format_durations(now->number, was->number)
                                                              : format_numbers(now->number, was->number);
    const char *vectors[2];
    if (value->unit == VALUE_NUMBERS && is_vector)
        format_vectors(now->vector, was->vector, width, c->arena, &vectors[1], &vectors[0]);
    if (value->unit == VALUE_NAME)
        text_addf(out, "`%s`", value->text);
    else if (value->unit == VALUE_WORDS)
        text_add(out, value->text);
    else if (value->unit == VALUE_COUNT)
        text_addf(out, "%.0f", value->number);
    else if (value->unit == VALUE_LENGTH)
        text_add(out, format_length(value->number, c->unit_meters).text);
    else if (value->unit != VALUE_NONE)
        text_add(out, value->unit == VALUE_NUMBERS && is_vector ? vectors[is_now] : is_now ? pair.now : pair.was);
}

/* The first material that is coloured by a texture; NULL. */
static const char *material_of(const struct import_snapshot *import, const char *texture)
{
    for (uint32_t i = 0; i < import->material_count; i++)
        if (import->materials[i].base_texture && strcmp(import->materials[i].base_texture, texture) == 0)
            return import->materials[i].name;
    return NULL;
}

/* A texture within the model's file has a number for a name ("*0"): whose it is says more. */
static void add_subject(const struct import_context *c, const struct change *change, struct text *out)
{
    const char *subject = change->finding.subject, *material = NULL;
    text_addf(out, "`%s`", subject);
    if (change->scope.noun == NOUN_TEXTURE && *subject == '*')
        material = material_of(change->finding.code == CODE_NEW ? c->actual : c->golden, subject);
    if (material)
        text_addf(out, " (base colour of material `%s`)", material);
}

static void add_figures(const struct import_context *c, const struct change *change, struct text *out)
{
    const struct finding *f = &change->finding;
    change_describe(f->degrees, change->axis, f->translation, f->scale_percent, change->influence_radius, f->distance,
                    c->unit_meters, out);
}

static void add_expanded(const struct import_context *c, const char *template, const struct change *change,
                         struct text *out);

static void add_placeholder(const struct import_context *c, char which, const struct change *change, struct text *out)
{
    const char *subject = change->finding.subject, *mesh = change->finding.mesh;
    if (which == 'n' || which == 'w')
        add_value(c, &change->now, &change->was, which == 'n', out);
    else if (which == 'e')
        add_value(c, &change->by, &no_value, true, out);
    else if (which == 'f')
        add_figures(c, change, out);
    else if (which == 'i')
        text_addf(out, "%u", change->index);
    else if (which == 'p')
        text_add(out, change->now.number == 1 ? "" : "s");
    else if (which == 'b') /* not every target has a name */
        text_addf(out, *subject ? " (`%s`)" : "", subject);
    else if (which == 'm' || (which == 's' && mesh == subject))
        name_quote(mesh ? mesh : "", '`', out);
    else if (which == 's')
        add_subject(c, change, out);
    else if (which == 'c')
        text_addf(out, "`%s`", change->scope.clip);
    else if (which == 'o' || which == 'O')
        text_add(out, which == 'o' ? nouns[change->scope.noun].one : nouns[change->scope.noun].many);
    else if (which == 'k' || change->scope.extra)
        text_add(out, which == 'k' ? keys_words[change->scope.keys] : change->scope.extra);
}

static void add_expanded(const struct import_context *c, const char *template, const struct change *change,
                         struct text *out)
{
    for (const char *at = template; *at; at++) {
        bool is_placeholder = at[0] == '{' && at[1] && at[2] == '}';
        if (!is_placeholder)
            text_add_bytes(out, at, 1);
        else if (at[1] != 'd')
            add_placeholder(c, at[1], change, out);
        for (const struct change *part = change; is_placeholder && at[1] == 'd' && part; part = part->also) {
            text_add(out, part == change ? "" : "; ");
            add_expanded(c, part->phrase, part, out);
        }
        at += is_placeholder ? 2 : 0;
    }
}

static const char *expand(struct import_context *c, const char *template, const struct change *change)
{
    struct text text = {0};
    add_expanded(c, template, change, &text);
    return import_text(c, &text);
}

/* For the stages after the import. */
static void add_fault(struct import_context *c, const struct change *change)
{
    static const enum fault_subject subjects[NOUN_COUNT] = {FAULT_NODE, FAULT_TEXTURE, FAULT_MATERIAL, FAULT_MESH,
                                                            FAULT_CLIP, FAULT_OTHER,   FAULT_OTHER,    FAULT_OTHER};
    enum finding_code code = change->finding.code;
    bool is_renamed_mesh = code == CODE_RENAMED && change->scope.noun == NOUN_MESH;
    bool is_clip = kinds[code].flags & FAULT_OF_CLIP;
    struct import_fault fault = {
        .about = is_clip                  ? FAULT_CLIP
                 : code == CODE_NODE_BONE ? FAULT_BONE
                 : change->scope.clip     ? FAULT_CHANNEL
                                          : subjects[change->scope.noun],
        .unseen = is_renamed_mesh || kinds[code].flags & UNSEEN,
        .in_numbers = kinds[code].flags & IN_NUMBERS,
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
    const char *extra = a->scope.extra, *other = b->scope.extra;
    return a->finding.code == b->finding.code && a->scope.noun == b->scope.noun && a->scope.clip == b->scope.clip &&
           a->scope.keys == b->scope.keys && a->scope.unplayed == b->scope.unplayed &&
           (extra == other || (extra && other && strcmp(extra, other) == 0));
}

static void say_together(struct import_context *c, struct change *first)
{
    const struct kind *kind = &kinds[first->finding.code];
    size_t said = c->out->count;
    struct grouping grouping = grouping_begin(c->out, expand(c, kind->before, first), expand(c, kind->after, first));
    grouping.names_meshes = kind->flags & MESHES;
    grouping.details_are_predicates =
        kind->flags & PREDICATES || (first->finding.code == CODE_RENAMED && !*first->scope.extra);
    for (struct change *change = first; change < c->changes + c->change_count; change++)
        if (!change->said && are_together(change, first)) {
            const char *detail = change->detail ? change->detail : "{d}";
            grouping_add(&grouping, &change->finding, kind->flags & NAMES_ONLY ? NULL : expand(c, detail, change), "%s",
                         expand(c, kind->one, change));
            add_fault(c, change);
            change->said = true;
        }
    if (kind->flags & OF_MESH) {
        const char *mesh = grouping_mesh(&grouping);
        grouping.after = arena_printf(c->arena, " bones%s%s%s", mesh ? " of mesh " : "",
                                      mesh ? format_mesh(mesh, c->arena) : "", kind->after);
    }
    grouping_end(&grouping);
    for (; first->scope.unplayed && said < c->out->count; said++)
        c->out->items[said].text = arena_printf(c->arena, "%s (not played by this case)", c->out->items[said].text);
}

/* Component by component, code by code, those of a scope together. */
void import_say(struct import_context *c)
{
    for (int keys = KEYS_NONE; keys < KEYS_KIND_COUNT && c->change_count > 0; keys++)
        for (int code = 0; code < FINDING_CODE_COUNT; code++)
            for (struct change *change = c->changes; change < c->changes + c->change_count; change++)
                if (!change->said && (int)change->finding.code == code && (int)change->scope.keys == keys)
                    say_together(c, change);
    c->change_count = 0;
}
