#define _GNU_SOURCE /* CLOCK_REALTIME_COARSE */

#include "run/items.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file/file.h"
#include "base/file/file_writer.h"
#include "base/memory.h"
#include "data/image/image.h"

enum { INDEX_LIMIT = 1 << 30, SECONDS_A_DAY = 86400, DEEPEST = 6, LEAST_CAPACITY = 1024, COARSEST = 2 /* seconds of a time stamp: FAT */ };

#define INDEX "index"

/* What the index begins with. Rows as they are in memory follow. */
struct head {
    char format[16];
    uint32_t row_size;
    uint32_t pruned;
    uint64_t count;
    char hash[SECRET_HASH + 8]; /* of the rows, keyed */
};
static const char format[] = "rigproof.items/2";

/* One look at an item; sums do not depend on the order in which a folder gives its names. */
struct scan {
    enum input_kind kind;
    const struct timespec *started;
    size_t root; /* length of the item's path */
    bool reads;
    XXH128_hash_t stamp, content;
    enum item_state state;
    bool is_recent;
};

static void sum(XXH128_hash_t *all, const char *name, const void *data, size_t size)
{
    XXH128_hash_t one = XXH3_128bits_withSeed(data, size, XXH3_64bits(name, strlen(name)));
    all->low64 += one.low64;
    all->high64 += one.high64;
}

static void scan_file(struct scan *s, const char *path, const struct stat *st)
{
    const int64_t stamp[] = {st->st_size,           (int64_t)st->st_ino,     st->st_mtim.tv_sec, st->st_mtim.tv_nsec,
                             st->st_ctim.tv_sec, st->st_ctim.tv_nsec, st->st_mode};
    const char *name = path + s->root;
    char hash[17];
    const int coarse = st->st_ctim.tv_nsec == 0 ? COARSEST : 0; /* a file system of whole seconds rounds down */
    s->is_recent = s->is_recent || st->st_ctim.tv_sec + coarse > s->started->tv_sec ||
                  (st->st_ctim.tv_sec == s->started->tv_sec && st->st_ctim.tv_nsec >= s->started->tv_nsec);
    sum(&s->stamp, name, stamp, sizeof stamp);
    if (!s->reads)
        return;
    if (!file_hash(path, hash))
        s->state = ITEM_UNKNOWN;
    else if (s->kind == INPUT_FILE)
        memcpy(&s->content, hash, sizeof s->content);
    else
        sum(&s->content, name, hash, sizeof hash);
}

/* Hidden files are left out, as they are where goldens and shaders are read. */
static void scan_folder(struct scan *s, const char *path, int depth)
{
    DIR *entries = opendir(path);
    struct dirent *entry;
    struct text place = {0};
    struct stat st;
    if (!entries) {
        s->state = errno == ENOENT && depth == 0 ? ITEM_ABSENT : ITEM_UNKNOWN;
        return;
    }
    while ((entry = readdir(entries))) {
        const char *name = entry->d_name;
        const bool is_read = input_counts(s->kind, name);
        if (*name == '.' || (!is_read && s->kind == INPUT_GOLDEN))
            continue;
        place.size = 0;
        text_addf(&place, "%s/%s", path, name);
        if (fstatat(dirfd(entries), name, &st, 0) != 0)
            s->state = is_read ? ITEM_UNKNOWN : s->state;
        else if (S_ISDIR(st.st_mode) && s->kind == INPUT_SHADERS && depth < DEEPEST)
            scan_folder(s, place.data, depth + 1);
        else if (S_ISREG(st.st_mode) && is_read)
            scan_file(s, place.data, &st);
    }
    closedir(entries);
    text_release(&place);
}

static struct scan scan_item(const struct items *items, enum input_kind kind, const char *path, bool reads)
{
    struct scan s = {.kind = kind, .started = &items->started, .root = strlen(path), .reads = reads, .state = ITEM_KNOWN};
    struct stat st;
    if (kind != INPUT_FILE)
        scan_folder(&s, path, 0);
    else if (stat(path, &st) != 0)
        s.state = errno == ENOENT || errno == ENOTDIR ? ITEM_ABSENT : ITEM_UNKNOWN;
    else
        scan_file(&s, path, &st);
    return s;
}

/* Its place in the table, empty where it is not there. */
static struct item *find(const struct items *items, XXH128_hash_t place)
{
    size_t at = place.low64 & (items->capacity - 1);
    while (items->table[at].place.low64 && !XXH128_isEqual(items->table[at].place, place))
        at = (at + 1) & (items->capacity - 1);
    return &items->table[at];
}

static void reserve(struct items *items, size_t count)
{
    struct item *old = items->table;
    const size_t capacity = items->capacity;
    if (2 * count < capacity)
        return;
    for (items->capacity = capacity ? capacity : LEAST_CAPACITY; 2 * count >= items->capacity;)
        items->capacity *= 2;
    items->table = memory_new(items->capacity, sizeof *items->table);
    for (size_t i = 0; i < capacity; i++)
        if (old[i].place.low64)
            *find(items, old[i].place) = old[i];
    free(old);
}

void items_open(struct items *items, const char *folder, const struct secret *secret, bool is_strict)
{
    struct text path = {0};
    char here[PATH_MAX];
    struct blob file = {0};
    struct error ignored = {0};
    struct head head;
    *items = (struct items){.folder = folder, .secret = secret, .today = (uint32_t)(time(NULL) / SECONDS_A_DAY), .round = 1};
    clock_gettime(CLOCK_REALTIME_COARSE, &items->started); /* which stamps files */
    text_add(&items->working_folder, getcwd(here, sizeof here) ? here : "");
    text_addf(&path, "%s/" INDEX, folder);
    bool good = !is_strict && file_exists(path.data) && file_read(path.data, INDEX_LIMIT, &file, &ignored) && file.size >= sizeof head;
    if (good) {
        memcpy(&head, file.data, sizeof head);
        const size_t size = file.size - sizeof head;
        char hash[SECRET_HASH + 1];
        secret_hash(secret, file.data + sizeof head, size, hash);
        good = memcmp(head.format, format, sizeof head.format) == 0 && head.row_size == sizeof(struct item) &&
               size % sizeof(struct item) == 0 && head.count == size / sizeof(struct item) &&
               memcmp(head.hash, hash, sizeof hash) == 0;
    }
    reserve(items, good ? head.count : 0);
    items->pruned = good ? head.pruned : 0;
    for (size_t i = 0; good && i < head.count; i++) {
        struct item item;
        memcpy(&item, file.data + sizeof head + i * sizeof item, sizeof item);
        struct item *place = find(items, item.place);
        items->count += place->place.low64 == 0;
        *place = item;
        place->round = 0;
    }
    blob_release(&file);
    text_release(&path);
}

struct item items_look(struct items *items, enum input_kind kind, const char *path)
{
    struct text key = {0};
    text_addf(&key, "%d %s %s", (int)kind, *path == '/' ? "" : items->working_folder.data, path);
    XXH128_hash_t place = XXH3_128bits(key.data, key.size);
    text_release(&key);
    place.low64 += place.low64 == 0;
    reserve(items, items->count + 1);
    struct item *item = find(items, place);
    if (item->place.low64 && item->round == items->round)
        return *item;
    struct scan s = scan_item(items, kind, path, false);
    const bool is_same = item->place.low64 && item->state == s.state && XXH128_isEqual(item->stamp, s.stamp);
    if (!is_same && s.state == ITEM_KNOWN)
        s = scan_item(items, kind, path, true);
    items->count += item->place.low64 == 0;
    items->is_changed = items->is_changed || !is_same || item->day != items->today;
    *item = (struct item){.place = place, .stamp = s.stamp, .content = is_same ? item->content : s.content, .day = items->today,
                          .state = s.state, .round = items->round, .is_recent = s.is_recent};
    return *item;
}

bool items_save(const struct items *items, uint32_t days, struct error *err)
{
    struct head head = {.row_size = sizeof(struct item), .pruned = items->pruned};
    struct text text = {0};
    text_add_bytes(&text, &head, sizeof head);
    for (size_t i = 0; i < items->capacity; i++) {
        const struct item *item = &items->table[i];
        if (item->place.low64 == 0 || item->is_recent || item->state != ITEM_KNOWN || item->day + days < items->today)
            continue;
        text_add_bytes(&text, item, sizeof *item);
        head.count++;
    }
    memcpy(head.format, format, sizeof head.format);
    secret_hash(items->secret, text.data + sizeof head, text.size - sizeof head, head.hash);
    memcpy(text.data, &head, sizeof head);
    bool good = !items->is_changed || file_write_below(items->folder, INDEX, text.data, text.size, err);
    text_release(&text);
    return good;
}

void items_release(struct items *items)
{
    free(items->table);
    text_release(&items->working_folder);
}
