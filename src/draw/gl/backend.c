#include "draw/gl/gl_functions.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/shared_library.h"
#include "draw/gl/environment.h"

struct backend_ops {
    const char *name;
    const char *override;         /* environment variable: the one library file to try instead of these */
    const char *libraries;        /* library_open()'s, best first */
    const char *packages;         /* what to install, for people */
    const char *const *functions; /* names, NULL-terminated; the first gives GL's functions */

    /* Makes a core 3.3 context without surface, context->handle. What went wrong, or NULL. */
    const char *(*open)(struct gl_context *context);
    bool (*make_current)(const struct gl_context *context, bool current); /* or none on this thread */
    void (*close)(const struct gl_context *context);
};

typedef gl_proc (*get_proc_fn)(const char *name);

enum {
    OSMESA_FORMAT = 0x22,
    OSMESA_DEPTH_BITS = 0x30,
    OSMESA_PROFILE = 0x33,
    OSMESA_CORE_PROFILE = 0x34,
    OSMESA_CONTEXT_MAJOR_VERSION = 0x36,
    OSMESA_CONTEXT_MINOR_VERSION = 0x37,
};

enum { OSMESA_GET_PROC, OSMESA_CREATE, OSMESA_DESTROY, OSMESA_MAKE_CURRENT };
static const char *const osmesa_functions[] = {"OSMesaGetProcAddress", "OSMesaCreateContextAttribs",
                                               "OSMesaDestroyContext", "OSMesaMakeCurrent", NULL};

static const char *osmesa_open(struct gl_context *context)
{
    static const int attributes[] = {
        OSMESA_FORMAT, GL_RGBA, OSMESA_DEPTH_BITS, 0, OSMESA_PROFILE, OSMESA_CORE_PROFILE,
        OSMESA_CONTEXT_MAJOR_VERSION, 3, OSMESA_CONTEXT_MINOR_VERSION, 3, 0,
    };
    context->handle =
        ((void *(*)(const int *attributes, void *share))context->functions[OSMESA_CREATE])(attributes, NULL);
    return context->handle ? NULL : "gives no core 3.3 context";
}

/* OSMesa insists on a window buffer, which is never drawn to: we draw to our own framebuffer objects. */
static bool osmesa_make_current(const struct gl_context *context, bool current)
{
    enum { WINDOW_SIZE = 16 };
    static _Thread_local unsigned char window[WINDOW_SIZE * WINDOW_SIZE * 4];
    typedef GLboolean (*make_current_fn)(void *handle, void *buffer, GLenum type, GLsizei width, GLsizei height);
    make_current_fn make_current = (make_current_fn)context->functions[OSMESA_MAKE_CURRENT];
    return current ? make_current(context->handle, window, GL_UNSIGNED_BYTE, WINDOW_SIZE, WINDOW_SIZE)
                   : make_current(NULL, NULL, GL_UNSIGNED_BYTE, 0, 0);
}

static void osmesa_close(const struct gl_context *context)
{
    ((void (*)(void *handle))context->functions[OSMESA_DESTROY])(context->handle);
}

enum {
    EGL_NONE = 0x3038,
    EGL_OPENGL_API = 0x30A2,
    EGL_CONTEXT_MAJOR_VERSION = 0x3098,
    EGL_CONTEXT_MINOR_VERSION = 0x30FB,
    EGL_CONTEXT_OPENGL_PROFILE_MASK = 0x30FD,
    EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT = 1,
    EGL_PLATFORM_SURFACELESS_MESA = 0x31DD,
};

enum { EGL_GET_PROC, EGL_INITIALIZE, EGL_BIND_API, EGL_CREATE_CONTEXT, EGL_DESTROY_CONTEXT, EGL_MAKE_CURRENT };
static const char *const egl_functions[] = {"eglGetProcAddress", "eglInitialize",     "eglBindAPI",
                                            "eglCreateContext",  "eglDestroyContext", "eglMakeCurrent", NULL};

typedef unsigned (*bind_api_fn)(unsigned api);

/*
 * Mesa's surfaceless platform needs neither a display server nor /dev/dri. No config and no surface either: everything
 * is drawn to framebuffer objects.
 */
static const char *egl_open(struct gl_context *context)
{
    static const int32_t attributes[] = {
        EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 3,
        EGL_CONTEXT_OPENGL_PROFILE_MASK, EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE,
    };
    typedef void *(*get_display_fn)(unsigned platform, void *native, const int32_t *attributes);
    typedef unsigned (*initialize_fn)(void *display, int32_t *major, int32_t *minor);
    typedef void *(*create_context_fn)(void *display, void *config, void *share, const int32_t *attributes);
    const gl_proc *functions = context->functions;
    get_display_fn get_display = (get_display_fn)((get_proc_fn)functions[EGL_GET_PROC])("eglGetPlatformDisplayEXT");
    void *display = get_display ? get_display(EGL_PLATFORM_SURFACELESS_MESA, NULL, NULL) : NULL;
    if (!display)
        return "has no surfaceless platform (Mesa's drivers are missing)";
    if (!((initialize_fn)functions[EGL_INITIALIZE])(display, NULL, NULL))
        return "cannot start Mesa's surfaceless platform (no software driver)";
    context->display = display;
    if (((bind_api_fn)functions[EGL_BIND_API])(EGL_OPENGL_API))
        context->handle = ((create_context_fn)functions[EGL_CREATE_CONTEXT])(display, NULL, NULL, attributes);
    return context->handle ? NULL : "gives no core 3.3 context";
}

static bool egl_make_current(const struct gl_context *context, bool current)
{
    typedef unsigned (*make_current_fn)(void *display, void *draw, void *read, void *handle);
    return (!current || ((bind_api_fn)context->functions[EGL_BIND_API])(EGL_OPENGL_API)) &&
           ((make_current_fn)context->functions[EGL_MAKE_CURRENT])(context->display, NULL, NULL,
                                                                   current ? context->handle : NULL);
}

/*
 * The display stays: all contexts of a process share it, and ending it would unload the driver with LLVM, which is slow
 * and loses memory of theirs.
 */
static void egl_close(const struct gl_context *context)
{
    ((unsigned (*)(void *display, void *handle))context->functions[EGL_DESTROY_CONTEXT])(context->display,
                                                                                         context->handle);
}

/* In the order in which BACKEND_AUTO tries them; indices are enum backend - 1. */
static const struct backend_ops backends[] = {
    {"osmesa", "RIGPROOF_OSMESA_LIBRARY", "libOSMesa.so.8:libOSMesa.so.6:libOSMesa.so",
     "libosmesa6 on Debian and Ubuntu, mesa-compat-libOSMesa on Fedora", osmesa_functions, osmesa_open,
     osmesa_make_current, osmesa_close},
    {"egl", "RIGPROOF_EGL_LIBRARY", "libEGL.so.1",
     "libegl1 and libgl1-mesa-dri on Debian and Ubuntu, mesa-libEGL and mesa-dri-drivers on Fedora, mesa on Arch",
     egl_functions, egl_open, egl_make_current, egl_close},
};
enum { BACKEND_COUNT = sizeof backends / sizeof backends[0] };

/* GL's idea of the current context is per thread, and so is ours. */
static _Thread_local struct gl_context *current_context;

static bool open_library(const struct backend_ops *ops, gl_proc *functions, struct error *err)
{
    const char *only = getenv(ops->override);
    return library_open(only && *only ? only : ops->libraries, ops->functions, functions, err);
}

static bool open_backend(struct gl_context *context, const struct backend_ops *ops, struct error *err)
{
    Dl_info file;
    void *function;
    *context = (struct gl_context){.ops = ops, .name = ops->name};
    if (!open_library(ops, context->functions, err))
        return false;
    memcpy(&function, &context->functions[0], sizeof function);
    if (dladdr(function, &file))
        snprintf(context->library_path, sizeof context->library_path, "%s", file.dli_fname);
    const char *problem = ops->open(context);
    if (problem)
        return error_set(err, "%s %s", context->library_path, problem);
    if (gl_context_use(context, err) && gl_load(&context->gl, (get_proc_fn)context->functions[0], err))
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
        if (open_backend(context, &backends[i], &why[i]))
            return true;
        size_t used = strlen(tried);
        snprintf(tried + used, sizeof tried - used, "%s%s: %.200s (install %s)", used ? "; " : "", backends[i].name,
                 why[i].text, backends[i].packages);
    }
    return error_set_code(err, EXIT_CODE_NO_GL, "no GL context: %s", tried);
}

static void release_current(void)
{
    if (current_context)
        current_context->ops->make_current(current_context, false);
    current_context = NULL;
    gl = NULL;
}

bool gl_context_use(struct gl_context *context, struct error *err)
{
    if (current_context == context)
        return true;
    release_current();
    if (!context->ops->make_current(context, true))
        return error_set_code(err, EXIT_CODE_NO_GL, "%s: the context cannot be made current", context->name);
    current_context = context;
    gl = &context->gl;
    return true;
}

void gl_context_close(struct gl_context *context)
{
    if (!context->handle)
        return;
    if (current_context == context)
        release_current();
    context->ops->close(context);
    context->handle = NULL;
}

bool backend_is_present(enum backend backend)
{
    for (int i = 0; i < BACKEND_COUNT; i++) {
        struct gl_context none = {0};
        if ((backend == BACKEND_AUTO || backend == (enum backend)(i + 1)) &&
            open_library(&backends[i], none.functions, ERROR_IGNORED))
            return true;
    }
    return false;
}
