/* An import that fails says the reason, and what to do about it. */
#include "import/refusal.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include <assimp/cimport.h>

#include "base/file/folder.h"
#include "base/memory.h"
#include "import/gltf/gltf_repair.h"
#include "import/import.h"

/* The format that the file's first bytes are of: "glb"; NULL where they tell none. */
static const char *format_of_content(const char *path)
{
    static const struct {
        const char *begin, *format;
    } known[] = {{"glTF", "glb"},          {"Kaydara FBX", "fbx"}, {"; FBX", "fbx"},
                 {"BLENDER", "blend"},     {"solid ", "stl"},      {"INTERQUAKEMODEL", "iqm"},
                 {"MD5Version", "md5mesh"}};
    char begin[512] = "";
    FILE *file = fopen(path, "rb");
    const size_t size = file ? fread(begin, 1, sizeof begin - 1, file) : 0;
    if (file)
        fclose(file);
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (size > 0 && strncmp(begin, known[i].begin, strlen(known[i].begin)) == 0)
            return known[i].format;
    if (strstr(begin, "<COLLADA"))
        return "dae";
    return begin[strspn(begin, " \t\r\n")] == '{' && strstr(begin, "\"asset\"") ? "gltf" : NULL;
}

static bool is_utf16(const char *path)
{
    unsigned char begin[2] = {0};
    FILE *file = fopen(path, "rb");
    const bool is_read = file && fread(begin, 1, sizeof begin, file) == sizeof begin;
    if (file)
        fclose(file);
    return is_read && begin[0] + begin[1] == 0xff + 0xfe && (begin[0] == 0xff || begin[0] == 0xfe);
}

/* Returns what can be done about what Assimp says; NULL: nothing is known. */
static const char *remedy_of(const char *message)
{
    static const char *const remedies[][2] = {
        {"could not open referenced file", "put that file where the model names it, or export one .glb"},
        {"exceeds size of actual data", "the file is cut short: copy or export it again"},
        {"Unable to read gltf file", "the file is cut short: copy or export it again"},
        {"unexpected end of file", "the file is cut short: copy or export it again"},
        {"No root node", "it holds clips alone: export them with their model, in one file"},
        {"File came out empty", "it instances no scene, or is COLLADA before 1.4: save it again with a newer program"},
        {"old format version", "save it again with a newer program, or convert it"},
    };
    for (size_t i = 0; i < sizeof remedies / sizeof remedies[0]; i++)
        if (strstr(message, remedies[i][0]))
            return remedies[i][1];
    return NULL;
}

void import_explain_refusal(struct conversion *c, const char *message)
{
    static const char *const telling[] = {GLTF_VERSION_1, LFS_NOTE};
    struct error *err = c->err;
    const char *extension = c->scene->format, *path = c->scene->path, *content = format_of_content(path),
               *remedy = is_utf16(path) ? "it is text in UTF-16: save it as UTF-8" : remedy_of(message);
    char dotted[20];
    snprintf(dotted, sizeof dotted, ".%s", extension);
    if (strstr(message, "bad_alloc"))
        memory_exhausted("%s", message);
    for (int i = 0; i < 2; i++)
        if (scene_find_note(c->scene, telling[i]))
            error_set(err, "%s", scene_find_note(c->scene, telling[i]));
    if (content && strcasecmp(content, extension) != 0)
        error_set(err, "its content is that of a .%s file: rename it to %.*s.%s", content,
                  (int)strcspn(path_base(path), "."), path_base(path), content);
    if (!extension[0])
        error_set(err, "the file name has no extension that names the format: rename it, such as to %s.glb",
                  path_base(path));
    if (!aiIsExtensionSupported(dotted))
        error_set(err, "Assimp %s cannot read .%s files: export the model as .glb, .fbx or .dae",
                  import_library_version(), extension);
    if (is_gltf(c))
        gltf_explain_refusal(c, message);
    if (strstr(message, "No suitable reader"))
        error_set(err,
                  "Assimp %s does not recognise it as a .%s file: empty, damaged, or of another kind; export it again",
                  import_library_version(), extension);
    if (strstr(message, "old format version"))
        error_set(err, "Assimp %s cannot read FBX from before 2011: %s", import_library_version(), remedy);
    if (strcasecmp(extension, "blend") == 0)
        error_set(err, "Assimp %s cannot read this .blend file: export the model as .glb from Blender (it says: %s)",
                  import_library_version(), message);
    const size_t length = strlen(message) - (message[0] && message[strlen(message) - 1] == '.');
    error_set(err, "%.*s%s%s", length > 0 ? (int)length : INT_MAX, length > 0 ? message : "Assimp gives no reason",
              remedy ? "; " : "", remedy ? remedy : "");
}

bool import_explain_path(const char *path, struct error *err)
{
    struct stat status = {0};
    SCOPED(text) near = {0};
    const int failure = stat(path, &status) != 0 || access(path, R_OK) != 0 ? errno : 0;
    if (failure == ENOENT && folder_suggest(path, &near))
        error_set(err, "%s; did you mean %s?", strerror(failure), text_string(&near));
    if (failure)
        error_set(err, "%s%s", strerror(failure), failure == EACCES ? ": give this user the right to read it" : "");
    error_set(err, S_ISDIR(status.st_mode) ? "it is a folder, not a model file: name a file in it"
                                           : "it is not a regular file");
    return error_prefix(err, "import of %s", path);
}
