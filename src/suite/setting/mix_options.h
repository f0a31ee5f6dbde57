#ifndef RIGPROOF_SUITE_MIX_OPTIONS_H
#define RIGPROOF_SUITE_MIX_OPTIONS_H

#include "base/text.h"
#include "suite/setting/settings.h"

/*
 * The options that put several clips together, as texts. Setters check a text's form and keep it; what its names mean is
 * known with the scene, to suite/setting/clip_mix.c, which reads the text again.
 */

/* Seconds, or frames ("30f"). */
struct clip_time {
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
extern const char *const mix_option_references[3];

struct mix_option {
    struct words bone;      /* of a mask */
    struct words clip;
    double weight;          /* of a blend or an additive layer */
    enum reference reference; /* of an additive layer */
    struct clip_time start;    /* of a transition; of a mask its offset */
    struct clip_time end;
};

bool mix_option_read_blend(const char *value, struct mix_option *out, struct error *err);      /* CLIP:WEIGHT */
bool mix_option_read_transition(const char *value, struct mix_option *out, struct error *err); /* CLIP@START..END */
bool mix_option_read_mask(const char *value, struct mix_option *out, struct error *err);       /* BONE=CLIP[@OFFSET] */
bool mix_option_read_add(const char *value, struct mix_option *out, struct error *err); /* CLIP:WEIGHT[@rest|@bind] */

/* Setters of the table in settings.c. */
bool mix_option_set_blend(struct settings *settings, const char *value, struct error *err);
bool mix_option_set_transition(struct settings *settings, const char *value, struct error *err);
bool mix_option_set_mask(struct settings *settings, const char *value, struct error *err);
bool mix_option_set_add(struct settings *settings, const char *value, struct error *err);
bool mix_option_set_rate(struct settings *settings, const char *value, struct error *err);
bool mix_option_set_in_place(struct settings *settings, const char *value, struct error *err);

/* Whether some time is in frames, so that a frame rate counts. */
bool mix_option_has_frames(const struct settings *settings);

/* What cannot be together: a blend with a clip or a transition; weights that are all 0. */
bool mix_option_check(const struct settings *settings, struct error *err);

/* What plays, as it was asked for: "walk", "walk:0.7+wave:0.3", "walk -> idle@0.5..0.8, hips=idle, add wave:1". */
void mix_option_write(const struct settings *settings, struct text *out);

/* The values of one option with commas between, "none" without any. */
void mix_option_write_list(const struct mix_option_list *list, struct text *out);

/* Whether nothing but the rest or the bind pose was asked for. */
bool mix_option_is_still(const struct settings *settings);

#endif
