#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

/* This stands in a text for a byte that is no part of valid UTF-8: U+FFFD. */
#define UTF8_REPLACEMENT "\xef\xbf\xbd"

/* Length of the valid UTF-8 sequence at `s` (RFC 3629: no overlong forms, no surrogates), 0 when it is not one; the NUL
 * counts as a sequence of one. */
size_t utf8_length(const char *s);

/* The string itself when it is UTF-8 or NULL, else a copy in the arena with a replacement for each byte that is not. */
const char *utf8_fix(const char *string, struct arena *arena);

/* The code point of a valid sequence of that length. */
uint32_t utf8_code_point(const char *s, size_t length);

/* Says whether a character shows nothing but does something: controls (C0, DEL, C1), separators of lines and
 * paragraphs, marks and overrides of the direction of writing. */
bool utf8_is_hidden(uint32_t point);

/* Returns how many code points a text has; a byte that is not UTF-8 counts as one. */
size_t utf8_count(const char *s);
