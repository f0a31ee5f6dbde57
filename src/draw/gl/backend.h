#ifndef RIGPROOF_DRAW_BACKEND_H
#define RIGPROOF_DRAW_BACKEND_H

#include "draw/draw.h"
#include "draw/gl/gl_functions.h"

/*
 * Where a context comes from. A backend opens its library when it is asked for, so that one binary runs where only one
 * of them is installed; it declares the few constants and prototypes it needs itself and builds without its headers.
 */

struct gl_context;

struct backend_ops {
    const char *name;
    const char *override;         /* environment variable: the one library file to try instead of the list */
    const char *const *libraries; /* file names for dlopen, NULL-terminated, best first */
    const char *packages;         /* what to install, for people */
    const char *symbol;           /* a function of the library, which leads to its file */

    /* Makes a core 3.3 context without surface in context->state, from context->library. Cleans up when it fails. */
    bool (*open)(struct gl_context *context, struct error *err);
    bool (*make_current)(void *state);
    void (*release_current)(void *state); /* no context is current on this thread after that */
    gl_proc (*get_proc)(void *state, const char *name);
    void (*close)(void *state);
};

extern const struct backend_ops backend_osmesa;
extern const struct backend_ops backend_egl;

struct gl_context {
    const struct backend_ops *ops;
    void *library;           /* from dlopen; stays open until the process ends, as unloading LLVM is slow and unsafe */
    char library_path[512];  /* the file */
    void *state;             /* the backend's own */
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

/* For the backends: a function of an open library, or NULL. */
gl_proc library_function(void *library, const char *name);

#endif
