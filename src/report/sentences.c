/* The one place where findings and verdicts become sentences: a template for each code, and the headline. */
#include "report/sentences.h"

#include <string.h>

#include "base/format_number.h"
#include "base/names.h"

/* A word in braces of a template. */
enum word {
    WORD_SUBJECT,
    WORD_MESH,
    WORD_PART,
    WORD_PART_MESH,
    WORD_OTHER,
    WORD_OTHER_NAME,
    WORD_CLIP,
    WORD_OTHER_CLIP,
    WORD_TIME,
    WORD_NOW_TIME,
    WORD_OFF,
    WORD_CHANGE,
    WORD_AND_CHANGE,
    WORD_DEGREES,
    WORD_NOW,
    WORD_WAS,
    WORD_INDEX,
    WORD_COUNT,
    WORD_OF,
    WORD_LABEL,
    WORD_ALSO,
    WORD_WHY,
    WORD_TARGET,
    WORD_BESIDE,
    WORD_HELD,
    WORD_LENGTH,
    WORD_PLACED,
    WORD_PICTURE,
    WORD_SIZE,
    WORD_MEASURED,
    WORD_REASON,
    WORD_COUNT_OF_WORDS
};

static const char *const words[WORD_COUNT_OF_WORDS] = {
    "subject", "mesh",    "part",   "part-mesh", "other", "other-name", "clip",  "other-clip", "time",    "now-time",
    "off",     "change",  "and-change", "degrees", "now", "was",        "index", "count",      "of",      "label",
    "also",    "why",     "target", "beside",    "held",  "length",     "placed", "picture",   "size",    "measured",
    "reason",
};

/* `many`: of a finding that speaks of several things, or of some of many. */
static const struct {
    const char *one, *many;
} sentences[FINDING_CODE_COUNT] = {
    [CODE_UNSKINNED] =
        {"the model has bones, but none of them holds a vertex: nothing is skinned (`allow: unskinned` permits "
         "that)"},
    [CODE_IMPORT_MEASURED] = {"{measured}"},
    [CODE_POSE_CLIP] = {"the pose is {other-clip}, was {clip}"},
    [CODE_POSE_TIME] = {"the pose is at {now-time}, was at {time}"},
    [CODE_POSE_NODE] = {"node {subject} is {part}", "{count} nodes are {part}: {also}"},
    [CODE_POSE_MORPH] = {"the morph weights of mesh {mesh} on node {other-name} are {part} at {time}",
                         "{count} lists of morph weights are {part} at {time}: {also}"},
    [CODE_MORPH_COUNT] = {"mesh {mesh} has {now} morph weights at {time}, had {was}"},
    [CODE_LOCAL] =
        {"local transform of {subject} is off by {change} at {time}, which moves vertices that follow it by up to "
         "{off}{why}",
         "{count} more local transforms are off by up to {off} at {time}"},
    [CODE_MORPH_WEIGHT] =
        {"morph weight {index}{target} of mesh {mesh} is {now}, was {was} at {time}, which moves vertices by "
         "{off}",
         "{count} more morph weights are off by up to {off} at {time}"},
    [CODE_LOCAL_SUM] =
        {"local transforms at and above {subject}, each within the tolerance, add up: bone {subject} (mesh "
         "{mesh}) is off by {off} at {time}; {other-name} does most"},
    [CODE_LOCAL_MEASURED] = {"{measured}"},
    [CODE_PART_NOT_COMPARED] = {"{part}: {other}"},
    [CODE_PALETTE_SPACE] = {"the palette is in {other} space, was in {part} space: they are not compared"},
    [CODE_POSE_ENTRY] = {"the palette entry of {subject} (mesh {mesh}) is {part}",
                         "{count} palette entries are {part}: {also}"},
    [CODE_MESH_TAKEN] = {"mesh {mesh} is taken for a part of mesh {part-mesh}"},
    [CODE_GLOBAL] = {"global matrix of node {subject} is off by {off} at {time}{why}",
                     "{count} more matrices are off by up to {off} at {time}"},
    [CODE_GLOBAL_BROKEN] =
        {"global matrix of node {subject} is not its parent's times its local transform: it is off by {off} at "
         "{time}{why}",
         "{count} more matrices are off by up to {off} at {time}"},
    [CODE_ENTRY] = {"bone {subject} (mesh {mesh}) is off by {off}{beside} at {time}{and-change}{why}",
                    "{count} more matrices are off by up to {off} at {time}"},
    [CODE_ENTRY_FOLLOWS] = {"bone {subject} (mesh {mesh}) follows and is off by {off} at {time}",
                            "{count} bones follow: bone {subject} (mesh {mesh}) is off most, by {off} at {time}"},
    [CODE_MATRICES_MEASURED] = {"{measured}"},
    [CODE_SKIN_MESH] = {"the skinned vertices of mesh {mesh} are {part}"},
    [CODE_SKIN_PARTS] =
        {"skinned mesh {mesh} is not compared: the other side has parts of it, or a whole of which it is a part"},
    [CODE_SKIN_ORDER] = {"the vertices of mesh {mesh} are in another order: normals are not compared"},
    [CODE_SKIN_POSITIONS] = {"only {part} has vertices of mesh {mesh}: boxes and centroids are compared"},
    [CODE_SKIN_COUNT] = {"skinned mesh {mesh} has {now} vertices, had {was}"},
    [CODE_SKIN_BOX] = {"the {part} of skinned mesh {mesh} is off by {off} at {time}"},
    [CODE_SKIN_VERTEX] =
        {"vertices of mesh {mesh} are up to {off} away from the golden's at {time}",
         "vertex {index} of mesh {mesh} is off by {off} at {time}; {count} of {of} vertices are off by more than a "
         "tenth of that"},
    [CODE_SKIN_NORMAL] = {"the normal of vertex {index} of mesh {mesh} is off by {degrees} at {time}"},
    [CODE_SKIN_MEASURED] = {"{measured}"},
    [CODE_GPU_COUNT] = {"the GPU gives {now} vertices of mesh {mesh} at {time}, the CPU {was}"},
    [CODE_GPU_NO_NUMBER] =
        {.many = "{count} of {of} positions of mesh {mesh} are no numbers at {time}, on the GPU or the CPU; "
                 "vertex {index}, held by {subject}, is the first"},
    [CODE_GPU_POSITION] = {"the GPU puts vertex {index} of mesh {mesh} {off} away from the CPU's at {time}; {held}"},
    [CODE_GPU_LENGTH] =
        {"the GPU gives vertex {index} of mesh {mesh} a {part} {length} at {time}; it should be a unit vector; "
         "{held}"},
    [CODE_GPU_DIRECTION] =
        {"the GPU turns the {part} of vertex {index} of mesh {mesh} by {degrees} against the CPU's at {time}; "
         "{held}"},
    [CODE_GPU_BITANGENT] =
        {"the GPU gives vertex {index} of mesh {mesh} a tangent whose w is {now} at {time}, the CPU {was}: "
         "normal maps are upside down; {held}"},
    [CODE_POINTS_LOST] = {"{count} skinned points of {part} are no numbers at {time}"},
    [CODE_POINTS_MISSING] = {"{part} has no skinned points at {time}"},
    [CODE_POINTS_PLACED] = {"compared with the golden's, all skinned points are {placed}"},
    [CODE_POINTS] = {"skinned points are up to {off} away from the golden's at {time}"},
    [CODE_FRAME] = {"frame {label}: {picture}"},
    [CODE_FRAME_SIZE] = {"frame {label} is {size}, its golden is {other}"},
    [CODE_NEARLY_BLANK] =
        {.many = "frame {label} is nearly blank: all but {count} of its pixels are alike (`allow: blank` permits "
                 "that)"},
    [CODE_BLANK] = {"frame {label} is blank: nothing is drawn{reason} (`allow: blank` permits that)"},
    [CODE_DRAW_MEASURED] = {"{measured}"},
};

/* A finding and what is known of it besides. */
struct saying {
    const struct case_result *result;
    const struct finding *finding;
    double unit_meters;
};

static const struct time_result *picture_of(const struct saying *s)
{
    static const struct time_result none = {.label = ""};
    return s->finding->index < s->result->time_count ? &s->result->times[s->finding->index] : &none;
}

static void add_off(const struct saying *s, struct text *out)
{
    text_addf(out, "%s (%s)", format_length(s->finding->distance, s->unit_meters).text,
              format_displacement(s->finding->displacement).text);
}

/* Adds the change besides the distance, which is said before. */
static void add_change(const struct saying *s, bool is_second, struct text *out)
{
    const struct finding *f = s->finding;
    struct text change = {0};
    change_describe(f->degrees, f->axis, f->translation, f->scale_percent, f->reach, f->distance, s->unit_meters,
                    &change);
    if (!is_second || strcmp(text_string(&change), format_length(f->distance, s->unit_meters).text) != 0)
        text_addf(out, "%s%s", is_second ? ": " : "", text_string(&change));
    text_release(&change);
}

static void add_why(const struct finding *f, struct text *out)
{
    static const char *const whys[FINDING_WHY_COUNT] = {
        [WHY_IDENTITY] = "is the identity now",
        [WHY_TRANSPOSED] = "is transposed",
        [WHY_INVERSE] = "is the inverse of what it was",
        [WHY_UNMOVED] = "has lost its translation",
        [WHY_BY_COLUMNS] = "has its columns where rows belong",
        [WHY_ROTATION_INVERTED] = "; its rotation is inverted",
        [WHY_W_FIRST] = "; its quaternion has w first",
        [WHY_W_LAST] = "; its quaternion has w last where it should be first",
    };
    if (f->why == WHY_LONGER)
        text_addf(out, "; its translation is %s", format_factor(f->now, "longer", "shorter").text);
    else if (f->why == WHY_OTHER_BONE)
        text_addf(out, "; it has the matrix of `%s`", f->other);
    else if (f->why != WHY_NONE)
        text_addf(out, "%s%s", f->why <= WHY_BY_COLUMNS ? (f->code == CODE_ENTRY ? "; its matrix " : "; it ") : "",
                  whys[f->why]);
}

/* "`a`, `b`, `c` and 9 more" */
static void add_also(const struct finding *f, struct text *out)
{
    name_quote(f->subject, '`', out);
    for (uint32_t i = 0; i < f->also_count; i++) {
        text_add(out, i + 2 == f->count ? " and " : ", ");
        name_quote(f->also[i], '`', out);
    }
    if (f->count > f->also_count + 1)
        text_addf(out, " and %u more", f->count - f->also_count - 1);
}

/* The bone of the worst vertex, and where the others are. */
static void add_held(const struct finding *f, struct text *out)
{
    text_addf(out, "`%s` holds most of it", f->subject);
    if (f->count > 1)
        text_addf(out, "; %u vertices are off", f->count);
    if (f->count > 1 && f->other)
        text_addf(out, ", most of them held by `%s`", f->other);
}

static void add_placed(const struct saying *s, struct text *out)
{
    const struct finding *f = s->finding;
    const bool is_turned = f->degrees > 0 || f->part, is_scaled = f->now > 1.5 || (f->now > 0 && f->now < 1.0 / 1.5);
    const char *before = "";
    if (is_scaled)
        text_add(out, format_factor(f->now, "larger", "smaller").text);
    else if (f->now > 0)
        text_addf(out, "%.2g %% %s", f->now > 1 ? 100 * (f->now - 1) : 100 * (1 - f->now),
                  f->now > 1 ? "larger" : "smaller");
    before = f->now > 0 ? " and " : "";
    if (f->part)
        text_addf(out, "%s%s", before, f->part);
    before = f->part ? " and " : before;
    if (f->degrees > 0)
        text_addf(out, "%sturned %s%s%s", before, format_degrees(f->degrees).text, f->axis ? " about " : "",
                  f->axis ? f->axis : "");
    before = f->degrees > 0 ? " and " : before;
    if (f->translation > 0)
        text_addf(out, "%smoved by %s", before, format_length(f->translation, s->unit_meters).text);
    text_addf(out, " at %s%s", format_seconds(f->time).text,
              is_scaled   ? (is_turned ? ": another unit and other axes?" : ": another unit?")
              : is_turned ? ": other axes?"
                          : "");
}

/* Adds how a picture differs, without what is explained where that is known. */
static void add_picture(const struct saying *s, struct text *out)
{
    enum { MOST_BONES = 4 };
    const struct image_result *image = &picture_of(s)->image, *rest = image->remaining;
    const bool is_rest = rest && rest->state == IMAGE_DIFFERS;
    rest = is_rest ? rest : image;
    text_addf(out, "%.3g %% of the foreground differs%s (%u of %u px, by up to %d levels) in %ux%u at %u,%u",
              100.0 * rest->share, is_rest ? " beside what is explained" : "", rest->changed, rest->foreground,
              rest->max_delta, rest->box[2], rest->box[3], rest->box[0], rest->box[1]);
    for (uint32_t i = 0; i < rest->bone_count && i < MOST_BONES; i++)
        text_addf(out, "%s `%s`", i > 0 ? "," : rest->bone_count > 1 ? "; bones" : "; bone", rest->bones[i].bone);
    if (rest->bone_count > MOST_BONES)
        text_addf(out, " and %u more", rest->bone_count - MOST_BONES);
}

/* A measure beyond a tolerance that came later has no finding of its own. */
static void add_measured(const struct finding *f, struct text *out)
{
    text_add(out, tolerance_differs[f->index]);
    if (!isfinite(f->measure))
        text_add(out, " in a way that no tolerance allows");
    else if (f->stage == STAGE_IMPORT)
        text_addf(out, " by up to %.2g", f->measure);
    else
        text_addf(out, " by up to %s", format_displacement(f->displacement).text);
    if (f->subject)
        text_addf(out, ", `%s` most at %s", f->subject, format_seconds(f->time).text);
}

static void add_clip(const char *clip, struct text *out)
{
    text_addf(out, clip ? "of clip `%s`" : "the rest pose", clip);
}

static void add_number(const struct saying *s, enum word word, struct text *out)
{
    const struct finding *f = s->finding;
    const struct formatted_pair pair = format_numbers(f->now, f->was);
    const struct image_result *image = &picture_of(s)->image;
    switch (word) {
    case WORD_TIME: text_add(out, format_seconds(f->time).text); break;
    case WORD_NOW_TIME: text_add(out, format_seconds(f->now).text); break;
    case WORD_DEGREES: text_add(out, format_degrees(f->degrees).text); break;
    case WORD_NOW: text_add(out, pair.now); break;
    case WORD_WAS: text_add(out, pair.was); break;
    case WORD_INDEX: text_addf(out, "%u", f->index); break;
    case WORD_COUNT: text_addf(out, "%u", f->count); break;
    case WORD_OF: text_addf(out, "%u", f->of); break;
    case WORD_SIZE: text_addf(out, "%ux%u", image->width, image->height); break;
    default: text_addf(out, f->now < 0 ? "that is no number" : "of length %.3g", f->now); break; /* WORD_LENGTH */
    }
}

static void add_word(const struct saying *s, enum word word, struct text *out)
{
    const struct finding *f = s->finding;
    const char *const mesh = f->mesh ? f->mesh : "", *const part = f->part ? f->part : "",
                      *const other = f->other ? f->other : "";
    switch (word) {
    case WORD_SUBJECT: text_addf(out, "`%s`", f->subject ? f->subject : ""); break;
    case WORD_MESH: name_quote(mesh, '`', out); break;
    case WORD_PART: text_add(out, part); break;
    case WORD_PART_MESH: name_quote(part, '`', out); break;
    case WORD_OTHER: text_add(out, other); break;
    case WORD_OTHER_NAME: text_addf(out, "`%s`", other); break;
    case WORD_CLIP: add_clip(f->clip, out); break;
    case WORD_OTHER_CLIP: add_clip(f->other, out); break;
    case WORD_OFF: add_off(s, out); break;
    case WORD_CHANGE: add_change(s, false, out); break;
    case WORD_AND_CHANGE: add_change(s, true, out); break;
    case WORD_LABEL: text_add(out, picture_of(s)->label); break;
    case WORD_ALSO: add_also(f, out); break;
    case WORD_WHY: add_why(f, out); break;
    case WORD_TARGET: text_addf(out, *part ? " (`%s`)" : "", part); break;
    case WORD_BESIDE: text_add(out, *part ? " beside what its node moved" : ""); break;
    case WORD_HELD: add_held(f, out); break;
    case WORD_PLACED: add_placed(s, out); break;
    case WORD_PICTURE: add_picture(s, out); break;
    case WORD_MEASURED: add_measured(f, out); break;
    case WORD_REASON: text_addf(out, *other ? ": %s" : "", other); break;
    default: add_number(s, word, out); break;
    }
}

/* The template with its words filled in. */
static void add_sentence(const struct saying *s, struct text *out)
{
    const struct finding *f = s->finding;
    const bool is_many = f->count > 1 || f->of > 0;
    const char *at = sentences[f->code].many && (is_many || !sentences[f->code].one) ? sentences[f->code].many
                                                                                     : sentences[f->code].one;
    if (f->instance > 0)
        text_addf(out, "instance %u of the crowd: ", f->instance);
    while (at && *at) {
        const size_t plain = strcspn(at, "{");
        text_add_bytes(out, at, plain);
        at += plain;
        const size_t length = strcspn(at, "}");
        for (int word = 0; *at && word < WORD_COUNT_OF_WORDS; word++)
            if (strlen(words[word]) == length - 1 && strncmp(words[word], at + 1, length - 1) == 0)
                add_word(s, (enum word)word, out);
        at += *at ? length + 1 : 0;
    }
}

static const char *say(const struct case_result *result, struct finding *finding, struct arena *arena)
{
    struct text text = {0};
    if (finding && !*finding->text) {
        add_sentence(&(struct saying){result, finding, result->about->unit_meters}, &text);
        finding->text = arena_string(arena, text_string(&text));
        text_release(&text);
    }
    return finding ? finding->text : NULL;
}

/* The repair that came or went may be the reason of what the import's worst finding says: " (repair `unweighted` is
 * new: ...)". */
static const char *say_repair(const struct case_result *result, struct arena *arena)
{
    const struct verdict_findings *about = result->about;
    if (!about->repair)
        return "";
    return arena_printf(arena, about->repair_count > 1 ? " (%s; %zu more came or went)" : " (%s)",
                        say(result, about->repair, arena), about->repair_count - 1);
}

/* Each stage by its worst finding; that of the culprit with what may be its reason: a repair, or a golden of two
 * runs. */
static void say_stages(struct case_result *result, struct arena *arena)
{
    const struct judge_facts *facts = result->facts;
    for (int s = 0; s < STAGE_COUNT; s++) {
        struct stage_result *stage = &result->stages[s];
        const char *why = facts->compared[s] ? NULL : facts->absent[s];
        stage->summary = why ? why : say(result, result->about->worst[s], arena);
        if (s == (int)result->stage && !why)
            stage->summary =
                arena_printf(arena, "%s%s%s%s%s", stage->summary, s == STAGE_IMPORT ? say_repair(result, arena) : "",
                             facts->mismatch ? "; " : "", facts->mismatch ? facts->mismatch : "",
                             facts->mismatch ? " of the golden does not match its hash in recorded.json" : "");
    }
}

/* Says whether what differs can be seen: "; skin and pixels differ", "; nothing visible changed". */
static const char *say_visible(const struct case_result *result)
{
    enum { NOT_COMPARED, AGREES, DIFFERS };
    static const char *const says[3][3] = {
        {"", "; no pixel differs", "; pixels differ"},
        {"; the skin agrees", "; nothing visible changed", "; pixels differ, the skin does not"},
        {"; the skin differs", "; the skin differs, no pixel does", "; skin and pixels differ"},
    };
    const enum stage_state state = result->stages[STAGE_SKIN].state;
    int skin = state == STAGE_NOT_COMPARED ? NOT_COMPARED
               : state == STAGE_PASSED     ? AGREES
                                           : DIFFERS,
        pixels = NOT_COMPARED;
    for (uint32_t i = 0; i < result->time_count; i++) {
        const enum image_state image = result->times[i].image.state;
        const bool agrees = image == IMAGE_SAME || image == IMAGE_NOISE || image == IMAGE_TOLERATED;
        pixels = image == IMAGE_DIFFERS ? DIFFERS : agrees && pixels == NOT_COMPARED ? AGREES : pixels;
    }
    if (result->stage >= STAGE_SKIN) /* which the headline is about */
        skin = NOT_COMPARED;
    return result->vacuous || (result->stage == STAGE_DRAW && pixels == DIFFERS) ? "" : says[skin][pixels];
}

/* The worst of the first culprit, and what differs after it without following from it. */
static const char *say_culprits(const struct case_result *result, struct arena *arena)
{
    const char *headline = result->stages[result->stage].summary;
    for (int s = result->stage + 1; s < STAGE_COUNT; s++)
        if (result->stages[s].state == STAGE_DIFFERS)
            headline = arena_printf(arena, "%s; and on its own: %s: %s", headline, stage_name((enum stage)s),
                                    result->stages[s].summary);
    return arena_printf(arena, "%s%s", headline, say_visible(result));
}

static const char *say_drift(const struct case_result *result, struct arena *arena)
{
    struct text other = {0}; /* "`mesa`, `llvm`" */
    const char *name, *was, *now;
    int level = 0;
    for (uint32_t i = 0; i < result->time_count; i++)
        level = result->times[i].image.max_delta > level ? result->times[i].image.max_delta : level;
    for (uint32_t at = 0; fingerprint_next_difference(&result->golden, &result->actual, &at, &name, &was, &now);)
        text_addf(&other, "%s`%s`", other.size > 0 ? ", " : ": ", name);
    const char *says =
        arena_printf(arena, "pixels differ by up to %d level%s; the golden was recorded with another setup%s", level,
                     level == 1 ? "" : "s", text_string(&other));
    text_release(&other);
    return says;
}

static const char *say_headline(const struct case_result *result, struct arena *arena)
{
    const struct judge_facts *facts = result->facts;
    const bool fails = result->status == CASE_FAIL || result->status == CASE_XFAIL;
    /* Stages that differ at one time and were not compared at the others count as both. */
    const char *const untested[] = {facts->not_sampled, facts->missing ? facts->missing_what : NULL};
    const char *headline = NULL;
    int said = 0;
    if (facts->error)
        return facts->error;
    if (result->stage != STAGE_NONE)
        headline = say_culprits(result, arena);
    else if (fails && facts->mismatch)
        headline =
            arena_printf(arena,
                         "%s of the golden does not match its hash in recorded.json: an `accept` was interrupted, or "
                         "the file was changed by hand; look at it and accept the case again",
                         facts->mismatch);
    else if (fails || result->status == CASE_MISSING)
        headline = untested[said = untested[0] ? 0 : 1], said++;
    else if (result->status == CASE_UNEXPECTED_PASS)
        headline = "the case passes, but the suite expects it to fail: remove `expect: fail`";
    else if (result->status == CASE_DRIFT)
        headline = say_drift(result, arena);
    for (int i = said; i < 2 && fails; i++)
        if (untested[i])
            headline = arena_printf(arena, "%s; %s", headline, untested[i]);
    return headline;
}

/* "shell: 0.0031 (animate, palette)": as a suite has it, each tolerance once, the widest. */
static void add_needed(const struct case_result *result, size_t at, struct text *out)
{
    const struct needed_tolerance *needed = &result->needed[at];
    const char *name = tolerance_key_names[needed->key];
    double least = needed->least;
    struct text stages = {0};
    for (size_t i = 0; i < result->needed_count; i++) {
        const struct needed_tolerance *other = &result->needed[i];
        if (strcmp(tolerance_key_names[other->key], name) != 0)
            continue;
        if (i < at) {
            text_release(&stages);
            return;
        }
        least = other->least > least ? other->least : least;
        text_addf(&stages, "%s%s", stages.size > 0 ? ", " : "", stage_name(tolerance_stage(other->key)));
    }
    text_addf(out, "%s", out->size > 0 ? ", " : "");
    if (needed->key == TOLERANCE_PIXEL_SHARE)
        text_addf(out, "pixels: {share: %.2g}", least);
    else
        text_addf(out, needed->key == TOLERANCE_KEYS ? "%s: %.0f" : "%s: %.2g", name, least);
    text_addf(out, " (%s)", text_string(&stages));
    text_release(&stages);
}

/* The first failure that no tolerance allows; NULL where the headline begins with it. */
static const char *say_hopeless(const struct case_result *result, struct arena *arena)
{
    const struct judge_facts *facts = result->facts;
    struct finding *hopeless = result->about->hopeless;
    if (result->stage == STAGE_NONE || (hopeless && hopeless == result->about->worst[result->stage]))
        return NULL;
    if (hopeless)
        return say(result, hopeless, arena);
    if (facts->mismatch)
        return arena_printf(arena, "%s of the golden does not match its hash", facts->mismatch);
    return facts->not_sampled ? facts->not_sampled : facts->missing ? facts->missing_what : NULL;
}

/* From which tolerances on the case would pass, and what goes unseen under them. */
static const char *say_passes_from(const struct case_result *result, struct arena *arena)
{
    struct text keys = {0}, risks = {0};
    const char *hopeless = result->about->is_hopeless ? say_hopeless(result, arena) : NULL, *says = NULL;
    for (size_t i = 0; i < result->needed_count; i++) {
        const struct needed_tolerance *needed = &result->needed[i];
        add_needed(result, i, &keys);
        bool is_widest = needed->risk != NULL; /* of those that hide the same, which is said once */
        for (size_t k = 0; is_widest && k < result->needed_count; k++) {
            const struct needed_tolerance *other = &result->needed[k];
            bool is_alike = k != i && other->risk && strcmp(other->risk, needed->risk) == 0;
            is_widest = !is_alike || needed->least > other->least || (needed->least >= other->least && i < k);
        }
        if (is_widest)
            text_addf(&risks, "%s%.2g %s", risks.size > 0 ? ", " : "; look at it first: ", needed->least, needed->risk);
    }
    if (result->about->is_hopeless)
        says = arena_printf(arena, "no tolerance lets it pass%s%s", hopeless ? ": " : "", hopeless ? hopeless : "");
    else if (result->needed_count > 0)
        says = arena_printf(arena, "would pass from %s%s", text_string(&keys), text_string(&risks));
    text_release(&keys);
    text_release(&risks);
    return says;
}

void report_say(struct case_result *result, struct arena *arena)
{
    if (!result->about || !result->facts)
        return;
    for (size_t i = 0; i < result->finding_count; i++)
        say(result, &result->findings[i], arena);
    say_stages(result, arena);
    result->vacuity = say(result, result->about->vacuity, arena);
    result->headline = say_headline(result, arena);
    result->passes_from = say_passes_from(result, arena);
}
