/* sheet: many tiles of a model, or of several, in one picture with words. */
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/memory.h"
#include "cli/command.h"
#include "cli/output/template.h"
#include "cli/output/terminal_show.h"
#include "cli/sheet/sheet_maker.h"

static struct settings settings;
static struct sheet_request request;
static struct sheet layout;
static char *sweep; /* what request.sweep points into */
static struct {
    const char *picture, *film, *camera;
    enum terminal_kind show;
    bool no_labels;
} outputs;
static struct terminal_show terminal;

static void set_defaults(void)
{
    settings.width = settings.height = 256;
    request = (struct sheet_request){.settings = &settings, .steps = 7, .most = 60};
    layout = (struct sheet){.gap = 8, .page = {0x1e, 0x20, 0x24, 0xff}};
}

/* VIEW,VIEW or weight:GLOB, whose bone may have a comma in its name. */
static bool read_views(struct value_source *source, void *target, const struct tree_node *value)
{
    struct option_list *list = target;
    const char *text = value_string(source, value);
    SCOPED(settings) probe;
    bool good = text != NULL;
    const bool is_bone = good && strncmp(text, "weight:", 7) == 0;
    settings_init(&probe);
    while (good && *text) {
        const size_t length = is_bone ? strlen(text) : strcspn(text, ",");
        char *part = memory_new(length + 1, 1); /* lives as long as the command, as argv does */
        memcpy(part, text, length);
        if (list->count == OPTION_LIST_MOST)
            good = value_fail(source, value, "at most %d views", OPTION_LIST_MOST);
        good = good && settings_set(&probe, "view", part, source->err);
        if (good)
            list->items[list->count++] = part;
        else
            free(part);
        text += length + (text[length] == ',');
    }
    return good;
}

/* CLIP,CLIP is swept; CLIP:WEIGHT is one of a blend, as render has it. */
static bool read_blend(struct value_source *source, void *target, const struct tree_node *value)
{
    const char *text = value_string(source, value), *comma = text ? strchr(text, ',') : NULL;
    const char *colon = text ? strrchr(text, ':') : NULL;
    if (!text)
        return false;
    if (!comma || (colon && colon > comma && colon[1] && strspn(colon + 1, "0123456789.e-") == strlen(colon + 1)))
        return value_mix.read(source, target, value);
    if (sweep)
        return value_fail(source, value, "one pair of clips is swept, and `%s,%s` is given too", request.sweep[0],
                          request.sweep[1]);
    sweep = memory_string(text);
    sweep[comma - text] = '\0';
    request.sweep[0] = sweep;
    request.sweep[1] = sweep + (comma - text) + 1;
    return (*request.sweep[0] && *request.sweep[1]) || value_fail(source, value, "`%s` is not CLIP,CLIP", text);
}

static const struct value_type value_views = {read_views, NULL, FORM_TEXT | FORM_LIST | FORM_REPEATED};
static const struct value_type value_blend = {read_blend, NULL, FORM_TEXT | FORM_REPEATED};

static const struct setting options[] = {
    {"output", "OUT.png", "the file; {model} of several makes one sheet for each; - is stdout", 0, &value_text,
     VALUE_OF(outputs.picture), .letter = 'o'},
    {"film", "OUT.apng|.mp4|.webm|.gif",
     "instead of -o: tiles play their clips, over and over. All but .apng need ffmpeg", 0, &value_text,
     VALUE_OF(outputs.film)},
    {"clip", "NAME|INDEX|all",
     "the clips, also as globs: 'run*' (repeatable; default all, unless views, cameras or models vary)", 0,
     &value_texts, VALUE_OF(request.clips)},
    {"view", "VIEW[,VIEW...]|weight:GLOB",
     "the views; weight:'*' is a tile for each bone that holds vertices (repeatable)", 0, &value_views,
     VALUE_OF(request.views), .words = view_names, .word_count = VIEW_COUNT},
    {"close", NULL, "frames the tiles of weight:BONE on what the bone holds, from the side where it is seen", 0,
     &value_flag, VALUE_OF(request.is_close)},
    {"camera", "yaw=D,pitch=D,zoom=Z,fov=D", "as of render; several are several tiles (repeatable)", 0, &value_texts,
     VALUE_OF(request.cameras)},
    {"blend", "CLIP,CLIP|CLIP:WEIGHT", "CLIP,CLIP: from the first to the second in --steps; CLIP:WEIGHT as of render",
     0, &value_blend, VALUE_OF(settings), .kind = MIX_BLEND},
    {"steps", "N", "tiles of such a blend, with weights from 0 to 1 (default 7)", 0, &value_count,
     VALUE_OF(request.steps), .least = 2, .most = 1000},
    {"before", "FILE", "three columns: this model, MODEL, and what differs", 0, &value_text, VALUE_OF(request.before)},
    {"build", "RIGPROOF", "three columns: drawn by this other rigproof, by this one, and what differs", 0, &value_text,
     VALUE_OF(request.build)},
    {"different", NULL, "of --before and --build only the rows that differ", 0, &value_flag,
     VALUE_OF(request.only_different)},
    {"most", "N", "at most so many clips, and bones (default 60)", 0, &value_count, VALUE_OF(request.most), .least = 1,
     .most = 100000},
    {"columns", "N", "tiles in a row before it goes on below (default as many as there are, at most 12)", 0,
     &value_count, VALUE_OF(layout.columns), .least = 1, .most = 10000},
    {"gap", "PIXELS", "between tiles (default 8)", 0, &value_count, VALUE_OF(layout.gap), .most = 1000},
    {"page", "RRGGBB[AA]", "colour around the tiles (default 1e2024); words on it are white or black", 0, &value_colour,
     VALUE_OF(layout.page)},
    {"no-labels", NULL, "tiles without any words", 0, &value_flag, VALUE_OF(outputs.no_labels)},
    TERMINAL_SHOW_OPTION(outputs.show),
    {"save-camera", "FILE", "writes the first tile's camera, for --camera @FILE", 0, &value_text,
     VALUE_OF(outputs.camera)},
    COMMAND_QUIET_OPTION,
    COMMAND_LIMIT_OPTIONS,
};

static bool check(const struct operands *operands, struct error *err)
{
    if (!outputs.picture && !outputs.film && !outputs.show)
        return error_set(err, "sheet: no output is named; add -o sheet.png, --film sheet.apng or --show");
    if (outputs.film && (outputs.picture || outputs.show))
        return error_set(err, "sheet: -o and --show are for a picture, and --film plays: one of them");
    if (outputs.show && outputs.picture && strcmp(outputs.picture, "-") == 0)
        return error_set(err, "sheet: -o - and --show both are for standard output");
    if (outputs.film && operands->count > 1)
        return error_set(err, "sheet: --film is of one MODEL, and %zu are given", operands->count);
    if (outputs.film && request.only_different)
        return error_set(err, "sheet: --different is for pictures, --film shows all rows");
    if (!template_check_picture(outputs.picture, err))
        return false;
    if (settings.sheet || settings.upload_format.path == PALETTE_PATH_COUNT)
        return error_set(err, "sheet: --%s is for rigproof render", settings.sheet ? "sheet" : "palette all");
    if (request.before && operands->count > 1)
        return error_set(err, "sheet: --before is another file of one MODEL, and %zu are given", operands->count);
    if (request.only_different && !request.before && !request.build)
        return error_set(err, "sheet: --different is for --before and --build");
    if (sweep && (request.clips.count > 0 || settings.mix_count > 0))
        return error_set(err, "sheet: --blend %s,%s names all clips: leave --clip and --blend CLIP:WEIGHT out",
                         request.sweep[0], request.sweep[1]);
    for (size_t i = 0; i < request.cameras.count; i++) {
        struct settings probe = settings;
        if (!settings_set(&probe, "camera", request.cameras.items[i], err))
            return false;
    }
    return settings_check_times(&settings,
                                outputs.film || settings.time_count > 1 || settings.time_choice >= TIMES_AUTO, err);
}

/* Explains the colours that need it. */
static void add_legends(struct sheet *sheet)
{
    /* shaders/weights.frag */
    static const uint8_t weights[][3] = {{0, 0, 255}, {0, 255, 255}, {0, 255, 0}, {255, 255, 0}, {255, 0, 0}};
    bool shows_weights = false;
    for (size_t i = 0; i < request.views.count; i++)
        shows_weights = shows_weights || strncmp(request.views.items[i], "weight:", 7) == 0 ||
                        strcmp(request.views.items[i], "weights") == 0;
    if (shows_weights)
        sheet_add_legend(sheet, &(struct sheet_legend){memory_string("weight, grey where a bone holds nothing:"),
                                                       weights, 5, "0", "1"});
    if (request.varies[AXIS_SIDE]) {
        struct text text = {0};
        if (request.build)
            text_addf(&text, "before is drawn by %s; ", request.build);
        text_add(&text, "difference: |after - before| x 16");
        sheet_add_legend(sheet, &(struct sheet_legend){.text = text.data});
    }
}

static bool write_picture(const struct image *image, const char *model, struct error *err)
{
    const struct template_values values = {.model = model,
                                           .clip = request.clips.count == 1 ? request.clips.items[0] : "all"};
    SCOPED(text) path = {0};
    bool good = template_open(outputs.picture, TEMPLATE_SHEET, &values, &path, err) &&
                image_write_png(image, text_string(&path), PNG_OUTPUT, err);
    if (good && strcmp(text_string(&path), "-") != 0)
        log_note("%s: %ux%u", text_string(&path), image->width, image->height);
    return good;
}

static bool write_sheet(struct sheet *sheet, const char *model, struct error *err)
{
    SCOPED(image) image = {0};
    return sheet_draw(sheet, &image, err) && (!outputs.picture || write_picture(&image, model, err)) &&
           (!terminal.kind || terminal_show_image(&terminal, &image, err));
}

/* One sheet of some of the models. */
static bool make_sheet(struct sheet_maker *maker, const char *const *models, size_t count, struct error *err)
{
    SCOPED(sheet) sheet = layout;
    bool good = true;
    maker->sheet = &sheet;
    add_legends(&sheet);
    for (size_t i = 0; good && i < count; i++)
        good = sheet_add_model(maker, models[i], err);
    return good && (maker->film || write_sheet(&sheet, models[0], err));
}

static void tell_differences(const struct sheet_maker *maker)
{
    const char *const what = maker->film ? "rows of frames" : "rows";
    if (maker->compared > 0 && maker->different == 0)
        log_note("all %zu %s have the same pixels before and after", maker->compared, what);
    else if (maker->compared > 0)
        log_note("%zu of %zu %s differ, most at %s: %.3g %% of the foreground", maker->different, maker->compared, what,
                 maker->worst_heading ? maker->worst_heading : "", maker->worst);
}

static enum exit_code run_sheet(const struct operands *operands, struct error *err)
{
    const bool is_each = outputs.picture && strstr(outputs.picture, "{model}") && operands->count > 1;
    struct sheet_maker maker = {.request = &request, .camera_file = outputs.camera, .film = outputs.film,
                                .late.backend = settings.backend};
    request.models = operands->items;
    request.model_count = is_each ? 1 : operands->count;
    bool good = check(operands, err) && terminal_show_begin(outputs.show, outputs.picture != NULL, &terminal, err);
    if (good) {
        layout.width = settings.width;
        layout.height = settings.height;
        layout.has_words = !outputs.no_labels;
        request.is_film = outputs.film != NULL;
        sheet_request_complete(&request, &settings);
        if (request.views.count == 0 && !request.varies[AXIS_SIDE])
            settings_prefer_view(&settings, VIEW_STUDIO);
        for (size_t i = 0; good && i < (is_each ? operands->count : 1); i++)
            good = make_sheet(&maker, operands->items + i, is_each ? 1 : operands->count, err);
        tell_differences(&maker);
    }
    if (good && maker.failed)
        error_set(err, "%zu of %zu models cannot be drawn; their tiles say why", maker.failed, operands->count);
    renderer_leave(maker.late.renderer);
    free(maker.worst_heading);
    free(sweep);
    for (size_t i = 0; i < request.views.count; i++)
        free((char *)request.views.items[i]);
    return EXIT_CODE_GOOD;
}

const struct command command_sheet = {
    .name = "sheet", .operands = "MODEL... -o SHEET.png",
    .summary = "clips, bones, blends, models, or before and after, in one picture",
    .about = "Draws many tiles into one picture, each with its label. They are every clip at six times; every bone's "
             "weights (--view 'weight:*');\na blend of two clips (--blend walk,wave); views; cameras; several models; "
             "before and after of a file (--before) or\nof rigproof itself (--build), with what differs. A tile is "
             "what render draws with the same settings. All tiles of\na model share a camera that frames all that is "
             "shown of it.",
    COMMAND_OPTIONS(options), .setting_groups = SETTING_IMPORT | SETTING_CLIP | SETTING_TIME | SETTING_DRAW,
    .settings = &settings, .is_limited = true, .operand_least = 1, .operand_most = SIZE_MAX, .init = set_defaults,
    .run = run_sheet,
};
