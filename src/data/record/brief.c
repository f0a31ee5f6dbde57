/* One line a model: what `inspect --brief` prints. */
#include "data/record/brief.h"

#include "base/utf8.h"
#include "data/json_fields.h"

static const char *copy_name(const char *name, struct arena *arena)
{
    return arena_string(arena, utf8_fix(name, arena));
}

void brief_gather(const struct scene *scene, const char *name, struct arena *arena, struct brief *out)
{
    *out = (struct brief){.model = copy_name(name, arena), .nodes = scene->node_count, .meshes = scene->mesh_count};
    for (uint32_t i = 0; i < scene->node_count; i++)
        out->bones += scene->nodes[i].is_bone;
    for (uint32_t i = 0; i < scene->mesh_count; i++) {
        const struct mesh *mesh = &scene->meshes[i];
        out->vertices += mesh->vertex_count;
        out->triangles += mesh->triangle_count;
        const uint32_t most = mesh_most_influences(mesh);
        out->most_influences = most > out->most_influences ? most : out->most_influences;
    }
    for (uint32_t i = 0; i < scene->note_count; i++) {
        out->repairs += scene->notes[i].kind == NOTE_REPAIR;
        out->warnings += scene->notes[i].kind == NOTE_WARNING;
    }
    out->clip_count = scene->clip_count;
    out->clips = ARENA_NEW(arena, struct brief_clip, scene->clip_count);
    for (uint32_t i = 0; i < scene->clip_count; i++)
        out->clips[i] = (struct brief_clip){copy_name(scene->clips[i].name, arena), scene->clips[i].duration};
}

static void write_clips(const struct brief *brief, struct text *out)
{
    enum { MOST = 12 };
    text_add(out, "  ");
    for (uint32_t i = 0; i < brief->clip_count && i < MOST; i++) {
        text_add(out, i > 0 ? ", " : "");
        text_add_name(out, brief->clips[i].name);
        text_addf(out, " %.4g s", brief->clips[i].duration);
    }
    if (brief->clip_count > MOST)
        text_addf(out, " and %u more", brief->clip_count - MOST);
    text_add(out, brief->clip_count == 0 ? "none\n" : "\n");
}

enum { COLUMNS = 9 };

void briefs_write_text(const struct brief *briefs, size_t count, struct text *out)
{
    static const char *const heads[COLUMNS] = {"model",     "nodes",      "bones",   "meshes",  "vertices",
                                               "triangles", "influences", "repairs", "warnings"};
    size_t widths[COLUMNS] = {0};
    for (int is_written = 0; is_written < 2 && count > 0; is_written++)
        for (size_t i = 0; i <= count; i++) { /* 0: the headings */
            const struct brief *b = i > 0 ? &briefs[i - 1] : briefs;
            const size_t numbers[COLUMNS] = {0,           b->nodes,     b->bones,           b->meshes,
                                             b->vertices, b->triangles, b->most_influences, b->repairs,
                                             b->warnings};
            for (int k = 0; k < COLUMNS; k++) {
                SCOPED(text) cell = {0};
                if (i == 0)
                    text_add(&cell, heads[k]);
                else if (k == 0)
                    text_add_name(&cell, b->model);
                else
                    text_addf(&cell, "%zu", numbers[k]);
                size_t columns = utf8_count(text_string(&cell));
                widths[k] = columns > widths[k] ? columns : widths[k];
                int blanks = (int)(widths[k] - columns);
                if (is_written) /* the name to the left, numbers to the right */
                    text_addf(out, "%*s%s%*s", k > 0 ? blanks + 2 : 0, "", text_string(&cell), k > 0 ? 0 : blanks, "");
            }
            if (is_written && i == 0)
                text_add(out, "  clips\n");
            else if (is_written)
                write_clips(b, out);
        }
}

// clang-format off
#define BRIEF(member) FIELD_MEMBER(struct brief, member)
static const struct fields clip_fields = FIELD_TABLE(struct brief_clip, JSON_INLINE,
    {"name", FIELD_TEXT, FIELD_MEMBER(struct brief_clip, name)},
    {"duration", FIELD_DOUBLE, FIELD_MEMBER(struct brief_clip, duration)},
);

static const struct fields brief_fields = FIELD_TABLE(struct brief, JSON_INLINE,
    {"model", FIELD_TEXT, BRIEF(model)},
    {"nodes", FIELD_COUNT, BRIEF(nodes)},
    {"bones", FIELD_COUNT, BRIEF(bones)},
    {"meshes", FIELD_COUNT, BRIEF(meshes)},
    {"vertices", FIELD_COUNT, BRIEF(vertices)},
    {"triangles", FIELD_COUNT, BRIEF(triangles)},
    {"most_influences", FIELD_COUNT, BRIEF(most_influences)},
    {"repairs", FIELD_COUNT, BRIEF(repairs)},
    {"warnings", FIELD_COUNT, BRIEF(warnings)},
    {"clips", FIELD_ITEMS(struct brief, clips, clip_count, clip_fields)},
);
// clang-format on

void brief_write_json(const struct brief *brief, struct text *out)
{
    fields_write_document(BRIEF_FORMAT, &brief_fields, JSON_INLINE, brief, out);
}
