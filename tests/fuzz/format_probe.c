/* The bytes of an FBX, DAE or IQM file are read beside Assimp; the first byte chooses. */
#include "import/scene/convert.h"
#include "target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const formats[] = {"fbx", "dae", "iqm"};
    struct error err = {0};
    if (size == 0)
        return 0;
    target_file("m", data + 1, size - 1);
    /* An animated, unequally scaled parent, so that every sign counts. */
    const struct keys keys = {.count = 2, .times = (double[]){0, 1}, .values = (float[]){0, 0, 0, 1, 1, 1}};
    struct node nodes[] = {{.name = "root", .parent = NO_INDEX, .rest.scale = {1, 2, 3}}, {.name = "tip", .rest.scale = {1, 1, 1}}};
    struct channel channel = {.node_name = "root", .keys = {keys}};
    struct clip clip = {.name = "clip", .ticks_per_second = 25, .channel_count = 1, .channels = &channel};
    struct scene scene = {.arena = target_arena(), .path = "m", .format = formats[data[0] % 3], .node_count = 2,
                          .nodes = nodes, .clip_count = 1, .clips = &clip};
    struct named_node names[] = {{"root", 0}, {"tip", 1}};
    const struct aiScene source = {0};
    struct conversion c = {.scene = &scene, .source = &source, .nodes_by_name = names, .err = &err,
                           .repairs = REPAIR_DAE_CURVES | REPAIR_DAE_CLIPS};
    struct text rewritten = {0};
    add_warnings(&c);
    if (data[0] % 3 == 1) {
        dae_rewrite(&c, &rewritten);
        repair_dae(&c);
    }
    text_release(&rewritten);
    conversion_release(&c);
    arena_destroy(scene.arena);
    return 0;
}
