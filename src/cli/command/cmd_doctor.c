/* doctor and version: what is here to draw with. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/file/file.h"
#include "base/process/process.h"
#include "cli/command.h"
#include "draw/gl/environment.h"
#include "cli/selftest.h"

enum { BACKENDS = 2 };

static const struct {
    enum backend backend;
    const char *name;
} backends[BACKENDS] = {{BACKEND_OSMESA, "osmesa"}, {BACKEND_EGL, "egl"}};

/* The result of the self-test as a whole. */
struct health {
    const struct selftest_result *result[BACKENDS];
    int working;
    bool all_equal;
    const char *used; /* what BACKEND_AUTO takes */
};

/* Returns what the variable is to be, or the place where it is kept; NULL: unset. */
static const char *value_of(size_t index)
{
    const struct environment_rule *rule = &environment_rules[index];
    return environment_is_kept(index) || rule->action == ENVIRONMENT_DEFAULT ? getenv(rule->name) : rule->value;
}

static void write_text(const struct health *health, struct error *library, struct text *out)
{
    const struct library_file *file = import_library_file();
    const char *why;
    text_addf(out, "rigproof %s\nAssimp %s: %s\n", RIGPROOF_VERSION, import_library_version(),
              error_is_set(library) ? library->text : "as this build expects it");
    text_addf(out, "  library       %s (soname %s)\n  build id      %s\n", file->name ? file->name : "not found",
              file->soname ? file->soname : "none", file->build_id ? file->build_id : "none");
    text_addf(out, "sandbox of the import: %s\n", sandbox_works(&why) ? "active" : why);
    for (int i = 0; i < BACKENDS; i++) {
        const struct selftest_result *r = health->result[i];
        if (!r->finished) {
            text_addf(out, "\nbackend %s: %s\n", backends[i].name,
                      health->working == 0 && i == BACKENDS - 1 ? "see below" : r->problem);
            continue;
        }
        text_addf(out, "\nbackend %s (%s)\n", backends[i].name, r->info.library);
        text_addf(out, "  renderer      %s\n  GL version    %s\n  GLSL version  %s\n  vendor        %s\n",
                  r->info.gl_renderer, r->info.gl_version, r->info.glsl_version, r->info.gl_vendor);
        text_addf(out, "  limits        %d texels in a texture buffer (%d palette entries), %d samples\n",
                  r->info.max_texture_buffer, r->info.max_texture_buffer / 3, r->info.max_samples);
        for (uint32_t k = 0; k < r->fingerprint.count; k++)
            text_addf(out, "  %-13s %-13s %s\n", k ? "" : "fingerprint", r->fingerprint.entries[k].name,
                      r->fingerprint.entries[k].value);
        for (int frame = 0; frame < SELFTEST_FRAMES; frame++)
            text_addf(out, "  frame %d hash  %s\n", frame + 1, r->hash[frame]);
    }
    text_add(out, "\nenvironment, before the first GL call\n");
    for (size_t i = 0; i < environment_rule_count; i++) {
        const struct environment_rule *rule = &environment_rules[i];
        const char *before = environment_before(i), *value = value_of(i);
        const char *action = environment_is_kept(i)                ? "kept as it is, by " ENVIRONMENT_KEEP
                             : rule->action == ENVIRONMENT_SET     ? "set"
                             : rule->action == ENVIRONMENT_DEFAULT ? "set unless chosen"
                                                                   : "unset";
        text_addf(out, "  %s%s%s  (%s; %s)%s%s\n", rule->name, value ? "=" : "", value ? value : "", action, rule->why,
                  before ? ", it was " : "", before ? before : "");
    }
    if (health->working == 0) /* what to install: EGL, which every distribution has */
        text_addf(out, "\nrigproof cannot draw here: %s.\n", health->result[BACKENDS - 1]->problem);
    else if (!health->all_equal)
        text_add(out,
                 "\nrigproof draws here, but not the same each time: frames that should be equal are not (FAILED).\n");
    else
        text_addf(out, "\nrigproof works here: it draws by %s, and every backend draws the same frame each time.\n",
                  health->used);
}

static void write_json(const struct health *health, struct error *library, struct text *out)
{
    struct json_writer json = {.text = out};
    json_open_object(&json, NULL, JSON_LINES);
    json_add_string(&json, "format", "rigproof.doctor/1");
    json_add_string(&json, "version", RIGPROOF_VERSION);
    json_add_string(&json, "assimp", import_library_version());
    json_add_string(&json, "assimp_problem", error_is_set(library) ? library->text : NULL);
    const struct library_file *file = import_library_file();
    json_open_object(&json, "assimp_library", JSON_INLINE);
    json_add_string(&json, "file", file->name);
    json_add_string(&json, "soname", file->soname);
    json_add_string(&json, "build_id", file->build_id);
    json_close(&json);
    const char *why = NULL;
    json_add_bool(&json, "sandbox", sandbox_works(&why));
    json_add_string(&json, "backend", health->used);
    json_open_array(&json, "backends", JSON_LINES);
    for (int i = 0; i < BACKENDS; i++) {
        const struct selftest_result *r = health->result[i];
        json_open_object(&json, NULL, JSON_INLINE);
        json_add_string(&json, "name", backends[i].name);
        json_add_bool(&json, "works", r->finished);
        json_add_string(&json, "problem", r->problem[0] ? r->problem : NULL);
        json_add_string(&json, "library", r->info.library);
        json_add_string(&json, "gl_renderer", r->info.gl_renderer);
        json_add_string(&json, "gl_version", r->info.gl_version);
        json_add_string(&json, "glsl_version", r->info.glsl_version);
        json_open_object(&json, "fingerprint", JSON_INLINE);
        for (uint32_t k = 0; k < r->fingerprint.count; k++)
            json_add_string(&json, r->fingerprint.entries[k].name, r->fingerprint.entries[k].value);
        json_close(&json);
        json_open_array(&json, "hashes", JSON_INLINE);
        for (int frame = 0; r->finished && frame < SELFTEST_FRAMES; frame++)
            json_add_string(&json, NULL, r->hash[frame]);
        json_close(&json);
        json_close(&json);
    }
    json_close(&json);
    json_open_object(&json, "environment", JSON_LINES);
    for (size_t i = 0; i < environment_rule_count; i++)
        json_add_string(&json, environment_rules[i].name, value_of(i));
    json_close(&json);
    json_open_array(&json, "kept", JSON_INLINE);
    for (size_t i = 0; i < environment_rule_count; i++)
        if (environment_is_kept(i))
            json_add_string(&json, NULL, environment_rules[i].name);
    json_close(&json);
    json_add_bool(&json, "self_test", health->working > 0 && health->all_equal);
    json_close(&json);
}

static bool json;

static const struct setting options[] = {
    {"json", NULL, "the same as JSON", 0, &value_flag, VALUE_OF(json)},
};

static enum exit_code run_doctor(const struct operands *operands, struct error *err)
{
    (void)operands;
    struct health health = {.all_equal = true};
    const char *hash = NULL;
    struct error library = {0};
    struct text out = {0};
    struct error driver = {0}; /* the self-test says it too, as the reason why no backend works */
    import_check_library(&library);
    for (int i = 0; i < BACKENDS; i++) {
        const struct selftest_result *result = health.result[i] = selftest_run(backends[i].backend);
        if (!result->finished)
            continue;
        health.working++;
        if (!health.used)
            health.used = backends[i].name;
        for (int frame = 0; frame < SELFTEST_FRAMES; frame++) {
            hash = hash ? hash : result->hash[frame];
            health.all_equal = health.all_equal && strcmp(hash, result->hash[frame]) == 0;
        }
    }
    environment_apply(&driver);
    if (json)
        write_json(&health, &library, &out);
    else
        write_text(&health, &library, &out);
    file_write("-", out.data, out.size, err);
    text_release(&out);
    for (int i = 0; i < BACKENDS; i++)
        arena_destroy(health.result[i]->arena);
    if (health.working == 0)
        return EXIT_CODE_NO_GL;
    return health.all_equal && !error_is_set(&library) ? EXIT_CODE_GOOD : EXIT_CODE_DIFFERS;
}

const struct command command_doctor = {
    .name = "doctor", .operands = "", .summary = "GL backend, renderer, versions, determinism self-test",
    .about = "Says which GL backends work here, with what environment, and draws a built-in frame twice with each: "
             "all\nhashes must be equal. Exit code 1 when they are not, 3 when no backend works.",
    COMMAND_OPTIONS(options), .run = run_doctor,
};

static enum exit_code run_version(const struct operands *operands, struct error *err)
{
    (void)operands, (void)err;
    const struct selftest_result *gl = selftest_run(BACKEND_AUTO);
    printf("rigproof %s\nAssimp %s\n", RIGPROOF_VERSION, import_library_version());
    for (uint32_t i = 0; i < gl->fingerprint.count; i++)
        if (strcmp(gl->fingerprint.entries[i].name, "mesa") == 0)
            printf("Mesa %s (%s, %s)\n", gl->fingerprint.entries[i].value, gl->info.backend, gl->info.gl_renderer);
    if (!gl->finished)
        puts("Mesa: none that draws; see rigproof doctor");
    arena_destroy(gl->arena);
    return EXIT_CODE_GOOD;
}

const struct command command_version = {
    .name = "version", .operands = "", .summary = "versions of rigproof, Assimp and Mesa",
    .about = "Prints the versions of rigproof and of the libraries that it finds here. rigproof --version is one line "
             "without Mesa.",
    .run = run_version,
};
