#define _GNU_SOURCE

#include "draw/gl/backend.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "draw/gl/environment.h"

/* In the order in which BACKEND_AUTO tries them; indices are enum backend - 1. */
static const struct backend_ops *const backends[] = {&backend_osmesa, &backend_egl};
enum { BACKEND_COUNT = sizeof backends / sizeof backends[0] };

/* GL's idea of the current context is per thread, and so is ours. */
static _Thread_local struct gl_context *current_context;

bool backend_parse(const char *text, enum backend *backend, struct error *err)
{
    static const char *const names[] = {"auto", "osmesa", "egl"};
    for (int i = 0; i < 3; i++)
        if (strcmp(text, names[i]) == 0) {
            *backend = (enum backend)i;
            return true;
        }
    const char *near = name_nearest(text, names, 3);
    return error_set(err, "backend \"%s\" is not one of auto, osmesa, egl%s%s%s", text, near ? ": did you mean " : "",
                     near ? near : "", near ? "?" : "");
}

gl_proc library_function(void *library, const char *name)
{
    void *object = dlsym(library, name);
    gl_proc function = NULL;
    memcpy(&function, &object, sizeof function); /* ISO C has no cast for this; POSIX promises that it works */
    return function;
}

/* Opens the first library of the list there is, or the one chosen; the message is the loader's about the first name. */
static void *open_library(const struct backend_ops *ops, struct error *err)
{
    const char *only[2] = {getenv(ops->override), NULL};
    const char *const *names = only[0] && *only[0] ? only : ops->libraries;
    char first_message[256] = "";
    for (int i = 0; names[i]; i++) {
        void *library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
        if (library)
            return library;
        if (i == 0)
            snprintf(first_message, sizeof first_message, "%s", dlerror());
    }
    error_set_code(err, EXIT_CODE_NO_GL, "%s", first_message);
    return NULL;
}

static bool open_backend(struct gl_context *context, const struct backend_ops *ops, struct error *err)
{
    Dl_info info;
    *context = (struct gl_context){.ops = ops, .library = open_library(ops, err)};
    if (!context->library)
        return false;
    void *address = dlsym(context->library, ops->symbol);
    if (address && dladdr(address, &info) && info.dli_fname)
        snprintf(context->library_path, sizeof context->library_path, "%s", info.dli_fname);
    if (!ops->open(context, err))
        return false;
    if (gl_context_use(context, err) && gl_load(&context->gl, ops->get_proc, context->state, err))
        return true;
    gl_context_close(context);
    return false;
}

bool gl_context_open(struct gl_context *context, enum backend backend, struct error *err)
{
    if (!environment_apply(err))
        return false;
    struct error why[BACKEND_COUNT] = {{0}};
    char tried[700] = "";
    for (int i = 0; i < BACKEND_COUNT; i++) {
        if (backend != BACKEND_AUTO && backend != (enum backend)(i + 1))
            continue;
        if (open_backend(context, backends[i], &why[i]))
            return true;
        size_t used = strlen(tried);
        snprintf(tried + used, sizeof tried - used, "%s%s: %.200s (install %s)", used ? "; " : "", backends[i]->name,
                 why[i].text, backends[i]->packages);
    }
    return error_set_code(err, EXIT_CODE_NO_GL, "no GL context: %s", tried);
}

bool gl_context_use(struct gl_context *context, struct error *err)
{
    if (current_context == context)
        return true;
    if (current_context)
        current_context->ops->release_current(current_context->state);
    current_context = NULL;
    if (!context->ops->make_current(context->state))
        return error_set_code(err, EXIT_CODE_NO_GL, "%s: the context cannot be made current", context->ops->name);
    current_context = context;
    return true;
}

void gl_context_close(struct gl_context *context)
{
    if (!context->state)
        return;
    if (current_context == context) {
        context->ops->release_current(context->state);
        current_context = NULL;
    }
    context->ops->close(context->state);
    context->state = NULL;
}

bool backend_is_present(enum backend backend)
{
    for (int i = 0; i < BACKEND_COUNT; i++) {
        if (backend != BACKEND_AUTO && backend != (enum backend)(i + 1))
            continue;
        struct error ignored = {0};
        if (open_library(backends[i], &ignored))
            return true;
    }
    return false;
}
