/* The arena: zeroed, aligned, shared with a child, and its end is an exit status. */
#include "cmocka_setup.h"

#include "base/arena.h"
#include "base/text.h"
#include "base/process/process.h"
#include "base/memory.h"

enum { MIB = 1 << 20 };

static struct arena *new_arena(size_t capacity)
{
    struct arena *arena = assert_good(arena_create(capacity, err));
    return arena;
}

TEST(memory_is_zero_aligned_and_separate)
{
    static const size_t sizes[] = {1, 3, 31, 32, 33, 64, 1000};
    SCOPED_ARENA arena = new_arena(MIB);
    unsigned char *end_of_last = NULL;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        unsigned char *place = arena_alloc(arena, sizes[i], 1);
        assert_int_equal((uintptr_t)place % 32, 0);
        assert_true(place >= end_of_last);
        for (size_t k = 0; k < sizes[i]; k++)
            assert_int_equal(place[k], 0);
        memset(place, 0xff, sizes[i]);
        end_of_last = place + sizes[i];
    }
}

TEST(strings_are_copies_and_nothing_is_a_pointer)
{
    SCOPED_ARENA arena = new_arena(MIB);
    char original[] = "hips";
    char *copy = arena_string(arena, original);
    original[0] = 'X';
    assert_string_equal(copy, "hips");
    assert_string_equal(arena_string(arena, NULL), "");
    assert_string_equal(arena_printf(arena, "%s-%03d", "b", 7), "b-007");
    assert_non_null(ARENA_NEW(arena, double, 0));
    assert_non_null(arena_alloc(arena, 7, 0));
    arena_destroy(NULL);
}

TEST(fits_counts_without_overflow)
{
    SCOPED_ARENA arena = new_arena(MIB);
    assert_true(arena_fits(arena, 1000, 1000));
    assert_false(arena_fits(arena, 1, MIB));
    assert_false(arena_fits(arena, MIB, 2));
    assert_false(arena_fits(arena, SIZE_MAX, 2));
    assert_false(arena_fits(arena, SIZE_MAX / 2 + 1, 2)); /* the product is 0 modulo 2^64 */
    assert_false(arena_fits(arena, 1, SIZE_MAX));
}

TEST(what_fits_can_be_had)
{
    SCOPED_ARENA arena = new_arena(MIB), *tiny = new_arena(sizeof(struct arena));
    size_t count = 0;
    for (; arena_fits(arena, 1, 1000); count++)
        memset(arena_alloc(arena, 1, 1000), 1, 1000);
    assert_true(count > 980 && count < 1049); /* the sanitizer's guards cost something */
    assert_true(arena->used <= arena->capacity);
    assert_false(arena_fits(tiny, 1, 1));
    assert_refused(arena_create(SIZE_MAX / 2, err), "cannot reserve");
}

struct job {
    struct arena *arena;
    size_t count, size;
};

static int allocate(void *context)
{
    struct job *job = context;
    arena_alloc(job->arena, job->count, job->size);
    return 0;
}

#ifdef ADDRESS_SANITIZER
static int write_behind(void *context)
{
    volatile char *place = arena_alloc(context, 32, 1);
    arena_alloc(context, 32, 1);
    place[32] = 1;
    return 0;
}

TEST(the_sanitizer_sees_what_is_written_behind)
{
    SCOPED_ARENA arena = new_arena(MIB);
    struct child_result result = child_run(write_behind, arena, &(struct child_limits){.seconds = 20});
    assert_true(result.end != CHILD_EXITED || result.status != 0);
}
#endif

static int want_too_much(void *context)
{
    arena_destroy(arena_require(SIZE_MAX / 2));
    return 0;
}

TEST(exhaustion_ends_the_process)
{
    static const size_t wants[][2] = {{1, 2 * MIB}, {MIB + 1, 1}, {SIZE_MAX / 2 + 1, 2}, {SIZE_MAX, SIZE_MAX}};
    SCOPED_ARENA arena = arena_require(MIB);
    for (size_t i = 0; i < 5; i++) {
        struct job job = {arena, wants[i % 4][0], wants[i % 4][1]};
        struct child_result result =
            child_run(i < 4 ? allocate : want_too_much, &job, &(struct child_limits){.seconds = 20});
        assert_int_equal(result.end, CHILD_EXITED);
        assert_int_equal(result.status, MEMORY_EXHAUSTED);
    }
}

struct message {
    const char *text;
    int *number;
};

static int fill(void *context)
{
    struct arena *arena = context;
    struct message *message = (struct message *)((char *)arena + 32);
    message->text = arena_string(arena, "from the child");
    message->number = ARENA_NEW(arena, int, 1);
    *message->number = 42;
    return 0;
}

TEST(texts_move_in)
{
    SCOPED_ARENA arena = new_arena(MIB);
    struct text text = {0};
    text_add(&text, "kept");
    const char *kept = arena_text(arena, &text);
    assert_null(text.data);
    text_add(&text, "another");
    assert_string_equal("kept", kept);
    assert_true(kept > (const char *)arena && kept < (const char *)arena + arena->used);
    text_release(&text);
    assert_string_equal("", arena_text(arena, &text));
}

TEST(child_fills_what_the_parent_reads)
{
    SCOPED_ARENA arena = new_arena(MIB);
    struct message *message = ARENA_NEW(arena, struct message, 1);
    assert_ptr_equal(message, (char *)arena + 32);
    size_t used = arena->used;
    struct child_result result = child_run(fill, arena, &(struct child_limits){.seconds = 20});
    assert_int_equal(result.end, CHILD_EXITED);
    assert_string_equal(message->text, "from the child");
    assert_int_equal(*message->number, 42);
    assert_true(arena->used > used); /* the parent goes on behind what the child took */
}
