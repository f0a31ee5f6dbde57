#pragma once

#include "draw/draw.h"
#include "draw/gl/gl_functions.h"

/*
 * A backend opens its library when it is asked for, so that one binary runs where only one of them is installed; it
 * declares the few constants and prototypes it needs itself and builds without its headers.
 */
struct backend_ops;

struct gl_context {
    const struct backend_ops *ops;
    const char *name;        /* "osmesa", "egl" */
    char library_path[512];  /* the file; stays open until the process ends, as unloading LLVM is slow and unsafe */
    gl_proc functions[8];    /* the backend's, in its table's order */
    void *display, *handle;  /* the backend's own; handle is NULL when there is no context */
    struct gl gl;
};

/*
 * Applies the environment, opens a context of the backend asked for (BACKEND_AUTO: the first that works) and makes it
 * current. False with exit code 3: what was tried and what to install.
 */
bool gl_context_open(struct gl_context *context, enum backend backend, struct error *err);

/* Makes the context current on this thread when another one is. */
bool gl_context_use(struct gl_context *context, struct error *err);

void gl_context_close(struct gl_context *context);
