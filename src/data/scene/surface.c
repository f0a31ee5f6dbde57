#include "data/scene/surface.h"

#include <string.h>

void surface_of(const struct scene *scene, const struct material *material, struct surface *out)
{
    *out = (struct surface){.metallic = 0, .roughness = 1, .specular = {0.04f, 0.04f, 0.04f}, .unlit = material->unlit};
    (void)scene;
    memcpy(out->base_color, material->base_color, sizeof out->base_color);
    if (strstr(scene->format, "gl"))
        out->metallic = 1;
    for (uint32_t i = 0; i < material->factor_count; i++) {
        if (strcmp(material->factors[i].name, "metallic factor") == 0)
            out->metallic = material->factors[i].values[0];
        if (strcmp(material->factors[i].name, "roughness factor") == 0)
            out->roughness = material->factors[i].values[0];
    }
    for (int i = 0; i < SURFACE_SLOTS; i++)
        out->maps[i] = (struct surface_map){.texture = NO_INDEX, .to_texture = {{1, 0, 0}, {0, 1, 0}}, .strength = 1};
    out->maps[0].texture = material->base_texture;
    memcpy(out->maps[0].wrap, material->wrap, sizeof out->maps[0].wrap);
}
