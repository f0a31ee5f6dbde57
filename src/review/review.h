#pragma once

#include <stdio.h>

#include "accept/candidates.h"

/*
 * A review of the failing cases of a run: which of them somebody looked at, what was decided, what that wrote, and the
 * way back. The page and the terminal are two ways to use one session. Only what was looked at is accepted.
 */

enum review_decision { REVIEW_OPEN, REVIEW_ACCEPTED, REVIEW_SKIPPED };

struct review_case {
    const struct case_result *result;
    size_t index;         /* in results->cases */
    size_t group;         /* of those that say the same: the number of the first of them */
    const char *refusal;  /* NULL: it can be accepted */
    bool seen;
    enum review_decision decision;
};

struct review_step; /* one case of an action */

struct review {
    struct candidates *candidates; /* not owned */
    bool allow_outside;            /* as in struct accept_options */
    const struct results *results; /* as candidates_show() gives them */
    size_t count;              /* cases that fail, in the suite's order */
    struct review_case *cases;
    size_t step_count;
    struct review_step *steps; /* what can be taken back, the last one last */
    size_t actions;
};

/* All that fail are to be decided but those whose golden is what the run left. */
void review_open(struct review *review, struct candidates *candidates, bool allow_outside);
void review_close(struct review *review);

/* The outcome of a decision for its cases. */
struct review_outcome {
    size_t done;
    size_t unseen;  /* nobody looked at them: not accepted */
    size_t refused; /* they cannot be accepted */
};

/*
 * Decides for some cases at once, which are taken back at once, too. What is accepted already stays so. False with err
 * set where a golden could not be written: what was done before stays and can be taken back.
 */
bool review_decide(struct review *review, enum review_decision decision, struct review_case *const *cases, size_t count,
                   struct review_outcome *outcome, struct text *said, struct error *err);

/* Names the action that review_undo() would take back: "accept walker-walk", "skip 4 cases"; nothing when there is
 * none. */
void review_last_action(const struct review *review, struct text *out);

/* Takes back the last action. Returns the first of its cases; NULL: there is none, or with err set it did not work. */
struct review_case *review_undo(struct review *review, struct error *err);

struct review_tally {
    size_t accepted, skipped, left;
};
struct review_tally review_count(const struct review *review);

/* "accepted 3 of 5 cases, 1 skipped, 1 left" with a line break. */
void review_summary(const struct review *review, struct text *out);

/* Returns whether the run is good now: all cases ran, and all that failed are accepted. */
bool review_is_good(const struct review *review);

/*
 * These are the page's requests and their answers. A case is its number in the session, never a name: no word of a
 * client becomes a path.
 */

enum review_action {
    ACTION_NONE,
    ACTION_LOOK,   /* these were on the screen */
    ACTION_ACCEPT,
    ACTION_SKIP,
    ACTION_UNDO,
    ACTION_BEAT,   /* the page is there */
    ACTION_LEAVE,  /* it was closed */
    ACTION_FINISH,
};

/* "look" and so on; ACTION_NONE for anything else. */
enum review_action review_action_find(const char *name);

/* The cases as JSON: {"grace": 20, "cases": [{"index": 4, "group": 0, "refusal": null}, ...]}. All being decided,
 * the review ends after `grace` seconds. */
void review_describe(const struct review *review, double grace, struct text *out);

/*
 * Carries out an action on the cases whose numbers the body lists, as "0,3,4" ("" for none). The answer is JSON, with
 * all decisions: a letter a case, in the session's order ('-' not looked at, 'v' looked at, 'a' accepted, 's'
 * skipped). What was written is also appended to `said`. False with err set: the body is no such list, or names a case
 * that there is not.
 */
bool review_act(struct review *review, enum review_action action, const char *body, struct text *answer,
                struct text *said, struct error *err);

/*
 * A review in lines of text, one case at a time, as `git add -p` asks: what it says is written to `out`, answers are
 * lines of `in`, whose end is the end of the review. `folder` is what pictures are seen from.
 */
void review_in_terminal(struct review *review, const char *folder, bool colour, FILE *in, FILE *out);

/*
 * A review in a browser: the report's page with buttons, from a server on 127.0.0.1 that knows nobody but who has the
 * token in its address. It ends by itself: when the page says so, a while after all is decided, when the page was
 * closed, or after `timeout` seconds of nobody; and on SIGINT, SIGTERM and SIGHUP.
 */
struct review_service {
    unsigned port;      /* 0: any that is free */
    double timeout;     /* seconds */
    bool opens_browser; /* by xdg-open */
};

/* `folder`: what the results' pictures are seen from. Prints the address, and what is accepted, on stdout. False
 * with err set when it cannot listen. */
bool review_serve(struct review *review, const char *folder, const struct review_service *service, struct error *err);
