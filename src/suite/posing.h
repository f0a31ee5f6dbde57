#ifndef RIGPROOF_SUITE_POSING_H
#define RIGPROOF_SUITE_POSING_H

#include "base/text.h"
#include "suite/settings.h"

/*
 * The options that put several clips together, as texts. Setters check a text's form and keep it; what its names mean is
 * known with the scene, to suite/plan.c, which reads the text again.
 */

/* Seconds, or frames ("30f"). */
struct moment {
    double value;
    bool is_frames;
};

/* A name inside a longer text. */
struct words {
    const char *text;
    size_t length;
};

/* What an additive layer is the difference to. */
enum reference { TO_FIRST_FRAME, TO_REST_POSE, TO_BIND_POSE };

/* "", "@rest", "@bind" */
extern const char *const posing_references[3];

struct posing {
    struct words bone;      /* of a mask */
    struct words clip;
    double weight;          /* of a blend or an additive layer */
    enum reference reference; /* of an additive layer */
    struct moment start;    /* of a transition; of a mask its offset */
    struct moment end;
};

bool posing_read_blend(const char *value, struct posing *out, struct error *err);      /* CLIP:WEIGHT */
bool posing_read_transition(const char *value, struct posing *out, struct error *err); /* CLIP@START..END */
bool posing_read_mask(const char *value, struct posing *out, struct error *err);       /* BONE=CLIP[@OFFSET] */
bool posing_read_add(const char *value, struct posing *out, struct error *err);        /* CLIP:WEIGHT[@rest|@bind] */

/* Setters of the table in settings.c. */
bool posing_set_blend(struct settings *settings, const char *value, struct error *err);
bool posing_set_transition(struct settings *settings, const char *value, struct error *err);
bool posing_set_mask(struct settings *settings, const char *value, struct error *err);
bool posing_set_add(struct settings *settings, const char *value, struct error *err);
bool posing_set_rate(struct settings *settings, const char *value, struct error *err);
bool posing_set_in_place(struct settings *settings, const char *value, struct error *err);

/* Whether some moment is in frames, so that a frame rate counts. */
bool posing_has_frames(const struct settings *settings);

/* What cannot be together: a blend with a clip or a transition; weights that are all 0. */
bool posing_check(const struct settings *settings, struct error *err);

/* What plays, as it was asked for: "walk", "walk:0.7+wave:0.3", "walk -> idle@0.5..0.8, hips=idle, add wave:1". */
void posing_write(const struct settings *settings, struct text *out);

/* The values of one option with commas between, "none" without any. */
void posing_write_list(const struct posing_list *list, struct text *out);

/* Whether nothing but the rest or the bind pose was asked for. */
bool posing_is_still(const struct settings *settings);

#endif
