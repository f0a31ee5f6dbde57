#include "draw/shader_set.h"

#include <string.h>

#include "draw/shader_source.h"

bool shader_set_find(const char *name, struct shader_file *out)
{
    for (unsigned i = 0; i < shader_source_count; i++)
        if (strcmp(shader_sources[i].name, name) == 0) {
            *out = (struct shader_file){.name = shader_sources[i].name, .text = shader_sources[i].text};
            return true;
        }
    return false;
}
