#include "import/scene/convert.h"

#include <ctype.h>
#include <string.h>

/* Returns whether a line gives, by a word or a variable, what Assimp reads as numbers; `value` is where. */
static bool lacks_numbers(const char *line, const char *end, const char **value)
{
    static const char *const words[] = {"ambient", "diffuse", "specular", "emissive", "tex_coord_set"};
    while (line < end && isspace((unsigned char)*line))
        line++;
    const char *behind = line;
    while (behind < end && !isspace((unsigned char)*behind))
        behind++;
    bool is_read = false;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        is_read = is_read || slice_is((struct slice){line, (size_t)(behind - line)}, words[i]);
    while (behind < end && isspace((unsigned char)*behind))
        behind++;
    *value = behind;
    return is_read && (behind == end || !strchr("+-.0123456789", *behind));
}

FILE *ogre_open_material(const char *path)
{
    enum { MOST = 1 << 24 };
    struct error err = {0};
    SCOPED(blob) file = {.data = NULL};
    SCOPED(text) text = {0};
    if (!file_read(path, MOST, &file, &err))
        return NULL;
    const char *line = (const char *)file.data, *end = line + file.size, *value;
    for (const char *next; line < end; line = next) {
        next = memchr(line, '\n', (size_t)(end - line));
        next = next ? next + 1 : end;
        const bool lacks = lacks_numbers(line, next, &value);
        text_add_bytes(&text, line, (size_t)((lacks ? value : next) - line));
        text_add(&text, lacks ? " 1 1 1 1\n" : "");
    }
    text_add(&text, "\n}\n}\n}\n}\n"); /* of a file that is cut short */
    FILE *stream = fmemopen(NULL, text.size, "w+b");
    if (stream && (fwrite(text_string(&text), 1, text.size, stream) != text.size || fseek(stream, 0, SEEK_SET) != 0)) {
        fclose(stream);
        stream = NULL;
    }
    return stream;
}
