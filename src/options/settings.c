#include "options/settings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/decimal.h"
#include "base/memory.h"
#include "base/sort.h"
#include "base/text.h"
#include "data/image/color_scale.h"

void settings_init(struct settings *settings)
{
    *settings = (struct settings){
        .import = import_defaults, .frame_step = 1, .influences = 4, .rate = 1, .width = 512, .height = 512,
        .background = {0x80, 0x80, 0x80, 0xff}, .overlays = OVERLAYS_OF_VIEW, .range = {NAN, NAN},
        .orbit = {.yaw = 30, .pitch = 10, .zoom = 1, .fov = 30}, .up_axis = -1,
        .crowd_phase = NAN};
}

void settings_release(struct settings *settings)
{
    free(settings->times);
    free(settings->time_units);
    free(settings->mix);
    free(settings->shader_map_text);
}

/* ---- import ---------------------------------------------------------------------------------------------------- */

enum { REPAIRS, ASSIMP_FLAGS };

/* Reads a list, each name alone, so that the message has its place; then all, with commas between. */
static bool read_names(struct value_source *source, void *target, const struct tree_node *value)
{
    bool (*parse)(const char *, uint32_t *, struct error *) =
        source->row->kind == REPAIRS ? repair_parse : assimp_flags_parse;
    struct value_walk walk = {.value = value};
    struct error why = {0};
    SCOPED(text) all = {0};
    bool good = true;
    while (good && value_next(source, &walk)) {
        uint32_t alone;
        good = parse(walk.part.data, &alone, &why) || value_fail(source, walk.at, "%s", why.text);
        text_addf(&all, "%s%s", all.size ? "," : "", walk.part.data);
    }
    good = good && !walk.failed &&
           (parse(text_string(&all), target, &why) || value_fail(source, value, "%s", why.text));
    return good;
}

static void write_names(const struct setting *row, const void *target, struct text *out)
{
    const uint32_t bits = *(const uint32_t *)target;
    const char *name, *what;
    if (row->kind == ASSIMP_FLAGS) {
        assimp_flags_describe(bits, out);
        return;
    }
    size_t start = out->size;
    for (unsigned i = 0; bits != REPAIR_ALL && repair_describe(i, &name, &what); i++)
        if (bits >> i & 1)
            text_addf(out, "%s%s", out->size > start ? "," : "", name);
    if (out->size == start)
        text_add(out, bits == REPAIR_ALL ? "all" : "none");
}

static void write_clip_files(const struct setting *row, const void *target, struct text *out)
{
    const struct settings *s = target;
    (void)row;
    for (size_t i = 0; i < s->clips_from_count; i++)
        text_addf(out, "%s%s", i > 0 ? ", " : "", s->clips_from[i]);
}

static bool read_clip_files(struct value_source *source, void *target, const struct tree_node *value)
{
    struct settings *s = target;
    struct value_walk walk = {.value = value};
    while (value_next(source, &walk)) {
        const char *path = value_file(source, walk.at, walk.part.data);
        if (!path)
            return false;
        if (s->clips_from_count == MAX_CLIP_FILES)
            return value_fail(source, walk.at, "at most %d files", MAX_CLIP_FILES);
        s->clips_from[s->clips_from_count++] = path;
    }
    return !walk.failed;
}

/* ---- times ----------------------------------------------------------------------------------------------------- */

static bool choose_times(struct settings *s, enum time_choice choice)
{
    s->time_choice = choice;
    s->time_choices |= 1u << choice;
    return true;
}

static bool choose_even(struct settings *s, uint32_t count)
{
    s->even = count;
    s->time_count = 0;
    return choose_times(s, TIMES_EVEN);
}

/* {even}, or {from, to, fps}: `to` counts when it is a frame, whatever the division makes of it. */
static bool read_range(struct value_source *source, struct settings *s, const struct tree_node *value)
{
    struct range {
        double from, to, fps;
        uint32_t even;
    } range = {.from = NAN, .to = NAN, .fps = NAN};
    static const struct setting fields[] = {
        {"from", NULL, NULL, 0, &value_number, VALUE_IN(struct range, from), .least = -MAX_SECONDS,
         .most = MAX_SECONDS},
        {"to", NULL, NULL, 0, &value_number, VALUE_IN(struct range, to), .least = -MAX_SECONDS, .most = MAX_SECONDS},
        {"fps", NULL, NULL, 0, &value_number, VALUE_IN(struct range, fps), .least = 0.001, .most = 100000},
        {"even", NULL, NULL, 0, &value_count, VALUE_IN(struct range, even), .least = 1, .most = MAX_TIMES},
    };
    if (!value_read_fields(source, fields, sizeof fields / sizeof fields[0], &range, value))
        return false;
    if (range.even > 0)
        return value->count == 1 ? choose_even(s, range.even) : value_fail(source, value, "`even` is chosen alone");
    range.from = isnan(range.from) ? 0 : range.from;
    if (isnan(range.to) || isnan(range.fps))
        return value_fail(source, value, "a range needs `to` and `fps`");
    if (range.to < range.from)
        return value_fail(source, value, "`to` is before `from`");
    double count = floor((range.to - range.from) * range.fps + 0.5e-6) + 1;
    if (count > MAX_TIMES)
        return value_fail(source, value, "more than %d times", MAX_TIMES);
    s->times = memory_grow(s->times, (size_t)count, sizeof *s->times);
    s->time_units = memory_grow(s->time_units, (size_t)count, 1);
    memset(s->time_units, 's', (size_t)count);
    for (s->time_count = 0; s->time_count < (size_t)count; s->time_count++)
        s->times[s->time_count] = range.from + (double)s->time_count / range.fps;
    s->times_are_a_range = true;
    return choose_times(s, TIMES_LIST);
}

static bool read_times(struct value_source *source, void *target, const struct tree_node *value)
{
    struct settings *s = target;
    struct value_walk walk = {.value = value, .separator = ','};
    bool is_one = value->kind == TREE_LIST && value->count == 1;
    const struct tree_node *only = is_one ? value->items[0] : value;
    if (!source->tree && (s->time_choices >> TIMES_LIST & 1))
        return value_fail(source, value, "%s comes after another --time or --times: only one of them may be given",
                          only->text);
    if (value->kind == TREE_MAPPING)
        return read_range(source, s, value);
    if (source->row->also && only->kind == TREE_TEXT && strcmp(only->text, source->row->also) == 0)
        return choose_times(s, TIMES_AUTO);
    if (source->row->also && only->kind == TREE_TEXT && strncmp(only->text, "even:", 5) == 0) {
        double count;
        return decimal_read(only->text + 5, strlen(only->text + 5), true, &count) && count >= 1 && count <= MAX_TIMES
                   ? choose_even(s, (uint32_t)count)
                   : value_fail(source, value, "`%s` is not even:N with N from 1 to %d", only->text, MAX_TIMES);
    }
    s->time_count = 0;
    s->times_are_a_range = false;
    for (; value_next(source, &walk); s->time_count++) {
        const char last = walk.part.length > 1 ? walk.part.data[walk.part.length - 1] : '0';
        const bool has_unit = !source->tree && (last == 'f' || last == '%'); /* goldens are named after seconds */
        s->times = memory_room(s->times, s->time_count, sizeof *s->times);
        s->time_units = memory_room(s->time_units, s->time_count, 1);
        s->time_units[s->time_count] = has_unit ? last : 's';
        if (!decimal_read(walk.part.data, walk.part.length - has_unit, false, &s->times[s->time_count]))
            return value_fail(source, walk.at, "`%.*s` is not a number of seconds (T or T,T,...)",
                              (int)walk.part.length, walk.part.data);
    }
    return !walk.failed && choose_times(s, TIMES_LIST);
}

static bool read_frames(struct value_source *source, void *target, const struct tree_node *value)
{
    static const double farthest = 1e15; /* whole numbers are exact */
    struct settings *s = target;
    const char *text = value_string(source, value), *dots = text ? strstr(text, "..") : NULL;
    double first, last, step = 1;
    if (!text)
        return false;
    const size_t length = dots ? strcspn(dots + 2, ":") : 0;
    const char *colon = dots && dots[2 + length] ? dots + 2 + length + 1 : NULL;
    if (!dots || !decimal_read(text, (size_t)(dots - text), true, &first) ||
        !decimal_read(dots + 2, length, true, &last) ||
        (colon && (!decimal_read(colon, strlen(colon), true, &step) || !(step >= 1))))
        return value_fail(source, value,
                          "`%s` is not a range of frame numbers (A..B, both ends included, or A..B:STEP)", text);
    if (last < first || floor((last - first) / step) >= MAX_TIMES)
        return value_fail(source, value, "%s is empty or more than %d frames", text, MAX_TIMES);
    if (fabs(first) > farthest || fabs(last) > farthest || step > farthest)
        return value_fail(source, value, "%s is farther than %.0g from 0", text, farthest);
    s->first_frame = (long)first;
    s->last_frame = (long)last;
    s->frame_step = (long)step;
    return choose_times(s, TIMES_FRAMES);
}

static bool read_play(struct value_source *source, void *target, const struct tree_node *value)
{
    bool plays = false;
    return value_flag.read(source, &plays, value) && (!plays || choose_times(target, TIMES_PLAY));
}

size_t settings_frame_count(const struct settings *s)
{
    return (size_t)((s->last_frame - s->first_frame) / s->frame_step) + 1;
}

bool settings_check_list(const struct settings *settings, struct value_source *source, const struct tree_node *at)
{
    const size_t count = settings->time_count;
    if (count > MAX_TIMES)
        return value_fail(source, at, "more than %d times", MAX_TIMES);
    FREED double *sorted = memory_new(count, sizeof *sorted);
    SCOPED(text) number = {0};
    bool good = true;
    for (size_t i = 0; i < count; i++)
        sorted[i] = settings->times[i];
    sort_items(sorted, count, sizeof *sorted, compare_doubles);
    for (size_t i = 0; i < count && good; i++) {
        const bool is_far = fabs(sorted[i]) > MAX_SECONDS;
        if (!is_far && (i == 0 || sorted[i] - sorted[i - 1] >= 1e-6))
            continue;
        text_add_double(&number, sorted[i]);
        good = value_fail(source, at, "%s %s", text_string(&number),
                          is_far ? "is more than 1000000 seconds"
                                 : "is listed twice, or two times are less than a microsecond apart");
    }
    return good;
}

bool settings_check_times(const struct settings *s, bool rate_counts, struct error *err)
{
    static const char *const options[] = {
        [TIMES_LIST] = "--time", [TIMES_FRAMES] = "--frames", [TIMES_AUTO] = "--times auto", [TIMES_PLAY] = "--play",
        [TIMES_EVEN] = "--times even"};
    for (unsigned i = 0; i <= TIMES_EVEN; i++)
        if (i != s->time_choice && (s->time_choices >> i & 1))
            return error_set(err, "%s and %s: only one of them may be given", options[i], options[s->time_choice]);
    if (s->samples && s->time_choice != TIMES_AUTO)
        return error_set(err, "--samples is how many times --times auto gives: add --times auto");
    for (size_t i = 0; i < s->mix_count; i++)
        rate_counts = rate_counts || s->mix[i].start.is_frames || s->mix[i].end.is_frames;
    for (size_t i = 0; i < s->time_count; i++)
        rate_counts = rate_counts || s->time_units[i] == 'f';
    if (s->fps > 0 && !rate_counts &&
        (s->time_choice == TIMES_LIST || s->time_choice == TIMES_AUTO || s->time_choice == TIMES_EVEN))
        return error_set(err, "--fps is the rate of --frames A..B and of --play: add one of them, or take --fps away");
    return true;
}

/* ---- others ---------------------------------------------------------------------------------------------------- */

/* A word, or weight:BONE. */
static bool read_view(struct value_source *source, void *target, const struct tree_node *value)
{
    struct settings *s = target;
    const char *text = value_string(source, value);
    if (!text)
        return false;
    s->view_is_chosen = true;
    if (strncmp(text, "weight:", 7) == 0 && text[7]) {
        s->view = VIEW_BONE_WEIGHT;
        s->view_bone = text + 7;
        return true;
    }
    if (strncmp(text, "weight", 6) == 0 && (text[6] == ':' || text[6] == '\0'))
        return value_fail(
            source, value,
            "`%s`: it names no bone; write weight:BONE, or `weights` for the largest weight of each vertex", text);
    return value_word.read(source, &s->view, value);
}

static void write_view(const struct setting *row, const void *target, struct text *out)
{
    const struct settings *s = target;
    text_add(out, s->view == VIEW_BONE_WEIGHT ? "weight:" : row->words[s->view]);
    text_add(out, s->view == VIEW_BONE_WEIGHT ? s->view_bone : "");
}

static bool read_overlays(struct value_source *source, void *target, const struct tree_node *value)
{
    struct settings *s = target;
    return value_bits.read(source, &s->overlays, value);
}

static void write_overlays(const struct setting *row, const void *target, struct text *out)
{
    const unsigned overlays = settings_overlays(target);
    value_bits.write(row, &overlays, out);
}

void settings_show_legend(struct settings *settings)
{
    if (settings->overlays == OVERLAYS_OF_VIEW && legend_scale_of(settings->view))
        settings->overlays = OVERLAY_LEGEND;
}

unsigned settings_overlays(const struct settings *settings)
{
    return settings->overlays != OVERLAYS_OF_VIEW     ? settings->overlays
           : color_scale_of(settings->view) != NULL ? OVERLAY_LEGEND
                                                    : 0;
}

/* "0..0.2", or [0, 0.2]. */
static bool read_value_range(struct value_source *source, void *target, const struct tree_node *value)
{
    struct value_range *range = &((struct settings *)target)->range;
    double ends[2];
    const bool is_list = value->kind == TREE_LIST;
    const char *text = is_list ? NULL : value_string(source, value), *dots = text ? strstr(text, "..") : NULL;
    if (!is_list && !text)
        return false;
    if (text && strcmp(text, source->row->also) == 0) {
        *range = (struct value_range){NAN, NAN};
        return true;
    }
    bool good = is_list ? value->count == 2 : dots != NULL;
    for (int i = 0; good && i < 2; i++) {
        const char *end = !is_list                             ? (i ? dots + 2 : text)
                          : value->items[i]->kind == TREE_TEXT ? value->items[i]->text
                                                               : "";
        good = decimal_read(end, !is_list && i == 0 ? (size_t)(dots - text) : strlen(end), false, &ends[i]);
    }
    const double most = 1e30;
    if (!good || !((float)ends[0] < (float)ends[1]) || fabs(ends[0]) > most || fabs(ends[1]) > most)
        return value_fail(source, value, "`%s` is not a range of numbers (A..B, the smaller first)",
                          text ? text : "this list");
    *range = (struct value_range){(float)ends[0], (float)ends[1]};
    return true;
}

static void write_value_range(const struct setting *row, const void *target, struct text *out)
{
    const struct value_range *range = &((const struct settings *)target)->range;
    if (isnan(range->least)) {
        text_add(out, row->also);
        return;
    }
    text_add_float(out, range->least);
    text_add(out, "..");
    text_add_float(out, range->most);
}

/* ---- the table ------------------------------------------------------------------------------------------------- */

static const struct value_type value_names = {read_names, write_names, FORM_TEXT | FORM_LIST};
static const struct value_type value_clip_files = {read_clip_files, write_clip_files,
                                                   FORM_TEXT | FORM_LIST | FORM_REPEATED};
const struct value_type value_times = {read_times, NULL, FORM_TEXT | FORM_LIST | FORM_MAPPING};
static const struct value_type value_frames = {read_frames, NULL, FORM_TEXT};
static const struct value_type value_play = {read_play, NULL, FORM_FLAG};
static const struct value_type value_overlays = {read_overlays, write_overlays, FORM_WORD | FORM_TEXT | FORM_LIST};
static const struct value_type value_value_range = {read_value_range, write_value_range, FORM_TEXT | FORM_LIST};
static const struct value_type value_view = {read_view, write_view, FORM_WORD | FORM_TEXT};

static const char *const wraps[] = {[WRAP_LOOP] = "loop", [WRAP_HOLD] = "clamp"};
static const char *const spaces[] = {[SPACE_SCENE] = "scene", [SPACE_ROOT] = "root"};
static const char *const profiles[] = {[PROFILE_PORTABLE] = "portable", [PROFILE_NATIVE] = "native"};
static const char *const backends[] = {[BACKEND_AUTO] = "auto", [BACKEND_OSMESA] = "osmesa", [BACKEND_EGL] = "egl"};
static const char *const influence_words[] = {"1", "4", "8", "all"};
static const int influence_limits[] = {1, 4, 8, 0};
static const char *const axes[] = {"x", "y", "z", "auto"};
static const int axis_numbers[] = {0, 1, 2, -1};

#define MEMBER(member) VALUE_IN(struct settings, member)
#define ALL 0, sizeof(struct settings), NULL

const struct setting setting_table[] = {
    {"clip", "NAME|INDEX",
     "the clip (default the first); `walk` also matches `rig|walk` and `rig:walk`, and the reverse; rest (or none): "
     "the nodes' own transforms; bind: where no vertex is deformed; of render and turntable all: one after the other",
     SETTING_CLIP, &value_text, MEMBER(clip)},
    {"blend", "CLIP:WEIGHT", "several clips at once, by weight, instead of --clip (repeatable)", SETTING_CLIP,
     &value_mix, ALL, .kind = MIX_BLEND, .recorded = 10},
    {"transition", "CLIP@START..END",
     "fade from --clip into CLIP, which begins at START; seconds or frames as in 12f (repeatable)", SETTING_CLIP,
     &value_mix, ALL, .kind = MIX_TRANSITION, .recorded = 11},
    {"mask", "BONE=CLIP[@OFFSET]",
     "BONE and all below it play CLIP, OFFSET seconds ahead; the deeper mask wins (repeatable)", SETTING_CLIP,
     &value_mix, ALL, .kind = MIX_MASK, .recorded = 12},
    {"add", "CLIP:WEIGHT[@rest|@bind]",
     "add what CLIP does beyond its first frame, or the rest or the bind pose, on top (repeatable)", SETTING_CLIP,
     &value_mix, ALL, .kind = MIX_ADD, .recorded = 13},
    {"rate", "R", "play R times as fast; below 0 backwards, from the end (default 1)", SETTING_CLIP, &value_number,
     MEMBER(rate), .least = 0.001, .most = 1000, .kind = VALUE_EITHER_SIGN, .scope = SCOPE_SENT, .recorded = 14},
    {"in-place", NULL, "without the root's horizontal travel", SETTING_CLIP, &value_flag, MEMBER(in_place),
     .recorded = 15},
    {"clips-from", "FILE", "more clips from another file, matched by bone name (repeatable)", SETTING_IMPORT,
     &value_clip_files, ALL, .scope = SCOPE_IMPORT, .recorded = 28},
    {"clips-scale", "auto|F",
     "what their translations are multiplied by (default auto: by the ratio of the bones' rest offsets in both files)",
     SETTING_IMPORT, &value_number, MEMBER(clip_options.scale), .least = 1e-6, .most = 1e6, .also = "auto",
     .scope = SCOPE_IMPORT | SCOPE_SENT, .recorded = 29},
    {"clips-prefix", "PREFIX",
     "what stands before the bones' names in one of the files (default the one with which all fit)", SETTING_IMPORT,
     &value_text, MEMBER(clip_options.prefix), .scope = SCOPE_IMPORT | SCOPE_SENT, .recorded = 30},
    {"time", "T[,T...]",
     "times in seconds (default 0); on a command line also frames (12f) and parts of the clip (50%)", SETTING_TIME,
     &value_times, ALL},
    {"times", "auto|even:N|T[,T...]",
     "auto: first, last, keys and midpoints of the clip; even: N times from its beginning to its end", SETTING_TIME,
     &value_times, ALL, .also = "auto"},
    {"frames", "A..B[:STEP]", "frame numbers, both ends included; or every STEP-th from A on", SETTING_TIME,
     &value_frames, ALL},
    {"play", NULL, "the whole clip at --fps frames a second, its end left out, so that it loops", SETTING_TIME,
     &value_play, ALL},
    {"fps", "F", "frames a second for --frames, --play, films and 12f (default the file's frame rate, else 24)",
     SETTING_TIME, &value_number, MEMBER(fps), .least = 0.001, .most = 100000},
    {"samples", "N", "maximum number of times of --times auto (default 9)", SETTING_TIME, &value_count, MEMBER(samples),
     .least = 1, .most = 100000},
    {"wrap", "loop|clamp", "what happens outside the clip (default loop)", SETTING_CLIP, &value_word, MEMBER(wrap),
     VALUE_WORDS(wraps), .recorded = 1},
    {"space", "scene|root", "palette space; root multiplies by the inverse root transform (default scene)",
     SETTING_CLIP, &value_word, MEMBER(space), VALUE_WORDS(spaces), .scope = SCOPE_SENT, .recorded = 2},
    {"repair", "all|none|NAME,...", "which of the importer's known faults to repair (default all)", SETTING_IMPORT,
     &value_names, MEMBER(import.repairs), .kind = REPAIRS, .scope = SCOPE_IMPORT | SCOPE_SENT},
    {"assimp-flags", "none|NAME,...",
     "steps that Assimp takes after the import, as in your engine: join-identical, limit-weights, realtime-quality, "
     "... (default none)", SETTING_IMPORT, &value_names, MEMBER(import.assimp_flags), .kind = ASSIMP_FLAGS,
     .scope = SCOPE_IMPORT | SCOPE_SENT, .recorded = 24},
    {"influences", "1|4|8|all", "most influences per vertex (default 4); 1: each follows one bone", SETTING_CLIP,
     &value_word, MEMBER(influences), VALUE_WORDS(influence_words), .values = influence_limits,
     .scope = SCOPE_IMPORT | SCOPE_SENT, .recorded = 3},
    {"skinning", "linear|dual-quaternion", "how a vertex follows several bones (default linear)", SETTING_CLIP,
     &value_word, MEMBER(upload_format.skinning), VALUE_WORDS(skinning_names), .scope = SCOPE_SENT, .recorded = 19},
    {"import-timeout", "S", "seconds the import may take (default 30)", SETTING_IMPORT, &value_number,
     MEMBER(import.timeout_seconds), .least = 0.01, .most = 86400},
    {"import-memory", "MIB", "memory the import may take (default 4096)", SETTING_IMPORT, &value_count,
     MEMBER(import.memory_mib), .least = 16, .most = 1 << 20},
    {"size", "WxH", "picture size (default 512x512, up to 8192x8192)", SETTING_DRAW, &value_size, MEMBER(width),
     .least = 1, .most = FRAME_MAX_SIZE, .scope = SCOPE_FRAMING, .recorded = 4},
    {"background", "RRGGBB[AA]", "background colour (default 808080, opaque)", SETTING_DRAW, &value_colour,
     MEMBER(background), .recorded = 5},
    {"view", "VIEW",
     "what the surfaces show: lit (default), studio (default of turntables and films), unlit, normals, tangents, "
     "weights, weight:BONE, bones, depth, uv, influences, weight-sum, displacement, stretch, speed", SETTING_DRAW,
     &value_view, ALL, VALUE_WORDS(view_names), .scope = SCOPE_SENT, .recorded = 6},
    {"overlay", "NAME,...",
     "drawn over the view: skeleton, names, wireframe, bounds, axes, label, legend, or none (default none; legend with "
     "weight-sum, displacement, stretch and speed, in render and turntable with all views of numbers)", SETTING_DRAW,
     &value_overlays, ALL, VALUE_WORDS(overlay_names), .also = "none", .scope = SCOPE_SENT, .recorded = 7},
    {"range", "A..B|auto",
     "the ends of the colours of --view weight-sum, displacement, stretch and speed (default auto: of all that is "
     "shown)", SETTING_DRAW, &value_value_range, ALL, .also = "auto", .recorded = 26},
    {"select", "BONE", "the bone that the skeleton overlay marks", SETTING_DRAW, &value_text, MEMBER(select),
     .scope = SCOPE_SENT, .recorded = 16},
    {"camera", "yaw=D,pitch=D,zoom=Z,fov=D",
     "orbit framed on the sampled sequence (default 30, 10, 1, 30; fov=0 or ortho=H: orthographic);\n"
     "target=BONE|X:Y:Z: around that, follow=1: wherever the bone goes; pan=X:Y: in pictures; near=, far=;\n"
     "eye=X:Y:Z,target=X:Y:Z with up=, fov=, ortho=, near=, far=; file:NAME; @FILE: a saved one", SETTING_DRAW,
     &value_camera, ALL, .fields = camera_parts, .field_count = CAMERA_PARTS, .scope = SCOPE_FRAMING, .recorded = 8},
    {"place", "turn=D,scale=F,move=X:Y:Z",
     "the model scaled, turned (around the up axis, or turn=X:Y:Z around x, then y, then z) and moved in the picture",
     SETTING_DRAW, &value_place, ALL, .fields = place_parts, .field_count = PLACE_PARTS,
     .scope = SCOPE_FRAMING | SCOPE_SENT, .recorded = 27},
    {"up", "x|y|z|auto", "the camera's up axis (default auto: the file's)", SETTING_DRAW, &value_word, MEMBER(up_axis),
     VALUE_WORDS(axes), .values = axis_numbers, .scope = SCOPE_FRAMING | SCOPE_SENT, .recorded = 9},
    {"palette", "uniform|ubo|tbo|ssbo|all",
     "how matrices are uploaded: array, uniform block, buffer texture (default), storage block; all: render tries each "
     "and prints a table", SETTING_DRAW, &value_word, MEMBER(upload_format.path), VALUE_WORDS(palette_path_names),
     .also = "all", .scope = SCOPE_SENT, .recorded = 17},
    {"palette-format", "mat4|mat3x4|trs",
     "the format of an uploaded matrix (default mat3x4); trs: rotation, translation, uniform scale", SETTING_DRAW,
     &value_word, MEMBER(upload_format.format), VALUE_WORDS(palette_format_names), .scope = SCOPE_SENT, .recorded = 18},
    {"weights", "float|unorm8", "the format of uploaded weights (default float); unorm8: bytes that sum up to 255",
     SETTING_DRAW, &value_word, MEMBER(upload_format.weights), VALUE_WORDS(weight_format_names), .scope = SCOPE_SENT,
     .recorded = 20},
    {"shaders", "DIR", "your GLSL files in place of ours of the same names, see shaders/README.md (default none)",
     SETTING_DRAW, &value_shaders, ALL, .also = "none", .fields = shader_parts, .field_count = SHADER_PARTS,
     .recorded = 21},
    {"shader-map", "NAME=WHAT,...",
     "what names in them stand for, where rigproof cannot know: a_joints=bones,u_time=time,u_tint=1:0:0",
     SETTING_DRAW, &value_shader_map, ALL,
     .not_in_suite = "in a suite it is a part of `shaders`: {dir: ..., attributes: {...}, outputs: {...}, uniforms: "
                     "{...}}", .scope = SCOPE_SENT, .recorded = 25},
    {"profile", "portable|native", "portable: same pixels on other machines (default); native: multisampling",
     SETTING_DRAW, &value_word, MEMBER(profile), VALUE_WORDS(profiles), .scope = SCOPE_SENT},
    {"backend", "auto|osmesa|egl", "how to get a GL context (default auto)", SETTING_DRAW, &value_word, MEMBER(backend),
     VALUE_WORDS(backends), .not_in_suite = "a suite does not choose what draws it; rigproof check --backend does"},
    {"crowd", "COLUMNSxROWS", "so many instances of the model on a grid, each in its own pose, drawn by one call",
     SETTING_DRAW, &value_size, MEMBER(crowd), .least = 1, .most = 100, .scope = SCOPE_FRAMING | SCOPE_SENT,
     .recorded = 22},
    {"crowd-phase", "S",
     "each plays S seconds later than the one before (default the clip's duration, spread over all)", SETTING_DRAW,
     &value_number, MEMBER(crowd_phase), .least = -1e6, .most = 1e6, .scope = SCOPE_SENT, .recorded = 23},
    {"sheet", NULL, "also one contact sheet of the sequence", SETTING_DRAW, &value_flag, MEMBER(sheet),
     .not_in_suite = "contact sheets are for rigproof render, not for a suite"},
};
const size_t setting_count = sizeof setting_table / sizeof setting_table[0];

const struct setting *setting_find(const char *name)
{
    return value_find(setting_table, setting_count, name, strlen(name));
}

bool settings_set(struct settings *settings, const char *name, const char *value, struct error *err)
{
    struct value_source source = {.err = err};
    return value_read(&source, setting_find(name), settings, &(struct tree_node){.kind = TREE_TEXT, .text = value});
}

void settings_write(const struct settings *settings, const char *name, struct text *out)
{
    const struct setting *row = setting_find(name);
    row->type->write(row, (const char *)settings + row->offset, out);
}

bool settings_next_changed(const struct settings *settings, unsigned scope, size_t *row, struct text *value)
{
    struct settings defaults;
    SCOPED(text) otherwise = {0};
    bool is_changed = false;
    settings_init(&defaults);
    for (; *row < setting_count && !is_changed; ++*row) {
        if (!(setting_table[*row].scope & scope))
            continue;
        value->size = otherwise.size = 0;
        settings_write(settings, setting_table[*row].name, value);
        settings_write(&defaults, setting_table[*row].name, &otherwise);
        is_changed = strcmp(text_string(value), text_string(&otherwise)) != 0 ||
                     (setting_table[*row].type == &value_overlays && settings->overlays != OVERLAYS_OF_VIEW);
    }
    return is_changed;
}

bool settings_name_clip(const struct settings *settings)
{
    return settings->clip || settings->mix_count > 0;
}

void settings_prefer_view(struct settings *settings, enum view view)
{
    if (!settings->view_is_chosen && !settings->shaders)
        settings->view = view;
}
