#include "suite/case_run.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

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

char *case_output(const struct case_run *run, const char *label, const char *suffix)
{
    struct text path = {0};
    text_addf(&path, "%s/%s/%s%s", run->options->output, run->c->name, label, suffix);
    return path.data;
}
