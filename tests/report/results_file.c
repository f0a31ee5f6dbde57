/*
 * Results for the scripts that test from outside:
 *     results_file print              two documents with everything there is, to stdout
 *     results_file read               reads results.json from stdin; exit code 1 and a line when it is none
 *     results_file folder DIR COUNT   results.json and pictures in DIR: COUNT cases, of which one in five fails
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file/file.h"
#include "data/image/image.h"
#include "data/sample_results.h"

static int give_up(const struct error *err)
{
    fprintf(stderr, "results_file: %s\n", err->text);
    return 1;
}

/* What goes to stdout begins with a case in which nothing is null that may hold something else. */
static int print(void)
{
    struct case_result cases[] = {sample_cases[1]};
    struct time_result times[] = {sample_times[1], sample_times[0], sample_times[2]};
    struct results full = sample_results;
    const char *names[] = {"walker-walk", "walker-walk-fbx"};
    struct shard_cases partition[5] = {{1, names}, {1, names + 1}};
    const char *warning = "uniform `tint` (vec3) of lit.frag is not one that rigproof sets: it stays 0";
    struct text text = {0};
    struct case_cause causes[RESULT_MAX_CAUSES];
    struct case_explanation explanation = {1, 1e-7, RESULT_MAX_CAUSES, causes};
    for (int i = 0; i < RESULT_MAX_CAUSES; i++) /* of each stage */
        causes[i] = (struct case_cause){"parent-order", stage_name((enum stage)(i % STAGE_COUNT)), "a mistake",
                                        "a detail", "a remedy"};
    cases[0].explanations = &explanation;
    cases[0].explanation_count = 1;
    full.partition = partition;
    full.partition_count = full.shard_count;
    cases[0].cost = 9872;
    cases[0].import_cost = 20977;
    cases[0].reason = "because";
    full.shader_warnings = &warning;
    full.shader_warning_count = 1;
    cases[0].measured[TOLERANCE_SHELL] = 0.0341;
    cases[0].times = times;
    full.cases = cases;
    full.case_count = 1;
    results_write(&full, &text);
    results_write(&sample_results, &text);
    fwrite(text.data, 1, text.size, stdout);
    text_release(&text);
    return 0;
}

static int read_stdin(void)
{
    struct text text = {0};
    struct error err = {0};
    char buffer[4096];
    for (size_t n; (n = fread(buffer, 1, sizeof buffer, stdin)) > 0;)
        text_add_bytes(&text, buffer, n);
    struct results *results = results_read(text.data, text.size, "stdin", &err);
    text_release(&text);
    results_free(results);
    return results ? 0 : give_up(&err);
}

enum { WIDTH = 64, HEIGHT = 48, TIMES = 3 };

/* A square on grey that stands elsewhere in each picture. */
static bool draw(const char *folder, const char *path, uint32_t width, uint32_t left, struct error *err)
{
    struct text whole = {0};
    struct image image;
    text_addf(&whole, "%s/%s", folder, path);
    if (!image_create(&image, width, HEIGHT, err))
        return false;
    for (uint32_t i = 0; i < width * HEIGHT; i++) {
        uint32_t x = i % width, y = i / width;
        bool inside = x >= left && x < left + 16 && y >= 16 && y < 32;
        memcpy(image.rgba + 4 * i, inside ? (uint8_t[]){200, 60, 20, 255} : (uint8_t[]){128, 128, 128, 255}, 4);
    }
    bool good =
        file_make_parent(text_string(&whole), err) && image_write_png(&image, text_string(&whole), PNG_OUTPUT, err);
    image_release(&image);
    text_release(&whole);
    return good;
}

/* Case `number`: its pictures exist, and its square has moved by `time` + 1 pixels to the right. The last picture is wider
 * than its golden. */
static bool make_case(struct arena *arena, const char *folder, size_t number, struct case_result *out,
                      struct error *err)
{
    static const size_t kinds[] = {0, 1, 0, 0, 2, 0, 3, 0, 4, 0};
    *out = sample_cases[kinds[number % 10]];
    out->name = arena_printf(arena, "%s-%zu", out->name, number);
    out->line = (uint32_t)(10 + 4 * number);
    if (out->status != CASE_FAIL)
        return true;
    out->repeat = arena_printf(arena, "rigproof check tests/suite.yaml --filter %s", out->name);
    out->accept = arena_printf(arena, "rigproof accept tests/suite.yaml --filter %s --repair none", out->name);
    out->times = ARENA_NEW(arena, struct time_result, TIMES);
    for (uint32_t t = 0; t < TIMES; t++) {
        struct image_result *image = &out->times[t].image;
        out->times[t] = sample_times[1];
        out->times[t].label = arena_printf(arena, "0.%u00", t);
        out->times[t].time = 0.1 * t;
        image->width = WIDTH;
        image->height = HEIGHT;
        image->golden = arena_printf(arena, "golden/%s/0.%u00.png", out->name, t);
        image->actual = arena_printf(arena, "%s/0.%u00.png", out->name, t);
        image->heat = arena_printf(arena, "%s/0.%u00-heat.png", out->name, t);
        image->displacement = t == 0 ? arena_printf(arena, "%s/0.%u00-displacement.png", out->name, t) : NULL;
        memcpy(image->box, (uint32_t[]){8, 16, 17 + t, 16}, sizeof image->box);
        if (!draw(folder, image->golden, WIDTH, 8, err) ||
            !draw(folder, image->actual, t < 2 ? WIDTH : 2 * WIDTH, 9 + t, err) ||
            !draw(folder, image->heat, WIDTH, 40, err) || (t == 0 && !draw(folder, image->displacement, WIDTH, 41, err)))
            return false;
    }
    return true;
}

static int make_folder(const char *folder, size_t count)
{
    struct error err = {0};
    struct text path = {0}, json = {0};
    struct results *results = results_create(&err);
    if (!results)
        return give_up(&err);
    struct arena *arena = results->arena;
    *results = sample_results;
    results->arena = arena;
    results->shard = results->shard_count = 0;
    results->case_count = count;
    results->cases = ARENA_NEW(arena, struct case_result, count);
    bool good = true;
    for (size_t i = 0; good && i < count; i++)
        good = make_case(arena, folder, i, &results->cases[i], &err);
    results_write(results, &json);
    text_addf(&path, "%s/results.json", folder);
    good = good && file_make_parent(text_string(&path), &err) &&
           file_write(text_string(&path), json.data, json.size, &err);
    text_release(&json);
    text_release(&path);
    results_free(results);
    return good ? 0 : give_up(&err);
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "print") == 0)
        return print();
    if (argc == 2 && strcmp(argv[1], "read") == 0)
        return read_stdin();
    if (argc == 4 && strcmp(argv[1], "folder") == 0)
        return make_folder(argv[2], strtoul(argv[3], NULL, 10));
    fputs("usage: results_file print | read | folder DIR COUNT\n", stderr);
    return 2;
}
