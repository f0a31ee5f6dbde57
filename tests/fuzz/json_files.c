/* Files of ours, the one that FUZZ_TARGET names: what is written of what was read reads back, written the same. */
#include <stdlib.h>
#include <string.h>

#include "data/image/frame_settings.h"
#include "data/record/snapshot.h"
#include "data/result/recorded.h"
#include "report/report.h"
#include "target.h"

/* Each reads the file and appends what is written of it. False when it was refused. */

static bool rewrite_camera_file(const void *data, size_t size, struct arena *arena, struct error *err, struct text *out)
{
    struct camera camera;
    bool good = camera_file_read(data, size, "camera.json", &camera, err);
    if (good)
        camera_file_write(&camera, out);
    (void)arena;
    return good;
}

static bool rewrite_recorded(const void *data, size_t size, struct arena *arena, struct error *err, struct text *out)
{
    struct recorded recorded;
    bool good = recorded_read(data, size, "recorded.json", arena, &recorded, err);
    if (good)
        recorded_write(&recorded, out);
    return good;
}

static bool rewrite_pose(const void *data, size_t size, struct arena *arena, struct error *err, struct text *out)
{
    struct pose_snapshot *snapshot = pose_snapshot_read(data, size, "pose.json", arena, err);
    if (snapshot) {
        pose_snapshot_radius(snapshot);
        pose_snapshot_write(snapshot, out);
    }
    return snapshot != NULL;
}

static bool rewrite_import(const void *data, size_t size, struct arena *arena, struct error *err, struct text *out)
{
    struct import_snapshot *snapshot = import_snapshot_read(data, size, "import.json", arena, err);
    if (snapshot)
        import_snapshot_write(snapshot, out);
    return snapshot != NULL;
}

/* What is found of a case without the others is that case alone. */
static void narrow(const void *data, size_t size, const char *name, bool is_good)
{
    struct text text = {0};
    struct error err = {0};
    if (results_narrow(data, size, name, &text) && is_good) {
        struct results *results = results_read(text.data, text.size, "narrow", &err);
        if (!results || results->case_count != 1 || strcmp(results->cases[0].name, name) != 0)
            abort();
        results_free(results);
    }
    text_release(&text);
}

/* And every report of it. */
static bool rewrite_results(const void *data, size_t size, struct arena *arena, struct error *err, struct text *out)
{
    struct text text = {0};
    const struct report_text_options options = {.folder = "out", .colour = true, .details = 2};
    struct results *results = results_read(data, size, "results.json", err);
    (void)arena;
    narrow(data, size, "twins", false);
    results_free(results_read_costs(data, size, err));
    if (!results)
        return false;
    for (size_t i = 0; i < results->case_count && i < 4; i++)
        narrow(data, size, results->cases[i].name, true);
    report_text(results, &options, &text);
    report_junit(results, "out", &text);
    report_github_annotations(results, "suite.yaml", &text);
    report_github_summary(results, "out", NULL, &text);
    report_html(results, "out", NULL, &text);
    for (size_t i = 0; i < results->case_count; i++) {
        report_case_line(&results->cases[i], false, &text);
        report_case_text(&results->cases[i], "", false, &text);
    }
    text_release(&text);
    results_write(results, out);
    results_free(results);
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct {
        const char *name;
        bool (*rewrite)(const void *data, size_t size, struct arena *arena, struct error *err, struct text *out);
    } files[] = {{"camera_file", rewrite_camera_file}, {"recorded", rewrite_recorded}, {"pose", rewrite_pose},
                 {"import", rewrite_import}, {"results", rewrite_results}};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        if (strcmp(files[i].name, FUZZ_TARGET) != 0)
            continue;
        struct text written[2] = {{0}};
        struct error err = {0};
        struct arena *arena = target_arena();
        if (files[i].rewrite(data, size, arena, &err, &written[0]))
            files[i].rewrite(written[0].data, written[0].size, arena, &err, &written[1]);
        target_require_equal(&written[0], &written[1]);
        arena_destroy(arena);
    }
    return 0;
}
