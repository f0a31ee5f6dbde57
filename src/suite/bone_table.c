#include "suite/bone_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void begin(struct bone_table *table, const struct pose_errors *errors)
{
    table->count = errors->count;
    table->rows = ARENA_NEW(table->arena, struct bone_result, errors->count);
    for (size_t i = 0; i < table->count; i++) {
        table->rows[i].over_time = ARENA_NEW(table->arena, double, table->time_count);
        for (uint32_t t = 0; t < table->time_count; t++)
            table->rows[i].over_time[t] = NAN;
    }
}

void bone_table_add(struct bone_table *table, const struct pose_errors *errors, uint32_t at, double time)
{
    if (!table->rows)
        begin(table, errors);
    for (size_t i = 0; i < errors->count && i < table->count; i++) {
        const struct bone_error *error = &errors->items[i];
        struct bone_result *row = &table->rows[i];
        row->over_time[at] = error->displacement;
        if (row->bone && !(error->displacement > row->displacement))
            continue;
        *row = (struct bone_result){
            .bone = error->bone, .mesh = error->mesh, .stage = error->stage, .time = time,
            .displacement = error->displacement, .distance = error->distance, .degrees = error->degrees,
            .translation = error->translation, .scale_percent = error->scale_percent, .over_time = row->over_time,
        };
    }
}

static int by_displacement(const void *a, const void *b)
{
    const struct bone_result *x = a, *y = b;
    if (x->displacement != y->displacement)
        return x->displacement < y->displacement ? 1 : -1;
    if (x->stage != y->stage)
        return (int)x->stage - (int)y->stage;
    int name = strcmp(x->bone, y->bone);
    return name ? name : strcmp(x->mesh ? x->mesh : "", y->mesh ? y->mesh : "");
}

void bone_table_report(struct bone_table *table, struct case_result *result)
{
    if (table->count > 0)
        qsort(table->rows, table->count, sizeof *table->rows, by_displacement);
    while (result->bone_count < table->count && result->bone_count < RESULT_MAX_BONES &&
           table->rows[result->bone_count].displacement > 0.0)
        result->bone_count++;
    result->bones = table->rows;
}
