#pragma once

#include <link.h>
#include <stdbool.h>

/* Reads what linkers write into a program or a library to tell one build from another: the GNU build-id note. */

enum { BUILD_ID_BYTES = 64, BUILD_ID_TEXT = 2 * BUILD_ID_BYTES + 1 };

/* The build id of a loaded object, in hexadecimal; `base`: its load address. False where it has none. */
bool build_id_find(ElfW(Addr) base, const ElfW(Phdr) *segments, int count, char out[static BUILD_ID_TEXT]);
