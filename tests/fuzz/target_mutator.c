/*
 * Inputs of the targets that read JSON are changed as JSON, so that they get behind the parser: members left out, numbers
 * that are none, values of another place. What is no JSON, and every third one, is changed as bytes.
 */
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "target.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

static unsigned chance(unsigned *state, size_t limit)
{
    *state = *state * 1103515245u + 12345u;
    return limit ? (*state >> 8) % (unsigned)limit : 0;
}

/* The container that some value stands in, and which of its values that is. */
struct place {
    json_t *container;
    size_t index;
};

static size_t size_of(const json_t *value)
{
    return json_is_array(value) ? json_array_size(value) : json_object_size(value);
}

static void *iterator_at(const struct place *at)
{
    void *iterator = json_object_iter(at->container);
    for (size_t i = 0; i < at->index; i++)
        iterator = json_object_iter_next(at->container, iterator);
    return iterator;
}

static json_t *value_at(const struct place *at)
{
    return json_is_array(at->container) ? json_array_get(at->container, at->index) : json_object_iter_value(iterator_at(at));
}

static struct place choose_place(json_t *root, unsigned *state)
{
    struct place at = {root, chance(state, size_of(root))};
    for (json_t *value = value_at(&at); size_of(value) > 0 && chance(state, 6) > 0; value = value_at(&at))
        at = (struct place){value, chance(state, size_of(value))};
    return at;
}

static json_t *new_value(json_t *root, const json_t *old, unsigned *state)
{
    static const double numbers[] = {-1, 0, 1, 2, 3, 255, 65535, 65536, 2147483647, 2147483648, 4294967295, 4294967296, 0.5, -0.0,
                                     1e-45, 1e38, 3.5e38, 1e300, 5120, 5121, 5123, 5125, 5126};
    static const char *const words[] = {"", "x", "SCALAR", "VEC3", "VEC4", "MAT4", "STEP", "CUBICSPLINE", "weights", "rotation",
                                        "\x7f", "\xc3\xbc", "../m", "data:,", "pass", "linear"};
    struct place other = choose_place(root, state);
    double number = numbers[chance(state, sizeof numbers / sizeof numbers[0])];
    switch (chance(state, 7)) {
    case 0: return json_null();
    case 1: return json_string(words[chance(state, sizeof words / sizeof words[0])]);
    case 2: return chance(state, 2) ? json_array() : json_object();
    case 3: return json_deep_copy(value_at(&other));
    case 4: return json_real(json_number_value(old) * (chance(state, 2) ? -1 : 1e10));
    case 5: return json_integer(json_integer_value(old) / 2 + (chance(state, 2) ? 1 : -1));
    default: return chance(state, 2) && number < 1e18 ? json_integer((json_int_t)number) : json_real(number);
    }
}

static void change(json_t *root, unsigned *state)
{
    struct place at = choose_place(root, state);
    bool is_array = json_is_array(at.container);
    unsigned what = chance(state, 8);
    if (what == 0 && is_array)
        json_array_remove(at.container, at.index);
    else if (what == 0)
        json_object_del(at.container, json_object_iter_key(iterator_at(&at)));
    else if (what == 1 && is_array)
        json_array_insert_new(at.container, at.index, json_deep_copy(value_at(&at)));
    else if (is_array)
        json_array_set_new(at.container, at.index, new_value(root, value_at(&at), state));
    else
        json_object_iter_set_new(at.container, iterator_at(&at), new_value(root, value_at(&at), state));
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    unsigned state = seed;
    json_t *root = chance(&state, 3) ? json_loadb((const char *)data, size, 0, NULL) : NULL;
    size_t written = 0;
    for (unsigned times = 1 + chance(&state, 3); times > 0 && size_of(root) > 0; times--)
        change(root, &state);
    char *text = root ? json_dumps(root, JSON_COMPACT) : NULL;
    if (text && strlen(text) <= max_size) {
        written = strlen(text);
        memcpy(data, text, written);
    }
    free(text);
    json_decref(root);
    return written > 0 ? written : LLVMFuzzerMutate(data, size, max_size);
}
