#ifndef RIGPROOF_REVIEW_ANSWERS_H
#define RIGPROOF_REVIEW_ANSWERS_H

#include "review/session.h"

/*
 * What the page asks for, and what it is told. A case is its number in the session, never a name: no word of a client becomes
 * a path.
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

/* The cases as JSON: {"grace": 20, "cases": [{"index": 4, "group": 0, "refusal": null}, ...]}. All being decided, the review
 * ends after `grace` seconds. */
void review_describe(const struct review *review, double grace, struct text *out);

/*
 * Carries out an action on the cases whose numbers the body lists, as "0,3,4" ("" for none). The answer is JSON, with all
 * decisions: a letter a case, in the session's order ('-' not looked at, 'v' looked at, 'a' accepted, 's' skipped). What was
 * written is also appended to `said`. False with err set: the body is no such list, or names a case that there is not.
 */
bool review_act(struct review *review, enum review_action action, const char *body, struct text *answer,
                struct text *said, struct error *err);

#endif
