#pragma once

#include "base/error.h"
#include "base/text.h"
#include "data/result/fingerprint.h"
#include "data/result/verdict.h"

/*
 * results.json ("rigproof.results/1") says what a run of a suite found; every report is made from it. It is plain data
 * in one arena, without a clock, a host or an absolute path: the same run gives the same bytes.
 */

#define RESULTS_FORMAT "rigproof.results/1"

enum case_status {
    CASE_PASS,
    CASE_DRIFT,           /* numbers agree, pixels by a few levels, and the fingerprint differs: no failure */
    CASE_FAIL,
    CASE_MISSING,         /* no golden */
    CASE_ERROR,           /* the model could not be read, GL failed */
    CASE_CRASH,
    CASE_TIMEOUT,
    CASE_XFAIL,           /* failed, as the suite expects */
    CASE_UNEXPECTED_PASS, /* passed, although the suite expects it to fail */
    CASE_SKIP,
    CASE_STATUS_COUNT
};

extern const char *const case_status_names[CASE_STATUS_COUNT]; /* "pass" ... "unexpected-pass", "skip" */
/* Returns whether it makes `check` exit with 1. Drift does only with --strict. An unexpected pass does. */
bool case_status_fails(enum case_status status, bool strict);
/* It did not run to its end. */
bool case_status_broke(enum case_status status);

enum stage_state {
    STAGE_NOT_COMPARED, /* nothing to compare with, or the case ended before */
    STAGE_PASSED,
    STAGE_DIFFERS,      /* of its own: a culprit */
    STAGE_EXPLAINED,    /* differs as an earlier stage's difference makes it differ */
    STAGE_UNVERIFIED,   /* differs, after one that does; nothing tells whether it follows from that */
    STAGE_STATE_COUNT
};

struct stage_result {
    enum stage_state state;
    const char *summary; /* its worst finding; NULL when there is none */
    const char *by;      /* of one that is explained: the stage; NULL in results of earlier versions */
};

enum image_state {
    IMAGE_NONE,      /* not drawn */
    IMAGE_SAME,      /* equal pixels */
    IMAGE_NOISE,     /* no channel differs by more than 2 */
    IMAGE_TOLERATED, /* within the tolerance */
    IMAGE_DIFFERS,
    IMAGE_MISSING,   /* no golden */
    IMAGE_SHOWN,     /* not compared: a subject's, beside the reference's, or one without a golden */
    IMAGE_STATE_COUNT
};

/* Their names in results.json: "not-compared", "passed" ...; "none", "same" ... "shown". */
extern const char *const stage_state_names[STAGE_STATE_COUNT];

/* Says how much of the change a bone moves. */
struct image_bone {
    const char *bone;
    const char *mesh;
    uint32_t pixels; /* changed pixels that it moves most */
};

struct image_level {
    uint32_t delta; /* the largest difference of a channel */
    uint32_t count; /* how many pixels have it */
};

struct image_result {
    enum image_state state;
    uint32_t width;
    uint32_t height;
    const char *golden;     /* files, relative to the folder of results.json; NULL when there is none */
    const char *actual;
    const char *difference; /* times 16 */
    const char *heat;       /* FLIP */
    int max_delta;          /* largest difference of a channel */
    uint32_t changed;       /* pixels that differ by more than the tolerated delta */
    uint32_t foreground;    /* pixels that are no background in either */
    double share;           /* changed / foreground */
    uint32_t box[4];        /* x, y, width, height of the change */
    uint32_t pixelmatch;    /* pixels, threshold 0.1, anti-aliased ones counted */
    double flip_p999;
    double flip_max;
    uint32_t bone_count;
    struct image_bone *bones; /* most pixels first */
    uint32_t level_count;   /* 0 for equal pixels and for pictures of other sizes */
    struct image_level *levels; /* deltas ascending */
    const char *explained;  /* the stage that brings the difference about; "unverified"; NULL: it is of its own */
    /* what differs drawn from the golden's pose, and without what the import explains; NULL */
    struct image_result *remaining;
    const char *displacement; /* a file: of the vertices, from where the golden's pose has them; NULL */
    /* a file: what becomes the golden, where it is framed anew and `actual` is in the golden's frame; NULL */
    const char *candidate;
};

/* One sampled time of a case. */
struct time_result {
    const char *label;          /* "0.250": as in the names of the golden files */
    double time;
    double error[STAGE_COUNT];  /* animate, palette, skin: displacement relative to the radius; draw: share of the
                                 * foreground; NAN where not compared, and always for import */
    struct image_result image;
};

/* A row of the table of worst bones and of the heat map bone x time. */
struct bone_result {
    const char *bone;
    const char *mesh;     /* NULL for a node (animate) */
    enum stage stage;
    double displacement;  /* relative to the radius */
    double distance;      /* scene units */
    double degrees;
    double translation;
    double scale_percent;
    double time;          /* of the worst */
    double *over_time;    /* [time_count] displacement; NAN where not compared */
    uint32_t time_count;  /* of the case */
};

/* A mistake of those that together turn what a model gives into what was under test. In the words of
 * diagnose/diagnose.h. */
struct case_cause {
    const char *id;     /* "parent-order" */
    const char *stage;  /* "palette": where the mistake is */
    const char *sentence;
    const char *detail; /* "one frame late (24 a second)"; NULL */
    const char *remedy;
};

/* Translation, rotation (x, y, z, w) and scale of a bone. */
enum { CURVE_NUMBERS = 10, CURVE_MOST_SAMPLES = 1000, CURVE_SIDES = 2 };
extern const char *const curve_spaces[2]; /* "local", "global" */
extern const char *const curve_sides[CURVE_SIDES]; /* "golden", "actual" */

struct curve_sample_result {
    double time;
    float golden[CURVE_NUMBERS]; /* or the reference's */
    float actual[CURVE_NUMBERS];
};

struct curve_point_result {
    double time;
    float at[CURVE_NUMBERS];
};

/* One side's clip between the samples. */
struct curve_line {
    const char *side; /* of curve_sides */
    uint32_t point_count, key_count;
    struct curve_point_result *points; /* the whole clip, many times a second */
    double *keys;                      /* [key_count] seconds: where the clip has keys of the bone */
};

/* Says where the worst bone of a case that fails is over its times. */
struct case_curve {
    const char *bone;
    const char *space; /* of curve_spaces */
    uint32_t sample_count;
    struct curve_sample_result *samples; /* the times at which both are known */
    uint32_t line_count;
    struct curve_line *lines; /* of the sides whose clip is known */
    const char *line_note;    /* what is not known of the golden's; NULL */
};

struct case_explanation {
    double explains; /* 0..1 of the difference */
    double residual; /* the largest displacement that is left, as a share of the radius */
    uint32_t cause_count;
    struct case_cause *causes;
};

/* A tolerance that would have to be wider for a case to pass. */
struct needed_tolerance {
    enum tolerance_key key;
    double least;     /* that lets its stage pass, of two digits */
    const char *risk; /* what goes unseen under it; NULL: it is a sane one */
};

/* The facts that a verdict depends on besides what was measured. */
struct judge_facts {
    bool compared[STAGE_COUNT]; /* whether there was something to compare the stage with; not in results.json */
    const char
        *absent[STAGE_COUNT];   /* why a stage that one side has could not be compared ("not given by theirs"); NULL:
                                      * it was, or neither has it. In results.json as the stage's summary */
    const char *missing_what;   /* what of a golden is not there: "no golden", "no golden for 0.250 s"; NULL */
    /* "the golden's 0.250 s is not among ...": times of the golden that the case lacks; NULL */
    const char *not_sampled;
    const char *mismatch;       /* a file of the golden that is not the one its recorded.json names; NULL */
    const char *error;          /* why the run ended before its end: the verdict, whatever was found before; NULL */
    bool fingerprint_differs;   /* from the recorded one */
    bool expect_fail;
};

/* A file that a case depends on: a model, what is beside it, a shader. */
struct source {
    const char *file;     /* as named, links and all: as seen from the suite's folder */
    const char *hash;     /* bytes_hash() when the case ran; NULL: it was not read */
    /* where it is, where links lead to it or it was not read; NULL: there, or without a hash nowhere */
    const char *leads_to;
};

/* The candidate that can become the golden of a case: <case>/recorded.json has the hashes of the rest. */
struct candidate_hashes {
    const char *recorded;
    const char *import;
};

/* The findings that the sentences of a verdict are about, also those that the result leaves out. */
struct verdict_findings {
    struct finding *worst[STAGE_COUNT]; /* by which a stage fails, else its first benign one; NULL */
    struct finding *vacuity;            /* NULL: the case tests something */
    struct finding *repairs[4];         /* that only one side needed: what the first repairs may be the reason */
    size_t repair_count;                /* also of those for which there is no room */
    bool is_hopeless;                   /* no tolerance lets it pass: by `hopeless`, else by the facts */
    struct finding *hopeless;           /* NULL */
    double unit_meters;                 /* of lengths; 0: not known */
};

extern const char stage_not_asked_for[]; /* why a stage is absent that nobody misses: the case leaves it out */

struct case_result {
    const char *name;
    uint32_t line;          /* of the suite file; 0 when not known */
    const char *model;      /* as the suite has it */
    const char *clip;       /* NULL: the rest pose, or the case did not get so far */
    const char *subject;    /* the program under test, "my-engine 1.4" where it said so; NULL: rigproof itself */
    uint32_t tag_count;
    const char **tags;
    enum case_status status;
    const char *reason;     /* of expect: fail or skip; NULL */
    enum stage stage;       /* the first culprit; STAGE_NONE */
    const char *headline;   /* one sentence on what is wrong; NULL when nothing is */
    bool vacuous;           /* it fails because it tests nothing: blank frames, a clip that does not move */
    const char *vacuity;    /* what makes it test nothing, also where something that differs did; NULL */
    bool remembered;        /* the verdict is that of an earlier run on the same files: `check --cache` */
    /* why no later run will remember it, although it is good; NULL: it may, or nobody asked */
    const char *not_remembered;
    double radius;          /* scene units; 0 when not known */
    /* microseconds that it is expected to take, by what it had to do; 0: not known, nobody ran it */
    uint32_t cost;
    uint32_t import_cost;   /* the same for the import of its model, which cases that run together share */
    const struct tolerance *tolerance; /* what it was judged by; NULL when not known */
    /* "would pass from shell: 0.0031 (palette)", "no tolerance lets it pass: ..."; NULL: it does not fail */
    const char *passes_from;
    size_t needed_count;     /* 0: no tolerance lets it pass, or it does not fail */
    struct needed_tolerance *needed; /* the same, each with its stage: with all of them it passes */
    const struct verdict_findings *about; /* NULL: read from a file, whose sentences are made */
    const struct judge_facts *facts; /* NULL: it was not judged (a crash), or by an earlier version */
    double measured[TOLERANCE_COUNT]; /* the largest measure; INFINITY: something that no tolerance allows */
    struct stage_result stages[STAGE_COUNT];
    size_t finding_count;   /* at most RESULT_MAX_FINDINGS, worst first */
    struct finding *findings;
    size_t findings_left_out;
    uint32_t time_count;
    struct time_result *times;
    uint32_t bone_count;    /* at most RESULT_MAX_BONES, worst first */
    struct bone_result *bones;
    const struct case_curve *curve; /* of its worst bone; NULL: it passes, or no bone differs */
    /* file as `image_result` has them: golden and actual at its first failing time, "rigproof.viewer/1"; NULL */
    const char *viewer;
    const char *viewer_note; /* what of it is left out, or why there is none; NULL */
    struct fingerprint golden; /* as recorded; count 0 without a golden */
    struct fingerprint actual; /* of this run, with what only this case has: profile, repairs that changed something */
    uint32_t explanation_count; /* best first; 0: nothing differs, or nothing explains all of it, or nobody looked */
    struct case_explanation *explanations;
    uint32_t source_count;
    struct source *sources; /* by `file`; none where the case did not run */
    const struct candidate_hashes *candidate; /* NULL: the run left none */
    /* they turn this run's numbers into the golden's; else the reference's into those under test */
    bool explains_golden;
    const char *repeat;     /* the command that runs this case alone; NULL */
    const char *accept;     /* the command that makes its result the golden; NULL when nothing is to be accepted */
};

/* The cases of a shard. */
struct shard_cases {
    size_t count;
    const char **names;
};

enum { RESULT_MAX_FINDINGS = 64, RESULT_MAX_BONES = 24, RESULT_MAX_EXPLANATIONS = 8, RESULT_MAX_CAUSES = 6 };

enum { VIEWER_BYTES = 20000000 };

struct results {
    struct arena *arena;     /* owns all of it */
    const char *rigproof;    /* version */
    const char *suite;       /* path as given */
    const char *suite_hash;  /* bytes_hash() of its file; NULL: not known, or of runs that differ in it */
    /* options in place of what the suite says that change what a golden is: goldens, repair */
    struct fingerprint overrides;
    const char *goldens;     /* folder, as given plus the suite's */
    bool strict;
    uint32_t shard;          /* 1-based; 0: not sharded */
    uint32_t shard_count;
    size_t partition_count;  /* shard_count, or 0: not sharded, or by an earlier version */
    struct shard_cases *partition; /* which cases every shard of the run has */
    struct fingerprint fingerprint; /* of this run */
    size_t case_count;
    struct case_result *cases; /* in the suite's order */
    size_t not_run_count;
    const char **not_run;    /* names of cases that were to run and did not: the run was stopped before */
    size_t missing_count;
    const char **missing;    /* shards of the run whose results are not among those that were merged: "shard 2 of 3" */
    /* how its cases were judged again: "under shell: 0.01 (loose.yaml)"; NULL: as the suite says */
    const char *judged;
    size_t shader_warning_count;
    const char **shader_warnings; /* of the user's shaders: what they declare that rigproof does not set or draw */
    size_t obsolete_count;
    const char **obsolete;   /* golden folders and files no case uses */
    size_t viewer_bytes;     /* of models that the page takes in; 0: VIEWER_BYTES. Not in results.json */
    bool reloads;            /* the page looks for the next run: `check --watch`; not in results.json */
    const char *prune;       /* the command that removes them; NULL: not known */
};

/* A copy that needs nothing of the original, in the arena. Figures that are no number are NAN then, as in
 * results.json. */
struct case_result *case_result_copy(const struct case_result *result, struct arena *arena);

/* The same of all; NULL with err set. Freed by results_free(). */
struct results *results_copy(const struct results *results, struct error *err);

void results_write(const struct results *results, struct text *out);
/* The results are the caller's (results_free). `name` is for messages. NULL with err set. */
struct results *results_read(const void *data, size_t size, const char *name, struct error *err);
/* Appends the same document with one case alone, without parsing the others. False where it is not found so: the
 * case is not there, its name does not come first, or the document is broken. What is appended is as good as the
 * document was. */
bool results_narrow(const void *data, size_t size, const char *name, struct text *out);
/* Reads names and costs of the cases alone from such a document, as far as they can be read. The results are the
 * caller's. NULL with err set. */
struct results *results_read_costs(const void *data, size_t size, struct error *err);
/* Empty results with an arena of their own. */
struct results *results_create(struct error *err);
void results_free(struct results *results);

/* NULL when there is no such case. */
struct case_result *results_find(const struct results *results, const char *name);

/* To find many. Of several of one name the first; NULL where there is none. */
struct results_index {
    size_t count;
    struct case_result **sorted;
};
void results_index_make(const struct results *results, struct results_index *index);
struct case_result *results_index_find(const struct results_index *index, const char *name);
void results_index_release(struct results_index *index);

/* Returns how many cases make check exit with 1, and how many have each status. */
size_t results_count_failing(const struct results *results);
void results_tally(const struct results *results, size_t counts[static CASE_STATUS_COUNT]);

/* Returns whether the GPU puts vertices elsewhere than the CPU does, which no golden can repair. */
bool case_skins_wrongly(const struct case_result *result);

/* The largest displacement at the stage that differs first, as a share of the radius; NAN: none. */
double case_displacement(const struct case_result *result);

/* Appends the causes of the best explanation: "parent-order + tangents-wrong"; nothing where there is none. */
void case_add_causes(const struct case_result *result, struct text *out);

/* Returns whether all ran and all is good: the exit code of check and report. */
bool results_good(const struct results *results);
