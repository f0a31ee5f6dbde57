/* Compiled as C99 and as C++11. A one-bone engine that also does what subjects do wrong: it prints on stdout, has names that need
 * escapes, and divides by zero. */
#define RIGPROOF_SUBJECT_IMPLEMENTATION
#include "rigproof_subject.h"

static int loads;

static bool load(void *user, const char *model, struct rigproof_answer *answer)
{
    (void)user;
    loads++;
    printf("loading %s\n", model);
    return strstr(model, "absent") ? rigproof_fail(answer, "%s: no such \"file\"", model) : true;
}

static bool pose(void *user, const struct rigproof_request *request, struct rigproof_answer *answer)
{
    static const char *const bones[] = {"a", "b"};
    const char *clip = request->clip ? request->clip : "rest";
    float zero = 0, time = (float)request->time, count = (float)loads;
    float t[3], matrices[32] = {0};
    (void)user;
    t[0] = time, t[1] = count, t[2] = (float)request->clip_index;
    matrices[0] = 1, matrices[31] = 0.1f;
    rigproof_node(answer, clip, NULL, t, NULL, NULL, NULL, NULL);
    if (strcmp(clip, "nan") == 0) {
        matrices[3] = zero / zero;
    }
    if (strcmp(clip, "list") == 0) {
        rigproof_palette(answer, "mesh", "a", matrices);
    } else {
        rigproof_palette_flat(answer, matrices, 2, bones);
    }
    return strcmp(clip, "silent") != 0;
}

static bool skin(void *user, const struct rigproof_request *request, struct rigproof_answer *answer)
{
    static const float positions[6] = {0, 0, 0, 1, -2, 0.5f};
    (void)user, (void)request;
    rigproof_skin(answer, "mesh", positions, NULL, 2);
    return true;
}

static bool draw(void *user, const struct rigproof_request *request, struct rigproof_answer *answer)
{
    static unsigned char pixels[2 * 3 * 4];
    (void)user;
    pixels[0] = 255, pixels[3] = 255;
    return request->picture.width == 2 && request->picture.height == 3 && request->picture.camera.has_matrices &&
                   rigproof_write_png(request->picture.file, 2, 3, pixels, true)
               ? true
               : rigproof_fail(answer, "cannot draw %s", request->picture.file);
}

int main(int argc, char **argv)
{
    struct rigproof_subject subject = rigproof_subject_named("fixture");
    setlocale(LC_ALL, "");
    subject.version = "1.0";
    subject.gives = RIGPROOF_NODES | RIGPROOF_PALETTE | RIGPROOF_SKIN | RIGPROOF_PICTURE;
    subject.storage = "columns";
    subject.unit = 0.01;
    subject.axes[0] = "x", subject.axes[1] = "z", subject.axes[2] = "-y";
    subject.strip = "rig:";
    subject.load = load;
    subject.pose = pose;
    subject.skin = skin;
    subject.draw = draw;
    if (argc > 1 && !rigproof_subject_wanted(argc, argv)) {
        return 7;
    }
    return rigproof_subject_main(argc, argv, &subject);
}
