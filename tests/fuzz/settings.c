/* Options of the command line, one a line: "camera=yaw=30,fov=0". */
#include <stdlib.h>
#include <string.h>

#include "suite/suite_file.h"
#include "suite/shard.h"
#include "options/clip_mix.h"
#include "target.h"

static bool set(struct settings *settings, char *line, struct error *err)
{
    char *value = strchr(line, '=');
    if (!value)
        return true;
    *value++ = '\0';
    const struct setting *setting = setting_find(line);
    uint32_t shard, count;
    if (strcmp(line, "shard") == 0)
        return shard_parse(value, &shard, &count, err);
    return !setting || settings_set(settings, line, value, err);
}

static void describe(const struct settings *settings)
{
    struct error err = {0};
    struct text text = {0};
    for (size_t i = 0; i < setting_count; i++)
        if (setting_table[i].type->write)
            settings_write(settings, setting_table[i].name, &text);
    clip_mix_write(settings, &text);
    clip_mix_check(settings, &(struct value_source){.err = &err}, NULL);
    settings_check_times(settings, false, &err);
    text_release(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct settings settings;
    char *string = target_string(data, size), *rest = string;
    settings_init(&settings);
    while (rest) {
        struct error err = {0};
        char *line = rest;
        rest = strchr(line, '\n');
        if (rest)
            *rest++ = '\0';
        if (set(&settings, line, &err))
            describe(&settings);
    }
    settings_release(&settings);
    free(string);
    return 0;
}
