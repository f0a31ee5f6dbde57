/* The programs that a suite puts under test: its key `subjects`. */
#include <string.h>

#include "base/file/file.h"
#include "base/file/path.h"
#include "base/names.h"
#include "base/process/program.h"
#include "suite/suite_file.h"

enum { MOST_SUBJECTS = 64, MOST_ARGUMENTS = 256 };

/* An argument list, never a shell line. */
static bool read_command(struct value_source *source, void *target, const struct tree_node *value)
{
    const char **words = ARENA_NEW(source->arena, const char *, value->count + 1);
    if (value->kind != TREE_LIST || value->count == 0 || value->count > MOST_ARGUMENTS)
        return value_fail(source, value, "expected a list of the program and its arguments: [./engine, --rigproof]");
    for (size_t i = 0; i < value->count; i++)
        if (!(words[i] = value_string(source, value->items[i])))
            return false;
    *(const char *const **)target = words;
    return *words[0] || value_fail(source, value->items[0], "the program is missing");
}

static bool read_environment(struct value_source *source, void *target, const struct tree_node *value)
{
    const char **words = ARENA_NEW(source->arena, const char *, value->count + 1);
    if (!value_is_mapping(source, value))
        return false;
    for (size_t i = 0; i < value->count; i++) {
        const char *text = value_string(source, value->items[i]), *name = value->keys[i]->text;
        if (!text)
            return false;
        if (*name == '\0' || strchr(name, '='))
            return value_fail(source, value->keys[i], "`%s` is no name of a variable", name);
        words[i] = arena_printf(source->arena, "%s=%s", name, text);
    }
    *(const char *const **)target = words;
    return true;
}

static const struct value_type value_command = {read_command, NULL, FORM_LIST | FORM_TEXT};
static const struct value_type value_environment = {read_environment, NULL, FORM_MAPPING};

#define SUBJECT(member) VALUE_IN(struct subject_spec, member)
static const char *const pictures[] = {"show", "compare"};
static const struct setting name_keys[] = {{"strip", NULL, NULL, 0, &value_text, SUBJECT(strip)}};
const struct setting subject_keys[SUBJECT_KEYS] = {
    {"command", NULL, NULL, 0, &value_command, SUBJECT(command)},
    {"timeout", NULL, NULL, 0, &value_number, SUBJECT(timeout), .least = 0.001, .most = 86400},
    {"memory", NULL, NULL, 0, &value_number, SUBJECT(memory_mib), .least = 1, .most = 1e6},
    {"env", NULL, NULL, 0, &value_environment, SUBJECT(env)},
    {"names", NULL, NULL, 0, &value_fields, 0, 0, NULL, VALUE_FIELDS(name_keys)},
    {"pictures", NULL, NULL, 0, &value_word, SUBJECT(compares_pictures), VALUE_WORDS(pictures)},
    {"strict", NULL, NULL, 0, &value_flag, SUBJECT(is_strict)},
};

bool suite_read_subjects(struct value_source *source, const struct tree_node *value, struct suite *suite)
{
    source->key = "subjects";
    if (!value_is_mapping(source, value))
        return false;
    if (value->count > MOST_SUBJECTS)
        return value_fail(source, value, "more than %d", MOST_SUBJECTS);
    suite->subjects = ARENA_NEW(suite->arena, struct subject_spec, value->count);
    for (size_t i = 0; i < value->count; i++) {
        struct subject_spec *spec = &suite->subjects[i];
        const char *name = value->keys[i]->text;
        *spec = (struct subject_spec){.name = name, .folder = source->paths->folder};
        source->key = name;
        if (*name == '\0' || name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-")] != '\0' || strlen(name) > 50)
            return value_fail(source, value->keys[i], "`%s` may only have lower-case letters, digits and `-`", name);
        if (!value_is_mapping(source, value->items[i]) ||
            !value_read_fields(source, subject_keys, SUBJECT_KEYS, spec, value->items[i]))
            return false;
        source->key = name;
        if (!spec->command)
            return value_fail(source, value->items[i], "`command` is missing");
        suite->subject_count++;
    }
    return true;
}

struct subject_spec *suite_find_subject(const struct suite *suite, const char *name, struct error *err)
{
    const char *names[MOST_SUBJECTS];
    for (size_t i = 0; i < suite->subject_count; i++) {
        names[i] = suite->subjects[i].name;
        if (strcmp(names[i], name) == 0)
            return &suite->subjects[i];
    }
    const char *near = name_nearest(name, names, suite->subject_count);
    error_set(err, "the suite has no subject `%s`%s%s%s", name, near ? "; did you mean `" : "", near ? near : "",
              near ? "`?" : "");
    return NULL;
}

void suite_add_subject(struct suite *suite, const struct subject_spec *spec)
{
    struct subject_spec *found = suite_find_subject(suite, spec->name, ERROR_IGNORED);
    if (!found) {
        struct subject_spec *all = ARENA_NEW(suite->arena, struct subject_spec, suite->subject_count + 1);
        for (size_t i = 0; i < suite->subject_count; i++)
            all[i] = suite->subjects[i];
        found = &all[suite->subject_count++];
        suite->subjects = all;
    }
    *found = *spec;
}

bool suite_set_program(struct suite *suite, const char *given, struct error *err)
{
    const char *program = strchr(given, '=');
    if (!program || program == given || !program[1])
        return error_set(err, "--program %s: expected NAME=PROGRAM, a subject of the suite and what it is to run",
                         given);
    const char *name = arena_printf(suite->arena, "%.*s", (int)(program++ - given), given);
    struct subject_spec *spec = suite_find_subject(suite, name, err);
    if (!spec)
        return error_prefix(err, "--program %s", given);
    SCOPED(text) path = {0}, joined = {0};
    size_t count = 1;
    while (spec->command[count - 1])
        count++;
    const char **words = ARENA_COPIES(suite->arena, const char *, spec->command, count);
    if (strchr(program, '/') &&
        path_real_folder(".", &path, err)) /* seen from here, and it starts in the suite's folder */
        path_join(text_string(&path), program, &joined);
    words[0] = arena_string(suite->arena, joined.size > 0 ? text_string(&joined) : program);
    spec->command = words;
    return !error_is_set(err);
}

struct subject_spec *subject_of_command(const char *line, struct arena *arena)
{
    struct subject_spec *spec = ARENA_NEW(arena, struct subject_spec, 1);
    const char **words = ARENA_NEW(arena, const char *, strlen(line) / 2 + 2);
    size_t count = 0;
    for (const char *at = line + strspn(line, " \t"); *at; at += strspn(at, " \t")) {
        const char *const ends = *at == '\'' ? "'" : *at == '"' ? "\"" : " \t";
        at += *ends != ' ';
        const size_t length = strcspn(at, ends);
        words[count++] = arena_printf(arena, "%.*s", (int)length, at);
        at += length + (at[length] && *ends != ' ');
    }
    *spec = (struct subject_spec){.name = count > 0 ? path_base(words[0]) : "", .command = words};
    return spec;
}

struct subject_spec *subject_of_rigproof(const char *path, struct arena *arena)
{
    struct subject_spec *spec = ARENA_NEW(arena, struct subject_spec, 1);
    const char **words = ARENA_NEW(arena, const char *, 3);
    words[0] = path;
    words[1] = "subject";
    *spec = (struct subject_spec){
        .name = path_base(path), .command = words, .compares_pictures = true, .is_rigproof = true, .is_strict = true};
    return spec;
}

/* Another rigproof plays all that a case says; another program one clip. */
static const char *find_obstacle(const struct suite_case *c, bool is_rigproof)
{
    const struct settings *s = &c->settings;
    if (is_rigproof)
        return NULL;
    if (s->crowd[0] > 0)
        return "a subject is asked for one instance, and this case has a crowd";
    if (s->mix_count > 0 || s->clips_from_count > 0 || s->rate < 1 || s->rate > 1 || s->in_place)
        return "a subject is asked for one clip of the model's file, and this case plays something else";
    if (s->clip && strcmp(s->clip, "bind") == 0)
        return "a subject is not asked for the bind pose";
    if (s->upload_format.skinning != SKINNING_LINEAR)
        return "a subject's vertices are compared with linear skinning";
    return NULL;
}

void suite_check_subject(struct suite_case *c)
{
    const char *why = c->subject && !c->problem ? find_obstacle(c, c->subject->is_rigproof) : NULL;
    if (why)
        c->problem = why;
}

bool suite_use_subject(struct suite *suite, const char *name, bool is_rigproof, bool is_strict, struct error *err)
{
    struct subject_spec *found = is_rigproof ? NULL : suite_find_subject(suite, name, ERROR_IGNORED);
    const bool is_of_suite = found != NULL;
    if (!found)
        found = (is_rigproof ? subject_of_rigproof : subject_of_command)(name, suite->arena);
    const char *program = found->command[0];
    if (!program)
        return error_set(err, "--subject: the program is missing");
    if (!is_of_suite && !program_exists(program))
        return error_set(err, "there is no program `%s` to be asked: name its file, or one that is on PATH", program);
    found->is_strict = found->is_strict || is_strict;
    for (size_t i = 0; i < suite->case_count; i++) {
        struct suite_case *c = &suite->cases[i];
        c->subject = found;
        c->against_golden = c->agrees = false;
        const char *why = c->skip || c->problem ? NULL : find_obstacle(c, is_rigproof);
        if (why) { /* nobody wrote this case for the subject */
            c->skip = true;
            c->reason = why;
        }
        c->expect_fail = false;
    }
    return true;
}

bool suite_start_here(struct suite *suite, double timeout, struct error *err)
{
    SCOPED(text) here = {0};
    const bool good = path_real_folder(".", &here, err);
    for (size_t i = 0; i < suite->case_count && good; i++) {
        struct subject_spec *spec = (struct subject_spec *)suite->cases[i].subject;
        spec->timeout = timeout;
        spec->folder = arena_string(suite->arena, text_string(&here));
    }
    return good;
}
