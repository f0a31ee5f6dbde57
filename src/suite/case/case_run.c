#include "suite/case/case_run.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file/file_writer.h"

void case_missing(struct case_run *run, const char *format, ...)
{
    char what[256];
    va_list arguments;
    if (run->facts.missing)
        return;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    run->facts.missing = true;
    run->facts.missing_what = arena_string(run->arena, what);
}

void case_mismatch(struct case_run *run, const char *label, const char *suffix)
{
    if (!run->facts.mismatch)
        run->facts.mismatch = arena_printf(run->arena, "%s%s", label, suffix);
}

bool case_is_as_recorded(const char *recorded, const struct blob *file)
{
    char hash[17];
    if (!recorded)
        return true;
    bytes_hash(file->data, file->size, hash);
    return strcmp(recorded, hash) == 0;
}

bool case_output(const struct case_run *run, const char *label, const char *suffix, const void *data, size_t size,
                 struct error *err)
{
    struct text name = {0};
    text_addf(&name, "%s/%s%s", run->c->name, label, suffix);
    bool good = file_write_below(run->options->output, text_string(&name), data, size, err);
    text_release(&name);
    return good;
}
