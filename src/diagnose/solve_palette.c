/* The palette that makes vertices what theirs are, where they alone are given. */
#include <string.h>

#include "diagnose/fit.h"

enum { BONES_MOST = 256 };

/* Says how much of a column may be that of those before it: what is left is known to so many digits less. */
static const double LEAST_PIVOT = 1e-7;

/* Matrices that are off by less at a point that a bone holds are the same: floats were solved for. */
static const double SOLVED_TOLERANCE = 2e-3;

void system_add(struct system *system, uint32_t count, const uint32_t *at, const double *row, const double theirs[3])
{
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 0; k < count; k++)
            system->a[(size_t)at[i] * system->size + at[k]] += row[i] * row[k];
        for (int k = 0; k < 3; k++)
            system->b[at[i]][k] += row[i] * theirs[k];
    }
}

static void add_vertex(struct system *system, const struct influences *in, const float point[3], const float theirs[3])
{
    double row[4 * INFLUENCES_MOST];
    uint32_t at[4 * INFLUENCES_MOST];
    for (uint32_t i = 0; i < 4 * in->count; i++) {
        row[i] = in->weights[i / 4] * (i % 4 < 3 ? (double)point[i % 4] : 1);
        at[i] = 4 * in->bones[i / 4] + i % 4;
    }
    system_add(system, 4 * in->count, at, row, (const double[]){theirs[0], theirs[1], theirs[2]});
}

void system_solve(struct system *system)
{
    const uint32_t n = system->size;
    for (uint32_t i = 0; i < n; i++)
        system->diagonal[i] = system->a[(size_t)i * n + i];
    for (uint32_t k = 0; k < n; k++) {
        double *pivot = &system->a[(size_t)k * n];
        if (!(pivot[k] > LEAST_PIVOT * system->diagonal[k])) {
            system->diagonal[k] = 0;
            continue;
        }
        for (uint32_t i = k + 1; i < n; i++) {
            double *row = &system->a[(size_t)i * n];
            const double by = pivot[i] / pivot[k];
            if (by == 0)
                continue;
            for (uint32_t c = i; c < n; c++)
                row[c] -= by * pivot[c];
            for (int c = 0; c < 3; c++)
                system->b[i][c] -= by * system->b[k][c];
        }
    }
    for (uint32_t k = n; k-- > 0;)
        for (int c = 0; c < 3; c++) {
            double sum = system->b[k][c];
            for (uint32_t i = k + 1; i < n && system->diagonal[k] > 0; i++)
                sum -= system->a[(size_t)k * n + i] * system->b[i][c];
            system->b[k][c] = system->diagonal[k] > 0 ? sum / system->a[(size_t)k * n + k] : 0;
        }
}

/* False where fewer vertices are given than it has bones: these cannot tell its palette. */
static bool solve_instance(const struct evidence *e, const struct replay *replay, uint32_t index, struct system *system)
{
    const struct instance *instance = &e->input->scene->instances[index];
    const struct mesh *mesh = &e->input->scene->meshes[instance->mesh];
    uint32_t count = 0;
    for (uint32_t i = 0; i < e->vertex_count; i++)
        count += e->vertices[i].instance == index;
    if (mesh->bone_count == 0 || mesh->bone_count > BONES_MOST || count < mesh->bone_count)
        return false;
    system->size = 4 * mesh->bone_count;
    memset(system->a, 0, (size_t)system->size * system->size * sizeof *system->a);
    memset(system->b, 0, system->size * sizeof *system->b);
    for (uint32_t i = 0; i < e->vertex_count; i++) {
        const struct given_vertex *vertex = &e->vertices[i];
        struct influences in;
        if (vertex->instance == index && replay_influences(replay, mesh, vertex->vertex, &in))
            add_vertex(system, &in, mesh->positions[vertex->vertex], vertex->position);
    }
    system_solve(system);
    return true;
}

struct evidence *evidence_solve(const struct evidence *whole, struct replay *replay, struct arena *arena)
{
    const struct scene *scene = whole->input->scene;
    struct evidence *e = ARENA_NEW(arena, struct evidence, 1);
    uint32_t most = 0;
    for (uint32_t i = 0; i < scene->instance_count; i++) {
        const uint32_t bones = scene->meshes[scene->instances[i].mesh].bone_count;
        most = bones > most && bones <= BONES_MOST ? bones : most;
    }
    const size_t size = 4 * (size_t)most;
    struct system system = {0, ARENA_NEW(arena, double, size *size), arena_alloc(arena, size, sizeof *system.b),
                            ARENA_NEW(arena, double, size)};
    *e = *whole;
    e->is_solved = true;
    e->tolerance = SOLVED_TOLERANCE;
    e->entries = ARENA_NEW(arena, struct given_matrix, scene->binding_count);
    e->local_count = e->global_count = e->vertex_count = e->entry_count = 0;
    replay_set(replay, &(struct variant){.list = NULL});
    for (uint32_t i = 0; i < scene->instance_count; i++) {
        const uint32_t bones = scene->meshes[scene->instances[i].mesh].bone_count;
        if (!solve_instance(whole, replay, i, &system))
            continue;
        for (uint32_t k = 0; k < bones; k++) {
            struct given_matrix *to = &e->entries[e->entry_count];
            bool is_known = true;
            *to = (struct given_matrix){
                .about = scene->instances[i].first_binding + k, .theirs = matrix_identity, .scale = 1};
            for (uint32_t c = 0; c < 4; c++) {
                is_known = is_known && system.diagonal[4 * k + c] > 0;
                for (int r = 0; r < 3; r++)
                    to->theirs.at[c][r] = system.b[4 * k + c][r];
            }
            evidence_entry_points(whole, to);
            e->entry_count += is_known;
        }
    }
    evidence_index(e, replay, arena);
    return e;
}
