#include "run/cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <jansson.h>
#include <xxhash.h>

#include "base/file/file.h"
#include "base/file/file_writer.h"
#include "base/file/folder.h"
#include "base/file/path.h"
#include "base/log.h"
#include "base/utf8.h"
#include "case/case_inputs.h"
#include "data/image/image.h"

#define ENTRY_FORMAT "rigproof.remembered/2"

enum { KEY_LENGTH = 32, LINES = sizeof ENTRY_FORMAT + SECRET_HASH + KEY_LENGTH + 2 };
enum { ENTRY_LIMIT = 64 << 20, SOURCES_MEMORY = 16 << 20 };

static const char absent[] = "absent", unreadable[] = "unreadable";

struct key {
    char text[KEY_LENGTH + 1];
    bool is_asked; /* a run looked for its entry and found none */
    bool is_whole; /* all that it depends on could be read */
};

struct cache {
    const struct suite_run *run;
    const char *folder;
    struct text suite_folder;
    char identity[17];
    struct secret secret;
    json_t *contents; /* of paths that were looked at before the run, or after it */
    struct key *keys; /* [case_count] as they were before the run */
};

struct cache *cache_open(const char *folder, const struct suite_run *run, struct error *err)
{
    SCOPED(text) identity = {0};
    struct secret secret;
    bool good = (folder_make(folder, err) && secret_find(&secret, run->suite->folder, err) &&
                 identity_find(run->options.backend, &identity, err)) || error_prefix(err, "--cache");
    struct cache *cache = good ? memory_new(1, sizeof *cache) : NULL;
    if (good) {
        *cache = (struct cache){.run = run, .folder = folder, .secret = secret, .keys =
            memory_new(run->suite->case_count, sizeof *cache->keys)};
        bytes_hash(identity.data, identity.size, cache->identity);
        folder_locate(run->suite->folder, &cache->suite_folder);
        cache->contents = json_object();
    }
    return cache;
}

/* A file's hash, `absent` or `unreadable`: each file is read once, whatever its times say. */
static const char *content_of(struct cache *cache, const char *path)
{
    char hash[17];
    struct stat st;
    const char *known = json_string_value(json_object_get(cache->contents, path));
    if (known)
        return known;
    known = file_hash(path, hash)                                           ? hash
            : stat(path, &st) != 0 && (errno == ENOENT || errno == ENOTDIR) ? absent
                                                                            : unreadable;
    json_object_set_new_nocheck(cache->contents, path, json_string(known));
    return json_string_value(json_object_get(cache->contents, path));
}

/* Adds the content of an input, and where it is. The list of cases is no part of a verdict. */
static void add_input(struct cache *cache, const struct case_input *input, struct key *key, struct text *text)
{
    SCOPED(text) place = {0};
    if (input->kind != INPUT_FILE) /* its files come one by one */
        return;
    const char *content = content_of(cache, input->path);
    key->is_whole = key->is_whole && strcmp(content, absent) != 0 && strcmp(content, unreadable) != 0;
    text_addf(text, "%s ", content);
    folder_locate(input->path, &place);
    path_relative(cache->suite_folder.data, place.data, text);
    text_add(text, "\n");
}

/* Adds what the suite and the command line say of a case. */
static void add_case(struct cache *cache, const struct suite_case *c, struct text *text)
{
    const struct settings *s = &c->settings;
    text_addf(text, "%s\n%s\n%s\n%u %u\n", c->name, c->model, s->clip ? s->clip : "", c->stages, s->import.repairs);
    tree_write(cache->run->suite->defaults, text);
    tree_write(c->mapping, text);
    text_add_bytes(text, &s->saved_camera, sizeof s->saved_camera);
}

static struct key make_key(struct cache *cache, const struct suite_case *c)
{
    const struct suite_run *run = cache->run;
    struct key key = {.is_whole = !c->subject && !c->problem};
    SCOPED(text) text = {0};
    if (!key.is_whole)
        return key;
    text_addf(&text, ENTRY_FORMAT "\n%s\n%g %g\n", cache->identity, run->timeout, run->memory_mib);
    add_case(cache, c, &text);
    if (c->agrees)
        add_case(cache, &run->suite->cases[c->agreement.other], &text);
    SCOPED_ARENA arena = create_large_arena();
    const struct case_inputs inputs = case_inputs(run->suite, c, NULL, arena);
    for (size_t i = 0; i < inputs.count; i++)
        add_input(cache, &inputs.items[i], &key, &text);
    const XXH128_hash_t hash = XXH3_128bits(text.data, text.size);
    snprintf(key.text, sizeof key.text, "%016llx%016llx", (unsigned long long)hash.high64,
             (unsigned long long)hash.low64);
    return key;
}

static bool is_good(const struct case_result *result)
{
    return result->status == CASE_PASS || result->status == CASE_DRIFT;
}

/* A good verdict of which a run leaves nothing but what is in results.json, and pictures that can be had again. */
static bool is_kept(const struct case_result *result)
{
    return is_good(result) && !result->candidate && !result->not_remembered;
}

/* Returns whether what the case opened, or looked for in vain, is as it was, and where it was. */
static bool has_same_sources(struct cache *cache, const struct case_result *result)
{
    SCOPED_ARENA arena = arena_require(SOURCES_MEMORY);
    SCOPED(text) path = {0}, place = {0};
    bool same = true;
    for (uint32_t i = 0; same && i < result->source_count; i++) {
        const struct source *source = &result->sources[i];
        path.size = place.size = 0;
        source_path(cache->suite_folder.data, source->file, &path);
        folder_locate(path.data, &place);
        const char *content = content_of(cache, path.data);
        const bool is_absent = strcmp(content, absent) == 0, is_read = !is_absent && strcmp(content, unreadable) != 0;
        const struct source looked = {.hash = is_read ? content : NULL, .leads_to = is_absent ? NULL : place.data},
                            now = source_see(&looked, source->file, cache->suite_folder.data, arena);
        same = source_equal(source, &now);
    }
    return same;
}

/* Checks the two first lines: format and keyed hash of what follows; the key. What comes then; NULL: they are wrong. */
static const char *check_entry(const struct cache *cache, const struct blob *file, const char *key)
{
    char line[LINES + 1], hash[SECRET_HASH + 1];
    if (file->size < LINES)
        return NULL;
    const char *signed_part = (const char *)file->data + LINES - KEY_LENGTH - 1;
    secret_hash(&cache->secret, signed_part, file->size - (LINES - KEY_LENGTH - 1), hash);
    snprintf(line, sizeof line, ENTRY_FORMAT " %s\n%s\n", hash, key);
    return memcmp(file->data, line, LINES) == 0 ? signed_part + KEY_LENGTH + 1 : NULL;
}

/* Marks an entry as used, once a day: prune() removes old ones. */
static void touch(const char *path)
{
    struct stat st;
    if (stat(path, &st) == 0 && st.st_mtime + 86400 < time(NULL))
        utimensat(AT_FDCWD, path, NULL, 0);
}

struct case_result *cache_find(struct cache *cache, size_t index, struct arena *arena)
{
    const struct suite_case *c = &cache->run->suite->cases[index];
    struct key *key = &cache->keys[index];
    SCOPED(text) path = {0};
    SCOPED(blob) file = {0};
    struct error ignored = {0};
    struct case_result *found = NULL;
    *key = make_key(cache, c);
    text_addf(&path, "%s/%s", cache->folder, key->text);
    const char *json = key->is_whole && file_exists(path.data) && file_read(path.data, ENTRY_LIMIT, &file, &ignored)
                           ? check_entry(cache, &file, key->text) : NULL;
    struct results *results =
        json ? results_read(json, file.size - (size_t)(json - (const char *)file.data), path.data, &ignored) : NULL;
    if (results && results->case_count == 1 && is_kept(results->cases) && strcmp(results->cases->name, c->name) == 0 &&
        has_same_sources(cache, results->cases)) {
        struct case_result today;
        found = case_result_copy(results->cases, arena);
        case_result_init(c, &cache->run->options, arena, &today);
        found->line = today.line;
        found->repeat = today.repeat;
        found->remembered = true;
        touch(path.data);
    }
    key->is_asked = !found;
    results_free(results);
    return found;
}

/* Without pictures, `line` and `repeat`, which are of the run: cache_find() fills in the last two. */
static bool write_entry(const struct cache *cache, const char *key, const struct case_result *result, struct error *err)
{
    struct case_result alone = *result;
    const struct results results = {
        .rigproof = cache->run->options.rigproof, .suite = "", .goldens = "", .case_count = 1, .cases = &alone};
    SCOPED(text) json = {0}, entry = {0};
    char hash[SECRET_HASH + 1];
    alone.line = 0;
    alone.repeat = NULL;
    FREED struct time_result *times = alone.times = memory_new(result->time_count, sizeof *times);
    for (uint32_t i = 0; i < result->time_count; i++) {
        struct image_result *image = &times[i].image;
        times[i] = result->times[i];
        image->golden = image->actual = image->difference = image->heat = image->displacement = NULL;
    }
    text_addf(&json, "%s\n", key);
    results_write(&results, &json);
    secret_hash(&cache->secret, json.data, json.size, hash);
    text_addf(&entry, ENTRY_FORMAT " %s\n", hash);
    text_add_bytes(&entry, json.data, json.size);
    return file_write_below(cache->folder, key, entry.data, entry.size, err);
}

/* Says why a source cannot be remembered: its content is not known, or its name is no UTF-8. */
static const char *find_odd_source(const struct case_result *result, struct arena *arena)
{
    for (uint32_t i = 0; i < result->source_count; i++) {
        const struct source *source = &result->sources[i];
        if (!source->hash && source->leads_to)
            return "a file beside its model cannot be read";
        if (utf8_fix(source->file, arena) != source->file)
            return "the name of a file beside its model is not UTF-8";
    }
    return NULL;
}

/* Why the verdict is never kept; NULL: it may be. */
static const char *find_obstacle(const struct suite_case *c, const struct key *key, const struct results *results,
                                 const struct case_result *result)
{
    return result->not_remembered                                     ? result->not_remembered
           : c->subject                                               ? "it runs a program under test"
           : !key->is_whole                                           ? "one of its files cannot be read whole"
           : c->settings.shaders && results->shader_warning_count > 0 ? "there are warnings of shaders"
                                                                      : find_odd_source(result, results->arena);
}

void cache_store(struct cache *cache, struct results *results)
{
    struct error err = {0};
    SCOPED(results_index) found = {0};
    size_t recent = 0;
    results_index_make(results, &found);
    json_object_clear(cache->contents); /* files may be others than before the run */
    for (size_t i = 0; i < cache->run->suite->case_count; i++) {
        const struct suite_case *c = &cache->run->suite->cases[i];
        const struct key *before = &cache->keys[i];
        struct case_result *result = before->is_asked ? results_index_find(&found, c->name) : NULL;
        if (result && is_good(result))
            result->not_remembered = find_obstacle(c, before, results, result);
        if (!result || !is_kept(result))
            continue;
        struct key now = make_key(cache, c);
        bool same = strcmp(before->text, now.text) == 0 && has_same_sources(cache, result);
        recent += !same;
        if (same && !error_is_set(&err))
            write_entry(cache, now.text, result, &err);
    }
    if (recent > 0)
        log_note("%zu verdict%s not remembered: files of theirs were changed since the run began", recent,
                 recent == 1 ? " is" : "s are");
    if (error_is_set(&err))
        log_warning("%s: verdicts are not remembered", err.text);
}

/* Entries and what a killed process has left: names of 32 hexadecimal digits, and those of temporaries. */
static void prune(const struct cache *cache)
{
    DIR *entries = opendir(cache->folder);
    struct dirent *entry;
    struct stat st;
    const time_t oldest = time(NULL) - (time_t)CACHE_DAYS * 86400;
    while (entries && (entry = readdir(entries))) {
        const char *name = entry->d_name;
        bool is_ours = strstr(name, FILE_TEMPORARY) ||
                       (strlen(name) == KEY_LENGTH && strspn(name, "0123456789abcdef") == KEY_LENGTH);
        if (is_ours && fstatat(dirfd(entries), name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode) &&
            st.st_mtime < oldest)
            unlinkat(dirfd(entries), name, 0);
    }
    if (entries)
        closedir(entries);
}

void cache_close(struct cache *cache)
{
    if (!cache)
        return;
    prune(cache);
    json_decref(cache->contents);
    text_release(&cache->suite_folder);
    free(cache->keys);
    free(cache);
}
