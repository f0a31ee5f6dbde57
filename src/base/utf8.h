#ifndef RIGPROOF_BASE_UTF8_H
#define RIGPROOF_BASE_UTF8_H

#include <stddef.h>
#include <stdint.h>

/* U+FFFD, for what is no text. */
#define UTF8_REPLACEMENT "\xef\xbf\xbd"

/* Length of the valid UTF-8 sequence at `s` (RFC 3629: no overlong forms, no surrogates), 0 when it is not one. Never
 * looks beyond a NUL. */
size_t utf8_length(const char *s);

/* The code point of a valid sequence of that length. */
uint32_t utf8_code_point(const char *s, size_t length);

/* How many code points a text has; a byte that is not UTF-8 counts as one. */
size_t utf8_count(const char *s);

#endif
