#include <stdlib.h>

#include "draw/gl/backend.h"

/* From Mesa's osmesa.h. */
enum {
    OSMESA_FORMAT = 0x22,
    OSMESA_DEPTH_BITS = 0x30,
    OSMESA_PROFILE = 0x33,
    OSMESA_CORE_PROFILE = 0x34,
    OSMESA_CONTEXT_MAJOR_VERSION = 0x36,
    OSMESA_CONTEXT_MINOR_VERSION = 0x37,
};

typedef struct osmesa_context *(*create_fn)(const int *attributes, struct osmesa_context *share);
typedef void (*destroy_fn)(struct osmesa_context *context);
typedef GLboolean (*make_current_fn)(struct osmesa_context *context, void *buffer, GLenum type, GLsizei width,
                                     GLsizei height);
typedef gl_proc (*get_proc_fn)(const char *name);

/* OSMesa insists on a window buffer of the caller's; we draw to our own framebuffer objects. */
enum { WINDOW_SIZE = 16 };

struct osmesa {
    struct osmesa_context *context;
    destroy_fn destroy;
    make_current_fn make_current;
    get_proc_fn get_proc;
    unsigned char window[WINDOW_SIZE * WINDOW_SIZE * 4];
};

static void osmesa_close(void *state)
{
    struct osmesa *osmesa = state;
    if (osmesa->context)
        osmesa->destroy(osmesa->context);
    free(osmesa);
}

static bool osmesa_open(struct gl_context *context, struct error *err)
{
    static const int attributes[] = {
        OSMESA_FORMAT, GL_RGBA, OSMESA_DEPTH_BITS, 0, OSMESA_PROFILE, OSMESA_CORE_PROFILE,
        OSMESA_CONTEXT_MAJOR_VERSION, 3, OSMESA_CONTEXT_MINOR_VERSION, 3, 0,
    };
    create_fn create = (create_fn)library_function(context->library, "OSMesaCreateContextAttribs");
    struct osmesa *osmesa = calloc(1, sizeof *osmesa);
    if (!osmesa)
        return error_set_code(err, EXIT_CODE_NO_GL, "out of memory");
    osmesa->destroy = (destroy_fn)library_function(context->library, "OSMesaDestroyContext");
    osmesa->make_current = (make_current_fn)library_function(context->library, "OSMesaMakeCurrent");
    osmesa->get_proc = (get_proc_fn)library_function(context->library, "OSMesaGetProcAddress");
    bool complete = create && osmesa->destroy && osmesa->make_current && osmesa->get_proc;
    if (complete)
        osmesa->context = create(attributes, NULL);
    context->state = osmesa;
    if (osmesa->context)
        return true;
    osmesa_close(osmesa);
    context->state = NULL;
    return error_set_code(err, EXIT_CODE_NO_GL, "%s %s", context->library_path,
                          complete ? "gives no core 3.3 context" : "is too old or not OSMesa");
}

static bool osmesa_make_current(void *state)
{
    struct osmesa *osmesa = state;
    return osmesa->make_current(osmesa->context, osmesa->window, GL_UNSIGNED_BYTE, WINDOW_SIZE, WINDOW_SIZE);
}

static void osmesa_release_current(void *state)
{
    struct osmesa *osmesa = state;
    osmesa->make_current(NULL, NULL, GL_UNSIGNED_BYTE, 0, 0);
}

static gl_proc osmesa_get_proc(void *state, const char *name)
{
    struct osmesa *osmesa = state;
    return osmesa->get_proc(name);
}

static const char *const osmesa_libraries[] = {"libOSMesa.so.8", "libOSMesa.so.6", "libOSMesa.so", NULL};

const struct backend_ops backend_osmesa = {
    .name = "osmesa",
    .override = "RIGPROOF_OSMESA_LIBRARY",
    .libraries = osmesa_libraries,
    .packages = "libosmesa6 on Debian and Ubuntu, mesa-compat-libOSMesa on Fedora",
    .symbol = "OSMesaGetProcAddress",
    .open = osmesa_open,
    .make_current = osmesa_make_current,
    .release_current = osmesa_release_current,
    .get_proc = osmesa_get_proc,
    .close = osmesa_close,
};
