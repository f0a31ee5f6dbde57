/* import.json and pose.json with cuts and faults anywhere: an error or a value, never a crash. */
#include "cmocka_setup.h"

#include <stdlib.h>
#include <string.h>

#include "data/sample_snapshot.h"

/* Reads bytes of which nothing is known: a value that can be written and read again, or an error. */
static void survives(const struct kind *kind, const char *bytes, size_t size)
{
    struct arena *arena = arena_require(SAMPLE_CAPACITY);
    struct error err = {0};
    struct text again = {0}, third = {0};
    char *copy = malloc(size > 0 ? size : 1); /* of its very size, so that a read past the end is seen */
    memcpy(copy, bytes, size);
    bool good = kind->read(copy, size, arena, &err, &again);
    assert_int_equal(good, !error_is_set(&err));
    if (good) {
        assert_true(kind->read(again.data, again.size, arena, &err, &third));
        assert_string_equal(text_string(&third), text_string(&again));
    } else {
        assert_memory_equal(err.text, kind->name, strlen(kind->name));
    }
    free(copy);
    text_release(&again);
    text_release(&third);
    arena_destroy(arena);
}

static void cut_anywhere(const struct kind *kind)
{
    struct text text = {0};
    kind->write(&text);
    for (size_t size = 0; size <= text.size; size++)
        survives(kind, text.data, size);
    text_release(&text);
}

static void flip_anywhere(const struct kind *kind)
{
    static const char likely[] = "0123456789-+.eE\"\\,:[]{}ntf \xff";
    uint32_t random = 12345;
    struct text text = {0};
    kind->write(&text);
    for (int i = 0; i < 4000; i++) {
        random = random * 1664525u + 1013904223u;
        size_t at = (random >> 8) % text.size;
        char before = text.data[at];
        text.data[at] = i % 2 ? likely[(random >> 4) % (sizeof likely - 1)] : (char)(before ^ (1 << (random >> 29)));
        survives(kind, text.data, text.size);
        if (i % 7) /* sometimes it stays, for faults that meet */
            text.data[at] = before;
        else if (i % 70 == 0) {
            text.size = 0;
            kind->write(&text);
        }
    }
    text_release(&text);
}

static void a_cut_document_is_an_error_or_a_value(void **state)
{
    (void)state;
    cut_anywhere(&import_kind);
    cut_anywhere(&pose_kind);
}

static void a_flipped_byte_is_an_error_or_a_value(void **state)
{
    (void)state;
    flip_anywhere(&import_kind);
    flip_anywhere(&pose_kind);
}

/* Each of a million items would want its structure: what does not fit is refused before it is filled. */
static void more_than_memory_is_an_error(void **state)
{
    (void)state;
    struct error err = {0};
    struct arena *arena = arena_require(1 << 20);
    struct text text = {0};
    text_add(&text,
             "{\"format\": \"rigproof.pose/1\", \"model\": \"\", \"clip\": null, \"time\": 0, \"space\": \"root\", "
             "\"matrices\": \"row-major 3x4, p' = M p\", \"nodes\": [0");
    for (int i = 0; i < 100000; i++)
        text_add(&text, ",0");
    text_add(&text, "]}");
    assert_null(pose_snapshot_read(text.data, text.size, "pose.json", arena, &err));
    assert_string_equal(err.text, "pose.json: nodes: more than fits in memory");
    text_release(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cut_document_is_an_error_or_a_value),
        cmocka_unit_test(a_flipped_byte_is_an_error_or_a_value),
        cmocka_unit_test(more_than_memory_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
