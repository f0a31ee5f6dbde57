#include "suite/setting/settings.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/decimal.h"
#include "base/file/path.h"
#include "base/names.h"
#include "suite/setting/camera_setting.h"
#include "suite/setting/mix_options.h"

void settings_init(struct settings *settings)
{
    *settings = (struct settings){
        .import = import_defaults,
        .influences = 4,
        .samples = 9,
        .rate = 1,
        .width = 512,
        .height = 512,
        .background = {0x80, 0x80, 0x80, 0xff},
        .orbit = {.yaw = 30.0f, .pitch = 10.0f, .zoom = 1.0f, .fov = 30.0f},
        .free_camera = {.fov = 30.0f},
        .up_axis = -1,
        .crowd_phase = NAN,
    };
}

void settings_release(struct settings *settings)
{
    free(settings->times);
    settings->times = NULL;
}

/* ---- numbers and words --------------------------------------------------------------------------------------- */

bool settings_number(const char *text, size_t length, double *out)
{
    return decimal_read(text, length, false, out);
}

static bool parse_count(const char *text, double least, double most, double *out, const char *what, struct error *err)
{
    if (decimal_read(text, strlen(text), true, out) && *out >= least && *out <= most)
        return true;
    return error_set(err, "%s: `%s` is not a whole number from %.0f to %.0f", what, text, least, most);
}

static bool parse_range(const char *text, double least, double most, double *out, const char *what, struct error *err)
{
    if (settings_number(text, strlen(text), out) && *out >= least && *out <= most)
        return true;
    return error_set(err, "%s: `%s` is not a number from %.6g to %.6g", what, text, least, most);
}

/* The position of `text` in a list of words, or -1 with err set. */
static int parse_word(const char *text, const char *const *words, size_t count, const char *what, struct error *err)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(text, words[i]) == 0)
            return (int)i;
    const char *near = name_nearest(text, words, count);
    char list[256] = "";
    for (size_t i = 0; i < count; i++)
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i ? ", " : "", words[i]);
    if (near)
        error_set(err, "%s: no `%s`; did you mean `%s`? There are: %s", what, text, near, list);
    else
        error_set(err, "%s: no `%s`; there are: %s", what, text, list);
    return -1;
}

#define WORD_COUNT(words) (sizeof(words) / sizeof(words)[0])

/* ---- import -------------------------------------------------------------------------------------------------- */

static bool set_repair(struct settings *s, const char *value, struct error *err)
{
    return repair_parse(value, &s->import.repairs, err) || error_prefix(err, "--repair");
}

static bool set_assimp_flags(struct settings *s, const char *value, struct error *err)
{
    return assimp_flags_parse(value, &s->import.assimp_flags, err) || error_prefix(err, "--assimp-flags");
}

static bool set_timeout(struct settings *s, const char *value, struct error *err)
{
    return parse_range(value, 0.01, 86400, &s->import.timeout_seconds, "--import-timeout", err);
}

static bool set_memory(struct settings *s, const char *value, struct error *err)
{
    double mib = 0;
    if (!parse_count(value, 16, 1 << 20, &mib, "--import-memory", err))
        return false;
    s->import.memory_mib = (size_t)mib;
    return true;
}

static bool set_clips_from(struct settings *s, const char *value, struct error *err)
{
    if (s->clips_from_count == MAX_CLIP_FILES)
        return error_set(err, "--clips-from: at most %d files", MAX_CLIP_FILES);
    s->clips_from[s->clips_from_count++] = value;
    return true;
}

static bool set_clips_scale(struct settings *s, const char *value, struct error *err)
{
    s->clip_options.scale = 0;
    return strcmp(value, "auto") == 0 || parse_range(value, 1e-6, 1e6, &s->clip_options.scale, "--clips-scale", err);
}

static bool set_clips_prefix(struct settings *s, const char *value, struct error *err)
{
    if (!*value)
        return error_set(err, "--clips-prefix: the prefix of the bones' names is missing");
    s->clip_options.prefix = value;
    return true;
}

static bool set_influences(struct settings *s, const char *value, struct error *err)
{
    static const char *const words[] = {"1", "4", "8", "all"};
    static const uint32_t limits[] = {1, 4, 8, 0};
    int i = parse_word(value, words, WORD_COUNT(words), "--influences", err);
    if (i >= 0)
        s->influences = limits[i];
    return i >= 0;
}

/* ---- pose ---------------------------------------------------------------------------------------------------- */

static bool set_clip(struct settings *s, const char *value, struct error *err)
{
    (void)err;
    s->clip = value;
    s->clip_was_set = true;
    return true;
}

static bool choose_times(struct settings *s, enum time_choice choice)
{
    s->time_choice = choice;
    s->time_choices |= 1u << choice;
    s->time_was_set = true;
    return true;
}

static bool set_time(struct settings *s, const char *value, struct error *err)
{
    size_t count = 1;
    for (const char *c = value; *c; c++)
        count += *c == ',';
    free(s->times);
    s->time_count = 0;
    s->times = calloc(count, sizeof *s->times);
    if (!s->times)
        return error_set(err, "--time: out of memory");
    for (const char *part = value;; part++) {
        size_t length = strcspn(part, ",");
        if (!settings_number(part, length, &s->times[s->time_count++]))
            return error_set(err, "--time: `%.*s` is not a number of seconds (T or T,T,...)", (int)length, part);
        part += length;
        if (*part == '\0')
            break;
    }
    return choose_times(s, TIMES_LIST);
}

static bool set_times(struct settings *s, const char *value, struct error *err)
{
    if (strcmp(value, "auto") != 0)
        return set_time(s, value, err);
    return choose_times(s, TIMES_AUTO);
}

static bool set_frames(struct settings *s, const char *value, struct error *err)
{
    enum { MOST = 100000 };
    static const double farthest = 1e15; /* whole numbers are exact */
    const char *dots = strstr(value, "..");
    double first, last;
    if (!dots || !decimal_read(value, (size_t)(dots - value), true, &first) ||
        !decimal_read(dots + 2, strlen(dots + 2), true, &last))
        return error_set(err, "--frames: `%s` is not a range of frame numbers (A..B, both ends included)", value);
    if (last < first || last - first >= MOST)
        return error_set(err, "--frames: %s is empty or more than %d frames", value, MOST);
    if (fabs(first) > farthest || fabs(last) > farthest)
        return error_set(err, "--frames: %s is farther than %.0g from 0", value, farthest);
    s->first_frame = (long)first;
    s->last_frame = (long)last;
    return choose_times(s, TIMES_FRAMES);
}

static bool set_play(struct settings *s, const char *value, struct error *err)
{
    (void)value;
    (void)err;
    return choose_times(s, TIMES_PLAY);
}

static bool set_fps(struct settings *s, const char *value, struct error *err)
{
    return parse_range(value, 0.001, 100000, &s->fps, "--fps", err);
}

static bool set_samples(struct settings *s, const char *value, struct error *err)
{
    double n = 0;
    if (!parse_count(value, 1, 100000, &n, "--samples", err))
        return false;
    s->samples = (uint32_t)n;
    s->samples_were_set = true;
    return true;
}

static bool check_one_choice(const struct settings *s, struct error *err)
{
    static const char *const options[] = {
        [TIMES_LIST] = "--time", [TIMES_FRAMES] = "--frames", [TIMES_AUTO] = "--times auto", [TIMES_PLAY] = "--play"};
    for (int i = 0; i < (int)WORD_COUNT(options); i++)
        if (i != (int)s->time_choice && (s->time_choices >> i & 1))
            return error_set(err, "%s and %s: only one of them may be given", options[i], options[s->time_choice]);
    return true;
}

bool settings_check_times(const struct settings *s, bool rate_counts, struct error *err)
{
    if (!check_one_choice(s, err))
        return false;
    bool chosen = s->time_choice == TIMES_LIST || s->time_choice == TIMES_AUTO;
    if (s->samples_were_set && s->time_choice != TIMES_AUTO)
        return error_set(err, "--samples is how many times --times auto gives: add --times auto");
    if (s->fps > 0 && chosen && !rate_counts && !mix_option_has_frames(s))
        return error_set(err, "--fps is the rate of --frames A..B and of --play: add one of them, or take --fps away");
    return true;
}

static bool set_wrap(struct settings *s, const char *value, struct error *err)
{
    static const char *const words[] = {"loop", "clamp"};
    int i = parse_word(value, words, WORD_COUNT(words), "--wrap", err);
    s->wrap = i == 1 ? WRAP_HOLD : WRAP_LOOP;
    return i >= 0;
}

static bool set_space(struct settings *s, const char *value, struct error *err)
{
    static const char *const words[] = {"scene", "root"};
    int i = parse_word(value, words, WORD_COUNT(words), "--space", err);
    s->space = i == 1 ? SPACE_ROOT : SPACE_SCENE;
    return i >= 0;
}

static bool set_skinning(struct settings *s, const char *value, struct error *err)
{
    int i = parse_word(value, skinning_names, SKINNING_COUNT, "--skinning", err);
    if (i >= 0)
        s->upload_format.skinning = (enum skinning)i;
    return i >= 0;
}

/* ---- draw ---------------------------------------------------------------------------------------------------- */

static bool set_size(struct settings *s, const char *value, struct error *err)
{
    const char *x = strchr(value, 'x');
    double width, height;
    if (!x || !decimal_read(value, (size_t)(x - value), true, &width) || !decimal_read(x + 1, strlen(x + 1), true, &height) ||
        width < 1 || height < 1 || width > FRAME_MAX_SIZE || height > FRAME_MAX_SIZE)
        return error_set(err, "--size: `%s` is not WIDTHxHEIGHT from 1x1 to %dx%d", value, FRAME_MAX_SIZE,
                         FRAME_MAX_SIZE);
    s->width = (uint32_t)width;
    s->height = (uint32_t)height;
    return true;
}

static bool set_background(struct settings *s, const char *value, struct error *err)
{
    size_t n = strlen(value);
    if ((n != 6 && n != 8) || strspn(value, "0123456789abcdefABCDEF") != n)
        return error_set(err, "--background: `%s` is not RRGGBB or RRGGBBAA in hexadecimal", value);
    unsigned long bits = strtoul(value, NULL, 16);
    if (n == 6)
        bits = bits << 8 | 0xff;
    for (int i = 0; i < 4; i++)
        s->background[i] = (uint8_t)(bits >> (24 - 8 * i));
    return true;
}

static bool set_view(struct settings *s, const char *value, struct error *err)
{
    if (strncmp(value, "weight:", 7) == 0 && value[7]) {
        s->view = VIEW_BONE_WEIGHT;
        s->view_bone = value + 7;
        return true;
    }
    if (strncmp(value, "weight", 6) == 0 && (value[6] == ':' || value[6] == '\0'))
        return error_set(err, "--view: `%s`: a bone is missing, weight:BONE; the largest of all is `weights`", value);
    int i = parse_word(value, view_names, VIEW_COUNT, "--view", err);
    if (i >= 0)
        s->view = (enum view)i;
    return i >= 0;
}

/* The overlays' bits of a list with commas. */
static bool set_overlay(struct settings *s, const char *value, struct error *err)
{
    const char *words[OVERLAY_COUNT + 1];
    unsigned overlays = 0;
    bool none = strcmp(value, "none") == 0;
    memcpy(words, overlay_names, sizeof overlay_names);
    words[OVERLAY_COUNT] = "none";
    for (const char *part = value;; part++) {
        char word[32];
        size_t length = strcspn(part, ",");
        snprintf(word, sizeof word, "%.*s", (int)length, part);
        int i = parse_word(word, words, OVERLAY_COUNT + 1, "--overlay", err);
        if (i < 0)
            return false;
        if (i == OVERLAY_COUNT && !none)
            return error_set(err, "--overlay: `%s`: `none` stands alone", value);
        overlays |= i < OVERLAY_COUNT ? 1u << i : 0;
        part += length;
        if (*part == '\0')
            break;
    }
    s->overlays = overlays;
    return true;
}

static bool set_select(struct settings *s, const char *value, struct error *err)
{
    if (!*value)
        return error_set(err, "--select: a bone's name is missing");
    s->select = value;
    return true;
}

static bool set_up(struct settings *s, const char *value, struct error *err)
{
    static const char *const words[] = {"x", "y", "z", "auto"};
    int i = parse_word(value, words, WORD_COUNT(words), "--up", err);
    s->up_axis = i == 3 ? -1 : i;
    return i >= 0;
}

static bool set_palette(struct settings *s, const char *value, struct error *err)
{
    static const char *words[PALETTE_PATH_COUNT + 1] = {[PALETTE_PATH_COUNT] = "all"};
    memcpy(words, palette_path_names, sizeof palette_path_names);
    int i = parse_word(value, words, WORD_COUNT(words), "--palette", err);
    s->every_upload_format = i == PALETTE_PATH_COUNT;
    if (i >= 0 && !s->every_upload_format)
        s->upload_format.path = (enum palette_path)i;
    return i >= 0;
}

static bool set_palette_format(struct settings *s, const char *value, struct error *err)
{
    int i = parse_word(value, palette_format_names, PALETTE_FORMAT_COUNT, "--palette-format", err);
    if (i >= 0)
        s->upload_format.format = (enum palette_format)i;
    return i >= 0;
}

static bool set_weights(struct settings *s, const char *value, struct error *err)
{
    int i = parse_word(value, weight_format_names, WEIGHT_FORMAT_COUNT, "--weights", err);
    if (i >= 0)
        s->upload_format.weights = (enum weight_format)i;
    return i >= 0;
}

static bool set_profile(struct settings *s, const char *value, struct error *err)
{
    static const char *const words[] = {"portable", "native"};
    int i = parse_word(value, words, WORD_COUNT(words), "--profile", err);
    s->profile = i == 1 ? PROFILE_NATIVE : PROFILE_PORTABLE;
    return i >= 0;
}

static bool set_backend(struct settings *s, const char *value, struct error *err)
{
    return backend_parse(value, &s->backend, err) || error_prefix(err, "--backend");
}

/* A suite's case says none where the defaults have a folder. */
static bool set_shaders(struct settings *s, const char *value, struct error *err)
{
    struct text real = {0};
    bool none = strcmp(value, "none") == 0;
    bool good = none || path_real_folder(value, &real, err) || error_prefix(err, "--shaders");
    text_release(&real);
    s->shaders = none ? NULL : value;
    return good;
}

static bool set_crowd(struct settings *s, const char *value, struct error *err)
{
    enum { MOST = 100 };
    const char *x = strchr(value, 'x');
    double columns, rows;
    if (!x || !decimal_read(value, (size_t)(x - value), true, &columns) || !decimal_read(x + 1, strlen(x + 1), true, &rows) ||
        columns < 1 || rows < 1 || columns > MOST || rows > MOST)
        return error_set(err, "--crowd: `%s` is not COLUMNSxROWS from 1x1 to %dx%d", value, MOST, MOST);
    s->crowd[0] = (uint32_t)columns;
    s->crowd[1] = (uint32_t)rows;
    return true;
}

static bool set_crowd_phase(struct settings *s, const char *value, struct error *err)
{
    return parse_range(value, -1e6, 1e6, &s->crowd_phase, "--crowd-phase", err);
}

static bool set_sheet(struct settings *s, const char *value, struct error *err)
{
    (void)value;
    (void)err;
    s->sheet = true;
    return true;
}

const struct setting setting_table[] = {
    {"clip", "NAME|INDEX", "the clip (default the first); `walk` also matches `rig|walk` and `rig:walk`, and the reverse; rest (or none): the nodes' own transforms; bind: where no vertex is deformed", SETTING_CLIP, set_clip},
    {"blend", "CLIP:WEIGHT", "several clips at once, by weight, instead of --clip (repeatable)", SETTING_CLIP, mix_option_set_blend},
    {"transition", "CLIP@START..END", "fade from --clip into CLIP, which begins at START; seconds or frames as in 12f (repeatable)", SETTING_CLIP, mix_option_set_transition},
    {"mask", "BONE=CLIP[@OFFSET]", "BONE and all below it play CLIP, OFFSET seconds ahead; the deeper mask wins (repeatable)", SETTING_CLIP, mix_option_set_mask},
    {"add", "CLIP:WEIGHT[@rest|@bind]", "add what CLIP does beyond its first frame, or the rest or the bind pose, on top (repeatable)", SETTING_CLIP, mix_option_set_add},
    {"rate", "R", "play R times as fast; below 0 backwards, from the end (default 1)", SETTING_CLIP, mix_option_set_rate},
    {"in-place", NULL, "without the root's horizontal travel", SETTING_CLIP, mix_option_set_in_place},
    {"clips-from", "FILE", "more clips from another file, matched by bone name (repeatable)", SETTING_IMPORT, set_clips_from},
    {"clips-scale", "auto|F", "what their translations are multiplied by (default auto: by the ratio of the bones' rest offsets in both files)", SETTING_IMPORT, set_clips_scale},
    {"clips-prefix", "PREFIX", "what stands before the bones' names in one of the files (default the one with which all fit)", SETTING_IMPORT, set_clips_prefix},
    {"time", "T[,T...]", "times in seconds (default 0)", SETTING_TIME, set_time},
    {"times", "auto|T[,T...]", "auto: first, last, keys and midpoints of the clip", SETTING_TIME, set_times},
    {"frames", "A..B", "frame numbers, both ends included", SETTING_TIME, set_frames},
    {"play", NULL, "the whole clip at --fps frames a second, its end left out, so that it loops", SETTING_TIME, set_play},
    {"fps", "F", "frames a second for --frames, --play, films and 12f (default the file's frame rate, else 24)", SETTING_TIME, set_fps},
    {"samples", "N", "maximum number of times of --times auto (default 9)", SETTING_TIME, set_samples},
    {"wrap", "loop|clamp", "what happens outside the clip (default loop)", SETTING_CLIP, set_wrap},
    {"space", "scene|root", "palette space; root multiplies by the inverse root transform (default scene)", SETTING_CLIP, set_space},
    {"repair", "all|none|NAME,...", "which of the importer's known faults to repair (default all)", SETTING_IMPORT, set_repair},
    {"assimp-flags", "none|NAME,...", "steps that Assimp takes after the import, as in your engine: join-identical, limit-weights, realtime-quality, ... (default none)", SETTING_IMPORT, set_assimp_flags},
    {"influences", "1|4|8|all", "most influences per vertex (default 4); 1: each follows one bone", SETTING_CLIP, set_influences},
    {"skinning", "linear|dual-quaternion", "how a vertex follows several bones (default linear)", SETTING_CLIP, set_skinning},
    {"import-timeout", "S", "seconds the import may take (default 30)", SETTING_IMPORT, set_timeout},
    {"import-memory", "MIB", "memory the import may take (default 4096)", SETTING_IMPORT, set_memory},
    {"size", "WxH", "picture size (default 512x512, up to 8192x8192)", SETTING_DRAW, set_size},
    {"background", "RRGGBB[AA]", "background colour (default 808080, opaque)", SETTING_DRAW, set_background},
    {"view", "VIEW", "what the surfaces show: lit (default), unlit, normals, weights, weight:BONE, bones, depth, uv, influences", SETTING_DRAW, set_view},
    {"overlay", "NAME,...", "drawn over the view: skeleton, wireframe, bounds, axes, label, or none", SETTING_DRAW, set_overlay},
    {"select", "BONE", "the bone that the skeleton overlay marks", SETTING_DRAW, set_select},
    {"camera", "yaw=D,pitch=D,zoom=Z,fov=D", "orbit framed on the sampled sequence (default 30, 10, 1, 30; fov=0 or ortho=H: orthographic);\n"
     "eye=X:Y:Z,target=X:Y:Z with up=, fov=, ortho=, near=, far=; file:NAME; @FILE: a saved one", SETTING_DRAW, camera_setting_parse},
    {"up", "x|y|z|auto", "the camera's up axis (default auto: the file's)", SETTING_DRAW, set_up},
    {"palette", "uniform|ubo|tbo|ssbo|all", "how matrices are uploaded: array, uniform block, buffer texture (default), storage block; all: render tries each and prints a table", SETTING_DRAW, set_palette},
    {"palette-format", "mat4|mat3x4|trs", "the format of an uploaded matrix (default mat3x4); trs: rotation, translation, uniform scale", SETTING_DRAW, set_palette_format},
    {"weights", "float|unorm8", "the format of uploaded weights (default float); unorm8: bytes that sum up to 255", SETTING_DRAW, set_weights},
    {"shaders", "DIR", "your GLSL files in place of ours of the same names, see shaders/README.md (default none)", SETTING_DRAW, set_shaders},
    {"profile", "portable|native", "portable: same pixels on other machines (default); native: multisampling", SETTING_DRAW, set_profile},
    {"backend", "auto|osmesa|egl", "how to get a GL context (default auto)", SETTING_DRAW, set_backend},
    {"crowd", "COLUMNSxROWS", "so many instances of the model on a grid, each in its own pose, drawn by one call", SETTING_DRAW, set_crowd},
    {"crowd-phase", "S", "each plays S seconds later than the one before (default the clip's duration, spread over all)", SETTING_DRAW, set_crowd_phase},
    {"sheet", NULL, "also one contact sheet of the sequence", SETTING_DRAW, set_sheet},
};
const size_t setting_count = WORD_COUNT(setting_table);

const struct setting *setting_find(const char *name)
{
    for (size_t i = 0; i < setting_count; i++)
        if (strcmp(setting_table[i].name, name) == 0)
            return &setting_table[i];
    return NULL;
}
