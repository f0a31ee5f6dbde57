#include <stdint.h>
#include <stdlib.h>

#include "draw/gl/backend.h"

/* From Khronos' egl.h and eglext.h. */
typedef void *egl_display;
typedef void *egl_context;
enum {
    EGL_NONE = 0x3038,
    EGL_OPENGL_API = 0x30A2,
    EGL_CONTEXT_MAJOR_VERSION = 0x3098,
    EGL_CONTEXT_MINOR_VERSION = 0x30FB,
    EGL_CONTEXT_OPENGL_PROFILE_MASK = 0x30FD,
    EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT = 1,
    EGL_PLATFORM_SURFACELESS_MESA = 0x31DD,
};

typedef gl_proc (*get_proc_fn)(const char *name);
typedef egl_display (*get_platform_display_fn)(unsigned platform, void *native, const int32_t *attributes);
typedef unsigned (*initialize_fn)(egl_display display, int32_t *major, int32_t *minor);
typedef unsigned (*bind_api_fn)(unsigned api);
typedef egl_context (*create_context_fn)(egl_display display, void *config, egl_context share,
                                         const int32_t *attributes);
typedef unsigned (*destroy_context_fn)(egl_display display, egl_context context);
typedef unsigned (*make_current_fn)(egl_display display, void *draw, void *read, egl_context context);

struct egl {
    egl_display display;
    egl_context context;
    get_proc_fn get_proc;
    initialize_fn initialize;
    bind_api_fn bind_api;
    create_context_fn create_context;
    destroy_context_fn destroy_context;
    make_current_fn make_current;
};

static bool find_functions(struct egl *egl, void *library)
{
    egl->get_proc = (get_proc_fn)library_function(library, "eglGetProcAddress");
    egl->initialize = (initialize_fn)library_function(library, "eglInitialize");
    egl->bind_api = (bind_api_fn)library_function(library, "eglBindAPI");
    egl->create_context = (create_context_fn)library_function(library, "eglCreateContext");
    egl->destroy_context = (destroy_context_fn)library_function(library, "eglDestroyContext");
    egl->make_current = (make_current_fn)library_function(library, "eglMakeCurrent");
    return egl->get_proc && egl->initialize && egl->bind_api && egl->create_context && egl->destroy_context &&
           egl->make_current;
}

/*
 * Mesa's surfaceless platform needs neither a display server nor /dev/dri. No config and no surface either: everything
 * is drawn to framebuffer objects. Returns what went wrong, or NULL.
 */
static const char *connect(struct egl *egl)
{
    static const int32_t attributes[] = {
        EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 3,
        EGL_CONTEXT_OPENGL_PROFILE_MASK, EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE,
    };
    get_platform_display_fn get_display = (get_platform_display_fn)egl->get_proc("eglGetPlatformDisplayEXT");
    egl_display display = get_display ? get_display(EGL_PLATFORM_SURFACELESS_MESA, NULL, NULL) : NULL;
    if (!display)
        return "has no surfaceless platform (Mesa's drivers are missing)";
    if (!egl->initialize(display, NULL, NULL))
        return "cannot start Mesa's surfaceless platform (no software driver)";
    egl->display = display;
    if (egl->bind_api(EGL_OPENGL_API))
        egl->context = egl->create_context(display, NULL, NULL, attributes);
    return egl->context ? NULL : "gives no core 3.3 context";
}

/*
 * The display stays: all contexts of a process share it, and ending it would unload the driver with LLVM, which is slow
 * and loses memory of theirs.
 */
static void egl_close(void *state)
{
    struct egl *egl = state;
    if (egl->context)
        egl->destroy_context(egl->display, egl->context);
    free(egl);
}

static bool egl_open(struct gl_context *context, struct error *err)
{
    struct egl *egl = calloc(1, sizeof *egl);
    if (!egl)
        return error_set_code(err, EXIT_CODE_NO_GL, "out of memory");
    const char *problem = find_functions(egl, context->library) ? connect(egl) : "is not an EGL library";
    context->state = egl;
    if (!problem)
        return true;
    egl_close(egl);
    context->state = NULL;
    return error_set_code(err, EXIT_CODE_NO_GL, "%s %s", context->library_path, problem);
}

static bool egl_make_current(void *state)
{
    struct egl *egl = state;
    return egl->bind_api(EGL_OPENGL_API) && egl->make_current(egl->display, NULL, NULL, egl->context);
}

static void egl_release_current(void *state)
{
    struct egl *egl = state;
    egl->make_current(egl->display, NULL, NULL, NULL);
}

static gl_proc egl_get_proc(void *state, const char *name)
{
    struct egl *egl = state;
    return egl->get_proc(name);
}

static const char *const egl_libraries[] = {"libEGL.so.1", NULL};

const struct backend_ops backend_egl = {
    .name = "egl",
    .override = "RIGPROOF_EGL_LIBRARY",
    .libraries = egl_libraries,
    .packages = "libegl1 and libgl1-mesa-dri on Debian and Ubuntu, mesa-libEGL and mesa-dri-drivers on Fedora, "
                "mesa on Arch",
    .symbol = "eglGetProcAddress",
    .open = egl_open,
    .make_current = egl_make_current,
    .release_current = egl_release_current,
    .get_proc = egl_get_proc,
    .close = egl_close,
};
