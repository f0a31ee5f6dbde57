#pragma once

#include "base/text.h"
#include "data/result/verdict.h"

/* A finding of the import says this besides its subject and its figures. It is data: a report makes the sentence. */

/* The lists of an import, in the order in which they are matched. */
enum noun {
    NOUN_NODE,
    NOUN_TEXTURE,
    NOUN_MATERIAL,
    NOUN_MESH,
    NOUN_CLIP,
    NOUN_CAMERA,
    NOUN_REPAIR,
    NOUN_WARNING,
    NOUN_COUNT
};

extern const char *const noun_words[NOUN_COUNT][2]; /* "mesh", "meshes" */

/* This is what something is or was. */
struct value {
    enum { VALUE_NONE, VALUE_NAME, VALUE_WORDS, VALUE_COUNT, VALUE_NUMBERS, VALUE_LENGTH, VALUE_SECONDS } unit;
    const char *text; /* a name, which is quoted, or words */
    double number;    /* a count, a length in scene units, seconds, or the only one of the numbers */
    uint32_t width;
    float vector[4]; /* [width] numbers */
};

static const struct value no_value = {VALUE_NONE};
#define value_name(x) ((struct value){VALUE_NAME, .text = (x)})
#define value_words(x) ((struct value){VALUE_WORDS, .text = (x)})
#define value_count(x) ((struct value){VALUE_COUNT, .number = (double)(x)})
#define value_length(x) ((struct value){VALUE_LENGTH, .number = (x)})
#define value_seconds(x) ((struct value){VALUE_SECONDS, .number = (x)})
#define value_number(x) ((struct value){VALUE_NUMBERS, .number = (x), .width = 1, .vector = {(float)(x)}})
struct value value_numbers(const float *numbers, uint32_t width); /* at most 4 */

struct import_change {
    enum noun noun;                   /* of the subject */
    const char *phrase;               /* the sentence's own part, a template of report/finding_sentences.c */
    const char *detail;               /* the same for several; NULL: the phrase */
    struct value now, was, by;
    struct import_change *also;       /* of the same subject, in the same sentence */
    const char *extra;                /* of a pattern; the name of a material's map or factor */
    const char *axis;                 /* of the degrees, as change_describe() has it */
    double influence_radius;          /* figures that matter less are left out */
    double unit_meters;               /* 0: not known */
    uint32_t index;                   /* of the subject among its like */
    const char *owner;                /* "of material `skin`": where a texture within the file is; NULL */
    bool unplayed;                    /* of a clip that the case does not play */
    bool is_bare;                     /* the head of the sentence says all of it */
    /* Several of a kind are one finding: that of the worst, whose change this is. */
    uint32_t count;                   /* 0: it is one alone */
    const struct finding **all;       /* [count] */
    const struct finding *worst;      /* NULL: all differ alike */
    const char *mesh;                 /* that all of the kind share; NULL */
};

/* Adds a value of the change; a number with so many digits that what is differs from what was. */
enum change_value { CHANGE_NOW, CHANGE_WAS, CHANGE_BY };
void import_change_add(const struct import_change *change, enum change_value which, struct arena *arena,
                       struct text *out);
