/* A finding becomes a sentence: the words of its code's template are filled in. */
#include "report/sentences.h"

#include <string.h>

#include "base/format_number.h"
#include "base/names.h"
#include "data/result/import_change.h"

/* The words in braces of a template. */
// clang-format off
#define WORDS(ROW) \
    ROW(SUBJECT, "subject") ROW(MESH, "mesh") ROW(PART, "part") ROW(PART_MESH, "part-mesh") ROW(OTHER, "other") \
    ROW(OTHER_NAME, "other-name") ROW(OF_CLIP, "of-clip") ROW(OTHER_CLIP, "other-clip") ROW(TIME, "time") \
    ROW(NOW_TIME, "now-time") ROW(OFF, "off") ROW(CHANGE, "change") ROW(AND_CHANGE, "and-change") \
    ROW(DEGREES, "degrees") ROW(NOW, "now") ROW(WAS, "was") ROW(INDEX, "index") ROW(COUNT, "count") ROW(OF, "of") \
    ROW(LABEL, "label") ROW(ALSO, "also") ROW(WHY, "why") ROW(TARGET, "target") ROW(BESIDE, "beside") \
    ROW(HELD, "held") ROW(LENGTH, "length") ROW(PLACED, "placed") ROW(PICTURE, "picture") ROW(SIZE, "size") \
    ROW(MEASURED, "measured") ROW(REASON, "reason") ROW(PHRASE, "phrase") ROW(BY, "by") ROW(EXTRA, "extra") \
    ROW(FIGURES, "figures") ROW(NOUN, "noun") ROW(NOUNS, "nouns") ROW(S, "s") ROW(IN_BRACKETS, "in-brackets") \
    ROW(CLIP, "clip") ROW(BONES, "bones") ROW(MOVES, "moves")
// clang-format on

enum word {
#define ROW(name, word) WORD_##name,
    WORDS(ROW)
#undef ROW
    WORD_COUNT_OF_WORDS
};

static const char *const words[WORD_COUNT_OF_WORDS] = {
#define ROW(name, word) word,
    WORDS(ROW)
#undef ROW
};

/* A finding and what is known of it besides. */
struct saying {
    const struct case_result *result;
    const struct finding *finding;
    const struct import_change *change; /* of the finding; none where it is not of the import */
    double unit_meters;
    struct arena *arena;
};

static void add_template(const struct saying *s, const char *template, struct text *out);

static const struct time_result *picture_of(const struct saying *s)
{
    static const struct time_result none = {.label = ""};
    return s->result && s->finding->index < s->result->time_count ? &s->result->times[s->finding->index] : &none;
}

/* Says whether the vertices are where they were, whatever a bone alone would do to them. */
static bool skin_agrees(const struct saying *s)
{
    return s->result && s->result->stages[STAGE_SKIN].state == STAGE_PASSED;
}

static void add_off(const struct saying *s, struct text *out)
{
    text_addf(out, "%s (%s)", format_length(s->finding->distance, s->unit_meters).text,
              format_displacement(s->finding->displacement).text);
}

static void add_figures(const struct finding *f, const char *axis, double reach, double unit_meters, struct text *out)
{
    change_describe(f->degrees, axis, f->translation, f->scale_percent, reach, f->distance, unit_meters, out);
}

/* Adds the change besides the distance, which is said before. */
static void add_change(const struct saying *s, bool is_second, struct text *out)
{
    const struct finding *f = s->finding;
    SCOPED(text) change = {0};
    add_figures(f, f->axis, f->reach, s->unit_meters, &change);
    if (!is_second || strcmp(text_string(&change), format_length(f->distance, s->unit_meters).text) != 0)
        text_addf(out, "%s%s", is_second ? ": " : "", text_string(&change));
}

static void add_why(const struct finding *f, struct text *out)
{
    if (f->why == WHY_LONGER)
        text_addf(out, "; its translation is %s", format_factor(f->now, "longer", "shorter").text);
    else if (f->why == WHY_OTHER_BONE)
        text_addf(out, "; it has the matrix of `%s`", f->other);
    else if (f->why > WHY_BY_COLUMNS)
        text_add(out, f->why == WHY_ROTATION_INVERTED ? "; its rotation is inverted"
                      : f->why == WHY_W_FIRST         ? "; its quaternion has w first"
                                                      : "; its quaternion has w last where it should be first");
    else if (f->why != WHY_NONE)
        text_addf(out, "%s%s", f->code == CODE_ENTRY ? "; its matrix " : "; it ", finding_why_says[f->why][0]);
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
    const size_t begin = out->size;
    if (f->now > 0)
        text_add(out, (is_scaled ? format_factor(f->now, "larger", "smaller")
                                 : format_ratio(f->now, 0, INFINITY, "larger", "smaller"))
                          .text);
    if (f->part)
        text_addf(out, "%s%s", out->size > begin ? " and " : "", f->part);
    if (f->degrees > 0)
        text_addf(out, "%sturned %s%s%s", out->size > begin ? " and " : "", format_degrees(f->degrees).text,
                  f->axis ? " about " : "", f->axis ? f->axis : "");
    if (f->translation > 0)
        text_addf(out, "%smoved by %s", out->size > begin ? " and " : "",
                  format_length(f->translation, s->unit_meters).text);
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
    text_add(out, tolerance_differs(f->index));
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

/* Adds what the change has, else the number of the finding. */
static void add_value(const struct saying *s, enum change_value which, const char *number, struct text *out)
{
    text_add(out, s->finding->import ? "" : number);
    import_change_add(s->change, which, s->arena, out);
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
    case WORD_INDEX: text_addf(out, "%u", f->import ? s->change->index : f->index); break;
    case WORD_COUNT: text_addf(out, "%u", f->import ? s->change->count : f->count); break;
    case WORD_NOW: add_value(s, CHANGE_NOW, pair.now, out); break;
    case WORD_WAS: add_value(s, CHANGE_WAS, pair.was, out); break;
    case WORD_BY: add_value(s, CHANGE_BY, "", out); break;
    case WORD_OF: text_addf(out, "%u", f->of); break;
    case WORD_SIZE: text_addf(out, "%ux%u", image->width, image->height); break;
    default:
        text_addf(out, f->now < 0 ? "that is no number" : "of length %.3g", f->now);
        break; /* WORD_LENGTH */
    }
}

static void add_name(const struct finding *f, bool is_mesh, struct text *out)
{
    const char *name = is_mesh ? f->mesh : f->subject;
    if (is_mesh)
        name_quote(name ? name : "", '`', out);
    else
        text_addf(out, "`%s`", name ? name : "");
}

/* A texture within the model's file has a number for a name ("*0"), which nobody knows: it is said whose it is. */
static void add_subject(const struct saying *s, struct text *out)
{
    const struct finding *f = s->finding;
    if (s->change->owner)
        text_add(out, s->change->owner);
    else
        add_name(f, f->import && f->mesh && f->mesh == f->subject, out);
}

/* The phrase of the change, and of those that are said with it. */
static void add_phrases(const struct saying *s, struct text *out)
{
    const size_t begin = out->size;
    for (const struct import_change *part = s->change; part; part = part->also) {
        struct saying of_part = *s;
        of_part.change = part;
        text_add(out, out->size > begin ? "; " : "");
        add_template(&of_part, part->phrase, out);
    }
}

static void add_bones(const struct saying *s, struct text *out)
{
    const char *mesh = s->change->mesh;
    text_add(out, mesh ? " bones of mesh " : " bones");
    if (mesh)
        name_quote(mesh, '`', out);
}

static void add_word(const struct saying *s, enum word word, struct text *out)
{
    const struct finding *f = s->finding;
    const char *const mesh = f->mesh ? f->mesh : "", *const part = f->part ? f->part : "",
                      *const other = f->other ? f->other : "";
    switch (word) {
    case WORD_SUBJECT: add_subject(s, out); break;
    case WORD_MESH: name_quote(mesh, '`', out); break;
    case WORD_PART: text_add(out, part); break;
    case WORD_PART_MESH: name_quote(part, '`', out); break;
    case WORD_OTHER: text_add(out, other); break;
    case WORD_OTHER_NAME: text_addf(out, "`%s`", other); break;
    case WORD_OF_CLIP: add_clip(f->clip, out); break;
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
    case WORD_PHRASE: add_phrases(s, out); break;
    case WORD_EXTRA: text_add(out, s->change->extra ? s->change->extra : ""); break;
    case WORD_FIGURES: add_figures(f, s->change->axis, s->change->influence_radius, s->unit_meters, out); break;
    case WORD_NOUN: text_add(out, noun_words[s->change->noun][0]); break;
    case WORD_NOUNS: text_add(out, noun_words[s->change->noun][1]); break;
    case WORD_S: text_add(out, s->change->now.number == 1 ? "" : "s"); break;
    case WORD_IN_BRACKETS: text_addf(out, *f->subject ? " (`%s`)" : "", f->subject); break;
    case WORD_CLIP: text_addf(out, "`%s`", f->clip); break;
    case WORD_BONES: add_bones(s, out); break;
    case WORD_MOVES: text_add(out, skin_agrees(s) ? "would move" : "moves"); break;
    default: add_number(s, word, out); break;
    }
}

/* Adds the template with its words filled in; a word may stand for a template itself. */
static void add_template(const struct saying *s, const char *template, struct text *out)
{
    for (const char *at = template; at && *at;) {
        const size_t plain = strcspn(at, "{");
        text_add_bytes(out, at, plain);
        at += plain;
        const size_t length = strcspn(at, "}");
        for (int word = 0; *at && word < WORD_COUNT_OF_WORDS; word++)
            if (strlen(words[word]) == length - 1 && strncmp(words[word], at + 1, length - 1) == 0)
                add_word(s, (enum word)word, out);
        for (const struct finding_phrase *phrase = finding_phrases; *at && phrase->word; phrase++)
            if (strlen(phrase->word) == length - 1 && strncmp(phrase->word, at + 1, length - 1) == 0)
                add_template(s, phrase->template, out);
        at += *at ? length + 1 : 0;
    }
}

/* "`a`, `b`, `c` and 9 more", without the worst where that is said already. */
static void add_names(const struct saying *s, struct text *out)
{
    enum { SHOWN = 3 };
    const struct import_change *change = s->change;
    const bool is_mesh = finding_templates[s->finding->code].flags & MESHES;
    const uint32_t total = change->count - (change->worst != NULL);
    const uint32_t most = total == SHOWN + 1 ? total : SHOWN; /* "and 1 more" is no shorter than its name */
    uint32_t shown = 0;
    for (uint32_t i = 0; i < change->count && shown < most; i++) {
        if (change->all[i] == change->worst)
            continue;
        text_add(out, shown == 0 ? "" : shown + 1 == total ? " and " : ", ");
        add_name(change->all[i], is_mesh, out);
        shown++;
    }
    if (total > shown)
        text_addf(out, " and %u more", total - shown);
}

/* Adds what happened to several: to all the same, or how it is with the worst. */
static void add_details(const struct saying *s, struct text *out)
{
    const struct import_change *change = s->change;
    const unsigned flags = finding_templates[s->finding->code].flags;
    const bool is_predicate = flags & PREDICATES || (s->finding->code == CODE_RENAMED && !*change->extra);
    if (change->is_bare) {
        text_add(out, ": ");
    } else if (!change->worst) {
        text_add(out, is_predicate ? " " : ": ");
        add_template(s, change->detail ? change->detail : "{phrase}", out);
        text_add(out, " (");
    } else {
        text_addf(out, "%s, %s ", is_predicate ? " differ" : "",
                  isnan(change->worst->displacement) ? "such as" : "worst");
        add_name(change->worst, flags & MESHES, out);
        text_add(out, ": ");
        add_template(s, change->detail ? change->detail : "{phrase}", out);
        text_add(out, "; also ");
    }
    add_names(s, out);
    text_add(out, change->is_bare || change->worst ? "" : ")");
}

const char *finding_sentence(const struct finding *finding, const struct case_result *result, double unit_meters,
                             struct arena *arena)
{
    static const struct import_change none = {.phrase = ""};
    const struct import_change *change = finding->import ? finding->import : &none;
    const struct finding_template *template = &finding_templates[finding->code];
    const struct saying s = {result, finding, change, finding->import ? change->unit_meters : unit_meters, arena};
    const bool is_many = finding->count > 1 || finding->of > 0 || change->count > 0;
    struct text text = {0};
    if (finding->instance > 0)
        text_addf(&text, "instance %u of the crowd: ", finding->instance);
    add_template(&s, template->many && (is_many || !template->one) ? template->many : template->one, &text);
    if (change->count > 0)
        add_details(&s, &text);
    text_add(&text, change->unplayed ? " (not played by this case)" : "");
    return arena_text(arena, &text);
}
