#pragma once

#include "base/text.h"
#include "run_binary.h"

/*
 * Suites run as a user would, in the scratch folder: suite.yaml, its goldens in golden/, results in out/check. Texts
 * that are returned live until scratch_leave.
 */

#define STRIP FIXTURES "/strip/strip.gltf"
#define TWINS FIXTURES "/twins/twins.gltf"

/* Frames of 64x64; `cases` is the list, an item a line. Models of FIXTURES need --allow-outside. */
void write_suite(const char *cases);

/* Two small cases: strip (0.25 and 0.75 s of a rotation) and twins (0.2 s). */
#define TWO_CASES                                                                                                      \
    "  - {name: strip, model: " STRIP ", clip: linear-rotation, times: [0.25, 0.75]}\n"                                \
    "  - {name: twins, model: " TWINS ", times: [0.2]}\n"

/* write_suite() and accept. */
void write_accepted_suite(const char *cases);

/* rigproof check suite.yaml ARGUMENTS..., NULL-terminated; accept the same. */
#define check(...) rigproof("check", "suite.yaml", "--allow-outside", __VA_ARGS__)
#define accept(...) rigproof("accept", "suite.yaml", "--allow-outside", __VA_ARGS__)
/* The same, and requires an exit code. */
#define check_gives(status, ...) run_gives(status, check(__VA_ARGS__))
#define accept_gives(status, ...) run_gives(status, accept(__VA_ARGS__))
/* The same, and requires one line on stderr and nothing on stdout. */
#define check_fails(status, ...) run_fails(status, check(__VA_ARGS__))
#define accept_fails(status, ...) run_fails(status, accept(__VA_ARGS__))

/* All below a folder, a line each, sorted: name and hash of the content. */
const char *contents(const char *folder);
/* The same with what a write would change even when the bytes stay: inode and times. */
const char *snapshot(const char *folder);
void copy_file(const char *from, const char *to);
void copy_folder(const char *from, const char *to);

/*
 * Makes the hashes in a golden's recorded.json those of the files beside it, as if it had been accepted with them. tamper()
 * and tint() do that for the file they change.
 */
void record_hashes(const char *folder);

/* The import.json of a case's folder: its own, or the shared one that its recorded.json names. */
const char *import_of(const char *folder);

/* A value in a file by its place ("nodes[3].local[0]", "meshes[0].material"): a string as it is, else as JSON. */
const char *json_at(const char *file, const char *place);
/* Puts another value there; `value` is JSON. */
void tamper(const char *file, const char *place, const char *value);

/* The index of the item of a list whose key has that text: index_of("golden/a/import.json", "nodes", "name", "tip"). */
int index_of(const char *file, const char *list, const char *key, const char *text);

/* Reads a member of a case in out/check/results.json: its "status", "stage", "stages.draw.state",
 * "times[0].image.state". */
const char *result_of(const char *name, const char *place);
/* The same of a document on stdout: "cases[0].stage". */
const char *said(const struct outcome *outcome, const char *place);

/* Fails unless these are the values at those places: result_is("strip", "stage", "draw", "stages.skin.state", "passed"). */
#define result_is(name, ...) require_values(result_of, name, (const char *const[]){__VA_ARGS__, NULL}, __FILE__, __LINE__)
#define json_is(file, ...) require_values(json_at, file, (const char *const[]){__VA_ARGS__, NULL}, __FILE__, __LINE__)
#define said_is(outcome, ...) require_said(outcome, (const char *const[]){__VA_ARGS__, NULL}, __FILE__, __LINE__)
void require_values(const char *(*value_of)(const char *what, const char *place), const char *what,
                    const char *const *pairs, const char *file, int line);
void require_said(const struct outcome *outcome, const char *const *pairs, const char *file, int line);
/* All cases of a results.json: "strip pass, twins fail". */
const char *statuses(const char *results);
#define assert_statuses(expected) assert_string_equal(statuses("out/check/results.json"), expected)

/* Encodes a PNG anew, with `by` added to the red of the first `count` pixels that have not the corner's colour. */
void tint(const char *png, unsigned count, int by);

/* Says if the Assimp here reads right by itself what the fixtures for its repairs have: then turning repairs off shows
 * nothing. Says so. */
bool assimp_needs_no_repair(void);

/* Says if a backend gives a context here; says so when it does not. */
bool has_backend(const char *name);

/* As GitHub runs something; the summary goes into summary.md. */
extern const struct run_options on_github;

/* Setup of tests that change a golden: strip and twins accepted; strip is changed, and twins must pass all the same. */
int verdict_enter(void **state);
#define VERDICT_TEST(name) TEST_WITH(name, verdict_enter, scratch_leave)
