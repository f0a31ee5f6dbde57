#include "draw/overlay/overlays.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/sort.h"
#include "data/image/font.h"

struct canvas canvas_create(const mat4 scene_to_clip, uint32_t width, uint32_t height, struct primitives *primitives)
{
    float unit = (float)(width < height ? width : height) / 512.0f;
    struct canvas canvas = {.width = (float)width, .height = (float)height, .primitives = primitives,
                            .unit = unit < 0.8f ? 0.8f : unit > 1.35f ? 1.35f : unit};
    memcpy(canvas.scene_to_clip, scene_to_clip, sizeof canvas.scene_to_clip);
    return canvas;
}

static void add_vertex(struct canvas *canvas, point p, const float color[4])
{
    struct primitives *primitives = canvas->primitives;
    primitives->vertices = memory_room(primitives->vertices, primitives->count, sizeof *primitives->vertices);
    struct primitive_vertex *v = &primitives->vertices[primitives->count++];
    v->x = p.x / (0.5f * canvas->width);
    v->y = p.y / (0.5f * canvas->height);
    v->z = p.z;
    memcpy(v->color, color, sizeof v->color);
}

static void add_triangle(struct canvas *canvas, point a, point b, point c, const float color[4])
{
    add_vertex(canvas, a, color);
    add_vertex(canvas, b, color);
    add_vertex(canvas, c, color);
}

void add_line(struct canvas *canvas, point a, point b, float half, const float color[4])
{
    float dx = b.x - a.x, dy = b.y - a.y, length = sqrtf(dx * dx + dy * dy);
    if (!(length > 1e-3f) || !isfinite(length))
        return;
    float nx = -dy / length * half, ny = dx / length * half;
    point p0 = {a.x + nx, a.y + ny, a.z}, p1 = {a.x - nx, a.y - ny, a.z};
    point p2 = {b.x - nx, b.y - ny, b.z}, p3 = {b.x + nx, b.y + ny, b.z};
    add_triangle(canvas, p0, p1, p2, color);
    add_triangle(canvas, p0, p2, p3, color);
}

void add_disc(struct canvas *canvas, point at, float radius, const float color[4])
{
    enum { SIDES = 16 };
    point ring[SIDES];
    for (int i = 0; i < SIDES; i++) {
        double angle = 2 * 3.14159265358979323846 * i / SIDES;
        ring[i] = (point){at.x + radius * (float)cos(angle), at.y + radius * (float)sin(angle), at.z};
    }
    for (int i = 0; i < SIDES; i++)
        add_triangle(canvas, at, ring[i], ring[(i + 1) % SIDES], color);
}

static void to_clip(const struct canvas *canvas, const vec3 p, float out[4])
{
    const vec4 *m = canvas->scene_to_clip;
    for (int r = 0; r < 4; r++)
        out[r] = m[0][r] * p[0] + m[1][r] * p[1] + m[2][r] * p[2] + m[3][r];
}

static bool to_screen(const struct canvas *canvas, const float clip[4], point *out)
{
    *out = (point){0.5f * canvas->width * clip[0] / clip[3], 0.5f * canvas->height * clip[1] / clip[3], 0};
    if (canvas->tested) { /* what is lifted past the near plane lies on it */
        float z = clip[2] + canvas->lift[2], w = clip[3] + canvas->lift[3];
        out->z = w > 0 && z > -w ? z / w : -1;
    }
    return isfinite(out->x) && isfinite(out->y) && isfinite(out->z);
}

bool project(const struct canvas *canvas, const vec3 p, point *out)
{
    float clip[4];
    to_clip(canvas, p, clip);
    return clip[2] + clip[3] > 0 && to_screen(canvas, clip, out);
}

bool project_segment(const struct canvas *canvas, const vec3 from, const vec3 to, point *a, point *b)
{
    float p[4], q[4];
    to_clip(canvas, from, p);
    to_clip(canvas, to, q);
    float dp = p[2] + p[3], dq = q[2] + q[3]; /* from the near plane */
    if (!(dp > 0 || dq > 0))
        return false;
    float t = dp / (dp - dq);
    for (int i = 0; i < 4; i++) {
        float cut = p[i] + t * (q[i] - p[i]);
        if (!(dp > 0))
            p[i] = cut;
        if (!(dq > 0))
            q[i] = cut;
    }
    return to_screen(canvas, p, a) && to_screen(canvas, q, b);
}

int label_scale(const struct canvas *canvas)
{
    uint32_t scale = (uint32_t)fminf(canvas->width, canvas->height) / 256;
    return scale < 1 ? 1 : (int)scale;
}

void add_rectangle(struct canvas *canvas, int x, int y, int width, int height, const float color[4])
{
    const float left = (float)x - 0.5f * canvas->width, right = left + (float)width;
    const float top = 0.5f * canvas->height - (float)y, bottom = top - (float)height;
    const point a = {left, top, 0}, b = {left, bottom, 0}, c = {right, bottom, 0}, d = {right, top, 0};
    add_triangle(canvas, a, b, c, color);
    add_triangle(canvas, a, c, d, color);
}

void take_place(struct boxes *taken, struct box box)
{
    taken->items = memory_room(taken->items, taken->count, sizeof *taken->items);
    taken->items[taken->count++] = box;
}

void add_panel(struct canvas *canvas, struct box box)
{
    static const float color[4] = {0.08f, 0.09f, 0.11f, 0.7f};
    add_rectangle(canvas, box.x, box.y, box.width, box.height, color);
    if (canvas->taken)
        take_place(canvas->taken, box);
}

/* A rectangle for each run of pixels in a row of a glyph. */
static void add_text(struct canvas *canvas, const char *text, size_t length, int x, int y, int scale,
                     const float color[4])
{
    for (size_t i = 0; i < length; i++, x += FONT_ADVANCE * scale)
        for (int row = 0; row < FONT_HEIGHT; row++)
            for (int column = 0, run; column < FONT_WIDTH; column += run + 1) {
                for (run = 0; column + run < FONT_WIDTH && font_covers(text[i], column + run, row);)
                    run++;
                if (run == 0)
                    continue;
                add_rectangle(canvas, x + column * scale, y + row * scale, run * scale, scale, color);
            }
}

void add_shadowed(struct canvas *canvas, const char *text, size_t length, int x, int y, int scale, const float color[4])
{
    static const float shadow[4] = {0, 0, 0, 0.8f};
    add_text(canvas, text, length, x + scale, y + scale, scale, shadow);
    add_text(canvas, text, length, x, y, scale, color);
}

/* Lines in the upper left corner, in a frame, each cut to the picture's width, with ".." where something is missing. */
static void label_primitives(struct canvas *canvas, const char *text)
{
    enum { MARGIN = 4, PADDING = 3, LINE = FONT_HEIGHT + 3, LONGEST = 128 };
    static const float white[4] = {1, 1, 1, 1};
    const int scale = label_scale(canvas);
    const int fitting = ((int)canvas->width - 2 * MARGIN * scale) / (FONT_ADVANCE * scale);
    const size_t most = fitting < 0 ? 0 : fitting < LONGEST ? (size_t)fitting : LONGEST;
    size_t longest = 0;
    int y = MARGIN * scale, lines = 0;
    for (const char *line = text; *line; lines++) {
        const size_t length = strcspn(line, "\n");
        longest = length > longest ? length : longest;
        line += length + (line[length] == '\n');
    }
    longest = longest < most ? longest : most;
    if (longest > 0)
        add_panel(canvas, (struct box){(MARGIN - PADDING) * scale, (MARGIN - PADDING) * scale,
                                       ((int)longest * FONT_ADVANCE + 2 * PADDING - 1) * scale,
                                       ((lines - 1) * LINE + FONT_HEIGHT + 2 * PADDING) * scale});
    for (const char *line = text; *line; y += LINE * scale) {
        char shown[LONGEST];
        size_t length = strcspn(line, "\n"), count = length < most ? length : most;
        memcpy(shown, line, count);
        if (count < length && count >= 2)
            memcpy(shown + count - 2, "..", 2);
        add_shadowed(canvas, shown, count, MARGIN * scale, y, scale, white);
        line += length + (line[length] == '\n');
    }
}

static void bounds_primitives(struct canvas *canvas, const struct bounds *bounds, float opacity)
{
    const float color[4] = {0.30f, 0.85f, 1.0f, opacity};
    const float *ends[2] = {bounds->min, bounds->max};
    for (int axis = 0; axis < 3; axis++)
        for (int corner = 0; corner < 4; corner++) {
            int second = (axis + 1) % 3, third = (axis + 2) % 3;
            vec3 from, to;
            point a, b;
            from[second] = to[second] = ends[corner & 1][second];
            from[third] = to[third] = ends[corner >> 1][third];
            from[axis] = bounds->min[axis];
            to[axis] = bounds->max[axis];
            if (project_segment(canvas, from, to, &a, &b))
                add_line(canvas, a, b, 0.7f * canvas->unit, color);
        }
}

static const float rim_color[4] = {0.08f, 0.09f, 0.11f, 0.8f};

/* A line with a head, on the screen; shorter than its head it is the head alone. */
static void add_arrow(struct canvas *canvas, point from, point to, float wider, const float color[4])
{
    float dx = to.x - from.x, dy = to.y - from.y, length = hypotf(dx, dy);
    float unit = canvas->unit, head = 9 * unit, half = (1.2f + wider) * unit, wide = (3.6f + 1.8f * wider) * unit;
    if (!(length > 1e-3f))
        return;
    dx /= length;
    dy /= length;
    float tip = 1.6f * wider * unit, back = length > head ? head + wider * unit : length;
    point neck = {to.x - back * dx, to.y - back * dy, 0}, end = {to.x + tip * dx, to.y + tip * dy, 0};
    point left = {neck.x - wide * dy, neck.y + wide * dx, 0}, right = {neck.x + wide * dy, neck.y - wide * dx, 0};
    add_line(canvas, from, neck, half, color);
    add_triangle(canvas, left, right, end, color);
}

/* Returns where a letter begins whose middle is to be at `at`, such that it and its shadow are in the picture. */
static int letter_at(float at, float picture, int size, int scale)
{
    const int begin = (int)floorf(at) - size * scale / 2, last = (int)picture - (size + 2) * scale;
    return begin > last ? (last > scale ? last : scale) : begin < scale ? scale : begin;
}

/* Arrows along +x (red), +y (green), +z (blue) from the origin, each with its letter. */
static void axes_primitives(struct canvas *canvas, float length)
{
    static const float colors[3][4] = {{0.93f, 0.25f, 0.27f, 1}, {0.36f, 0.78f, 0.25f, 1}, {0.30f, 0.52f, 1.0f, 1}};
    static const vec3 origin = {0, 0, 0};
    const int scale = label_scale(canvas);
    const float beyond = 5 * canvas->unit + 4 * (float)scale; /* the arrow's end, where its letter is */
    for (int pass = 0; pass < 2; pass++)
        for (int axis = 0; axis < 3; axis++) {
            vec3 end = {0, 0, 0};
            point a, b;
            end[axis] = length;
            if (!project_segment(canvas, origin, end, &a, &b))
                continue;
            add_arrow(canvas, a, b, pass == 0 ? 0.9f : 0, pass == 0 ? rim_color : colors[axis]);
            float dx = b.x - a.x, dy = b.y - a.y, drawn = hypotf(dx, dy), out = drawn > 1e-3f ? beyond / drawn : 0;
            if (pass == 1 && fabsf(b.x) < 0.5f * canvas->width && fabsf(b.y) < 0.5f * canvas->height)
                add_shadowed(canvas, &"XYZ"[axis], 1,
                             letter_at(0.5f * canvas->width + b.x + out * dx, canvas->width, FONT_WIDTH, scale),
                             letter_at(0.5f * canvas->height - b.y - out * dy, canvas->height, FONT_HEIGHT, scale),
                             scale, colors[axis]);
        }
}

static int ascending(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* The edges of one instance's posed triangles, each once. */
static void wireframe_primitives(struct canvas *canvas, const struct mesh *mesh, const struct skinned *skinned)
{
    static const float edge_color[4] = {0.06f, 0.07f, 0.09f, 1.0f};
    static const float edge_half = 0.4f; /* pixels of a picture 512 wide */
    size_t count = 3 * (size_t)mesh->triangle_count;
    FREED uint64_t *edges = memory_new(count, sizeof *edges);
    /* Both ends of every edge in one number, sorted: the same edge of two triangles stands side by side. */
    for (size_t i = 0; i < count; i++) {
        uint64_t a = mesh->indices[i], b = mesh->indices[i % 3 == 2 ? i - 2 : i + 1];
        edges[i] = a < b ? a << 32 | b : b << 32 | a;
    }
    sort_items(edges, count, sizeof *edges, ascending);
    for (size_t i = 0; i < count; i++) {
        point a, b;
        if (i > 0 && edges[i] == edges[i - 1])
            continue;
        const float *from = skinned->positions[edges[i] >> 32], *to = skinned->positions[edges[i] & 0xffffffffu];
        if (project_segment(canvas, from, to, &a, &b))
            add_line(canvas, a, b, edge_half * canvas->unit, edge_color);
    }
}

/* Begins a run: what is added from now on is tested, or is not. */
static void begin_run(struct primitives *primitives, bool tested)
{
    primitives->runs[primitives->run_count++] = (struct primitive_run){.first = primitives->count, .tested = tested};
}

/* A little towards the camera: 0.6 % of the radius, so that neither slope nor rounding of a surface hides its edge. */
static struct canvas tested_canvas(const struct frame *frame, struct primitives *primitives)
{
    const struct frame_settings *frame_settings = frame->frame_settings;
    const vec4 *scene_to_clip = (const vec4 *)frame->scene_to_clip;
    struct canvas canvas = canvas_create(scene_to_clip, frame_settings->width, frame_settings->height, primitives);
    float radius = bounds_radius(&frame_settings->framed);
    float by =
        radius > 0 ? 0.006f * radius : 0.002f * (frame_settings->camera.far_plane - frame_settings->camera.near_plane);
    for (int r = 0; r < 4; r++)
        for (int i = 0; i < 3; i++)
            canvas.lift[r] += scene_to_clip[i][r] * by * frame->view[i][2];
    canvas.tested = true;
    return canvas;
}

/* The wireframe of every instance of the scene, for all of the crowd. */
static bool add_wireframe(const struct frame *frame, struct primitives *primitives, struct error *err)
{
    const struct scene *scene = frame->model->scene;
    struct canvas canvas = tested_canvas(frame, primitives);
    uint32_t count = crowd_members(&frame->crowd);
    bool good = true;
    begin_run(primitives, true);
    for (uint32_t i = 0; good && i < scene->instance_count; i++) {
        const struct mesh *mesh = &scene->meshes[scene->instances[i].mesh];
        if (mesh->triangle_count == 0)
            continue;
        FREED vec3 *vectors = memory_new(2 * (size_t)count * mesh->vertex_count, sizeof *vectors); /* and normals */
        FREED struct skinned *skinned = memory_new(count, sizeof *skinned);
        for (uint32_t m = 0; m < count; m++)
            skinned[m] = (struct skinned){.instance = i, .vertex_count = mesh->vertex_count,
                                          .positions = vectors + 2 * (size_t)m * mesh->vertex_count,
                                          .normals = vectors + (2 * (size_t)m + 1) * mesh->vertex_count};
        good = draw_crowd_capture(frame->renderer, frame->model, &frame->crowd, skinned, err);
        for (uint32_t m = 0; good && m < count; m++)
            wireframe_primitives(&canvas, mesh, &skinned[m]);
    }
    return good;
}

static void place_canvas(struct canvas *canvas, const vec3 place)
{
    for (int r = 0; r < 4; r++)
        for (int i = 0; i < 3; i++)
            canvas->scene_to_clip[3][r] += canvas->scene_to_clip[i][r] * place[i];
}

/* Adds what is drawn on top of everything. */
static void add_on_top(const struct frame *frame, struct primitives *primitives)
{
    const struct frame_settings *frame_settings = frame->frame_settings;
    struct canvas canvas =
        canvas_create((const vec4 *)frame->scene_to_clip, frame_settings->width, frame_settings->height, primitives);
    float radius = bounds_radius(&frame_settings->framed);
    struct boxes taken = {0};
    canvas.taken = &taken;
    begin_run(primitives, false);
    if (frame_settings->overlays & OVERLAY_AXES)
        axes_primitives(&canvas, AXES_LENGTH(radius));
    for (uint32_t m = 0; m < crowd_members(&frame->crowd); m++) {
        const struct crowd_member *member = &frame->crowd.members[m];
        struct canvas placed = canvas;
        place_canvas(&placed, member->place);
        if ((frame_settings->overlays & OVERLAY_SKELETON) && member->pose)
            skeleton_primitives(&placed, frame->model->scene, member->pose, frame_settings->selected_node);
    }
    if (frame_settings->overlays & OVERLAY_LABEL)
        label_primitives(&canvas, frame_settings->label);
    if (frame_settings->overlays & OVERLAY_LEGEND)
        legend_primitives(&canvas, frame_settings, &frame->range);
    if ((frame_settings->overlays & OVERLAY_NAMES) && frame->crowd.members[0].pose) { /* those of a crowd's first */
        place_canvas(&canvas, frame->crowd.members[0].place);
        names_primitives(&canvas, frame->model->scene, frame->crowd.members[0].pose, frame_settings->selected_node);
    }
    free(taken.items);
}

bool overlays_prepare(const struct frame *frame, struct primitives *primitives, struct error *err)
{
    const struct program_key key = {.shaders = frame->model->shaders, .kind = PROGRAM_OVERLAY};
    const struct bounds *box = &frame->frame_settings->framed;
    const GLsizei stride = sizeof(struct primitive_vertex);
    unsigned wanted = frame->frame_settings->overlays;
    if (!wanted)
        return true;
    primitives->program = programs_get(&frame->renderer->programs, &key, err);
    if (!primitives->program || ((wanted & OVERLAY_WIREFRAME) && !add_wireframe(frame, primitives, err)))
        return false;
    if ((wanted & OVERLAY_BOUNDS) && !bounds_is_empty(box)) { /* faint where the model hides it */
        struct canvas canvas = tested_canvas(frame, primitives);
        begin_run(primitives, false);
        bounds_primitives(&canvas, box, 0.3f);
        begin_run(primitives, true);
        bounds_primitives(&canvas, box, 1.0f);
    }
    add_on_top(frame, primitives);
    gl->BindVertexArray(frame->renderer->overlay_array);
    gl->BindBuffer(GL_ARRAY_BUFFER, frame->renderer->overlay_buffer);
    gl->BufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(primitives->count * sizeof(struct primitive_vertex)),
                   primitives->vertices, GL_STREAM_DRAW);
    gl->VertexAttribPointer(OVERLAY_POSITION, 3, GL_FLOAT, GL_FALSE, stride, NULL);
    gl->VertexAttribPointer(OVERLAY_COLOR, 4, GL_FLOAT, GL_FALSE, stride,
                            (const void *)offsetof(struct primitive_vertex, color));
    gl->EnableVertexAttribArray(OVERLAY_POSITION);
    gl->EnableVertexAttribArray(OVERLAY_COLOR);
    return true;
}

void overlays_draw(const struct renderer *renderer, const struct primitives *primitives)
{
    if (primitives->count == 0)
        return;
    gl->UseProgram(primitives->program->id);
    gl->BindVertexArray(renderer->overlay_array);
    for (size_t i = 0; i < primitives->run_count; i++) {
        const struct primitive_run *run = &primitives->runs[i];
        size_t end = i + 1 < primitives->run_count ? run[1].first : primitives->count;
        (run->tested ? gl->Enable : gl->Disable)(GL_DEPTH_TEST);
        gl->DrawArrays(GL_TRIANGLES, (GLint)run->first, (GLsizei)(end - run->first));
    }
    gl->Disable(GL_DEPTH_TEST);
}

void primitives_release(struct primitives *primitives)
{
    free(primitives->vertices);
    *primitives = (struct primitives){0};
}
