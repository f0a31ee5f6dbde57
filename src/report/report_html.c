/* The page: its sources from page/, the results as JSON, the pictures. Only page/report.html has placeholders. */
#include <stdlib.h>
#include <string.h>

#include "base/embedded.h"
#include "base/file/file.h"
#include "base/file/path.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/sort.h"
#include "report/escape.h"
#include "report/report.h"
#include "viewer/viewer.h"

EMBEDDED(page_source);

/*
 * A page beyond this is slow to open; what does not fit is named as missing. Of frames that agree (`check --pictures
 * all`) the page has fewer; the others it loads from beside itself when they come into view.
 */
enum { MOST_BYTES_A_FILE = 64 << 20, MOST_BYTES = 256 << 20, MOST_BYTES_OF_GOOD = 24 << 20 };

/* In the order in which pictures are taken in. */
enum rank { RANK_BAD, RANK_OF_CASE, RANK_GOOD };

struct picture {
    const char *path; /* as the results have it */
    enum rank rank;
    bool is_beside;   /* the page */
    long number;
    char *reason;     /* why it is missing, freed at the end; NULL */
};

/*
 * The pictures of a page, as base64 in <script type="text/plain"> elements that nothing decodes until a case is opened:
 * an element for each, called picture-0 and so on. What is not a PNG is not taken in, whatever the results call it.
 */
struct collection {
    const char *folder;
    struct page_service *service; /* who hands them out; NULL: they are in the page */
    size_t count;
    struct picture *items; /* as the cases have them, each once */
    size_t bytes, bytes_of_good;
    long embedded;
    struct text *files;
};

/* One that a server hands out: only named here. Where it is no PNG the server says so. */
static void list_picture(struct page_service *service, struct picture *picture, const char *place)
{
    if (!file_exists(place)) {
        struct error err = {0};
        error_set(&err, "%s cannot be read", place);
        picture->reason = memory_string(err.text);
        return;
    }
    picture->number = (long)service->picture_count;
    service->pictures = memory_grow(service->pictures, service->picture_count + 1, sizeof *service->pictures);
    service->pictures[service->picture_count++] = memory_string(place);
}

static void embed_picture(struct collection *all, struct picture *picture, const char *place)
{
    SCOPED(blob) blob = {0};
    struct error err = {0};
    bool good = file_read(place, MOST_BYTES_A_FILE, &blob, &err);
    picture->is_beside = good && picture->rank != RANK_BAD && blob.size > MOST_BYTES_OF_GOOD - all->bytes_of_good;
    if (picture->is_beside) {
        all->bytes_of_good = MOST_BYTES_OF_GOOD; /* nor is any after it read */
        return;
    }
    if (good && (blob.size < 8 || memcmp(blob.data, "\x89PNG\r\n\x1a\n", 8) != 0))
        good = error_set(&err, "%s is not a PNG", place);
    if (good && blob.size > MOST_BYTES - all->bytes)
        good = error_set(&err, "left out: this page holds %d MiB of pictures already", MOST_BYTES >> 20);
    if (good) {
        picture->number = all->embedded++;
        all->bytes += blob.size;
        all->bytes_of_good += picture->rank == RANK_BAD ? 0 : blob.size;
        text_addf(all->files, "<script type=\"text/plain\" id=\"picture-%ld\">", picture->number);
        text_add_base64(all->files, blob.data, blob.size);
        text_add(all->files, "</script>\n");
    } else {
        picture->reason = memory_string(err.text);
    }
}

static int by_path(const void *a, const void *b)
{
    const struct picture *x = a, *y = b;
    int order = strcmp(x->path, y->path);
    return order ? order : (x->number > y->number) - (x->number < y->number);
}

static int by_rank(const void *a, const void *b)
{
    const struct picture *x = a, *y = b;
    return x->rank != y->rank ? (x->rank > y->rank) - (x->rank < y->rank)
                              : (x->number > y->number) - (x->number < y->number);
}

/* Returns whether it is to be in the page, and its rank: first frames that differ or have no golden, and of failing
 * cases those that are not equal; then of each case a frame that agrees, if the run has left its pictures. */
static bool find_rank(const struct case_result *result, uint32_t index, bool fails, bool *has_one, enum rank *rank)
{
    const struct image_result *image = &result->times[index].image;
    bool is_near = image->state == IMAGE_NOISE || image->state == IMAGE_TOLERATED;
    bool is_shown = image->state == IMAGE_SHOWN && image->golden && (fails || index == 0);
    bool is_bad = image->state == IMAGE_DIFFERS || image->state == IMAGE_MISSING || is_shown || (is_near && fails);
    bool is_good =
        (is_near || image->state == IMAGE_SAME) ? image->golden != NULL : image->state == IMAGE_SHOWN && !image->golden;
    *rank = is_bad ? RANK_BAD : *has_one ? RANK_GOOD : RANK_OF_CASE;
    *has_one = *has_one || is_bad || is_good;
    return is_bad || is_good;
}

/* Numbered as they come, each once. */
static void find_pictures(const struct results *results, struct collection *all)
{
    enum { OF_FRAME = 5 };
    size_t most = 0, found = 0;
    for (size_t i = 0; i < results->case_count; i++)
        most += OF_FRAME * results->cases[i].time_count;
    struct picture *list = all->items = memory_new(most, sizeof *list);
    for (size_t i = 0; i < results->case_count; i++) {
        const struct case_result *result = &results->cases[i];
        bool fails = case_status_fails(result->status, results->strict), has_one = false;
        for (uint32_t k = 0; k < result->time_count; k++) {
            const struct image_result *image = &result->times[k].image;
            enum rank rank;
            if (!find_rank(result, k, fails, &has_one, &rank))
                continue;
            const char *const paths[OF_FRAME] = {image->golden, image->actual, image->heat, image->displacement,
                                                 image->candidate};
            for (int p = 0; p < OF_FRAME; p++)
                if (paths[p]) {
                    list[found] = (struct picture){.path = paths[p], .rank = rank, .number = (long)found};
                    found++;
                }
        }
    }
    sort_items(list, found, sizeof *list, by_path);
    for (size_t i = 0; i < found; i++)
        if (all->count == 0 || strcmp(list[i].path, list[all->count - 1].path) != 0)
            list[all->count++] = list[i];
    sort_items(list, all->count, sizeof *list, by_rank);
}

/* Models of failing cases to be turned around, each in an element "model-N" as far as the limit goes; into the index
 * its number, or why it is not there. Whether there is any. */
static bool embed_models(const struct results *results, const char *folder, struct json_writer *index,
                         struct text *files)
{
    const size_t most = results->viewer_bytes ? results->viewer_bytes : VIEWER_BYTES;
    SCOPED(text) place = {0};
    size_t bytes = 0;
    long count = 0;
    json_open_object(index, "models", JSON_LINES);
    for (size_t i = 0; i < results->case_count; i++) {
        const char *path = results->cases[i].viewer;
        SCOPED(blob) blob = {0};
        struct error err = {0};
        if (!path)
            continue;
        place.size = 0;
        path_join(folder, path, &place);
        bool good = file_read(text_string(&place), MOST_BYTES_A_FILE, &blob, &err);
        if (good && blob.size > most - bytes)
            good = error_set(
                &err,
                "left out: it takes %.1f MB, and this page holds %.1f of at most %.1f MB of models (--viewer-size)",
                1e-6 * (double)blob.size, 1e-6 * (double)bytes, 1e-6 * (double)most);
        if (good) {
            SCOPED(text) content = {0};
            bytes += blob.size;
            text_add_bytes(&content, blob.data, blob.size);
            json_add_int(index, path, count);
            text_addf(files, "<script type=\"application/json\" id=\"model-%ld\">", count++);
            escape_script(text_string(&content), files);
            text_add(files, "</script>\n");
        } else {
            json_add_string(index, path, err.text);
        }
    }
    json_close(index);
    return count > 0;
}

/* Appends how the run ended, and what is to be said of each case, in the words of all reports. */
static void add_sentences(const struct results *results, struct json_writer *index)
{
    SCOPED(text) text = {0};
    report_tally(results, false, &text);
    text.data[strcspn(text_string(&text), ":;\n")] = '\0';
    json_add_string(index, "verdict", text.data);
    json_open_array(index, "sentences", JSON_LINES);
    for (size_t i = 0; i < results->case_count; i++) {
        text.size = 0;
        report_case_sentence(&results->cases[i], &text);
        json_add_string(index, NULL, text_string(&text));
    }
    json_close(index);
}

/* The index is {"number": {"case/0.250.png": 0}, "missing": {"case/0.500.png": "why"}, "models":
 * {"case/viewer.json": 0 or "why"}, "verdict": "...", "sentences": ["..."]}; a picture in neither is beside the
 * page, where "beside" is true. Whether there are models. */
static bool embed_pictures(const struct results *results, const char *folder, struct page_service *service,
                           struct text *index, struct text *files)
{
    struct collection all = {.folder = folder, .service = service, .files = files};
    SCOPED(text) text = {0}, place = {0};
    struct json_writer json = {.text = &text};
    find_pictures(results, &all);
    for (size_t i = 0; i < all.count; i++) {
        place.size = 0;
        path_join(folder, all.items[i].path, &place);
        if (all.items[i].rank != RANK_BAD && all.bytes_of_good == MOST_BYTES_OF_GOOD)
            all.items[i].is_beside = true;
        else if (service)
            list_picture(service, &all.items[i], text_string(&place));
        else
            embed_picture(&all, &all.items[i], text_string(&place));
    }
    json_open_object(&json, NULL, JSON_LINES);
    json_open_object(&json, "number", JSON_LINES);
    for (size_t i = 0; i < all.count; i++)
        if (!all.items[i].reason && !all.items[i].is_beside)
            json_add_int(&json, all.items[i].path, all.items[i].number);
    json_close(&json);
    json_add_bool(&json, "beside", !service);
    json_open_object(&json, "missing", JSON_LINES);
    for (size_t i = 0; i < all.count; i++)
        if (all.items[i].reason)
            json_add_string(&json, all.items[i].path, all.items[i].reason);
    json_close(&json);
    const bool has_models = embed_models(results, folder, &json, files);
    add_sentences(results, &json);
    json_close(&json);
    escape_script(text_string(&text), index);
    for (size_t i = 0; i < all.count; i++)
        free(all.items[i].reason);
    free(all.items);
    return has_models;
}

static const char policy_of_file[] =
    "default-src 'none'; img-src 'self' file: data: blob:; style-src 'nonce-rigproof'; "
    "script-src 'nonce-rigproof'; base-uri 'none'; form-action 'none'";

static void add_script(struct text *out, const char *nonce, const char *source)
{
    text_addf(out, "<script nonce=\"%s\">\n%s</script>\n", nonce, source);
}

void report_html(const struct results *results, const char *folder, struct page_service *service, struct text *out)
{
    enum { TITLE, POLICY, NONCE, STYLE, SCRIPTS, TEXT, RESULTS, INDEX, FILES, PARTS };
    static const char *const placeholders[PARTS] = {"{{title}}",   "{{policy}}",        "{{nonce}}",
                                                    "{{style}}",   "{{scripts}}",       "{{text}}",
                                                    "{{results}}", "{{picture-index}}", "{{picture-files}}"};
    SCOPED(text) tally = {0}, text = {0}, json = {0}, script = {0};
    struct text parts[PARTS] = {{0}};
    const char *at = "", *nonce = service ? service->nonce : "rigproof";
    report_tally(results, false, &tally);
    text_add_bytes(&parts[TITLE], text_string(&tally), strcspn(text_string(&tally), ":;\n"));
    text_add(&parts[TITLE], " - ");
    escape_markup(results->suite, &parts[TITLE]);
    text_add(&parts[POLICY], service ? service->policy : policy_of_file);
    text_add(&parts[NONCE], nonce);
    page_style(&parts[STYLE]);
    page_script(&script);
    add_script(&parts[SCRIPTS], nonce, text_string(&script));
    script.size = 0;
    for (unsigned i = 0; i < page_source_count; i++) {
        const struct embedded_file *source = &page_sources[i];
        const char *ending = strrchr(source->name, '.');
        if (strcmp(ending, ".css") == 0)
            text_add(&parts[STYLE], source->text);
        else if (strcmp(ending, ".js") == 0 && (results->reloads || strcmp(source->name, "watch.js") != 0))
            add_script(&parts[SCRIPTS], nonce, source->text);
        at = strcmp(source->name, "report.html") == 0 ? source->text : at;
    }
    if (service) {
        text_add(&parts[STYLE], service->style);
        add_script(&parts[SCRIPTS], nonce, service->script);
    }
    report_text(results, &(struct report_text_options){.folder = folder}, &text); /* for where scripts do not run */
    escape_markup(text_string(&text), &parts[TEXT]);
    results_write(results, &json);
    escape_script(text_string(&json), &parts[RESULTS]);
    if (embed_pictures(results, folder, service, &parts[INDEX], &parts[FILES])) {
        viewer_script(&script);
        add_script(&parts[SCRIPTS], nonce, text_string(&script));
        viewer_style(&parts[STYLE]);
    }
    for (const char *open; (open = strstr(at, "{{")); at = strstr(open, "}}") + 2) {
        text_add_bytes(out, at, (size_t)(open - at));
        for (int part = 0; part < PARTS; part++)
            if (strncmp(open, placeholders[part], strlen(placeholders[part])) == 0) {
                text_add_bytes(out, text_string(&parts[part]), parts[part].size);
                if (part != NONCE) /* which comes again and again */
                    text_release(&parts[part]);
            }
    }
    text_add(out, at);
    for (int part = 0; part < PARTS; part++)
        text_release(&parts[part]);
}

void page_service_release(struct page_service *service)
{
    for (size_t i = 0; i < service->picture_count; i++)
        free(service->pictures[i]);
    free(service->pictures);
    service->pictures = NULL;
    service->picture_count = 0;
}
