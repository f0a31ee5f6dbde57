/* The report beside a reduced file: what an engine's author needs, ready to be pasted. */
#include "reduce/reducing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <cglm/vec4.h>

#include "base/file/path.h"
#include "generate/rules.h"
#include "import/import.h"
#include "report/escape.h"
#include "report/report.h"

enum { MOST_ROWS = 24 };

const struct reduce_picture reduce_pictures[REDUCE_PICTURES] = {{"golden", "reference", "rigproof's pose"},
                                                                {"actual", "theirs", "the program's pose"}};

void reduce_evidence_release(struct reduce_evidence *evidence)
{
    text_release(&evidence->title);
    text_release(&evidence->numbers);
    text_release(&evidence->verdict);
}

/* ---- what is expected and what was seen ---- */

struct table {
    struct text *out;
    uint32_t rows;
};

static void add_numbers(struct text *out, const float *numbers, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        text_add(out, i > 0 ? ", " : "| ");
        text_add_float(out, numbers[i]);
    }
    text_add(out, " ");
}

/* A row where the two are apart by more than rounding. */
static void add_row(struct table *table, const char *what, const char *of, const float *expected, const float *seen,
                    uint32_t count)
{
    bool differs = false;
    for (uint32_t i = 0; i < count; i++)
        differs = differs || !((double)fabsf(expected[i] - seen[i]) <= 1e-5 * fmax(1, (double)fabsf(expected[i])));
    if (!differs || table->rows++ >= MOST_ROWS)
        return;
    text_addf(table->out, "| %s `", what);
    text_add_name(table->out, of);
    text_add(table->out, "` ");
    add_numbers(table->out, expected, count);
    add_numbers(table->out, seen, count);
    text_add(table->out, "|\n");
}

static void add_matrix(struct table *table, const char *what, const char *of, const mat4 expected, const mat4 seen)
{
    float a[12], b[12];
    affine_rows(expected, a);
    affine_rows(seen, b);
    for (int r = 0; r < 3; r++) {
        char name[64];
        snprintf(name, sizeof name, "row %c of the %s of", 'x' + r, what);
        add_row(table, name, of, a + 4 * r, b + 4 * r, 4);
    }
}

static void add_nodes(struct table *table, enum stage stage, const struct pose_snapshot *a,
                      const struct pose_snapshot *b)
{
    for (uint32_t i = 0; i < a->node_count; i++) {
        struct pose_node_snapshot *node = &a->nodes[i];
        const int32_t at = snapshot_find_node(b, i, node->name);
        if (at < 0)
            continue;
        struct transform *local = &node->local, *other = &b->nodes[at].local;
        vec4 turn; /* q and -q are one rotation */
        glm_vec4_scale(other->rotation, glm_vec4_dot(local->rotation, other->rotation) < 0 ? -1 : 1, turn);
        if (stage == STAGE_ANIMATE) {
            add_row(table, "translation of", node->name, local->translation, other->translation, 3);
            add_row(table, "rotation of", node->name, local->rotation, turn, 4);
            add_row(table, "scale of", node->name, local->scale, other->scale, 3);
        } else
            add_matrix(table, "global of", node->name, node->node_to_scene, b->nodes[at].node_to_scene);
    }
}

static void add_palette(struct table *table, const struct pose_snapshot *a, const struct pose_snapshot *b)
{
    for (uint32_t i = 0; i < a->palette_count; i++) {
        const struct palette_snapshot *entry = &a->palette[i];
        const int32_t at = snapshot_find_entry(b, i, entry->mesh, entry->bone);
        if (at >= 0)
            add_matrix(table, "palette matrix", entry->bone, entry->mesh_to_scene, b->palette[at].mesh_to_scene);
    }
}

static void add_vertices(struct table *table, const struct pose_snapshot *a, const struct pose_snapshot *b)
{
    for (uint32_t i = 0; i < a->skin_count && i < b->skin_count; i++)
        for (uint32_t v = 0; v < a->skin[i].position_count && v < b->skin[i].position_count; v++) {
            char name[48];
            snprintf(name, sizeof name, "vertex %u of mesh", v);
            add_row(table, name, a->skin[i].mesh, a->skin[i].positions[v], b->skin[i].positions[v], 3);
        }
}

void reduce_evidence_see(struct reduce_evidence *evidence, enum stage stage, const struct case_samples *samples)
{
    struct table table = {&evidence->numbers, 0};
    for (size_t i = 0; i < samples->count && table.rows == 0; i++) {
        const struct pose_snapshot *a = samples->items[i].reference, *b = samples->items[i].snapshot;
        if (!a || !b)
            continue;
        evidence->numbers.size = 0;
        text_addf(table.out, "| at %s s | expected | seen |\n|---|---|---|\n", samples->items[i].label);
        if (stage == STAGE_SKIN)
            add_vertices(&table, a, b);
        if (stage == STAGE_PALETTE)
            add_palette(&table, a, b);
        if (table.rows == 0 && stage != STAGE_SKIN)
            add_nodes(&table, stage, a, b);
    }
    if (table.rows == 0)
        evidence->numbers.size = 0;
    if (table.rows > MOST_ROWS)
        text_addf(table.out, "| and %u more | | |\n", table.rows - MOST_ROWS);
}

/* ---- the sentence ---- */

/* The rule whose rig the file is, by its name. */
static const struct rule *rule_of_file(const char *model)
{
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)path_stem_length(path_base(model)), path_base(model));
    return rule_find(name);
}

void reduce_prefer_rule(const char *model, struct case_result *result)
{
    const struct rule *own = rule_of_file(model);
    for (uint32_t i = 0; own && i < result->explanation_count; i++)
        if (rule_of_cause(result->explanations[i].causes[0].id) == own) {
            const struct case_explanation first = result->explanations[0];
            result->explanations[0] = result->explanations[i];
            result->explanations[i] = first;
            return;
        }
}

static void add_cause(const struct case_cause *cause, struct text *out)
{
    text_add(out, cause->sentence);
    if (cause->detail)
        text_addf(out, "; %s", cause->detail);
    text_addf(out, " (%s)", cause->id);
}

/* The file's own rule counts where nothing explains it, and where it is about the same as the mistake: a clip that is
 * played too slowly breaks rules that do not speak of speed. NULL: none is known. */
static const struct rule *broken_rule(const char *cause, const struct rule *own)
{
    const struct rule *rule = cause ? rule_of_cause(cause) : NULL;
    const bool is_about_own = own && (!cause || (rule && strncmp(own->name, rule->name, strcspn(own->name, "-")) == 0));
    return is_about_own ? own : rule;
}

static void add_rule(const struct rule *rule, bool is_title, struct text *out)
{
    text_addf(out, "The glTF 2.0 specification, %s%s%s (rule `%s`).\n\n", rule->place, is_title ? "" : ": ",
              is_title ? "" : rule->sentence, rule->name);
}

void reduce_evidence_judge(struct reduce_evidence *evidence, const char *model, struct case_result *result)
{
    const struct case_explanation *best = result->explanation_count > 0 ? result->explanations : NULL;
    const struct rule *own = rule_of_file(model);
    struct text *title = &evidence->title;
    text_addf(title, "# %s", result->subject ? result->subject : "the program");
    for (uint32_t i = 0; best && i < best->cause_count; i++) {
        text_add(title, i > 0 ? "; and " : ": ");
        add_cause(&best->causes[i], title);
    }
    if (!best)
        text_addf(title, own ? " breaks a rule: %s" : ": %s",
                  own                ? own->sentence
                  : result->headline ? result->headline
                                     : "differs");
    text_add(title, "\n\n");
    const struct rule *last = NULL;
    for (uint32_t i = 0; i < (best ? best->cause_count : 1); i++) {
        const struct rule *rule = broken_rule(best ? best->causes[i].id : NULL, own);
        if (rule && rule != last)
            add_rule(rule, !best, title);
        last = rule ? rule : last;
    }
    if (!last && own)
        text_addf(title, "Found by the rule `%s` (glTF 2.0, %s): %s.\n\n", own->name, own->place, own->sentence);
    result->explanation_count = result->explanation_count > 2 ? 2 : result->explanation_count; /* enough */
    result->repeat = result->passes_from = NULL; /* the report says itself how; nobody here has a suite */
    report_case_text(result, "", false, &evidence->verdict);
}

/* ---- the page ---- */

static void add_command(const struct reduce_report *report, struct text *out)
{
    const struct reduce_options *o = report->options;
    text_add(out, "rigproof reduce ");
    escape_shell(path_base(o->output), out);
    text_add(out, o->test ? " --test " : o->subject ? " --subject " : " --against ");
    escape_shell_quoted(o->test ? o->test : o->subject ? o->subject : o->against, out);
    if (report->clip)
        text_addf(out, " --clip %s", report->clip);
    if (!isnan(report->time)) {
        text_add(out, " --time ");
        text_add_double(out, report->time);
    }
    text_add(out, " -o again.gltf\n");
}

void reduce_report_write(const struct reduce_report *report, struct text *out)
{
    const struct reduce_options *o = report->options;
    const char *name = path_base(o->output);
    text_add(out, o->test ? "# A file that shows it\n\n" : text_string(&report->evidence->title));
    text_addf(out, "Reduced from %zu to %zu bytes by rigproof %s with Assimp %s. The same again:\n\n```sh\n",
              report->sizes->size_before, report->sizes->size_after, o->rigproof, import_library_version());
    add_command(report, out);
    text_add(out, "```\n\n");
    if (!o->test) {
        text_add(out, report->evidence->numbers.size > 0 ? text_string(&report->evidence->numbers) : "");
        text_add(out, report->evidence->numbers.size > 0 ? "\n```text\n" : "```text\n");
        text_add_lines(out, text_string(&report->evidence->verdict));
        text_add(out, "```\n\n");
    }
    for (int i = 0; report->has_pictures && i < REDUCE_PICTURES; i++)
        text_addf(out, "![%s](<%.*s.%s.png>)%s", reduce_pictures[i].what, (int)path_stem_length(name), name,
                  reduce_pictures[i].name, i == 0 ? " " : "\n\n");
    text_add(out, "The file:\n\n```json\n");
    text_add_lines(out, report->file);
    text_add(out, "```\n");
}
