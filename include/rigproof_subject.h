/*
 * rigproof_subject.h: lets rigproof test your engine. One header, C99 or C++11, only the C library. MIT licence.
 *
 * In one source file:
 *
 *     #define RIGPROOF_SUBJECT_IMPLEMENTATION
 *     #include "rigproof_subject.h"
 *
 *     static bool load(void *user, const char *model, struct rigproof_answer *answer);
 *     static bool pose(void *user, const struct rigproof_request *request, struct rigproof_answer *answer);
 *
 *     int main(int argc, char **argv)
 *     {
 *         struct rigproof_subject subject = rigproof_subject_named("my-engine");
 *         subject.load = load;
 *         subject.pose = pose;
 *         subject.storage = "columns";
 *         return rigproof_subject_main(argc, argv, &subject);
 *     }
 *
 * `load` opens a model. `pose` computes it at request->time and tells what came out, with rigproof_node() and
 * rigproof_palette(): as much as there is. What is not told is "not given" and not judged. Then
 *
 *     rigproof check suite.yaml --subject mine --allow-subjects       (suite: subjects: {mine: {command: [./my-engine]}})
 *     ./my-engine --pose Fox.glb Run 0.2 > theirs.json; rigproof diagnose Fox.glb --clip Run --time 0.2 theirs.json
 *
 * The program is asked over stdin and answers on stdout (protocol: docs/subjects.md). What your engine prints on stdout
 * meanwhile goes to stderr instead and does no harm.
 *
 * A program with a main of its own calls rigproof_subject_main() where rigproof_subject_wanted() is true: where one of its
 * arguments is --rigproof or --pose.
 */
#ifndef RIGPROOF_SUBJECT_H
#define RIGPROOF_SUBJECT_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { RIGPROOF_NODES = 1, RIGPROOF_PALETTE = 2, RIGPROOF_SKIN = 4, RIGPROOF_PICTURE = 8 };

/* Where to draw from. Either has_matrices, or the rest; rigproof sends both where it can. */
struct rigproof_camera {
    bool has_matrices;
    float view[16], projection[16]; /* column-major, as glUniformMatrix4fv takes them */
    float eye[3], target[3], up[3]; /* in scene space */
    float fov_y;                    /* radians, the whole angle; 0: orthographic */
    float ortho_height;             /* of the whole picture, in units; 0: perspective */
    float near_plane, far_plane;
};

struct rigproof_request {
    const char *model; /* path of the model that `load` opened */
    const char *clip;  /* its name in the file; NULL: the rest pose, no clip */
    int clip_index;    /* its place in the file, from 0; -1: unknown */
    double time;       /* seconds from the clip's start; may be beyond its end */
    bool holds;        /* beyond the end the last frame stays; else the clip begins again. The end itself is the end */
    unsigned wants;    /* RIGPROOF_NODES | ... : what else you tell is ignored */
    struct {
        const char *file; /* the PNG to write; NULL: no picture is wanted */
        int width, height;
        unsigned char background[4]; /* RGBA, as it is stored */
        struct rigproof_camera camera;
    } picture;
};

struct rigproof_answer; /* what is told of one request */

struct rigproof_subject {
    const char *name;    /* of your engine, as reports show it */
    const char *version; /* NULL: none */
    unsigned gives;      /* RIGPROOF_NODES | ... : what it can tell; 0: not said */

    /* Conventions. NULL or 0: rigproof finds out by itself, and says what it found. */
    const char *storage; /* of 16 numbers "columns" (glm, OpenGL) or "rows"; of 12 numbers "rows3x4". A matrix that you
                                hand over has 12 numbers where this is "rows3x4", else 16 */
    const char *space;   /* of palette and skin: "scene", or "root" (times the inverse root transform) */
    const char *bones;   /* a palette entry for each bone of each "mesh", each "skin", or of the whole "scene" */
    const char *strip;   /* what stands before its bones' names and not before those of the file ("mixamorig:") */
    const char *axes[3]; /* what the file's axes x, y, z are here: "x", "z", "-y" */
    double unit;         /* its lengths divided by the file's */

    void *user; /* handed to these four; each returns true, or false by way of rigproof_fail() */
    bool (*load)(void *user, const char *model, struct rigproof_answer *answer);
    bool (*pose)(void *user, const struct rigproof_request *request, struct rigproof_answer *answer);
    bool (*skin)(void *user, const struct rigproof_request *request,
                 struct rigproof_answer *answer); /* after pose, may be NULL */
    bool (*draw)(void *user, const struct rigproof_request *request,
                 struct rigproof_answer *answer); /* writes the PNG, may be NULL */
};

/* A subject without anything but a name. */
struct rigproof_subject rigproof_subject_named(const char *name);

/* Says whether the arguments ask the program to be a subject. */
bool rigproof_subject_wanted(int argc, char **argv);

/* Answers requests from stdin until its end; with --pose MODEL [CLIP [TIME]] prints one pose as a file for `rigproof diagnose`
 * and `rigproof diff`. CLIP is a name, or a number from 0; "-": the rest pose. Returns the exit code. */
int rigproof_subject_main(int argc, char **argv, const struct rigproof_subject *subject);

/* One node: whatever there is of translation (3), rotation (4: x y z w), scale (3), matrix to the parent, and to the scene. The
 * rest is NULL; so is the parent of the root. Parents come before their children. */
void rigproof_node(struct rigproof_answer *answer, const char *name, const char *parent, const float *translation,
                   const float *rotation, const float *scale, const float *local, const float *global);

/* The same where names repeat: the parent is the number of a node told before, from 0 on; -1: none. */
void rigproof_node_below(struct rigproof_answer *answer, const char *name, int parent, const float *translation,
                         const float *rotation, const float *scale, const float *local, const float *global);

/* One matrix as the vertex shader gets it. The mesh is NULL where all meshes share one list. */
void rigproof_palette(struct rigproof_answer *answer, const char *mesh, const char *bone, const float *matrix);

/* All of them at once, as uploaded; names in the same order, or NULL: the order of the file. In place of the above. */
void rigproof_palette_flat(struct rigproof_answer *answer, const float *matrices, size_t count,
                           const char *const *bones);

/* Vertices of one mesh after skinning, 3 numbers each, in the order of the file; normals may be NULL. */
void rigproof_skin(struct rigproof_answer *answer, const char *mesh, const float *positions, const float *normals,
                   size_t vertices);

/* Why there is no answer, as printf has it. Returns false. */
bool rigproof_fail(struct rigproof_answer *answer, const char *format, ...);

/* Writes an uncompressed PNG of RGBA bytes, row by row; bottom_up: as glReadPixels gives them. */
bool rigproof_write_png(const char *path, int width, int height, const unsigned char *rgba, bool bottom_up);

#ifdef __cplusplus
}
#endif
#endif

#ifdef RIGPROOF_SUBJECT_IMPLEMENTATION
#undef RIGPROOF_SUBJECT_IMPLEMENTATION

#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef _WIN32
#include <io.h>
#define rps_dup _dup
#define rps_dup2 _dup2
#define rps_write(file, data, size) _write(file, data, (unsigned)(size))
#else
#include <unistd.h>
#define rps_dup dup
#define rps_dup2 dup2
#define rps_write write
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define RPS_PROTOCOL "rigproof.subject/1"
#define RPS_LONGEST_REQUEST (1 << 20)
#define RPS_DEPTH 32

/* Text that grows. Memory that runs out ends the program: the request is lost, and rigproof says so. */
struct rps_text {
    char *data; /* NUL-terminated where size > 0 */
    size_t size, capacity;
};

struct rigproof_answer {
    struct rps_text nodes, palette, bones, skin;
    int matrix;      /* numbers in one */
    bool flat;       /* the palette is an object of its own */
    bool to_file;    /* lists of numbers in place of base64, entries in place of a flat palette */
    char error[512]; /* "": none */
};

static void rps_add(struct rps_text *text, const char *data, size_t size)
{
    if (text->capacity - text->size <= size) {
        text->capacity = 2 * text->capacity + size + 256;
        text->data = (char *)realloc(text->data, text->capacity);
        if (!text->data) {
            fputs("rigproof_subject.h: out of memory\n", stderr);
            exit(1);
        }
    }
    memcpy(text->data + text->size, data, size);
    text->size += size;
    text->data[text->size] = 0;
}

static void rps_puts(struct rps_text *text, const char *s)
{
    rps_add(text, s, strlen(s));
}

/* Shortest that reads back to the same float, or to the same double; a point in every locale. */
static void rps_put_number(struct rps_text *text, double value, int digits)
{
    char printed[40];
    char *s;
    snprintf(printed, sizeof printed, "%.*g", digits, value);
    for (s = printed; *s; s++) {
        if (strchr("+-0123456789eE", *s)) {
            rps_add(text, s, 1);
        } else {
            rps_puts(text, ".");
            while (s[1] && !strchr("+-0123456789eE", s[1])) {
                s++;
            }
        }
    }
}

/* Bytes of the UTF-8 sequence at s; 0: it is none. */
static int rps_utf8(const unsigned char *s)
{
    int i, more = *s < 0x80                 ? 0
                  : *s >= 0xc2 && *s < 0xe0 ? 1
                  : *s >= 0xe0 && *s < 0xf0 ? 2
                  : *s >= 0xf0 && *s < 0xf5 ? 3
                                            : -1;
    for (i = 1; i <= more; i++) {
        if ((s[i] & 0xc0) != 0x80) {
            return 0;
        }
    }
    if ((*s == 0xe0 && s[1] < 0xa0) || (*s == 0xed && s[1] > 0x9f) || (*s == 0xf0 && s[1] < 0x90) ||
        (*s == 0xf4 && s[1] > 0x8f)) {
        return 0;
    }
    return more + 1;
}

/* In quotes. Bytes that are no UTF-8 become U+FFFD. */
static void rps_put_string(struct rps_text *text, const char *string)
{
    const unsigned char *s = (const unsigned char *)string;
    rps_puts(text, "\"");
    while (*s) {
        int size = rps_utf8(s);
        char escape[8];
        if (size == 0) {
            rps_puts(text, "\\ufffd");
            size = 1;
        } else if (*s == '"' || *s == '\\') {
            escape[0] = '\\';
            escape[1] = (char)*s;
            rps_add(text, escape, 2);
        } else if (*s < 0x20 || *s == 0x7f) {
            snprintf(escape, sizeof escape, "\\u%04x", (unsigned)*s);
            rps_puts(text, escape);
        } else {
            rps_add(text, (const char *)s, (size_t)size);
        }
        s += size;
    }
    rps_puts(text, "\"");
}

static void rps_put_key_string(struct rps_text *text, const char *key, const char *value)
{
    rps_puts(text, key);
    if (value) {
        rps_put_string(text, value);
    } else {
        rps_puts(text, "null");
    }
}

bool rigproof_fail(struct rigproof_answer *answer, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (!answer->error[0]) {
        vsnprintf(answer->error, sizeof answer->error, format, arguments);
        if (!answer->error[0]) {
            strcpy(answer->error, "failed");
        }
    }
    va_end(arguments);
    return false;
}

/* JSON has no NaN and no infinity: they are an error, which says whose. */
static bool rps_finite(struct rigproof_answer *answer, const char *what, const char *name, const float *values,
                       size_t count)
{
    size_t i;
    for (i = 0; i < count; i++) {
        if (!isfinite(values[i])) {
            return rigproof_fail(answer, "%s of `%s`: number %lu is %s", what, name ? name : "", (unsigned long)i,
                                 isnan(values[i]) ? "not a number" : "infinite");
        }
    }
    return true;
}

static void rps_put_floats(struct rps_text *text, const char *key, const float *values, int count)
{
    int i;
    if (values) {
        rps_puts(text, key);
        for (i = 0; i < count; i++) {
            rps_puts(text, i > 0 ? ", " : "[");
            rps_put_number(text, (double)values[i], 9);
        }
        rps_puts(text, "]");
    }
}

/* {"f32": "..."}: base64 of little-endian float32, whatever this machine's order is. */
static void rps_put_f32(struct rps_text *text, const char *key, const float *values, size_t count)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    unsigned long group = 0;
    int have = 0, b;
    size_t i;
    char out[4];
    rps_puts(text, key);
    rps_puts(text, "{\"f32\": \"");
    for (i = 0; i < count; i++) {
        unsigned bits;
        memcpy(&bits, &values[i], 4);
        for (b = 0; b < 4; b++) {
            group = group << 8 | ((bits >> (8 * b)) & 0xff);
            if (++have == 3) {
                out[0] = digits[group >> 18 & 63], out[1] = digits[group >> 12 & 63], out[2] = digits[group >> 6 & 63];
                out[3] = digits[group & 63];
                rps_add(text, out, 4);
                group = 0, have = 0;
            }
        }
    }
    if (have > 0) {
        group <<= 8 * (3 - have);
        out[0] = digits[group >> 18 & 63], out[1] = digits[group >> 12 & 63];
        out[2] = have == 2 ? digits[group >> 6 & 63] : '=', out[3] = '=';
        rps_add(text, out, 4);
    }
    rps_puts(text, "\"}");
}

static void rps_put_node(struct rigproof_answer *answer, const char *name, const char *parent, int index,
                         const float *translation, const float *rotation, const float *scale, const float *local,
                         const float *global)
{
    struct rps_text *text = &answer->nodes;
    if ((translation && !rps_finite(answer, "translation", name, translation, 3)) ||
        (rotation && !rps_finite(answer, "rotation", name, rotation, 4)) ||
        (scale && !rps_finite(answer, "scale", name, scale, 3)) ||
        (local && !rps_finite(answer, "local matrix", name, local, (size_t)answer->matrix)) ||
        (global && !rps_finite(answer, "global matrix", name, global, (size_t)answer->matrix))) {
        return;
    }
    rps_put_key_string(text, text->size > 0 ? ", {\"name\": " : "{\"name\": ", name ? name : "");
    if (index < 0) {
        rps_put_key_string(text, ", \"parent\": ", parent);
    } else if (!answer->to_file) {
        rps_puts(text, ", \"parent_index\": ");
        rps_put_number(text, index, 9);
    }
    rps_put_floats(text, ", \"t\": ", translation, 3);
    rps_put_floats(text, ", \"r\": ", rotation, 4);
    rps_put_floats(text, ", \"s\": ", scale, 3);
    rps_put_floats(text, ", \"local\": ", local, answer->matrix);
    rps_put_floats(text, ", \"global\": ", global, answer->matrix);
    rps_puts(text, "}");
}

void rigproof_node(struct rigproof_answer *answer, const char *name, const char *parent, const float *translation,
                   const float *rotation, const float *scale, const float *local, const float *global)
{
    rps_put_node(answer, name, parent, -1, translation, rotation, scale, local, global);
}

void rigproof_node_below(struct rigproof_answer *answer, const char *name, int parent, const float *translation,
                         const float *rotation, const float *scale, const float *local, const float *global)
{
    rps_put_node(answer, name, NULL, parent, translation, rotation, scale, local, global);
}

void rigproof_palette(struct rigproof_answer *answer, const char *mesh, const char *bone, const float *matrix)
{
    struct rps_text *text = &answer->palette;
    if (!rps_finite(answer, "palette matrix", bone, matrix, (size_t)answer->matrix)) {
        return;
    }
    rps_puts(text, text->size > 0 ? ", {" : "{");
    if (mesh) {
        rps_put_key_string(text, "\"mesh\": ", mesh);
        rps_puts(text, ", ");
    }
    rps_put_key_string(text, "\"bone\": ", bone ? bone : "");
    rps_put_floats(text, ", \"matrix\": ", matrix, answer->matrix);
    rps_puts(text, "}");
}

void rigproof_palette_flat(struct rigproof_answer *answer, const float *matrices, size_t count,
                           const char *const *bones)
{
    size_t i, each = (size_t)answer->matrix;
    for (i = 0; i < count && answer->to_file; i++) {
        rigproof_palette(answer, NULL, bones && bones[i] ? bones[i] : "", matrices + i * each);
    }
    if (answer->to_file) {
        return;
    }
    answer->palette.size = answer->bones.size = 0;
    for (i = 0; i < count; i++) {
        if (!rps_finite(answer, "palette matrix", bones && bones[i] ? bones[i] : "", matrices + i * each, each)) {
            return;
        }
        if (bones) {
            rps_put_key_string(&answer->bones, i > 0 ? ", " : "", bones[i] ? bones[i] : "");
        }
    }
    rps_put_f32(&answer->palette, "{\"matrices\": ", matrices, count * each);
    if (bones) {
        rps_puts(&answer->palette, ", \"bones\": [");
        rps_add(&answer->palette, answer->bones.data ? answer->bones.data : "", answer->bones.size);
        rps_puts(&answer->palette, "]");
    }
    rps_puts(&answer->palette, "}");
    answer->flat = true;
}

static void rps_put_points(struct rigproof_answer *answer, const char *key, const float *points, size_t count)
{
    size_t i;
    if (!answer->to_file) {
        rps_put_f32(&answer->skin, key, points, 3 * count);
        return;
    }
    rps_puts(&answer->skin, key);
    rps_puts(&answer->skin, "[");
    for (i = 0; i < count; i++) {
        rps_put_floats(&answer->skin, i > 0 ? ", " : "", points + 3 * i, 3);
    }
    rps_puts(&answer->skin, "]");
}

void rigproof_skin(struct rigproof_answer *answer, const char *mesh, const float *positions, const float *normals,
                   size_t vertices)
{
    struct rps_text *text = &answer->skin;
    char count[32];
    if (!rps_finite(answer, "skinned position", mesh, positions, 3 * vertices) ||
        (normals && !rps_finite(answer, "skinned normal", mesh, normals, 3 * vertices))) {
        return;
    }
    rps_put_key_string(text, text->size > 0 ? ", {\"mesh\": " : "{\"mesh\": ", mesh ? mesh : "");
    snprintf(count, sizeof count, ", \"vertices\": %lu", (unsigned long)vertices);
    rps_puts(text, count);
    rps_put_points(answer, ", \"positions\": ", positions, vertices);
    if (normals) {
        rps_put_points(answer, ", \"normals\": ", normals, vertices);
    }
    rps_puts(text, "}");
}

/* JSON, read in place: a value is where it starts. NULL stands for "none" everywhere. */

static const char *rps_blank(const char *s)
{
    return s + strspn(s, " \t\r\n");
}

static const char *rps_skip_string(const char *s)
{
    for (s++; *s != '"'; s++) {
        if ((unsigned char)*s < 0x20 || (*s == '\\' && (unsigned char)*++s < 0x20)) {
            return NULL;
        }
    }
    return s + 1;
}

/* Behind the value. */
static const char *rps_skip(const char *s, int depth)
{
    size_t word;
    s = rps_blank(s);
    if (*s == '"') {
        return rps_skip_string(s);
    }
    if (*s == '{' || *s == '[') {
        bool object = *s == '{';
        char end = object ? '}' : ']';
        s = rps_blank(s + 1);
        if (*s == end) {
            return s + 1;
        }
        while (depth > 0) {
            if (object && (*s != '"' || !(s = rps_skip_string(s)) || *(s = rps_blank(s)) != ':')) {
                return NULL;
            }
            s = rps_skip(object ? s + 1 : s, depth - 1);
            if (!s) {
                return NULL;
            }
            s = rps_blank(s);
            if (*s == end) {
                return s + 1;
            }
            if (*s != ',') {
                return NULL;
            }
            s = rps_blank(s + 1);
        }
        return NULL;
    }
    word = strspn(s, "+-.0123456789eEtrufalsn");
    return word > 0 ? s + word : NULL;
}

/* The value of a key of an object that rps_skip() accepts; of a key that comes twice the last. */
static const char *rps_member(const char *object, const char *key)
{
    const char *s = object ? rps_blank(object) : "", *found = NULL;
    size_t size = strlen(key);
    if (*s != '{') {
        return NULL;
    }
    s = rps_blank(s + 1);
    while (*s == '"') {
        const char *name = s + 1;
        const char *behind = rps_skip_string(s);
        s = rps_blank(rps_blank(behind) + 1);
        if ((size_t)(behind - 1 - name) == size && memcmp(name, key, size) == 0) {
            found = s;
        }
        s = rps_blank(rps_skip(s, RPS_DEPTH));
        s = *s == ',' ? rps_blank(s + 1) : s;
    }
    return found;
}

/* The next element of a list: `at` is NULL at first. */
static const char *rps_element(const char *list, const char *at)
{
    if (!at) {
        at = list ? rps_blank(list) : "";
        at = *at == '[' ? rps_blank(at + 1) : "]";
        return *at == ']' ? NULL : at;
    }
    at = rps_blank(rps_skip(at, RPS_DEPTH));
    return *at == ',' ? rps_blank(at + 1) : NULL;
}

/* Four hexadecimal digits, or -1. */
static long rps_hex(const char *s)
{
    long value = 0;
    int i;
    for (i = 0; i < 4; i++) {
        const char *digits = "0123456789abcdef0123456789ABCDEF";
        const char *digit = s[i] ? strchr(digits, s[i]) : NULL;
        if (!digit) {
            return -1;
        }
        value = 16 * value + (digit - digits) % 16;
    }
    return value;
}

/* One escape, s behind the backslash; moves it. False where it is none, or NUL. */
static bool rps_unescape(const char **s, struct rps_text *out)
{
    static const char names[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
    const char *name = strchr(names, **s);
    char utf8[4];
    long code, low;
    if (**s != 'u') {
        (*s)++;
        rps_add(out, name ? values + (name - names) : "", name ? 1 : 0);
        return name != NULL;
    }
    code = rps_hex(*s + 1);
    *s += 5;
    if (code >= 0xd800 && code < 0xdc00) {
        low = (*s)[0] == '\\' && (*s)[1] == 'u' ? rps_hex(*s + 2) : -1;
        if (low < 0xdc00 || low > 0xdfff) {
            return false;
        }
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
        *s += 6;
    }
    if (code <= 0 || (code >= 0xdc00 && code < 0xe000)) {
        return false;
    }
    if (code < 0x80) {
        utf8[0] = (char)code;
        rps_add(out, utf8, 1);
    } else if (code < 0x800) {
        utf8[0] = (char)(0xc0 | code >> 6), utf8[1] = (char)(0x80 | (code & 63));
        rps_add(out, utf8, 2);
    } else if (code < 0x10000) {
        utf8[0] = (char)(0xe0 | code >> 12), utf8[1] = (char)(0x80 | (code >> 6 & 63)),
        utf8[2] = (char)(0x80 | (code & 63));
        rps_add(out, utf8, 3);
    } else {
        utf8[0] = (char)(0xf0 | code >> 18), utf8[1] = (char)(0x80 | (code >> 12 & 63));
        utf8[2] = (char)(0x80 | (code >> 6 & 63)), utf8[3] = (char)(0x80 | (code & 63));
        rps_add(out, utf8, 4);
    }
    return true;
}

/* A string's text, to be freed; NULL where the value is none. */
static char *rps_string(const char *value)
{
    struct rps_text out = {NULL, 0, 0};
    const char *s = value ? value : "";
    if (*s++ != '"') {
        return NULL;
    }
    rps_add(&out, "", 0);
    while (*s != '"') {
        if (*s != '\\') {
            rps_add(&out, s++, 1);
        } else {
            s++;
            if (!rps_unescape(&s, &out)) {
                free(out.data);
                return NULL;
            }
        }
    }
    return out.data;
}

static bool rps_is(const char *value, const char *string)
{
    char *text = rps_string(value);
    bool same = text && strcmp(text, string) == 0;
    free(text);
    return same;
}

/* strtod() reads by the locale that the engine may have set. */
static bool rps_number(const char *value, double *out)
{
    char number[64];
    const char *point = localeconv()->decimal_point;
    size_t i, size = 0, length = value ? strspn(value, "+-.0123456789eE") : 0;
    char *end;
    if (length == 0 || length > 40 || strlen(point) > 8) {
        return false;
    }
    for (i = 0; i < length; i++) {
        if (value[i] == '.') {
            memcpy(number + size, point, strlen(point));
            size += strlen(point);
        } else {
            number[size++] = value[i];
        }
    }
    number[size] = 0;
    *out = strtod(number, &end);
    return *end == 0 && isfinite(*out);
}

/* True where the value is a list of exactly so many numbers. */
static bool rps_numbers(const char *value, float *out, int count)
{
    const char *at = NULL;
    double number;
    int i = 0;
    while ((at = rps_element(value, at)) != NULL) {
        if (i == count || !rps_number(at, &number)) {
            return false;
        }
        out[i++] = (float)number;
    }
    return i == count;
}

/* Says what a request asks for, with the texts it owns. */
struct rps_asked {
    struct rigproof_request request;
    char *model, *clip, *file;
};

static void rps_forget(struct rps_asked *asked)
{
    free(asked->model);
    free(asked->clip);
    free(asked->file);
    memset(asked, 0, sizeof *asked);
}

static void rps_read_picture(struct rps_asked *asked, const char *picture)
{
    struct rigproof_request *request = &asked->request;
    struct rigproof_camera *camera = &request->picture.camera;
    const char *at = rps_member(picture, "camera");
    double width = 0, height = 0, fov = 0, ortho = 0, near_plane = 0, far_plane = 0;
    float background[4];
    int i;
    asked->file = rps_string(rps_member(picture, "file"));
    if (!asked->file || !rps_number(rps_member(picture, "width"), &width) ||
        !rps_number(rps_member(picture, "height"), &height) || width < 1 || height < 1 || width > 16384 ||
        height > 16384) {
        return;
    }
    request->picture.file = asked->file;
    request->picture.width = (int)width;
    request->picture.height = (int)height;
    camera->has_matrices = rps_numbers(rps_member(at, "view"), camera->view, 16) &&
                           rps_numbers(rps_member(at, "projection"), camera->projection, 16);
    rps_numbers(rps_member(at, "eye"), camera->eye, 3);
    rps_numbers(rps_member(at, "target"), camera->target, 3);
    rps_numbers(rps_member(at, "up"), camera->up, 3);
    rps_number(rps_member(at, "fov_y"), &fov);
    rps_number(rps_member(at, "ortho_height"), &ortho);
    rps_number(rps_member(at, "near"), &near_plane);
    rps_number(rps_member(at, "far"), &far_plane);
    for (i = 0; rps_numbers(rps_member(picture, "background"), background, 4) && i < 4; i++) {
        request->picture.background[i] = (unsigned char)(background[i] < 0     ? 0
                                                         : background[i] > 255 ? 255
                                                                               : background[i]);
    }
    camera->fov_y = (float)fov;
    camera->ortho_height = (float)ortho;
    camera->near_plane = (float)near_plane;
    camera->far_plane = (float)far_plane;
}

static const char *const rps_stages[] = {"nodes", "palette", "skin", "picture"};

static bool rps_read_request(const char *line, struct rps_asked *asked, struct rigproof_answer *answer)
{
    const char *wants = rps_member(line, "wants"), *clip = rps_member(line, "clip"), *at = NULL;
    struct rigproof_request *request = &asked->request;
    double index = -1;
    int i;
    asked->model = rps_string(rps_member(line, "model"));
    asked->clip = rps_string(clip);
    if (!asked->model || !asked->model[0]) {
        return rigproof_fail(answer, "the request has no model");
    }
    if (clip && !asked->clip && strncmp(clip, "null", 4) != 0) {
        return rigproof_fail(answer, "the request's clip is neither a name nor null");
    }
    if (rps_member(line, "time") && !rps_number(rps_member(line, "time"), &request->time)) {
        return rigproof_fail(answer, "the request's time is no number");
    }
    rps_number(rps_member(line, "clip_index"), &index);
    request->model = asked->model;
    request->clip = asked->clip;
    request->clip_index = index >= 0 && index < 1e6 ? (int)index : -1;
    request->holds = rps_is(rps_member(line, "wrap"), "hold");
    request->wants = wants ? 0 : RIGPROOF_NODES | RIGPROOF_PALETTE | RIGPROOF_SKIN;
    while ((at = rps_element(wants, at)) != NULL) {
        for (i = 0; i < 4; i++) {
            request->wants |= rps_is(at, rps_stages[i]) ? 1u << i : 0;
        }
    }
    rps_read_picture(asked, rps_member(line, "picture"));
    request->wants |= request->picture.file ? RIGPROOF_PICTURE : 0;
    return true;
}

static void rps_put_conventions(struct rps_text *out, const struct rigproof_subject *subject)
{
    const char *before = ", \"conventions\": {";
    const char *names[3], *values[3];
    int i;
    names[0] = "\"storage\": ", names[1] = "\"space\": ", names[2] = "\"bones\": ";
    values[0] = subject->storage, values[1] = subject->space, values[2] = subject->bones;
    for (i = 0; i < 3; i++) {
        if (values[i]) {
            rps_puts(out, before);
            rps_put_key_string(out, names[i], values[i]);
            before = ", ";
        }
    }
    if (subject->unit > 0) {
        rps_puts(out, before);
        rps_puts(out, "\"unit\": ");
        rps_put_number(out, subject->unit, 17);
        before = ", ";
    }
    if (subject->axes[0] && subject->axes[1] && subject->axes[2]) {
        rps_puts(out, before);
        for (i = 0; i < 3; i++) {
            rps_put_key_string(out, i > 0 ? ", " : "\"axes\": [", subject->axes[i]);
        }
        rps_puts(out, "]");
        before = ", ";
    }
    if (subject->strip) {
        rps_puts(out, before);
        rps_put_key_string(out, "\"names\": {\"strip\": ", subject->strip);
        rps_puts(out, "}");
        before = ", ";
    }
    rps_puts(out, before[0] == ',' && !before[2] ? "}" : "");
}

static void rps_put_hello(struct rps_text *out, const struct rigproof_subject *subject)
{
    const char *before = ", \"gives\": [";
    int i;
    rps_put_key_string(out,
                       "{\"protocol\": \"" RPS_PROTOCOL "\", \"name\": ", subject->name ? subject->name : "subject");
    if (subject->version) {
        rps_put_key_string(out, ", \"version\": ", subject->version);
    }
    for (i = 0; i < 4; i++) {
        if (subject->gives & 1u << i) {
            rps_put_key_string(out, before, rps_stages[i]);
            before = ", ";
        }
    }
    rps_puts(out, subject->gives & 15u ? "]" : "");
    rps_put_conventions(out, subject);
    rps_puts(out, "}\n");
}

/* The parts of an answer that were told and are wanted. */
static void rps_put_parts(struct rps_text *out, const struct rigproof_answer *answer,
                          const struct rigproof_request *request)
{
    if (answer->nodes.size > 0 && request->wants & RIGPROOF_NODES) {
        rps_puts(out, ", \"nodes\": [");
        rps_add(out, answer->nodes.data, answer->nodes.size);
        rps_puts(out, "]");
    }
    if (answer->palette.size > 0 && request->wants & RIGPROOF_PALETTE) {
        rps_puts(out, answer->flat ? ", \"palette\": " : ", \"palette\": [");
        rps_add(out, answer->palette.data, answer->palette.size);
        rps_puts(out, answer->flat ? "" : "]");
    }
    if (answer->skin.size > 0 && request->wants & RIGPROOF_SKIN) {
        rps_puts(out, ", \"skin\": [");
        rps_add(out, answer->skin.data, answer->skin.size);
        rps_puts(out, "]");
    }
}

static void rps_put_picture(struct rps_text *out, const struct rigproof_subject *subject,
                            const struct rigproof_request *request)
{
    if (subject->draw && request->picture.file) {
        rps_put_key_string(out, ", \"picture\": ", request->picture.file);
    }
}

/* Loads where the model is another than before, and calls what is wanted. *loaded is the model that is open. */
static bool rps_ask(const struct rigproof_subject *subject, const struct rigproof_request *request, char **loaded,
                    struct rigproof_answer *answer)
{
    bool good = true;
    if (!*loaded || strcmp(*loaded, request->model) != 0) {
        free(*loaded);
        *loaded = NULL;
        good = !subject->load || subject->load(subject->user, request->model, answer);
        if (good && !answer->error[0]) {
            struct rps_text copy = {NULL, 0, 0};
            rps_puts(&copy, request->model);
            *loaded = copy.data;
        }
    }
    good = good && (!subject->pose || subject->pose(subject->user, request, answer));
    if (good && subject->skin && request->wants & RIGPROOF_SKIN) {
        good = subject->skin(subject->user, request, answer);
    }
    if (good && subject->draw && request->picture.file) {
        good = subject->draw(subject->user, request, answer);
    }
    return (good && !answer->error[0]) || rigproof_fail(answer, "failed, and did not say why");
}

static void rps_start_answer(struct rigproof_answer *answer, const struct rigproof_subject *subject)
{
    answer->nodes.size = answer->palette.size = answer->bones.size = answer->skin.size = 0;
    answer->flat = answer->to_file = false;
    answer->error[0] = 0;
    answer->matrix = subject->storage && strcmp(subject->storage, "rows3x4") == 0 ? 12 : 16;
}

static void rps_free_answer(struct rigproof_answer *answer)
{
    free(answer->nodes.data);
    free(answer->palette.data);
    free(answer->bones.data);
    free(answer->skin.data);
}

static void rps_put_id(struct rps_text *out, const char *id)
{
    char *text = rps_string(id);
    double number;
    rps_put_key_string(out, "{\"id\": ", text ? text : "");
    if (!text) {
        out->size -= 2;
        if (rps_number(id, &number)) {
            rps_put_number(out, number, 17);
        } else {
            rps_puts(out, "null");
        }
    }
    free(text);
}

/* One answer to one line, with its end of line. */
static void rps_answer(const struct rigproof_subject *subject, const char *line, char **loaded,
                       struct rigproof_answer *answer, struct rps_text *out)
{
    const char *behind = rps_skip(line, RPS_DEPTH);
    struct rps_asked asked;
    bool good;
    memset(&asked, 0, sizeof asked);
    rps_start_answer(answer, subject);
    out->size = 0;
    if (!behind || *rps_blank(behind) || *rps_blank(line) != '{') {
        rps_puts(out, "{\"error\": \"the request is no JSON object\"}\n");
        return;
    }
    if (rps_is(rps_member(line, "request"), "hello")) {
        if (rps_is(rps_member(line, "protocol"), RPS_PROTOCOL)) {
            rps_put_hello(out, subject);
        } else {
            rps_puts(out, "{\"error\": \"this subject speaks " RPS_PROTOCOL "\"}\n");
        }
        return;
    }
    good = rps_is(rps_member(line, "request"), "pose") ? rps_read_request(line, &asked, answer)
                                                       : rigproof_fail(answer, "this is a request of another protocol");
    good = good && rps_ask(subject, &asked.request, loaded, answer);
    rps_put_id(out, rps_member(line, "id"));
    if (good) {
        rps_put_parts(out, answer, &asked.request);
        rps_put_picture(out, subject, &asked.request);
    } else {
        rps_put_key_string(out, ", \"error\": ", answer->error);
    }
    rps_puts(out, "}\n");
    rps_forget(&asked);
}

/* A line of stdin without its end. False at the end of all; one that is too long comes as "". */
static bool rps_read_line(struct rps_text *line)
{
    int c;
    bool any = false;
    line->size = 0;
    rps_add(line, "", 0);
    while ((c = getchar()) != EOF && c != '\n') {
        char byte = (char)c;
        any = true;
        if (c != 0 && line->size <= RPS_LONGEST_REQUEST) {
            rps_add(line, &byte, 1);
        }
    }
    if (line->size > RPS_LONGEST_REQUEST) {
        line->size = 0;
        line->data[0] = 0;
    }
    return any || c != EOF;
}

static bool rps_send(int file, const struct rps_text *text)
{
    size_t sent = 0;
    while (sent < text->size) {
        long n = (long)rps_write(file, text->data + sent, text->size - sent);
        if (n <= 0) {
            return false;
        }
        sent += (size_t)n;
    }
    return true;
}

/* --pose MODEL [CLIP [TIME]]: a file of its own in place of an answer. */
static int rps_print_pose(char **arguments, int count, const struct rigproof_subject *subject, int file,
                          struct rigproof_answer *answer, struct rps_text *out)
{
    struct rigproof_request request;
    char *loaded = NULL;
    const char *name;
    double index;
    bool good;
    memset(&request, 0, sizeof request);
    rps_start_answer(answer, subject);
    answer->to_file = true;
    request.clip_index = -1;
    request.wants = RIGPROOF_NODES | RIGPROOF_PALETTE | RIGPROOF_SKIN;
    request.model = count > 0 ? arguments[0] : NULL;
    request.clip = count > 1 && strcmp(arguments[1], "-") != 0 ? arguments[1] : NULL;
    if (!request.model || count > 3 || (count == 3 && !rps_number(arguments[2], &request.time))) {
        fputs("error: expected --pose MODEL [CLIP [TIME]]\n", stderr);
        return 2;
    }
    if (request.clip && strspn(request.clip, "0123456789") == strlen(request.clip) &&
        rps_number(request.clip, &index)) {
        request.clip_index = index < 1e6 ? (int)index : -1;
    }
    good = rps_ask(subject, &request, &loaded, answer);
    free(loaded);
    if (!good) {
        fprintf(stderr, "error: %s\n", answer->error);
        return 2;
    }
    name = strrchr(request.model, '/') ? strrchr(request.model, '/') + 1 : request.model;
    rps_put_key_string(out, "{\"format\": \"rigproof.pose-part/1\", \"model\": ", name);
    rps_put_key_string(out, ", \"clip\": ", request.clip);
    rps_puts(out, ", \"time\": ");
    rps_put_number(out, request.time, 17);
    if (subject->space) {
        rps_put_key_string(out, ", \"space\": ", subject->space);
    }
    if (subject->storage) {
        rps_put_key_string(out, ", \"matrices\": ",
                           strcmp(subject->storage, "columns") == 0 ? "column-major 4x4, p' = M p"
                           : answer->matrix == 12                   ? "row-major 3x4, p' = M p"
                                                                    : "row-major 4x4, p' = M p");
    }
    rps_put_parts(out, answer, &request);
    rps_puts(out, "}\n");
    return rps_send(file, out) ? 0 : 2;
}

struct rigproof_subject rigproof_subject_named(const char *name)
{
    struct rigproof_subject subject;
    memset(&subject, 0, sizeof subject);
    subject.name = name;
    return subject;
}

static int rps_find_argument(int argc, char **argv, const char *name)
{
    int i;
    for (i = 1; i < argc && strcmp(argv[i], name) != 0; i++) {
    }
    return i < argc ? i : 0;
}

bool rigproof_subject_wanted(int argc, char **argv)
{
    return rps_find_argument(argc, argv, "--rigproof") > 0 || rps_find_argument(argc, argv, "--pose") > 0;
}

int rigproof_subject_main(int argc, char **argv, const struct rigproof_subject *subject)
{
    struct rps_text line = {NULL, 0, 0}, out = {NULL, 0, 0};
    struct rigproof_answer answer;
    char *loaded = NULL;
    int status = 0, at = rps_find_argument(argc, argv, "--pose");
    int file;
    memset(&answer, 0, sizeof answer);
    /* Answers keep the real stdout; whatever else is printed goes to stderr. */
    fflush(stdout);
    file = rps_dup(1);
    if (file < 0 || rps_dup2(2, 1) < 0) {
        fputs("error: no stdout to answer on\n", stderr);
        return 2;
    }
    if (at > 0) {
        status = rps_print_pose(argv + at + 1, argc - at - 1, subject, file, &answer, &out);
    } else {
        while (rps_read_line(&line)) {
            if (!line.data[strspn(line.data, " \t\r")] && line.size > 0) {
                continue;
            }
            rps_answer(subject, line.data, &loaded, &answer, &out);
            if (!rps_send(file, &out)) {
                break; /* nobody listens any more */
            }
        }
    }
    fflush(stdout);
    free(loaded);
    free(line.data);
    free(out.data);
    rps_free_answer(&answer);
    return status;
}

static void rps_big_endian(unsigned char *out, unsigned long value)
{
    out[0] = (unsigned char)(value >> 24 & 255), out[1] = (unsigned char)(value >> 16 & 255);
    out[2] = (unsigned char)(value >> 8 & 255), out[3] = (unsigned char)(value & 255);
}

static unsigned long rps_crc(unsigned long crc, const unsigned char *data, size_t size)
{
    size_t i;
    int bit;
    for (i = 0; i < size; i++) {
        crc ^= data[i];
        for (bit = 0; bit < 8; bit++) {
            crc = crc & 1 ? 0xedb88320ul ^ crc >> 1 : crc >> 1;
        }
    }
    return crc;
}

static void rps_png_chunk(struct rps_text *png, const char *type, const struct rps_text *data)
{
    unsigned char number[4];
    size_t start = png->size + 4;
    rps_big_endian(number, (unsigned long)data->size);
    rps_add(png, (const char *)number, 4);
    rps_add(png, type, 4);
    rps_add(png, data->data ? data->data : "", data->size);
    rps_big_endian(number,
                   rps_crc(0xfffffffful, (const unsigned char *)png->data + start, data->size + 4) ^ 0xfffffffful);
    rps_add(png, (const char *)number, 4);
}

/* zlib (RFC 1950) of stored blocks, one a row; a row is its filter, 0, and its pixels. */
static void rps_png_rows(struct rps_text *out, int width, int height, const unsigned char *rgba, bool bottom_up)
{
    unsigned long a = 1, b = 0;
    unsigned char number[5];
    size_t size = 4 * (size_t)width + 1, i;
    int y;
    rps_add(out, "\x78\x01", 2);
    for (y = 0; y < height; y++) {
        const unsigned char *row = rgba + (size_t)(bottom_up ? height - 1 - y : y) * (size - 1);
        number[0] = y == height - 1, number[1] = (unsigned char)(size & 255), number[2] = (unsigned char)(size >> 8);
        number[3] = (unsigned char)(~number[1] & 255), number[4] = (unsigned char)(~number[2] & 255);
        rps_add(out, (const char *)number, 5);
        rps_add(out, "\0", 1);
        rps_add(out, (const char *)row, size - 1);
        b = (b + a) % 65521;
        for (i = 0; i + 1 < size; i++) {
            a = (a + row[i]) % 65521;
            b = (b + a) % 65521;
        }
    }
    rps_big_endian(number, b << 16 | a);
    rps_add(out, (const char *)number, 4);
}

bool rigproof_write_png(const char *path, int width, int height, const unsigned char *rgba, bool bottom_up)
{
    struct rps_text png = {NULL, 0, 0}, part = {NULL, 0, 0};
    unsigned char header[13];
    FILE *file;
    bool good;
    if (width < 1 || height < 1 || width > 16383) { /* a stored block holds 65,535 bytes */
        return false;
    }
    rps_big_endian(header, (unsigned long)width);
    rps_big_endian(header + 4, (unsigned long)height);
    memcpy(header + 8, "\x08\x06\0\0", 5);
    rps_add(&png, "\x89PNG\r\n\x1a\n", 8);
    rps_add(&part, (const char *)header, 13);
    rps_png_chunk(&png, "IHDR", &part);
    part.size = 0;
    rps_png_rows(&part, width, height, rgba, bottom_up);
    rps_png_chunk(&png, "IDAT", &part);
    part.size = 0;
    rps_png_chunk(&png, "IEND", &part);
    file = fopen(path, "wb");
    good = file && fwrite(png.data, 1, png.size, file) == png.size;
    good = file && fclose(file) == 0 && good;
    free(png.data);
    free(part.data);
    return good;
}

#ifdef __cplusplus
}
#endif
#endif
