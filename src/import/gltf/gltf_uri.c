#include "import/gltf/gltf_uri.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { DATA_PREFIX = 5 }; /* "data:" */

bool gltf_uri_is_data(const char *uri)
{
    return strncasecmp(uri, "data:", DATA_PREFIX) == 0;
}

/* The value of a base64 digit, also of the URL-safe alphabet; -1 for anything else. */
static int base64_digit(char c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    if (c == '+' || c == '-')
        return 62;
    return c == '/' || c == '_' ? 63 : -1;
}

static bool decode_base64(const char *text, struct blob *out)
{
    unsigned bits = 0;
    unsigned held = 0;
    for (const char *c = text; *c && *c != '='; c++) {
        if (*c == '\n' || *c == '\r' || *c == ' ' || *c == '\t')
            continue;
        int digit = base64_digit(*c);
        if (digit < 0)
            return false;
        bits = (bits << 6 | (unsigned)digit) & 0xffffffu;
        held += 6;
        if (held >= 8) {
            held -= 8;
            out->data[out->size++] = (unsigned char)(bits >> held & 0xffu);
        }
    }
    return true;
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static void decode_percent(const char *text, struct blob *out)
{
    for (const char *c = text; *c; c++) {
        int high = *c == '%' ? hex_digit(c[1]) : -1;
        int low = high >= 0 ? hex_digit(c[2]) : -1;
        if (low >= 0)
            c += 2;
        out->data[out->size++] = low >= 0 ? (unsigned char)(high * 16 + low) : (unsigned char)*c;
    }
}

bool gltf_uri_data(const char *uri, struct blob *out)
{
    *out = (struct blob){0};
    const char *comma = strchr(uri, ',');
    if (!gltf_uri_is_data(uri) || !comma)
        return false;
    out->data = malloc(strlen(comma + 1) + 1); /* neither encoding makes anything longer */
    if (!out->data)
        return false;
    enum { BASE64 = 7 }; /* ";base64" */
    bool is_base64 =
        comma - uri >= DATA_PREFIX + BASE64 && strncasecmp(comma - BASE64, ";base64", BASE64) == 0;
    bool good = true;
    if (is_base64)
        good = decode_base64(comma + 1, out);
    else
        decode_percent(comma + 1, out);
    out->data[out->size] = '\0';
    if (!good)
        blob_release(out);
    return good;
}

char *gltf_uri_name(const char *uri)
{
    struct blob name = {.data = malloc(strlen(uri) + 1)};
    if (!name.data)
        return NULL;
    decode_percent(uri, &name);
    name.data[name.size] = '\0';
    if (memchr(name.data, '\0', name.size)) {
        blob_release(&name);
        return NULL;
    }
    return (char *)name.data;
}
