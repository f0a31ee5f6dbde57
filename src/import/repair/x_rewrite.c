#include "import/scene/convert.h"

#include <ctype.h>
#include <string.h>

/*
 * A .x text file has blocks `Kind name { ... }` in each other. Of a frame whose only child is one with meshes and
 * without a name Assimp makes one node of both their matrices; keys of the parent then replace them, and the child's is
 * lost. So such children get names.
 */
enum { MOST_FRAMES = 256 };

/* A frame that is open. */
struct x_frame {
    const char *unnamed; /* where a name would go; NULL: it has one */
    uint32_t depth;      /* of blocks around it */
};

struct x_text {
    const char *at, *end;
    uint32_t depth, count; /* blocks and frames that are open */
    struct x_frame frames[MOST_FRAMES];
};

/* Goes behind blanks, separators and comments. */
static void skip_blanks(struct x_text *x)
{
    while (x->at < x->end && (isspace((unsigned char)*x->at) || strchr(",;#/", *x->at))) {
        const bool is_comment = *x->at == '#' || (*x->at == '/' && x->end - x->at > 1 && x->at[1] == '/');
        const char *line = is_comment ? memchr(x->at, '\n', (size_t)(x->end - x->at)) : x->at;
        x->at = line ? line + 1 : x->end;
    }
}

/* A brace, a string, or a word; empty at the end. */
static struct slice next_token(struct x_text *x)
{
    skip_blanks(x);
    const char *begin = x->at;
    if (x->at < x->end && *x->at == '"') {
        const char *quote = memchr(x->at + 1, '"', (size_t)(x->end - x->at - 1));
        x->at = quote ? quote + 1 : x->end;
    } else if (x->at < x->end && strchr("{}", *x->at)) {
        x->at++;
    } else {
        while (x->at < x->end && !isspace((unsigned char)*x->at) && !strchr("{}\",;#", *x->at))
            x->at++;
        x->at += x->at == begin && x->at < x->end;
    }
    return (struct slice){begin, (size_t)(x->at - begin)};
}

/* Says if the next 16 numbers are the identity's. */
static bool is_identity(struct x_text *x)
{
    bool is = true;
    for (int i = 0; i < 16; i++) {
        const struct slice number = next_token(x);
        size_t digit = 0; /* that is not 0 */
        while (digit < number.length && !(number.data[digit] >= '1' && number.data[digit] <= '9'))
            digit++;
        const bool is_one = digit < number.length && number.data[digit] == '1' &&
                            strspn(number.data + digit + 1, ".0") >= number.length - digit - 1 &&
                            !memchr(number.data, '.', digit) && !memchr(number.data, '-', digit);
        is = is && (i % 5 == 0 ? is_one : digit == number.length);
    }
    return is;
}

/* Goes on to the next matrix of a frame without a name that is not the identity. Returns where the name goes; NULL at
 * the end. */
static const char *next_unnamed(struct x_text *x)
{
    for (struct slice token; (token = next_token(x)).length > 0;) {
        const bool is_matrix = slice_is(token, "FrameTransformMatrix");
        const char *name = x->at;
        if (slice_is(token, "Frame") && x->count < MOST_FRAMES) {
            token = next_token(x);
            const bool is_unnamed = slice_is(token, "{") && x->count > 0;
            x->frames[x->count++] = (struct x_frame){is_unnamed ? name : NULL, x->depth};
        }
        if (slice_is(token, "{"))
            x->depth++;
        if (slice_is(token, "}") && x->depth > 0)
            x->depth--;
        if (slice_is(token, "}") && x->count > 0 && x->frames[x->count - 1].depth == x->depth)
            x->count--;
        if (!is_matrix || x->count == 0 || !x->frames[x->count - 1].unnamed)
            continue;
        x->depth += slice_is(next_token(x), "{");
        if (!is_identity(x))
            return x->frames[x->count - 1].unnamed;
    }
    return NULL;
}

void x_rewrite(struct conversion *c, struct text *out)
{
    enum { HEADER = 16 };
    const struct blob *file = bytes_of(c);
    if (!file || file->size < HEADER || memcmp(file->data + 8, "txt ", 4) != 0 ||
        !memmem(file->data, file->size, "AnimationKey", strlen("AnimationKey")))
        return;
    const bool is_on = (c->repairs & REPAIR_GAME_KEYS) != 0;
    const char *copied = (const char *)file->data;
    struct x_text x = {.at = copied + HEADER, .end = copied + file->size};
    uint32_t named = 0;
    for (const char *name; (name = next_unnamed(&x)) != NULL; copied = name) {
        text_add_bytes(out, copied, (size_t)(name - copied));
        text_addf(out, " frame_%u", ++named);
    }
    if (named > 0)
        repaired_or_warn(c, is_on, "game-keys",
                         "%u frames have a matrix and no name: with keys of their parent Assimp loses the matrix",
                         named);
    if (named > 0 && is_on)
        text_add_bytes(out, copied, (size_t)(x.end - copied));
    else
        text_release(out);
}
