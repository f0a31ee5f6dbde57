#include "compare/import/import_offsets.h"

#include <math.h>
#include <string.h>

#include "compare/format_number.h"

/* How near two maps must be to count as the same transform. Coarser than any tolerance: it only finds the words. */
static const double alike = 5e-4;

/* ---- words ------------------------------------------------------------------------------------------------------- */

static const char *describe(const struct import_context *c, const struct offset_change *change)
{
    struct text text = {0};
    const struct finding *f = &change->finding;
    change_describe(f->degrees, "", f->translation, f->scale_percent, change->influence_radius, f->distance,
                    c->unit_meters, &text);
    const char *copy = arena_string(c->arena, text_string(&text));
    text_release(&text);
    return copy;
}

/* A set of changes: those with a mark. */
struct chosen {
    size_t count;
    bool *is_chosen; /* [changes->count] */
};

static struct chosen choose_none(const struct import_context *c, const struct offset_changes *changes)
{
    return (struct chosen){0, ARENA_NEW(c->arena, bool, changes->count)};
}

static void choose(struct chosen *chosen, size_t i)
{
    chosen->is_chosen[i] = true;
    chosen->count++;
}

static const struct offset_change *worst_of(const struct offset_changes *changes, const struct chosen *chosen)
{
    const struct offset_change *worst = NULL;
    for (size_t i = 0; i < changes->count; i++)
        if (chosen->is_chosen[i] && (!worst || changes->items[i].finding.displacement > worst->finding.displacement))
            worst = &changes->items[i];
    return worst;
}

/* "offset matrices of all 24 bones of mesh `body`", "offset matrices of 20 of the 24 bones of mesh `body`". */
static const char *name_bones(const struct import_context *c, const struct offset_changes *changes, size_t count)
{
    if (count == changes->bones && count == 2)
        return arena_printf(c->arena, "offset matrices of both bones of mesh %s", changes->mesh);
    if (count == changes->bones)
        return arena_printf(c->arena, "offset matrices of all %zu bones of mesh %s", count, changes->mesh);
    return arena_printf(c->arena, "offset matrices of %zu of the %zu bones of mesh %s", count, changes->bones,
                        changes->mesh);
}

/* One finding for all chosen. `says` is the predicate; for one bone alone `says_one`. */
static void report_chosen(const struct import_context *c, struct offset_changes *changes, const struct chosen *chosen,
                        const char *says, const char *says_one, struct grouping *grouping)
{
    const struct offset_change *worst = worst_of(changes, chosen);
    if (!worst)
        return;
    if (chosen->count == 1)
        grouping_add(grouping, &worst->finding, says, "offset matrix of `%s` (mesh %s) %s", worst->bone, changes->mesh,
                 says_one);
    else
        grouping_add(grouping, &worst->finding, says, "%s %s; `%s` is off most, by %s",
                     name_bones(c, changes, chosen->count), says, worst->bone, describe(c, worst));
    for (size_t i = 0; i < changes->count; i++)
        changes->items[i].told = changes->items[i].told || chosen->is_chosen[i];
}

/* ---- patterns of single matrices --------------------------------------------------------------------------------- */

static double nothing(const struct import_context *c, const struct offset_change *change)
{
    return 1e-4 * c->radius / change->bone_scale;
}

static void report_patterns(const struct import_context *c, struct offset_changes *changes, struct grouping *grouping)
{
    unsigned *patterns = ARENA_NEW(c->arena, unsigned, changes->count);
    enum matrix_pattern pattern;
    for (size_t i = 0; i < changes->count; i++)
        patterns[i] = matrix_patterns(&changes->items[i].was, &changes->items[i].now, nothing(c, &changes->items[i]));
    while ((pattern = matrix_pattern_of_most(patterns, changes->count)) != MATRIX_PATTERN_COUNT) {
        struct chosen chosen = choose_none(c, changes);
        for (size_t i = 0; i < changes->count; i++)
            if (patterns[i] >> pattern & 1u) {
                patterns[i] = 0;
                choose(&chosen, i);
            }
        report_chosen(c, changes, &chosen, matrix_pattern_says(pattern, true), matrix_pattern_says(pattern, false),
                      grouping);
    }
}

/* ---- exchanged matrices ------------------------------------------------------------------------------------------ */

/* The bone whose matrix this one has now: its name, or NULL when there is none or more than one. */
static const char *now_that_of(const struct import_context *c, const struct offset_changes *changes,
                               const struct offset_change *change)
{
    const char *found = NULL;
    for (size_t i = 0; i < changes->bones; i++) {
        if (!affine_d_near(&changes->others[i], &change->now, 1e-4, nothing(c, change)))
            continue;
        if (found)
            return NULL;
        found = changes->names[i];
    }
    return found == change->bone ? NULL : found;
}

static void report_exchanged(const struct import_context *c, struct offset_changes *changes, struct grouping *grouping)
{
    enum { MOST = 1024, SHOWN = 3 };
    struct chosen chosen = choose_none(c, changes);
    struct text text = {0};
    for (size_t i = 0; i < changes->count && changes->bones <= MOST; i++) {
        const char *other = changes->items[i].told ? NULL : now_that_of(c, changes, &changes->items[i]);
        if (!other)
            continue;
        choose(&chosen, i);
        if (chosen.count <= SHOWN)
            text_addf(&text, "%s`%s` has that of `%s`", chosen.count > 1 ? ", " : "", changes->items[i].bone, other);
    }
    if (chosen.count >= 2)
        report_chosen(
            c, changes, &chosen,
            arena_printf(c->arena, "are exchanged (%s%s)", text_string(&text), chosen.count > SHOWN ? ", ..." : ""), "",
            grouping);
    text_release(&text);
}

/* ---- one transform for all --------------------------------------------------------------------------------------- */

enum side { MESH_SIDE, BONE_SIDE };

/* now = was * Y on the mesh's side, now = X * was on the bone's. Lengths become scene units. */
static bool multiplier(const struct offset_changes *changes, const struct offset_change *change, enum side side,
                       struct affine_d *out)
{
    struct affine_d inverse;
    if (!affine_d_inverse(&change->was, &inverse))
        return false;
    *out = side == MESH_SIDE ? affine_d_mul(&inverse, &change->now) : affine_d_mul(&change->now, &inverse);
    for (int k = 0; k < 3; k++)
        out->column[3][k] *= side == MESH_SIDE ? changes->mesh_scale : change->bone_scale;
    return true;
}

static bool choose_same_transform(const struct import_context *c, const struct offset_changes *changes, enum side side,
                                  struct chosen *chosen, struct affine_d *transform)
{
    bool first = true;
    for (size_t i = 0; i < changes->count; i++) {
        struct affine_d m;
        if (changes->items[i].told)
            continue;
        if (!multiplier(changes, &changes->items[i], side, &m))
            return false;
        if (first)
            *transform = m;
        else if (!affine_d_near(transform, &m, alike, alike * c->radius))
            return false;
        first = false;
        choose(chosen, i);
    }
    return chosen->count >= 2 && !affine_d_near(transform, &affine_d_identity, 4 * alike, 4 * alike * c->radius);
}

static void report_same_transform(const struct import_context *c, struct offset_changes *changes,
                                  struct grouping *grouping)
{
    static const char *const sides[] = {"mesh's", "bones'"};
    for (int side = MESH_SIDE; side <= BONE_SIDE; side++) {
        struct chosen chosen = choose_none(c, changes);
        struct affine_d transform;
        struct text text = {0};
        if (!choose_same_transform(c, changes, (enum side)side, &chosen, &transform))
            continue;
        matrix_describe(&transform, 1e-4 * c->radius, c->unit_meters, &text);
        report_chosen(c, changes, &chosen,
                    arena_printf(c->arena, "are multiplied by the same transform on the %s side (%s)", sides[side],
                                 text_string(&text)),
                    "", grouping);
        text_release(&text);
        return;
    }
}

/* ---- longer translations ----------------------------------------------------------------------------------------- */

static void report_longer_translations(const struct import_context *c, struct offset_changes *changes,
                                       struct grouping *grouping)
{
    struct chosen chosen = choose_none(c, changes);
    double ratio = 0;
    for (size_t i = 0; i < changes->count; i++) {
        const struct offset_change *change = &changes->items[i];
        double of_this = change->told ? 0 : matrix_translation_ratio(&change->was, &change->now, nothing(c, change));
        if (of_this > 0 && ratio == 0)
            ratio = of_this;
        if (of_this > 0 && fabs(of_this - ratio) <= 1e-3 * ratio)
            choose(&chosen, i);
    }
    if (chosen.count >= 2)
        report_chosen(
            c, changes, &chosen,
            arena_printf(c->arena, "have translations that are %s", format_factor(ratio, "longer", "shorter").text), "",
            grouping);
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

void report_offsets(const struct import_context *c, struct offset_changes *changes, struct grouping *together,
                  struct grouping *each)
{
    report_patterns(c, changes, together);
    report_exchanged(c, changes, together);
    report_longer_translations(c, changes, together);
    report_same_transform(c, changes, together);
    for (size_t i = 0; i < changes->count; i++) {
        const struct offset_change *change = &changes->items[i];
        if (!change->told) {
            const char *detail = describe(c, change);
            grouping_add(each, &change->finding, detail, "offset matrix of `%s` (mesh %s): %s", change->bone,
                     changes->mesh, detail);
        }
    }
}
