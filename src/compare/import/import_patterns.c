/* Matrices that changed, of nodes or of the bones of one mesh: what happened to several at once is said once. */
#include <math.h>

#include "base/format_number.h"
#include "compare/import/import_compare.h"
#include "compare/match/matrix_change.h"

/* Two maps must be so near to count as the same transform. Coarser than any tolerance: it only finds the words. */
static const double alike = 5e-4;

static void choose_none(struct matrix_changes *changes)
{
    changes->chosen = 0;
    for (size_t i = 0; i < changes->count; i++)
        changes->items[i].chosen = false;
}

static void choose(struct matrix_changes *changes, size_t i)
{
    changes->items[i].chosen = true;
    changes->chosen++;
}

/* A change, with what its figures need. */
static struct change *add(struct import_context *c, enum finding_code code, const struct matrix_change *change,
                          const char *phrase, const char *says)
{
    struct change *added = import_change(c, code, &change->finding, phrase, no_value, no_value);
    added->says.by = value_words(says);
    added->says.influence_radius = change->influence_radius;
    return added;
}

/* Each chosen node is a change, of one group. Of bones all are one: "offset matrices of 20 of the 24 bones of
 * mesh `body` are transposed; `hand` is off most, by 3 cm". `says` is the predicate; for one alone `says_one`. */
static void say_chosen(struct import_context *c, struct matrix_changes *changes, const char *says, const char *says_one)
{
    const struct matrix_change *worst = NULL;
    c->scope.extra = says;
    for (size_t i = 0; i < changes->count; i++) {
        struct matrix_change *change = &changes->items[i];
        if (!change->chosen)
            continue;
        change->said = true;
        if (changes->code == CODE_NODE_LOCAL)
            add(c, CODE_NODE_PATTERN, change, "{by}", says_one);
        if (!worst || change->finding.displacement > worst->finding.displacement)
            worst = change;
    }
    c->scope.extra = NULL;
    if (changes->code != CODE_BONE_OFFSET || !worst)
        return;
    const char *bones = changes->chosen != changes->count
                            ? arena_printf(c->arena, "%zu of the %zu", changes->chosen, changes->count)
                        : changes->chosen == 2 ? "both"
                                               : arena_printf(c->arena, "all %zu", changes->chosen);
    bool is_one = changes->chosen == 1;
    struct change *change =
        add(c, CODE_BONES_OFFSETS, worst,
            is_one ? "offset matrix of {subject} (mesh {mesh}) {by}"
                   : "offset matrices of {now} bones of mesh {mesh} {by}; {subject} is off most, by {figures}",
            is_one ? says_one : says);
    change->says.now = value_words(bones);
    change->says.detail = is_one ? says : "{by}";
}

/* Translations that several have so many times longer as the worst one: another unit. */
static void find_longer_translations(struct import_context *c, struct matrix_changes *changes)
{
    double *ratios = ARENA_NEW(c->arena, double, changes->count), ratio = 0, worst = -1;
    choose_none(changes);
    for (size_t i = 0; i < changes->count; i++) {
        const struct matrix_change *change = &changes->items[i];
        ratios[i] = change->said ? 0 : matrix_translation_ratio(&change->was, &change->now, change->length);
        if (ratios[i] > 0 && change->finding.displacement > worst) {
            worst = change->finding.displacement;
            ratio = ratios[i];
        }
    }
    for (size_t i = 0; i < changes->count; i++)
        if (ratio > 0 && fabs(ratios[i] - ratio) <= 1e-3 * ratio)
            choose(changes, i);
    if (changes->chosen < 2)
        return;
    const char *factor = arena_string(c->arena, format_factor(ratio, "longer", "shorter").text);
    if (changes->code == CODE_BONE_OFFSET) {
        say_chosen(c, changes, arena_printf(c->arena, "have translations that are %s", factor), "");
        return;
    }
    for (size_t i = 0; i < changes->count; i++)
        if (changes->items[i].chosen) {
            changes->items[i].said = true;
            add(c, CODE_NODE_LONGER, &changes->items[i], "", factor)->says.detail = "are {by}";
        }
}

static void find_exchanged(struct import_context *c, struct matrix_changes *changes)
{
    enum { MOST = 1024, SHOWN = 3 };
    struct text text = {0};
    choose_none(changes);
    text_add(&text, "are exchanged (");
    for (size_t i = 0; i < changes->count && changes->count <= MOST; i++) {
        const struct matrix_change *change = &changes->items[i];
        const char *other = NULL; /* the one bone whose matrix this one has now */
        size_t others = 0;
        for (size_t k = 0; k < changes->count && !change->said; k++)
            if (affine_d_near(&changes->items[k].was, &change->now, 1e-4, change->length)) {
                other = changes->items[k].finding.subject;
                others++;
            }
        if (others != 1 || other == change->finding.subject)
            continue;
        choose(changes, i);
        if (changes->chosen <= SHOWN)
            text_addf(&text, "%s`%s` has that of `%s`", changes->chosen > 1 ? ", " : "", change->finding.subject,
                      other);
    }
    text_add(&text, changes->chosen > SHOWN ? ", ...)" : ")");
    const char *says = arena_text(c->arena, &text);
    if (changes->chosen >= 2)
        say_chosen(c, changes, says, "");
}

/* One transform for all that is left: now = was * Y on the mesh's side, now = X * was on the bones'. */
static void find_same_transform(struct import_context *c, struct matrix_changes *changes)
{
    static const char *const sides[] = {"mesh's", "bones'"};
    for (int side = 0; side < 2; side++) {
        struct affine_d transform = affine_d_identity, inverse;
        bool is_same = true;
        choose_none(changes);
        for (size_t i = 0; i < changes->count && is_same; i++) {
            const struct matrix_change *change = &changes->items[i];
            if (change->said)
                continue;
            is_same = affine_d_inverse(&change->was, &inverse);
            struct affine_d m = side == 0 ? affine_d_mul(&inverse, &change->now) : affine_d_mul(&change->now, &inverse);
            for (int k = 0; k < 3; k++) /* lengths become scene units */
                m.column[3][k] *= side == 0 ? changes->mesh_scale : 1e-4 * c->radius / change->length;
            if (changes->chosen == 0)
                transform = m;
            is_same = is_same && affine_d_near(&transform, &m, alike, alike * c->radius);
            choose(changes, i);
        }
        if (!is_same || changes->chosen < 2 ||
            affine_d_near(&transform, &affine_d_identity, 4 * alike, 4 * alike * c->radius))
            continue;
        struct text text = {0};
        text_addf(&text, "are multiplied by the same transform on the %s side (", sides[side]);
        matrix_describe(&transform, 1e-4 * c->radius, c->unit_meters, &text);
        text_add(&text, ")");
        say_chosen(c, changes, arena_text(c->arena, &text), "");
        return;
    }
}

void import_say_matrices(struct import_context *c, struct matrix_changes *changes)
{
    /* Mistakes of single matrices: the one that fits most, then that which fits most of the rest, and so on. */
    unsigned *mistakes = ARENA_NEW(c->arena, unsigned, changes->count);
    enum finding_why why;
    for (size_t i = 0; i < changes->count; i++) {
        const struct matrix_change *change = &changes->items[i];
        mistakes[i] = change->said ? 0 : matrix_mistakes(&change->was, &change->now, change->length);
    }
    while ((why = matrix_mistake_of_most(mistakes, changes->count)) != WHY_NONE) {
        choose_none(changes);
        for (size_t i = 0; i < changes->count; i++)
            if (mistakes[i] >> why & 1u) {
                mistakes[i] = 0;
                choose(changes, i);
            }
        say_chosen(c, changes, finding_why_says[why][1], finding_why_says[why][0]);
    }
    if (changes->code == CODE_BONE_OFFSET)
        find_exchanged(c, changes);
    find_longer_translations(c, changes);
    if (changes->code == CODE_BONE_OFFSET)
        find_same_transform(c, changes);
    for (size_t i = 0; i < changes->count; i++) {
        const struct matrix_change *change = &changes->items[i];
        if (change->said)
            continue;
        const char *axis = changes->code == CODE_NODE_LOCAL ? change_axis(&change->was, &change->now) : "";
        add(c, changes->code, change, "{figures}", NULL)->says.axis = axis;
    }
}
