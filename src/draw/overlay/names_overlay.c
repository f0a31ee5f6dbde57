/* The names of bones beside their joints. */
#include "draw/overlay/overlays.h"

#include <math.h>
#include <stdio.h>

#include "base/memory.h"
#include "base/names.h"
#include "base/utf8.h"
#include "data/image/font.h"

enum { LONGEST = 28, PADDING = 2, MARGIN = 2 };

static const float text_color[4] = {1, 1, 1, 1}, line_color[4] = {1.0f, 0.69f, 0.13f, 1};

struct placed_name {
    char text[LONGEST];
    size_t length;
    point joint;    /* as project() has it */
    struct box box; /* of width 0: there is no place for it */
    bool is_near;   /* so that it needs no line to its joint */
};

static bool overlap(const struct box *a, const struct box *b)
{
    return a->x < b->x + b->width && b->x < a->x + a->width && a->y < b->y + b->height && b->y < a->y + a->height;
}

static bool is_free(const struct canvas *canvas, const struct box *box)
{
    bool free_here = box->x >= MARGIN && box->y >= MARGIN && box->x + box->width + MARGIN <= (int)canvas->width &&
                     box->y + box->height + MARGIN <= (int)canvas->height;
    for (size_t i = 0; free_here && i < canvas->taken->count; i++)
        free_here = !overlap(box, &canvas->taken->items[i]);
    return free_here;
}

/* In letters of the font, which has no others than ASCII: each other is a question mark. */
static size_t write_name(const char *name, char out[LONGEST])
{
    size_t skipped = utf8_count(name) > LONGEST ? utf8_count(name) - (LONGEST - 2) : 0, length = 0;
    if (skipped > 0)
        length = (size_t)snprintf(out, LONGEST, "..");
    while (*name && length < LONGEST) {
        const size_t bytes = utf8_length(name) ? utf8_length(name) : 1;
        if (skipped > 0)
            skipped--;
        else
            out[length++] = bytes == 1 ? *name : '?';
        name += bytes;
    }
    return length;
}

/* The nearest free place: level with the joint on the side away from `middle` first, then all around it. */
static void find_place(struct canvas *canvas, struct placed_name *name, int scale, float middle)
{
    static const int around[8][2] = {{1, 0}, {1, -1}, {1, 1}, {-1, 0}, {0, -1}, {0, 1}, {-1, -1}, {-1, 1}};
    static const float distances[] = {5, 11, 19, 30, 44, 62, 84};
    enum { RINGS = sizeof distances / sizeof *distances };
    const int width = ((int)name->length * FONT_ADVANCE - 1 + 2 * PADDING) * scale;
    const int height = (FONT_HEIGHT + 2 * PADDING) * scale;
    const float x = 0.5f * canvas->width + name->joint.x, y = 0.5f * canvas->height - name->joint.y;
    const int side = name->joint.x < middle ? -1 : 1;
    for (int i = 0; i < RINGS * 8; i++) {
        const int right = side * around[i % 8][0], down = around[i % 8][1];
        const float reach = distances[i / 8] * canvas->unit * (right && down ? 0.7f : 1.0f);
        const struct box box = {
            (int)floorf(x + (float)right * reach) - (right < 0 ? width : right == 0 ? width / 2 : 0),
            (int)floorf(y + (float)down * reach) - (down < 0 ? height : down == 0 ? height / 2 : 0), width, height};
        if (!is_free(canvas, &box))
            continue;
        name->box = box;
        name->is_near = i < 8;
        take_place(canvas->taken, box);
        return;
    }
}

static point nearest_of(const struct canvas *canvas, const struct box *box, point to)
{
    const float left = (float)box->x - 0.5f * canvas->width, top = 0.5f * canvas->height - (float)box->y;
    return (point){fminf(fmaxf(to.x, left), left + (float)box->width),
                   fminf(fmaxf(to.y, top - (float)box->height), top), 0};
}

static void draw_name(struct canvas *canvas, const struct placed_name *name, int scale)
{
    add_panel(canvas, name->box);
    add_shadowed(canvas, name->text, name->length, name->box.x + PADDING * scale, name->box.y + PADDING * scale, scale,
                 text_color);
}

static void say_left_out(struct canvas *canvas, size_t count, int scale)
{
    struct placed_name note = {0};
    note.length = (size_t)snprintf(note.text, sizeof note.text, "%zu name%s left out", count, count == 1 ? "" : "s");
    const int width = ((int)note.length * FONT_ADVANCE - 1 + 2 * PADDING) * scale;
    const int height = (FONT_HEIGHT + 2 * PADDING) * scale;
    note.box = (struct box){(int)canvas->width - width - 2 * MARGIN, (int)canvas->height - height - 2 * MARGIN, width,
                            height};
    draw_name(canvas, &note, scale);
}

/* Those of joints in the picture, the selected one first; returns how many. Joints are no place for names. */
static size_t list_names(struct canvas *canvas, const struct scene *scene, const struct pose *pose,
                         int32_t selected_node, struct placed_name *names)
{
    struct name_prefix prefix = {0};
    FREED bool *shown = memory_new(scene->node_count, 1);
    size_t count = 0;
    skeleton_shown(scene, shown);
    for (uint32_t n = 0; n < scene->node_count; n++)
        if (scene->nodes[n].is_bone)
            name_prefix_add(&prefix, scene->nodes[n].name);
    for (uint32_t i = 0; i <= scene->node_count; i++) {
        const int32_t n = i == 0 ? selected_node : (int32_t)i - 1;
        struct placed_name *name = &names[count];
        const int radius = (int)ceilf(2.6f * canvas->unit);
        if (n < 0 || (i > 0 && (n == selected_node || !shown[n])) ||
            !project(canvas, pose->node_to_scene[n][3], &name->joint))
            continue;
        const float x = 0.5f * canvas->width + name->joint.x, y = 0.5f * canvas->height - name->joint.y;
        if (!(x >= 0 && y >= 0 && x < canvas->width && y < canvas->height))
            continue;
        name->length = write_name(name_without(&prefix, scene->nodes[n].name), name->text);
        take_place(canvas->taken, (struct box){(int)x - radius, (int)y - radius, 2 * radius, 2 * radius});
        count += name->length > 0;
    }
    return count;
}

void names_primitives(struct canvas *canvas, const struct scene *scene, const struct pose *pose, int32_t selected_node)
{
    const int scale = (label_scale(canvas) + 1) / 2;
    FREED struct placed_name *names = memory_new(scene->node_count + 1, sizeof *names);
    const size_t count = list_names(canvas, scene, pose, selected_node, names);
    float middle = 0;
    size_t left_out = 0;
    for (size_t i = 0; i < count; i++)
        middle += names[i].joint.x / (float)count;
    for (size_t i = 0; i < count; i++) {
        find_place(canvas, &names[i], scale, middle);
        left_out += names[i].box.width == 0;
    }
    for (size_t i = 0; i < count; i++) /* below all frames */
        if (names[i].box.width > 0 && !names[i].is_near)
            add_line(canvas, names[i].joint, nearest_of(canvas, &names[i].box, names[i].joint), 0.5f * canvas->unit,
                     line_color);
    for (size_t i = 0; i < count; i++)
        if (names[i].box.width > 0)
            draw_name(canvas, &names[i], scale);
    if (left_out > 0)
        say_left_out(canvas, left_out, scale);
}
