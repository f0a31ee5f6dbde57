/*
 * Drawing a sequence: frames drawn together on layers (draw_frames) against the same frames one at a time (draw_frame),
 * the same pictures both ways. usage: rigproof-bench-frames MODEL [FRAMES [SIZE]]
 */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "draw/draw.h"
#include "suite/pipeline.h"

struct bench {
    struct pipeline pipeline;
    struct renderer *renderer;
    struct gpu_model *model;
    struct frame_request *frames;
    size_t count;
    char (*hashes)[17]; /* [count] of the pictures made one at a time */
    size_t different;
};

static double read_clock(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* What it takes: time on the wall, and of all processors together. */
struct cost {
    double wall, work;
};

static struct cost now(void)
{
    return (struct cost){read_clock(CLOCK_MONOTONIC), read_clock(CLOCK_PROCESS_CPUTIME_ID)};
}

/* Keeps the best of several runs. */
static void keep_best(struct cost *best, struct cost start, struct cost end)
{
    double wall = end.wall - start.wall, work = end.work - start.work;
    best->wall = best->wall == 0 || wall < best->wall ? wall : best->wall;
    best->work = best->work == 0 || work < best->work ? work : best->work;
}

static bool plan(struct bench *b, struct error *err)
{
    struct pipeline *p = &b->pipeline;
    double *times = calloc(b->count, sizeof *times);
    struct bounds bounds;
    b->frames = calloc(b->count, sizeof *b->frames);
    b->hashes = calloc(b->count, sizeof *b->hashes);
    for (size_t i = 0; i < b->count; i++)
        times[i] = pipeline_duration(p) * (double)i / (double)b->count;
    bool good = pipeline_bounds(p, times, b->count, &bounds, err);
    for (size_t i = 0; good && i < b->count; i++) {
        struct orbit orbit = p->settings->orbit;
        struct camera camera;
        orbit.yaw += 360.0f * (float)i / (float)b->count;
        struct palette *palette = ARENA_NEW(p->arena, struct palette, 1);
        good = pipeline_pose(p, times[i], err) && pipeline_camera(p, &bounds, &orbit, &camera, err);
        *palette = palette_copy(&p->palette, p->scene, p->arena);
        b->frames[i] = (struct frame_request){palette, NULL, pipeline_shot(p, &bounds, &camera)};
    }
    free(times);
    return good;
}

static bool take(void *to, size_t index, struct image *image, struct error *err)
{
    struct bench *b = to;
    char hash[17];
    (void)err;
    image_hash(image, hash);
    b->different += strcmp(hash, b->hashes[index]) != 0;
    image_release(image);
    return true;
}

static bool one_by_one(struct bench *b, struct error *err)
{
    for (size_t i = 0; i < b->count; i++) {
        struct image image;
        if (!draw_frame(b->renderer, b->model, b->frames[i].palette, NULL, &b->frames[i].shot, &image, err))
            return false;
        image_hash(&image, b->hashes[i]);
        image_release(&image);
    }
    return true;
}

/* The best of a few runs of each, taking turns. */
static bool measure(struct bench *b, struct error *err)
{
    struct cost single = {0}, together = {0};
    for (int run = 0; run < 6; run++) {
        struct cost start = now();
        if (!one_by_one(b, err))
            return false;
        struct cost middle = now();
        if (!draw_frames(b->renderer, b->model, b->frames, b->count, take, b, err))
            return false;
        struct cost end = now();
        keep_best(&single, start, middle);
        keep_best(&together, middle, end);
    }
    double each = 1e3 / (double)b->count;
    printf("%zu frames of %ux%u, ms a frame: one at a time %.3f (work %.3f), together %.3f (work %.3f): "
           "%.2f times as fast, %.2f of the work; %zu pictures differ\n",
           b->count, b->frames[0].shot.width, b->frames[0].shot.height, each * single.wall, each * single.work,
           each * together.wall, each * together.work, single.wall / together.wall, together.work / single.work,
           b->different);
    return true;
}

int main(int argc, char **argv)
{
    struct error err = {0};
    struct settings settings;
    struct bench b = {.count = argc > 2 ? (size_t)atoi(argv[2]) : 36};
    settings_init(&settings);
    if (argc > 3)
        setting_find("size")->set(&settings, argv[3], &err);
    bool good = argc > 1 && pipeline_open(&b.pipeline, argv[1], &settings, &err) && plan(&b, &err);
    b.renderer = good ? renderer_create(settings.backend, &err) : NULL;
    b.model = b.renderer ? gpu_model_create(b.renderer, b.pipeline.scene, &err) : NULL;
    good = b.model && measure(&b, &err);
    if (!good)
        fprintf(stderr, "%s\n", err.text);
    return good ? 0 : 1;
}
