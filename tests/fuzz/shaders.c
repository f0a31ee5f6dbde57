/* A user's folder of shaders: three files with a NUL between them, then what a driver says of them. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "draw/shader/shader_text.h"
#include "target.h"

static void assemble(const struct shader_set *set, const char *name, const char *driver_log)
{
    struct shader_text shader;
    struct text messages = {0}, numbered = {0};
    shader_text_assemble(set, name, "#define BONES 4\n", &shader);
    shader_text_name_files(&shader, driver_log, &messages);
    shader_text_number_lines(&shader, text_string(&messages), &numbered);
    shader_text_find_word(&shader, "bones");
    text_release(&shader.text);
    text_release(&messages);
    text_release(&numbered);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[] = {"s/skin.vert", "s/lit.frag", "s/lib.glsl"};
    struct error err = {0};
    char *string = target_string(data, size), *at = string;
    target_file("m", "", 0);
    mkdir("s", 0700);
    for (int i = 0; i < 3; i++) {
        size_t length = strlen(at);
        target_file(names[i], at, length);
        at += at + length < string + size ? length + 1 : length;
    }
    struct shader_set *set = shader_set_load("s", &err);
    if (set) {
        assemble(set, "skin.vert", at);
        assemble(set, "lit.frag", at);
    }
    shader_set_release(set);
    free(string);
    return 0;
}
