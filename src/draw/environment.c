#define _POSIX_C_SOURCE 200809L

#include "draw/environment.h"

#include <stdlib.h>
#include <string.h>

const struct environment_rule environment_rules[] = {
    {"LIBGL_ALWAYS_SOFTWARE", ENVIRONMENT_SET, "1", "a graphics card rasterises differently"},
    {"GALLIUM_DRIVER", ENVIRONMENT_DEFAULT, "llvmpipe", "the goldens' rasteriser"},
    {"GALLIVM_PERF", ENVIRONMENT_SET, "no_aos_sampling", "8-bit texture filtering rounds differently per CPU and Mesa"},
    {"GALLIVM_DEBUG", ENVIRONMENT_UNSET, NULL, "can switch optimisations of the shader compiler off"},
    {"LP_NATIVE_VECTOR_WIDTH", ENVIRONMENT_UNSET, NULL, "512 crashes or draws wrong pictures"},
    {"LP_PERF", ENVIRONMENT_UNSET, NULL, "leaves parts of the rasteriser out"},
    {"LP_DEBUG", ENVIRONMENT_UNSET, NULL, "can change what is drawn"},
    {"DRAW_USE_LLVM", ENVIRONMENT_UNSET, NULL, "0 runs vertex shaders in an interpreter"},
    {"GALLIUM_OVERRIDE_CPU_CAPS", ENVIRONMENT_UNSET, NULL, "changes rounding"},
    {"GALLIUM_NOSSE", ENVIRONMENT_UNSET, NULL, "changes rounding"},
    {"MESA_LOADER_DRIVER_OVERRIDE", ENVIRONMENT_UNSET, NULL, "loads another driver"},
    {"MESA_GL_VERSION_OVERRIDE", ENVIRONMENT_UNSET, NULL, "claims versions that are not there"},
    {"MESA_GLSL_VERSION_OVERRIDE", ENVIRONMENT_UNSET, NULL, "claims versions that are not there"},
    {"MESA_EXTENSION_OVERRIDE", ENVIRONMENT_UNSET, NULL, "claims extensions that are not there"},
};

enum { RULE_COUNT = sizeof environment_rules / sizeof environment_rules[0] };

const size_t environment_rule_count = RULE_COUNT;

/* The environment belongs to the process, and so does the memory of what it was. */
static char *before[RULE_COUNT];

static bool driver_is_software(const char *name)
{
    return strcmp(name, "llvmpipe") == 0 || strcmp(name, "softpipe") == 0;
}

static void apply(size_t index)
{
    const struct environment_rule *rule = &environment_rules[index];
    const char *now = getenv(rule->name);
    if (rule->action == ENVIRONMENT_DEFAULT && now && *now)
        return;
    if (now && rule->value && strcmp(now, rule->value) == 0)
        return;
    if (now && !before[index])
        before[index] = strdup(now);
    if (rule->value)
        setenv(rule->name, rule->value, 1);
    else
        unsetenv(rule->name);
}

bool environment_apply(struct error *err)
{
    const char *driver = getenv("GALLIUM_DRIVER");
    if (driver && *driver && !driver_is_software(driver))
        return error_set_code(err, EXIT_CODE_NO_GL,
                              "GALLIUM_DRIVER=%s is not a software rasteriser of Mesa: unset it, or use llvmpipe or "
                              "softpipe",
                              driver);
    for (size_t i = 0; i < RULE_COUNT; i++)
        apply(i);
    return true;
}

const char *environment_before(size_t rule)
{
    return rule < RULE_COUNT ? before[rule] : NULL;
}
