#ifndef RIGPROOF_IMPORT_GLTF_URI_H
#define RIGPROOF_IMPORT_GLTF_URI_H

#include <stdbool.h>
#include <stddef.h>

#include "base/file/file.h"

/* The URIs of a glTF file: data inside the URI itself, or the percent-encoded name of a file. */

/* Whether the URI holds its data ("data:..."). */
bool gltf_uri_is_data(const char *uri);

/*
 * The bytes of a data URI, base64 or percent-encoded. They are the caller's (blob_release). Base64 is read
 * leniently: line breaks are skipped, padding may be missing. False when a character is not of the alphabet,
 * or out of memory.
 */
bool gltf_uri_data(const char *uri, struct blob *out);

/* %41 becomes A; a percent sign without two hexadecimal digits stays. The result is the caller's (free).
 * NULL: out of memory, or the name holds a NUL. */
char *gltf_uri_name(const char *uri);

#endif
