#pragma once

#include "plot/plot.h"
#include "pipeline/pipeline.h"

struct subject; /* subject/subject.h */

/*
 * A curve is what a bone does over time: translation, rotation, scale, how fast it moves and turns; seen from its
 * parent, from the scene, or as its palette entries; in a clip as rigproof samples it, or as a program under test
 * answers.
 */

enum curve_space { CURVE_LOCAL, CURVE_GLOBAL, CURVE_PALETTE, CURVE_SPACES };

enum curve_kind {
    CURVE_TRANSLATION, /* x, y, z: units of the scene */
    CURVE_ROTATION,    /* x, y, z, w of the unit quaternion, of its two signs the one nearer to the time before */
    CURVE_EULER,       /* x, y, z: degrees; R = Rz Ry Rx, without jumps of whole turns */
    CURVE_TURN,        /* degrees that it is turned since the first time, 0 to 180 */
    CURVE_SCALE,       /* x, y, z */
    CURVE_VELOCITY,    /* speed, or x, y, z: units a second; as pipeline/velocities.h has it */
    CURVE_ANGULAR,     /* speed, or x, y, z: degrees a second; the same */
    CURVE_KINDS
};

enum { CURVE_SPEED = -1, CURVE_MOST_CHANNELS = 64, CURVE_MOST = 400 /* curves in a plot */, CURVE_MOST_TIMES = 20000 };

struct curve_channel {
    enum curve_space space;
    enum curve_kind kind;
    int component;    /* CURVE_SPEED or 0 to 3 */
    const char *name; /* "global.y" */
};

/* "global.y", "local.rotation", "palette.scale.x", a list of such parted by commas; without a component all of them,
 * of velocities the speed. Appended to `out`, [CURVE_MOST_CHANNELS], names in the arena; false with err set. */
bool curve_channels_read(const char *text, struct arena *arena, struct curve_channel *out, size_t *count,
                         struct error *err);

/* The empty panel of all channels of that space and kind: "global translation" and its unit. */
struct plot_panel curve_panel(const struct curve_channel *channel, struct arena *arena);

/* The channel's values over times; `poses` are the bone's, NAN where not known. */
void curve_values(const struct curve_channel *channel, const double *times, const struct transform *poses, size_t count,
                  double *out);

/* A node, or a palette entry, over the times of a source. */
struct curve_target {
    enum curve_space space;
    uint32_t index; /* node or binding of the scene */
    const char *bone, *mesh;
    struct transform *poses; /* [times] */
};

/* A curve that is drawn in one dash: a clip of a model, sampled by us or by a program. */
struct curve_source {
    const char *name;
    struct pipeline *pipeline;
    struct subject *subject; /* NULL: rigproof itself */
    size_t count;
    double *times;
    size_t target_count;
    struct curve_target *targets;
};

/* Times ascending, each once; without any chosen the clip at 60 a second, with its end and the keys of the bones. In
 * the pipeline's arena. Then the poses at these. False with err set; no bone of a glob is an error that suggests
 * one. */
bool curve_sample(struct curve_source *source, const char *const *globs, size_t glob_count,
                  const struct curve_channel *channels, size_t channel_count, struct error *err);

/* Panels by space and kind, in the order of the channels, in the arena. False with err set beyond CURVE_MOST. */
bool curve_plot(const struct curve_source *sources, size_t source_count, const struct curve_channel *channels,
                size_t channel_count, struct arena *arena, struct plot *out, struct error *err);
