/* A diagnosis in words, and as JSON. */
#include <math.h>

#include "diagnose/diagnose.h"

enum { BONES_WRITTEN = 6 };

void diagnosis_write_bones(const struct cause *cause, struct text *out)
{
    for (uint32_t i = 0; i < cause->bone_count && i < BONES_WRITTEN; i++) {
        text_add(out, i > 0 ? "`, `" : out->size > 0 ? "; only at `" : "only at `");
        text_add_name(out, cause->bones[i]);
    }
    text_add(out, cause->bone_count > 0 ? "`" : "");
    if (cause->bone_count > BONES_WRITTEN)
        text_addf(out, " and %u more", cause->bone_count - BONES_WRITTEN);
}

static void write_drift(const struct drift *drift, struct text *out)
{
    if (!(drift->size > 0))
        return;
    text_addf(out, "  and besides it drift of up to %.1g of the model's radius", drift->size);
    if (drift->like)
        text_addf(out, ", as of %s%s%s", drift->like, drift->detail ? ": " : "", drift->detail ? drift->detail : "");
    text_add(out, "\n");
}

static void write_explanation(const struct diagnosis *diagnosis, const struct explanation *explanation,
                              struct text *out)
{
    const char *what = diagnosis->counts;
    for (uint32_t i = 0; i < explanation->cause_count; i++) {
        const struct cause *cause = &explanation->causes[i];
        text_addf(out, "%scause: %s (%s): %s", i > 0 ? "and " : "", cause->id, cause_stage_names[cause->stage],
                  cause->sentence);
        if (cause->detail) {
            text_add(out, "; ");
            text_add_name(out, cause->detail);
        }
        diagnosis_write_bones(cause, out);
        text_add(out, "\n");
    }
    if (explanation->explains >= 1)
        text_addf(out, "  explains all %u %s to %.1g of %s\n", diagnosis->differ, what, explanation->residual,
                  explanation->causes[0].stage == CAUSE_DRAW ? "full brightness" : "the model's radius");
    else
        text_addf(out, "  explains %.2f %% of the difference: %u of %u %s\n", 100 * explanation->explains,
                  explanation->explained, diagnosis->differ, what);
    write_drift(&explanation->drift, out);
    for (uint32_t i = 0; i < explanation->cause_count; i++)
        text_addf(out, "  remedy: %s\n", explanation->causes[i].remedy);
}

static void write_starts(const struct diagnosis *diagnosis, struct text *out)
{
    text_add(out, diagnosis->start_count > 0 ? "it starts at " : "");
    for (uint32_t i = 0; i < diagnosis->start_count; i++) {
        text_add(out, i > 0 ? ", `" : "`");
        text_add_name(out, diagnosis->starts[i]);
        text_add(out, "`");
    }
    text_add(out, diagnosis->start_count > 0 ? "\n" : "");
}

void diagnosis_write_text(const struct diagnosis *diagnosis, struct text *out)
{
    if (diagnosis->differ == 0 && diagnosis->is_finite)
        return;
    if (!diagnosis->is_finite)
        text_add(out, "some numbers are not finite; these entries are left out here\n");
    if (diagnosis->full_count == 0) {
        text_add(out, "no known mistake explains it\n");
        write_starts(diagnosis, out);
        if (diagnosis->explanation_count > 0) {
            text_add(out, "nearest, but not the cause: ");
            write_explanation(diagnosis, &diagnosis->explanations[0], out);
        }
        return;
    }
    if (diagnosis->full_count > 1)
        text_addf(out, "%u mistakes explain it equally well; one of these:\n", diagnosis->full_count);
    for (uint32_t i = 0; i < diagnosis->full_count; i++)
        write_explanation(diagnosis, &diagnosis->explanations[i], out);
    if (diagnosis->unexplained_vertices > 0)
        text_addf(out,
                  "and besides %u vertices differ from what this palette makes of them, by up to %.3g %% of the "
                  "model's radius: no known mistake explains it\n",
                  diagnosis->unexplained_vertices, 100 * diagnosis->unexplained_displacement);
    if (diagnosis->full_count > 1 && isfinite(diagnosis->tells))
        text_addf(out, "the first two differ at %.3f s: compare there\n", diagnosis->tells);
    else if (diagnosis->full_count > 1)
        text_add(out, "no time of this clip that was tried tells the first two apart\n");
}

/* A guess that is not named says less than a cause that is, even where it leaves little and makes some worse. */
static const double NOT_NAMED_MOST = 0.98;

static const char *const kind_names[] = {NULL, "factor", "seconds", "count", "rate"};

static void write_cause(const struct cause *cause, struct json_writer *json)
{
    json_open_object(json, NULL, JSON_INLINE);
    json_add_string(json, "id", cause->id);
    json_add_string(json, "stage", cause_stage_names[cause->stage]);
    json_add_string(json, "sentence", cause->sentence);
    if (cause->detail)
        json_add_string(json, "detail", cause->detail);
    if (cause->kind != PARAMETER_NONE)
        json_add_double(json, kind_names[cause->kind], cause->parameter);
    json_add_string(json, "remedy", cause->remedy);
    if (cause->bones) {
        json_open_array(json, "bones", JSON_INLINE);
        for (uint32_t i = 0; i < cause->bone_count; i++)
            json_add_string(json, NULL, cause->bones[i]);
        json_close(json);
    }
    json_close(json);
}

void diagnosis_write_json(const struct diagnosis *diagnosis, struct json_writer *json)
{
    json_add_int(json, "compared", diagnosis->compared);
    json_add_int(json, "differ", diagnosis->differ);
    json_add_string(json, "counted", diagnosis->counts);
    json_add_bool(json, "known", diagnosis->full_count == 1 && diagnosis->unexplained_vertices == 0);
    if (diagnosis->unexplained_vertices > 0) {
        json_open_object(json, "unexplained_vertices", JSON_INLINE);
        json_add_int(json, "differ", diagnosis->unexplained_vertices);
        json_add_double(json, "displacement", diagnosis->unexplained_displacement);
        json_close(json);
    }
    json_open_array(json, "causes", JSON_LINES);
    for (uint32_t i = 0; i < diagnosis->explanation_count; i++) {
        const struct explanation *explanation = &diagnosis->explanations[i];
        json_open_object(json, NULL, JSON_INLINE);
        json_add_double(json, "explains", i < diagnosis->full_count ? explanation->explains
                                                                    : fmin(explanation->explains, NOT_NAMED_MOST));
        json_add_double(json, "residual", explanation->residual);
        json_add_int(json, "explained", explanation->explained);
        json_add_int(json, "broken", explanation->broken);
        if (explanation->drift.size > 0) {
            json_open_object(json, "drift", JSON_INLINE);
            json_add_double(json, "size", explanation->drift.size);
            if (explanation->drift.like)
                json_add_string(json, "like", explanation->drift.like);
            if (explanation->drift.detail)
                json_add_string(json, "detail", explanation->drift.detail);
            json_close(json);
        }
        json_open_array(json, "causes", JSON_INLINE);
        for (uint32_t c = 0; c < explanation->cause_count; c++)
            write_cause(&explanation->causes[c], json);
        json_close(json);
        json_close(json);
    }
    json_close(json);
    if (isfinite(diagnosis->tells))
        json_add_double(json, "tells", diagnosis->tells);
    json_open_array(json, "starts", JSON_INLINE);
    for (uint32_t i = 0; i < diagnosis->start_count; i++)
        json_add_string(json, NULL, diagnosis->starts[i]);
    json_close(json);
}
