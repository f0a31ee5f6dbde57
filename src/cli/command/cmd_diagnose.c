/* diagnose: what mistake turns the model's own numbers into another program's. */
#include <string.h>

#include "base/json.h"
#include "cli/command.h"
#include "diff/diff.h"

static struct settings settings;
static struct foreign_source source = {.layout = -1};
static double tolerance;
static bool json;

static const struct setting diagnose_options[] = {
    FOREIGN_OPTIONS(source),
    {"shell", "D",
     "tolerated displacement of a vertex that a bone can influence, as a share of the model's radius (default 1e-5)", 0,
     &value_number, VALUE_OF(tolerance), .most = 1},
    {"json", NULL, "rigproof.diagnosis/1 on stdout", 0, &value_flag, VALUE_OF(json)},
    COMMAND_LIMIT_OPTIONS,
};

/* In degrees, where normals are all that differs; else 0. */
static double turned_by(const struct foreign *foreign, const struct diagnosis *diagnosis)
{
    const bool is_skin = diagnosis->differ > 0 && strcmp(diagnosis->counts, "vertices") == 0;
    return is_skin ? foreign_turned(foreign, tolerance > 0 ? tolerance : tolerance_defaults.shell) : 0;
}

static void write_json(const struct foreign *foreign, const struct pipeline *p, const struct diagnosis *diagnosis,
                       struct text *out)
{
    struct json_writer writer = {.text = out};
    json_open_object(&writer, NULL, JSON_LINES);
    json_add_string(&writer, "format", "rigproof.diagnosis/1");
    json_add_string(&writer, "model", path_base(p->scene->path));
    json_add_string(&writer, "clip", p->plays);
    json_add_double(&writer, "time", p->time);
    json_add_string(&writer, "theirs", path_base(foreign->name));
    json_add_bool(&writer, "agrees", diagnosis->differ == 0);
    if (foreign->pose == foreign->converted.pose)
        json_add_string(&writer, "conventions", foreign->converted.how);
    if (turned_by(foreign, diagnosis) > 0)
        json_add_double(&writer, "degrees", turned_by(foreign, diagnosis));
    diagnosis_write_json(diagnosis, &writer);
    json_close(&writer);
}

/* Writes what was held against what, and then the diagnosis. */
static void write_text(const struct foreign *foreign, const struct pipeline *p, const struct diagnosis *diagnosis,
                       struct text *out)
{
    SCOPED(text) given = {0};
    foreign_describe(foreign, &given);
    text_add_name(out, foreign->name);
    text_add(out, diagnosis->differ == 0 ? " agrees with " : " differs from ");
    text_add_name(out, p->scene->path);
    text_add(out, p->plays ? ", clip `" : ", rest pose");
    if (p->plays)
        text_add_name(out, p->plays);
    text_addf(out, "%s at %.6g s (%s given): ", p->plays ? "`" : "", p->time, text_string(&given));
    const char *what = diagnosis->counts;
    if (diagnosis->differ == 0)
        text_addf(out, "%u %s compared\n", diagnosis->compared, what);
    else if (turned_by(foreign, diagnosis) > 0)
        text_addf(out, "the normals of %u of %u %s, by up to %.3g degrees\n", diagnosis->differ, diagnosis->compared,
                  what, turned_by(foreign, diagnosis));
    else
        text_addf(out, "%u of %u %s, by up to %.3g %% of the model's radius\n", diagnosis->differ, diagnosis->compared,
                  what, 100 * diagnosis->displacement);
    if (foreign->pose == foreign->converted.pose)
        text_addf(out, "conventions: %s\n", foreign->converted.how);
    diagnosis_write_text(diagnosis, out);
}

/* Prints the diagnosis; `context` is whether anything differs. */
static void print_diagnosis(void *context, const struct foreign *foreign, const struct pipeline *p,
                            const struct diagnosing *diagnosing, struct error *err)
{
    SCOPED(text) text = {0};
    if (diagnosing->diagnosis->compared == 0) {
        error_set(err,
                  "%s has nothing in common with %s: none of its names is known there, or it gives boxes of skinned "
                  "meshes alone and not their positions",
                  foreign->name, p->scene->path);
        return;
    }
    (json ? write_json : write_text)(foreign, p, diagnosing->diagnosis, &text);
    *(bool *)context = diagnosing->diagnosis->differ > 0;
    file_write("-", text.data, text.size, err);
    pipeline_note_pose(p);
    pipeline_note_times(p, &p->time, 1);
}

static enum exit_code run_diagnose(const struct operands *operands, struct error *err)
{
    bool differs = false;
    if (foreign_check_source(&source, operands->count > 1 ? operands->items[1] : NULL, err) && !source.path &&
        !source.raw)
        error_set(err, "diagnose: what is to be diagnosed is missing: a pose.json or an OBJ as the second argument, or "
                       "--raw FILE");
    if (error_is_set(err) || !foreign_hold("diagnose", operands->items[0], &source, &settings, tolerance,
                                           print_diagnosis, &differs, err))
        return EXIT_CODE_USAGE;
    return differs ? EXIT_CODE_DIFFERS : EXIT_CODE_GOOD;
}

const struct command command_diagnose = {
    .name = "diagnose", .operands = "MODEL THEIRS", .summary = "what mistake makes another program's pose differ",
    .about = "Holds what another program makes of a model at a time against the model itself, and names the mistake "
             "that turns\none into the other: `cause: parent-order`. THEIRS is a pose.json with only what there is, or "
             "an OBJ of the skinned\nvertices; --raw takes a palette as it lies in a uniform buffer. Clip and time are "
             "THEIRS' where it says them. Unit, axes and\na place in the world are solved where no mistake alone "
             "explains the numbers, and said.",
    COMMAND_OPTIONS(diagnose_options), .setting_groups = SETTING_IMPORT | SETTING_CLIP | SETTING_TIME,
    .settings = &settings, .is_limited = true, .operand_least = 1, .operand_most = 2, .run = run_diagnose,
};
