#include "draw/gl/environment.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"

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
static bool kept[RULE_COUNT];

static bool read_kept(struct error *err)
{
    const char *list = getenv(ENVIRONMENT_KEEP), *names[RULE_COUNT];
    for (size_t i = 0; i < RULE_COUNT; i++)
        names[i] = environment_rules[i].name;
    memset(kept, 0, sizeof kept);
    for (const char *c = list ? list : ""; *c;) {
        char name[64];
        size_t length = strcspn(c, ","), rule = 0;
        snprintf(name, sizeof name, "%.*s", (int)length, c);
        while (rule < RULE_COUNT && strcmp(names[rule], name) != 0)
            rule++;
        const char *near = rule < RULE_COUNT ? NULL : name_nearest(name, names, RULE_COUNT);
        if (rule < RULE_COUNT)
            kept[rule] = true;
        else if (*name)
            return error_set_code(err, EXIT_CODE_NO_GL,
                                  ENVIRONMENT_KEEP ": \"%s\" is none of the variables that doctor lists%s%s%s", name,
                                  near ? ": did you mean " : "", near ? near : "", near ? "?" : "");
        c += length + (c[length] == ',');
    }
    return true;
}

bool environment_apply(struct error *err)
{
    const char *driver = getenv("GALLIUM_DRIVER");
    if (driver && *driver && strcmp(driver, "llvmpipe") != 0 && strcmp(driver, "softpipe") != 0)
        return error_set_code(err, EXIT_CODE_NO_GL,
                              "GALLIUM_DRIVER=%s is not a software rasteriser of Mesa: unset it, or use llvmpipe or "
                              "softpipe",
                              driver);
    if (!read_kept(err))
        return false;
    for (size_t i = 0; i < RULE_COUNT; i++) {
        const struct environment_rule *rule = &environment_rules[i];
        const char *now = getenv(rule->name);
        bool chosen = rule->action == ENVIRONMENT_DEFAULT && now && *now;
        /*
         * Mesa's cache of compiled shaders knows the CPU's capabilities and GALLIVM_PERF, but not
         * LP_NATIVE_VECTOR_WIDTH (measured with 22.3), and it need not know the rest: what is drawn with variables kept
         * stays out of it.
         */
        if (kept[i] && now)
            setenv("MESA_SHADER_CACHE_DISABLE", "true", 1);
        if (kept[i] || chosen || (now && rule->value && strcmp(now, rule->value) == 0))
            continue;
        if (now && !before[i])
            before[i] = strdup(now);
        if (rule->value)
            setenv(rule->name, rule->value, 1);
        else
            unsetenv(rule->name);
    }
    /* Wider vectors than 256 bits crash Mesa or draw wrong pictures. */
    const char *width = getenv("LP_NATIVE_VECTOR_WIDTH");
    if (!width || strcmp(width, "128") == 0 || strcmp(width, "256") == 0)
        return true;
    return error_set_code(err, EXIT_CODE_NO_GL, "LP_NATIVE_VECTOR_WIDTH=%s cannot be kept: use 128 or 256", width);
}

const char *environment_before(size_t rule)
{
    return rule < RULE_COUNT ? before[rule] : NULL;
}

bool environment_is_kept(size_t rule)
{
    return rule < RULE_COUNT && kept[rule];
}
