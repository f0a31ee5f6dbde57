#pragma once

#include "pipeline/pipeline.h"
#include "subject/resolve_answer.h"

/* A program under test is asked for what a pipeline plays. */

/* A request for all that it gives of the model at `path`, whose time is the caller's to set. Another rigproof is told
 * the settings, too, and of a view on a scale of colours the range, unless that is NULL. In the arena. */
struct subject_request pipeline_request(const struct pipeline *pipeline, const struct subject *subject,
                                        const char *path, const struct value_range *range, struct arena *arena);

/* The picture of a request, seen by the camera that was made for those bounds. No file is there before. */
struct subject_picture pipeline_picture(const struct settings *settings, const struct subject *subject,
                                        const struct camera *camera, const struct bounds *framed, long frame,
                                        struct arena *arena);

/* Asks for the rest pose first: conventions are solved where no animation can be taken for one. Who refuses it shows
 * them in its first pose. False with err set. */
bool pipeline_ask_rest(const struct pipeline *pipeline, struct subject *subject, const struct subject_request *request,
                       const struct import_snapshot *import, struct subject_solution *solution, struct arena *arena,
                       struct error *err);

/* The last pose, skinned, as a file has it: without vertices, or with all of them. */
struct pose_snapshot *pipeline_gather(struct pipeline *pipeline, bool vertices, struct arena *arena);

/* Copies the vertices of all meshes, whose places the next pose takes. */
void pose_keep_vertices(struct pose_snapshot *pose, struct arena *arena);
