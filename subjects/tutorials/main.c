#include <locale.h>
#include <stdio.h>
#include <stdlib.h>

#define RIGPROOF_SUBJECT_IMPLEMENTATION
#include "engine.h"

/* tutorials --way WAY [--fault ID[=VALUE]]... [--pose MODEL [CLIP [TIME]]]; --ways, --faults and --traits list what there is. */

#define FAULT_ID(symbol, id) id,
static const char *const fault_ids[] = {FAULTS(FAULT_ID)};

bool faults_on[FAULT_COUNT];
double fault_value;
const char *asserted;
const struct engine *running = &learnopengl;

static const struct engine *const ways[] = {&learnopengl, &ogldev, &gltf_article, &palette_article, &thesis};
enum { WAY_COUNT = sizeof ways / sizeof *ways };

static const struct aiScene *scene;

static bool load_model(void *user, const char *path, struct rigproof_answer *answer)
{
    (void)user;
    aiReleaseImport(scene);
    scene = import_model(path, running, answer);
    return scene && running->load(scene, answer);
}

/* The clip of the request: its name, else its place. */
static const struct aiAnimation *clip_of(const struct rigproof_request *request)
{
    int found = -1;
    if (!request->clip || makes(NOT_ANIMATED)) {
        return NULL;
    }
    for (unsigned a = 0; a < scene->mNumAnimations && found < 0; a++) {
        found = strcmp(scene->mAnimations[a]->mName.data, request->clip) == 0 ? (int)a : -1;
    }
    if (found < 0 || (request->clip_index >= 0 && request->clip_index < (int)scene->mNumAnimations &&
                      strcmp(scene->mAnimations[request->clip_index]->mName.data, request->clip) == 0)) {
        found = request->clip_index;
    }
    if (makes(OTHER_CLIP) && scene->mNumAnimations > 0) {
        found = (found + 1) % (int)scene->mNumAnimations;
    }
    return found >= 0 && found < (int)scene->mNumAnimations ? scene->mAnimations[found] : NULL;
}

static bool pose_model(void *user, const struct rigproof_request *request, struct rigproof_answer *answer)
{
    (void)user;
    const struct aiAnimation *clip = clip_of(request);
    if (request->clip && !clip && !makes(NOT_ANIMATED)) {
        return rigproof_fail(answer, "no clip is called %s", request->clip);
    }
    asserted = NULL;
    bool done = running->pose(scene, clip, request, answer);
    return asserted ? rigproof_fail(answer, "assert: %s", asserted) : done;
}

static bool can_make(const struct engine *engine, int fault)
{
    for (const enum fault *cannot = engine->cannot; *cannot != FAULT_COUNT; cannot++) {
        if ((int)*cannot == fault) {
            return false;
        }
    }
    return true;
}

static bool switch_on(const char *argument)
{
    size_t length = strcspn(argument, "=");
    for (int f = 0; f < FAULT_COUNT; f++) {
        if (strlen(fault_ids[f]) == length && strncmp(fault_ids[f], argument, length) == 0) {
            faults_on[f] = true;
            fault_value = argument[length] ? strtod(argument + length + 1, NULL) : fault_value;
            return can_make(running, f);
        }
    }
    return false;
}

static int list_faults(void)
{
    for (int f = 0; f < FAULT_COUNT; f++) {
        if (can_make(running, f)) {
            puts(fault_ids[f]);
        }
    }
    return 0;
}

static int complain(const char *what, const char *argument)
{
    fprintf(stderr, "error: %s: %s\n", what, argument);
    return 2;
}

int main(int argc, char **argv)
{
    struct rigproof_subject subject = rigproof_subject_named("tutorials");
    for (int i = 1; i + 1 < argc; i++) {
        if (strcmp(argv[i], "--way") == 0) {
            running = NULL;
            for (int w = 0; w < WAY_COUNT; w++) {
                running = strcmp(ways[w]->way, argv[i + 1]) == 0 ? ways[w] : running;
            }
            if (!running) {
                return complain("no such way", argv[i + 1]);
            }
        }
    }
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--ways") == 0) {
            for (int w = 0; w < WAY_COUNT; w++) {
                puts(ways[w]->way);
            }
            return 0;
        }
        if (strcmp(argv[i], "--faults") == 0) {
            return list_faults();
        }
        if (strcmp(argv[i], "--traits") == 0) {
            puts(running->traits);
            return 0;
        }
        if (strcmp(argv[i], "--fault") == 0 && (i + 1 == argc || !switch_on(argv[i + 1]))) {
            return complain("this way has no such fault", i + 1 < argc ? argv[i + 1] : "");
        }
    }
    subject.name = running->way;
    subject.gives = RIGPROOF_NODES | RIGPROOF_PALETTE | RIGPROOF_SKIN;
    subject.space = running->space;
    subject.storage = running->storage;
    subject.bones = running->bones;
    subject.load = load_model;
    subject.pose = pose_model;
    return rigproof_subject_main(argc, argv, &subject);
}
