/*
 * How long a frame's CPU stages take, beside the tutorials' way of doing them, in one program and on the same data.
 * Ratios are medians of runs that alternate between the two, so that a busy machine slows both.
 */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "allocations.h"
#include "animate/tracks.h"
#include "base/sort.h"
#include "palette/palette_stage.h"
#include "palette/skin.h"
#include "requests.h"
#include "rigs.h"
#include "tutorial.h"

#ifdef BENCH_IMPORT
#include "import/import.h"
#endif

enum { RUNS = 21, TIMES = 4096, VERTICES = 20000 };

static const double run_seconds = 0.01;
static const double max_displacement = 1e-4; /* of the skeleton's size */

struct subject {
    struct scene *scene;
    struct tracks *tracks;
    struct pose pose;
    struct palette palette;
    struct tutorial *tutorial;
    mat4 *tutorial_palette;
    struct skinned *skinned;
    struct tutorial_vertex *vertices;
    vec3 *positions;
    vec3 *normals;
    double *times; /* [TIMES] the frames' times, over and over */
    size_t next;
};

typedef void (*frame_function)(struct subject *subject);

/* ---- what is measured ---------------------------------------------------------------------------------------- */

static double next_time(struct subject *subject)
{
    return subject->times[subject->next++ % TIMES];
}

static void frame_sample(struct subject *s)
{
    tracks_sample(s->tracks, next_time(s), &s->pose);
}

static void frame_matrices(struct subject *s)
{
    palette_globals(s->scene, &s->pose);
    palette_compute(s->scene, &s->pose, SPACE_SCENE, &s->palette);
}

static void frame_palette(struct subject *s)
{
    frame_sample(s);
    frame_matrices(s);
}

static void frame_tutorial(struct subject *s)
{
    tutorial_palette(s->tutorial, next_time(s), s->tutorial_palette);
}

static void frame_skin(struct subject *s)
{
    skin_scene(s->scene, &s->palette, s->skinned);
}

static void frame_tutorial_skin(struct subject *s)
{
    tutorial_skin(s->vertices, VERTICES, s->palette.mesh_to_scene, s->positions, s->normals);
}

/* ---- measuring ----------------------------------------------------------------------------------------------- */

/* The processor time of this process: what other programs do is left out, as far as they do not share caches. */
static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double run(frame_function frame, struct subject *subject, int frames)
{
    double start = now();
    for (int i = 0; i < frames; i++)
        frame(subject);
    return (now() - start) / frames;
}

/* As many frames as fill a run. */
static int frames_of(frame_function frame, struct subject *subject)
{
    int frames = 1;
    while (run(frame, subject, frames) * frames < run_seconds / 2)
        frames *= 2;
    return frames * 2;
}

static double median(double *values)
{
    qsort(values, RUNS, sizeof *values, compare_doubles);
    return values[RUNS / 2];
}

struct comparison {
    double a;     /* seconds a frame */
    double b;
    double ratio; /* b / a */
};

static struct comparison compare(frame_function a, frame_function b, struct subject *subject)
{
    double seconds_a[RUNS], seconds_b[RUNS], ratios[RUNS];
    int frames_a = frames_of(a, subject), frames_b = frames_of(b, subject);
    for (int r = 0; r < RUNS; r++) {
        seconds_a[r] = run(a, subject, frames_a);
        seconds_b[r] = run(b, subject, frames_b);
        ratios[r] = seconds_b[r] / seconds_a[r];
    }
    return (struct comparison){median(seconds_a), median(seconds_b), median(ratios)};
}

/* The quietest of the runs. */
static double time_alone(frame_function frame, struct subject *subject)
{
    double best = INFINITY;
    int frames = frames_of(frame, subject);
    for (int r = 0; r < RUNS; r++)
        best = fmin(best, run(frame, subject, frames));
    return best;
}

/* ---- subjects ------------------------------------------------------------------------------------------------ */

static void random_times(struct subject *subject)
{
    uint64_t state = 88172645463325252u;
    for (int i = 0; i < TIMES; i++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        subject->times[i] = (double)(state >> 11) / 9007199254740992.0 * subject->scene->clips->duration;
    }
}

/* 60 frames a second, none of them on a key: a key costs less. */
static void playback_times(struct subject *subject)
{
    for (int i = 0; i < TIMES; i++)
        subject->times[i] = wrap_time(0.004 + i / 60.0, subject->scene->clips->duration, WRAP_LOOP);
}

static struct subject subject_of(struct scene *scene)
{
    struct subject subject = {
        .scene = scene,
        .tracks = tracks_create(scene, scene->clips, scene->arena),
        .pose = pose_create(scene, scene->arena),
        .palette = palette_create(scene, scene->arena),
        .tutorial = tutorial_create(scene, scene->clips),
        .tutorial_palette = ARENA_NEW(scene->arena, mat4, scene->binding_count),
        .times = ARENA_NEW(scene->arena, double, TIMES),
    };
    random_times(&subject);
    return subject;
}

static void subject_release(struct subject *subject)
{
    tutorial_destroy(subject->tutorial);
    scene_free(subject->scene);
}

static void add_vertices(struct subject *subject)
{
    struct scene *scene = subject->scene;
    rig_add_vertices(scene, VERTICES);
    const struct mesh *mesh = scene->meshes;
    subject->skinned = skinned_create(scene, scene->arena);
    subject->positions = ARENA_NEW(scene->arena, vec3, VERTICES);
    subject->normals = ARENA_NEW(scene->arena, vec3, VERTICES);
    subject->vertices = ARENA_NEW(scene->arena, struct tutorial_vertex, VERTICES);
    for (uint32_t v = 0; v < VERTICES; v++) {
        struct tutorial_vertex *vertex = &subject->vertices[v];
        memcpy(vertex->position, mesh->positions[v], sizeof(vec3));
        memcpy(vertex->normal, mesh->normals[v], sizeof(vec3));
        for (int i = 0; i < 4; i++) {
            vertex->bones[i] = (int)mesh->influences[4 * v + (uint32_t)i].bone;
            vertex->weights[i] = mesh->influences[4 * v + (uint32_t)i].weight;
        }
    }
}

/* ---- both must say the same ---------------------------------------------------------------------------------- */

static double distance(const vec3 a, const vec3 b)
{
    double square = 0;
    for (int i = 0; i < 3; i++)
        square += ((double)a[i] - b[i]) * ((double)a[i] - b[i]);
    return sqrt(square);
}

/* How far apart two matrices take the rest position of their bone and three points around it. */
static double displacement(const struct subject *s, uint32_t entry, double radius)
{
    mat4 rest;
    double worst = 0;
    affine_inverse(s->scene->bindings[entry].mesh_to_bone, rest);
    for (int i = 0; i < 4; i++) {
        vec3 point, a, b;
        memcpy(point, rest[3], sizeof point);
        if (i < 3)
            point[i] += (float)(0.1 * radius);
        affine_point(s->palette.mesh_to_scene[entry], point, a);
        affine_point(s->tutorial_palette[entry], point, b);
        worst = fmax(worst, distance(a, b));
    }
    return worst;
}

static double skeleton_radius(const struct subject *s)
{
    double radius = 0;
    for (uint32_t n = 0; n < s->scene->node_count; n++)
        radius = fmax(radius, distance(s->pose.node_to_scene[n][3], s->pose.node_to_scene[0][3]));
    return radius;
}

/* The largest displacement over some frames, relative to the skeleton's size; ends the program when it is too large. */
static double check_palettes(struct subject *s)
{
    double worst = 0;
    for (size_t i = 0; i < 64; i++) {
        s->next = i;
        frame_palette(s);
        s->next = i;
        frame_tutorial(s);
        double radius = skeleton_radius(s);
        for (uint32_t e = 0; e < s->palette.count; e++)
            worst = fmax(worst, displacement(s, e, radius) / radius);
    }
    if (!(worst < max_displacement)) {
        fprintf(stderr, "bench: the two palettes differ by %g of the skeleton's size\n", worst);
        exit(1);
    }
    return worst;
}

static double check_positions(const struct subject *s)
{
    double worst = 0;
    for (uint32_t v = 0; v < VERTICES; v++)
        worst = fmax(worst, distance(s->skinned->positions[v], s->positions[v]));
    if (!(worst < max_displacement)) {
        fprintf(stderr, "bench: the two skins differ by %g\n", worst);
        exit(1);
    }
    return worst;
}

/* ---- the tables ---------------------------------------------------------------------------------------------- */

static void print_row(const char *what, struct comparison c, double per, const char *unit)
{
    printf("  %-34s %9.1f %12.1f   %7.1fx   ns/%s\n", what, 1e9 * c.a / per, 1e9 * c.b / per, c.ratio, unit);
    fflush(stdout);
}

static void print_allocations(struct subject *subject)
{
    size_t used = subject->scene->arena->used;
    unsigned long before = allocation_count();
    for (int i = 0; i < 1000; i++)
        frame_palette(subject);
    printf("  allocations in 1000 frames: %lu\n", allocation_count() - before + (subject->scene->arena->used != used));
}

static void compare_with_tutorial(const char *name, struct scene *scene, bool has_vertices)
{
    struct subject subject = subject_of(scene);
    double nodes = scene->node_count;
    printf("%s, %u bones, %d keys per channel (T, R and S)\n", name, scene->node_count, KEY_COUNT);
    printf("  %-34s %9s %12s   %8s\n", "", "rigproof", "tutorials'", "ratio");
    print_row("sample + palette, random times", compare(frame_palette, frame_tutorial, &subject), nodes, "bone");
    playback_times(&subject);
    print_row("sample + palette, playback", compare(frame_palette, frame_tutorial, &subject), nodes, "bone");
    random_times(&subject);
    double worst = check_palettes(&subject);
    if (has_vertices) {
        add_vertices(&subject);
        print_row("CPU skinning, 4 influences", compare(frame_skin, frame_tutorial_skin, &subject), VERTICES, "vertex");
        printf("  skinned positions differ by at most %.1e\n", check_positions(&subject));
    }
    printf("  palettes differ by at most %.1e of the skeleton's size\n", worst);
    print_allocations(&subject);
    subject_release(&subject);
}

static void print_scaling(bool own_times)
{
    const uint32_t sizes[] = {30, 100, 300, 1000, 3000};
    printf("%s\n", own_times ? "every component with key times of its own, ns/bone" : "by number of bones, ns/bone");
    printf("  %6s %10s %10s   %s\n", "bones", "random", "playback", "of it globals + palette");
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        if (own_times && sizes[i] != 300)
            continue;
        struct subject subject = subject_of(rig_synthetic(sizes[i], own_times));
        double per = 1e9 / sizes[i];
        double random = time_alone(frame_palette, &subject);
        playback_times(&subject);
        double playback = time_alone(frame_palette, &subject), matrices = time_alone(frame_matrices, &subject);
        printf("  %6u %10.1f %10.1f   %.1f\n", sizes[i], random * per, playback * per, matrices * per);
        subject_release(&subject);
    }
}

static struct scene *model_rig(const char *path)
{
#ifdef BENCH_IMPORT
    struct error error = {0};
    struct scene *model = import_scene(path, &import_defaults, &error);
    if (!model || model->clip_count == 0) {
        fprintf(stderr, "bench: %s\n", model ? "the model has no clip" : error.text);
        exit(1);
    }
    struct scene *rig = rig_densified(model, model->clips);
    scene_free(model);
    return rig;
#else
    fprintf(stderr, "bench: built without the import stage; cannot read %s\n", path);
    exit(1);
#endif
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--rigproof") == 0)
        return requests_answer(argc, argv);
    if (argc > 2 || (argc == 2 && argv[1][0] == '-')) {
        fputs("usage: rigproof-bench [MODEL]\n", stderr);
        return 2;
    }
    if (argc == 2)
        compare_with_tutorial(argv[1], model_rig(argv[1]), false);
    compare_with_tutorial("synthetic skeleton", rig_synthetic(300, false), true);
    print_scaling(false);
    print_scaling(true);
    return requests_measure(argv[0]) ? 0 : 1;
}
