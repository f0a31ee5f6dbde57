/* subject: rigproof as a program under test, by the protocol of docs/subjects.md. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file/file.h"
#include "base/names.h"
#include "cli/command.h"
#include "cli/output/sequence.h"
#include "data/image/image.h"
#include "data/json_fields.h"
#include "draw/draw.h"
#include "subject/subject.h"
#include "pipeline/pipeline.h"
#include "pipeline/view_values.h"

static struct settings settings;

static struct settings typed; /* as on the command line */

/* The model and clip asked for last. */
static struct {
    char *model, *clip; /* clip: NULL is the rest pose */
    int32_t clip_index;
    bool holds;
    struct scene *scene;
    struct pipeline pipeline; /* without settings: none */
    struct late_renderer late;
    struct gpu_model *gpu;
    struct text sent; /* the settings that came with it */
} kept;

static void close_pipeline(void)
{
    pipeline_end(&kept.pipeline);
    free(kept.clip);
    kept.clip = NULL;
}

static void close_model(void)
{
    close_pipeline();
    gpu_model_destroy(kept.gpu);
    kept.gpu = NULL;
    scene_free(kept.scene);
    kept.scene = NULL;
    free(kept.model);
    kept.model = NULL;
}

/* Keeps the model, and what plays, until another is asked for. */
static bool open_clip(const struct subject_request *asked, struct error *err)
{
    static char index[16];
    const bool holds = names_equal(asked->wrap, "hold");
    if (!names_equal(kept.model, asked->model)) {
        close_model();
        kept.scene = pipeline_import(asked->model, &settings, err);
        if (!kept.scene)
            return false;
        kept.model = memory_string(asked->model);
    }
    if (kept.pipeline.settings && names_equal(kept.clip, asked->clip) && kept.clip_index == asked->clip_index &&
        kept.holds == holds)
        return true;
    close_pipeline();
    const char *of_case = settings.clip;
    if (!of_case && settings.mix_count == 0)
        settings.clip = asked->clip ? asked->clip : "none";
    settings.wrap = holds ? WRAP_HOLD : WRAP_LOOP;
    for (int32_t i = 0; settings.clip == asked->clip && asked->clip && i < asked->clip_index &&
                        asked->clip_index < (int32_t)kept.scene->clip_count;
         i++)
        if (strcmp(kept.scene->clips[i].name, asked->clip) == 0) { /* the name alone would be another's */
            snprintf(index, sizeof index, "%d", asked->clip_index);
            settings.clip = index;
        }
    bool good = pipeline_begin(&kept.pipeline, kept.scene, &settings, err);
    settings.clip = of_case;
    kept.clip = asked->clip ? memory_string(asked->clip) : NULL;
    kept.clip_index = asked->clip_index;
    kept.holds = holds;
    return good;
}

static bool draw_picture(const struct subject_request *asked, struct error *err)
{
    const struct subject_picture *wanted = asked->picture;
    struct pipeline *p = &kept.pipeline;
    struct camera camera = wanted->seen.camera;
    struct bounds bounds = bounds_empty();
    SCOPED(image) image = {0};
    const double time = p->time;
    pipeline_skin(p);
    pipeline_add_bounds(p, &bounds);
    bounds = wanted->has_bounds ? wanted->framed : bounds;
    camera.ortho_height *= 0.5f; /* ours is half of what is seen */
    p->frame = wanted->frame >= -1e9 && wanted->frame <= 1e9 ? (long)wanted->frame : 0;
    settings.width = wanted->width;
    settings.height = wanted->height;
    for (int i = 0; i < 4 && wanted->has_background; i++)
        settings.background[i] = (uint8_t)wanted->background[i];
    kept.late.backend = settings.backend;
    if (!kept.gpu)
        kept.gpu = late_renderer_upload(&kept.late, &settings, kept.scene, err);
    return kept.gpu && view_values_find_range(p, &time, 1, err) && pipeline_pose(p, time, err) &&
           pipeline_draw(p, kept.late.renderer, kept.gpu, time, &bounds, &camera, &image, err) &&
           image_write_png(&image, wanted->file, PNG_OUTPUT, err);
}

static bool write_import(const char *path, struct error *err)
{
    SCOPED_ARENA arena = arena_require((size_t)1 << 28);
    SCOPED(text) json = {0};
    import_snapshot_write(import_snapshot_gather(kept.scene, arena), &json);
    return file_write(path, json.data, json.size, err);
}

/* pose.json of what is wanted, on one line, with the request's id before it. */
static bool answer_pose(const struct subject_request *asked, struct text *out, struct error *err)
{
    struct pose_part part = {.vertices = true, .indices = true};
    struct json_writer json = {.text = out};
    SCOPED(text) pose = {0};
    const bool wants_picture = asked->wants & SUBJECT_PICTURE, wants_import = asked->wants & SUBJECT_IMPORT;
    part.stages = (asked->wants & SUBJECT_NODES ? POSE_NODES : 0) |
                  (asked->wants & SUBJECT_PALETTE ? POSE_PALETTE : 0) | (asked->wants & SUBJECT_SKIN ? POSE_SKIN : 0);
    if (!open_clip(asked, err) || !pipeline_pose(&kept.pipeline, asked->time, err))
        return false;
    if (part.stages & POSE_SKIN)
        pipeline_skin(&kept.pipeline);
    if (wants_picture && !asked->picture)
        return error_set(err, "a picture is wanted, but `picture` is missing");
    if (wants_import && !asked->import_file)
        return error_set(err, "an import is wanted, but `import` is missing");
    if ((wants_picture && !draw_picture(asked, err)) || (wants_import && !write_import(asked->import_file, err)))
        return false;
    struct pose_record record = pipeline_record(&kept.pipeline);
    record.part = &part;
    pose_write_json_line(&record, &pose);
    json_open_object(&json, NULL, JSON_INLINE);
    json_add_double(&json, "id", asked->id);
    if (wants_picture)
        json_add_string(&json, "picture", asked->picture->file);
    if (wants_import)
        json_add_string(&json, "import", asked->import_file);
    text_add(out, ", ");
    text_add_bytes(out, pose.data + 1, pose.size - 1); /* its members, without the brace that opens */
    return true;
}

/* Reads the settings of a case that another rigproof runs: `settings` of the request, on top of the command line's.
 * Where they change, what was made by them goes. */
static void read_settings(const struct json_place *root)
{
    struct text sent = {0};
    for (size_t i = 0; i < setting_count && json_has(root, "settings"); i++) {
        const struct setting *row = &setting_table[i];
        struct json_place given = json_read_object(root, "settings");
        if (!json_has(&given, row->name) || !(row->group & (SETTING_IMPORT | SETTING_CLIP | SETTING_DRAW)))
            continue;
        uint32_t count = 1;
        const bool is_list = json_has_array(&given, row->name);
        const struct json_place list = is_list ? json_read_array(&given, row->name, &count) : given;
        for (uint32_t k = 0; k < count && !error_is_set(root->reader->err); k++) {
            const struct json_place item = is_list ? json_item(&list, k) : given;
            const char *value = json_read_string(&item, is_list ? NULL : row->name);
            text_addf(&sent, "%s", row->name);
            text_add_bytes(&sent, "", 1);
            text_add_bytes(&sent, value, strlen(value) + 1);
        }
    }
    if (sent.size == kept.sent.size && (sent.size == 0 || memcmp(sent.data, kept.sent.data, sent.size) == 0)) {
        text_release(&sent);
        return;
    }
    close_model();
    free(settings.mix);
    settings = typed;
    text_release(&kept.sent);
    kept.sent = sent; /* which the settings point into */
    for (const char *at = sent.data; at < sent.data + sent.size;) {
        const char *value = at + strlen(at) + 1;
        settings_set(&settings, at, value, root->reader->err);
        at = value + strlen(value) + 1;
    }
}

static void hello(struct text *out)
{
    struct json_writer json = {.text = out};
    json_open_object(&json, NULL, JSON_INLINE);
    json_add_string(&json, "protocol", SUBJECT_PROTOCOL);
    json_add_string(&json, "name", "rigproof");
    SCOPED(text) version = {0};
    text_addf(&version, "%s (Assimp %s)", RIGPROOF_VERSION, import_library_version());
    json_add_string(&json, "version", text_string(&version));
    subject_write_words(&json, "gives", SUBJECT_ALL);
    json_open_object(&json, "conventions", JSON_INLINE);
    json_add_string(&json, "storage", storage_words[STORAGE_ROWS3X4]);
    json_add_string(&json, "space", space_words[settings.space]);
    json_add_string(&json, "bones", bones_words[BONES_PER_MESH]);
    json_close(&json);
    json_close(&json);
}

/* One request, one line: what went wrong is its answer. */
static void answer(const char *line, size_t size, struct text *out)
{
    SCOPED_ARENA arena = arena_require((size_t)1 << 28);
    struct error err = {0};
    struct subject_request asked = {0};
    struct json_reader reader;
    if (json_reader_open(&reader, line, size, "the request", arena, &err)) {
        const char *request = json_read_string(&reader.root, "request");
        if (names_equal(request, "hello")) {
            hello(out);
        } else {
            fields_read(&reader.root, &subject_request_fields, &asked);
            read_settings(&reader.root);
            if (!error_is_set(&err) && !names_equal(request, "pose"))
                error_set(&err, "`%s` is no request of " SUBJECT_PROTOCOL, request);
            if (!error_is_set(&err))
                answer_pose(&asked, out, &err);
        }
    }
    json_reader_close(&reader);
    if (error_is_set(&err)) {
        struct json_writer json = {.text = out};
        out->size = 0;
        json_open_object(&json, NULL, JSON_INLINE);
        json_add_double(&json, "id", asked.id);
        json_add_string(&json, "error", err.text);
        json_close(&json);
    }
    while (out->size > 0 && out->data[out->size - 1] == '\n')
        out->size--;
    text_add(out, "\n");
}

static enum exit_code run_subject(const struct operands *operands, struct error *err)
{
    SCOPED(text) out = {0};
    FREED char *line = NULL;
    size_t room = 0;
    ssize_t size;
    bool good = true;
    (void)operands;
    free(settings.mix);
    settings.mix = NULL; /* requests say what plays */
    settings.mix_count = 0;
    settings.clip = NULL;
    typed = settings;
    while (good && (size = getline(&line, &room, stdin)) > 0) {
        out.size = 0;
        answer(line, (size_t)size, &out);
        good = (fwrite(out.data, 1, out.size, stdout) == out.size && fflush(stdout) == 0) ||
               error_set(err, "subject: nobody reads the answers");
    }
    close_model();
    renderer_destroy(kept.late.renderer);
    text_release(&kept.sent);
    free(settings.mix);
    settings = typed;
    return good ? EXIT_CODE_GOOD : EXIT_CODE_USAGE;
}

static const struct setting options[] = {COMMAND_LIMIT_OPTIONS};

const struct command command_subject = {
    .name = "subject", .operands = "", .summary = "answer requests for poses on stdin: rigproof under test",
    .about = "Speaks the protocol rigproof.subject/1 (docs/subjects.md) on stdin and stdout, until stdin ends. For "
             "`rigproof\ncheck SUITE.yaml --against OTHER_RIGPROOF`, and for whoever wants poses from another program.",
    COMMAND_OPTIONS(options), .setting_groups = SETTING_IMPORT | SETTING_CLIP | SETTING_DRAW, .settings = &settings,
    .is_limited = true, .operand_most = 0, .run = run_subject,
};
