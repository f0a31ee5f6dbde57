#ifndef RIGPROOF_COMPARE_IMPORT_CONTEXT_H
#define RIGPROOF_COMPARE_IMPORT_CONTEXT_H

#include "compare/grouping.h"
#include "compare/match/matching.h"
#include "compare/match/placement.h"
#include "compare/match/skeleton.h"
#include "data/record/snapshot.h"
#include "data/result/verdict.h"

/* What the parts of compare_import() share. Each part matches its own noun first, for the others to use. */

/* Where a mesh went as a whole. */
struct mesh_placement {
    bool found;         /* its bounds are those of the golden, placed so */
    bool holds_centres; /* so are the weighted centres of its bones */
    struct placement placement;
};

/* Things that go by another name now, sorted by the old one. */
struct renames {
    size_t count;
    struct rename *items;
};

struct import_context {
    const struct import_snapshot *golden;
    const struct import_snapshot *actual;
    const struct tolerance *tolerance;
    struct findings *out;
    struct arena *arena;
    double unit_meters; /* the golden's, 0 when not known */
    double radius; /* of the golden in scene units, > 0: half the diagonal of all meshes where they stand at rest */
    const char **mesh_labels;        /* [golden->mesh_count] "body", "body #1" of several (import_label_meshes()) */
    const char **actual_mesh_labels; /* [actual->mesh_count] */
    double *mesh_scale; /* [golden->mesh_count] largest scale from mesh space to scene space */
    struct skeleton golden_nodes;
    struct skeleton actual_nodes;
    struct mesh_placement *placements; /* [golden->mesh_count] of matched meshes */
    struct matching nodes;
    struct matching meshes;
    struct matching materials;
    struct matching textures;
    struct matching clips;
    struct renames node_names;
    struct renames material_names;
    struct renames texture_names;
};

/* Fills all but the matchings and names. */
struct import_context import_context_create(const struct import_snapshot *golden, const struct import_snapshot *actual,
                                            const struct tolerance *tolerance, struct findings *out);

/* The matched pairs whose names differ. `golden` and `actual` are the lists that were matched. */
struct renames renames_of(const struct matching *matching, const struct match_list *golden,
                          const struct match_list *actual, struct arena *arena);

/* Its bounds, in mesh space. */
struct box mesh_box(const struct mesh_snapshot *mesh);

/* What the golden's `name` is called now: mostly itself. NULL for NULL. */
const char *renamed(const struct renames *renames, const char *name);

/* Whether a name in the golden and one in the actual mean the same thing. NULL means none. */
bool same_name(const struct renames *renames, const char *golden, const char *actual);

/* The label of a mesh of the golden, for fields; the same in a sentence: "`body` #1". */
const char *mesh_label(const struct import_context *context, const struct mesh_snapshot *golden);
const char *mesh_text(const struct import_context *context, const struct mesh_snapshot *golden);

/* A finding of stage import without figures. */
struct finding import_finding(const char *subject);

/* "node `a` is named `b` now", or what all names gained or lost. */
void report_renames(const struct import_context *context, const struct renames *renames, const char *noun,
                  const char *nouns);

/*
 * Names that only one side has, and names that changed: `noun` and `nouns` make the sentences ("mesh", "meshes").
 */
void report_matching(const struct import_context *context, const struct matching *matching,
                   const struct match_list *golden, const struct match_list *actual, const char *noun,
                   const char *nouns);

/* A benign finding when the order is another. */
void report_order(const struct import_context *context, const struct matching *matching,
                  const struct match_list *golden, const char *nouns);

/* ---- the parts, in their order ----------------------------------------------------------------------------------- */

/* Names of nodes with those of their parents. */
struct match_list import_list_nodes(const struct import_snapshot *import, struct arena *arena);
void import_match_nodes(struct import_context *context);
void import_compare_nodes(const struct import_context *context);

/* Bones that are another node of the same name now. */
void import_compare_duplicates(const struct import_context *context);

/* Materials, and what import_textures.c has for the textures. */
void import_match_materials(struct import_context *context);
void import_compare_materials(const struct import_context *context);
struct match_list import_list_textures(const struct import_snapshot *import, struct arena *arena);
void import_compare_textures(const struct import_context *context);

/* Whether both show much the same, as far as that is known. */
bool import_same_picture(const struct texture_snapshot *golden, const struct texture_snapshot *actual);

/* [import->mesh_count] */
const char **import_label_meshes(const struct import_snapshot *import, struct arena *arena);

/* Fills placements too. */
void import_match_meshes(struct import_context *context);
void import_place_meshes(struct import_context *context);
void import_compare_meshes(const struct import_context *context);

/* Morph targets, by their place, of meshes that both sides describe the targets of. */
void import_compare_targets(const struct import_context *context);

/* Vertices, triangles, normals, texture coordinates and colours of all pairs of meshes. */
void import_compare_attributes(const struct import_context *context);

/* The bones of all pairs of meshes. */
void import_compare_bones(const struct import_context *context);

void import_compare_clips(struct import_context *context);

/* The channels of one pair of clips. */
void import_compare_channels(const struct import_context *context, const struct clip_snapshot *golden,
                             const struct clip_snapshot *actual);

void import_compare_cameras(const struct import_context *context);
void import_compare_notes(const struct import_context *context);

#endif
