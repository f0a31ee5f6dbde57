/*
* Measures what llvmpipe alone needs for a model's frames: the same triangles, posed by the CPU and uploaded before the clock
 * starts, drawn by plain GL calls with the same fragment shader into the same kind of target, the same rectangle read
 * back. Beside it without reading back, with a fragment shader that does nothing, and what draw_crowd() needs.
 * Milliseconds a frame, medians of runs in alternation: wall time, and processor time of all threads.
 */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/sort.h"
#include "draw/frame/camera.h"
#include "draw/renderer/renderer.h"
#include "pipeline/pipeline.h"

enum { FRAMES = 30, MOST_RUNS = 15, MARGIN = 2, FACTOR = 2 }; /* supersamples along an edge, as PROFILE_PORTABLE has them */

struct vertex {
    vec4 clip;
    vec3 normal;
    vec2 uv;
    vec4 color;
};

/* A mesh where it stands, of one pose. */
struct part {
    GLuint array, vertices;
};

enum shading { SHADING_LIT, SHADING_NONE, SHADING_COUNT };

struct bare {
    struct pipeline pipeline;
    struct renderer *renderer;
    struct gpu_model *model;
    struct target target;
    uint8_t *pixels;
    struct frame_settings settings;
    mat4 scene_to_clip;
    struct part *parts;                      /* [FRAMES][instance_count] */
    struct rectangle covered[FRAMES];        /* of the target */
    GLuint *programs[SHADING_COUNT];         /* [instance_count] */
    struct crowd_member members[FRAMES];
    struct palette palettes[FRAMES];
};

static const char vertex_source[] = "#version 330 core\n"
                                    "layout(location = 0) in vec4 clip;\n"
                                    "layout(location = 1) in vec3 normal;\n"
                                    "layout(location = 2) in vec2 uv;\n"
                                    "layout(location = 3) in vec4 color;\n"
                                    "out vec3 skinned_normal;\n"
                                    "out vec2 surface_uv;\n"
                                    "out vec4 surface_color;\n"
                                    "flat out float mirrored;\n"
                                    "void main()\n"
                                    "{\n"
                                    "    gl_Position = clip;\n"
                                    "    skinned_normal = normal;\n"
                                    "    surface_uv = uv;\n"
                                    "    surface_color = color;\n"
                                    "    mirrored = 1.0;\n"
                                    "}\n";
static const char empty_source[] = "#version 330 core\nout vec4 pixel;\nvoid main() { pixel = vec4(1.0); }\n";

static void end(const char *why)
{
    fprintf(stderr, "bare: %s\n", why);
    exit(1);
}

/* ---- before the clock starts ------------------------------------------------------------------------------------- */

static GLuint compile(GLenum stage, const char *source)
{
    GLint good = 0;
    GLuint id = gl->CreateShader(stage);
    gl->ShaderSource(id, 1, &source, NULL);
    gl->CompileShader(id);
    gl->GetShaderiv(id, GL_COMPILE_STATUS, &good);
    if (!good)
        end("a shader does not compile");
    return id;
}

static GLuint make_program(enum shading shading, const struct material *material)
{
    char defines[128];
    struct shader_text lit;
    GLint good = 0;
    GLuint id = gl->CreateProgram();
    snprintf(defines, sizeof defines, "#define RIGPROOF 1\n#define TEXTURED %d\n#define TWO_SIDED 1\n#define ALPHA %d\n",
             material->base_texture != NO_INDEX, material->alpha_mode == ALPHA_MASK);
    shader_text_assemble(NULL, "lit.frag", defines, &lit);
    gl->AttachShader(id, compile(GL_VERTEX_SHADER, vertex_source));
    gl->AttachShader(id, compile(GL_FRAGMENT_SHADER, shading == SHADING_LIT ? text_string(&lit.text) : empty_source));
    gl->LinkProgram(id);
    gl->GetProgramiv(id, GL_LINK_STATUS, &good);
    if (!good)
        end("a program does not link");
    text_release(&lit.text);
    gl->UseProgram(id);
    gl->Uniform4fv(gl->GetUniformLocation(id, "base_color"), 1, material->base_color);
    gl->Uniform1i(gl->GetUniformLocation(id, "base_texture"), UNIFORM_BASE_TEXTURE);
    gl->Uniform1f(gl->GetUniformLocation(id, "alpha_cutoff"), material->alpha_cutoff);
    static const char *const directions[] = {"key_direction", "fill_direction", "rim_direction", "sky_direction"};
    for (int i = 0; i < 4; i++) /* any: what they are costs nothing */
        gl->Uniform3fv(gl->GetUniformLocation(id, directions[i]), 1, (const float[3]){i % 2 ? -0.48f : 0.48f, 0.64f, 0.6f});
    return id;
}

static void to_clip(const struct bare *bare, const vec3 from, vec4 out)
{
    for (int r = 0; r < 4; r++) {
        out[r] = bare->scene_to_clip[3][r];
        for (int c = 0; c < 3; c++)
            out[r] += bare->scene_to_clip[c][r] * from[c];
    }
}

/* Uploads an instance as it is skinned now, and widens what the frame covers. */
static void upload(const struct bare *bare, const struct skinned *skinned, struct part *part, double least[2], double most[2])
{
    static const struct {
        GLint components;
        size_t offset;
    } attributes[] = {{4, offsetof(struct vertex, clip)}, {3, offsetof(struct vertex, normal)},
                      {2, offsetof(struct vertex, uv)}, {4, offsetof(struct vertex, color)}};
    const struct scene *scene = bare->pipeline.scene;
    const uint32_t index = scene->instances[skinned->instance].mesh, count = skinned->vertex_count;
    const struct mesh *mesh = &scene->meshes[index];
    struct vertex *vertices = memory_new(count, sizeof *vertices);
    for (uint32_t v = 0; v < count; v++) {
        struct vertex *to = &vertices[v];
        to_clip(bare, skinned->positions[v], to->clip);
        memcpy(to->normal, skinned->normals[v], sizeof to->normal);
        if (mesh->uvs)
            memcpy(to->uv, mesh->uvs[v], sizeof to->uv);
        for (int i = 0; i < 4; i++)
            to->color[i] = mesh->colors ? mesh->colors[v][i] : 1;
        for (int k = 0; k < 2; k++) {
            double pixel = (0.5 + 0.5 * (double)to->clip[k] / (double)to->clip[3]) * (k ? bare->target.height : bare->target.width);
            least[k] = fmin(least[k], pixel);
            most[k] = fmax(most[k], pixel);
        }
    }
    gl->GenVertexArrays(1, &part->array);
    gl->BindVertexArray(part->array);
    gl->GenBuffers(1, &part->vertices);
    gl->BindBuffer(GL_ARRAY_BUFFER, part->vertices);
    gl->BufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(count * sizeof *vertices), vertices, GL_STATIC_DRAW);
    gl->BindBuffer(GL_ELEMENT_ARRAY_BUFFER, bare->model->meshes[index].indices);
    for (GLuint a = 0; a < sizeof attributes / sizeof *attributes; a++) {
        gl->EnableVertexAttribArray(a);
        gl->VertexAttribPointer(a, attributes[a].components, GL_FLOAT, GL_FALSE, sizeof *vertices,
                                (const void *)attributes[a].offset);
    }
    free(vertices);
}

static struct rectangle around(const struct bare *bare, const double least[2], const double most[2])
{
    const double size[2] = {bare->target.width, bare->target.height};
    uint32_t first[2], last[2];
    for (int k = 0; k < 2; k++) {
        first[k] = (uint32_t)fmin(fmax(floor(least[k]) - MARGIN * FACTOR, 0), size[k] - 1);
        last[k] = (uint32_t)fmax(fmin(ceil(most[k]) + MARGIN * FACTOR, size[k]), first[k] + 1);
    }
    return (struct rectangle){first[0], first[1], last[0] - first[0], last[1] - first[1]};
}

static bool prepare(struct bare *bare, const double *times, struct error *err)
{
    struct pipeline *p = &bare->pipeline;
    const struct scene *scene = p->scene;
    const struct settings *settings = p->settings;
    struct bounds bounds = bounds_empty();
    struct camera camera;
    mat4 view, projection;
    if (!pipeline_bounds(p, times, FRAMES, &bounds, err) || !pipeline_camera(p, &bounds, &settings->orbit, &camera, err) ||
        !(bare->renderer = renderer_create(BACKEND_AUTO, err)) || !(bare->model = gpu_model_create(bare->renderer, scene, err)))
        return false;
    bare->settings = pipeline_frame_settings(p, &bounds, &camera);
    bare->settings.background[3] = 0; /* a pixel's alpha then says whether something covers it */
    if (!target_prepare(&bare->target, settings->width * FACTOR, settings->height * FACTOR, 1, err))
        return false;
    bare->pixels = memory_new((size_t)bare->target.width * bare->target.height, 4);
    camera_matrices(&camera, (float)settings->width / (float)settings->height, view, projection);
    for (int c = 0; c < 4; c++)
        for (int r = 0; r < 4; r++) {
            bare->scene_to_clip[c][r] = 0;
            for (int k = 0; k < 4; k++)
                bare->scene_to_clip[c][r] += projection[k][r] * view[c][k];
        }
    bare->parts = memory_new((size_t)FRAMES * scene->instance_count, sizeof *bare->parts);
    for (int f = 0; f < FRAMES; f++) {
        double least[2] = {INFINITY, INFINITY}, most[2] = {-INFINITY, -INFINITY};
        if (!pipeline_pose(p, times[f], err))
            return false;
        pipeline_skin(p);
        bare->palettes[f] = palette_copy(&p->palette, scene, p->arena);
        bare->members[f] = (struct crowd_member){.palette = &bare->palettes[f]};
        for (uint32_t i = 0; i < scene->instance_count; i++)
            upload(bare, &p->skinned[i], &bare->parts[(uint32_t)f * scene->instance_count + i], least, most);
        bare->covered[f] = around(bare, least, most);
    }
    for (enum shading s = 0; s < SHADING_COUNT; s++) {
        bare->programs[s] = memory_new(scene->instance_count, sizeof *bare->programs[s]);
        for (uint32_t i = 0; i < scene->instance_count; i++)
            bare->programs[s][i] = make_program(s, &scene->materials[scene->meshes[scene->instances[i].mesh].material]);
    }
    return gl_check_errors("bare", err);
}

/* ---- what is measured -------------------------------------------------------------------------------------------- */

/* Draws a frame; reads all that it covers, or one pixel, which waits for the rest as well. */
static void draw_bare(const struct bare *bare, int frame, enum shading shading, bool reads)
{
    const struct scene *scene = bare->pipeline.scene;
    const struct rectangle *covered = &bare->covered[frame], one = {covered->x, covered->y, 1, 1};
    target_clear(&bare->target, covered);
    gl->BindFramebuffer(GL_FRAMEBUFFER, bare->target.framebuffer);
    gl->Viewport(0, 0, (GLsizei)bare->target.width, (GLsizei)bare->target.height);
    gl->Scissor((GLint)covered->x, (GLint)covered->y, (GLsizei)covered->width, (GLsizei)covered->height);
    gl->Enable(GL_SCISSOR_TEST);
    gl->Enable(GL_DEPTH_TEST);
    gl->DepthFunc(GL_LESS);
    gl->DepthMask(GL_TRUE);
    gl->Disable(GL_BLEND);
    for (uint32_t i = 0; i < scene->instance_count; i++) {
        const struct mesh *mesh = &scene->meshes[scene->instances[i].mesh];
        const struct material *material = &scene->materials[mesh->material];
        gl->UseProgram(bare->programs[shading][i]);
        gl->BindVertexArray(bare->parts[(uint32_t)frame * scene->instance_count + i].array);
        if (material->base_texture != NO_INDEX) {
            gl->ActiveTexture(GL_TEXTURE0 + UNIFORM_BASE_TEXTURE);
            gl->BindTexture(GL_TEXTURE_2D, bare->model->textures[material->base_texture]);
        }
        (material->two_sided ? gl->Disable : gl->Enable)(GL_CULL_FACE);
        gl->CullFace(GL_BACK);
        gl->DrawElementsInstanced(GL_TRIANGLES, (GLsizei)(3 * mesh->triangle_count), GL_UNSIGNED_INT, NULL, 1);
    }
    gl->Disable(GL_CULL_FACE);
    gl->Disable(GL_SCISSOR_TEST);
    target_read(&bare->target, reads ? covered : &one, bare->pixels);
}

static struct image draw_ours(const struct bare *bare, int frame)
{
    const struct crowd crowd = {.members = &bare->members[frame]};
    struct image picture;
    struct error err = {0};
    if (!draw_crowd(bare->renderer, bare->model, &crowd, &bare->settings, &picture, &err))
        end(err.text);
    return picture;
}

/* Both must show the same: pixels that something covers, with a thousandth for what the two round differently. */
static void check_coverage(const struct bare *bare, int frame)
{
    const struct rectangle *box = &bare->covered[frame];
    struct image picture = draw_ours(bare, frame);
    size_t covered = 0, differ = 0, inside = 0;
    draw_bare(bare, frame, SHADING_LIT, true);
    for (uint32_t y = 0; y < picture.height; y++)
        for (uint32_t x = 0; x < picture.width; x++) {
            const uint32_t left = x * FACTOR, below = (picture.height - 1 - y) * FACTOR;
            const bool ours = picture.rgba[4 * ((size_t)y * picture.width + x) + 3] > 0;
            bool theirs = false;
            for (uint32_t s = 0; s < FACTOR * FACTOR; s++) {
                const uint32_t column = left + s % FACTOR - box->x, row = below + s / FACTOR - box->y; /* wrap around outside */
                if (column < box->width && row < box->height)
                    theirs = theirs || bare->pixels[4 * ((size_t)row * box->width + column) + 3] > 0;
            }
            covered += ours;
            inside += theirs;
            differ += ours != theirs;
        }
    image_release(&picture);
    if (covered == 0 || differ > 1 + covered / 1000) {
        fprintf(stderr, "bare: frame %d: draw_crowd() covers %zu pixels, plain GL %zu, %zu differ\n", frame, covered, inside, differ);
        exit(1);
    }
}

enum way { WAY_BARE, WAY_UNREAD, WAY_EMPTY, WAY_OURS, WAY_COUNT };
static const char *const way_names[] = {"bare llvmpipe", "without read-back", "empty fragment shader", "draw_crowd()"};

static double seconds(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void measure(const struct bare *bare, int runs)
{
    static const clockid_t clocks[2] = {CLOCK_MONOTONIC, CLOCK_PROCESS_CPUTIME_ID};
    static double took[WAY_COUNT][2][MOST_RUNS];
    for (int run = -1; run < runs; run++) /* the first one compiles */
        for (enum way way = 0; way < WAY_COUNT; way++) {
            double begin[2] = {seconds(clocks[0]), seconds(clocks[1])};
            for (int f = 0; f < FRAMES; f++)
                if (way == WAY_OURS) {
                    struct image picture = draw_ours(bare, f);
                    image_release(&picture);
                } else {
                    draw_bare(bare, f, way == WAY_EMPTY ? SHADING_NONE : SHADING_LIT, way != WAY_UNREAD);
                }
            for (int c = 0; c < 2 && run >= 0; c++)
                took[way][c][run] = 1e3 * (seconds(clocks[c]) - begin[c]) / FRAMES;
        }
    for (enum way way = 0; way < WAY_COUNT; way++) {
        for (int c = 0; c < 2; c++)
            qsort(took[way][c], (size_t)runs, sizeof took[way][c][0], compare_doubles);
        printf("%s\t%.3f\t%.3f\n", way_names[way], took[way][0][runs / 2], took[way][1][runs / 2]);
    }
}

int main(int argc, char **argv)
{
    struct bare bare = {0};
    struct settings settings;
    struct error err = {0};
    const int runs = argc == 3 ? atoi(argv[2]) : MOST_RUNS;
    if (argc < 2 || argc > 3 || runs < 1 || runs > MOST_RUNS) {
        fprintf(stderr, "usage: rigproof-bare MODEL [RUNS]      1 to %d runs\n", MOST_RUNS);
        return 2;
    }
    settings_init(&settings);
    settings_set(&settings, "times", "even:30", &err); /* FRAMES */
    size_t count = 0;
    if (!pipeline_open(&bare.pipeline, argv[1], &settings, &err))
        end(err.text);
    double *times = pipeline_times(&bare.pipeline, &count, &err);
    if (!times || count != FRAMES || !prepare(&bare, times, &err))
        end(*err.text ? err.text : "the model has no clip");
    for (int f = 0; f < FRAMES; f++)
        check_coverage(&bare, f);
    measure(&bare, runs);
    fflush(stdout);
    _exit(0); /* as rigproof ends: nothing is freed */
}
