/* The sentences of what changed in an import: one table of them, in which several of a kind are told together. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/names.h"
#include "compare/format_number.h"
#include "compare/import/import_compare.h"

enum { MESHES = 1, PREDICATES = 2, BENIGN = 4, OF_MESH = 8 };

// clang-format off
/*
 * {s} the subject, {m} its mesh, {c} the clip: quoted; {b} the subject in brackets, nothing where it has no name; {d} what the
 * change says; {n} and {w} a member now and before; {p} the plural of {n}; {i} the index; {k} the keys' component, {x} the
 * extra, {o} and {O} the noun and its plural.
 */
static const struct kind {
    const char *one;            /* the sentence of one change; "" where it has only its own words: {d} */
    const char *before, *after; /* of several, around their number */
    unsigned flags; /* MESHES: names in lists are meshes; PREDICATES: details go on with the sentence; OF_MESH: " of mesh
                     * `body`" before `after` where all are of one mesh */
} kinds[FINDING_CODE_COUNT] = {
    [CODE_UP_AXIS] = {"the up axis is {d}", "", ""},
    [CODE_UNIT] = {"{d}", "", ""},
    [CODE_GONE] = {"{w}{o} {s} is gone{d}", "", " {O} are gone{x}"},
    [CODE_NEW] = {"{w}{o} {s} is new{d}", "", " {O} are new{x}"},
    [CODE_RENAMED] = {"{o} {s} is named {d}", "the names of ", " {O}{x}"},
    [CODE_NODE_PARENT] = {"node {s} {d}", "", " nodes have another parent"},
    [CODE_NODE_PATTERN] = {"local transform of node {s} {d}", "local transforms of ", " nodes {x}"},
    [CODE_NODE_LONGER] = {"translation of node {s} is {d}", "translations of ", " nodes", PREDICATES},
    [CODE_NODE_LOCAL] = {"local transform of node {s}: {d}", "local transforms of ", " nodes differ"},
    [CODE_NODE_BONE] = {"bone {s} is {d}", "", " bones are other nodes of their names"},
    [CODE_CLIP_LENGTH] = {"clip {s} {d}", "", " clips last longer or shorter"},
    [CODE_CLIPS_LENGTH] = {"{d}", "", ""},
    [CODE_CLIP_TIMES] = {"all keys of clip {s} come {d}", "the key times of ", " clips changed"},
    [CODE_CLIP_TICKS] = {"clip {s} has {d}", "ticks per second of ", " clips changed"},
    [CODE_CHANNEL_GONE] = {"the channel of {s} {d}", "", " channels of clip {c} are gone"},
    [CODE_CHANNEL_NEW] = {"clip {c} has a channel of {s} now{d}", "", " channels of clip {c} are new"},
    [CODE_MORPH_GONE] = {"the morph weights of {s} are gone from clip {c}", "", " channels of clip {c} are gone"},
    [CODE_MORPH_NEW] = {"clip {c} has morph weights of {s} now", "", " channels of clip {c} are new"},
    [CODE_CHANNEL_UNMATCHED] = {"the channel of {s} (clip {c}) {d}", "", " channels of clip {c} find their nodes"},
    [CODE_MORPH_TARGETS] = {"clip {c} has weights of {d}", "morph targets of ", " nodes changed (clip {c})"},
    [CODE_KEYS_LOST] = {"the {k} keys of {s} are gone (clip {c}){d}",
        "the {k} keys of ", " channels of clip {c} are gone"},
    [CODE_KEYS_GAINED] = {"{s} has {n} {k} key{p} now (clip {c}), had none{d}",
        "", " channels of clip {c} have {k} keys now"},
    [CODE_KEYS_INTERPOLATION] = {"{k} keys of {s} (clip {c}) are {d}", "{k} keys of ",
                            " channels of clip {c} are interpolated in another way"},
    [CODE_KEYS_COUNTS] = {"{k} keys of {s} (clip {c}): {d}", "{k} keys of ", " channels of clip {c} changed"},
    [CODE_KEYS_CHANGED] = {"{d}", "{k} keys of ", " channels of clip {c} changed"},
    [CODE_KEYS_VALUES] = {"values of the {k} keys of {s} (clip {c}): {d}", "values of the {k} keys of ",
                     " channels of clip {c} changed"},
    [CODE_CHANNEL_REPAIR] = {"the channel of {s} (clip {c}) is {d}",
        "", " channels of clip {c} come from elsewhere", BENIGN},
    [CODE_MESH_COUNTS] = {"mesh {m}: {d}", "counts of ", " meshes changed", MESHES},
    [CODE_MESH_UVS] = {"mesh {m} {d}", "texture coordinates of ", " meshes changed", MESHES},
    [CODE_MESH_TARGETS] = {"mesh {m}: {d}", "morph targets of ", " meshes changed", MESHES},
    [CODE_MESH_MATERIAL] = {"mesh {m} has the material {d}", "materials of ", " meshes changed", MESHES},
    [CODE_MESH_NODES] = {"mesh {m} hangs on {d}", "nodes of ", " meshes changed", MESHES},
    [CODE_MESH_PLACED] = {"mesh {m} is {d}", "bounds of ", " meshes changed", MESHES},
    [CODE_MESH_BOUNDS] = {"bounds of mesh {m} differ by {d}", "bounds of ", " meshes changed", MESHES},
    [CODE_MESH_INFLUENCES] = {"{d}", "influences in ", " meshes changed", MESHES},
    [CODE_BONES_ALL] = {"mesh {m} {d}", "the bones of ", " meshes changed", MESHES},
    [CODE_BONE_GONE] = {"mesh {m} no longer binds bone {s}", "", " are no longer bound", OF_MESH},
    [CODE_BONE_NEW] = {"mesh {m} binds bone {s} now", "", " are bound that were not", OF_MESH},
    [CODE_BONES_OFFSETS] = {"{d}", "offset matrices of the bones of ", " meshes", MESHES | PREDICATES},
    [CODE_BONE_OFFSET] = {"offset matrix of {s} (mesh {m}): {d}", "offset matrices of ", " differ", OF_MESH},
    [CODE_BONE_EXCHANGED] = {"bone {s} (mesh {m}) holds the vertices that {d} held", "vertices of ", " are held by others",
                        OF_MESH},
    [CODE_BONE_WEIGHTS] = {"bone {s} (mesh {m}): {d}", "weights of ", " differ", OF_MESH},
    [CODE_BONE_STANDS_IN] = {"bone {s} (mesh {m}) is {d}", "", " are in the file on one side only", OF_MESH},
    [CODE_BONES_ORDER] = {"the bones of mesh {m} come in another order: {d}", "the bones of ", " meshes come in another order",
                     MESHES | BENIGN},
    [CODE_MESH_VERTICES] = {"vertices of mesh {m} {d}", "vertices of ", " meshes", MESHES | PREDICATES},
    [CODE_MESH_FACES] = {"triangles of mesh {m} {d}", "triangles of ", " meshes", MESHES | PREDICATES},
    [CODE_MESH_NORMALS] = {"normals of mesh {m} {d}", "normals of ", " meshes", MESHES | PREDICATES},
    [CODE_MESH_UV_VALUES] = {"texture coordinates of mesh {m} {d}", "texture coordinates of ", " meshes", MESHES | PREDICATES},
    [CODE_MESH_COLORS] = {"colours of mesh {m} {d}", "colours of ", " meshes", MESHES | PREDICATES},
    [CODE_MESH_TANGENTS] = {"tangents of mesh {m} {d}", "tangents of ", " meshes", MESHES | PREDICATES},
    [CODE_MESH_HAS_COLORS] = {"mesh {m} {d}", "colours of ", " meshes", MESHES | PREDICATES},
    [CODE_TARGET_NAME] = {"morph target {i}{b} of mesh {m} is {d}", "names of ", " morph targets changed"},
    [CODE_TARGET_MOVED] = {"morph target {i}{b} of mesh {m} {d}", "vertices that ", " morph targets move changed"},
    [CODE_TARGET_DELTAS] = {"morph target {i}{b} of mesh {m} {d}", "deltas of ", " morph targets changed"},
    [CODE_TARGET_NORMALS] = {"morph target {i}{b} of mesh {m} {d}", "normals of ", " morph targets changed"},
    [CODE_TARGET_WEIGHT] = {"morph target {i}{b} of mesh {m} rests at weight {d}", "resting weights of ",
                       " morph targets changed"},
    [CODE_MATERIAL_COLOR] = {"base colour of material {s} is {d}", "base colours of ", " materials changed"},
    [CODE_MATERIAL_TEXTURE] = {"material {s} {d}", "textures of ", " materials changed"},
    [CODE_MATERIAL_WRAP] = {"the texture of material {s} is {d}", "wrapping of the textures of ", " materials changed"},
    [CODE_MATERIAL_ALPHA] = {"material {s} is {d}", "alpha of ", " materials changed"},
    [CODE_MATERIAL_SIDES] = {"material {s} is {d}", "sides of ", " materials changed"},
    [CODE_MATERIAL_UNLIT] = {"material {s} is {d}", "lighting of ", " materials changed"},
    [CODE_MAP_GONE] = {"material {s} lost its {x} map {d}", "", " materials lost their {x} maps"},
    [CODE_MAP_NEW] = {"material {s} has the {x} map {d} now", "", " materials have {x} maps now"},
    [CODE_MAP_TEXTURE] = {"the {x} map of material {s} is {d}", "{x} maps of ", " materials changed"},
    [CODE_MAP_CHANGED] = {"the {x} map of material {s} has {d}", "{x} maps of ", " materials changed"},
    [CODE_MATERIAL_FACTOR] = {"{x} of material {s} is {d}", "{x} of ", " materials changed"},
    [CODE_TEXTURE_MISSING] = {"texture {s} {d}", "", " textures changed"},
    [CODE_TEXTURE_SIZE] = {"texture {s} is {d}", "sizes of ", " textures changed"},
    [CODE_TEXTURE_PICTURE] = {"texture {s} {d}", "pictures of ", " textures changed"},
    [CODE_CAMERA_CHANGE] = {"camera {s} {d}", "", " cameras changed"},
    [CODE_REPAIR_GONE] = {"repair {s} {d}", "", " repairs are no longer needed", BENIGN},
    [CODE_REPAIR_NEW] = {"repair {s} is new: {d}", "", " repairs are new", BENIGN},
    [CODE_WARNING_GONE] = {"warning {s} {d}", "", " warnings are gone", BENIGN},
    [CODE_WARNING_NEW] = {"warning {s} is new: {d}", "", " warnings are new", BENIGN},
    [CODE_WARNING_LFS] = {"warning {s} is new: {d}", "", " warnings are new", BENIGN},
    [CODE_NOTE_TEXT] = {"{o} {s} says: {d}", "", " {O} say something else", BENIGN},
    [CODE_ORDER] = {"{w}{O} come in another order: {d}", "", "", BENIGN},
    [CODE_FIRST_CLIP] = {"the first clip is {d}: a run that names no clip plays another one now", "", "", BENIGN},
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

struct change *import_change(struct import_context *c, enum finding_code kind, const struct finding *finding,
                             const char *says, const char *detail)
{
    if (c->change_count == c->change_capacity) {
        struct change *grown = ARENA_NEW(c->arena, struct change, 2 * c->change_capacity + 16);
        if (c->change_count > 0)
            memcpy(grown, c->changes, c->change_count * sizeof *grown);
        c->changes = grown;
        c->change_capacity = 2 * c->change_capacity + 16;
    }
    struct change *change = &c->changes[c->change_count++];
    *change = (struct change){kind, *finding, c->scope, .says = says, .detail = detail};
    change->finding.code = kind;
    change->finding.clip = c->scope.clip;
    change->finding.part = c->scope.keys != KEYS_NONE ? keys_words[c->scope.keys]
                           : kind == CODE_GONE || kind == CODE_NEW || kind == CODE_RENAMED || kind == CODE_ORDER
                               ? nouns[c->scope.noun].one
                           : kind >= CODE_MAP_GONE && kind <= CODE_MATERIAL_FACTOR ? c->scope.extra
                                                                                   : NULL;
    change->finding.benign = finding->benign || c->scope.unplayed || kinds[kind].flags & BENIGN;
    return change;
}

const char *import_text(struct import_context *c, struct text *text)
{
    const char *copy = arena_string(c->arena, text_string(text));
    text_release(text);
    return copy;
}

const char *import_expand(struct import_context *c, const char *template, const struct change *change)
{
    static const char placeholders[] = "dnwkxoO";
    const char *subject = change->finding.subject, *mesh = change->finding.mesh;
    const char *const plain[] = {change->says,
                                 change->now,
                                 change->was,
                                 keys_words[change->scope.keys],
                                 change->scope.extra,
                                 nouns[change->scope.noun].one,
                                 nouns[change->scope.noun].many};
    struct text text = {0};
    for (const char *at = template; *at; at++) {
        bool is_placeholder = at[0] == '{' && at[1] && at[2] == '}';
        char which = is_placeholder ? at[1] : '\0';
        const char *found = strchr(placeholders, which);
        if (!is_placeholder)
            text_add_bytes(&text, at, 1);
        else if (which == 'i')
            text_addf(&text, "%u", change->index);
        else if (which == 'p')
            text_add(&text, format_plural(change->count));
        else if (which == 'b') /* not every target has a name */
            text_addf(&text, *subject ? " (`%s`)" : "", subject);
        else if (which == 'm' || (which == 's' && mesh == subject))
            name_quote(mesh ? mesh : "", '`', &text);
        else if (which == 's' || which == 'c')
            text_addf(&text, "`%s`", which == 's' ? subject : change->scope.clip);
        else
            text_add(&text, plain[found - placeholders] ? plain[found - placeholders] : "");
        at += is_placeholder ? 2 : 0;
    }
    return import_text(c, &text);
}

/* For the stages after the import. */
static void add_fault(struct import_context *c, const struct change *change)
{
    static const enum fault_subject subjects[NOUN_COUNT] = {FAULT_NODE,  FAULT_TEXTURE, FAULT_MATERIAL, FAULT_MESH,
                                                            FAULT_CLIP, FAULT_OTHER,   FAULT_OTHER,    FAULT_OTHER};
    bool is_renamed_mesh = change->kind == CODE_RENAMED && change->scope.noun == NOUN_MESH;
    bool is_clip = change->kind == CODE_CLIP_LENGTH || change->kind == CODE_CLIPS_LENGTH ||
                   change->kind == CODE_CLIP_TIMES;
    struct import_fault fault = {
        .about = is_clip                     ? FAULT_CLIP
                 : change->kind == CODE_NODE_BONE ? FAULT_BONE
                 : change->scope.clip        ? FAULT_CHANNEL
                                             : subjects[change->scope.noun],
        .unseen = is_renamed_mesh || change->kind == CODE_BONE_OFFSET || change->kind == CODE_BONES_OFFSETS ||
                  (change->kind >= CODE_MATERIAL_UNLIT && change->kind <= CODE_MATERIAL_FACTOR),
        .in_numbers = change->kind == CODE_MATERIAL_COLOR || change->kind == CODE_MATERIAL_WRAP ||
                      change->kind == CODE_MATERIAL_ALPHA ||
                      change->kind == CODE_MATERIAL_SIDES,
        .name = change->finding.mesh ? change->finding.mesh : change->finding.subject,
        .now = is_renamed_mesh ? renamed(&c->renames[NOUN_MESH], change->finding.subject) : NULL,
        .clip = change->scope.clip,
        .keys = (int)change->scope.keys - KEYS_TRANSLATION,
        .most = change->most > 0 ? change->most : INFINITY,
    };
    if ((fault.name || is_clip) && !change->finding.benign)
        findings_add_fault(c->out, &fault);
}

static void say_together(struct import_context *c, const struct change *first, const struct change *end)
{
    const struct kind *kind = &kinds[first->kind];
    size_t said = c->out->count;
    struct grouping grouping =
        grouping_begin(c->out, import_expand(c, kind->before, first), import_expand(c, kind->after, first));
    grouping.names_meshes = kind->flags & MESHES;
    grouping.details_are_predicates = kind->flags & PREDICATES || (first->kind == CODE_RENAMED && !*first->scope.extra);
    for (struct change *change = (struct change *)first; change < end; change++)
        if (!change->told && change->kind == first->kind && change->scope.noun == first->scope.noun &&
            change->scope.clip == first->scope.clip && change->scope.keys == first->scope.keys &&
            change->scope.extra == first->scope.extra && change->scope.unplayed == first->scope.unplayed) {
            grouping_add(&grouping, &change->finding, change->detail, "%s", import_expand(c, kind->one, change));
            add_fault(c, change);
            change->told = true;
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

/* Component by component, kind by kind, those of a scope together. */
void import_say(struct import_context *c)
{
    const struct change *end = c->changes + c->change_count;
    for (int keys = KEYS_NONE; keys < KEYS_KIND_COUNT && c->change_count > 0; keys++)
        for (int kind = 0; kind < FINDING_CODE_COUNT; kind++)
            for (const struct change *change = c->changes; change < end; change++)
                if (!change->told && (int)change->kind == kind && (int)change->scope.keys == keys)
                    say_together(c, change, end);
    c->change_count = 0;
}
